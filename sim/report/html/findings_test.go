package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/report"
)

// TestComparisonIsNotColoured holds that what a run does not hold of the expectations of a file makes neither the run nor
// its row nor its figure one that has failed: the expectations are of the file as it is.
func TestComparisonIsNotColoured(t *testing.T) {
	good, bad := rolled(3, 1), stuckRun()
	good.Expectations = []report.Expectation{{Verdict: report.Failed, Text: "stuck: {}", Instants: []model.Time{2e9}}}
	bad.Expectations = []report.Expectation{{Text: "stuck: {}"}}
	c := &report.Comparison{Name: "a change", Groups: [][]int{{0}, {1}}}
	c.Versions = []report.VersionRun{{Version: "1.36", Run: good}, {Version: "1.37", Run: bad, OK: true}}
	var out strings.Builder
	require.NoError(t, Compare(&out, c))
	page := out.String()
	require.NotContains(t, page, `<section class="card`)
	require.Contains(t, page, `<tr><td>1.36</td><td>settled at 15s</td>`)
	require.Contains(t, page, `<tr><td>1.37</td><td class="wrong">STUCK at 9s</td>`)
	require.Equal(t, 2, strings.Count(page, `<section class="expectations compared"`))
	require.Empty(t, dataOf(t, page).Runs[0].Failures, "nor is an instant of the axis marked")
}

// TestBrowserMarksFailures holds that an instant at which an expectation failed is red on the axis and on the map.
func TestBrowserMarksFailures(t *testing.T) {
	b := newBrowser(t)
	failing := rolled(2, 1)
	const reds = `[plots[0].top, $("minimap")].map((it) => { const d = it.getContext("2d").getImageData(0, 0, it.width, it.height).data;
		let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] > 160 && d[i + 1] < 60 && d[i + 2] < 60 && d[i + 3] > 200) n++; return n > 3; }).join()`
	require.Equal(t, "false,false", b.ask(t, write(t, failing), "", reds))
	failing.Expectations = []report.Expectation{{Verdict: report.Failed, Text: "x", Instants: []model.Time{6e9}}}
	require.Equal(t, "true,true", b.ask(t, write(t, failing), "", reds))
}

// TestBrowserTouch holds that a finger gets what a mouse is told in passing.
func TestBrowserTouch(t *testing.T) {
	b := newBrowser(t)
	got := b.ask(t, write(t, stuckRun()), "", `(() => { const lanes = plots[0].lanes.getBoundingClientRect();
		const at = { bubbles: true, pointerId: 1, pointerType: "touch", isPrimary: true, button: 0,
			clientX: lanes.left + x(5), clientY: lanes.top + 5 };
		plots[0].lanes.dispatchEvent(new PointerEvent("pointerdown", at));
		plots[0].lanes.dispatchEvent(new PointerEvent("pointerup", at));
		return [reader.stop, data.runs[0].sets[0].pods[reader.pod].name, $("told").textContent.includes("web-0 so far")].join(); })()`,
		"--window-size=500,844")
	require.Equal(t, fmt.Sprint("5,web-0,true"), got)
}
