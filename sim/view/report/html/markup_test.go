package html

import (
	"bufio"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func written(write func(m markup)) string {
	var b strings.Builder
	out := bufio.NewWriter(&b)
	write(markup{out})
	_ = out.Flush()
	return b.String()
}

// A text can become neither an element nor an attribute, wherever it stands.
func TestMarkupEscapes(t *testing.T) {
	got := written(func(m markup) { m.put(`<b title="{}">{}</b>`, `" onclick='x'`, "</b><script>&{}\x00") })
	require.Equal(t, `<b title="&#34; onclick=&#39;x&#39;">&lt;/b&gt;&lt;script&gt;&amp;{}`+"\uFFFD</b>", got)
}

func TestMarkupLinks(t *testing.T) {
	for href, want := range map[string]string{
		"#run=1&tick=2": "#run=1&amp;tick=2", "a-b.html": "a-b.html",
		"javascript:alert(1)": "#", "https://example.com": "#", "//example.com": "#", "data:text/html,x": "#",
	} {
		require.Equal(t, `<a class="c" href="`+want+`">t</a>`, written(func(m markup) { m.link("c", href, "t") }))
	}
}

// The link to the playground may lead to another site, since no input names it; it is no script there either.
func TestMarkupPlayground(t *testing.T) {
	for address, want := range map[string]string{
		"../#m=plan&s=x": "../#m=plan&amp;s=x", "https://play.test/#s=x": "https://play.test/#s=x",
		"http://localhost:8000/#s=x": "http://localhost:8000/#s=x", "javascript:alert(1)#s=x": "#", `https://x/"><b>`: "https://x/&#34;&gt;&lt;b&gt;",
	} {
		require.Equal(t, `<a href="`+want+`">t</a>`, written(func(m markup) { m.playground("t", address) }))
	}
}

// A layout with more or fewer places than texts is a mistake of ours, and is found where it is made.
func TestMarkupCounts(t *testing.T) {
	require.Panics(t, func() { written(func(m markup) { m.put("<p>{}</p>") }) })
	require.Panics(t, func() { written(func(m markup) { m.put("<p></p>", "text") }) })
}
