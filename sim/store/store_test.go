package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// rules136 and rules137 are what differs between the API servers of 1.36 and 1.37.
var (
	rules136 = model.APIRules{
		MinReadySeconds: true, StartOrdinal: true, Retention: true,
		MutableMinReadySeconds: true, MutableOrdinals: true, MutableRetention: true, MutableHistoryLimit: true,
		MaxUnavailableField: true, MinReadySecondsField: true,
		NameConflicts: true, LabelName: true, LabelService: true, CheckClaims: true, JSONValues: true,
		Mutable: "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', " +
			"'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
	}
	rules137 = model.APIRules{
		MaxUnavailable: true, MinReadySeconds: true, StartOrdinal: true, Retention: true, FieldErrors: true,
		MutableMinReadySeconds: true, MutableOrdinals: true, MutableRetention: true, MutableHistoryLimit: true,
		MaxUnavailableField: true, MinReadySecondsField: true,
		NameConflicts: true, LabelName: true, LabelService: true, CheckClaims: true, JSONValues: true,
	}
)

// cluster is a store at a fixed instant that remembers what its watch has seen.
type cluster struct {
	store.Writer
	seen []store.Change
}

func newCluster(rules model.APIRules) *cluster {
	c := &cluster{}
	s := store.New(rules, func() model.Time { return 7 })
	for _, kind := range store.Kinds {
		s.Watch(kind, func(change *store.Change) { c.seen = append(c.seen, *change) })
	}
	c.Writer = s.As(store.By{})
	return c
}

func web() *model.StatefulSet {
	labels := map[string]string{"app": "web"}
	return &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 3,
			Selector: model.Selector{Data: `{"matchLabels":{"app":"web"}}`, Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template: &model.Template{
				Data: "v1", Labels: labels, Containers: []model.Container{{Name: "app", Image: "app:v1"}}, Grace: 30 * time.Second,
			},
			ServiceName: "web",
			Strategy:    model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	}
}

func TestCreateFillsInWhatDependsOnTheVersion(t *testing.T) {
	old, err := newCluster(rules136).CreateSet(web())
	require.Nil(t, err)
	require.Nil(t, old.Spec.Strategy.RollingUpdate.MaxUnavailable)
	require.Equal(t, &model.Retention{}, old.Spec.Retention)
	require.Equal(t, 1, old.Spec.Template.ID)
	require.Equal(t, int64(1), old.Generation)
	require.Equal(t, model.Time(7), old.Created)

	set, err := newCluster(rules137).CreateSet(web())
	require.Nil(t, err)
	require.Equal(t, &model.IntOrPercent{Value: 1}, set.Spec.Strategy.RollingUpdate.MaxUnavailable)

	typed := web()
	typed.Spec.Strategy.RollingUpdate = nil
	set, err = newCluster(rules137).CreateSet(typed)
	require.Nil(t, err)
	require.Nil(t, set.Spec.Strategy.RollingUpdate, "a type without a block stays without, gate or no gate")
}

func TestAnOldServerDropsWhatItDoesNotKnow(t *testing.T) {
	c := newCluster(model.APIRules{Mutable: "'replicas', 'template', and 'updateStrategy'"})
	sent := web()
	sent.Spec.MinReadySeconds = 5
	sent.Spec.Ordinals = &model.Ordinals{Start: 2}
	sent.Spec.Retention = &model.Retention{DeleteWithSet: true}
	sent.Spec.Strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: 2}
	set, err := c.CreateSet(sent)
	require.Nil(t, err)
	require.Zero(t, set.Spec.MinReadySeconds)
	require.Nil(t, set.Spec.Ordinals)
	require.Nil(t, set.Spec.Retention)
	require.Nil(t, set.Spec.Strategy.RollingUpdate.MaxUnavailable)
}

func TestRefusalsAreWordedAsTheAPIWordsThem(t *testing.T) {
	for _, c := range []struct {
		name   string
		rules  model.APIRules
		change func(*model.Spec)
		update bool
		want   string
	}{
		{"negative replicas", rules136, func(s *model.Spec) { s.Replicas = -1 }, false,
			`StatefulSet.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
		{"two problems", rules136, func(s *model.Spec) { s.Replicas, s.MinReadySeconds = -1, -2 }, false,
			`StatefulSet.apps "web" is invalid: [spec.replicas: Invalid value: -1: must be greater than or equal to 0, ` +
				`spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0]`},
		{"selector", rules136, func(s *model.Spec) { s.Selector.Needs[0].Values = []string{"other"} }, false,
			"StatefulSet.apps \"web\" is invalid: spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: " +
				"`selector` does not match template `labels`"},
		{"OnDelete with a block", rules137, func(s *model.Spec) { s.Strategy.Type = model.OnDeleteStrategy }, true,
			`StatefulSet.apps "web" is invalid: spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":0,"MaxUnavailable":1}: ` +
				`only allowed for updateStrategy 'RollingUpdate'`},
		{"maxUnavailable 0", rules137, func(s *model.Spec) {
			s.Strategy.RollingUpdate = &model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{}}
		}, false,
			`StatefulSet.apps "web" is invalid: spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0`},
		{"serviceName in 1.36", rules136, func(s *model.Spec) { s.ServiceName = "other" }, true,
			`StatefulSet.apps "web" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', ` +
				`'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and ` +
				`'minReadySeconds' are forbidden`},
		{"serviceName in 1.37", rules137, func(s *model.Spec) { s.ServiceName = "other" }, true,
			`StatefulSet.apps "web" is invalid: spec.serviceName: Invalid value: "other": field is immutable`},
		{"no selector in 1.37", rules137, func(s *model.Spec) { s.Selector = model.Selector{} }, true,
			"StatefulSet.apps \"web\" is invalid: [spec.selector: Required value, spec.template.metadata.labels: Invalid value: " +
				"{\"app\":\"web\"}: `selector` does not match template `labels`, spec.selector: Invalid value: null: field is immutable]"},
		{"podManagementPolicy in 1.37", rules137, func(s *model.Spec) { s.PodManagement = model.Parallel }, true,
			`StatefulSet.apps "web" is invalid: spec.podManagementPolicy: Invalid value: "Parallel": field is immutable`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(c.rules)
			sent := web()
			send := cluster.CreateSet
			if c.update {
				stored, err := cluster.CreateSet(web())
				require.Nil(t, err)
				copied := *stored
				sent, send = &copied, cluster.UpdateSet
			}
			c.change(&sent.Spec)
			_, err := send(sent)
			require.NotNil(t, err)
			require.Equal(t, model.Invalid, err.Reason)
			require.Equal(t, c.want, err.Message)
		})
	}
}

func TestAnUpdateThatChangesNothingMakesNoVersion(t *testing.T) {
	c := newCluster(rules137)
	stored, _ := c.CreateSet(web())
	before := len(c.seen)
	same := *stored
	same.Spec.Template = &model.Template{Data: "v1", Labels: stored.Spec.Template.Labels}
	got, err := c.UpdateSet(&same)
	require.Nil(t, err)
	require.Same(t, stored, got)
	require.Len(t, c.seen, before)

	stale := *stored
	stale.ResourceVersion = 99
	_, err = c.UpdateSet(&stale)
	require.Equal(t, model.Conflict, err.Reason)
	require.Equal(t, `Operation cannot be fulfilled on statefulsets.apps "web": the object has been modified; `+
		`please apply your changes to the latest version and try again`, err.Message)
}

func TestTemplatesAreNumberedOnceAndForAll(t *testing.T) {
	c := newCluster(rules137)
	stored, _ := c.CreateSet(web())
	ids := []int{stored.Spec.Template.ID}
	for _, data := range []string{"v2", "v1", "v3"} {
		next := *stored
		next.Spec.Template = &model.Template{Data: data, Labels: stored.Spec.Template.Labels}
		stored, _ = c.UpdateSet(&next)
		ids = append(ids, stored.Spec.Template.ID)
	}
	require.Equal(t, []int{1, 2, 1, 3}, ids)
}

// TestTemplatesOfAMillionChanges: old templates are forgotten, but for those that something has. Their numbers are not
// given again.
func TestTemplatesOfAMillionChanges(t *testing.T) {
	c := newCluster(rules137)
	stored, _ := c.CreateSet(web())
	become := func(data string) int {
		next := *stored
		next.Spec.Template = &model.Template{Data: data, Labels: stored.Spec.Template.Labels}
		stored, _ = c.UpdateSet(&next)
		return stored.Spec.Template.ID
	}
	require.Equal(t, 2, become("kept"))
	_, err := c.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: stored.Namespace, Name: "web-1"}, Template: stored.Spec.Template})
	require.Nil(t, err)
	for i := range 5000 {
		require.Equal(t, i+3, become(fmt.Sprint("app:v", i)))
	}
	require.Equal(t, 2, become("kept"))
	require.Equal(t, 5002, become("app:v4999"))
	require.Equal(t, 5003, become("app:v0"), "it was forgotten")
	require.Equal(t, 5003, become("app:v0"))
}

func TestAPodThatIsNotBoundOrHasEndedGoesAtOnce(t *testing.T) {
	key := model.Key{Namespace: "default", Name: "web-0"}
	for _, c := range []struct {
		name   string
		edit   func(*model.Pod)
		force  bool
		atOnce bool
	}{
		{"not bound", func(*model.Pod) {}, false, true},
		{"bound", func(p *model.Pod) { p.Node = "node-1" }, false, false},
		{"Failed", func(p *model.Pod) { p.Node, p.Phase = "node-1", model.Failed }, false, true},
		{"forced", func(p *model.Pod) { p.Node = "node-1" }, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(rules137)
			_, err := cluster.CreatePod(&model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}, Template: web().Spec.Template})
			require.Nil(t, err)
			cluster.ChangePod(key, c.edit)
			cluster.seen = nil
			require.Nil(t, cluster.DeletePod(key, 0, c.force))
			require.True(t, cluster.seen[0].Pod.Terminating())
			require.Equal(t, c.atOnce, cluster.Pod(key) == nil)
			if !c.atOnce {
				_, err := cluster.CreatePod(&model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}})
				require.Equal(t, `object is being deleted: pods "web-0" already exists`, err.Message)
				require.Nil(t, cluster.DeletePod(key, 0, false), "a second deletion is no error")
				require.Len(t, cluster.seen, 1, "and no change")
			}
		})
	}
}

// TestATakenName: the controller's pods have a generateName, which changes what the API server says of a name that is
// taken: words are added, and before 1.23 the reason was another one. Pods of users have none, nor have other kinds.
func TestATakenName(t *testing.T) {
	rules122 := rules136
	rules122.NameConflicts = false
	notUnique := ", the server was not able to generate a unique name for the object"
	for _, c := range []struct {
		name  string
		rules model.APIRules
		by    timeline.Actor
		going bool
		want  model.APIError
	}{
		{"by a user", rules136, timeline.User, false, model.APIError{Reason: model.AlreadyExists, Message: `pods "web-0" already exists`}},
		{"by the controller", rules136, timeline.Controller, false,
			model.APIError{Reason: model.AlreadyExists, Message: `pods "web-0" already exists` + notUnique}},
		{"of a pod that is going", rules136, timeline.Controller, true,
			model.APIError{Reason: model.AlreadyExists, Message: `object is being deleted: pods "web-0" already exists` + notUnique}},
		{"by a user, before 1.23", rules122, timeline.User, true,
			model.APIError{Reason: model.AlreadyExists, Message: `object is being deleted: pods "web-0" already exists`}},
		{"by the controller, before 1.23", rules122, timeline.Controller, true, model.APIError{Reason: model.ServerTimeout,
			Message: "The POST operation against Pod could not be completed at this time, please try again."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(c.rules)
			writer := cluster.As(store.By{Actor: c.by})
			pod := &model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: web().Spec.Template}
			_, err := writer.CreatePod(pod)
			require.Nil(t, err)
			if c.going {
				cluster.ChangePod(pod.Key(), func(p *model.Pod) { p.Node = "node-1" })
				require.Nil(t, cluster.DeletePod(pod.Key(), 0, false))
			}
			_, err = writer.CreatePod(pod)
			require.Equal(t, &c.want, err)
		})
	}
}

func TestAStatusThatCannotBeIsRefused(t *testing.T) {
	c := newCluster(rules136)
	stored, _ := c.CreateSet(web())
	write := *stored
	write.Status = model.Status{Replicas: 2, Ready: 3, Current: -1}
	_, err := c.UpdateSetStatus(&write)
	require.Equal(t, `StatefulSet.apps "web" is invalid: [status.currentReplicas: Invalid value: -1: must be greater than or `+
		`equal to 0, status.readyReplicas: Invalid value: 3: cannot be greater than status.replicas]`, err.Message)
}

// TestEachCountOfAStatus may not be negative, and not above those that it is a part of.
func TestEachCountOfAStatus(t *testing.T) {
	counts := map[string]func(*model.Status) *int32{
		"readyReplicas":     func(s *model.Status) *int32 { return &s.Ready },
		"currentReplicas":   func(s *model.Status) *int32 { return &s.Current },
		"updatedReplicas":   func(s *model.Status) *int32 { return &s.Updated },
		"availableReplicas": func(s *model.Status) *int32 { return &s.Available },
	}
	for field, of := range counts {
		for value, says := range map[int32]string{
			0: "", 2: "", -1: "status." + field + ": Invalid value: -1: must be greater than or equal to 0",
			3: "status." + field + ": Invalid value: 3: cannot be greater than status.replicas",
		} {
			c := newCluster(rules136)
			stored, _ := c.CreateSet(web())
			write := *stored
			write.Status = model.Status{Replicas: 2, Ready: 2}
			*of(&write.Status) = value
			_, err := c.UpdateSetStatus(&write)
			if says == "" {
				require.Nil(t, err, field)
			} else {
				require.Contains(t, err.Message, says)
			}
		}
	}
	c := newCluster(rules136)
	stored, _ := c.CreateSet(web())
	write := *stored
	write.Status = model.Status{Replicas: -1}
	_, err := c.UpdateSetStatus(&write)
	require.Contains(t, err.Message, "status.replicas: Invalid value: -1: must be greater than or equal to 0")
}

// TestRestoredObjectsAreThere: each object of a dump is in the store as it was, but for its version, and nobody is told.
func TestRestoredObjectsAreThere(t *testing.T) {
	c := newCluster(rules137)
	meta := func(name string, uid model.UID) model.Meta {
		return model.Meta{Namespace: "default", Name: name, UID: uid}
	}
	set := web()
	set.UID = 1
	c.Restore(store.Objects{
		Sets: []*model.StatefulSet{set}, Revisions: []*model.Revision{{Meta: meta("web-1", 2), Template: set.Spec.Template, Number: 7}},
		Claims: []*model.Claim{{Meta: meta("data-web-0", 3), Phase: model.ClaimBound}},
		Pods: []*model.Pod{{Meta: meta("web-0", 4), Node: "node-1", Phase: model.Running,
			Volumes: []model.Volume{{Name: "data", Claim: "data-web-0"}}}},
	})
	require.Empty(t, c.seen)
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	require.Equal(t, model.UID(1), c.Set(key("web")).UID)
	require.EqualValues(t, 7, c.Revision(key("web-1")).Number)
	require.Equal(t, model.ClaimBound, c.Claim(key("data-web-0")).Phase)
	require.Equal(t, "node-1", c.Pod(key("web-0")).Node)
	require.True(t, c.InUse(key("data-web-0")))
	versions := map[uint64]bool{
		c.Set(key("web")).ResourceVersion: true, c.Revision(key("web-1")).ResourceVersion: true,
		c.Claim(key("data-web-0")).ResourceVersion: true, c.Pod(key("web-0")).ResourceVersion: true,
	}
	require.NotContains(t, versions, uint64(0))
	require.Len(t, versions, 4, "each has a version of its own")
	pod, err := c.CreatePod(&model.Pod{Meta: meta("web-1", 0)})
	require.Nil(t, err)
	require.Greater(t, pod.UID, model.UID(4), "no uid is given twice")
}

// TestWhatAServerDoesNotTakeFromACreation: the status of a set that is created is empty, whatever was sent.
func TestWhatAServerDoesNotTakeFromACreation(t *testing.T) {
	sent := web()
	sent.Status = model.Status{Replicas: 5, Ready: 5}
	stored, err := newCluster(rules137).CreateSet(sent)
	require.Nil(t, err)
	require.Equal(t, model.Status{}, stored.Status)
}

// TestADeletedRevision is gone at once, and that is another version of the cluster.
func TestADeletedRevision(t *testing.T) {
	c := newCluster(rules137)
	_, err := c.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: "web-1"}})
	require.Nil(t, err)
	key, version := model.Key{Namespace: "default", Name: "web-1"}, c.Version()
	require.Nil(t, c.DeleteRevision(key))
	require.Nil(t, c.Revision(key))
	require.Greater(t, c.Version(), version)
	require.Equal(t, model.NotFound, c.DeleteRevision(key).Reason)
}

// TestFail words an error that comes from outside as the API server does, unless the words are given.
func TestFail(t *testing.T) {
	require.EqualError(t, store.Fail(model.AlreadyExists, model.KindPod, "web-0", ""), `pods "web-0" already exists, the server was not `+
		`able to generate a unique name for the object`)
	require.EqualError(t, store.Fail(model.NotFound, model.KindPod, "web-0", ""), `pods "web-0" not found`)
	require.EqualError(t, store.Fail(model.NotFound, model.KindPod, "web-0", "gone"), "gone")
}
