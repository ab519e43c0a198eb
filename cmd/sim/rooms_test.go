package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roomNames are the packages below sim whose values a world wires together.
var roomNames = []string{
	"sim/audit", "sim/disruption", "sim/dns", "sim/gc", "sim/kubelet", "sim/manager", "sim/nodes",
	"sim/scheduler", "sim/storage",
}

// callsBack are the calls of a room that come back to it, each with the reason why it is right.
var callsBack = map[string]string{
	// A fault acts when a write has been made and before its answer: with all that a step can do. It is the scenario's,
	// as a step is, and only the manager's writes meet one.
	"sim/manager -> sim": "the faults of a scenario act in the middle of a write",
	// What a readiness condition costs counts against a limit of the run, which may end in the middle of one.
	"sim/kubelet -> sim": "a readiness condition pays for each step, and the run may end within it",
	"sim -> sim/kubelet": "a readiness condition pays for each step, and the run may end within it",
}

// TestNoRoomCallsOneThatCallsBack holds that the calls between rooms have one direction. It sees the methods that a
// room calls of another one, and what the wiring (package sim) gives to a room: a value of another room's for an
// interface, a method, a function. What a room hears of through the store is no call of the writer's.
func TestNoRoomCallsOneThatCallsBack(t *testing.T) {
	calls := roomCalls(t)
	for _, from := range slices.Sorted(maps.Keys(calls)) {
		t.Logf("%s calls %s", from, strings.Join(slices.Sorted(maps.Keys(calls[from])), ", "))
	}
	require.Contains(t, calls["sim/kubelet"], "sim/storage", "through the interface Volumes")
	require.Contains(t, calls["sim/scheduler"], "sim/nodes", "directly")
	for _, from := range slices.Sorted(maps.Keys(calls)) {
		for _, to := range slices.Sorted(maps.Keys(calls[from])) {
			if way := wayBack(calls, to, from); way != nil && callsBack[from+" -> "+to] == "" {
				t.Errorf("%s calls %s, which calls back: %s. Let it return what the other one needs, or ask it from the loop "+
					"of the world", from, to, strings.Join(append([]string{from}, way...), " -> "))
			}
		}
	}
}

// graph is which packages each package calls.
type graph map[string]map[string]bool

func (g graph) add(from, to string) {
	if from == to {
		return
	}
	if g[from] == nil {
		g[from] = map[string]bool{}
	}
	g[from][to] = true
}

// wayBack returns a way from a package to another one, without the calls that may come back, or nil.
func wayBack(calls graph, from, to string) []string {
	before := map[string]string{from: from}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		at := next[0]
		if at == to {
			way := []string{at}
			for ; at != from; at = before[at] {
				way = append([]string{before[at]}, way...)
			}
			return way
		}
		for _, called := range slices.Sorted(maps.Keys(calls[at])) {
			if _, seen := before[called]; !seen && callsBack[at+" -> "+called] == "" {
				before[called] = at
				next = append(next, called)
			}
		}
	}
	return nil
}

// checked is a package with the types of its expressions.
type checked struct {
	dir   string
	files []*ast.File
	info  *types.Info
}

func roomCalls(t *testing.T) graph {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	from := compiled(t, fset)
	calls := graph{}
	for _, dir := range roomNames {
		room := typeCheck(t, fset, from, root, dir)
		for _, file := range room.files {
			ast.Inspect(file, func(node ast.Node) bool {
				if id, is := node.(*ast.Ident); is {
					calls.add(dir, methodOf(room.info.Uses[id], dir))
				}
				return true
			})
		}
	}
	wiring(typeCheck(t, fset, from, root, "sim"), calls)
	return calls
}

func typeCheck(t *testing.T, fset *token.FileSet, from types.Importer, root, dir string) *checked {
	c := &checked{dir: dir, files: parse(t, fset, filepath.Join(root, dir)), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}}
	config := types.Config{Importer: from}
	_, err := config.Check(path.Join(module, dir), fset, c.files, c.info)
	require.NoError(t, err)
	return c
}

// methodOf returns the room whose method an object is, or the package itself where it is none.
func methodOf(object types.Object, dir string) string {
	method, is := object.(*types.Func)
	if !is || method.Signature().Recv() == nil || method.Pkg() == nil {
		return dir
	}
	if of := strings.TrimPrefix(method.Pkg().Path(), module+"/"); slices.Contains(roomNames, of) {
		return of
	}
	return dir
}

// wiring adds what the world gives to rooms that may be called: values for their interfaces, methods, and functions.
func wiring(world *checked, calls graph) {
	for _, file := range world.files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CallExpr:
				wireCall(world, n, calls)
			case *ast.CompositeLit:
				wireFields(world, n, calls)
			}
			return true
		})
	}
}

// wireCall adds what a room is given as arguments.
func wireCall(world *checked, call *ast.CallExpr, calls graph) {
	to := calledRoom(world, call)
	signature, known := world.info.TypeOf(call.Fun).(*types.Signature)
	if to == "" || !known {
		return
	}
	for i, arg := range call.Args {
		if i < signature.Params().Len() && mayBeCalled(signature.Params().At(i).Type()) {
			given(world, to, arg, calls)
		}
	}
}

// wireFields adds what a room is given in the fields of a struct of its own.
func wireFields(world *checked, literal *ast.CompositeLit, calls graph) {
	named, is := world.info.TypeOf(literal).(*types.Named)
	if !is || named.Obj().Pkg() == nil {
		return
	}
	to := strings.TrimPrefix(named.Obj().Pkg().Path(), module+"/")
	if !slices.Contains(roomNames, to) {
		return
	}
	for _, element := range literal.Elts {
		field, is := element.(*ast.KeyValueExpr)
		if is && mayBeCalled(world.info.TypeOf(field.Key)) {
			given(world, to, field.Value, calls)
		}
	}
}

// calledRoom returns the room whose function or method is called, "" where it is none's.
func calledRoom(world *checked, call *ast.CallExpr) string {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || world.info.Uses[selector.Sel] == nil || world.info.Uses[selector.Sel].Pkg() == nil {
		return ""
	}
	of := strings.TrimPrefix(world.info.Uses[selector.Sel].Pkg().Path(), module+"/")
	if !slices.Contains(roomNames, of) {
		return ""
	}
	return of
}

func mayBeCalled(of types.Type) bool {
	if of == nil {
		return false
	}
	switch of.Underlying().(type) {
	case *types.Interface, *types.Signature:
		return true
	}
	return false
}

// given adds that a room may call what it was given: a room, or something of the world's.
func given(world *checked, to string, arg ast.Expr, calls graph) {
	of := world.info.TypeOf(arg)
	if pointer, is := of.(*types.Pointer); is {
		of = pointer.Elem()
	}
	if named, is := of.(*types.Named); is && named.Obj().Pkg() != nil {
		addIfOurs(named.Obj().Pkg().Path(), to, calls)
		return
	}
	// A method of a room, or of the world's; a function literal of the world's may call any room.
	switch f := arg.(type) {
	case *ast.SelectorExpr:
		if method, is := world.info.Uses[f.Sel].(*types.Func); is {
			addIfOurs(method.Pkg().Path(), to, calls)
		}
	case *ast.FuncLit, *ast.Ident:
		calls.add(to, world.dir)
	}
}

// addIfOurs adds a call of a room or of the world, which calls all rooms.
func addIfOurs(pkg, from string, calls graph) {
	switch to := strings.TrimPrefix(pkg, module+"/"); {
	case slices.Contains(roomNames, to):
		calls.add(from, to)
	case to == "sim":
		calls.add(from, to)
		for _, room := range roomNames {
			calls.add(to, room)
		}
	}
}

// TestWayBackIsFound makes sure that the test above can fail.
func TestWayBackIsFound(t *testing.T) {
	calls := graph{}
	calls.add("a", "b")
	calls.add("b", "c")
	require.Nil(t, wayBack(calls, "b", "a"))
	calls.add("c", "a")
	require.Equal(t, []string{"b", "c", "a"}, wayBack(calls, "b", "a"))
}

// TestRulesStandWhereDesignSays holds the table of rules in docs/design.md: each file has the function that it names.
func TestRulesStandWhereDesignSays(t *testing.T) {
	design, err := os.ReadFile("../../docs/design.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| (.+) \\| `(sim/[^`]+\\.go)` \\| `(\\w+)` \\|$").FindAllStringSubmatch(string(design), -1)
	require.GreaterOrEqual(t, len(rows), 20)
	for _, row := range rows {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", row[2]), nil, parser.SkipObjectResolution)
		require.NoError(t, err, row[1])
		require.True(t, slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			f, is := d.(*ast.FuncDecl)
			return is && f.Name.Name == row[3]
		}), "%s: %s has no function %s", row[1], row[2], row[3])
	}
}
