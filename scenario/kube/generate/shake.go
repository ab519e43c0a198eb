package main

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// roots.txt lists what our own packages use: a package, then a name of it.
//
//go:embed roots.txt
var rootsText string

// known are the methods by which other packages know a type, so that it needs them although nobody calls them.
var known = []string{"MarshalJSON", "UnmarshalJSON", "String", "Error", "Len", "Less", "Swap"}

// shake is the search for what is used.
type shake struct {
	*library
	// taken are the declarations, by their package and name. asked are the names of the methods of interfaces that are
	// taken: a type that is taken keeps its methods of these names.
	taken map[string]map[string]*decl
	asked map[string]bool
	todo  []symbol
}

// symbol is a name in a package.
type symbol struct{ path, name string }

// generate returns the files, by their names.
func generate() (map[string][]byte, error) {
	var roots []symbol
	var paths []string
	for line := range strings.Lines(rootsText) {
		if words := strings.Fields(line); len(words) == 2 {
			roots = append(roots, symbol{words[0], words[1]})
			paths = append(paths, words[0])
		}
	}
	slices.Sort(paths)
	l, err := newLibrary(slices.Compact(paths))
	if err != nil {
		return nil, err
	}
	s := &shake{library: l, taken: map[string]map[string]*decl{}, asked: map[string]bool{}, todo: roots}
	for _, name := range known {
		s.asked[name] = true
	}
	if err := s.all(); err != nil {
		return nil, err
	}
	return s.print()
}

// all takes what is used until nothing more is.
func (s *shake) all() error {
	for len(s.todo) > 0 {
		for len(s.todo) > 0 {
			next := s.todo[len(s.todo)-1]
			s.todo = s.todo[:len(s.todo)-1]
			if err := s.take(next); err != nil {
				return err
			}
		}
		s.takeMethods()
		s.takeInits()
	}
	return nil
}

// takeInits asks for what sets up a variable that is taken.
func (s *shake) takeInits() {
	for path, decls := range s.taken {
		src := s.sources[path]
		for name, d := range src.decls {
			if !strings.HasPrefix(name, "init ") || decls[name] != nil {
				continue
			}
			ast.Inspect(d.node, func(n ast.Node) bool {
				if id, is := n.(*ast.Ident); is {
					if v, is := src.info.Uses[id].(*types.Var); is && decls[v.Name()] != nil && v.Parent() == v.Pkg().Scope() {
						s.todo = append(s.todo, symbol{path, name})
					}
				}
				return true
			})
		}
	}
}

func (s *shake) take(of symbol) error {
	src, err := s.source(of.path)
	if err != nil {
		return err
	}
	d := src.decls[of.name]
	if d == nil || strings.HasSuffix(of.name, "CBOR") || s.taken[of.path][d.name] != nil {
		return nil
	}
	if s.taken[of.path] == nil {
		s.taken[of.path] = map[string]*decl{}
	}
	s.taken[of.path][d.name] = d
	if instead[of.path+"."+d.name] != "" {
		return nil
	}
	prune(d.node)
	ast.Inspect(d.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			s.uses(src.info.Uses[n])
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, name := range method.Names {
					s.asked[name.Name] = true
				}
			}
		}
		return true
	})
	return nil
}

// uses takes what a name stands for.
func (s *shake) uses(object types.Object) {
	if object == nil || object.Pkg() == nil || !isShaken(object.Pkg().Path()) {
		return
	}
	path := object.Pkg().Path()
	if f, is := object.(*types.Func); is {
		if receiver := f.Signature().Recv(); receiver != nil {
			if name := named(receiver.Type()); name != "" {
				s.todo = append(s.todo, symbol{path, name + "." + f.Name()})
			}
			return
		}
	}
	if object.Parent() == object.Pkg().Scope() {
		s.todo = append(s.todo, symbol{path, object.Name()})
	}
}

// named is the name of a type that has methods, or "" for an interface.
func named(of types.Type) string {
	if p, is := of.(*types.Pointer); is {
		of = p.Elem()
	}
	if n, is := of.(*types.Named); is && !types.IsInterface(n) {
		return n.Obj().Name()
	}
	return ""
}

// takeMethods asks for the methods of types that are taken, where an interface has one of the name.
func (s *shake) takeMethods() {
	for path, decls := range s.taken {
		src := s.sources[path]
		for name := range decls {
			for _, method := range src.methods[name] {
				if full := name + "." + method; s.asked[method] && decls[full] == nil {
					s.todo = append(s.todo, symbol{path, full})
				}
			}
		}
	}
}
