package scenarios_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
	render1 "github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// entry is a scenario of the library, loaded and played.
type entry struct {
	// file is its path in the library, name that path without the extension.
	file, name string
	source     string
	scenario   *scenario.Scenario
	outcome    *scenario.Outcome
	// forms are the run in every format of a report, by the format's name.
	forms map[string]string
}

// library loads and plays every scenario of the library, on one processor.
var library = sync.OnceValues(func() ([]*entry, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	files, err := fs.Glob(scenarios.FS, "*/*.yaml")
	if err != nil {
		return nil, err
	}
	var entries []*entry
	for _, file := range files {
		e, err := load(file)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
})

func all(t *testing.T) []*entry {
	t.Helper()
	entries, err := library()
	require.NoError(t, err)
	require.Greater(t, len(entries), 150)
	return entries
}

func load(file string) (*entry, error) {
	data, err := fs.ReadFile(scenarios.FS, file)
	if err != nil {
		return nil, err
	}
	theme, err := fs.Sub(scenarios.FS, path.Dir(file))
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(path.Base(file), data, theme, scenario.Options{})
	if err != nil {
		return nil, err
	}
	e := &entry{file: file, name: strings.TrimSuffix(file, ".yaml"), source: string(data), scenario: s}
	e.outcome = s.Run(scenario.RunOptions{})
	e.forms, err = render(s, e.outcome)
	return e, err
}

// formats are all forms in which a run can be printed.
var formats = map[string]func(io.Writer, *report.Run) error{
	"text": func(w io.Writer, run *report.Run) error { return report.Text(w, run, render1.Style{}) },
	"color": func(w io.Writer, run *report.Run) error {
		return report.Text(w, run, render1.Style{Color: true, Width: 60})
	},
	"table":    func(w io.Writer, run *report.Run) error { return report.Table(w, run, render1.Style{}) },
	"json":     report.JSON,
	"jsonl":    report.JSONLines,
	"watch":    report.Watch,
	"markdown": report.Markdown,
	"junit": func(w io.Writer, run *report.Run) error {
		return report.JUnit(w, []report.Test{report.NewTest(run, true)})
	},
}

func render(s *scenario.Scenario, outcome *scenario.Outcome) (map[string]string, error) {
	run := &report.Run{Name: s.Name, Description: s.Description, Events: outcome.Timeline, Expectations: judged(outcome.Verdicts)}
	forms := map[string]string{}
	for name, write := range formats {
		var out bytes.Buffer
		if err := write(&out, run); err != nil {
			return nil, err
		}
		forms[name] = out.String()
	}
	return forms, nil
}

func judged(verdicts []expect.Verdict) []report.Expectation {
	var list []report.Expectation
	words := map[expect.Outcome]report.Verdict{expect.Held: report.Held, expect.Failed: report.Failed, expect.Skipped: report.Skipped}
	for i := range verdicts {
		v := &verdicts[i]
		list = append(list, report.Expectation{Verdict: words[v.Outcome], Text: v.Text, Detail: v.Detail, Around: v.Around,
			Expected: v.Expected, Got: v.Got, Position: v.Position(), Instants: v.Instants})
	}
	return list
}

// aboutWarnings are the scenarios whose subject a warning is, and what it says.
var aboutWarnings = map[string]string{
	"history/undo-that-is-skipped":         "skipped rollback",
	"rolling-update/a-pipeline-that-waits": "step 5 was not played: kubectl rollout status statefulset/web --timeout=5m0s",
	"versions/hot-loop-and-its-remedy":     "the controller kept writing and did not converge",
}

// TestExpectations holds every scenario to what it expects. One that skips an expectation says nothing about its own
// version, and one with a warning does not do what its author meant, unless it warns of two processes of one identity.
func TestExpectations(t *testing.T) {
	for _, e := range all(t) {
		t.Run(e.name, func(t *testing.T) {
			for _, v := range e.outcome.Verdicts {
				require.Equal(t, expect.Held, v.Outcome, "%s: %s\n%s\n%s", v.Position(), v.Text, v.Detail, strings.Join(v.Around, "\n"))
				require.Empty(t, v.Detail, "%s: %s", v.Position(), v.Text)
			}
			require.True(t, e.outcome.Held(), "the run ended with the verdict %s", e.outcome.Result.Verdict)
			require.NotEmpty(t, e.scenario.Expectations)
			if want := aboutWarnings[e.name]; want != "" {
				require.Len(t, e.outcome.Result.Warnings, 1)
				require.Contains(t, e.outcome.Result.Warnings[0], want)
				return
			}
			for _, warning := range e.outcome.Result.Warnings {
				require.True(t, strings.HasPrefix(warning, sim.TwinWarning), warning)
			}
		})
	}
}

// TestTimelines compares the story of each scenario with the one beside its file.
func TestTimelines(t *testing.T) {
	want := map[string]bool{}
	for _, e := range all(t) {
		want[e.name+".txt"] = true
		t.Run(e.name, func(t *testing.T) { goldenfile.Equal(t, e.name+".txt", story(e)) })
	}
	found, err := fs.Glob(os.DirFS("."), "*/*.txt")
	require.NoError(t, err)
	for _, file := range found {
		require.True(t, want[file], "%s belongs to no scenario", file)
	}
}

// story is the text of a run without the release that played it, which would change every file with every release.
func story(e *entry) string { return strings.Replace(e.forms["text"], ", sim \n", "\n", 1) }

// TestSameBytes plays every scenario a second time, on four processors, and compares all formats byte by byte.
func TestSameBytes(t *testing.T) {
	first := all(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, e := range first {
		again, err := load(e.file)
		require.NoError(t, err)
		require.Equal(t, timeline.Digest(e.outcome.Timeline), timeline.Digest(again.outcome.Timeline), e.name)
		for name := range formats {
			require.True(t, e.forms[name] == again.forms[name], "%s differs from run to run as %s", e.name, name)
		}
	}
}

// unreached are the codes that no scenario of the library reaches, and why.
var unreached = map[model.Code]string{
	model.CodeRepairStorage: "the API server refuses to change the volumes of a pod",
	model.WaitingForPodGone: "a Failed pod is gone in the instant in which it is deleted",
	model.NothingToDo:       "nothing is said where there is nothing to do",
}

// TestCodes makes sure that every reason the controller can have is shown by some scenario.
func TestCodes(t *testing.T) {
	reached := map[model.Code]bool{}
	for _, e := range all(t) {
		for i := range e.outcome.Timeline {
			event := &e.outcome.Timeline[i]
			reached[event.Why.Code], reached[model.Code(event.Reason)] = true, true
		}
		for _, stuck := range e.outcome.Result.Stuck {
			reached[stuck.Why.Code] = true
		}
	}
	for _, code := range model.Codes {
		why, listed := unreached[code]
		assert.False(t, listed && reached[code], "%s is reached: take it off the list (%s)", code, why)
		assert.True(t, listed || reached[code], "no scenario reaches %s", code)
	}
}

// passing are the codes of waits for which no set is ever stuck, and why.
var passing = map[model.Code]string{
	model.WaitingForAvailable: "a pod that stays Ready becomes available",
	model.WaitingForPodGone:   "a Failed pod is gone in the instant in which it is deleted",
	model.StaleCache:          "every watch delivers or is listed anew in the end",
}

// TestStuckReasons makes sure that every reason for which a set can be stuck is that of a scenario that ends so.
func TestStuckReasons(t *testing.T) {
	stuck := map[model.Code]bool{}
	for _, e := range all(t) {
		for _, s := range e.outcome.Result.Stuck {
			stuck[s.Why.Code] = true
		}
	}
	for _, code := range model.Codes[slices.Index(model.Codes, model.WaitingForReady):] {
		if code.Resting() {
			assert.False(t, stuck[code], "a set comes to rest for %s", code)
			continue
		}
		why, listed := passing[code]
		assert.False(t, listed && stuck[code], "a set is stuck for %s: take it off the list (%s)", code, why)
		assert.True(t, listed || stuck[code], "no scenario ends stuck for %s", code)
	}
}

// versioned matches a name that ends with a version.
var versioned = regexp.MustCompile(`-(1\.\d+(\.\d+)?)$`)

// TestForm holds what is the same in all files: the name is the path, the version is given, and the description is long
// enough to learn from and short enough to be read.
func TestForm(t *testing.T) {
	for _, e := range all(t) {
		t.Run(e.name, func(t *testing.T) {
			require.Equal(t, e.name, e.scenario.Name, "the name is THEME/FILE")
			require.True(t, strings.HasPrefix(e.source, "name: "), "the name comes first")
			require.Contains(t, e.source, "\nkubernetes: \"", "the version is given")
			if version := versioned.FindStringSubmatch(e.name); version != nil {
				require.Equal(t, version[1], e.scenario.Kubernetes, "the version in the name is the file's")
			}
			require.GreaterOrEqual(t, len(sentences(e.scenario.Description)), 2, "the description has at least two sentences")
			require.GreaterOrEqual(t, len(e.scenario.Description), 150, "the description explains")
			require.LessOrEqual(t, len(e.scenario.Description), 600, "the description is read")
			for line := range strings.Lines(e.source) {
				require.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 120, line)
			}
		})
	}
}

// TestPairs makes sure that the pairs of the theme parallel differ in nothing but the policy.
func TestPairs(t *testing.T) {
	const ordered, parallel = "-ordered", "-parallel"
	byName := map[string]*entry{}
	var names []string
	for _, e := range all(t) {
		byName[e.name] = e
		if strings.HasPrefix(e.name, "parallel/") && strings.HasSuffix(e.name, ordered) {
			names = append(names, strings.TrimSuffix(e.name, ordered))
		}
	}
	require.GreaterOrEqual(t, len(names), 4)
	for _, name := range names {
		require.Contains(t, byName, name+parallel)
		swapped := strings.ReplaceAll(world(byName[name+ordered]), "OrderedReady", "Parallel")
		require.Equal(t, world(byName[name+parallel]), swapped, name)
	}
}

// world is what a file says between its description and its expectations.
func world(e *entry) string {
	_, after, _ := strings.Cut(e.source, "\nkubernetes:")
	before, _, _ := strings.Cut(after, "\nexpect:")
	return before
}

// TestManifests makes sure that every file below a theme's folder is used by a scenario.
func TestManifests(t *testing.T) {
	var used []string
	for _, e := range all(t) {
		used = append(used, e.source)
	}
	files, err := fs.Glob(scenarios.FS, "*/*/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		_, inTheme, _ := strings.Cut(file, "/")
		require.True(t, slices.ContainsFunc(used, func(source string) bool { return strings.Contains(source, " "+inTheme+"\n") }),
			"no scenario uses %s", file)
	}
}
