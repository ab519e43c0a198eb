package html

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func lessonPage(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Teach(&out, stuckRun(), &Lesson{
		Title: "9. Stuck", Question: "## The question\n\nDoes `web-2` *heal*?\n\n```yaml\n- undo: <b>\n```\n",
		Answer:  "## What happens\n\nIt **never** does: [forced rollback](https://example.org/).\n\n- one\n- two\n",
		Choices: []Choice{{"a", "yes"}, {"b", "no, `web-2` " + evil}}, Right: "b",
	}))
	return out.String()
}

// TestLesson holds that a lesson asks first, and that its Markdown becomes HTML in which nothing but its own marks is
// markup and no link leads away.
func TestLesson(t *testing.T) {
	page := lessonPage(t)
	require.Contains(t, page, "<h2>The question</h2>\n<p>Does <code>web-2</code> <em>heal</em>?</p>\n"+
		`<pre tabindex="0">- undo: &lt;b&gt;`+"\n</pre>")
	require.Contains(t, page, "<p>It <b>never</b> does: forced rollback.</p>\n<ul><li>one</li><li>two</li></ul>")
	require.NotContains(t, page, "https://")
	require.NotContains(t, page, "<img")
	require.Error(t, Teach(&bytes.Buffer{}, nil, nil))
}

// TestBrowserLesson holds that a lesson opens at its first tick with all that would give the answer away behind a
// curtain, which goes along with the reader, and that the answer that was chosen is judged.
func TestBrowserLesson(t *testing.T) {
	b := newBrowser(t)
	const shown = `["#answer", ".card", "#steps", "footer"].map((it) => document.querySelector(it).offsetHeight > 0).join()`
	require.Equal(t, "0s · tick 1 of 10 false,false,false,false",
		b.ask(t, lessonPage(t), "", `$("now").textContent + " " + `+shown))
	require.Equal(t, "true,true,true,true Your answer was a; right is b.", b.ask(t, lessonPage(t), "",
		`(document.querySelector("[value=a]").click(), $("reveal").click(), `+shown+` + " " + $("judged").textContent)`))
	// What is hidden is one colour and the stripes on it; what has been seen has more.
	const colours = `(async () => { const seen = (from, to) => { const g = plots[0].lanes.getContext("2d");
			const box = g.getImageData(from, 0, to - from, 60).data;
			return new Set(new Uint32Array(box.buffer)).size; };
		const at = x(5); go({ stop: 5 }); drawAll();
		return [seen(area.left + 10, at - 10) > 20, [...plots[0].lanes.getContext("2d").getImageData(at + 8, 5, 60, 1).data]
			.every((it, i, all) => i < 4 || Math.abs(it - all[i % 4]) < 20), curtain.upTo].join(); })()`
	require.Equal(t, "true,true,5", b.ask(t, lessonPage(t), "", colours, "--window-size=1440,900"))
}
