package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestHelmAppliesWhatIsOfHelm: the way around a refusal does not go past Helm with kubectl apply.
func TestHelmAppliesWhatIsOfHelm(t *testing.T) {
	of := func(service, labels string) string {
		return strings.Replace(web("2", "a:1", "serviceName: "+service), "{name: web}", "{name: web, labels: {"+labels+"}}", 1)
	}
	inTemplate := func(service string) string {
		return strings.Replace(web("2", "a:1", "serviceName: "+service), "labels: {app: web}}", "labels: {app: web, "+
			"helm.sh/chart: web-1}}", 1)
	}
	require.Contains(t, one(t, inTemplate("web"), inTemplate("other"), &Options{}).Refusal.Commands[1], "helm -n default upgrade")
	for labels, command := range map[string]string{
		"app.kubernetes.io/managed-by: Helm, app.kubernetes.io/instance: shop": "helm -n default upgrade shop CHART  " +
			"# as you always do",
		"helm.sh/chart: web-1": "helm -n default upgrade RELEASE CHART  # as you always do",
		"a: b":                 "kubectl -n default apply -f new.yaml",
	} {
		s := one(t, of("web", labels), of("other", labels), &Options{})
		require.Equal(t, command, s.Refusal.Commands[1])
	}
}

// TestVersionsThatAreAlike: a version that is as another one is named, and its differences are not told again.
func TestVersionsThatAreAlike(t *testing.T) {
	loops := [2]string{probed(web("3", "a:1", parallel, typeAlone)), probed(web("3", "a:2", parallel, typeAlone))}
	text := textOf(t, plans(t, loops[0], loops[1], &Options{Profiles: profiles(t, "1.37", "1.36", "1.35")}))
	require.Contains(t, text, "    - on 1.36, ")
	require.Contains(t, text, "    - on 1.35: as on 1.36\n")
	require.NotContains(t, text, "on 1.35, ")
	text = textOf(t, plans(t, probed(web("3", "a:1")), probed(web("3", "a:2")),
		&Options{Profiles: profiles(t, "1.37", "1.37")}))
	require.Contains(t, text, "the plan is the same as on 1.37.")
}

// TestLabelsAreCounted: labels and annotations that change in several places are named once, with how often.
func TestLabelsAreCounted(t *testing.T) {
	change := func(of string) string {
		set := strings.Replace(web("2", "a:"+of), "{name: web}", "{name: web, labels: {chart: v"+of+"}}", 1)
		return strings.Replace(set, "labels: {app: web}}", "labels: {app: web, chart: v"+of+"}, annotations: {sum: v"+of+"}}", 1)
	}
	s := one(t, change("1"), change("2"), &Options{})
	require.Equal(t, "labels and annotations (3 fields): chart (twice), sum", diff.Lines(s.Changes)[1])
	s = one(t, change("1"), strings.Replace(change("2"), "a:2", "a:1", 1), &Options{})
	require.Contains(t, s.Notes, "only labels or annotations of the template change: the pods restart all the same, with the "+
		"same images")
}

// TestRemovedSetIsToldOnce: the alarm of a set that is not in the new files says all that there is to say.
func TestRemovedSetIsToldOnce(t *testing.T) {
	both := web("2", "a:1") + "\n---\n" + named("other", "1", "a:1")
	text := textOf(t, plans(t, both, named("other", "1", "a:1"), &Options{}))
	require.Equal(t, 1, strings.Count(text, "default/web"))
}

// TestMarkdownReadsAsSentences: an answer begins a sentence, and the name of a set is followed by a colon.
func TestMarkdownReadsAsSentences(t *testing.T) {
	text := markdownOf(t, plans(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{}))
	require.Contains(t, text, "### ✅ default/web: replaces all 3 pods, one at a time")
	require.Contains(t, text, "**broken** the new revision never becomes Ready. The change gets stuck")
	both := web("2", "a:1") + "\n---\n" + named("other", "1", "a:1")
	text = markdownOf(t, plans(t, both, strings.ReplaceAll(strings.ReplaceAll(both, "replicas: 2", "replicas: 3"), "replicas: 1",
		"replicas: 2"), &Options{}))
	require.Contains(t, text, "<summary>Times</summary>")
}

// TestCrashesMeet: pods that nothing but a crash takes down are all down at once sooner or later, even where they take
// turns in the run, since each takes minutes to stop. Pods below the partition do not crash.
func TestCrashesMeet(t *testing.T) {
	slow := func(image, partition string) string {
		return strings.Replace(web("3", image, parallel, partition), "spec: {containers", "spec: {terminationGracePeriodSeconds: 300, containers", 1)
	}
	for partition, fewest := range map[string]int{"": 0, "updateStrategy: {rollingUpdate: {partition: 1}}": 1} {
		c := caseOf(t, one(t, slow("a:1", partition), slow("a:2", partition), &Options{}), "broken")
		require.Equal(t, fewest, c.Fewest)
		require.Contains(t, c.Answer, render.Capital(render.Serve(fewest, 3)))
	}
}

// TestNoNodeTakesIt: a change that waits for a pod without a node is told with what the scheduler says about the nodes.
// What is beside the pod on them is not known.
func TestNoNodeTakesIt(t *testing.T) {
	asks := func(cpu string) string {
		return strings.Replace(web("3", "a:1"), "{name: app, ", "{name: app, resources: {requests: {cpu: '"+cpu+"'}}, ", 1)
	}
	nodes := "nodes: [{name: a, allocatable: {cpu: '4'}}, {name: b, allocatable: {cpu: '4'}}, {name: c, allocatable: {cpu: '4'}}]\n"
	before := cluster(t, "", applies(asks("2"))+nodes)
	plan := plans(t, before, asks("5"), &Options{})
	require.Equal(t, stuckOn+". No node takes web-2: 0/3 nodes are available: 3 Insufficient cpu", plan.Sets[0].Ends)
	require.Contains(t, plan.NotModelled, "the room that other pods take on the nodes")
	require.NotContains(t, plan.NotModelled, "node capacity")
}

// TestPodsThatCannotBeCreated: no set whose pods the API server refuses has a pod, so none could restart, and such a
// set is not at rest. Of a long list of errors the first ones are shown.
func TestPodsThatCannotBeCreated(t *testing.T) {
	var volumes []string
	for _, name := range []string{"a.a", "b.b", "c.c", "d.d", "e.e", "f.f"} {
		volumes = append(volumes, "{name: "+name+", emptyDir: {}}")
	}
	wrong := func(sum string) string {
		return strings.Replace(web("3", "a:1"), "{metadata: {labels: {app: web}}, spec: {", "{metadata: {labels: {app: web}, "+
			"annotations: {sum: "+sum+"}}, spec: {volumes: ["+strings.Join(volumes, ", ")+"], ", 1)
	}
	plan := plans(t, wrong("one"), wrong("two"), &Options{})
	s := plan.Sets[0]
	require.Equal(t, "none of its pods can be created: spec.volumes[0].name: Invalid value: \"a.a\": must not contain dots (and "+
		"5 more errors)", s.Shows)
	require.Equal(t, []string{"only an annotation of the template changes (sum): there is no pod that could restart"}, s.Notes)
	require.Contains(t, plan.NotModelled, "Assumes that all other sets are at rest")
	require.Less(t, len(s.Ends), 2*run.LongestMessage)
	require.True(t, strings.HasSuffix(s.Ends, "…"), s.Ends)
}

// TestFixThatHopes: a fix says that it takes for granted that a template works, where no pod shows that.
func TestFixThatHopes(t *testing.T) {
	three := probed(web("3", "a:1"))
	before := later(cluster(t, `rules: [{match: {image: "a:bad"}, ready: never}]`, applies(three)+"- setImage: {statefulset: web, image: \"a:bad\"}\n"))
	const hopes = "the template of the new pods works: no pod with it is Ready in the dump"
	for image, needs := range map[string]string{"a:3": hopes, "a:1": ""} {
		s := one(t, before, strings.ReplaceAll(changed(t, []byte(before), "", ""), "a:bad", image), &Options{})
		require.Equal(t, needs, s.Fix.Needs, image)
	}
}

// TestNoListIsNull: a program finds a list in the JSON wherever there may be one, be the set refused, stuck or
// untouched.
func TestNoListIsNull(t *testing.T) {
	three := probed(web("3", "a:1"))
	stuck := cluster(t, `rules: [{match: {image: "a:bad"}, ready: never}]`, applies(three)+"- setImage: {statefulset: web, image: \"a:bad\"}\n")
	for name, plan := range map[string]*Plan{
		"refused":   plans(t, three, three+"  "+parallel+"\n", &Options{}),
		"stuck":     plans(t, stuck, strings.ReplaceAll(changed(t, []byte(stuck), "", ""), "a:bad", "a:3"), &Options{}),
		"unchanged": plans(t, stuck, changed(t, []byte(stuck), "", ""), &Options{}),
		"labels":    plans(t, three, strings.Replace(three, "{name: web}", "{name: web, labels: {a: b}}", 1), &Options{}),
	} {
		var document strings.Builder
		require.NoError(t, render.JSON(&document, plan))
		require.NotContains(t, document.String(), ": null", name)
	}
}

// TestUndoneChange: a change that is undone does not complete, its undo does.
func TestUndoneChange(t *testing.T) {
	waits := probed(web("3", "a:1", "minReadySeconds: 30"))
	again := caseOf(t, one(t, waits, strings.Replace(waits, "a:1", "a:2", 1), &Options{}), "again")
	require.Equal(t, "the undo completes. At least 2 of 3 serve", again.Answer)
}

// TestRefusalInFull: of a long refusal the middle is left out, and what is wrong stands at its end.
func TestRefusalInFull(t *testing.T) {
	claims := func(size string) string {
		return web("2", "a:1", "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], "+
			"resources: {requests: {storage: "+size+"}}}}]")
	}
	var text strings.Builder
	plan := plans(t, claims("1Gi"), claims("2Gi"), &Options{})
	require.NoError(t, plan.Document().Text(&text, render.Style{Width: 1000}))
	require.Contains(t, text.String(), "spec.volumeClaimTemplates: Invalid value: ")
	require.Contains(t, text.String(), " … ")
	require.Contains(t, text.String(), ": field is immutable\n")
	require.Contains(t, plan.NotModelled, "Where a file names no namespace, default is assumed: -n names another.")
	in := strings.NewReplacer("{name: web}", "{name: web, namespace: shop}")
	require.NotContains(t, plans(t, in.Replace(claims("1Gi")), claims("2Gi"), &Options{}).NotModelled, "default is assumed")
}
