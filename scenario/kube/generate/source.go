package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shaken are the modules of which only the part that is used is taken.
var shaken = []string{"k8s.io/api/", "k8s.io/apimachinery/", "k8s.io/component-helpers/", "k8s.io/utils/"}

func isShaken(path string) bool {
	for _, prefix := range shaken {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// listed is a package as go list shows it.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
	Module                        *struct{ Path, Version string }
}

// source is a package of which parts are taken.
type source struct {
	listed
	files []*ast.File
	info  *types.Info
	// decls are its declarations, by name; a method is Type.Method. methods are the names of a type's methods.
	decls   map[string]*decl
	methods map[string][]string
}

// decl is a declaration: a function, or one line of a group of constants, variables or types.
type decl struct {
	name string
	// node is an *ast.FuncDecl or an *ast.GenDecl.
	node ast.Node
	file *ast.File
}

// library are the packages that the roots need, with how to read them.
type library struct {
	fset    *token.FileSet
	exports map[string]string
	listed  map[string]*listed
	sources map[string]*source
}

func newLibrary(roots []string) (*library, error) {
	l := &library{token.NewFileSet(), map[string]string{}, map[string]*listed{}, map[string]*source{}}
	out, err := exec.Command("go", append([]string{"list", "-export", "-deps", "-json"}, roots...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := &listed{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return l, nil
		} else if err != nil {
			return nil, err
		}
		l.listed[p.ImportPath], l.exports[p.ImportPath] = p, p.Export
	}
}

// source reads a package.
func (l *library) source(path string) (*source, error) {
	if s := l.sources[path]; s != nil {
		return s, nil
	}
	if l.listed[path] == nil {
		return nil, fmt.Errorf("%s is no package that the roots need", path)
	}
	s := &source{listed: *l.listed[path], decls: map[string]*decl{}, methods: map[string][]string{}}
	l.sources[path] = s
	for _, name := range s.GoFiles {
		file, err := parser.ParseFile(l.fset, filepath.Join(s.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, file)
	}
	s.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	config := types.Config{Importer: importer.ForCompiler(l.fset, "gc", func(name string) (io.ReadCloser, error) {
		return os.Open(l.exports[name])
	})}
	if _, err := config.Check(path, l.fset, s.files, s.info); err != nil {
		return nil, err
	}
	for i, file := range s.files {
		if name := s.GoFiles[i]; name == "generated.pb.go" || strings.HasSuffix(name, "_proto.go") {
			continue
		}
		for _, d := range file.Decls {
			s.declare(file, d)
		}
	}
	return s, nil
}

func (s *source) declare(file *ast.File, of ast.Decl) {
	switch of := of.(type) {
	case *ast.FuncDecl:
		name := of.Name.Name
		if name == "init" {
			name = fmt.Sprintf("init %d", of.Pos())
		}
		if of.Recv != nil {
			receiver := typeName(of.Recv.List[0].Type)
			s.methods[receiver] = append(s.methods[receiver], name)
			name = receiver + "." + name
		}
		s.decls[name] = &decl{name, of, file}
	case *ast.GenDecl:
		s.declareGroup(file, of)
	}
}

// declareGroup splits a group into its lines, unless they depend on each other.
func (s *source) declareGroup(file *ast.File, of *ast.GenDecl) {
	counted := false
	ast.Inspect(of, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		counted = counted || is && id.Name == "iota"
		return true
	})
	first := ""
	for _, spec := range of.Specs {
		node := &ast.GenDecl{Tok: of.Tok, TokPos: spec.Pos(), Specs: []ast.Spec{spec}}
		if counted {
			node = of
		}
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.decls[spec.Name.Name] = &decl{spec.Name.Name, node, file}
		case *ast.ValueSpec:
			if first == "" || !counted {
				first = spec.Names[0].Name
			}
			for _, name := range spec.Names {
				s.decls[name.Name] = &decl{first, node, file}
			}
		}
	}
}

// typeName is the name of a receiver's type.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.IndexExpr:
		return typeName(of.X)
	case *ast.IndexListExpr:
		return typeName(of.X)
	}
	return of.(*ast.Ident).Name
}
