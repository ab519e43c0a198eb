package strict

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

var (
	yamlError     = lazy.Regexp(`^yaml: (?:line (\d+): )?(.*)$`)
	unknownAnchor = lazy.Regexp(`^unknown anchor '(.*)' referenced$`)
	// leading is the text before a value in a line of block style: dashes and a key.
	leading = lazy.Regexp(`^\s*(?:- +)*(?:[A-Za-z0-9_./-]+:(?: +|$))?`)
	// flowItem finds an item of a flow list or mapping that starts with a character that no plain value may start
	// with.
	flowItem = lazy.Regexp("[\\[{,:]\\s*([@`%*][^,\\]}]*)")
	// flowStart finds the start of a plain item of a flow list or mapping that has a bracket or a colon within.
	flowStart = lazy.Regexp(
		`[\[{,]\s*(?:[\w./-]+:\s+)?([\w*](?:[^,"'{}\[\]:(]|\([^)]*\)?)*(?:[\[{]|\s\?\s|\s[=!]=\s["']))`)
	// flowColon finds a plain value of a flow mapping that has a colon and a space within: {image: app: v2}.
	flowColon = lazy.Regexp(`[{,]\s*[\w./-]+: +([^\s,{}\[\]"':]+): +([^\s,{}\[\]"':]+)\s*[,}]`)
	// blockHeader is the text before a block of text.
	blockHeader = lazy.Regexp(`^[>|][0-9+-]*$`)
	// parserErrors are the messages that count the line of the collection's start from 0, all others from 1.
	parserErrors = lazy.Regexp(`^did not find expected (?:key|node content|'-' indicator|',' or '[\]}]')$`)
)

// incompatible is the parser's message for a %YAML line with another version than 1.1.
const incompatible = "found incompatible YAML document"

// timeline is the start of every timeline. It is many JSON documents, which YAML does not take for one.
const timeline = `{"t":0,"event":"run",`

// syntaxProblem makes a problem of an error of the YAML parser. The parser names a line, sometimes an adjacent one;
// the column and the advice come from looking at the text there. The messages come from yaml.v3; an unknown one is
// passed on.
func syntaxProblem(file string, data []byte, err error) Problem {
	if bytes.HasPrefix(data, []byte(timeline)) {
		return Problem{
			File: file, Line: 1, Column: 1, What: "this is a timeline, as sim run -o jsonl prints it",
			Want: "sim check TIMELINE EXPECTATIONS judges it; everything else takes the scenario that was run",
		}
	}
	match := yamlError().FindStringSubmatch(err.Error())
	if match == nil {
		return Problem{File: file, Line: 1, Column: 1, What: "this is not YAML", Want: err.Error()}
	}
	line, _ := strconv.Atoi(match[1])
	if line == 0 || parserErrors().MatchString(match[2]) {
		line++
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if anchor := unknownAnchor().FindStringSubmatch(match[2]); anchor != nil {
		return anchorProblem(file, lines, anchor[1])
	}
	if conflict := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "<<<<<<< ") }); conflict >= 0 {
		return Problem{File: file, Line: conflict + 1, Column: 1, What: "the file has an unresolved conflict of Git (<<<<<<<)",
			Want: "resolve it"}
	}
	if at := jsonComment(lines); at >= 0 {
		return Problem{File: file, Line: at + 1, Column: 1 + strings.IndexByte(lines[at], '/'), What: "JSON has no comments",
			Want: "remove " + Shorten(strings.TrimSpace(lines[at]))}
	}
	for _, candidate := range []int{line, line - 1, line + 1} {
		if candidate < 1 || candidate > len(lines) {
			continue
		}
		if Message(lines[candidate-1]) {
			return *message(file, candidate, lines[candidate-1])
		}
		if onlyDashes(lines[candidate-1]) {
			return *noSeparator(file, candidate, lines[candidate-1])
		}
		if strings.HasPrefix(lines[candidate-1], "%") && match[2] == incompatible {
			return Problem{File: file, Line: candidate, Column: 1,
				What: "kubectl reads YAML 1.1, and this file is for another version",
				Want: "leave the line " + Shorten(lines[candidate-1]) + " out"}
		}
		if column, want := advice(lines[candidate-1]); column > 0 {
			return Problem{File: file, Line: candidate, Column: column, What: "this is not YAML (" + match[2] + ")", Want: want}
		}
	}
	problem := Problem{File: file, Line: min(line, len(lines)), Column: 1, What: "this is not YAML", Want: match[2]}
	want := ""
	switch {
	case strings.HasPrefix(match[2], "did not find"):
		want = "check the indentation, the quotes and the brackets around this line"
	case match[2] == "could not find expected ':'":
		want = "write KEY: VALUE; a value in the line below its key is indented more than the key"
	case strings.HasPrefix(match[2], "mapping values"):
		want = "write one KEY: VALUE a line; look at the line above too, which may have no colon"
	}
	if want != "" {
		problem.What, problem.Want = problem.What+" ("+match[2]+")", want
	}
	return problem
}

// jsonComment returns the index of the first line of a JSON text that is a comment as JavaScript has it; -1 if none is.
func jsonComment(lines []string) int {
	begins := func(line, with string) bool { return strings.HasPrefix(strings.TrimSpace(line), with) }
	first := slices.IndexFunc(lines, func(line string) bool {
		return strings.TrimSpace(line) != "" && !begins(line, "//") && !begins(line, "/*")
	})
	if first < 0 || !begins(lines[first], "{") && !begins(lines[first], "[") {
		return -1
	}
	return slices.IndexFunc(lines, func(line string) bool { return begins(line, "//") || begins(line, "/*") })
}

// anchorProblem is the problem of an alias whose anchor does not exist: mostly a glob that starts with *.
func anchorProblem(file string, lines []string, anchor string) Problem {
	p := Problem{File: file, Line: 1, Column: 1, What: "there is no anchor &" + Shorten(anchor),
		Want: "a value that begins with * is an alias; if it is not meant as one, quote this"}
	for i, line := range lines {
		if column := strings.Index(line, "*"+anchor); column >= 0 {
			p.Line, p.Column = i+1, column+1
			break
		}
	}
	return p
}

// advice looks for common mistakes in a line that YAML does not allow. The column is 0 if it finds nothing.
func advice(line string) (column int, want string) {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		return tab + 1, "indent with spaces, not with tabs"
	}
	start := len(leading().FindString(line))
	value := strings.TrimRight(line[start:], " ")
	if swallows(value) {
		return start + 1, "quote this: " + Quote(Shorten(value))
	}
	if item := flowItem().FindStringSubmatchIndex(line); item != nil {
		return item[2] + 1, "quote this: " + Quote(Shorten(strings.TrimSpace(line[item[2]:item[3]])))
	}
	if item := flowColon().FindStringSubmatchIndex(line); item != nil {
		return item[2] + 1, "quote a value with a colon: " + Quote(Shorten(line[item[2]:item[3]]+":"+line[item[4]:item[5]]))
	}
	if item := flowStart().FindStringSubmatchIndex(line); item != nil {
		return item[2] + 1, "quote this: " + Quote(Shorten(flowText(line[item[2]:])))
	}
	return 0, ""
}

// flowText returns the item of a flow list or mapping at the start of a text, as its author meant it: it ends at a
// comma or a bracket that does not belong to a bracket within it.
func flowText(text string) string {
	depth := 0
	for i, c := range text {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case depth == 0 && strings.ContainsRune(",)]}", c):
			return strings.TrimSpace(text[:i])
		case strings.ContainsRune(")]}", c):
			depth--
		}
	}
	return strings.TrimSpace(text)
}

// swallows reports whether a value means something else to YAML than the text itself.
func swallows(value string) bool {
	if value == "" {
		return false
	}
	switch first := value[0]; first {
	case '@', '`', '%', '*', '&', '!':
		return true
	case '>', '|':
		return !blockHeader().MatchString(value)
	case '"', '\'':
		return goesOn(value, strings.IndexByte(value[1:], first)+1)
	case '[':
		return goesOn(value, strings.LastIndexByte(value, ']'))
	case '{':
		return goesOn(value, strings.LastIndexByte(value, '}'))
	}
	return strings.Contains(value, ": ") || strings.HasSuffix(value, ":")
}

// goesOn reports whether there is something after the end of a value that cannot belong to it; end is the index of
// its last character, and 0 or less if the value does not end.
func goesOn(value string, end int) bool {
	rest := ""
	if end > 0 {
		rest = strings.TrimSpace(value[end+1:])
	}
	return rest != "" && !strings.ContainsRune("#,]}", rune(rest[0]))
}

// Quote renders text as a quoted YAML scalar, in single quotes if the text has double ones or backslashes.
func Quote(text string) string {
	if strings.ContainsAny(text, `"\`) {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return `"` + text + `"`
}
