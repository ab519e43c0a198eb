package main

import (
	"go/ast"
	"go/types"
	"strconv"
)

// imported is the line of the import that an identifier names, or "" where it names none.
func imported(file *ast.File, id *ast.Ident, src *source) string {
	name, is := src.info.Uses[id].(*types.PkgName)
	if !is {
		return ""
	}
	path := name.Imported().Path()
	target := path
	if isShaken(path) {
		target = home + local(path)
	}
	line := strconv.Quote(target)
	if name.Name() != name.Imported().Name() || name.Imported().Name() != base(path) {
		line = name.Name() + " " + line
	}
	return line
}

// base is the last element of a path.
func base(of string) string {
	for i := len(of) - 1; i >= 0; i-- {
		if of[i] == '/' {
			return of[i+1:]
		}
	}
	return of
}
