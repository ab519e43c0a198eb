package doc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// drawn is a document in a form.
func drawn(t *testing.T, d *doc.Document, form string, runs ...*report.Run) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, d.Write(&b, form, render.Style{}, func() doc.Page { return doc.Page{Runs: runs, Command: "sim plan"} }))
	return b.String()
}

func answer(text string) *doc.Document {
	broken := doc.Fact("broken", text).Bad()
	broken.Commands, broken.Run = doc.All([]string{"kubectl " + text}), "broken"
	folded := doc.Fact("note", text)
	folded.Folded = true
	return &doc.Document{
		First: doc.All([]string{"FAILED: " + text}), Title: doc.Of("Plan"), Headline: doc.Of("1 set rolls"), Tone: render.Bad,
		Alarms: doc.Facts("default/web", text), Facts: doc.Lines(text),
		Table: doc.Table{Header: []string{"Set"}, Rows: []doc.Row{{Cells: doc.All([]string{text}), Part: 1}}},
		Parts: []doc.Part{{
			Title: doc.Of("default/web: " + text), Brief: doc.Of(text), Tone: render.Bad, Things: 1,
			Items: append(doc.Facts("order", "web-1", "web-0"), append(doc.Head("What if", broken), folded)...),
		}},
		Notes: doc.All([]string{text}),
	}
}

// TestText: what must be read first comes first, and what belongs together stands together.
func TestText(t *testing.T) {
	require.Equal(t, `FAILED: stop
Plan
1 set rolls
  ALARM default/web: stop
  - stop

default/web: stop
  stop
  order     web-1
            web-0
  What if
    broken    stop
                kubectl stop
  note      stop

stop
`, drawn(t, answer("stop"), "text"))
}

// TestMarkdown: the same as Markdown; what is not for the first look is folded away, or left out where there is no room.
func TestMarkdown(t *testing.T) {
	require.Equal(t, `## Plan

**FAILED: stop**

**1 set rolls**

- ⚠️ **default/web**: stop
- stop

### ❌ default/web: stop

stop

- **order** web-1
- **order** web-0
- **What if**
  - ⚠️ **broken** stop

    `+"```"+`sh
    kubectl stop
    `+"```"+`


<details><summary>Details</summary>

- **note** stop

</details>

<sub>stop</sub><br>
`, drawn(t, answer("stop"), "markdown"))
	short := answer("stop")
	short.Room = 250
	require.NotContains(t, drawn(t, short, "markdown"), "<details>")
	short.Room = 150
	require.Contains(t, drawn(t, short, "markdown"), "1 set more: too long to be shown here.")
}

// TestPage: a row leads to its part, and an item to the run behind it, if the page has it.
func TestPage(t *testing.T) {
	page := drawn(t, answer("stop"), "html")
	require.Contains(t, page, `href="#section-1">stop</a>`)
	require.Contains(t, page, `<li class="named"><span class="wrong"><b>broken</b> stop</span>`)
	require.NotContains(t, page, "Watch it")
	require.Contains(t, drawn(t, answer("stop"), "html", &report.Run{Name: "broken"}), `href="#run=1">Watch it</a>`)
}

// TestTextIsEscaped: whatever stands in a text, it is no markup of any form, and steers no terminal.
func TestTextIsEscaped(t *testing.T) {
	d := answer("<b>*x*</b> @you \x1b[31m\u202e")
	for _, form := range []string{"text", "markdown", "html"} {
		got := drawn(t, d, form)
		require.NotContains(t, got, "\x1b[31m", form)
		require.NotContains(t, got, "\u202e", form)
	}
	require.NotContains(t, drawn(t, d, "html"), "<b>*x*")
	list, _, _ := strings.Cut(drawn(t, d, "markdown"), "```")
	require.NotContains(t, list, "<b>")
	require.NotContains(t, list, "@you")
	require.NotContains(t, list, "*x*")
}
