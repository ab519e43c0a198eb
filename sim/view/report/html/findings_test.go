package html

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/report"
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
	require.Equal(t, "5,web-0,true", got)
}

// TestBrowserGestures holds that the wheel with Ctrl zooms around the pointer and a sideways one pans, that a drag shows
// what it goes over and with Shift moves it, that a double click shows what a step brought, and that the map moves the view.
func TestBrowserGestures(t *testing.T) {
	b := newBrowser(t)
	page := write(t, rolled(3, 2))
	const begin = `const figure = plots[0].lanes, box = figure.closest(".plot").getBoundingClientRect(), wide = area.right - area.left;
		const at = (part) => ({ bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0,
			clientX: box.left + area.left + part * wide, clientY: figure.getBoundingClientRect().top + 5 });
		const drag = (from, to, more = {}) => { figure.dispatchEvent(new PointerEvent("pointerdown", { ...at(from), ...more }));
			figure.dispatchEvent(new PointerEvent("pointermove", { ...at(to), ...more }));
			figure.dispatchEvent(new PointerEvent("pointerup", { ...at(to), ...more })); };
		HTMLElement.prototype.setPointerCapture = () => {}; // Nobody holds this pointer.
		const now = () => view.from.toFixed(2) + "-" + view.to.toFixed(2);`
	ask := func(act string) string { return b.ask(t, page, "", `(() => { `+begin+act+`; return now(); })()`) }
	require.Equal(t, "0.25-0.75", ask(`drag(0.25, 0.75)`))
	require.Equal(t, "0.25-0.75", ask(`drag(0.75, 0.25)`), "to the left as to the right")
	require.Equal(t, "0.00-1.00", ask(`drag(0.5, 0.502)`), "what hardly moves is a click")
	require.Equal(t, "0.50-1.00", ask(`drag(0.25, 0.75); drag(0.9, 0.4, { shiftKey: true })`))
	require.Equal(t, "0.20-0.80", ask(`figure.dispatchEvent(new WheelEvent("wheel", { ...at(0.5), ctrlKey: true, deltaY: -60 }))`))
	require.Equal(t, "0.30-0.80", ask(`drag(0.25, 0.75); figure.dispatchEvent(new WheelEvent("wheel", { ...at(0.5), deltaX: 80 }))`))
	require.Equal(t, "0.00-1.00", ask(`figure.dispatchEvent(new WheelEvent("wheel", { ...at(0.5), deltaY: 80 }))`), "that scrolls the page")
	require.Equal(t, "0.25-0.75", ask(`drag(0.1, 0.6); const map = $("minimap"), on = map.getBoundingClientRect();
		const there = (part) => ({ ...at(0), clientX: on.left + area.left + part * wide, clientY: on.top + 5 });
		map.dispatchEvent(new PointerEvent("pointerdown", there(0.35))); map.dispatchEvent(new PointerEvent("pointermove", there(0.5)))`))
	require.Equal(t, "true", b.ask(t, page, "", `(() => { `+begin+` const steps = plots[0].run.steps;
		figure.dispatchEvent(new MouseEvent("dblclick", at(place(unit(steps[1].at)) + 0.05)));
		return x(steps[1].at) >= area.left && x(steps[1].at) < area.left + 60 && x(steps[2].at) > area.right - 60; })()`))
}

// TestBrowserAligns holds that runs whose creation takes different times can be laid above each other at a step, which
// then is the instant 0 of all, and that the address keeps that.
func TestBrowserAligns(t *testing.T) {
	b := newBrowser(t)
	page := write(t, rolled(2, 1), rolled(4, 1))
	const ask = `[...$("align").options].map((it) => it.textContent).join() + " " + data.runs.map((run) => x(run.steps[1].at).toFixed()).join()`
	apart := b.ask(t, page, "", ask)
	require.Contains(t, apart, "the start,step 2 ")
	of := func(text string) []string { return strings.Split(text[strings.LastIndex(text, " ")+1:], ",") }
	require.NotEqual(t, of(apart)[0], of(apart)[1])
	const aligned = `($("align").value = "2", $("align").dispatchEvent(new Event("change", { bubbles: true })), ` + ask + `)`
	together := of(b.ask(t, page, "", aligned))
	require.Equal(t, together[0], together[1])
	require.Contains(t, b.ask(t, page, "", `(`+aligned+`, place_())`), "align=2")
	require.Contains(t, b.ask(t, page, "#run=1&tick=6&align=2", `$("align").value + " " + $("now").textContent`), "2 +0s")
}
