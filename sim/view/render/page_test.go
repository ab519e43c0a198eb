package render_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func draw(style render.Style, with func(p *render.Page)) string {
	var b strings.Builder
	p := render.New(&b, style)
	with(p)
	if err := p.Flush(); err != nil {
		panic(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	got := draw(render.Style{Width: 40, Color: true}, func(p *render.Page) {
		p.Text(2, "the controller waits for web-1, which is not yet ready\n\nend", render.Bold)
		p.Hanging(0, "  order  ", "web-2, web-1, web-0: one at a time, each Ready first", render.Plain)
		p.Verbatim(4, "kubectl -n default delete pod web-2 --wait=false", render.Bad)
		p.Blank()
	})
	require.Equal(t, "  \x1b[1mthe controller waits for web-1, which\x1b[0m\n"+
		"    \x1b[1mis not yet ready\x1b[0m\n"+
		"\n"+
		"  \x1b[1mend\x1b[0m\n"+
		"  order  web-2, web-1, web-0: one at a\n"+
		"         time, each Ready first\n"+
		"    \x1b[31mkubectl -n default delete pod web-2 --wait=false\x1b[0m\n"+
		"\n", got)
}

func TestStyle(t *testing.T) {
	require.Equal(t, 80, render.Style{}.Columns(), "a pipe")
	require.Equal(t, 40, render.Style{Width: 12}.Columns(), "narrower than words are")
	require.Equal(t, 119, render.Style{Width: 119}.Columns())
}

// TestWrapping: no word is lost, and a line is only longer than the page where a word is.
func TestWrapping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zä]{1,30}`), 1, 30).Draw(t, "words")
		width := rapid.IntRange(1, 120).Draw(t, "width")
		lead := strings.Repeat(" ", rapid.IntRange(0, 30).Draw(t, "lead"))
		var b strings.Builder
		p := render.New(&b, render.Style{Width: width})
		p.Wrapped(lead, strings.Join(words, " "), render.Plain)
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Fields(b.String()); !slices.Equal(got, words) {
			t.Fatalf("words %q became %q", words, got)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			room := max(p.Style().Columns(), len(lead)+render.MinWidth/2)
			if render.Width(line) > room && strings.Contains(strings.TrimSpace(line), " ") {
				t.Fatalf("the line %q is longer than %d", line, room)
			}
		}
	})
}

type broken struct{ written int }

func (b *broken) Write(p []byte) (int, error) {
	b.written++
	return 0, errors.New("no space left")
}

func TestPageKeepsTheFirstError(t *testing.T) {
	w := &broken{}
	p := render.New(w, render.Style{})
	for range 10_000 {
		p.Text(0, strings.Repeat("word ", 20), render.Plain)
	}
	require.EqualError(t, p.Flush(), "no space left")
	require.Equal(t, 1, w.written)
}

func TestWidth(t *testing.T) {
	for text, width := range map[string]int{
		"": 0, "web-0": 5, "→": 1, "…": 1, "滚动更新": 8, "é": 1, "e\u0301": 1, "👩‍💻": 2, "ｱ": 1, "한국어": 6,
	} {
		require.Equal(t, width, render.Width(text), "%q", text)
	}
	require.Equal(t, "滚动   |", render.Pad("滚动", 7)+"|")
	require.Equal(t, "longer", render.Pad("longer", 3))
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text        string
		room        int
		first, rest string
	}{
		{"web-0 is Ready", 14, "web-0 is Ready", ""},
		{"web-0 is Ready", 13, "web-0 is", "Ready"},
		{"web-0 is Ready", 8, "web-0 is", "Ready"},
		{"web-0   is Ready", 6, "web-0", "is Ready"},
		{"registry.example/app:v1 is pulled", 8, "registry.example/app:v1", "is pulled"},
		{"registry.example/app:v1", 8, "registry.example/app:v1", ""},
		{"更新 web", 4, "更新", "web"},
		{"滚动更新一个一个地进行", 9, "滚动更新", "一个一个地进行"},
		{"滚动更新。一个", 8, "滚动更", "新。一个"},
		{"image 滚动", 9, "image 滚", "动"},
		{"滚动web-0", 4, "滚动", "web-0"},
		{"é is é", 6, "é is é", ""},
		{"é is é", 5, "é is", "é"},
	} {
		first, rest := render.Cut(c.text, c.room)
		require.Equal(t, []string{c.first, c.rest}, []string{first, rest}, "%q in %d", c.text, c.room)
	}
}

// TestCutLosesNothing holds that a text that is cut into lines is the same text, and that lines are too wide only where
// a word is.
func TestCutLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé…]{1,12}|[滚动更新。]{1,6}|👩‍💻`), 1, 12).Draw(t, "words")
		room := rapid.IntRange(1, 30).Draw(t, "room")
		text, together := strings.Join(words, " "), ""
		for first, rest := "", text; rest != ""; {
			first, rest = render.Cut(rest, room)
			together += first
			if render.Width(first) > room && strings.Contains(first, " ") {
				t.Fatalf("%q is wider than %d", first, room)
			}
		}
		if want := strings.Join(words, ""); strings.ReplaceAll(together, " ", "") != want {
			t.Fatalf("got %q, want %q", together, want)
		}
	})
}

func TestADescriptionInChineseStaysOnThePage(t *testing.T) {
	got := draw(render.Style{}, func(p *render.Page) {
		p.Hanging(0, "", strings.Repeat("有状态副本集的滚动更新从序号最大的开始，", 4), render.Plain)
	})
	for line := range strings.Lines(got) {
		require.LessOrEqual(t, render.Width(strings.TrimSpace(line)), 80)
		require.False(t, strings.HasPrefix(line, "，"), "a comma begins no line: %q", line)
	}
}

func TestShorten(t *testing.T) {
	require.Equal(t, "app:v1", render.Shorten("app:v1", 6))
	require.Equal(t, "registr…", render.Shorten("registry.example/app:v1", 8))
	require.Equal(t, "滚动…", render.Shorten("滚动更新", 6))
	require.Equal(t, "滚动更新", render.Shorten("滚动更新", 8))
}

func TestVisible(t *testing.T) {
	require.Equal(t, "web-0 – ok", render.Visible("web-0 – ok"))
	require.Equal(t, `\x1b[31mred \u202e \n`, render.Visible("\x1b[31mred \u202e \n"))
	require.Equal(t, `a\uffffb\ufdd0`, render.Visible("a\uffffb\ufdd0"))
	require.Equal(t, "a�b", render.Visible("a\xffb"))
	require.Zero(t, testing.AllocsPerRun(10, func() { render.Visible("web-0 – ok") }), "what is visible is not copied")
	require.Equal(t, "  \\x1b[2J\n  \\a\n", draw(render.Style{}, func(p *render.Page) {
		p.Hanging(0, "  ", "\x1b[2J", render.Plain)
		p.Verbatim(2, "\a", render.Plain)
	}), "no text of a page steers the terminal")
}

func TestWords(t *testing.T) {
	require.Equal(t, "1m03s", render.Clock(63*time.Second))
	require.Equal(t, "1.5s", render.Clock(model.Time(1500*time.Millisecond)))
	require.Equal(t, "1 pod", render.Count(1, "pod"))
	require.Equal(t, "0 pods", render.Count(0, "pod"))
	require.Equal(t, []string{"are", "is", "are"},
		[]string{render.Agree(0, "is", "are"), render.Agree(1, "is", "are"), render.Agree(2, "is", "are")})
	require.Equal(t, "Nothing", render.Capital("nothing"))
	require.Equal(t, "", render.Capital(""))
	require.Equal(t, "écart", render.Capital("écart"))
	require.Equal(t, []string{"A", "Aérien"}, []string{render.Capital("a"), render.Capital("aérien")})
}

func TestLists(t *testing.T) {
	for _, c := range []struct{ names, list, and string }{
		{"", "", ""},
		{"a", "a", "a"},
		{"a b", "a, b", "a and b"},
		{"a b c", "a, b, c", "a, b and c"},
		{"a b c d", "a, b and 2 more", "a, b, c and d"},
	} {
		names := strings.Fields(c.names)
		require.Equal(t, c.list, render.List(names, 2))
		require.Equal(t, c.and, render.And(names))
	}
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"web: 4/4 serving; 4 at @2 app:v2":         "web: 4/4 serving; 4 at @&#8203;2 app:v2",
		"cc @kubernetes/sig-apps":                  "cc @&#8203;kubernetes/sig-apps",
		"(@a,@b)":                                  "(@&#8203;a,@&#8203;b)",
		"app@sha256:1 is no mention":               "app@sha256:1 is no mention",
		"see #123 and x/y#4, GH-5":                 "see #&#8203;123 and x/y#&#8203;4, GH-&#8203;5",
		"&copy; <b>":                               "&amp;copy; &lt;b&gt;",
		"a|b `c` *d* _e_ [f](g) ~h~ $i$":           "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g) \\~h\\~ \\$i\\$",
		"# no heading":                             `\# no heading`,
		"- no item\n+ none\n1. none":               "\\- no item\n\\+ none\n1\\. none",
		"text\n---\n===":                           "text\n\\---\n\\===",
		"-1 is a number, 1.34 is a version, a - b": "-1 is a number, 1.34 is a version, a - b",
		"\x1b[31m":                                 `\\x1b\[31m`,
	} {
		require.Equal(t, want, render.Paragraphs(text), "%q", text)
	}
	require.Equal(t, `a\\n\* b`, render.Markdown("a\n* b"), "nothing ends the line of an item")
}

func TestCode(t *testing.T) {
	require.Equal(t, "`web-0`", render.Code("web-0"))
	require.Equal(t, "``a`b``", render.Code("a`b"))
	require.Equal(t, "`` `a ``", render.Code("`a"))
	require.Equal(t, "`\\x1b[2J`", render.Code("\x1b[2J"))
	require.Equal(t, "```console\n$ sim run\n```\n", render.Block("console", "$ sim run"))
	require.Equal(t, "````\n```\n````\n", render.Block("", "```"))
	require.Equal(t, "```\na\n\\x1b[2Jb\n```\n", render.Block("", "a\n\x1b[2Jb"), "control characters are made visible")
}

func TestGrid(t *testing.T) {
	g := render.Grid{Header: []string{"set", "podManagementPolicy=Parallel"}, Rows: [][]string{
		{"滚动", "@1 | app"}, {"web", ""},
	}}
	require.Equal(t, "SET   PODMANAGEMENTPOLICY=PARALLEL\n"+
		"滚动  @1 | app\n"+
		"web\n", draw(render.Style{}, func(p *render.Page) { p.Table(g) }))
	require.Equal(t, ""+
		"| set  | podManagementPolicy=Parallel |\n"+
		"|:-----|:-----------------------------|\n"+
		"| 滚动 | @&#8203;1 \\| app             |\n"+
		"| web  |                              |\n", g.Markdown())
	require.Equal(t, "@1 | app", g.Rows[0][1], "the grid itself stays as it is")
}

func TestTableOnANarrowPage(t *testing.T) {
	g := render.Grid{Header: []string{"pod", "state", "image"}, Rows: [][]string{
		{"web-0", "Pending (ImagePullBackOff: no such image)", "registry.example/app:v1"},
		{"web-1", "Ready", "app:v1"},
	}}
	require.Equal(t, ""+
		"POD    STATE               IMAGE\n"+
		"web-0  Pending             registry.example/app:v1\n"+
		"       (ImagePullBackOff:\n"+
		"       no such image)\n"+
		"web-1  Ready               app:v1\n", draw(render.Style{Width: 50}, func(p *render.Page) { p.Table(g) }))
	require.Equal(t, []string{
		"POD    STATE                                      IMAGE",
		"web-0  Pending (ImagePullBackOff: no such image)  registry.example/app:v1",
		"web-1  Ready                                      app:v1",
	}, g.Lines())
	require.NotContains(t, g.Rows[0][1], "\n", "the grid itself stays as it is")
	names := render.Grid{Header: []string{"revision", "change-cause", "image", "pods"}, Rows: [][]string{
		{"2", "<none>", "registry.example/app:v1", "web-0, web-1"},
		{"3", "", "app:v2", ""},
	}}
	require.Equal(t, ""+
		"REVISION  CHANGE-  IMAGE              PODS\n"+
		"          CAUSE\n"+
		"2         <none>   registry.example/  web-0,\n"+
		"                   app:v1             web-1\n"+
		"3                  app:v2\n", draw(render.Style{Width: 45}, func(p *render.Page) { p.Table(names) }))
	names.Header[3] = "podsthatarethere"
	require.Equal(t, ""+
		"REVISION          2\n"+
		"CHANGE-CAUSE      <none>\n"+
		"IMAGE             registry.example/app:v1\n"+
		"PODSTHATARETHERE  web-0, web-1\n"+
		"\n"+
		"REVISION          3\n"+
		"IMAGE             app:v2\n", draw(render.Style{Width: 45}, func(p *render.Page) { p.Table(names) }))
	names.Rows = [][]string{{"", "web-0 did not come back", "registry.example/app:v1", "web-0, web-1, web-2, web-3, web-4"}}
	require.Equal(t, ""+
		"CHANGE-CAUSE      web-0 did not come\n"+
		"                  back\n"+
		"IMAGE             registry.example/app:v1\n"+
		"PODSTHATARETHERE  web-0, web-1, web-2,\n"+
		"                  web-3, web-4\n", draw(render.Style{Width: 40}, func(p *render.Page) { p.Table(names) }),
		"what does not fit goes on below its beginning")
	draw(render.Style{Width: 40}, func(p *render.Page) { p.Table(render.Grid{Header: []string{"a"}}) })
}

// TestTableInAPipe: a row stays a line, however wide it is.
func TestTableInAPipe(t *testing.T) {
	wide := strings.TrimSpace(strings.Repeat("word ", 40))
	require.Equal(t, "A\n"+wide+"\n", draw(render.Style{}, func(p *render.Page) {
		p.Table(render.Grid{Header: []string{"a"}, Rows: [][]string{{wide}}})
	}))
}

// TestNamesAreCutAfterMarks: a table on a narrow page cuts long names after a mark, so that each part has at least three
// characters, the mark included.
func TestNamesAreCutAfterMarks(t *testing.T) {
	long := strings.Repeat("c", 37)
	for name, want := range map[string]string{
		"ab-" + long + "c": "N\nab-\n" + long + "c\n",
		long + "-ddd":      "N\n" + long + "-\nddd\n",
		"a-" + long + "cc": "N  a-" + long + "cc\n",
		long + "c-dd":      "N  " + long + "c-dd\n",
	} {
		require.Equal(t, want, draw(render.Style{Width: 40}, func(p *render.Page) {
			p.Table(render.Grid{Header: []string{"n"}, Rows: [][]string{{name}}})
		}))
	}
	require.Equal(t, "N\nabc-\n"+long+"\nabc-"+long[1:]+"\n", draw(render.Style{Width: 40}, func(p *render.Page) {
		p.Table(render.Grid{Header: []string{"n"}, Rows: [][]string{{"abc-" + long}, {"abc-" + long[1:]}}})
	}), "a name that just fits is not cut")
	first, second := strings.Repeat("a", 20), strings.Repeat("b", 20)
	for name, want := range map[string]string{
		first + "/abc:" + second:      "N\n" + first + "/abc:\n" + second + "\n",
		first + "/" + second + ":abc": "N\n" + first + "/\n" + second + ":abc\n",
	} {
		require.Equal(t, want, draw(render.Style{Width: 40}, func(p *render.Page) {
			p.Table(render.Grid{Header: []string{"n"}, Rows: [][]string{{name}}})
		}), "after the last mark that fits")
	}
	just, over := first+"/"+second[:18]+":ddd", first+"/"+second[:19]+":ddd"
	require.Equal(t, "N\n"+just[:40]+"\nddd\n"+over[:21]+"\n"+over[21:]+"\n",
		draw(render.Style{Width: 40}, func(p *render.Page) {
			p.Table(render.Grid{Header: []string{"n"}, Rows: [][]string{{just}, {over}}})
		}), "the mark is the last character that fits")
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, render.JSON(&b, struct {
		Name string `json:"name"`
	}{"a < b"}))
	require.Equal(t, "{\n  \"formatVersion\": 1,\n  \"name\": \"a < b\"\n}\n", b.String())
	b.Reset()
	require.NoError(t, render.JSON(&b, struct{}{}))
	require.JSONEq(t, `{"formatVersion": 1}`, b.String())
	full := &broken{}
	require.EqualError(t, render.JSON(full, struct{}{}), "no space left")
	require.Equal(t, 1, full.written, "nothing is written behind a gap")
	require.ErrorContains(t, render.JSON(&b, map[string]any{"f": func() {}}), "the report as JSON")
	require.Panics(t, func() { _ = render.JSON(&b, []int{1}) })
}
