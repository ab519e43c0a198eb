package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
)

// TestWrongSets: what the API server of a version says of a new set, in its order.
func TestWrongSets(t *testing.T) {
	long := strings.Repeat("w", 63)
	for _, c := range []struct {
		name, kubernetes string
		change           func(*model.StatefulSet)
		want             string
	}{
		{"a name of 63 characters", "1.37", func(set *model.StatefulSet) { set.Name, set.Spec.ServiceName = long, long }, ""},
		{"no selector", "1.37", func(set *model.StatefulSet) { set.Spec.Selector = model.Selector{} }, "[spec.selector: Required value, " +
			"spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`]"},
		{"a wrong template", "1.37", func(set *model.StatefulSet) { set.Spec.Template.Wrong = []string{"spec.containers: Required value"} },
			"spec.template.spec.containers: Required value"},
		{"a maxUnavailable that is no percentage", "1.37", func(set *model.StatefulSet) {
			set.Spec.Strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Text: "many"}
		}, `[spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "many": a valid percent string must be a numeric string ` +
			`followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%'), ` +
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "many": cannot be 0]`},
		{"what was found where the manifest was read", "1.37", func(set *model.StatefulSet) {
			set.Spec.Wrong = &model.Wrong{
				Meta: []string{"meta"}, Policy: []string{"policy"}, Strategy: []string{"strategy"}, Retention: []string{"retention"},
				Selector: []string{"selector"}, Labels: []string{"labels"}, Rest: []string{"rest"},
			}
		}, "[meta, policy, strategy, retention, selector, labels, rest]"},
	} {
		require.Equal(t, c.want, created(t, c.kubernetes, c.change), c.name)
	}
}

// TestWrongUpdates: each change that a version does not allow, in the words of 1.37 and of those before.
func TestWrongUpdates(t *testing.T) {
	const others = "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', "
	for _, c := range []struct {
		name       string
		change     func(*model.StatefulSet)
		want, once string
	}{
		{"replicas", func(set *model.StatefulSet) { set.Spec.Replicas = 5 }, "", ""},
		{"the selector", func(set *model.StatefulSet) {
			set.Spec.Selector = model.Selector{Data: `{"matchLabels":{}}`, Needs: set.Spec.Selector.Needs}
		}, `spec.selector: Invalid value: {"matchLabels":{}}: field is immutable`, others},
		{"a claim template", func(set *model.StatefulSet) {
			set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data", Data: `{"a":1}`}, {Name: "logs", Facts: &model.ClaimFacts{
				Shown: "as shown", AccessModes: []string{"ReadWriteOnce"}, Storage: "1Gi"}}}
		}, `spec.volumeClaimTemplates: Invalid value: [{"metadata":{"name":"data"},"spec":{"a":1}},as shown]: field is immutable`, others},
		{"a policy that does not exist", func(set *model.StatefulSet) {
			set.Spec.Wrong = &model.Wrong{Policy: []string{`spec.podManagementPolicy: Invalid value: "Some": must be 'OrderedReady'`}}
		}, `[spec.podManagementPolicy: Invalid value: "Some": must be 'OrderedReady', ` +
			`spec.podManagementPolicy: Invalid value: "Some": field is immutable]`, others},
		{"a selector that cannot be read", func(set *model.StatefulSet) {
			set.Spec.Wrong = &model.Wrong{Selector: []string{"spec.selector: no operator"}}
		}, "spec.selector: no operator", others},
	} {
		for _, kubernetes := range []string{"1.37", "1.30"} {
			cluster := newCluster(rulesOf(t, kubernetes))
			set, err := cluster.CreateSet(web())
			require.Nil(t, err)
			next := *set
			c.change(&next)
			_, err = cluster.UpdateSet(&next)
			if c.want == "" {
				require.Nil(t, err, c.name)
				continue
			}
			require.NotNil(t, err, c.name)
			_, words, _ := strings.Cut(err.Message, " is invalid: ")
			if kubernetes == "1.37" {
				require.Equal(t, c.want, words, c.name)
			} else {
				require.Contains(t, words, c.once, c.name)
			}
		}
	}
}

// TestWritesOfWhatIsNotThere: the API server does not find it, and nobody hears of a write.
func TestWritesOfWhatIsNotThere(t *testing.T) {
	c, key := newCluster(rulesOf(t, "1.37")), model.Key{Namespace: "default", Name: "web"}
	meta := model.Meta{Namespace: "default", Name: "web"}
	for name, write := range map[string]func() *model.APIError{
		"update a set":        func() *model.APIError { _, err := c.UpdateSet(web()); return err },
		"update a status":     func() *model.APIError { _, err := c.UpdateSetStatus(web()); return err },
		"remove a set":        func() *model.APIError { return c.RemoveSet(key) },
		"update a pod":        func() *model.APIError { _, err := c.UpdatePod(&model.Pod{Meta: meta}); return err },
		"delete a pod":        func() *model.APIError { return c.DeletePod(key, 0, false) },
		"delete a pod, force": func() *model.APIError { return c.DeletePod(key, 7, true) },
		"update a claim":      func() *model.APIError { _, err := c.UpdateClaim(&model.Claim{Meta: meta}); return err },
		"delete a claim":      func() *model.APIError { return c.DeleteClaim(key, 0) },
		"update a revision":   func() *model.APIError { _, err := c.UpdateRevision(&model.Revision{Meta: meta}); return err },
		"delete a revision":   func() *model.APIError { return c.DeleteRevision(key) },
		"get a revision":      func() *model.APIError { _, err := c.GetRevision(key); return err },
	} {
		err := write()
		require.NotNil(t, err, name)
		require.Equal(t, model.NotFound, err.Reason, name)
		require.Contains(t, err.Message, `"web" not found`, name)
	}
	c.ChangePod(key, func(*model.Pod) { require.Fail(t, "there is no pod to change") })
	require.Empty(t, c.seen)
	require.Zero(t, c.Version())
}

// TestAnOldVersionIsNotWritten: a write that names another version, or another uid, than the stored one is a conflict.
func TestAnOldVersionIsNotWritten(t *testing.T) {
	c := newCluster(rulesOf(t, "1.37"))
	set, err := c.CreateSet(web())
	require.Nil(t, err)
	pod, err := c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}})
	require.Nil(t, err)
	revision, err := c.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: "web-a"}})
	require.Nil(t, err)
	writes, version := len(c.seen), c.Version()
	for name, write := range map[string]func(func(*model.Meta)) *model.APIError{
		"a set": func(change func(*model.Meta)) *model.APIError {
			next := *set
			next.Spec.Replicas++
			change(&next.Meta)
			_, err := c.UpdateSet(&next)
			return err
		},
		"a status": func(change func(*model.Meta)) *model.APIError {
			next := *set
			next.Status.Replicas++
			change(&next.Meta)
			_, err := c.UpdateSetStatus(&next)
			return err
		},
		"a pod": func(change func(*model.Meta)) *model.APIError {
			next := *pod
			next.Labels = map[string]string{"a": "b"}
			change(&next.Meta)
			_, err := c.UpdatePod(&next)
			return err
		},
		"a revision": func(change func(*model.Meta)) *model.APIError {
			next := *revision
			next.Number++
			change(&next.Meta)
			_, err := c.UpdateRevision(&next)
			return err
		},
	} {
		for _, change := range []func(*model.Meta){func(m *model.Meta) { m.ResourceVersion += 9 }, func(m *model.Meta) { m.UID += 9 }} {
			err := write(change)
			require.NotNil(t, err, name)
			require.Equal(t, model.Conflict, err.Reason, name)
		}
	}
	require.Equal(t, model.Conflict, c.DeletePod(pod.Key(), pod.UID+9, false).Reason)
	require.Len(t, c.seen, writes)
	require.Equal(t, version, c.Version())
}

// TestThirtySecondsAreTheGraceOfAPodThatSaysNothing: it is bound, and stops for so long.
func TestThirtySecondsAreTheGraceOfAPodThatSaysNothing(t *testing.T) {
	for _, template := range []*model.Template{nil, {Grace: 30 * time.Second}, {Grace: time.Second}} {
		c, key := newCluster(rulesOf(t, "1.37")), model.Key{Namespace: "default", Name: "web-0"}
		_, err := c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: template})
		require.Nil(t, err)
		c.ChangePod(key, func(pod *model.Pod) { pod.Node = "node-1" })
		require.Nil(t, c.DeletePod(key, 0, false))
		want := 30 * time.Second
		if template != nil {
			want = template.Grace
		}
		require.Equal(t, want, c.Pod(key).Deletion.Grace)
	}
}

// TestVersionsThatWereGivenAwayStay, however many they are, while those that nobody holds are written over.
func TestVersionsThatWereGivenAwayStay(t *testing.T) {
	s := store.New(rulesOf(t, "1.37"), func() model.Time { return 7 })
	s.SetVersions(store.Spoiled)
	w, key := s.As(store.By{}), model.Key{Namespace: "default", Name: "web-0"}
	_, err := w.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}})
	require.Nil(t, err)
	kept, held := []*model.Pod{}, s.Pod(key)
	write := func(name string) {
		w.ChangePod(key, func(pod *model.Pod) { pod.Node = name })
		s.Release()
	}
	write("node-0")
	require.Equal(t, "spoiled", held.Node, "nobody was given this one")
	for i := range 40 {
		write(string(rune('a' + i)))
		kept = append(kept, s.GivePod(key))
	}
	write("last")
	for i, pod := range kept {
		require.Equal(t, string(rune('a'+i)), pod.Node)
	}
}

// TestAServerThatIsUpgraded follows the rules of the other version from its next write on.
func TestAServerThatIsUpgraded(t *testing.T) {
	s := store.New(rulesOf(t, "1.26"), func() model.Time { return 7 })
	w := s.As(store.By{})
	dotted := web()
	dotted.Name = "my.db"
	_, err := w.CreateSet(dotted)
	require.Nil(t, err)
	s.SetRules(rulesOf(t, "1.37"))
	require.Equal(t, rulesOf(t, "1.37"), s.Rules())
	dotted.Name = "your.db"
	_, err = w.CreateSet(dotted)
	require.NotNil(t, err)
	require.NotNil(t, s.Set(model.Key{Namespace: "default", Name: "my.db"}))
}
