package main

import (
	"go/ast"
	"go/types"
)

// compilesLater lets the regular expressions of a declaration be compiled when they are first used, and not before
// main: a variable becomes a function that gives the expression. It says whether one is declared here.
func compilesLater(src *source, node ast.Node) bool {
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			n.X = called(src, n.X)
		case *ast.AssignStmt:
			for i := range n.Rhs {
				n.Rhs[i] = called(src, n.Rhs[i])
			}
		case *ast.ValueSpec:
			found = declaresExpression(n) || found
		}
		return true
	})
	return found
}

// called calls what was a regular expression of the package, and leaves anything else as it is.
func called(src *source, of ast.Expr) ast.Expr {
	id, is := of.(*ast.Ident)
	if !is {
		return of
	}
	v, is := src.info.Uses[id].(*types.Var)
	if !is || v.Parent() != v.Pkg().Scope() || v.Type().String() != "*regexp.Regexp" {
		return of
	}
	return &ast.CallExpr{Fun: id}
}

// declaresExpression replaces regexp.MustCompile by lazy.Regexp.
func declaresExpression(of *ast.ValueSpec) bool {
	if len(of.Values) != 1 {
		return false
	}
	call, is := of.Values[0].(*ast.CallExpr)
	if !is {
		return false
	}
	made, is := call.Fun.(*ast.SelectorExpr)
	if !is || made.Sel.Name != "MustCompile" {
		return false
	}
	call.Fun = &ast.SelectorExpr{X: ast.NewIdent("lazy"), Sel: ast.NewIdent("Regexp")}
	return true
}
