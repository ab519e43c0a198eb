package html

import (
	"bytes"
	"encoding/xml"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// mayTrust are the functions that may say of a text that it is safe, and why they may.
var mayTrust = map[string]string{
	"escape": "escapes it",
	"drawn":  "an ink, into which texts come escaped",
	"asset":  "a file of this package",
	"packed": "base64",
	"write":  "JSON, in which encoding/json escapes what could end a script",
	"prose":  "put together of escaped texts and the marks of Markdown",
	"block":  "as prose",
	"inline": "as prose",
}

// TestTrustIsSaid holds that nothing in the package becomes trusted markup without a conversion, that only the functions
// above convert, that nothing is ever made a layout, and that only markup writes to a page.
func TestTrustIsSaid(t *testing.T) {
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		require.NoError(t, err)
		for _, declared := range file.Decls {
			of, is := declared.(*ast.FuncDecl)
			ast.Inspect(declared, func(n ast.Node) bool {
				call, isCall := n.(*ast.CallExpr)
				if !isCall {
					return true
				}
				at := files.Position(call.Pos())
				switch fun := call.Fun.(type) {
				case *ast.Ident:
					require.NotEqual(t, "layout", fun.Name, "%s makes a layout of something", at)
					if fun.Name == "safe" {
						require.True(t, is && mayTrust[of.Name.Name] != "", "%s says that a text is safe, and may not", at)
						used[of.Name.Name] = true
					}
				case *ast.SelectorExpr:
					if inner, is := fun.X.(*ast.SelectorExpr); is && inner.Sel.Name == "out" {
						require.Equal(t, "markup.go", name, "%s writes past markup", at)
					}
				}
				return true
			})
		}
	}
	require.Len(t, used, len(mayTrust), "some of the functions need not be trusted any more")
}

// TestMarkupRefuses holds that a text has no place where escaping would not be enough.
func TestMarkupRefuses(t *testing.T) {
	for _, words := range []layout{
		`<a onclick="{}">`, `<a ONCLICK="x{}">`, `<p style="{}">`, `<iframe srcdoc="{}">`, `<a href={}>`, `<a {}>`, `<{}>`,
		`<script>{}</script>`, `<style>p { color: {} }</style>`, ` onclick="{}"`,
	} {
		require.Panics(t, func() { written(func(m markup) { m.put(words, "text") }) }, "%s", words)
	}
	for words, want := range map[layout]string{
		`<a href="{}">`: `<a href="#">`, `<img src="{}">`: `<img src="#">`, `<a href="#line-{}">`: `<a href="#line-java&#34;script:x">`,
		`<a title="{}">`: `<a title="java&#34;script:x">`, `<script></script>{}`: `<script></script>java&#34;script:x`,
	} {
		require.Equal(t, want, written(func(m markup) { m.put(words, `java"script:x`) }))
	}
	for _, away := range []string{`\\evil`, `/\evil`, " //evil", "\t//evil", "JAVASCRIPT:x", "data:image/svg+xml,<svg/>"} {
		require.Equal(t, "#", within(away))
	}
}

// texts are those that try to get out of their places.
var texts = []string{
	"", "web", evil, `"`, `'`, "`", "<", ">", "&", "&lt;", "{}", "%s%d%!", "${x}", "\x00", "\u2028", "\u202e", "\ufeff", "\x1b[31m", "\r",
	"</title>", "</style>", "</textarea>", "</noscript>", "</svg>", "<!--", "-->", "]]>", "<![CDATA[", "<script>alert(1)</script>",
	`" onclick="alert(1)`, `' onclick='alert(1)`, "javascript:alert(1)", "data:text/html,<b>", "//evil", `\\evil`, "<base href=//evil>",
	"<svg onload=alert(1)>", "x\xff\xfe", "[a](javascript:alert(1))", "```", "**", "https://evil/x.png",
}

// FuzzPages holds, for each text that a user can give, that it changes nothing but texts: a page has the elements and the
// attributes that it has with harmless ones, all addresses stay within it, the data is what was meant, and no character
// that turns or hides others is in it.
func FuzzPages(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	var harmless map[string]string
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\n:*`[") && !slices.Contains(texts, text) {
			t.Skip("lines, positions and Markdown are for other tests")
		}
		if harmless == nil {
			harmless = map[string]string{}
			for kind, page := range pagesOf(t, "x") {
				harmless[kind] = elements(t, page)
			}
		}
		pages := pagesOf(t, text)
		for kind, page := range pages {
			if kind != "lesson" {
				require.Equal(t, harmless[kind], elements(t, page), kind)
			}
			for _, hidden := range []string{"\u202e", "\x00", "\x1b"} {
				before, _, found := strings.Cut(page, hidden)
				require.False(t, found, "%s: %q after %s", kind, hidden, before[max(0, len(before)-80):])
			}
		}
		for element := range strings.SplitSeq(elements(t, pages["lesson"]), "\n") {
			require.NotRegexp(t, `^(img|script on|svg on|base|iframe|object|a .*href=[^#]).*`, element)
		}
		data := dataOf(t, pages["run"])
		require.Equal(t, render.Visible(text), data.Runs[0].Name, "the script is given what was meant")
		pictureOf(t, text)
	})
}

// hostileTo is a run in which every text that a user can give is the given one.
func hostileTo(text string) *report.Run {
	run := hostile()
	run.Name, run.Description, run.File, run.Repeat, run.Complaint = text, "h"+text, text+".yaml", "a"+text, "b"+text
	run.Source, run.Command, run.Explain = "c"+text, "d"+text, "e"+text
	for i := range run.Events {
		e := &run.Events[i]
		e.Image, e.Set.Name, e.Node = text, "web"+text, text
		if e.Pod != "" {
			e.Pod = "web" + text + e.Pod[len("web"):]
		}
		if e.Step != nil {
			e.Step.Does, e.Step.Name, e.Step.Refusal = text, text, text
			for _, set := range e.Step.Sets {
				set.Name = "web" + text
			}
		}
	}
	run.Expectations[0] = report.Expectation{Verdict: report.Failed, Text: text, Position: "f" + text, Detail: "g" + text,
		Expected: []string{text}, Around: []string{text}, Instants: []model.Time{2e9}}
	run.Cures = []report.Cure{{Set: run.Events[1].Set, Way: reasons.Way{Commands: []string{"kubectl " + text}}}}
	return run
}

func pagesOf(t *testing.T, text string) map[string]string {
	t.Helper()
	run := hostileTo(text)
	sheet := &Sheet{
		Title: text, Headline: text, Notes: []string{text}, Header: []string{text}, Command: "a" + text,
		Rows: []Row{{Cells: []Cell{{Text: text, Href: "a" + text, Image: text}, {Text: text}}}},
		Sections: []Section{{Title: text, Brief: "j" + text, Run: 1, Items: []Item{
			{Name: "n" + text, Text: "i" + text, Commands: []string{text}, Items: []Item{{Text: text, Head: true}}}}}},
	}
	lesson := &Lesson{Title: text, Question: text, Answer: text, Choices: []Choice{{"a", text}}, Right: text}
	pages := map[string]string{}
	for kind, write := range map[string]func(io.Writer) error{
		"run":    func(w io.Writer) error { return Write(w, run) },
		"runs":   func(w io.Writer) error { return Write(w, run, rolled(1, 0)) },
		"sheet":  func(w io.Writer) error { return sheet.Write(w, run) },
		"lesson": func(w io.Writer) error { return Teach(w, run, lesson) },
	} {
		var out bytes.Buffer
		require.NoError(t, write(&out))
		pages[kind] = out.String()
	}
	return pages
}

// elements lists the elements of a page with their attributes; of addresses it has what they are, too.
func elements(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var list []string
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		text := node.Data
		for _, a := range node.Attr {
			text += " " + a.Key
			if a.Key == "href" || a.Key == "src" {
				require.Regexp(t, `^(#.*|data:,|data:image/svg\+xml;base64,.*|[^:/\\][^:\\]*|)$`, a.Val, "an address that leads away")
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, "\n")
}

// pictureOf holds that a picture has no elements and attributes but those that draw.
func pictureOf(t *testing.T, text string) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, SVG(&out, hostileTo(text)))
	for decoder := xml.NewDecoder(&out); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if begun, is := token.(xml.StartElement); is {
			require.Contains(t, []string{"svg", "title", "defs", "pattern", "rect", "line", "text", "path", "circle"}, begun.Name.Local)
			for _, a := range begun.Attr {
				require.NotRegexp(t, `(?i)^(on.*|href|style)$`, a.Name.Local)
			}
		}
	}
}

// TestBrowserHostileKinds holds that nothing of a text runs on a page of any kind, in a browser that would let it.
func TestBrowserHostileKinds(t *testing.T) {
	b := newBrowser(t)
	const hit = `"'><img src=x onerror="window.hit=1"></script><script>window.hit=1</script><svg onload=window.hit=1>`
	for kind, page := range pagesOf(t, hit) {
		got := b.ask(t, page, "", `($("story").open = true, plots[0].scroller.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 400, clientY: 300 })),
			await new Promise((done) => setTimeout(done, 200)), [window.hit, document.images.length].join())`)
		require.Equal(t, ",0", got, kind)
	}
}
