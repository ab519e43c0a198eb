package plan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// cluster plays a scenario, and returns what kubectl prints of its cluster at the end, with the objects beside it.
func cluster(t testing.TB, kubelet, steps string) string {
	t.Helper()
	text := "kubernetes: \"1.37\"\nkubelet: {" + kubelet + "}\nsteps:\n" + steps
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err, text)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, printing.Print(&printed, world.State(), epoch))
	return printed.String() + eventAt("2026-01-01T00:00:00Z")
}

// later returns a dump as it is taken an hour later, if nothing has happened but an event about something else.
func later(printed string) string { return printed + eventAt("2026-01-01T01:00:00Z") }

// eventAt is an event about something else, which shows that the dump was not taken before.
func eventAt(when string) string {
	return "---\napiVersion: v1\nkind: Event\nmetadata: {name: at-" + strings.ToLower(when) + ", namespace: other}\n" +
		"involvedObject: {kind: Pod, namespace: other, name: none}\nlastTimestamp: \"" + when + "\"\n"
}

// applies is a step that applies manifests.
func applies(manifests string) string {
	return "- apply: |\n    " + strings.ReplaceAll(strings.TrimSpace(manifests), "\n", "\n    ") + "\n"
}

// TestLive plans changes of clusters that are dumped with their pods, at rest and not, and compares all that is printed
// with testdata/live.txt.
func TestLive(t *testing.T) {
	const broken = `rules: [{match: {image: "a:bad"}, ready: never}]`
	three := probed(web("3", "a:1"))
	toBad := "- setImage: {statefulset: web, image: \"a:bad\"}\n"
	loops := probed(web("3", "a:1", parallel, typeAlone))
	other := called(three, "other")
	cases := []struct {
		name, kubelet, steps string
		from, to             string
	}{
		{"at rest", "", applies(three), "a:1", "a:2"},
		{"a broken image that is taken back", broken, applies(three) + toBad, "a:bad", "a:1"},
		{"an image of which it is too early to say whether it is broken", broken, applies(three) + toBad, "a:bad", "a:1"},
		{"a broken image that is replaced by another one", broken, applies(three) + toBad, "a:bad", "a:3"},
		{"a broken image, and more pods", broken, applies(three) + toBad, "replicas: 3", "replicas: 4"},
		{"a broken image, and nothing changes", broken, applies(three) + toBad, "", ""},
		{"an image that never starts, and is taken back", `rules: [{match: {image: "a:bad"}, start: never}]`, applies(three) + toBad, "a:bad", "a:1"},
		{"two pods that are not Ready, and nothing changes", "", applies(three) + applies(other) + "- unready: web-0\n- unready: other-0\n", "", ""},
		{"a broken image beside a set that changes", broken, applies(three) + applies(other) + toBad, "name: other", "name: other\n        labels: {x: y}"},
		{"an unready pod and a set that loops", "", applies(loops) + "- unready: web-0\n", "a:1", "a:2"},
		{"a set that somebody has deleted", "rules: [{match: {pod: web-2}, stop: never}]", applies(three) + "- delete: statefulset/web\n  cascade: foreground\n", "a:1", "a:2"},
		{"a claim that somebody has deleted, and its pod keeps", "", applies(probed(web("3", "a:1", claimTemplates))) + "- delete: claim/data-web-1\n", "a:1", "a:2"},
		{"a budget over two sets", "", applies(three) + applies(other) + applies(strings.TrimPrefix(budgetOfTwo, "---\n")), "a:1", "a:2"},
	}
	var text bytes.Buffer
	for _, c := range cases {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		before := cluster(t, c.kubelet, c.steps)
		if strings.HasPrefix(c.name, "a broken image") {
			before = later(before)
		}
		after := changed(t, []byte(before), "", "")
		if c.from != "" {
			require.Contains(t, after, c.from, c.name)
		}
		plan := plans(t, before, strings.ReplaceAll(after, c.from, c.to), &Options{})
		require.NoError(t, plan.Document().Text(&text, render.Style{Width: 110}))
		text.WriteString("\n")
		require.NoError(t, plan.Document().Markdown(&text))
		text.WriteString("\n")
	}
	golden(t, "live.txt", text.String())
}

// TestShow: what is shown of a case is the run that was played for it, with the commands that heal as its last steps.
func TestShow(t *testing.T) {
	plan := plans(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{})
	var lines []string
	for _, name := range CaseNames() {
		for _, shown := range plan.Show(name) {
			var steps []string
			for i := range shown.Events {
				if step := shown.Events[i].Step; step != nil {
					steps = append(steps, step.Does)
				}
			}
			end := shown.Events[len(shown.Events)-1].Result.Verdict
			lines = append(lines, fmt.Sprintf("%s: %s: %s", shown.Name(), strings.Join(steps, "; "), end))
		}
	}
	require.Equal(t, []string{
		"the change: the sets as they run now; the change: settled",
		"default/web: the new revision never becomes Ready: the sets as they run now; the change; " +
			"kubectl -n default rollout undo statefulset/web; kubectl -n default delete pod web-2: settled",
		"default/web: web-2 takes an hour longer to become Ready: the sets as they run now; the change: settled",
		"default/web: web-0 is not Ready when the change comes: the sets as they run now; web-0 stops being Ready; the change; " +
			"kubectl -n default delete pod web-0: settled",
		"default/web: web-0 is evicted or deleted during the rollout: the sets as they run now; the change; " +
			"delete web-0: settled",
		"default/web: NODE, the node of web-0, is lost during the rollout (no power, no network): the sets as they run now; " +
			"the node of web-0 goes down; the change; " +
			"kubectl taint nodes NODE-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute: settled",
	}, lines)
	require.Empty(t, plans(t, web("3", "a:1"), web("3", "a:1"), &Options{}).Show(Rollout), "nothing changes")
}

// TestWhatAFirstApplyKeeps: a manifest that lacks a field of a live set changes nothing if no apply has set that field,
// and the plan says so.
func TestWhatAFirstApplyKeeps(t *testing.T) {
	live := strings.Replace(probed(web("2", "a:1", "minReadySeconds: 5")), "{name: web}", `{name: web, uid: u, generation: 1}`, 1) +
		"status: {observedGeneration: 1, replicas: 2, readyReplicas: 2, currentRevision: a, updateRevision: a}\n"
	plan := plans(t, live, probed(web("2", "a:1")), &Options{})
	require.Equal(t, []string{"default/web"}, plan.Unchanged)
	require.Contains(t, textOf(t, plan), "default/web: spec.minReadySeconds stays, though the new manifest does not have it")
	require.NotContains(t, textOf(t, plans(t, live, live, &Options{})), "stays, though")
}

// TestAttachedElsewhere: no fix is promised for a set that waits for a volume which another node still has.
func TestAttachedElsewhere(t *testing.T) {
	before := cluster(t, `rules: [{match: {pod: web-1, nth: 2}, start: never}]`, applies(probed(web("3", "a:1", claimTemplates)))+"- delete: pod/web-1\n")
	for event, fix := range map[string]bool{"FailedMount: timed out": true, "FailedAttachVolume: Multi-Attach error for volume pv-1": false} {
		reason, message, _ := strings.Cut(event, ": ")
		text := before + fmt.Sprintf("---\n{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Warning, reason: %s, message: %q, "+
			"lastTimestamp: \"2026-01-01T01:00:00Z\", involvedObject: {kind: Pod, namespace: default, name: web-1}}\n", reason, message)
		s := plans(t, text, probed(web("3", "a:2", claimTemplates)), &Options{}).find("web")
		require.Contains(t, s.Ends, "the change gets stuck: web-1 is not Running and Ready")
		require.Equal(t, fix, s.Fix != nil, "%s: %+v", event, s.Fix)
		require.Equal(t, !fix, strings.Contains(s.Shows, "its volume is still attached to another node"), s.Shows)
	}
}

// TestFixThatNeedsAWebhook: a fix that assumes something else of the cluster is played from the change on, and not from
// where that cluster has come to by itself.
func TestFixThatNeedsAWebhook(t *testing.T) {
	before := cluster(t, "", applies(probed(web("3", "a:1")))+
		"faults: [{write: {verb: create, kind: pod, name: web-2}, error: InternalError, message: no, times: always}]\n") +
		"---\n{apiVersion: v1, kind: Event, metadata: {name: e, namespace: default}, type: Warning, reason: FailedCreate, message: " +
		"'create Pod web-2 in StatefulSet web failed error: Internal error occurred: failed calling webhook \"a.b.c\": no endpoints', " +
		"involvedObject: {kind: StatefulSet, namespace: default, name: web}}\n"
	s := plans(t, before, probed(web("3", "a:2")), &Options{}).find("web")
	require.Contains(t, s.Ends, "failed calling webhook")
	require.NotNil(t, s.Fix)
	require.Contains(t, s.Fix.Lead[0], "deletes 3 pods, and at least 2 of 3 serve meanwhile.")
	require.Contains(t, s.Fix.Lead[1], "This assumes that the webhook a.b.c answers again")
}

// TestBrokenPodsThatAreNew: while a rollout goes on, a revision that does not become Ready stops at the first pod that
// gets it, be it one that is replaced or one that has not been there.
func TestBrokenPodsThatAreNew(t *testing.T) {
	before := cluster(t, "", applies(probed(web("3", "a:1")))+"- setImage: {statefulset: web, image: \"a:2\"}\n"+
		"faults: [{write: {verb: create, kind: pod, name: web-2}, error: Forbidden, message: exceeded quota, times: always}]\n")
	plan := plans(t, before, probed(web("3", "a:3")), &Options{})
	s := plan.find("web")
	require.Equal(t, []string{"created: web-2", "replaced: web-1, web-0"}, s.Order)
	require.Contains(t, caseOf(t, s, "broken").Answer, "the change gets stuck: web-2 is not Running and Ready")
}

// TestParallelForAQuorum: a set that never starts its second pod is made anew with Parallel. That heals if the first
// pod waits for its peers, which no dump shows, so the plan says both; it does not if the image cannot be pulled.
func TestParallelForAQuorum(t *testing.T) {
	parallel := func(image string) string { return probed(web("3", image, "podManagementPolicy: Parallel")) }
	waits := plans(t, cluster(t, "rules: [{match: {pod: web-0}, ready: never}]", applies(probed(web("3", "a:1")))), parallel("a:1"), &Options{})
	require.Contains(t, waits.find("web").Refusal.Way, "the change gets stuck: web-0 is not Running and Ready")
	require.Contains(t, waits.find("web").Refusal.Way, "This assumes that the pods that are not Ready in the dump stay unready. "+
		"If they wait for their peers, as the members of a quorum do, the new set starts these, and all are Ready after 3s")
	pulls := plans(t, cluster(t, "rules: [{match: {pod: web-0}, pull: never}]", applies(probed(web("3", "a:1")))), parallel("a:1"), &Options{})
	require.Contains(t, pulls.find("web").Refusal.Way, "None of the tried fixes works")
	require.NotContains(t, pulls.find("web").Refusal.Way, "quorum")
}

// TestChangeOfADeletedSet: a change of a set that somebody has deleted is planned, and does not complete: the set is
// gone in the end.
func TestChangeOfADeletedSet(t *testing.T) {
	before := cluster(t, "rules: [{match: {pod: web-2}, stop: never}]",
		applies(probed(web("3", "a:1")))+"- delete: statefulset/web\n  cascade: foreground\n")
	plan := plans(t, before, probed(web("3", "a:2")), &Options{Runs: 3})
	s := plan.find("web")
	require.Equal(t, "the set is gone: somebody has deleted it", s.Ends)
	require.False(t, plan.Settles || s.Completes)
	require.True(t, s.Duration.Endless)
	require.Empty(t, s.Cases)
	require.Contains(t, s.Shows, "the StatefulSet is being deleted")
}

// TestResizedInPlace: a plan says that a resize in place is lost with the pod that has it, if the change creates pods
// again.
func TestResizedInPlace(t *testing.T) {
	asks := strings.Replace(web("3", "a:1"), "{name: app, ", "{name: app, resources: {requests: {cpu: 100m}}, ", 1)
	before, after, found := strings.Cut(cluster(t, "", applies(asks)), "hostname: web-1\n")
	require.True(t, found)
	at := strings.LastIndex(before, "cpu: 100m")
	require.Greater(t, at, strings.LastIndex(before, "kind: Pod\n"))
	live := before[:at] + strings.Replace(before[at:], "100m", "200m", 1) + "hostname: web-1\n" + after
	const note = "web-1 has other requests or limits than its template: a resize in place, or admission, has changed them. " +
		"A resize is lost when the pod is created again, unless the new template has it."
	require.Contains(t, plans(t, live, strings.Replace(asks, "a:1", "a:2", 1), &Options{}).find("default/web").Notes, note)
	for _, s := range plans(t, live, strings.Replace(asks, "replicas: 3", "replicas: 4", 1), &Options{}).Sets {
		require.NotContains(t, s.Notes, note, "no pod is created again")
	}
}
