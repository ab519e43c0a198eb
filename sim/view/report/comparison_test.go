package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// cause is a difference that the samples part by.
var cause = Cause{
	Name: "stricter", Sentence: "A pod that is not Ready holds everything up.", On: true,
	Links: []string{"https://github.com/kubernetes/kubernetes/pull/1", "https://github.com/kubernetes/enhancements/issues/2"},
}

// comparisonSample is one scenario on three versions, of which two behave alike and one comes off badly.
func comparisonSample() *Comparison {
	good, bad := canaryRun(), stuckRun()
	bad.Repeat = "sim run --kubernetes 1.37 sample.yaml"
	c := &Comparison{
		Name: "a sample", Description: "one scenario on three versions", File: "sample.yaml",
		Versions: []VersionRun{
			{Version: "1.34", Run: good, OK: true}, {Version: "1.36", Run: good, OK: true}, {Version: "1.37", Run: bad},
		},
	}
	runs := [][]timeline.Event{good.Events, good.Events, bad.Events}
	c.Groups = versus.Groups(runs)
	c.Partings = []Parting{{
		Names: [2]string{"1.34", "1.37"}, Parting: versus.Find(good.Events, bad.Events), Causes: []Cause{cause},
	}}
	return c
}

func tableSample() *VersionTable {
	return &VersionTable{
		Versions: []string{"1.34", "1.36", "1.37"}, Default: "1.36",
		PreReleases: []PreRelease{{Version: "1.37", Proven: "v1.37.0-beta.0"}},
		Differences: []DifferenceRow{
			{Name: "stricter", Sentence: cause.Sentence, Where: "1.35.0 to 1.35.3, from 1.37", Links: cause.Links},
			{Name: "by-gate", Sentence: "Something is obeyed.", Where: ""},
		},
		Gates: []GateRow{{Name: "Gate", States: []GateState{
			{Versions: "1.34", State: GateUnknown}, {Versions: "1.36", State: "off"}, {Versions: "from 1.37", State: "locked on"},
		}}},
	}
}

func changesSample() *VersionChanges {
	return &VersionChanges{
		From: "1.36", To: "1.37", PreReleases: []PreRelease{{Version: "1.37", Proven: "v1.37.0-beta.0"}},
		Differences: []VersionCause{
			{Name: "stricter", On: true, Sentence: cause.Sentence, Links: cause.Links},
			{Name: "gone", Sentence: "Something was done."},
		},
		Gates: []GateChange{{Name: "Gate", From: "off", To: "on"}},
		API:   []string{"spec.ordinals is kept; before it was dropped."},
	}
}

// TestVersionReports compares what is told of versions with golden files.
func TestVersionReports(t *testing.T) {
	c := comparisonSample()
	narrow := render.Style{Width: 50}
	shown := &Shown{
		Set: "default/web", Case: "image", Does: "a new image", Endings: [2]string{"settles after 5s", "is stuck for ever"}, Advice: "leave it",
		Columns: [2]Column{{Name: "1.34", Events: c.Versions[0].Events}, {Name: "1.37", Events: c.Versions[2].Events}},
		API:     []string{"spec.ordinals.start: 1 is dropped by 1.34 and kept by 1.37"}, Parting: &c.Partings[0],
	}
	alike := *shown
	alike.Parting = nil
	for name, write := range map[string]func(io.Writer) error{
		"compare.text":         func(w io.Writer) error { return CompareText(w, c, render.Style{}) },
		"compare.narrow.text":  func(w io.Writer) error { return CompareText(w, c, narrow) },
		"compare.md":           func(w io.Writer) error { return CompareMarkdown(w, c) },
		"compare.json":         func(w io.Writer) error { return CompareJSON(w, c) },
		"variants.json":        func(w io.Writer) error { return VariantsJSON(w, c) },
		"upgrade-show.text":    func(w io.Writer) error { return ShowText(w, shown, render.Style{}) },
		"upgrade-alike.text":   func(w io.Writer) error { return ShowText(w, &alike, render.Style{}) },
		"versions.text":        func(w io.Writer) error { return VersionsText(w, tableSample(), render.Style{}) },
		"versions.narrow.text": func(w io.Writer) error { return VersionsText(w, tableSample(), narrow) },
		"versions.md":          func(w io.Writer) error { return VersionsMarkdown(w, tableSample()) },
		"versions.json":        func(w io.Writer) error { return render.JSON(w, tableSample()) },
		"version-changes.text": func(w io.Writer) error { return ChangesText(w, changesSample(), render.Style{}) },
		"version-changes.md":   func(w io.Writer) error { return ChangesMarkdown(w, changesSample()) },
		"version-changes.json": func(w io.Writer) error { return render.JSON(w, changesSample()) },
		"version-nothing.text": func(w io.Writer) error {
			return ChangesText(w, &VersionChanges{From: "1.31", To: "1.32"}, render.Style{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, write(&out))
			golden(t, name, out.Bytes())
			if strings.Contains(name, "narrow") {
				for line := range strings.Lines(out.String()) {
					tooLong := len(strings.TrimSpace(line)) > 50 && strings.Contains(strings.TrimSpace(line), " ")
					require.False(t, tooLong && !strings.Contains(line, "sim "), line)
				}
			}
		})
	}
}

// TestManyRows: a side by side has an end, and many columns stand below each other where there is no room.
func TestManyRows(t *testing.T) {
	run := func(name string) []timeline.Event {
		var events []timeline.Event
		for i := range 100 {
			events = append(events, timeline.Entry{
				T: model.Time(i) * 1e9, Kind: timeline.KindPod, Pod: name, State: timeline.Ready, Set: model.Key{Namespace: "d", Name: "x"},
			}.Event())
		}
		return events
	}
	var out bytes.Buffer
	p := newSheet(&out, render.Style{})
	p.columns([]Column{{"A", run("x-0")}, {"B", run("x-1")}, {"C", run("x-2")}, {"D", run("x-3")}})
	require.NoError(t, p.Flush())
	require.Equal(t, 2, strings.Count(out.String(), "      ... and 60 rows more\n end  cut off"))
	require.Equal(t, 2, strings.Count(out.String(), "time  A"))
}

// TestFixes: the fixes of runs that are compared, in all formats; runs that behave alike have one.
func TestFixes(t *testing.T) {
	stuck := stuckRun()
	stuck.Cures = silentRun().Cures
	c := &Comparison{
		Name: "fixes", Groups: [][]int{{0}, {1, 2}},
		Versions: []VersionRun{
			{Version: "1.34", Run: canaryRun(), OK: true}, {Version: "1.36", Run: stuck}, {Version: "1.37", Run: stuck},
		},
	}
	line := "1.36, 1.37: " + stuck.Cures[0].Fix()[0]
	for name, write := range map[string]func(io.Writer, *Comparison) error{
		"versions":          func(w io.Writer, c *Comparison) error { return CompareText(w, c, render.Style{Width: 1000}) },
		"versions markdown": CompareMarkdown, "variants markdown": VariantsMarkdown,
		"variants": func(w io.Writer, c *Comparison) error { return VariantsText(w, c, render.Style{Width: 1000}) },
	} {
		var out strings.Builder
		require.NoError(t, write(&out, c))
		require.Equal(t, 1, strings.Count(out.String(), line), name)
		require.Regexp(t, `(?m)^(  |\$ )kubectl delete node node-2$`, out.String(), name)
	}
	for _, write := range []func(io.Writer, *Comparison) error{CompareJSON, VariantsJSON} {
		var out strings.Builder
		require.NoError(t, write(&out, c))
		require.Equal(t, 2, strings.Count(out.String(), `"what": "deleting the node node-2"`))
	}
}
