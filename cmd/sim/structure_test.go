package main

import (
	"go/ast"
	"go/token"
	"go/types"
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

// mostMethods is how many methods a type of sim serve may have: one with more is several rooms without walls.
const mostMethods = 40

// TestTypesOfServeAreRooms holds the size of the types of sim serve, of which one once had all methods.
func TestTypesOfServeAreRooms(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	methods := map[string]int{}
	for _, dir := range packages(t, root) {
		if !match(serveModule+"/...", dir) {
			continue
		}
		for _, file := range parse(t, fset, filepath.Join(root, dir)) {
			for _, declaration := range file.Decls {
				if function, is := declaration.(*ast.FuncDecl); is && function.Recv != nil {
					methods[dir+": "+types.ExprString(function.Recv.List[0].Type)]++
				}
			}
		}
	}
	require.Greater(t, methods[serveModule+": *Server"], 10)
	for name, n := range methods {
		require.LessOrEqual(t, n, mostMethods, name)
	}
}
