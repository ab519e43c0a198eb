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
	require.Equal(t, safe(`<pre tabindex="0">never closed`+"\n</pre>\n"), prose("```\nnever closed"))
	require.NotContains(t, page, "https://")
	require.NotContains(t, page, "<img")
	require.Error(t, Teach(&bytes.Buffer{}, nil, nil))
}

// TestBrowserLesson holds that a lesson opens at its first tick with all that would give the answer away behind a
// curtain, which goes along with the reader, and that the answer that was chosen is judged.
func TestBrowserLesson(t *testing.T) {
	b := newBrowser(t)
	const keys = `[...$("legend").children].map((it) => it.textContent).join()`
	require.Equal(t, "Pending,Running, not Ready yet,Ready,Terminating,created, deleted by the controller",
		b.ask(t, lessonPage(t), "", keys))
	require.Contains(t, b.ask(t, lessonPage(t), "", `($("reveal").click(), `+keys+`)`), "template @2")
	const shown = `["#answer", ".card", "#steps", "footer"].map((it) => document.querySelector(it).offsetHeight > 0).join()`
	require.Equal(t, "0s · moment 1 of 10 false,false,false,false",
		b.ask(t, lessonPage(t), "", `$("now").textContent + " " + `+shown))
	require.Equal(t, "true,true,true,true Your answer was a; right is b.", b.ask(t, lessonPage(t), "",
		`(document.querySelector("[value=a]").click(), $("reveal").click(), `+shown+` + " " + $("judged").textContent)`))
	// What is hidden is light, with light stripes; what has been seen is the blue of a Ready pod.
	const colours = `(async () => { const at = Math.round(x(5)), width = 60;
		go({ stop: 5 }); drawAll();
		const row = plots[0].lanes.getContext("2d").getImageData(at - width, 5, 2 * width, 1).data;
		const all = new Uint32Array(row.buffer), reds = [...all].map((pixel) => pixel & 255);
		const darkest = (list) => Math.min(...list);
		return [darkest(reds.slice(0, width - 8)) < 100, darkest(reds.slice(width + 8)) > 200, curtain.upTo].join(); })()`
	require.Equal(t, "true,true,5", b.ask(t, lessonPage(t), "", colours, "--window-size=1440,900"))
}
