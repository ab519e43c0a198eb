package html

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

func sheetPage(t *testing.T, runs ...*report.Run) string {
	t.Helper()
	sheet := &Sheet{
		Title: "Plan", Headline: "2 sets roll", Tone: report.Wrong, Notes: []string{evil}, Header: []string{"Set", "Does"},
		Rows: []Row{
			{Tone: report.Wrong, Cells: []Cell{{Text: "default/web", Href: "web.html"}, {Text: "replaces \u202e3 pods"}}},
			{Cells: []Cell{{Text: "default/db", Href: "#section-2"}, {Text: "scales"}}},
		},
		Sections: []Section{
			{Title: "default/web: what if it is broken?", Tone: report.Waiting, Items: []Item{{Text: "it stops", Commands: []string{"kubectl x"}}},
				Run: 2, Set: "default/web"},
			{Title: "default/db: slow?", Brief: "it \u202ewaits", Items: append([]Item{{Text: "it waits"}},
				Item{Name: "1.", Text: "Deleting db-0: takes 6s", Commands: []string{"kubectl a", "kubectl b"}},
				Item{Name: "2.", Text: "Forcing it", Items: []Item{{Text: "DANGER: db-0 may still run", Tone: report.Wrong}},
					Commands: []string{"kubectl c"}},
			)},
		},
	}
	var out bytes.Buffer
	require.NoError(t, sheet.Write(&out, runs...))
	return out.String()
}

// TestSheet holds what stands on a sheet without a script, and that no text on it becomes markup or turns its direction.
func TestSheet(t *testing.T) {
	page := sheetPage(t)
	require.Contains(t, page, `<tr class="look wrong"><td><a class="instant" href="web.html">default/web</a></td><td>replaces \u202e3 pods</td>`)
	require.Contains(t, page, `<details id="section-1" class="section look waiting" open><summary>default/web: what if it is broken?</summary>`)
	require.Contains(t, page, `<summary>default/db: slow? <span class="brief">it \u202ewaits</span></summary>`)
	require.Contains(t, page, `<code>kubectl x</code><button type="button" class="copy">Copy</button>`)
	require.Regexp(t, `<li class="named"><span><b>1.</b> Deleting db-0: takes 6s</span><div class="command"><code>kubectl a\nkubectl b</code>`+
		`<button [^>]*>Copy</button></div>\s*</li>\s*<li class="named"><span><b>2.</b> Forcing it</span>`+
		`<ul class="items"><li><span class="wrong">DANGER: db-0 may still run</span>`, page)
	require.Contains(t, page, `href="#run=2&amp;set=default%2Fweb">Watch it</a>`)
	require.NotContains(t, page, "<img")
	require.Equal(t, "deep-scenario-1.37.html", PageName("deep/scenario.yaml", "1.37"))
	require.Equal(t, "a-b.html", PageName("../a b.yaml", ""))
}

// TestSheetTimelines holds that each run behind a sheet can be saved under its name, as long as that is not too much.
func TestSheetTimelines(t *testing.T) {
	one, two, endless := rolled(2, 1), stuckRun(), rolled(2, 1)
	one.Name, two.Name, endless.Name = "the change", "default/web: 1.37", "endless"
	endless.Events = slices.Repeat(endless.Events, manyEvents/len(endless.Events))
	page := sheetPage(t, one, two)
	require.Contains(t, page, `data-from="timeline-0" data-name="the-change.jsonl">the change</button>`)
	require.Contains(t, page, `data-from="timeline-1" data-name="default-web--1.37.jsonl">default/web: 1.37</button>`)
	require.Equal(t, 2, strings.Count(page, `type="application/gzip"`))
	require.NotContains(t, sheetPage(t), "to download", "nor a list of none")
	v := &view{Runs: []runView{{Timeline: "a"}, {Timeline: "b"}}}
	v.packAll([]*report.Run{one, endless})
	require.Equal(t, []safe{"a", ""}, []safe{v.Runs[0].Timeline, v.Runs[1].Timeline})
}

// TestSheetIsShort holds that a sheet has nothing that says nothing: no column without an entry, no filter of a single row,
// and at most four notes at once.
func TestSheetIsShort(t *testing.T) {
	written := func(sheet *Sheet) string {
		var out bytes.Buffer
		require.NoError(t, sheet.Write(&out))
		return out.String()
	}
	indented := &Sheet{Sections: []Section{{Items: []Item{{Commands: []string{"steps:", "  - at: 3s", "    scale: {}"}}}}}}
	require.Contains(t, written(indented), "<code>steps:\n  - at: 3s\n    scale: {}</code>", "a scenario to copy keeps its indents")
	row := Row{Cells: []Cell{{Text: "web"}, {}, {Text: "3"}}}
	sheet := &Sheet{Header: []string{"Set", "Requirements", "Pods"}, Rows: []Row{row}, Notes: []string{"a", "b", "c", "d"}}
	page := written(sheet)
	require.Contains(t, page, `<th scope="col">Set</th><th scope="col">Pods</th>`)
	require.Contains(t, page, `<td>web</td><td>3</td>`)
	require.NotContains(t, page, `id="filter"`)
	require.NotContains(t, page, "more</summary>")
	sheet.Rows, sheet.Notes = append(sheet.Rows, row), append(sheet.Notes, "e", "f")
	page = written(sheet)
	require.Contains(t, page, `id="filter"`)
	require.NotContains(t, page, `id="look"`, "no row needs a look")
	require.Regexp(t, `>d</li>\s*</ul><details><summary>and 2 more</summary>`, page)
}

// TestBrowserSheet holds that the filter leaves what was asked for, and that the runs behind a sheet are shown one at a
// time, by a button or by their address.
func TestBrowserSheet(t *testing.T) {
	b := newBrowser(t)
	const left = `$("left").textContent + ": " + [...document.querySelectorAll("#rows tbody tr, .section")]
		.filter((it) => !it.hidden).map((it) => it.textContent.trim().slice(0, 11)).join()`
	require.Equal(t, "1 of 2: default/dbs,default/db:", b.ask(t, sheetPage(t), "", `($("filter").value = "DB",
		$("filter").dispatchEvent(new Event("input")), `+left+`)`))
	require.Equal(t, "1 of 2: default/web,default/web", b.ask(t, sheetPage(t), "", `($("look").click(), `+left+`)`))

	require.Equal(t, "true none true Does", b.ask(t, sheetPage(t), "", `(() => { const table = document.querySelector(".scroll");
		return (table.scrollWidth <= table.clientWidth) + " " + getComputedStyle($("rows").tHead).display + " " +
		(getComputedStyle($("rows").rows[1].cells[1], "::before").content !== "none") + " " + $("rows").rows[1].cells[1].dataset.of; })()`,
		"--window-size=500,844"), "a phone shows each row as a list")

	require.Equal(t, "false true", b.ask(t, sheetPage(t), "", `(() => { const before = $("section-2").open;
		$("rows").rows[2].querySelector("a").click(); return before + " " + $("section-2").open; })()`), "a row leads to its section")

	one, two := rolled(2, 1), stuckRun()
	one.Name, two.Name = "the change", "broken"
	const shown = `[...$("tabs").children].map((it) => it.textContent + " " + it.getAttribute("aria-pressed")).join() + " " +
		plots.length + " " + plots[0].set.pods.length + " " + $("steps").children.length + " " + place_().split("&")[0]`
	page := sheetPage(t, one, two)
	require.Equal(t, "the change true,broken false 1 2 2 #run=1", b.ask(t, page, "", shown))
	require.Equal(t, "the change false,broken true 1 3 3 #run=2", b.ask(t, page, "", `($("tabs").children[1].click(), `+shown+`)`))
	require.Equal(t, "the change false,broken true 1 3 3 #run=2", b.ask(t, page, "#run=2&tick=4", shown))
	require.Equal(t, "true,true true,false", b.ask(t, page, "", `(() => { const open = () => [...document.querySelectorAll(".section")]
		.map((it) => it.open).join(); dispatchEvent(new Event("beforeprint")); const on = open();
		dispatchEvent(new Event("afterprint")); return on + " " + open(); })()`), "paper has all sections")
	two.Expectations = []report.Expectation{{Verdict: report.Failed, Text: "never: web-2", Instants: []model.Time{two.Events[4].T}}}
	require.NotEqual(t, "6s · moment 8 of 10", b.ask(t, sheetPage(t, two), "", `$("now").textContent`))
	require.Equal(t, "6s · moment 8 of 10", b.ask(t, page, "#run=2", `$("now").textContent`), "a run begins with the change")
}
