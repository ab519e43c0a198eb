package html

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// ask opens a page and returns what an expression in it comes to, once the page is there.
func (b *browser) ask(t *testing.T, page, fragment, expression string, flags ...string) string {
	t.Helper()
	script := "<script>addEventListener(\"load\", () => setTimeout(() => window.answering = (async () => {\n" +
		"const press = (...keys) => keys.forEach((key) => document.body.dispatchEvent(" +
		"new KeyboardEvent(\"keydown\", {key, bubbles: true})));\n" +
		"document.title = JSON.stringify(await (async () => (" + expression + "))());})(), 50));</script></body>"
	dom := b.open(t, strings.Replace(unguarded(page), "</body>", script, 1), fragment, flags...)
	var answer any
	title := text(t, dom, "<title>", "</title>")
	require.NoError(t, json.Unmarshal([]byte(unescape.Replace(title)), &answer), title)
	return fmt.Sprint(answer)
}

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// stuckRun is a run of three pods whose update waits for ever for the new web-2.
func stuckRun() *report.Run {
	run := rolled(3, 0)
	last := len(run.Events) - 1
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}, now: run.Events[last].T, events: run.Events[:last]}
	r.events[1].Step.Effect = timeline.Created
	r.step(2, 3)
	r.pod(timeline.Controller, "web-2", 1, timeline.Terminating, model.CodeUpdateRevision)
	r.now = r.now.Add(2 * time.Second)
	r.pod(timeline.Kubelet, "web-2", 1, timeline.Gone, "")
	r.pod(timeline.Controller, "web-2", 2, timeline.Pending, model.CodeCreate)
	why := model.Why{Code: model.WaitingForReady, Object: "web-2", Rule: model.RuleOrderedReplicas}
	r.add(timeline.Entry{Kind: timeline.KindWait, Actor: timeline.Controller, Pod: "web-2", Why: why,
		Wait: &timeline.Wait{Since: r.now}}.Event())
	since := r.now
	r.now = r.now.Add(time.Second)
	r.step(3, 3)
	run.Events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult, Result: &timeline.Result{
		Verdict: timeline.IsStuck, Stuck: []timeline.Stuck{{Set: r.key, Why: why, Since: since}},
	}}.Event())
	run.Cures = []report.Cure{{Set: r.key, Way: reasons.Way{What: "deleting web-2", Commands: []string{"kubectl -n default delete pod web-2"},
		Takes: 5 * time.Second, Deleted: 1, Fewest: 2, Replicas: 3}}}
	run.Source = "name: stuck\nsteps: []\nexpect:\n  - never: web-2\n"
	return run
}

// TestCard holds that the card says first what a reader must know, then how to get out of it and what that costs, and
// the three numbers.
func TestCard(t *testing.T) {
	card := func(run *report.Run) string { return text(t, write(t, run), `<section class="card`, "</section>") }
	require.Regexp(t, `^wrong" aria-label="How rolled ended"> STUCK at 9s: .* `+
		`Fix \(verified by simulation\)\. Deleting web-2: takes 5s, deletes 1 pod, and at least 2 of 3 serve meanwhile: `+
		`kubectl -n default delete pod web-2 Copy More about how it ended web has been stuck since 8s .* duration 9s fewest serving 2 of 3 at 6s replaced 1 pod$`,
		card(stuckRun()))
	failing := rolled(2, 1)
	failing.Expectations = []report.Expectation{
		{Verdict: report.Held, Text: "order: [web-0]"},
		{Verdict: report.Failed, Text: "never: web-1 Terminating", Detail: "web-1@1 Terminating happened at 4s",
			Instants: []model.Time{4e9}},
	}
	require.Regexp(t, `^wrong" .* FAILED: 1 of 2 expectations expected never: web-1 Terminating; `+
		`got web-1@1 Terminating happened at 4s at 4s settled at 10s`, card(failing))
	risky := stuckRun()
	risky.Cures[0].Danger = "only if the machine is certainly off"
	require.Contains(t, write(t, risky), `<p class="wrong">Fix (verified by simulation). Deleting web-2`)
	require.True(t, dataOf(t, write(t, risky)).Runs[0].Cures[0].Danger)
	hopeless := stuckRun()
	hopeless.Cures, hopeless.Explain = nil, "sim explain stuck.yaml"
	require.Contains(t, card(hopeless), "sim explain stuck.yaml Copy says why, and what was tried")
}

// TestCarriesEverything holds that a page has its scenario, with links from the expectations to their lines, the command
// that printed it and the timeline.
func TestCarriesEverything(t *testing.T) {
	run := stuckRun()
	run.Command = "sim run -o html stuck.yaml"
	run.Expectations = []report.Expectation{{Text: "never: web-2", Position: "stuck.yaml:4:5"}, {Text: "x", Position: "other.yaml:9:1"}}
	page := write(t, run)
	require.Contains(t, page, `<a class="line" href="#line-0-4">line 4</a>`)
	require.Contains(t, page, `<span id="line-0-4">  - never: web-2`)
	require.Contains(t, page, "other.yaml:9:1")
	require.Contains(t, text(t, page, "This page was printed by:", "</div>"), "sim run -o html stuck.yaml")
	require.Contains(t, page, `data-from="timeline-0" data-name="rolled.jsonl"`)
}

// TestBrowserLines holds that a step leads to its line of the scenario, which opens, and a fault to its own.
func TestBrowserLines(t *testing.T) {
	b := newBrowser(t)
	run := stuckRun()
	run.Source = "name: stuck\nsteps:\n  - create: web\n  - setImage: web\n  - undo: web\nfaults:\n  - at: 9s\n"
	run.StepLines, run.FaultLines = []int{3, 4, 99}, []int{7}
	fault := timeline.Entry{T: run.Events[len(run.Events)-1].T, Kind: timeline.KindFault, Fault: &timeline.Fault{Number: 1}}.Event()
	run.Events = slices.Insert(run.Events, len(run.Events)-1, fault)
	const lines = `[...document.querySelectorAll("#steps .line")].map((it) => it.textContent + " " + it.hash).join()`
	page := write(t, run)
	require.Equal(t, "line 3 #line-0-3,line 4 #line-0-4,line 7 #line-0-7", b.ask(t, page, "", lines), "but none beyond the end")
	require.Equal(t, "false true - setImage: web", b.ask(t, page, "", `(() => { const before = $("source-0").open;
		const link = document.querySelectorAll("#steps .line")[1];
		link.addEventListener("click", (event) => event.preventDefault()); // A page of these tests stays where it is.
		link.click();
		return before + " " + $("source-0").open + " " + document.querySelector(link.hash).textContent.trimEnd(); })()`))
	run.Source = ""
	require.Empty(t, b.ask(t, write(t, run), "", lines), "a page without the scenario leads nowhere")
}

// TestLinesAreCounted holds that a scenario that begins with empty lines has its lines where the file has them.
func TestLinesAreCounted(t *testing.T) {
	run := stuckRun()
	run.Source = "\n\n  # A comment.\nname: stuck\n\n"
	require.Contains(t, write(t, run), `<span id="line-0-3">  # A comment.`+"\n"+`</span><span id="line-0-4">name: stuck`)
}

func TestBrowserDownloads(t *testing.T) {
	b := newBrowser(t)
	got := b.ask(t, write(t, stuckRun()), "", `new Response(new Blob([Uint8Array.from(atob(`+
		`document.getElementById("timeline-0").textContent), (c) => c.charCodeAt(0))]).stream()`+
		`.pipeThrough(new DecompressionStream("gzip"))).text()`)
	var want strings.Builder
	require.NoError(t, report.JSONLines(&want, stuckRun()))
	require.Equal(t, want.String(), got)
}

// TestBrowserOpens holds that a page opens where the story is.
func TestBrowserOpens(t *testing.T) {
	b := newBrowser(t)
	failing := rolled(2, 1)
	failing.Expectations = []report.Expectation{
		{Verdict: report.Failed, Text: "never: web-1 Running", Instants: []model.Time{6e9, 8e9}}}
	for name, run := range map[string]*report.Run{
		"10s · moment 12 of 12 web-0": rolled(2, 1), "8s · tick 9 of 10 web-2": stuckRun(), "6s · tick 8 of 12 web-1": failing,
	} {
		got := b.ask(t, write(t, run), "", `$("now").textContent + " " + data.runs[0].sets[0].pods[reader.pod].name`)
		require.Equal(t, name, got)
	}
	told := told(t, b.open(t, write(t, stuckRun()), ""))
	require.Contains(t, told, "since 8s, for ever Fix. Deleting web-2: takes 5s, deletes 1 pod, and at least 2 of 3 serve meanwhile:")
	require.Contains(t, told, "kubectl -n default delete pod web-2")
}

// TestBrowserFolds holds that creation gets little of the width, and what lasts for ever gets enough to be read.
func TestBrowserFolds(t *testing.T) {
	b := newBrowser(t)
	const ask = `(() => { const w = area.right - area.left, p = plots[0];
		return [(x(p.run.steps[1].at) - area.left) / w < 0.13, (endOf(p.run) - x(stops.length - 1)) / w > 0.15,
			p.awaited.get("web-2").length, p.awaited.has("")].join(); })()`
	require.Equal(t, "true,true,2,false", b.ask(t, write(t, stuckRun()), "", ask))
	const unfold = `(() => { $("folded").click(); return (x(plots[0].run.steps[1].at) - area.left) /
		(area.right - area.left) > 0.4; })()`
	require.Equal(t, "true", b.ask(t, write(t, stuckRun()), "", unfold))
}

// TestBrowserStill holds that a run in which no time passes, as of a dump that is stuck, has all of the width, and that a
// page for which there is no room yet draws nothing and does not mind.
func TestBrowserStill(t *testing.T) {
	b := newBrowser(t)
	still := stuckRun()
	for i := range still.Events {
		still.Events[i].T = 0
	}
	require.Equal(t, "true", b.ask(t, write(t, still), "", `area.right - endOf(data.runs[0]) < 1 && x(0) === area.left`))
	require.Equal(t, "0 true", b.ask(t, write(t, rolled(200, 1)), "", `(() => { $("plots").style.display = "none"; drawAll();
		const none = area.width; $("plots").style.display = ""; drawAll(); return none + " " + (area.width > 0); })()`))
}

// TestBrowserViewport holds that the lanes and what happens at the cursor are seen together: beside each other from 1024
// pixels on, one above the other on a phone, and that nothing is wider than the window.
func TestBrowserViewport(t *testing.T) {
	b := newBrowser(t)
	const ask = `(() => { document.documentElement.style.width = "%dpx";
		const lanes = plots[0].lanes.getBoundingClientRect(), told = $("told").getBoundingClientRect();
		return [lanes.bottom < innerHeight, told.top < innerHeight - 60, lanes.right <= told.left || told.top > innerHeight / 2,
			document.documentElement.scrollWidth <= %d].join(); })()`
	for _, size := range [][2]int{{1024, 768}, {1440, 900}, {2560, 1300}} {
		got := b.ask(t, write(t, stuckRun()), "", fmt.Sprintf(ask, size[0], size[0]), fmt.Sprintf("--window-size=%d,%d", size[0], size[1]))
		require.Equal(t, "true,true,true,true", got, "%d pixels", size[0])
	}
	got := b.ask(t, write(t, rolled(40, 1)), "", `[$("told").getBoundingClientRect().top < 500, plots[0].pinned.length].join()`,
		"--window-size=1440,900")
	require.Equal(t, "true,0", got, "with 40 pods the reasons are in view as well")
	phone := b.ask(t, write(t, stuckRun()), "", fmt.Sprintf(`(() => { scrollTo(0, 400); return %s; })()`, fmt.Sprintf(ask, 500, 500)),
		"--window-size=500,844")
	require.Equal(t, "true,true,true,true", phone)
	phone = b.ask(t, write(t, stuckRun()), "", `[plots[0].lanes.getBoundingClientRect().bottom <
		$("panel").getBoundingClientRect().top, document.querySelector(".more").open].join()`, "--window-size=500,844")
	require.Equal(t, "true,false", phone, "a phone shows the lanes at once, above what happens at the cursor")
}

// named is a run of a set of three replicas of that name.
func named(name string) *report.Run {
	run := rolled(3, 0)
	for i := range run.Events {
		e := &run.Events[i]
		e.Set.Name = strings.Replace(e.Set.Name, "web", name, 1)
		e.Pod = strings.Replace(e.Pod, "web", name, 1)
	}
	run.Events[1].Step.Sets[0].Name = name
	return run
}

// TestBrowserNames holds that a name that is too long keeps its ordinal, and that any other is written whole, that of
// the chosen pod too, which is wider.
func TestBrowserNames(t *testing.T) {
	b := newBrowser(t)
	require.Equal(t, "…-0 …-1 …-2", b.ask(t, write(t, named("data-platform-postgres-cluster-with-a-long-name-main")), "",
		`plots[0].set.pods.map((pod) => label(plots[0].set, pod)).join(" ")`))
	require.Equal(t, "web-0", b.ask(t, write(t, rolled(1, 0)), "", `label(plots[0].set, plots[0].set.pods[0])`))
	require.Equal(t, "cockroachdb-0 true", b.ask(t, write(t, named("cockroachdb")), "", `(() => {
		const g = document.createElement("canvas").getContext("2d");
		g.font = NAME_CHOSEN;
		const name = label(plots[0].set, plots[0].set.pods[0]);
		return name + " " + (g.measureText(name).width <= area.left - 14);
	})()`))
}

// TestBrowserZooms holds that keys, digits and the address zoom, pan and step.
func TestBrowserZooms(t *testing.T) {
	b := newBrowser(t)
	page := write(t, rolled(5, 2))
	const wide = `(view.to - view.from).toFixed(2)`
	require.Equal(t, "0.49", b.ask(t, page, "", `(press("w", "+"), `+wide+`)`))
	require.Equal(t, "1.00", b.ask(t, page, "", `(press("w", "w", "s", "-", "s"), `+wide+`)`))
	require.Equal(t, "true", b.ask(t, page, "#run=1&tick=1", `(() => { press("w", "w"); const before = view.from; press("d");
		return view.from > before; })()`))
	require.Equal(t, "10s · moment 12 of 43 1.00", b.ask(t, page, "", `(press("w", "2", "0"), $("now").textContent + " " + `+wide+`)`))
	require.Equal(t, "0.2 0.4", b.ask(t, page, "#run=1&tick=4&view=0.2-0.4", `view.from + " " + view.to`))
	place := b.ask(t, page, "#run=1&tick=4&set=web&pod=web-3&axis=ticks&unfolded=1&view=0.2-0.4", "place_()")
	require.Equal(t, "#run=1&tick=4&set=web&pod=web-3&axis=ticks&unfolded=1&view=0.2-0.4", place)
}

// TestBrowserSearches holds what a search finds, and that n and N go through it.
func TestBrowserSearches(t *testing.T) {
	b := newBrowser(t)
	page := write(t, rolled(12, 1))
	ask := func(sought, keys string) string {
		return b.ask(t, page, "", `(search("`+sought+`"), press(`+keys+`), $("hits").textContent + ": " + `+
			`data.runs[0].sets[0].pods[reader.pod].name + " " + when(stops[reader.stop][0]))`)
	}
	require.Equal(t, "1 of 3: web-1 1m00s", ask("web-1", `"n"`), "the pod of the name comes before web-10 and web-11")
	require.Equal(t, "3 of 3: web-11 1m00s", ask("web-1", `"n", "N"`))
	require.Equal(t, "1 of 12: web-11 24s", ask("terminating", `"n"`))
	require.Equal(t, "2 of 12: web-10 27s", ask("terminating @1", `"n", "n"`))
	require.Equal(t, "1 of 1: web-3 48s", ask("web-3 terminating", `"n"`))
	require.Equal(t, "nothing: web-0 1m00s", ask("web-3 of another", `"n"`))
	require.Contains(t, ask("app:v2", `"n"`), "1 of 1: web-0 24s", "a step is found by what it does")
}

// TestBrowserCrowds holds that 10,000 pods are lanes of many, with those in trouble above them, and that a step of the
// cursor, a search and a zoom are fast enough to follow a finger: 16 ms, and 100 ms. To choose a pod is as fast. A zoom
// computes the place of no tick twice, and none of the ticks that are not in view.
func TestBrowserCrowds(t *testing.T) {
	b := newBrowser(t)
	run := rolled(10_000, 1)
	last := len(run.Events) - 1
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}, now: run.Events[last].T, events: run.Events[:last]}
	r.pod(timeline.Kubelet, "web-4321", 2, timeline.Unready, "")
	r.now = r.now.Add(time.Second)
	run.Events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	const measure = `(() => { ` + unhurried + `
		const p = plots[0];
		const step = laid((i) => go({ stop: stops.length - 1 - (i % 1000) })), seek = laid((i) => (search("web-73" + i), drawAll())),
			choose = laid((i) => go({ pod: (i * 37) % 10000 })), zoom = laid((i) => { view.to = 1 - (i % 15) / 50; drawAll(); });
		const script = median((i) => go({ stop: stops.length - 1 - i }), 201);
		let places = 0; const placed = place; place = (u) => (places++, placed(u));
		const asked = (from, to) => { Object.assign(view, { from, to }); places = 0; drawAll(); return places; };
		const all = asked(0, 0.99) < stops.length + 2000, part = asked(0.5, 0.51) < stops.length / 50 + 2000;
		place = placed;
		return [p.crowded, crowdsOf(p).length, p.pinned.includes(4321), podIn(p, 0), podIn(p, p.height - p.pinHeight - 0.01),
			all, part, within(16, step), within(100, seek), within(100, zoom), within(33, choose),
			"a step " + median(step, 201) + " ms, of which ours " + script + "; a search " + median(seek) + " ms; a zoom " +
			median(zoom) + " ms; a choice " + median(choose) + " ms"].join(); })()`
	page := write(t, run)
	crowd, took, _ := strings.Cut(b.measure(t, page, "", measure), ",a ")
	require.Equal(t, "true,20,true,0,9999,true,true,ok,ok,ok,ok", crowd)
	t.Logf("%d entries, %d kB: a %s", len(run.Events), len(page)/1000, took)
}

// TestBrowserStanding holds what is kept from stop to stop to what is looked up at each: in steps and in jumps, forwards
// and backwards, which pods are there and in which bar, which of them a row of the table shows alike, and which waits
// are open.
func TestBrowserStanding(t *testing.T) {
	b := newBrowser(t)
	const compare = `(() => { const wrong = []; let compared = 0;
		for (const run of data.runs) for (const set of run.sets) for (const by of [1, -1, 7, -13, 64]) for (let i = 0; i < 120; i++) {
			const n = run.times.length + 1, stop = ((i * by) % n + n) % n - 1, all = standing(run, set, stop), w = set.waits;
			const bars = set.pods.map((pod) => barAt(pod, stop));
			const shown = (p) => [B_READY, B_STATUS, B_RESTARTS, B_TEMPLATE].map((k) => set.pods[p].bars[bars[p] + k]).join();
			const open = []; for (let k = 0; k < w.length; k += WAIT) if (w[k] <= stop && (w[k + 1] < 0 || w[k + 1] > stop)) open.push(k);
			bars.forEach((bar, p) => { compared++; if (all.bar[p] !== bar) wrong.push("bar " + p + " at " + stop);
				const q = bars.findIndex((it) => it >= 0);
				if (bar >= 0 && (all.look[p] === all.look[q]) !== (shown(p) === shown(q))) wrong.push("look " + p + " at " + stop); });
			if (openAt(set, stop).join() !== open.join()) wrong.push("waits at " + stop);
		}
		return [wrong.slice(0, 5).join("; "), compared > 5000].join(); })()`
	run := rolled(40, 3)
	last := len(run.Events) - 1
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}, now: run.Events[last].T, events: run.Events[:last]}
	for _, state := range []timeline.State{timeline.Unready, timeline.Terminating, timeline.Gone} {
		r.pod(timeline.Kubelet, "web-7", 3, state, "")
		r.now = r.now.Add(time.Second)
	}
	r.pod(timeline.Kubelet, "web-8", 3, timeline.Unready, "")
	run.Events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	require.Equal(t, ",true", b.ask(t, write(t, run), "", compare))
	require.Equal(t, ",true", b.ask(t, write(t, run, stuckRun()), "", compare))
}

// TestBrowserManySets holds that sets to which nothing happens but their creation are left out at first, and that a step
// stands beside the sets that it is about.
func TestBrowserManySets(t *testing.T) {
	b := newBrowser(t)
	r := &roll{key: model.Key{Namespace: "default", Name: "set-0"}}
	for i := range 8 {
		r.key.Name = fmt.Sprintf("set-%d", i)
		r.step(1, 1)
		r.events[len(r.events)-1].Step.Effect = timeline.Created
		r.life(r.key.Name+"-0", 1)
	}
	r.key.Name = "set-5"
	r.step(2, 1)
	r.life("set-5-0", 2)
	r.events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	page := write(t, &report.Run{Name: "sets", Events: r.events})
	require.Equal(t, "set-5 2 true 5", b.ask(t, page, "", `plots.filter((p) => !p.figure.hidden).map((p) => p.set.name + " " +
		p.steps.length + " " + p.compact).join() + " " + reader.set`))
	require.Equal(t, "8", b.ask(t, page, "", `($("changing").click(), plots.filter((p) => !p.figure.hidden).length)`))
}

// TestBrowserPaper holds that paper has a width of its own, all of the time, the whole description and no cursor, and that
// the screen is as it was afterwards.
func TestBrowserPaper(t *testing.T) {
	b := newBrowser(t)
	run := rolled(3, 1)
	run.Description = "what it is about"
	got := b.ask(t, write(t, run), "#run=1&tick=3&view=0.2-0.4", `(() => { const about = document.querySelector(".description");
		dispatchEvent(new Event("beforeprint")); const on = [area.width, view.from, view.to, palette.bg, about.open];
		dispatchEvent(new Event("afterprint")); return [...on, area.width > 760, view.from, view.to, about.open].join(); })()`,
		"--window-size=1440,900", "--force-dark-mode")
	require.Equal(t, "760,0,1,#ffffff,true,true,0.2,0.4,false", got)
	css, err := os.ReadFile("assets/page.css")
	require.NoError(t, err)
	_, print, found := strings.Cut(string(css), "@media print {")
	require.True(t, found)
	require.Regexp(t, `\.cursor[^}]*display: none !important`, print)
	require.Contains(t, print, "print-color-adjust: exact")
}

// TestBrowserKeepsFocus holds that the page takes the focus from nobody, and says a tick once to a screen reader.
func TestBrowserKeepsFocus(t *testing.T) {
	b := newBrowser(t)
	require.Equal(t, "BODY 3s. web-1 Running 0",
		b.ask(t, write(t, rolled(2, 0)), "#run=1&t=3", `document.activeElement.tagName + " " + $("live").textContent + " " +
			document.querySelectorAll("output").length`))
}

// TestBrowserAxe holds every kind of page to the rules of axe-core, where its axe.min.js is named by AXE_CORE: small and
// large windows, in the light and in the dark.
func TestBrowserAxe(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("AXE_CORE"))
	if err != nil {
		t.Skip("AXE_CORE names no axe.min.js")
	}
	b := newBrowser(t)
	pages := map[string]string{
		"one run": write(t, rolled(3, 1)), "stuck": write(t, stuckRun()), "hostile": write(t, hostile()),
		"two runs": write(t, rolled(2, 1), rolled(3, 1)), "many pods": write(t, rolled(200, 1)), "nodes": write(t, troubled()),
		"compared": compared(t), "lesson": lessonPage(t), "index": sheetPage(t), "sheet": sheetPage(t, rolled(2, 1), stuckRun()),
	}
	for name, page := range pages {
		for _, flags := range [][]string{{"--window-size=1440,900"}, {"--window-size=500,900", "--force-dark-mode"}} {
			page := strings.Replace(page, "</head>", "<script>"+string(axe)+"</script></head>", 1)
			got := b.ask(t, page, "", `axe.run().then((result) => result.violations.map((it) => it.id + ": " +
				it.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")).join("\n"))`, append(flags, "--virtual-time-budget=30000")...)
			require.Empty(t, got, "%s %v", name, flags)
		}
	}
}

// TestBrowserArrows holds that a wait at the cursor points to the lane of the pod that is waited for, and that it is red
// where it never ends.
func TestBrowserArrows(t *testing.T) {
	b := newBrowser(t)
	const ask = `plots[0].flow.children.length + " " + [...plots[0].flow.children].map((it) => it.getAttribute("class") + " " +
		arrowsOf(plots[0], local(plots[0].run, reader.stop)).map((a) => Math.floor((a.to - plots[0].scroller.offsetTop) / plots[0].row)).join()).join(";")`
	require.Equal(t, "1 ever 2", b.ask(t, write(t, stuckRun()), "", ask), "to the third lane")
	require.Equal(t, "1 1", b.ask(t, write(t, rolled(3, 1)), "#run=1&t=3", ask), "to the second lane, for web-1")
	require.Equal(t, "0 ", b.ask(t, write(t, rolled(3, 1)), "", ask), "at the end nothing is waited for")
}

// TestBrowserPath holds that the critical path is drawn along the lanes, and can be taken away.
func TestBrowserPath(t *testing.T) {
	b := newBrowser(t)
	page := write(t, rolled(3, 1))
	const dark = `(() => { %s; const g = plots[0].lanes.getContext("2d"), s = devicePixelRatio;
		const d = g.getImageData(Math.round(x(stops.length - 2) * s), Math.floor((plots[0].row - 1.5) * s), 1, 1).data;
		return d[3] > 200 && d[0] + d[1] + d[2] < 200; })()`
	require.Equal(t, "true", b.ask(t, page, "", fmt.Sprintf(dark, "")))
	require.Equal(t, "false", b.ask(t, page, "", fmt.Sprintf(dark, "plots[0].pathToggle.click()")))
}

// TestBrowserChart holds which lines the chart has: what serves, what a budget asks for, and the quorum of a set that may
// be one of members that vote.
func TestBrowserChart(t *testing.T) {
	b := newBrowser(t)
	lines := func(pods int) string {
		return b.ask(t, write(t, rolled(pods, 0)), "", `LINES.filter(([of]) => drawn(plots[0].set.counts, of)).map(
			([of, name]) => name + " " + of(plots[0].set.counts, plots[0].set.counts.length - COUNT)).join()`)
	}
	require.Equal(t, "desired 2", lines(2))
	require.Equal(t, "desired 5,quorum 3", lines(5))
	require.Equal(t, "desired 10", lines(10))
	// A line goes to the right, and ends where the view does, at the count that it has there.
	const along = `(() => { const all = []; Object.assign(view, %s); drawAll();
		const g = { moveTo: (x, y) => all.push([x, y]), lineTo: (x, y) => all.push([x, y]) }, p = plots[0];
		path(g, p, (c, i) => c[i + C_SERVING], (n) => n);
		const last = p.set.counts[lastUpTo(p.set.counts.length / COUNT, (k) => xs(p.run)[p.set.counts[k * COUNT]] <= area.right) * COUNT + C_SERVING];
		return [all.every(([x], i) => !i || x >= all[i - 1][0]), all.at(-1)[1] === last, all.length < 4 * area.width].join(); })()`
	for _, view := range []string{"{ from: 0, to: 1 }", "{ from: 0.2, to: 0.5 }", "{ from: 0.5, to: 0.5001 }"} {
		require.Equal(t, "true,true,true", b.ask(t, write(t, rolled(300, 1)), "", fmt.Sprintf(along, view)), view)
	}
}

// TestBrowserTargets holds that what is tapped is at least 24 pixels high and wide, on a page of a run and on a sheet, a
// label counting with what it is of.
func TestBrowserTargets(t *testing.T) {
	b := newBrowser(t)
	const small = `[...document.querySelectorAll("a[href], button, input, select, summary")]
		.filter((it) => it.checkVisibility() && !it.classList.contains("skip"))
		.map((it) => [it, (it.closest("label") || it).getBoundingClientRect()])
		.filter(([, r]) => r.width && (r.height < 23.9 || r.width < 23.9))
		.map(([it, r]) => it.tagName + " " + it.id + it.textContent + " " + r.width + "x" + r.height).join("; ")`
	require.Empty(t, b.ask(t, write(t, stuckRun()), "", small))
	require.Empty(t, b.ask(t, sheetPage(t, rolled(2, 1), stuckRun()), "", small, "--window-size=500,844"))
}

// TestBrowserStory holds that the story of 1,000 pods is written a part at a time, fast enough that nobody waits for it.
func TestBrowserStory(t *testing.T) {
	b := newBrowser(t)
	got := b.ask(t, write(t, rolled(1000, 1)), "", `(() => { const begun = performance.now(); $("story").open = true; story();
		const took = performance.now() - begun, items = document.querySelectorAll("#story li").length;
		document.querySelector("#story > button").click();
		return [took < 500, items < 700, document.querySelectorAll("#story li").length > items].join(); })()`)
	require.Equal(t, "true,true,true", got)
}
