package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// Problem is something that is wrong in a file, and what would be right.
type Problem struct {
	File string
	// Line and Column count from 1; a Line of 0 is a problem of the file as a whole.
	Line, Column int
	// What is wrong, and Want, what would be right. Want may be "". Both start with a lower-case letter and have no
	// full stop.
	What, Want string
}

// Error renders the problem as file:line:column: what is wrong: what would be right. A problem of the whole file
// has no line.
func (p Problem) Error() string {
	text := p.File + ": " + p.What
	if p.Line > 0 {
		text = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.What)
	}
	if p.Want != "" {
		text += ": " + p.Want
	}
	return text
}

// compare orders problems by file and place, and then by their text, so that the order is total.
func (p Problem) compare(q Problem) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column),
		cmp.Compare(p.What, q.What), cmp.Compare(p.Want, q.Want))
}

// Problems are all problems of a scenario. As an error they are one line each. Use Err to return them: an empty
// Problems as an error is not nil.
type Problems []Problem

// Error renders all problems, sorted and each one once, a line each.
func (p Problems) Error() string {
	var lines []string
	for _, problem := range p.Sorted() {
		lines = append(lines, problem.Error())
	}
	if p.full() {
		lines = append(lines, fmt.Sprintf("and more: these are the first %d", mostProblems))
	}
	return strings.Join(lines, "\n")
}

// Sorted returns the problems by file, line and column, each one once.
func (p Problems) Sorted() Problems {
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, Problem.compare)
	return slices.Compact(sorted)
}

// Err returns the sorted problems as an error, or nil if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p.Sorted()
}

// at makes the problem of a node. Its text is kept on one line and of a readable length, whatever it quotes.
func at(file string, n *yaml.Node, what, want string) Problem {
	return Problem{File: file, Line: n.Line, Column: n.Column, What: oneLine(what), Want: oneLine(want)}
}

// oneLine keeps a text on one line and below 1000 bytes; control characters become spaces.
func oneLine(text string) string {
	return cut(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text), 1000)
}

// mostProblems is the number of problems of one file that are kept. A user with so many needs no more.
const mostProblems = 50

// add notes a problem, and leaves out what is too much.
func (p *Problems) add(problem Problem) {
	if !p.full() {
		*p = append(*p, problem)
	}
}

// Full reports whether no more problems are noted, because there are enough: callers can then skip wording them.
func (r *Reader) Full() bool { return r.Problems.full() }

// full reports whether no more problems are noted.
func (p *Problems) full() bool { return len(*p) >= mostProblems }
