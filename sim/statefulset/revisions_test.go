package statefulset_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

// revisionCalls returns the calls about revisions that one sync of a set with this history makes.
func revisionCalls(
	t *testing.T, test syncTest, set *model.StatefulSet, held []*model.Revision, pods ...*model.Pod,
) []string {
	t.Helper()
	view := statefulsettest.NewView(set, pods, held, nil, now)
	return onlyRevisions(test.syncView(t, view).server.Log)
}

// onlyRevisions leaves out what is about pods and the status.
func onlyRevisions(log []string) []string {
	var lines []string
	for _, line := range log {
		if strings.Contains(line, "#") || strings.Contains(line, "TruncateHistory") || strings.HasPrefix(line, "get") {
			lines = append(lines, line)
		}
	}
	return lines
}

func setOf(version string) *model.StatefulSet {
	set := newSet()
	set.Spec.Template = templates[version]
	return set
}

func TestTheRevisionOfTheTemplate(t *testing.T) {
	set := setOf("v2")
	v1, v2 := revision(set, "v1", 1), revision(set, "v2", 2)

	assert.Empty(t, revisionCalls(t, syncTest{}, set, []*model.Revision{v1, v2}), "the newest has it")
	assert.Equal(t, []string{"update web-v1 #3"}, revisionCalls(t, syncTest{}, setOf("v1"), []*model.Revision{v1, v2}),
		"an older one has it: a rollback raises its number")
	assert.Equal(t, []string{"create web-6b59b9d6d7 #3"},
		revisionCalls(t, syncTest{}, setOf("v3"), []*model.Revision{v1, v2}), "none has it")
	assert.Equal(t, []string{"create web-6b59b9d6d7 #1"}, revisionCalls(t, syncTest{}, setOf("v3"), nil), "there is none")
}

func TestARevisionThatIsCreated(t *testing.T) {
	set := setOf("v2")
	set.Annotations = map[string]string{"note": "x"}
	o := syncTest{}.syncView(t, viewOfHistory(set))
	created := o.server.Calls[0].Revision
	hash := strings.TrimPrefix(created.Name, "web-")
	assert.Equal(t, map[string]string{"app": "web", "controller.kubernetes.io/hash": hash}, created.Labels)
	assert.Equal(t, map[string]string{"note": "x"}, created.Annotations)
	assert.Equal(t, []model.Owner{{Kind: model.KindStatefulSet, Name: "web", UID: 7, Controller: true}}, created.Owners)
	assert.Equal(t, templates["v2"], created.Template)
	assert.Equal(t, created.Name, o.server.Calls[len(o.server.Calls)-1].Set.Status.UpdateRevision)
}

func viewOfHistory(set *model.StatefulSet, held ...*model.Revision) *statefulsettest.View {
	return statefulsettest.NewView(set, nil, held, nil, now)
}

// A revision's name may be taken in the API server by one that the cache does not know.
func TestNamesOfRevisionsThatCollide(t *testing.T) {
	set := setOf("v2")
	first := syncTest{}.syncView(t, viewOfHistory(set)).server.Calls[0].Revision
	collide := func(stored *model.Revision) (*statefulsettest.Server, model.Result) {
		server := &statefulsettest.Server{Stored: []*model.Revision{stored}}
		return server, statefulset.New(profile(t, "", nil)).Sync(viewOfHistory(set), server)
	}

	server, result := collide(first)
	require.NoError(t, result.Err)
	assert.Equal(t, []string{"create " + first.Name + " #1: AlreadyExists", "get " + first.Name},
		onlyRevisions(server.Log), "it holds the same template: it is used")

	other := *first
	other.Template = templates["v1"]
	server, result = collide(&other)
	require.NoError(t, result.Err)
	lines := onlyRevisions(server.Log)
	require.Len(t, lines, 3)
	assert.NotEqual(t, "create "+first.Name+" #1", lines[2], "it holds another: the collision count makes another name")
	assert.Equal(t, first.Labels, server.Calls[2].Revision.Labels, "the label keeps the first hash")
	assert.EqualValues(t, 1, server.Calls[len(server.Calls)-1].Set.Status.CollisionCount)
}

func TestCallsAboutRevisionsThatFail(t *testing.T) {
	set := setOf("v1")
	held := []*model.Revision{revision(set, "v1", 1), revision(set, "v2", 2)}
	test := syncTest{refuse: map[string]model.ErrorReason{"update web-v1": model.Conflict}, err: "Conflict"}
	log := test.syncView(t, viewOfHistory(set, held...)).server.Log
	assert.Equal(t, []string{"update web-v1 #3: Conflict"}, log, "neither a second attempt nor anything else")
}

func TestTheCurrentRevision(t *testing.T) {
	set := setOf("v2")
	set.Status.CurrentRevision = "web-v0"
	calls := syncTest{pods: "0@v1:ready"}.syncView(t, viewOfHistory(set, history(set)...)).server.Calls
	assert.Equal(t, "web-v2", calls[len(calls)-1].Set.Status.CurrentRevision, "update, where there is no such revision")
}

func TestTheHistoryIsCutToItsLimit(t *testing.T) {
	limit := func(n int32) *model.StatefulSet {
		set := setOf("v3")
		set.Spec.RevisionHistoryLimit = n
		set.Status.CurrentRevision = "web-v3"
		return set
	}
	set := limit(0)
	v1, v2, v3 := revision(set, "v1", 1), revision(set, "v2", 2), revision(set, "v3", 3)
	held := []*model.Revision{v1, v2, v3}
	v1Pod := pods(t, set, "web-0@v1:ready")[0]

	both := []string{"delete web-v1 (TruncateHistory)", "delete web-v2 (TruncateHistory)"}
	assert.Equal(t, both, revisionCalls(t, syncTest{}, limit(0), held))
	assert.Equal(t, both[:1], revisionCalls(t, syncTest{}, limit(1), held), "the oldest goes first")
	assert.Empty(t, revisionCalls(t, syncTest{}, limit(2), held), "the revision in use does not count")
	assert.Empty(t, revisionCalls(t, syncTest{}, limit(-1), held), "a negative limit keeps all")
	assert.Equal(t, both[1:], revisionCalls(t, syncTest{}, limit(0), held, v1Pod), "what a pod uses stays")

	failing := syncTest{refuse: map[string]model.ErrorReason{"delete web-v1": model.NotFound}, err: "NotFound"}
	assert.Equal(t, []string{"delete web-v1 (TruncateHistory): NotFound"}, revisionCalls(t, failing, limit(0), held),
		"an error ends it")
}

func TestTheHistoryIsCutAfterAnErrorToo(t *testing.T) {
	set := setOf("v2")
	set.Spec.RevisionHistoryLimit = 0
	held := []*model.Revision{revision(set, "v1", 1), revision(set, "v3", 3)}
	failing := syncTest{
		refuse: map[string]model.ErrorReason{"create web-cf97cd648": model.Timeout}, err: "Timeout",
	}
	failed := "create web-cf97cd648 #4: Timeout"
	assert.Equal(t, []string{failed, "delete web-v1 (TruncateHistory)", "delete web-v3 (TruncateHistory)"},
		revisionCalls(t, failing, set, held), "even the current one goes where the revisions were not chosen yet")
	failing.version = "1.16"
	assert.Equal(t, []string{failed}, revisionCalls(t, failing, set, held))
}

// Up to 1.37.0 the whole set is restored from a revision, so that a name which somebody has written into it becomes that
// of its pods: of a set that does not exist, whose pods the controller releases in its next sync.
func TestARevisionThatWasEditedByHand(t *testing.T) {
	set := newSet()
	held := revision(set, "v1", 1)
	held.Template, held.SetName = set.Spec.Template, "db"
	for version, name := range map[string]string{
		"1.34": "db", "1.36": "db", "1.37.0": "db", "1.37.1": "web", "1.37": "web", "1.38": "web",
		// It is not taken for a revision of the template, and a new one is made.
		"1.16": "web", "1.33": "web", "1.34.1": "web",
	} {
		calls := syncTest{version: version}.syncView(t, viewOfHistory(set, held)).server.Calls
		made := calls[slices.IndexFunc(calls, func(c model.Call) bool { return c.Kind == model.KindPod })].Pod
		assert.Equal(t, []string{name + "-0", name + "-0", name}, []string{made.Name, made.Hostname, made.Owners[0].Name}, version)
	}
}

// 1.34 writes templates without the creation timestamp that older versions wrote as null.
func TestAnUpgradeTo134(t *testing.T) {
	before := &model.Template{Data: `{"metadata":{"creationTimestamp":null,"labels":{"app":"web"}},"spec":{}}`}
	after := &model.Template{Data: `{"metadata":{"labels":{"app":"web"}},"spec":{}}`}
	held := revision(newSet(), "v1", 1)
	held.Template = before
	set := newSet()
	set.Spec.Template = after

	assert.Empty(t, revisionCalls(t, syncTest{version: "1.34.2"}, set, []*model.Revision{held}))
	assert.Len(t, revisionCalls(t, syncTest{version: "1.34.1"}, set, []*model.Revision{held}), 1,
		"a new revision, and so a rollout, for nothing")

	held.Template, held.Form = after, model.FormNullTimestamp
	for version, calls := range map[string]int{"1.33": 0, "1.34.0": 1, "1.34.1": 1, "1.34.2": 0, "1.37": 0} {
		assert.Len(t, revisionCalls(t, syncTest{version: version}, set, []*model.Revision{held}), calls, version)
	}
	before.Data = `{"metadata":{"labels":{"app":"web"}},"spec":{}}`
	made := syncTest{version: "1.33"}.syncView(t, viewOfHistory(set)).server.Calls[0].Revision
	assert.Equal(t, model.FormNullTimestamp, made.Form)
	assert.NotEqual(t, new(statefulset.Profile).RevisionName("web", before, 0), made.Name, "the text is another one, and so is its hash")
}

// Two revisions of one template can be in a history. Up to 1.33 they are told apart by their hash labels where both are
// numbers, which the set's own hash is for one template in two hundred.
func TestHashLabelsThatAreNumbers(t *testing.T) {
	set := setOf("v1")
	own := numberedTemplate(t, set)
	held := func(hash string, number int64) *model.Revision {
		r := revision(set, "v1", number)
		r.Name, r.Template = fmt.Sprintf("web-%d", number), set.Spec.Template
		r.Labels["controller.kubernetes.io/hash"] = hash
		return r
	}
	for _, test := range []struct {
		name      string
		held      []*model.Revision
		want, old []string
	}{
		{"another number", []*model.Revision{held("55", 1)}, nil, []string{"create web-" + own + " #2"}},
		{"the same number", []*model.Revision{held(own, 1)}, nil, nil},
		{"no number", []*model.Revision{held("b5", 1)}, nil, nil},
		{"the same number and a newer one", []*model.Revision{held(own, 1), held("55", 2)}, nil,
			[]string{"update web-1 #3"}},
		{"no number and a newer one, which is as good", []*model.Revision{held("b5", 1), held("55", 2)}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, revisionCalls(t, syncTest{version: "1.34"}, set, test.held))
			assert.Equal(t, test.old, revisionCalls(t, syncTest{version: "1.33"}, set, test.held))
		})
	}
}

// numberedTemplate gives the set a template whose hash is a number, and returns the hash.
func numberedTemplate(t *testing.T, set *model.StatefulSet) string {
	for i := range 10_000 {
		set.Spec.Template = &model.Template{Data: fmt.Sprint("t", i)}
		name := syncTest{}.syncView(t, viewOfHistory(set)).server.Calls[0].Key.Name
		hash := strings.TrimPrefix(name, "web-")
		if n, err := strconv.ParseInt(hash, 10, 32); err == nil && n > 0 {
			return hash
		}
	}
	t.Fatal("no template has a number for its hash")
	return ""
}
