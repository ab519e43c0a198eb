package scenarios_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// themes are the folders of the library, in the order of the index, each with what it asks of a reader: see the preface.
var themes = []struct {
	folder, about string
	level         int
}{
	{"learn", "A course for readers who know what a pod is. Each scenario has a lesson: a question to answer before, and the " +
		"answer for after. `sim learn` goes through it step by step.", 1},
	{"scale", "Scaling under OrderedReady, the default policy: one pod at a time, and what holds it up.", 1},
	{"rolling-update", "The rolling update, and what happens when something comes in between.", 1},
	{"partition", "Updating only the upper part of a set: canaries and staged rollouts.", 1},
	{"on-delete", "Updating by deleting pods by hand.", 1},
	{"parallel", "The policy Parallel. Two files `…-ordered` and `…-parallel` differ only in the policy.", 1},
	{"max-unavailable", "More than one pod at a time, and what uses the budget up.", 2},
	{"min-ready", "minReadySeconds: Ready is not yet available.", 1},
	{"rollback", "Going back to an older template.", 1},
	{"stuck", "Rollouts that never end, and what fixes them.", 2},
	{"failed-pods", "Pods in phase Failed, which are always recreated.", 2},
	{"ordinals", "Sets whose ordinals do not begin at 0.", 2},
	{"history", "ControllerRevisions: their limit, their numbers, and what an undo finds.", 2},
	{"containers", "Containers that crash, wait for their restart, cannot be pulled, are killed; init containers and sidecars.", 2},
	{"probes", "Times that come from the probes of a manifest.", 2},
	{"quorum", "Readiness that depends on the other pods.", 3},
	{"faults", "Writes that fail, answers that are lost, and other things that go wrong at a chosen moment.", 3},
	{"machinery", "API and watch latency, workers, the work queue, retries and resync: everything around the algorithm.", 3},
	{"identity", "What of a pod stays when it is replaced, and what does not.", 2},
	{"dns", "Services, and when the DNS of the cluster answers for which names.", 2},
	{"versions", "What one version of Kubernetes does and another does not. Many files of other themes have a version in their " +
		"name for the same reason.", 2},
	{"manifests", "Whole manifests, with Services, claims and budgets, applied and changed as kubectl does it.", 3},
	{"refusals", "What the API server refuses, in the words of the version.", 2},
	{"statefulset-life", "Pods and sets that are deleted, hang, or lose their readiness.", 2},
	{"nodes", "Nodes that go down and come back, and processes that outlive their pods.", 3},
	{"drain", "Evictions, drains, and PodDisruptionBudgets.", 3},
	{"owners", "Who owns a pod: adoption, release, and names that are taken.", 3},
	{"deletion", "What a deletion leaves to the garbage collector, and when the collector acts.", 3},
	{"claims", "Volume claims: how pods wait for them, what outlives what, and what a deletion does to them.", 2},
	{"timings", "Times that are drawn from a distribution. The seed decides, so every run of a file is the same.", 3},
	{"several-sets", "Several sets in one run.", 2},
	{"gates", "When the deploy tool says done, and whether it is true then.", 2},
	{"questions", "Questions that users have asked in public, by their number, and the answer.", 3},
}

const preface = `# The library of scenarios

Play one with ` + "`sim run scenarios/THEME/NAME.yaml`" + `, all of them with ` + "`sim test scenarios/`" + `.
Next to each file is its whole timeline, as ` + "`sim run`" + ` prints it. Unless a file says otherwise, a pod is Running
1 s after it is created, Ready 2 s after that, and gone 2 s after it is deleted.

Each theme begins with the lanes of its first run as a small picture: full is Ready, pale is on its way, red is broken,
and each revision has a colour of its own. ` + "`sim test --html DIR scenarios/`" + ` writes a page for each scenario, and an
index with such a picture of each run and a filter.

Each theme has a level, for a class. Level 1 is for readers who know what a pod is, and have done the lesson of that
name. Level 2 adds one part of Kubernetes more: revisions, claims, probes, DNS. In level 3 several parts act on each
other: nodes, budgets, quorums, the machinery of the controller.

` + "`go test ./scenarios -update`" + ` generates this index, the pictures and the timelines.
`

// TestIndex compares the index with what the library holds. A theme that it does not know is a failure.
func TestIndex(t *testing.T) {
	byTheme := map[string][]*entry{}
	for _, e := range all(t) {
		byTheme[path.Dir(e.file)] = append(byTheme[path.Dir(e.file)], e)
	}
	require.Len(t, byTheme, len(themes))
	var index strings.Builder
	index.WriteString(preface)
	contents := map[int][]string{}
	for _, theme := range themes {
		contents[theme.level] = append(contents[theme.level], fmt.Sprintf("[%s](#%[1]s)", theme.folder))
	}
	index.WriteString("\n")
	for level := 1; level <= len(contents); level++ {
		fmt.Fprintf(&index, "* Level %d: %s\n", level, strings.Join(contents[level], " · "))
	}
	for _, theme := range themes {
		require.NotEmpty(t, byTheme[theme.folder], "the theme %s has no scenario", theme.folder)
		fmt.Fprintf(&index, "\n## %s\n\n%sLevel %d. %s\n\n", theme.folder, shown(byTheme[theme.folder]), theme.level,
			theme.about)
		for _, e := range byTheme[theme.folder] {
			page := ""
			if _, err := fs.Stat(scenarios.FS, e.name+".md"); err == nil {
				page = "[lesson](" + e.name + ".md), "
			}
			about := sentences(e.scenario.Description)[0]
			fmt.Fprintf(&index, "* [%s](%s) (%s[timeline](%s.txt), %s): %s\n",
				path.Base(e.name), e.file, page, e.name, e.scenario.Kubernetes, about)
		}
	}
	goldenfile.Equal(t, "README.md", index.String())
}

// thumbnail is the run as a small picture, or "" where it has no pods.
func (e *entry) thumbnail() string {
	return html.ThumbnailSVG(&report.Run{Name: e.name, Events: e.outcome.Timeline})
}

// shown is the picture of a theme in the index, of the first of its runs that has one, or "".
func shown(of []*entry) string {
	for _, e := range of {
		if e.thumbnail() != "" {
			return fmt.Sprintf("<img src=\"%s.svg\" width=\"132\" height=\"44\" alt=\"\">\n", e.name)
		}
	}
	return ""
}

// TestThumbnails: the picture of each run is small, since a page shows hundreds of them. The repository has those that
// the index shows, and no others.
func TestThumbnails(t *testing.T) {
	index, err := os.ReadFile("README.md")
	require.NoError(t, err)
	want := 0
	for _, e := range all(t) {
		file, picture := e.name+".svg", e.thumbnail()
		require.Less(t, len(picture), 3<<10, file)
		if strings.Contains(string(index), `src="`+file+`"`) {
			goldenfile.Equal(t, file, picture)
			want++
		}
	}
	found, err := fs.Glob(os.DirFS("."), "*/*.svg")
	require.NoError(t, err)
	require.Len(t, found, want, "a picture that the index does not show")
}

// sentences splits a text after full stops, question marks and exclamation marks that are not within quotes or brackets. A
// bracket belongs to the sentence before it.
func sentences(text string) []string {
	var list []string
	from, depth, quoted := 0, 0, false
	for i, r := range text {
		switch r {
		case '"':
			quoted = !quoted
		case '(':
			depth++
		case ')':
			depth--
		case ' ', '\n':
			if !quoted && depth == 0 && ends(text[from:i]) && !strings.HasPrefix(text[i+1:], "(") {
				list = append(list, text[from:i])
				from = i + 1
			}
		}
	}
	return append(list, text[from:])
}

// ends says whether a text ends as a sentence does.
func ends(text string) bool {
	text = strings.TrimRight(text, `")`)
	return text != "" && strings.ContainsAny(text[len(text)-1:], ".?!")
}

func TestSentences(t *testing.T) {
	require.Equal(t, []string{`"Does it stop? When?" (issue 1, open.)`, "It does not, on 1.36.", "Why?", "See above (a. b) here"},
		sentences(`"Does it stop? When?" (issue 1, open.) It does not, on 1.36. Why? See above (a. b) here`))
}
