package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	require.Contains(t, text, "    on 1.36, ")
	require.Contains(t, text, "    on 1.35: as on 1.36\n")
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
	require.Equal(t, "labels and annotations (3 fields): chart (2 times), sum", limited(s.Changes)[1])
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

// TestMarkdownReadsAsSentences: a question is followed by a colon, and so is the name of a set.
func TestMarkdownReadsAsSentences(t *testing.T) {
	text := markdownOf(t, plans(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{}))
	require.Contains(t, text, "### ✅ `default/web`: replaces all 3 pods, one at a time")
	require.Contains(t, text, "**What if the new revision never becomes Ready:** the change gets stuck")
	both := web("2", "a:1") + "\n---\n" + named("other", "1", "a:1")
	text = markdownOf(t, plans(t, both, strings.ReplaceAll(strings.ReplaceAll(both, "replicas: 2", "replicas: 3"), "replicas: 1",
		"replicas: 2"), &Options{}))
	require.Contains(t, text, "<summary>The times</summary>")
}
