package strict_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestSyntax shows what is said of files that are no YAML, or not the YAML that their authors meant.
func TestSyntax(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"binary", "a\x00b", "f:1:2: byte 0x00 is not text: a file must be YAML in UTF-8"},
		{"a chart as it is packed", "\x1f\x8b\b", "f:1:1: this is compressed with gzip: unpack it first, or, if it is a Helm chart, " +
			"pass what helm template prints for it"},
		{"not UTF-8", "a: b\nc: \xff", "f:2:4: byte 0xff is not text: a file must be YAML in UTF-8"},
		{"at sign", "a: @1 Terminating\n", `f:1:4: this is not YAML (found character that cannot start any token): quote this: "@1 Terminating"`},
		{"star and space", "a: * Ready\n", `f:1:4: this is not YAML (did not find expected alphabetic or numeric character): quote this: "* Ready"`},
		{"star", "b: 1\na: *Ready\n", "f:2:4: there is no anchor &Ready: a value that begins with * is an alias; if it is not meant as one, quote this"},
		{"colon", "a: b ? c : d\n", `f:1:4: this is not YAML (mapping values are not allowed in this context): quote this: "b ? c : d"`},
		{"quotes at the beginning", "a: \"x\" == y\n", `f:1:4: this is not YAML (did not find expected key): quote this: '"x" == y'`},
		{"bracket at the beginning", "a: [b].size() > 1\n", `f:1:4: this is not YAML (did not find expected key): quote this: "[b].size() > 1"`},
		{"in a flow", "a: [x, @1 Ready]\n", `f:1:8: this is not YAML (found character that cannot start any token): quote this: "@1 Ready"`},
		{"tab", "a:\n\tb: 1\n", "f:2:1: this is not YAML (found character that cannot start any token): indent with spaces, not with tabs"},
		{"greater", "a: > 5\n", `f:1:4: this is not YAML (did not find expected comment or line break): quote this: "> 5"`},
		{"end of file", "{a: b", "f:1:1: this is not YAML (did not find expected ',' or '}'): check the indentation, the quotes and the brackets around this line"},
		{"comma in a flow", "a: {b: f(p, p.c), d: 1}\n", `f:1:8: YAML ends this value at its comma: f(p: quote this: "f(p, p.c)"`},
		{"commas in a flow", "a: {b: f(p, p.c == \"x\", q ), d: 1}\n", `f:1:8: YAML ends this value at its comma: f(p: quote this: 'f(p, p.c == "x", q )'`},
		{"list in a flow", "b: 1\na: {b: x in [1, 2], c: 1}\n", `f:2:8: this is not YAML (did not find expected ',' or '}'): quote this: "x in [1, 2]"`},
		{"range in a flow", "a: [y, web-[0-2]@2 *]\n", `f:1:8: this is not YAML (found character that cannot start any token): quote this: "web-[0-2]@2 *"`},
		{"question in a flow", "a: {b: f(p, p.c ? 1 : 2)}\n", `f:1:8: this is not YAML (did not find expected ',' or '}'): quote this: "f(p, p.c ? 1 : 2)"`},
		{"end of a flow", "a: 1\nb:\n- {c: d\n", "f:3:1: this is not YAML (did not find expected ',' or '}'): check the indentation, the quotes and the brackets around this line"},
		{"value below its key, not indented", "a:\n- b:\nc.yaml\n", "f:3:1: this is not YAML (could not find expected ':'): write KEY: VALUE; a value in the line below its key is indented more than the key"},
		{"no colon", "a:\n  b 1\n  c: 2\n", "f:3:1: this is not YAML (mapping values are not allowed in this context): write one KEY: VALUE a line; look at the line above too, which may have no colon"},
		{"end of a block", "a: |\n  b\n c\n", "f:3:1: this is not YAML (did not find expected key): check the indentation, the quotes and the brackets around this line"},
		{"template of a chart", "a: {{ .Values.x }}\n", "f:1:4: this is a Helm template: render it with helm template"},
		{"doubled key", "a: 1\nb: 2\na: 3\n", `f:3:1: duplicate key "a": first used on line 1: keep one`},
		{"lists of the same key", "a: [1]\na: [2]\n", `f:2:1: duplicate key "a": first used on line 1: put both into one`},
		{"conflict", "a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n", "f:2:1: the file has an unresolved conflict of Git (<<<<<<<): resolve it"},
		{"colon in a flow mapping", "a: {image: app: v2}\n", `f:1:12: this is not YAML (did not find expected ',' or '}'): quote a value with a colon: "app:v2"`},
		{"merge of text", "a:\n  <<: x\n", "f:2:7: the merge key << is given a single value: it takes an alias of a mapping, or a list of them"},
		{"alias of itself", "a: &a [*a]\n", "f:1:4: an alias refers to a value that contains it: write the value out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := strict.Parse("f", []byte(c.file), strict.Limits{})
			require.Error(t, problems.Err())
			require.Equal(t, c.want, problems.Err().Error())
		})
	}
}

// TestLimits shows that what is too much is refused by name, and quickly.
func TestLimits(t *testing.T) {
	bomb := "a: &a0 [x]\n"
	for i := range 60 {
		bomb += fmt.Sprintf("b%d: &a%d [*a%d, *a%d]\n", i, i+1, i, i)
	}
	for _, c := range []struct {
		name, file string
		limits     strict.Limits
		want       string
	}{
		{"size", "aaaaa", strict.Limits{FileSize: 4}, "f: the file has more than 4 bytes: make it smaller, or raise the limit with --max-file-size"},
		{"depth", "a:\n- - - - b", strict.Limits{Depth: 3}, "f:2:5: the nesting is deeper than 3: nest less, or raise the limit with --max-depth"},
		{"depth by aliases", "a: &a [[x]]\nb: &b [[*a]]\n", strict.Limits{Depth: 4},
			"f:1:8: the nesting is deeper than 4: nest less, or raise the limit with --max-depth"},
		{"flow depth", strings.Repeat("[", 100_000), strict.Limits{}, "f:1:1: this is not YAML: exceeded max depth of 10000"},
		{"aliases", bomb, strict.Limits{},
			"f:1:1: the file has more than 10000000 values when its aliases are written out: make it smaller, or raise the limit with --max-nodes"},
		{"size and values", "a: 1\nb: 1\nc: 1\n", strict.Limits{FileSize: 14, Nodes: 5},
			"f: the file has more than 14 bytes: make it smaller, or raise the limits with --max-file-size and --max-nodes"},
		{"values of a dump", "kind: List\nitems:\n- a: 1\n", strict.Limits{Nodes: 5},
			"f:1:1: the file has more than 5 values when its aliases are written out: make it smaller, or raise the limit with " +
				"--max-nodes; what kubectl get -o json prints is read faster, and takes less memory"},
		{"copies", "a: &a [" + strings.Repeat("x,", 1000) + "]\nb: [" + strings.Repeat("*a,", 1000) + "]\n", strict.Limits{},
			"f:1:1: the aliases of the file stand for more than 1000000 values: make it smaller, or raise the limit with --max-nodes"},
		{"memory", strings.Repeat("- a\n", 1<<19), strict.Limits{Memory: 1 << 20},
			"f: reading it takes nearly the 1 MiB of memory that are allowed: make it smaller, or raise the limit with --max-memory"},
		{"documents", "a\n---\nb\n---\nc\n", strict.Limits{Documents: 2},
			"f:4:1: the file has more than 2 documents: split it, or raise the limit with --max-documents"},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, problems := strict.Parse("f", []byte(c.file), c.limits)
			require.Empty(t, docs)
			require.Error(t, problems.Err())
			require.Equal(t, c.want, problems.Err().Error())
		})
	}
}

// TestParse shows that aliases and merge keys are written out, and that empty documents, a byte order mark and the line
// ends of other systems do not matter.
func TestParse(t *testing.T) {
	file := "\ufeffbase: &base {a: 1, b: 2}\r\nmore:\r\n  <<: *base\r\n  b: 3\r\nlist: [*base]\r\n---\r\n---\r\nsecond: true\r\n"
	docs, problems := strict.Parse("f", []byte(file), strict.Limits{})
	require.NoError(t, problems.Err())
	require.Len(t, docs, 2)
	r := &strict.Reader{File: "f"}
	first := r.Map(docs[0], "the file", "base", "more", "list")
	more := first.Map("more", "a", "b")
	require.Equal(t, []string{"b", "a"}, more.Keys())
	require.Equal(t, int64(3), more.Int("b", strict.Any32))
	require.Equal(t, int64(1), more.Int("a", strict.Any32))
	require.Equal(t, int64(2), r.Map(first.List("list")[0], "the item").Int("b", strict.Any32))
	require.True(t, r.Map(docs[1], "the second", "second").Bool("second"))
	require.NoError(t, r.Err())
}

func TestParseOne(t *testing.T) {
	_, problems := strict.ParseOne("f", []byte("# nothing\n"), strict.Limits{})
	require.EqualError(t, problems.Err(), "f:1:1: the file is empty")
	_, problems = strict.ParseOne("f", []byte("a: 1\n---\nb: 2\n"), strict.Limits{})
	require.EqualError(t, problems.Err(), "f:3:1: the file has more than one document: write one file for each")
}

// TestReader shows what is said of each value that is not what it should be. Everything is read with every getter that
// the key names.
func TestReader(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"text: 5", `f:1:7: text must be text, but YAML reads 5 as a number: quote this: "5"`},
		{"text: true", `f:1:7: text must be text, but YAML reads true as a boolean: quote this: "true"`},
		{"text: 2026-01-31", `f:1:7: text must be text, but YAML reads 2026-01-31 as a date: quote this: "2026-01-31"`},
		{"text: !x y", `f:1:7: text must be text, but YAML reads !x as a tag: quote this: "!x y"`},
		{"text: {a: b}", "f:1:7: text must be text, but YAML reads a mapping: write one text; if the mapping is meant as text, quote it"},
		{"text: [a]", "f:1:7: text must be text, but YAML reads a list: write one text: \"a\""},
		{"text: [a, b]", "f:1:7: text must be text, but YAML reads a list: write one text; if the list is meant as text, quote it"},
		{"text:\n- a: b", "f:2:1: text must be text, but YAML reads a list: write one text"},
		{"text: # ready > 1", `f:1:6: text has no value, only a comment: quote this: "# ready > 1"`},
		{"text:", "f:1:6: text has no value: write it behind the colon, or indented below the key, or leave the key out"},
		{"number: five", `f:1:9: number is "five": write a whole number from 1 to 9, or raise the limit with --most`},
		{"number: \"5\"", `f:1:9: number is "5", which is text: write a whole number from 1 to 9, or raise the limit with --most`},
		{"number: 0", "f:1:9: number is 0: write a whole number from 1 to 9, or raise the limit with --most"},
		{"number: 2000000000", "f:1:9: number is 2000000000: write a whole number from 1 to 9, or raise the limit with --most"},
		{"number: 99999999999999999999", "f:1:9: number is 99999999999999999999: write a whole number from 1 to 9, or raise the limit with --most"},
		{"number: 1.5", "f:1:9: number is 1.5: write a whole number from 1 to 9, or raise the limit with --most"},
		{"number: [1]", "f:1:9: number is a list: write a whole number from 1 to 9, or raise the limit with --most"},
		{"truth: 1", "f:1:8: truth is 1: write true or false"},
		{"truth: \"true\"", `f:1:8: truth is "true": write true or false`},
		{"duration: 5", "f:1:11: duration is 5: a duration needs a unit: for example 5s"},
		{"duration: 5 s", `f:1:11: duration is "5 s": write a duration like 90s, 1500ms or 1h30m`},
		{"duration: -5s", "f:1:11: duration is -5s: a duration is not negative"},
		{"duration: 999999h", "f:1:11: duration is 999999h: write at most 87600h0m0s, or raise the limit with --max-duration"},
		{"duration: 9999999999h", `f:1:11: duration is 9999999999h: write at most 87600h0m0s`},
		{"duration: {}", "f:1:11: duration is a mapping: write a duration like 90s, 1500ms or 1h30m"},
		{"word: lft", `f:1:7: word is "lft": did you mean left? It must be one of left, right`},
		{"word: elsewhere", `f:1:7: word is "elsewhere": it must be one of left, right`},
		{"list: a", `f:1:7: list is "a": write a list, one item after each dash`},
		{"map: a", `f:1:6: map is "a": write a mapping, key: value, of inner`},
		{"map: {x: 1, inne: 2}", "f:1:6: map lacks the key \"inner\"\nf:1:7: unknown key \"x\": the keys of map are inner\n" +
			"f:1:13: unknown key \"inne\": did you mean inner? The keys of map are inner"},
		{"map: {}", `f:1:6: map lacks the key "inner"`},
	} {
		t.Run(c.file, func(t *testing.T) {
			root, problems := strict.ParseOne("f", []byte(c.file), strict.Limits{})
			require.NoError(t, problems.Err())
			r := &strict.Reader{File: "f"}
			m := r.Map(root, "the file", "text", "number", "truth", "duration", "word", "list", "map")
			require.Empty(t, m.String("text"))
			require.Zero(t, m.Int("number", strict.Range{Min: 1, Max: 9, Flag: "--most"}))
			require.False(t, m.Bool("truth"))
			require.Zero(t, m.Duration("duration"))
			require.Empty(t, m.OneOf("word", "left", "right"))
			require.Empty(t, m.List("list"))
			require.False(t, m.Map("map", "inner").Need("inner"))
			require.Error(t, r.Err())
			require.Equal(t, c.want, r.Err().Error())
		})
	}
}

// TestAbsent shows that a key that is not there, or a mapping that is not there, is no problem.
func TestAbsent(t *testing.T) {
	root, _ := strict.ParseOne("f", []byte("map:\nlist:\nzero: 0\n"), strict.Limits{})
	r := &strict.Reader{File: "f"}
	m := r.Map(root, "the file")
	require.Nil(t, m.Map("map"))
	require.Empty(t, m.List("list"))
	require.Equal(t, time.Duration(0), m.Duration("zero"))
	for _, m := range []*strict.Map{m, m.Map("absent"), m.Map("map")} {
		require.False(t, m.Has("x"))
		require.Nil(t, m.Key("x"))
		require.Empty(t, m.String("x"))
		require.Zero(t, m.Int("x", strict.Any32))
		require.False(t, m.Bool("x"))
		require.Zero(t, m.Duration("x"))
		require.Empty(t, m.OneOf("x", "y"))
		require.Empty(t, m.List("x"))
		require.Nil(t, m.Map("x"))
	}
	require.NoError(t, r.Err())
}

// TestProblems shows that problems are sorted, told once, on a line each, and not without end.
func TestProblems(t *testing.T) {
	p := strict.Problems{
		{File: "b", Line: 1, Column: 1, What: "x"}, {File: "a", Line: 2, Column: 1, What: "y", Want: "z"},
		{File: "a", Line: 1, Column: 9, What: "w"}, {File: "b", Line: 1, Column: 1, What: "x"}, {File: "a", What: "v"},
	}
	require.EqualError(t, p.Err(), "a: v\na:1:9: w\na:2:1: y: z\nb:1:1: x")
	require.NoError(t, strict.Problems(nil).Err())

	root, _ := strict.ParseOne("f", []byte(strings.Repeat("- \"a\\nb"+strings.Repeat("ü", 1000)+"\"\n", 2000)), strict.Limits{})
	r := &strict.Reader{File: "f"}
	for _, n := range r.List(root, "the file") {
		r.Problem(n, "this is "+n.Value, "")
	}
	require.Len(t, r.Problems, 50)
	require.Less(t, len(r.Problems[0].Error()), 1100)
	require.NotContains(t, r.Problems[0].Error(), "\n")
}

func TestNearest(t *testing.T) {
	words := []string{"replicas", "serviceName", "at", "after", "seed", "speed"}
	for word, want := range map[string]string{
		"replica": "replicas", "Replicas": "replicas", "servicename": "serviceName", "serivceName": "serviceName", "atfer": "after",
		"sped": "speed", "SPED": "speed", "sed": "seed", "zzz": "", strings.Repeat("replicas", 100): "",
	} {
		require.Equal(t, want, strict.Nearest(word, words), word)
	}
}

// TestKeys shows that the keys of a mapping come in the order of the file, those that nobody knows too.
func TestKeys(t *testing.T) {
	root, _ := strict.ParseOne("f", []byte("b: 1\na: 2\nunknown: 3\n"), strict.Limits{})
	r := &strict.Reader{File: "f"}
	require.Equal(t, []string{"b", "a", "unknown"}, r.Map(root, "the file", "a", "b").Keys())
	require.Error(t, r.Err())
	empty, _ := strict.ParseOne("f", []byte("{}\n"), strict.Limits{})
	require.Empty(t, r.Map(empty, "the file").Keys())
	require.Empty(t, (*strict.Map)(nil).Keys())
}

// TestBlock shows that the positions in a block of text are those of the file.
func TestBlock(t *testing.T) {
	root, _ := strict.ParseOne("f", []byte("x:\n  text: |\n    a: 1\n    a: 2\n"), strict.Limits{})
	r := &strict.Reader{File: "f"}
	n := r.Map(root, "the file").Map("x").Value("text")
	docs := strict.ParseBlock(r, n, n.Value)
	require.Equal(t, 3, docs[0].Line)
	require.NotNil(t, r.Map(docs[0], "the block"))
	require.Equal(t, 4, r.Warnings[0].Line)
	within := strict.ParseBlock(r, n, "a: &x\n  b: 1\nc:\n- *x\n- 2\n")
	block := r.Map(within[0], "the block")
	require.Equal(t, 4, block.Value("a").Content[0].Line)
	again, two := block.Value("c").Content[0], block.Value("c").Content[1]
	require.Equal(t, []int{4, 7}, []int{again.Content[0].Line, two.Line}, "an alias stands where its anchor does")
	n.Value = "a: &x 1\nb: *y\n"
	require.Nil(t, strict.ParseBlock(r, n, n.Value))
	require.Equal(t, 4, r.Problems[0].Line)
}
