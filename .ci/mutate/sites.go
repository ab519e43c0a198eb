package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// kind is a kind of change that a mutant makes.
type kind string

const (
	negated kind = "negated" // a condition says the opposite
	dropped kind = "dropped" // a statement is left out
	shifted kind = "shifted" // a comparison takes its bound in, or leaves it out; a number is one more
)

// site is a place of the source where one mutant can be planted. The source stays valid Go of the same types when any
// number of sites is planted in it.
type site struct {
	id   int // of the switch; 0 while it is not planted
	kind kind
	pkg  string // import path
	file string // absolute
	pos  token.Position
	text string // the line of the source
	// What is put into the source: before, at the operator (if any, instead of it), and after.
	start, op, end int // offsets; op is 0 where none is replaced
	opLen          int
	before, after  string // %d stands for the id
}

// name returns how a report names the mutant: where it is, and what it does. -match is compared with it.
func (s *site) name(root string) string {
	return fmt.Sprintf("%s:%d:%d %s", strings.TrimPrefix(s.file, root+"/"), s.pos.Line, s.pos.Column, s.kind)
}

// finder collects the sites of one file.
type finder struct {
	fset  *token.FileSet
	info  *types.Info
	lines []string
	pkg   string
	sites []*site
	seen  map[ast.Expr]bool // conditions that are negated already
	fixed map[ast.Node]bool // nodes that have to stay constants
}

// find returns the sites of a file in the order of its text: those in bodies of functions. Declarations outside of
// them are left, because what is initialized there may have to be constant.
func find(fset *token.FileSet, info *types.Info, pkg string, file *ast.File, source string) []*site {
	f := &finder{fset: fset, info: info, lines: strings.Split(source, "\n"), pkg: pkg,
		seen: map[ast.Expr]bool{}, fixed: map[ast.Node]bool{}}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			ast.Inspect(fn.Body, f.visit)
		}
	}
	slices.SortStableFunc(f.sites, func(a, b *site) int { return a.start - b.start })
	return f.sites
}

// visit looks at a node and says whether to look below it. Constants and types cannot have switches in them; labelled
// and empty statements are left.
func (f *finder) visit(n ast.Node) bool {
	if n == nil || f.fixed[n] {
		return false
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.BlockStmt:
		f.statements(n.List, false)
	case *ast.CommClause:
		f.statements(n.Body, false)
	case *ast.SwitchStmt:
		f.cases(n)
	case *ast.CaseClause:
		f.statements(n.Body, false)
	case *ast.IfStmt:
		f.negate(n.Cond)
		f.statements(n.Body.List, n.Else == nil)
		f.fixBody(n.Body)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.negate(n.Cond)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.seen[n.X] = true
			f.negate(n)
		}
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.IndexExpr:
		f.number(n.Index)
	case *ast.SliceExpr:
		f.number(n.Low)
		f.number(n.High)
	case *ast.CallExpr:
		return f.call(n)
	}
	return true
}

// fixBody keeps a body whose statements have been looked at from being looked at as a plain block again.
func (f *finder) fixBody(b *ast.BlockStmt) {
	for _, s := range b.List {
		ast.Inspect(s, f.visit)
	}
	f.fixed[b] = true
}

// cases negates the conditions of a switch without a tag. The cases of one with a tag are left: they are constants mostly.
func (f *finder) cases(n *ast.SwitchStmt) {
	for _, c := range n.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if n.Tag != nil {
				f.fixed[e] = true
			} else {
				f.negate(e)
			}
		}
	}
}

// statements drops statements; returns only where the function goes on behind them.
func (f *finder) statements(list []ast.Stmt, goesOn bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && isBuiltin(f.info, call.Fun, "panic") {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || isBlank(s.Lhs) {
				continue
			}
		case *ast.ReturnStmt:
			if !goesOn {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt:
		default:
			continue
		}
		f.add(s, site{kind: dropped, before: "if !mutate.On(%d) { ", after: " }"})
	}
}

// isBlank says whether an assignment assigns to nothing but _.
func isBlank(list []ast.Expr) bool {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// isBuiltin says whether a call is of one of these builtin functions.
func isBuiltin(info *types.Info, fun ast.Expr, names ...string) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, builtin := info.Uses[id].(*types.Builtin)
	return builtin && slices.Contains(names, id.Name)
}

// negate plants the opposite of a condition, once: the parts of && and || are conditions of their own.
func (f *finder) negate(e ast.Expr) {
	e = ast.Unparen(e)
	if f.seen[e] || !f.isBool(e) {
		return
	}
	f.seen[e] = true
	f.add(e, site{kind: negated, before: "(mutate.On(%d) != (", after: "))"})
}

// isBool says whether the expression is of the plain type bool, and no constant: a named type would need a conversion.
func (f *finder) isBool(e ast.Expr) bool {
	t := f.info.Types[e]
	b, ok := t.Type.(*types.Basic)
	return ok && t.Value == nil && b.Info()&types.IsBoolean != 0
}

// bounds are the functions of the switch package that compare with or without the bound.
var bounds = map[token.Token]string{token.LSS: "Less", token.LEQ: "LessEqual", token.GTR: "More", token.GEQ: "MoreEqual"}

// binary negates comparisons, shifts their bounds, and shifts numbers in sums. An equality is only negated.
func (f *finder) binary(n *ast.BinaryExpr) {
	if f.info.Types[n].Value != nil {
		return
	}
	switch n.Op {
	case token.LAND, token.LOR:
		for _, x := range []ast.Expr{n.X, n.Y} {
			if b, ok := x.(*ast.BinaryExpr); !ok || b.Op != n.Op {
				f.negate(x)
			}
		}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.negate(n)
		if name := bounds[n.Op]; name != "" && f.ordered(n.X) && f.ordered(n.Y) && f.isBool(n) {
			f.bound(n, name)
		} else {
			f.number(n.X)
			f.number(n.Y)
		}
	case token.ADD, token.SUB:
		f.number(n.X)
		f.number(n.Y)
	}
}

// ordered says whether the expression can be an argument of a function of ordered values: shifts of a constant and type
// parameters cannot.
func (f *finder) ordered(e ast.Expr) bool {
	if _, parameter := f.info.Types[e].Type.(*types.TypeParam); parameter {
		return false
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if b, is := n.(*ast.BinaryExpr); is && (b.Op == token.SHL || b.Op == token.SHR) {
			ok = false
		}
		return ok
	})
	return ok
}

// bound turns a comparison into a call, in which the operator becomes the comma between its arguments.
func (f *finder) bound(n *ast.BinaryExpr, name string) {
	op := f.fset.Position(n.OpPos).Offset
	f.add(n, site{kind: shifted, before: "mutate." + name + "(%d, ", after: ")", op: op, opLen: len(n.Op.String())})
}

// number plants one more than a literal whole number of a plain type, once.
func (f *finder) number(e ast.Expr) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT || f.fixed[e] {
		return
	}
	b, ok := f.info.Types[e].Type.(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return
	}
	f.fixed[e] = true
	f.add(e, site{kind: shifted, before: "mutate.Int[" + b.Name() + "](%d, ", after: ")"})
}

// call looks at the numbers among the arguments. The sizes that make takes change no result.
func (f *finder) call(n *ast.CallExpr) bool {
	if isBuiltin(f.info, n.Fun, "make") {
		return false
	}
	if f.info.Types[n.Fun].IsType() {
		return true
	}
	for _, a := range n.Args {
		f.number(a)
	}
	return true
}

// add adds a site for the text of a node.
func (f *finder) add(n ast.Node, s site) {
	s.pos = f.fset.Position(n.Pos())
	s.pkg, s.file = f.pkg, s.pos.Filename
	s.start, s.end = s.pos.Offset, f.fset.Position(n.End()).Offset
	s.text = strings.TrimSpace(f.lines[s.pos.Line-1])
	f.sites = append(f.sites, &s)
}
