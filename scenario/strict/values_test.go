package strict_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestValues: what is right is read, up to the bounds themselves.
func TestValues(t *testing.T) {
	root, problems := strict.ParseOne("f", []byte(`
text: x
quoted: "5"
most: 9
least: 1
large: 18446744073709551615
yes: TRUE
no: false
long: 87600h
none: 0
word: left
list: [a, b]
null: ~
map: {inner: {deep: 1}}
`), strict.Limits{})
	require.NoError(t, problems.Err())
	r := &strict.Reader{File: "f"}
	m := r.Map(root, "the file")
	within := strict.Range{Min: 1, Max: 9}
	require.Equal(t, "x", m.String("text"))
	require.Equal(t, "5", m.String("quoted"))
	require.Equal(t, int64(9), m.Int("most", within))
	require.Equal(t, int64(1), m.Int("least", within))
	require.Equal(t, uint64(math.MaxUint64), m.Uint("large"))
	require.Zero(t, m.Uint("absent"))
	require.True(t, m.Bool("yes"))
	require.False(t, m.Bool("no"))
	require.Equal(t, 10*365*24*time.Hour, m.Duration("long"))
	require.Zero(t, m.Duration("none"))
	require.Equal(t, "left", m.OneOf("word", "left", "right"))
	require.Len(t, m.List("list"), 2)
	require.Empty(t, m.List("null"))
	require.Equal(t, int64(1), m.Map("map", "inner").Map("inner", "deep").Int("deep", strict.Any32))
	require.True(t, m.Need("text"))
	require.False(t, (*strict.Map)(nil).Need("text"))
	require.Equal(t, 2, m.Key("text").Line)
	require.Equal(t, "x", m.Value("text").Value)
	require.NoError(t, r.Err())

	require.Zero(t, m.Uint("text"))
	require.ErrorContains(t, r.Err(), `text is "x": write a whole number from 0 to 18446744073709551615`)
}

// TestRange: a bound that no number reaches is not named.
func TestRange(t *testing.T) {
	for r, want := range map[strict.Range]string{
		{Min: 0, Max: 9}:                             "write a whole number from 0 to 9",
		{Min: 0, Max: 9, Flag: "--most"}:             "write a whole number from 0 to 9, or raise the limit with --most",
		{Min: 2, Max: math.MaxInt32}:                 "write a whole number of at least 2",
		{Min: math.MinInt32, Max: 5}:                 "write a whole number from -2147483648 to 5",
		strict.Any32:                                 "write a whole number",
		{Min: math.MinInt32 + 1, Max: math.MaxInt32}: "write a whole number of at least -2147483647",
		{Min: math.MinInt32, Max: math.MaxInt32 - 1}: "write a whole number from -2147483648 to 2147483646",
	} {
		require.Equal(t, want, r.String())
	}
}

// TestLimitsByDefault: a limit that is not given is the usual one, and one that is given stays.
func TestLimitsByDefault(t *testing.T) {
	usual := reflect.ValueOf(strict.DefaultLimits())
	filled := strict.Limits{}.OrDefault()
	require.Equal(t, strict.DefaultLimits(), filled)
	for i := range usual.NumField() {
		var given strict.Limits
		reflect.ValueOf(&given).Elem().Field(i).SetInt(7)
		all := reflect.ValueOf(given.OrDefault())
		for j := range usual.NumField() {
			want := usual.Field(j).Int()
			if i == j {
				want = 7
			}
			require.Equal(t, want, all.Field(j).Int(), usual.Type().Field(j).Name)
		}
	}
}

// TestJustWithin: what reaches a limit is not too much.
func TestJustWithin(t *testing.T) {
	for text, limits := range map[string]strict.Limits{
		"aaaa":                         {FileSize: 4},
		"a:\n- - b":                    {Depth: 4},
		"a: &a [[x]]\nb: &b [[*a]]\n":  {Depth: 6},
		"a: &a [x, y]\nb: [*a, *a]\n":  {Nodes: 13},
		"a: 1\n---\nb: 1\n---\nc: 1\n": {Documents: 3, Nodes: 9},
	} {
		_, problems := strict.Parse("f", []byte(text), limits)
		require.NoError(t, problems.Err(), text)
	}
	for text, limits := range map[string]strict.Limits{
		"a: &a [[x]]\nb: &b [[*a]]\n":  {Depth: 5},
		"a: &a [x, y]\nb: [*a, *a]\n":  {Nodes: 12},
		"a: 1\n---\nb: 1\n---\nc: 1\n": {Nodes: 8},
	} {
		_, problems := strict.Parse("f", []byte(text), limits)
		require.Error(t, problems.Err(), text)
	}
}

// TestMerge: a key of the mapping itself wins over a merged one, an earlier merged mapping over a later one.
func TestMerge(t *testing.T) {
	for text, want := range map[string]string{
		"<<: {a: 1, b: 1}\na: 2":           "{a: 2, b: 1}",
		"a: 2\n<<: {a: 1}":                 "{a: 2}",
		"<<: [{a: 1, b: 1}, {b: 2, c: 2}]": "{a: 1, b: 1, c: 2}",
		"<<: {<<: {a: 1, b: 1}, b: 2}":     "{b: 2, a: 1}",
		"\"<<\": {a: 1}":                   "{\"<<\": {a: 1}}",
		"<<: [{a: 1}, x]":                  "f:1:14: the merge key << is given a single value",
		"<<: ~":                            "f:1:5: the merge key << is given a null",
		"<<: [[a]]":                        "f:1:6: the merge key << is given a list",
		"{a: b}: c":                        "f:1:1: a key is a mapping: keys are text; quote this",
		"? [a]\n: c":                       "f:1:3: a key is a list: keys are text; quote this",
		"a: 1\nb: {x: 1, x: 2}":            `f:2:11: duplicate key "x": first used on line 2: keep one`,
		"a: 1\n? a\n":                      `f:2:3: duplicate key "a": first used on line 1: keep one`,
		"x: &x {a: 1}\ny: {<<: *x, a: 2}\nz: {<<: *x}": "{x: {a: 1}, y: {a: 2}, z: {a: 1}}",
	} {
		docs, problems := strict.Parse("f", []byte(text), strict.Limits{})
		if strings.HasPrefix(want, "f:") {
			require.ErrorContains(t, problems.Err(), want, text)
			continue
		}
		require.NoError(t, problems.Err(), text)
		require.Equal(t, plain(t, want), plainOf(t, docs[0]), text)
	}
}

func plain(t *testing.T, text string) any {
	t.Helper()
	var node yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &node))
	return plainOf(t, node.Content[0])
}

// plainOf is a node as keys and values in their order.
func plainOf(t *testing.T, n *yaml.Node) any {
	t.Helper()
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	var list []any
	for _, child := range n.Content {
		list = append(list, plainOf(t, child))
	}
	return list
}

// TestStream: manifests are read as kubectl reads them: the last of doubled keys counts, and is warned of where it is
// read; JSON documents come one after the other; a document is no list. Lines are those of the file.
func TestStream(t *testing.T) {
	for _, c := range []struct{ name, text, reads, warns, problem string }{
		{name: "documents", text: "a: 1\n---\n---\na: 2\n", reads: "1@1 2@4"},
		{name: "a list", text: "a: 1\n---\n- a: 2\n- a: 3\n", problem: "f:3:1: the document is a list, and kubectl takes only " +
			"objects: put its items into the items of a List, or write --- between them"},
		{name: "a JSON array", text: `[{"a": 1}]`, problem: "f:1:1: the document is a list, and kubectl takes only objects"},
		{name: "byte order marks", text: "\ufeffa: 1\n--- # next\n\ufeffa: 2\n---\r\n\ufeffa: 3\n", reads: "1@1 2@3 3@5"},
		{name: "JSON", text: `{"a": 1}` + "\n\n" + `{"a": 2} {"a":` + "\n" + `3}` + "\n", reads: "1@1 2@3 3@3"},
		{name: "JSON lines", text: `{"a": 1}` + "\n" + `{"a": 2}` + "\n", reads: "1@1 2@2"},
		{name: "a flow mapping that is not JSON", text: "{a: 1}\n---\na: 2\n", reads: "1@1 2@3"},
		{name: "a problem in the second JSON document", text: `{"a": 1}` + "\n" + `{"a": 2, "<<": 3}` + "\n" + `{"a": 3, "b": {"<<": 4}}`,
			reads: "1@1 2@2 3@3"},
		{name: "a doubled key", text: "a: 1\nb: 2\na: 3\n", reads: "3@1",
			warns: `f:3:1: duplicate key "a": this one is used, and not that of line 1`},
		{name: "a doubled key in the second JSON document", text: `{"a": 1}` + "\n" + `{"a": 2,` + "\n" + `"a": 3}`, reads: "1@1 3@2",
			warns: `f:3:1: duplicate key "a": this one is used, and not that of line 2`},
		{name: "a key three times", text: "a: 1\na: 2\na: 3\n", reads: "3@1",
			warns: `f:3:1: duplicate key "a": this one is used, and not that of line 2`},
		{name: "objects without a line between them", text: "kind: A\napiVersion: v1\na: 1\nkind: B\napiVersion: v1\na: 2\n", reads: "2@1",
			warns: "f:4:1: `---` is missing before line 4: kubectl takes the objects before and after it as one, in which the last " +
				"value of each key counts"},
		{name: "three of them below another", text: "a: 0\n---\nkind: A\napiVersion: v1\na: 1\nkind: B\napiVersion: v1\na: 2\napiVersion: v1\na: 3\n" +
			"kind: C\n", reads: "0@1 3@3", warns: "f:6:1: `---` is missing before line 6: kubectl takes the objects before and after it " +
			"as one, in which the last value of each key counts\nf:9:1: `---` is missing before line 9: kubectl takes the objects " +
			"before and after it as one, in which the last value of each key counts"},
		{name: "a doubled key of an object", text: "kind: A\napiVersion: v1\na: 1\na: 2\n", reads: "2@1",
			warns: `f:4:1: duplicate key "a": this one is used, and not that of line 3`},
		{name: "Helm pulls a chart", text: "Pulled: x/web:1\nDigest: sha256:0\n---\na: 1\n", problem: "f:1:1: this is a message of Helm: " +
			"Pulled: x/web:1: pass only the manifests: helm template prints them on standard output, and 2> /dev/null leaves the " +
			"messages out"},
		{name: "Helm installs", text: "NAME: web\nLAST DEPLOYED: Fri\n", problem: "f:1:1: this is a message of Helm: NAME: web: "},
		{name: "a warning of Helm that is no YAML", text: "a: 1\n---\ncoalesce.go:286: warning: cannot overwrite: x\n---\na: 1\n",
			problem: "f:3:1: this is a message of Helm: coalesce.go:286: warning: cannot overwrite: x: "},
		{name: "Helm fails", text: "Error: INSTALLATION FAILED: cannot re-use a name\n", problem: "f:1:1: this is an error of Helm: " +
			"Error: INSTALLATION FAILED: cannot re-use a name: mend that first, and pass what helm template prints"},
		{name: "kubectl warns", text: "Warning: policy/v1beta1 is deprecated\na: 1\n", problem: "f:1:1: this is logged by the client of " +
			"Kubernetes: Warning: policy/v1beta1 is deprecated: pass only the manifests: "},
		{name: "another version of YAML", text: "%YAML 1.2\n---\na: 1\n", problem: "f:1:1: kubectl reads YAML 1.1, and this file is for " +
			"another version: leave the line %YAML 1.2 out"},
		{name: "nothing", text: "# nothing\n", reads: ""},
		{
			name: "a template",
			text: "a: {{ .Values.a }}\n", problem: "f:1:4: this is a Helm template: render it with helm template",
		},
		{name: "text that looks like a template", text: "a: \"{{ .Values.a }}\"\n", reads: "{{ .Values.a }}@1"},
		{name: "a template with a condition", text: "# {{ not here }}\n{{- if .Values.a }}\na: [\n{{- end }}\n",
			problem: "f:2:1: this is a Helm template: render it with helm template"},
		{name: "braces that are no template", text: "# {{ .Values.a }}\na: [\n", problem: "this is not YAML"},
		{name: "a table", text: "NAME   READY   AGE\nweb    3/3     5d\n",
			problem: "f:1:1: this is the table that kubectl get prints: use kubectl get -o yaml"},
		{name: "a table of all namespaces", text: "NAMESPACE   NAME   READY\n",
			problem: "f:1:1: this is the table that kubectl get prints: use kubectl get -o yaml"},
		{name: "a description", text: "Name:               web\nNamespace:          prod\n",
			problem: "f:1:1: this is what kubectl describe prints: use kubectl get -o yaml"},
		{name: "kubectl finds nothing", text: "No resources found in default namespace.\n", problem: "f:1:1: this is a message of kubectl, which has " +
			"found nothing: name the namespace with -n, or take all with -A: kubectl get sts,pods -o yaml -A"},
		{name: "an error of the server", text: "Error from server (NotFound): pods \"x\" not found\n",
			problem: "f:1:1: this is an error of kubectl: Error from server (NotFound): pods \"x\" not found: " +
				"mend that first, and pass what kubectl get -o yaml prints"},
		{name: "an error of kubectl", text: "error: You must be logged in\n", problem: "f:1:1: this is an error of kubectl: " +
			"error: You must be logged in: mend that first, and pass what kubectl get -o yaml prints"},
		{name: "an error of kubectl below objects", text: "a: 1\n---\nb: 2\nError from server (Forbidden): nodes is forbidden: no\n",
			problem: "f:4:1: this is an error of kubectl: Error from server (Forbidden): nodes is forbidden: no: mend that first, and " +
				"pass what kubectl get -o yaml prints"},
		{name: "no connection", text: "E1127 14:41:48.268512   30133 memcache.go:265] \"Unhandled Error\" err=\"refused\"\n",
			problem: "f:1:1: this is logged by the client of Kubernetes: \"Unhandled Error\" err=\"refused\": mend that first, and " +
				"pass what kubectl get -o yaml prints"},
		{name: "a warning of the client", text: "W1127 14:41:48.268512   30133 warnings.go:70] policy/v1beta1 is deprecated\n",
			problem: "f:1:1: this is logged by the client of Kubernetes: policy/v1beta1 is deprecated: pass only the manifests: "},
		{name: "a name", text: "Name: web\na: 1\n", reads: "1@1"},
		{name: "too many", text: "a: 1\n---\na: 2\n---\na: 3\n---\na: 4\n",
			problem: "f:6:1: the file has more than 3 documents: split it, or raise the limit with --max-documents"},
		{name: "just not too many", text: "a: 1\n---\na: 2\n---\na: 3\n", reads: "1@1 2@3 3@5"},
		{name: "a problem below a JSON document", text: `{"a": 1}` + "\n" + `{"a": 2, "b": {"x": {"y": {"z": 1}}}}`,
			problem: "f:2:28: the nesting is deeper than 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			limits := strict.Limits{Documents: 3, Depth: 4}
			s := strict.ParseStream("f", []byte(c.text), limits)
			if c.problem != "" {
				require.ErrorContains(t, s.Problems.Err(), c.problem)
				return
			}
			r := s.Reader("f", limits)
			var reads []string
			for _, doc := range s.Docs {
				m := r.Map(doc, "the document")
				reads = append(reads, m.Value("a").Value+"@"+string(rune('0'+doc.Line)))
			}
			require.NoError(t, r.Err())
			require.Equal(t, c.reads, strings.Join(reads, " "))
			warns := ""
			if len(r.Warnings) > 0 {
				warns = r.Warnings.Err().Error()
			}
			require.Equal(t, c.warns, warns)
		})
	}
}

// TestNearestIsNear: one letter in three may be wrong, and neighbours that are swapped count once.
func TestNearestIsNear(t *testing.T) {
	for _, c := range []struct{ word, candidate, want string }{
		{"ta", "at", "at"}, {"tta", "tat", "tat"}, {"ab", "xy", ""}, {"a", "b", "b"}, {"abc", "axy", "axy"}, {"abc", "xyz",
			""},
		{"ab", "a", "a"}, {"ab", "b", "b"}, {"a", "ab", "ab"}, {"b", "ab", "ab"},
		{"abcdef", "abcxyz", "abcxyz"}, {"abcdef", "abwxyz", ""}, {"", "a", "a"}, {"", "ab", ""}, {"", "", ""},
		{strings.Repeat("a", 100), strings.Repeat("a", 99), strings.Repeat("a", 99)},
		{strings.Repeat("a", 101), strings.Repeat("a", 100), ""},
	} {
		require.Equal(t, c.want, strict.Nearest(c.word, []string{c.candidate}), c.word)
	}
	require.Equal(t, "abx", strict.Nearest("abc", []string{"axy", "abx", "aby"}), "the first of the nearest")
	require.Equal(t, "did you mean left? It must be one of left, right", strict.DidYouMean("lef", []string{"left", "right"}))

	many := strings.Split(strings.TrimSuffix(strings.Repeat("x,", 81), ","), ",")
	require.Equal(t, strings.Repeat("x, ", 79)+"x and 1 more", strict.List(many))
	require.Equal(t, strings.Repeat("x, ", 79)+"x", strict.List(many[1:]))
}

// TestOtherNames: who writes a word of kubectl is given ours, where it is a key.
func TestOtherNames(t *testing.T) {
	for key, want := range map[string]string{
		"rollback": "did you mean undo? The keys of the step are undo, at", "kill": "the keys of the step are undo, at",
	} {
		root, _ := strict.ParseOne("f", []byte(key+": 1\n"), strict.Limits{})
		r := &strict.Reader{File: "f"}
		r.Map(root, "the step", "undo", "at")
		require.EqualError(t, r.Err(), `f:1:1: unknown key "`+key+`": `+want)
	}
}

// TestShorten: a text is cut after sixty bytes, and never within a character.
func TestShorten(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("a", 60): strings.Repeat("a", 60), strings.Repeat("a", 61): strings.Repeat("a", 60) + "…",
		strings.Repeat("ü", 40): strings.Repeat("ü", 30) + "…", "a" + strings.Repeat("ü", 40): "a" + strings.Repeat("ü", 29) + "…",
	} {
		require.Equal(t, want, strict.Shorten(text))
	}
}

// TestCutOff: a condition within a flow mapping that YAML has ended at its comma is given back whole; what has quotes,
// or closes its brackets, is as it stands.
func TestCutOff(t *testing.T) {
	for text, want := range map[string]string{
		"a: {b: f(p), c: 1}":             "",
		"a: {b: \"f(p\", c: 1}":          "",
		"a: {b: f(p, c: 1}":              `f:1:8: YAML ends this value at its comma: f(p: quote this: "f(p, c: 1"`,
		"a: {b: f(p, g(q, r), s), d: 1}": `f:1:8: YAML ends this value at its comma: f(p: quote this: "f(p, g(q, r), s)"`,
		"a: {b: f(p, [x]: 1}":            "f:1:13: a key is a list: keys are text; quote this",
		"a: {b: f(p, \"x\": 1}":          "",
		"a: {b: f(p, x: \"1\"}":          "",
		"a: {b: &x f(p, c: 1}":           "",
		"a: {b: !!str f(p, c: 1}":        `f:1:8: YAML ends this value at its comma: f(p: quote this: "f(p, c: 1"`,
		"a: {b: f(p, q), c: g(r, s)}": "f:1:8: YAML ends this value at its comma: f(p: quote this: \"f(p, q)\"\n" +
			"f:1:20: YAML ends this value at its comma: g(r: quote this: \"g(r, s)\"",
	} {
		_, problems := strict.Parse("f", []byte(text), strict.Limits{})
		if want == "" {
			require.NoError(t, problems.Err(), text)
			continue
		}
		require.EqualError(t, problems.Err(), want, text)
	}
}

// TestMany: of very many problems the first fifty are named, and it is said that there are more.
func TestMany(t *testing.T) {
	for n, more := range map[int]bool{50: false, 80: true} {
		var text strings.Builder
		for range n {
			text.WriteString("a: 1\n")
		}
		_, problems := strict.Parse("f", []byte(text.String()+"b: 1\n"), strict.Limits{})
		lines := strings.Split(problems.Error(), "\n")
		require.Len(t, problems, min(n-1, 50))
		require.Equal(t, more, strings.HasPrefix(lines[len(lines)-1], "and more: these are the first 50"), n)
	}
}

// TestMisfitNamesFields: a value of the wrong type is named by the fields of the file, not by structs or fields of Go.
func TestMisfitNamesFields(t *testing.T) {
	type Share struct {
		Count int `json:"count"`
	}
	for text, want := range map[string]string{
		`{"list": [{"count": {}}]}`: "r.json:1:21: list.count is an object: it must be a whole number",
		`{"parts": 5}`:              "r.json:1:11: parts is a number: it must be a list",
		`[]`:                        "r.json:1:1: the document is a list: it must be an object",
	} {
		var into struct {
			List  []struct{ Share } `json:"list"`
			Parts []int
		}
		require.EqualError(t, strict.JSON("r.json", []byte(text), &into), want)
	}
}
