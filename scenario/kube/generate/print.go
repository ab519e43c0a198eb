package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/printer"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// home is the import path below which the packages are written.
const home = "github.com/statefulsim/statefulsim/scenario/kube/"

// local is where a package of Kubernetes is written: k8s.io/apimachinery/pkg/util/sets is apimachinery/util/sets.
func local(of string) string {
	return strings.Replace(strings.TrimPrefix(of, "k8s.io/"), "/pkg/", "/", 1)
}

// print writes each package as one file.
func (s *shake) print() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, of := range slices.Sorted(maps.Keys(s.taken)) {
		text, err := s.file(s.sources[of], s.taken[of])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of, err)
		}
		files[path.Join(local(of), "kube.go")] = text
	}
	return files, nil
}

func (s *shake) file(src *source, taken map[string]*decl) ([]byte, error) {
	var body bytes.Buffer
	imports := map[string]bool{}
	done := map[string]bool{}
	var licences []string
	for _, d := range src.inOrder() {
		if taken[d.name] == nil || done[d.name] {
			continue
		}
		done[d.name] = true
		if licence := licence(d.file); !slices.Contains(licences, licence) {
			licences = append(licences, licence)
		}
		text, err := s.text(src, d, imports)
		if err != nil {
			return nil, err
		}
		body.WriteString("\n" + text + "\n")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from %s of %s %s; DO NOT EDIT.\n",
		src.ImportPath, src.Module.Path, src.Module.Version)
	for _, licence := range licences {
		fmt.Fprintf(&b, "\n%s\n", licence)
	}
	fmt.Fprintf(&b, "\n// Package %s is the part of %s that sim uses.\npackage %[1]s\n\n", src.Name, src.ImportPath)
	b.WriteString("import (\n")
	for _, line := range slices.Sorted(maps.Keys(imports)) {
		b.WriteString(line + "\n")
	}
	b.WriteString(")\n")
	b.Write(body.Bytes())
	return format.Source(b.Bytes())
}

// inOrder are the declarations as they stand in the files.
func (s *source) inOrder() []*decl {
	all := slices.Collect(maps.Values(s.decls))
	slices.SortFunc(all, func(a, b *decl) int { return int(a.node.Pos() - b.node.Pos()) })
	return all
}

// licence is the comment that a file begins with.
func licence(of *ast.File) string {
	for _, group := range of.Comments {
		var b strings.Builder
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//go:build") && !strings.HasPrefix(c.Text, "// +build") {
				b.WriteString(c.Text)
			}
		}
		if strings.Contains(b.String(), "Copyright") && group.End() < of.Package {
			return b.String()
		}
	}
	return ""
}

// text is a declaration without comments. What it needs is added to the imports.
func (s *shake) text(src *source, d *decl, imports map[string]bool) (string, error) {
	if text := instead[src.ImportPath+"."+d.name]; text != "" {
		for _, it := range strings.Fields(needs[src.ImportPath+"."+d.name]) {
			imports[strconv.Quote(it)] = true
		}
		return text, nil
	}
	if compilesLater(src, d.node) {
		imports[`"github.com/statefulsim/statefulsim/sim/lazy"`] = true
	}
	ast.Inspect(d.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Doc = nil
		case *ast.GenDecl:
			n.Doc = nil
		case *ast.Field:
			n.Doc, n.Comment = nil, nil
		case *ast.TypeSpec:
			n.Doc, n.Comment = nil, nil
		case *ast.ValueSpec:
			n.Doc, n.Comment = nil, nil
		case *ast.Ident:
			if name := imported(d.file, n, src); name != "" {
				imports[name] = true
			}
		}
		return true
	})
	var b bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := config.Fprint(&b, s.fset, d.node); err != nil {
		return "", err
	}
	return withoutGaps(protobufTags.ReplaceAllString(b.String(), "")), nil
}

var protobufTags = regexp.MustCompile(` protobuf:"[^"]*"| *\x60protobuf:"[^"]*"\x60`)

// withoutGaps drops the empty lines, where comments stood.
func withoutGaps(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(line)
		}
	}
	return b.String()
}
