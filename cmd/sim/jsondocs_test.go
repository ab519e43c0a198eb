package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// jsonForms are the documents whose reference in docs/json.md is made from the structs that are printed: in each
// package the structs in the order in which the reference has them, each with where it stands in the document.
var jsonForms = []struct {
	title, dir string
	structs    [][2]string
}{
	{"A plan: sim plan -o json", "scenario/change/plan", [][2]string{
		{"Plan", ""}, {"Summary", "summary"}, {"Alarm", "alarms[]"}, {"Set", "sets[], notAtRest[]"}, {"Change", "sets[].changes[]"},
		{"Refusal", "sets[].refusal"}, {"Move", "sets[].moves[]"}, {"Duration", "sets[].duration"},
		{"Timing", "sets[].duration.timings[]"}, {"Serving", "sets[].serving"}, {"Budget", "sets[].budgets[]"},
		{"Requirement", "sets[].requirements[]"}, {"Case", "sets[].cases[]"}, {"Difference", "sets[].differences[]"},
	}},
	{"Advice: sim advise -o json", "scenario/change/advise", [][2]string{
		{"Advice", ""}, {"Set", "the advice for a set: at the top for one, sets[] for several"}, {"Choice", "front[]"},
		{"Stage", "front[].schedule[]"}, {"Price", "front[].badVersion"}, {"NodeLost", "front[].nodeLost"},
		{"Promise", "front[].promises[]"}, {"Rejected", "rejected[]"}, {"Searched", "searched"}, {"Refused", "refused[]"},
	}},
	{"An upgrade: sim upgrade -o json", "scenario/change/upgrade", [][2]string{
		{"Report", ""}, {"Moving", "notAtRest[], moving[]"}, {"Between", "what a report and a hop of its path have"},
		{"Hop", "path[]"}, {"Group", "groups[]"}, {"Row", "groups[].cases[]"}, {"Outcome", "outcomes[]"}, {"Patch", "patches[]"},
		{"Hazard", "hazards[]"}, {"Component", "components[]"}, {"Checklist", "checklist"}, {"Task", "before[], during[], after[]"},
	}},
	{"A deploy tool that waits: gates of a plan and of a run", "scenario/play/gated", [][2]string{
		{"Answer", ""}, {"OfStep", "what gates of a run have too"},
	}},
	{"An explanation: sim explain -o json", "scenario/live/explain", [][2]string{
		{"Explanation", ""}, {"Set", "sets[]"}, {"Pod", "sets[].pods[]"}, {"Wait", "sets[].waits[]"}, {"Drain", "sets[].drains[]"}, {"WayOut", "waysOut[]"},
		{"Dumped", "the document for a dump"}, {"Cause", "causes[] of a dump"}, {"DumpedSet", "sets[] of a dump"}, {"Risk", "sets[].atRisk[] of a dump"}, {"Under", "versions[]"},
	}},
	{"A way out: waysOut of an explanation, fix of a plan", "sim/view/reasons", [][2]string{{"Way", ""}}},
	{"A rollout that was followed: sim follow -o json", "scenario/live/follow", [][2]string{
		{"Report", ""}, {"End", "outcome, sentence"}, {"Line", "lines[]"},
	}},
	{"How a set stands: a judgement in other documents", "scenario/live/judge", [][2]string{
		{"Judgement", ""}, {"Object", "blockers[]"}, {"Cause", "causes[]"},
	}},
	{"The version that was simulated: kubernetes of a plan and of a dump", "scenario/release", [][2]string{{"Versions", ""}}},
	{"A search: sim explore -o json", "scenario/search/explore", [][2]string{
		{"Report", ""}, {"Searched", "searched[]"}, {"Part", "parts[]"}, {"Found", "found[]"}, {"Line", "lines[]"},
	}},
	{"A sweep: sim sweep -o json", "scenario/search/sweep", [][2]string{
		{"Report", ""}, {"Sum", "sweeps[]"}, {"Share", "held, verdicts[]"}, {"Verdict", "verdicts[]"},
		{"Durations", "takes"}, {"Serving", "sets[]"}, {"Count", "sets[].fewest[]"}, {"Worst", "worst[]"},
	}},
	{"A version that is not out yet: beside kubernetes of a search and of a sweep", "model", [][2]string{{"PreRelease", ""}}},
}

// jsonInputs are structs that are read, not printed.
var jsonInputs = []string{"scenario/change/plan.nameplate"}

const (
	jsonBegin = "<!-- made from the structs by cmd/sim/jsondocs_test.go: go test ./cmd/sim -run JSONDocs -update -->\n"
	jsonEnd   = "<!-- end -->\n"
)

// TestJSONDocs holds docs/json.md to what is printed: the second part is made from the structs and their comments, and
// the first names every field and no other.
func TestJSONDocs(t *testing.T) {
	const file = "../../docs/json.md"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), jsonBegin)
	require.True(t, found, "docs/json.md has no part that is made")
	_, after, _ := strings.Cut(rest, jsonEnd)
	var b strings.Builder
	b.WriteString(before + jsonBegin)
	for _, form := range jsonForms {
		writeForm(t, &b, form.title, form.dir, form.structs)
	}
	b.WriteString("\n" + jsonEnd + after)
	goldenfile.Write(t, file, b.String())
	require.Equal(t, fieldsOnly(b.String()), fieldsOnly(string(data)),
		"a document has other fields than docs/json.md says: run go test ./cmd/sim -run JSONDocs -update")
	requireWritten(t, before)
}

// fieldsOnly leaves the first column of the tables: that somebody words a comment better must not fail a test.
func fieldsOnly(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			line = strings.SplitN(line, "|", 3)[1]
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// requireWritten holds the part that people wrote: all fields of what sim/view/report prints are in it, and its
// tables have no others.
func requireWritten(t *testing.T, text string) {
	tags := map[string]bool{"formatVersion": true, "header": true, "events": true, "result": true, "leftOut": true}
	all := printedStructs(t, "sim/view/report")
	delete(all, "traceEvent")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, f := range all[name].fields {
			tags[f.json] = true
			require.Regexp(t, "`[^`]*\\b"+f.json+"\\b[^`]*`", text, "%s.%s of sim/view/report is not in docs/json.md", name, f.goName)
		}
	}
	word := regexp.MustCompile(`[A-Za-z]+`)
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1) {
		for _, field := range word.FindAllString(row[1], -1) {
			require.True(t, tags[field], "docs/json.md has %q, which nothing prints", field)
		}
	}
}

// printedStruct is a struct that is printed as JSON.
type printedStruct struct{ fields []printedField }

type printedField struct{ goName, json, doc string }

func writeForm(t *testing.T, b *strings.Builder, title, dir string, structs [][2]string) {
	fmt.Fprintf(b, "\n## %s\n", title)
	all := printedStructs(t, dir, dir+"/*")
	for _, s := range structs {
		of, known := all[s[0]]
		require.True(t, known, "%s has no struct %s that is printed", dir, s[0])
		delete(all, s[0])
		if s[1] != "" {
			place := "`" + strings.ReplaceAll(s[1], ", ", "`, `") + "`"
			if path, of := strings.CutSuffix(s[1], " of a dump"); of {
				place = "`" + path + "` of a dump"
			} else if strings.Contains(s[1], " ") && !strings.Contains(s[1], ", ") {
				place = s[1]
			}
			fmt.Fprintf(b, "\n%s:\n", strings.ToUpper(place[:1])+place[1:])
		}
		b.WriteString("\n" + of.table())
	}
	for _, left := range slices.Sorted(maps.Keys(all)) {
		require.Contains(t, jsonInputs, dir+"."+left, "the struct is printed and has no place in jsonForms")
	}
}

// table has a row for each comment, with the fields that it speaks of under their names in JSON.
func (s *printedStruct) table() string {
	type row struct{ fields, says string }
	rows := []row{}
	for _, f := range s.fields {
		name := "`" + f.json + "`"
		if f.doc == "" && len(rows) > 0 {
			rows[len(rows)-1].fields += ", " + name
			continue
		}
		rows = append(rows, row{name, s.inJSON(f.doc)})
	}
	text := "| field | meaning |\n|:------|:--------|\n"
	for _, r := range rows {
		text += fmt.Sprintf("| %s | %s |\n", r.fields, r.says)
	}
	return text
}

// inJSON gives the fields in a comment the names that they have in JSON.
func (s *printedStruct) inJSON(doc string) string {
	doc = strings.ReplaceAll(strings.Join(strings.Fields(doc), " "), "|", "\\|")
	for _, f := range s.fields {
		doc = regexp.MustCompile(`\b`+f.goName+`\b`).ReplaceAllString(doc, "`"+f.json+"`")
	}
	return doc
}

// printedStructs are the structs of some packages that have fields with tags for JSON, by their names.
func printedStructs(t *testing.T, dirs ...string) map[string]*printedStruct {
	var files []string
	for _, dir := range dirs {
		of, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		require.NoError(t, err)
		files = append(files, of...)
	}
	all := map[string]*printedStruct{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		ast.Inspect(parsed, func(node ast.Node) bool {
			spec, is := node.(*ast.TypeSpec)
			if !is {
				return true
			}
			if of, is := spec.Type.(*ast.StructType); is {
				if s := printedFields(of); len(s.fields) > 0 {
					all[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	return all
}

func printedFields(of *ast.StructType) *printedStruct {
	s := &printedStruct{}
	for _, field := range of.Fields.List {
		if field.Tag == nil || len(field.Names) == 0 {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")
		if name != "" && name != "-" {
			s.fields = append(s.fields, printedField{field.Names[0].Name, name, field.Doc.Text()})
		}
	}
	return s
}
