package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

const (
	claimTemplates = "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: " +
		"{requests: {storage: 1Gi}}}}]"
	deleteScaled = "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}"
	deleteWith   = "persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}"
	pdb          = "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all}\n" +
		"spec: {minAvailable: %s, selector: {matchLabels: {app: web}}}\n"
)

// traps are the traps of the alarms of a plan, each with its set.
func traps(plan *Plan) []string {
	var list []string
	for _, a := range plan.Alarms {
		list = append(list, a.Trap+" "+strings.TrimPrefix(a.Set, "default/"))
	}
	return list
}

// TestRequireNoLoss: a gate on alarms and on lost claims also holds for a set that leaves the files, and for one that
// is not at rest and does not change. No other requirement is asked of these.
func TestRequireNoLoss(t *testing.T) {
	claimed := web("3", "a:1", claimTemplates, deleteScaled)
	gate := func(before, after, text string) (held bool, got []string) {
		plan := plans(t, before, after, &Options{Require: []string{text, "minReady >= 0"}})
		for _, s := range slices.Concat(plan.Sets, plan.NotAtRest) {
			got = append(got, s.Requirements[0].Got)
		}
		return plan.Held, got
	}
	held, got := gate(claimed, web("2", "a:1", claimTemplates, deleteScaled), "lost == 0")
	require.False(t, held)
	require.Equal(t, []string{"lost is 1"}, got)
	held, got = gate(web("2", "a:1", claimTemplates, deleteWith), "", "lost == 0")
	require.False(t, held)
	require.Equal(t, []string{"lost is 2"}, got)
	held, got = gate(web("2", "a:1", claimTemplates), "", "lost == 0")
	require.True(t, held)
	require.Equal(t, []string{"lost is 0"}, got)
	held, got = gate(dumped(web("5", "a:2"), stuck), web("5", "a:2"), "alarms == 0")
	require.False(t, held)
	require.Equal(t, []string{"alarms is 1"}, got)
}

// TestAlarms: what somebody has to look at before the change is made, and nothing else.
func TestAlarms(t *testing.T) {
	serving := "serviceName: web"
	young := "minReadySeconds: 600"
	cases := []struct {
		name, before, after string
		traps               []string
		says                string
	}{
		{"nothing", probed(web("3", "a:1")), probed(web("3", "a:2")), nil, ""},
		{"volumes", web("3", "a:1", claimTemplates, deleteScaled), web("1", "a:1", claimTemplates, deleteScaled),
			[]string{"volumes web", "scale-down web", "scale-down-taken-back web"}, "deletes data-web-2, data-web-1 permanently, with their volumes"},
		{"volumes, with the policy in the same change", web("3", "a:1", claimTemplates),
			web("2", "a:1", claimTemplates, deleteScaled), []string{"volumes web", "scale-down-taken-back web"}, "deletes data-web-2 permanently, with its volume (NEW sets whenScaled"},
		{"volumes stay", web("3", "a:1", claimTemplates), web("1", "a:1", claimTemplates), []string{"scale-down web"}, "from 3 to 1"},
		{"from now on, when scaled", web("3", "a:1", claimTemplates), web("3", "a:1", claimTemplates, deleteScaled),
			[]string{"scale-down-taken-back web", "volumes-later web"}, "whenScaled becomes Delete"},
		{"from now on, when deleted", web("3", "a:1", claimTemplates), web("3", "a:1", claimTemplates, deleteWith),
			[]string{"volumes-later web"}, "whenDeleted becomes Delete"},
		{"it was so before", web("3", "a:1", claimTemplates, deleteWith), web("4", "a:1", claimTemplates, deleteWith), nil, ""},
		{"other ordinals", probed(web("3", "a:1", claimTemplates)),
			probed(web("3", "a:1", claimTemplates, "ordinals: {start: 5}")), []string{"ordinals web"},
			"ordinals.start moves from 0 to 5: web-2, web-1, web-0 are deleted for good (their claims stay, and no pod uses " +
				"them); web-5, web-6, web-7 start with new, empty claims"},
		{"other ordinals, without claims", probed(web("3", "a:1")), probed(web("3", "a:1", "ordinals: {start: 1}")),
			[]string{"ordinals web"}, "from 0 to 1: web-0 is deleted for good; web-3 starts anew"},
		{"more ordinals below", probed(web("2", "a:1", "ordinals: {start: 1}")), probed(web("3", "a:1")), nil, ""},
		{"no claims", web("3", "a:1"), web("3", "a:1", deleteWith), nil, ""},
		{"gone", web("2", "a:1"), "", []string{"removed web"}, "delete it with its 2 pods; kubectl " +
			"apply deletes nothing. NEW has no StatefulSet at all: check that it was rendered"},
		{"gone, with its volumes", web("2", "a:1", claimTemplates, deleteWith), "", []string{"volumes web"},
			"so are data-web-0, data-web-1 permanently"},
		{"created", "", web("2", "a:1"), []string{"first-installation web"}, "OLD has no StatefulSet, so this plans a first " +
			"installation. If the set exists, check the context and the namespace of kubectl"},
		{"created beside another", named("old", "1", "a:1"), named("old", "1", "a:1") + "---\n" + web("2", "a:1"), nil, ""},
		{"to none", web("2", "a:1"), web("0", "a:1"), []string{"scaled-to-zero web"}, "nothing serves afterwards"},
		{"still none", probed(web("0", "a:1")), probed(web("0", "a:2")), nil, ""},
		{"another service", web("2", "a:1", serving), web("2", "a:1", "serviceName: other"),
			[]string{"refused web", "dns web"}, "web-0.other does not resolve before the pod is created again"},
		{"no service any more", web("2", "a:1", serving), web("2", "a:1", "serviceName: ''"), []string{"refused web", "dns web"},
			`from "web" to "": web-0.web resolves until the pod is created again, and from then on the pod has no name`},
		{"a service at last", web("2", "a:1", "serviceName: ''"), web("2", "a:1", serving), []string{"refused web", "dns web"},
			`from "" to "web": web-0.web does not resolve before the pod is created again`},
		{"another selector", web("2", "a:1"), strings.ReplaceAll(web("2", "a:1"), "{app: web}", "{app: db}"),
			[]string{"refused web", "selector web"}, "spec.selector.matchLabels.app cannot be changed"},
		{"no probe", web("2", "a:1"), web("2", "a:2"), []string{"no-readiness-probe web"}, "at times none of 2 serves"},
		{"no probe, and one pod", web("1", "a:1"), web("1", "a:2"), nil, ""},
		{"a gate", strings.Replace(probed(web("2", "a:1")), "containers:", "readinessGates: [{conditionType: x/y}], containers:", 1),
			strings.Replace(probed(web("2", "a:2")), "containers:", "readinessGates: [{conditionType: x/y}], containers:", 1),
			[]string{"readiness-gate web"}, "until somebody sets their conditions"},
		{"a budget", probed(web("3", "a:1")) + fmt.Sprintf(pdb, "3"), probed(web("3", "a:2")) + fmt.Sprintf(pdb, "3"),
			[]string{"budget web"}, "below PodDisruptionBudget all, which asks for 3 healthy pods of 3 and gets 2"},
		{"a budget that is kept", probed(web("3", "a:1")) + fmt.Sprintf(pdb, "2"), probed(web("3", "a:2")) + fmt.Sprintf(pdb, "2"), nil, ""},
		{"minReadySeconds with it in 1.37", probed(web("5", "a:1", parallel)), probed(web("5", "a:2", parallel, young)),
			[]string{"young-pods web"}, "If the pods have been Ready for less than minReadySeconds when the change comes"},
		{"as many as it may", probed(web("5", "a:1", "updateStrategy: {rollingUpdate: {maxUnavailable: 50%}}")),
			probed(web("5", "a:2", "updateStrategy: {rollingUpdate: {maxUnavailable: 50%}}")), nil, ""},
		{"ordinals that move", probed(web("3", "a:1", parallel)), probed(web("3", "a:1", parallel, "ordinals: {start: 5}")),
			[]string{"ordinals web", "unavailable web"}, "at times none of its pods serves"},
		{"ordinals that move in order", probed(web("3", "a:1")), probed(web("3", "a:1", "ordinals: {start: 5}")), []string{"ordinals web"}, ""},
		{"a dump in the midst of something", dumped(probed(web("5", "a:2")), stuck), probed(web("5", "a:3")),
			[]string{"not-at-rest web"}, "do not trust this plan: in the dump 4 of 5 pods are Ready"},
		{"the hot loop", probed(web("3", "a:1", parallel, typeAlone)), probed(web("3", "a:2", parallel, typeAlone)),
			[]string{"hot-loop web"}, "If web-0 is not Ready when the change comes: the controller keeps writing and never converges"},
		{"young pods", probed(web("3", "a:1", parallel, "minReadySeconds: 20")), probed(web("3", "a:2", parallel, "minReadySeconds: 20")),
			[]string{"young-pods web"}, "At times none of 3 serves"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			plan := plans(t, c.before, c.after, &Options{})
			require.Equal(t, c.traps, traps(plan))
			require.Equal(t, plan.Alarms, plan.Summary.Alarms)
			var said strings.Builder
			for _, a := range plan.Alarms {
				said.WriteString(a.Sentence + "\n")
			}
			require.Contains(t, said.String(), c.says)
			var text, markdown bytes.Buffer
			require.NoError(t, plan.Document().Text(&text, render.Style{Width: 10_000}))
			require.NoError(t, plan.Document().Markdown(&markdown))
			require.Equal(t, len(c.traps), strings.Count(text.String(), "  ALARM "))
			require.Equal(t, len(c.traps) > 0, strings.Contains(markdown.String(), "⚠️ **"))
		})
	}
}

// TestSummary: what a plan does is counted, what matters most comes first, and what rolls at the same time is named.
func TestSummary(t *testing.T) {
	named := func(name, set string) string {
		return strings.Replace(set, "{name: web}", "{name: "+name+"}", 1) + "---\n"
	}
	before := named("a-scales", web("2", "a:1")) + named("b-rolls", probed(web("2", "a:1"))) + named("c-goes", web("2", "a:1")) +
		named("d-same", web("2", "a:1")) + named("e-refused", web("2", "a:1", "serviceName: old")) +
		named("f-loses", web("2", "a:1", claimTemplates, deleteScaled)) + named("g-both", probed(web("2", "a:1")))
	after := named("a-scales", web("3", "a:1")) + named("b-rolls", probed(web("2", "a:2"))) + named("d-same", web("2", "a:1")) +
		named("e-refused", web("2", "a:1", "serviceName: new")) + named("f-loses", web("1", "a:1", claimTemplates, deleteScaled)) +
		named("g-both", probed(web("3", "a:2"))) + named("h-new", web("2", "a:1"))
	plan := plans(t, before, after, &Options{})
	s := plan.Summary
	require.Equal(t, [7]int{7, 1, 2, 3, 1, 1, 1}, [7]int{s.Sets, s.Refused, s.Rolls, s.Scales, s.Creates, s.Removes, s.DeletesVolumes})
	var order []string
	for _, set := range plan.Sets {
		order = append(order, set.Name)
	}
	require.Equal(t, []string{"e-refused", "f-loses", "c-goes", "b-rolls", "g-both", "a-scales", "h-new"}, order)
	require.ElementsMatch(t, []string{"default/a-scales", "default/b-rolls", "default/f-loses", "default/g-both", "default/h-new"}, s.Together)
	require.Equal(t, "7 sets change: 1 is refused, 2 roll, 2 scale up, 1 scales down (default/f-loses from 2 to 1), 1 is created, 1 is not in the new files, 1 deletes volumes", s.headline())
	require.Contains(t, plan.together(), "default/b-rolls (at least 1 of 2 serve)")
	require.Contains(t, plan.together(), "default/h-new (new)")
	require.False(t, plan.Settles)

	both := plan.Sets[4]
	require.Equal(t, []string{"created: g-both-2", "replaced: g-both-1, g-both-0"}, both.Order, "the order played")
	var document bytes.Buffer
	require.NoError(t, render.JSON(&document, plan))
	var read struct {
		Summary struct {
			Sets, DeletesVolumes int
			Together             []string
		}
		Alarms []Alarm
		Sets   []struct{ Order []string }
	}
	require.NoError(t, json.Unmarshal(document.Bytes(), &read))
	require.Equal(t, 7, read.Summary.Sets)
	require.Len(t, read.Alarms, len(plan.Alarms))
	require.Len(t, read.Sets, 7)
}

// TestHeadlines: a plan of one kind of change says so of all its sets at once.
func TestHeadlines(t *testing.T) {
	for want, s := range map[string]Summary{
		"1 set rolls":               {Sets: 1, Rolls: 1},
		"3 sets roll":               {Sets: 3, Rolls: 3},
		"1 set rolls and scales up": {Sets: 1, Rolls: 1, Scales: 1},
		"1 set changes":             {Sets: 1},
		"2 sets change":             {Sets: 2},
		"2 sets change: 1 rolls":    {Sets: 2, Rolls: 1},
		"2 sets are created":        {Sets: 2, Creates: 2},
		"3 sets scale up; of these, 2 delete volumes":    {Sets: 3, Scales: 3, DeletesVolumes: 2},
		"4 sets change: 2 roll, 1 is created":            {Sets: 4, Rolls: 2, Creates: 1},
		"1 set is not in the new files":                  {Sets: 1, Removes: 1},
		"2 sets change: 1 is refused, 1 scales up":       {Sets: 2, Refused: 1, Scales: 1},
		"5 sets change: 2 are refused, 3 roll":           {Sets: 5, Refused: 2, Rolls: 3},
		"2 sets change: 1 is refused, 1 deletes volumes": {Sets: 2, Refused: 1, DeletesVolumes: 1},
	} {
		require.Equal(t, want, s.headline())
	}
}

// TestNothing: a plan says that nothing changes only where nothing does; what pods read without being restarted is
// told.
func TestNothing(t *testing.T) {
	config := func(kind, value string) string {
		return "---\napiVersion: v1\nkind: " + kind + "\nmetadata: {name: conf}\ndata: {a: \"" + value + "\"}\n"
	}
	reads := map[string]string{
		"a volume":  "volumes: [{name: v, %s}], containers:",
		"projected": "volumes: [{name: v, projected: {sources: [{%s}]}}], containers:",
	}
	for _, c := range []struct{ kind, volume, projected, env, from string }{
		{"ConfigMap", "configMap: {name: conf}", "configMap: {name: conf}", "valueFrom: {configMapKeyRef: {name: conf, key: a}}", "configMapRef: {name: conf}"},
		{"Secret", "secret: {secretName: conf}", "secret: {name: conf}", "valueFrom: {secretKeyRef: {name: conf, key: a}}", "secretRef: {name: conf}"},
	} {
		for _, set := range []string{
			strings.Replace(web("2", "a:1"), "containers:", fmt.Sprintf(reads["a volume"], c.volume), 1),
			strings.Replace(web("2", "a:1"), "containers:", fmt.Sprintf(reads["projected"], c.projected), 1),
			strings.Replace(web("2", "a:1"), "{name: app, ", "{name: app, env: [{name: A, "+c.env+"}], ", 1),
			strings.Replace(web("2", "a:1"), "{name: app, ", "{name: app, envFrom: [{"+c.from+"}], ", 1),
			strings.Replace(web("2", "a:1"), "containers:", "initContainers: [{name: i, image: b, envFrom: [{"+c.from+"}]}], containers:", 1),
		} {
			plan := plans(t, set+config(c.kind, "1"), set+config(c.kind, "2"), &Options{})
			require.Empty(t, plan.Sets)
			require.Equal(t, "No StatefulSet changes.", plan.nothing())
			require.Len(t, plan.Notes, 1, set)
			require.Contains(t, plan.Notes[0], "default/web: its pods read "+c.kind+" conf, which changes, but no pod restarts because of that")

			plan = plans(t, set+config(c.kind, "1"), set+config(c.kind, "1"), &Options{})
			require.Equal(t, "Nothing changes.", plan.nothing())
			require.Empty(t, plan.Notes)
			plan = plans(t, set+config(c.kind, "1"), strings.Replace(set, "a:1", "a:2", 1)+config(c.kind, "2"), &Options{})
			require.Empty(t, plan.Notes, "the pods restart anyway")
		}
	}
	plan := plans(t, web("2", "a:1")+config("ConfigMap", "1"), web("2", "a:1"), &Options{})
	require.Equal(t, "No StatefulSet changes.", plan.nothing(), "an object that goes is a change too")
	require.Empty(t, plan.Notes, "nobody reads it")
}

// TestQuotas: a quota that is used up refuses pods, so that it is not called ignored.
func TestQuotas(t *testing.T) {
	quota := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: few}\n"
	plan := plans(t, web("2", "a:1")+quota, web("2", "a:2")+quota, &Options{})
	require.Empty(t, plan.Ignored)
	require.Equal(t, []string{"The ResourceQuota few is not modelled. Assumed: it refuses nothing."},
		plan.Notes)
}

// TestEmptyStreams: the first set of a stream is created, the last one goes, and neither is wrong input.
func TestEmptyStreams(t *testing.T) {
	for _, empty := range []string{"", "---\n", "apiVersion: v1\nkind: List\nitems: []\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"} {
		plan := plans(t, empty, web("2", "a:1"), &Options{})
		require.Equal(t, []string{Creates}, []string{plan.Sets[0].Does})
		require.True(t, plan.Settles && plan.Held)
		plan = plans(t, web("2", "a:1"), empty, &Options{Require: []string{"minReady >= 5"}})
		require.Equal(t, []string{Removes}, []string{plan.Sets[0].Does})
		require.True(t, plan.Settles && plan.Held, "what is deleted by nobody needs nothing")
	}
	_, err := Read(Stream{Name: "old.yaml"}, Stream{Name: "new.yaml"}, strict.Limits{})
	require.EqualError(t, err, "new.yaml: there is no StatefulSet in it\nold.yaml: there is no StatefulSet in it")
	operated := Stream{Name: "kafka.yaml", Data: []byte("apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: k}\n" +
		"---\napiVersion: v1\nkind: Service\nmetadata: {name: k}\n")}
	_, err = Read(operated, operated, strict.Limits{})
	require.ErrorContains(t, err, "kafka.yaml: there is no StatefulSet in it, but Kafka and Service: if an operator creates one, "+
		"pass what kubectl get statefulsets -o yaml prints")
}

// TestChanges: what matters most comes first, labels are folded, and of long values the part that differs is shown.
func TestChanges(t *testing.T) {
	long := strings.Repeat("x", 100)
	before := strings.Replace(web("2", "a:1"), "{name: app, ", "{name: app, command: [\""+long+"-one-"+long+"\"], ", 1)
	after := strings.Replace(web("3", "a:2", "minReadySeconds: 3"), "{name: app, ", "{name: app, command: [\""+long+"-two-"+long+"\"], ", 1)
	after = strings.Replace(after, "labels: {app: web}", "labels: {app: web, l: m}, annotations: {checksum/config: b}", 1)
	after = strings.Replace(after, "metadata: {name: web}", "metadata: {name: web, labels: {chart: x}}", 1)
	lines := diff.Lines(one(t, before, after, &Options{}).Changes)
	require.Equal(t, []string{
		`spec.template.spec.containers[app].image: "a:1" → "a:2"`,
		`spec.replicas: 2 → 3`,
		`spec.minReadySeconds: added, 3`,
		`spec.template.spec.containers[app].command[0]: …` + strings.Repeat("x", 15) + `-one-` + strings.Repeat("x", 15) + `… → …` +
			strings.Repeat("x", 15) + `-two-` + strings.Repeat("x", 15) + `…`,
	}, lines[:4])
	require.Contains(t, lines[4], "labels and annotations (3 fields): ")

	few := diff.Lines(one(t, web("2", "a:1"), strings.Replace(web("2", "a:1"), "metadata: {name: web}", "metadata: {name: web, labels: {c: x}}", 1), &Options{}).Changes)
	require.Equal(t, []string{`metadata.labels: added, {"c":"x"}`}, few)
	many := make([]diff.Change, 20)
	for i := range many {
		many[i] = diff.Change{Path: fmt.Sprintf("spec.x%d", i), Old: 1, New: 2}
	}
	require.Len(t, diff.Lines(many), diff.MostLines+1)
	require.Equal(t, "… and 8 more: spec.x12, spec.x13, spec.x14, spec.x15, spec.x16, spec.x17, spec.x18, spec.x19",
		diff.Lines(many)[diff.MostLines])
}

// TestAnnotationsFromNowhere: the annotations are named, also where there was no map of them before.
func TestAnnotationsFromNowhere(t *testing.T) {
	restarted := strings.Replace(web("2", "a:1"), "labels: {app: web}", "annotations: {kubectl.kubernetes.io/restartedAt: now}, labels: {app: web}", 1)
	s := one(t, web("2", "a:1"), restarted, &Options{})
	require.Contains(t, s.Notes[0], "only an annotation of the template changes (kubectl.kubernetes.io/restartedAt)")
	s = one(t, restarted, web("2", "a:1"), &Options{})
	require.Contains(t, s.Notes[0], "(kubectl.kubernetes.io/restartedAt)")
}

// TestDeletedSet: a set that somebody has deleted, or whose namespace somebody has deleted, is told so once, in the alarm
// and in the headline.
func TestDeletedSet(t *testing.T) {
	const deleted = `, deletionTimestamp: "2026-01-31T11:00:00Z"`
	pods := func(set string) string {
		live := strings.Replace(probed(web("2", "a:1")), "{name: web}", "{name: web, uid: u, generation: 1"+set+"}", 1)
		return live + "status: {observedGeneration: 1, replicas: 2, readyReplicas: 2, currentRevision: a, updateRevision: a}\n"
	}
	const lost, again = "somebody has deleted it: the change is lost with it, so apply it again when the set is gone",
		"its namespace default is being deleted: the change is lost with it, so apply it again when the namespace is gone and created again"
	for _, c := range []struct{ name, live, alarm, headline string }{
		{"the set", pods(deleted + ", finalizers: [foregroundDeletion]"), lost,
			"is being deleted; if it stays, and all its pods exist and are Ready: replaces both pods"},
		{"its namespace", cluster(t, "", applies(probed(web("2", "a:1")))) + "---\napiVersion: v1\nkind: Namespace\n" +
			"metadata: {name: default, uid: n" + deleted + "}\nspec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating}\n",
			again, "changes the template, and the rollout does not start: no pod is replaced"},
	} {
		plan := plans(t, c.live, probed(web("2", "a:2")), &Options{})
		require.Equal(t, c.alarm, plan.Alarms[0].Sentence, c.name)
		require.Contains(t, plan.Sets[0].Headline, c.headline, c.name)
		require.Empty(t, plan.Ignored, c.name)
		require.False(t, plan.Settles, c.name)
	}
}

// TestABudgetOfAllPods: a budget that asks for all pods allows no eviction at any time, which a plan says too.
func TestABudgetOfAllPods(t *testing.T) {
	for needs, says := range map[string]bool{"2": true, "1": false} {
		budget := fmt.Sprintf(pdb, needs)
		plan := plans(t, probed(web("2", "a:1"))+budget, probed(web("2", "a:2"))+budget, &Options{})
		require.Equal(t, says, strings.Contains(plan.Sets[0].Budgets[0].String(), "the budget allows no eviction either"), needs)
	}
}

// TestOldAlarms: an alarm about a setting that OLD has too says so, and comes after those that the change brings. It
// is a new one if the change brings another of its kind.
func TestOldAlarms(t *testing.T) {
	loops := func(image string) string { return probed(web("3", image, parallel, typeAlone)) }
	gated := func(image, gates string) string {
		return strings.Replace(probed(web("2", image)), "containers:", "readinessGates: ["+gates+"], containers:", 1)
	}
	beside := func(image string) string {
		return strings.Replace(web("2", image), "containers: [", "containers: [{name: side, image: s}, ", 1)
	}
	scaler := func(name string) string {
		return "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: " + name + "}\n" +
			"spec: {scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}}\n"
	}
	const gate, other = "{conditionType: x/y}", "{conditionType: x/z}"
	set := func(image string, fields ...string) string { return probed(web("2", image, fields...)) }
	for _, c := range []struct{ name, before, after, alarms string }{
		{"a trap", loops("a:1"), loops("a:2"), "old hot-loop"},
		{"a trap that comes", set("a:1", claimTemplates), set("a:1", claimTemplates, deleteScaled), "scale-down-taken-back, volumes-later"},
		{"a trap that stays", set("a:1", claimTemplates, deleteScaled), set("a:2", claimTemplates, deleteScaled),
			"old scale-down-taken-back, old claims-lost"},
		{"a trap, and the probe goes", loops("a:1"), web("3", "a:2", parallel, typeAlone), "no-readiness-probe, old hot-loop"},
		{"no probe", web("2", "a:1"), web("2", "a:2"), "old no-readiness-probe"},
		{"no probe, and a container more", web("2", "a:1"), beside("a:1"), "no-readiness-probe"},
		{"no probe, and a container less", beside("a:1"), web("2", "a:1"), "old no-readiness-probe"},
		{"a gate", gated("a:1", gate), gated("a:2", gate), "old readiness-gate"},
		{"a gate more", gated("a:1", gate), gated("a:2", gate+", "+other), "readiness-gate"},
		{"an autoscaler", set("a:1") + scaler("h"), set("a:2") + scaler("h"), "old autoscaler"},
		{"another autoscaler", set("a:1") + scaler("h"), set("a:2") + scaler("i"), "autoscaler, old autoscaler"},
		{"replicas beside it", strings.Replace(set("a:1"), "  replicas: 2\n", "", 1) + scaler("h"), strings.Replace(set("a:2"),
			"replicas: 2", "replicas: 1", 1) + scaler("h"), "autoscaler"},
		{"the first installation", "", web("2", "a:1"), "first-installation"},
	} {
		var got []string
		plan := plans(t, c.before, c.after, &Options{Require: []string{"newAlarms == 0"}})
		fresh := 0
		for _, a := range plan.Alarms {
			if a.Before {
				got = append(got, "old "+a.Trap)
				continue
			}
			got, fresh = append(got, a.Trap), fresh+1
		}
		require.Equal(t, c.alarms, strings.Join(got, ", "), c.name)
		require.Equal(t, fresh == 0, plan.Held, c.name)
		var text strings.Builder
		require.NoError(t, plan.Document().Text(&text, render.Style{Width: 10_000}))
		require.Equal(t, len(got)-fresh, strings.Count(text.String(), "OLD has this already."), c.name)
	}
	plan := plans(t, set("a:1"), set("a:1")+scaler("h"), &Options{})
	require.Contains(t, strings.Join(plan.Notes, " "), "default/web: the HorizontalPodAutoscaler h, which OLD does not have")
	plan = plans(t, set("a:1")+scaler("h"), set("a:1")+scaler("h"), &Options{})
	require.NotContains(t, strings.Join(plan.Notes, " "), "HorizontalPodAutoscaler")
}

// TestAlarmsOfSeveral: one set's alarm does not hide that another is not at rest for another reason.
func TestAlarmsOfSeveral(t *testing.T) {
	doc := Plan{Sets: []*Set{
		{Name: "aa1", alarms: []Alarm{{Set: "aa1", Trap: alarm.TrapNotAtRest, Sentence: "it waits: for aa1-0"}}},
		{Name: "bb1", alarms: []Alarm{{Set: "bb1", Trap: alarm.TrapNotAtRest, Sentence: "it waits: for bb1-0"}}},
		{Name: "cc1", alarms: []Alarm{{Set: "cc1", Trap: alarm.TrapNotAtRest, Sentence: "somebody has deleted it: it is lost"}}},
	}}
	require.Len(t, doc.alarms(), 2)
}
