package main

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// longestBody is how many lines a function may have between its braces: what fits on a screen.
const longestBody = 70

// TestFunctionsFitOnAScreen holds the length of every function of the module that is no test.
func TestFunctionsFitOnAScreen(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	seen := 0
	for _, dir := range packages(t, root) {
		for _, file := range parse(t, fset, filepath.Join(root, dir)) {
			for _, declaration := range file.Decls {
				function, is := declaration.(*ast.FuncDecl)
				if !is || function.Body == nil {
					continue
				}
				seen++
				begin, end := fset.Position(function.Body.Lbrace), fset.Position(function.Body.Rbrace)
				if lines := end.Line - begin.Line - 1; lines > longestBody {
					t.Errorf("%s: %s has %d lines: divide it into what decides and what computes", begin, function.Name.Name, lines)
				}
			}
		}
	}
	require.NotZero(t, seen)
}
