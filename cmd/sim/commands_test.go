package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program is the beginning of a command, up to the end of the text, or to where the command surely ends. prose are the
// words with which a sentence goes on after the name of a program.
var (
	program = regexp.MustCompile(`\b(?:kubectl|helm|sim|jq) (-n|[a-z]+)\b([^.:;()]*)`)
	prose   = []string{"gave", "ended", "reads", "is", "knows", "cannot"}
)

// TestCommandsAreMadeInOnePlace: whatever goes into a command that people paste goes through package command, which
// quotes it. A text that begins a command and lets fmt or + finish it would not.
func TestCommandsAreMadeInOnePlace(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	for _, dir := range packages(t, root) {
		if dir == "sim/view/shell" || strings.HasPrefix(dir, "scenario/kube") {
			continue
		}
		for _, file := range parse(t, fset, filepath.Join(root, dir)) {
			for _, complaint := range handMade(fset, file) {
				t.Error(complaint)
			}
		}
	}
}

// handMade finds the commands of a file that are made by formatting or by joining.
func handMade(fset *token.FileSet, file *ast.File) []string {
	var complaints []string
	complain := func(at token.Pos, text string) {
		complaints = append(complaints, fmt.Sprintf("%s: the command in %q is made by hand: package command quotes", fset.Position(at), text))
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.BinaryExpr:
			// The parts are judged as one text; what is no literal is a verb in it.
			if text, is := joined(n); is {
				if unfinished(text) {
					complain(n.Pos(), text)
				}
				return false
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && unfinished(text) {
				complain(n.Pos(), text)
			}
		}
		return true
	})
	return complaints
}

// joined returns the text of literals that are joined, with %s for everything else; false if there is no literal.
func joined(e ast.Expr) (string, bool) {
	switch n := e.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			left, one := joined(n.X)
			right, other := joined(n.Y)
			return left + right, one || other
		}
	case *ast.BasicLit:
		if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
			return text, true
		}
	}
	return "%s", false
}

// unfinished says whether something else gets into a command that a text has begun.
func unfinished(text string) bool {
	for _, found := range program.FindAllStringSubmatch(text, -1) {
		// A number does no harm.
		ours := slices.Contains(prose, found[1]) || strings.HasPrefix(found[2], " and ") ||
			strings.HasPrefix(found[2], " have ")
		if !ours && regexp.MustCompile(`%[^d %]`).MatchString(found[2]) {
			return true
		}
	}
	return false
}

func TestHandMadeCommandsAreFound(t *testing.T) {
	const source = `package bad
var a = fmt.Sprintf("To see it: kubectl -n %s get pods", ns)
var b = "kubectl delete pod " + name
var c = "see it (kubectl " + "-n " + ns + " get pods)"
var fine = "kubectl get nodes shows it. " + name
var finer = "see it (kubectl get nodes): " + name`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "bad.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	require.Len(t, handMade(fset, file), 3)
}
