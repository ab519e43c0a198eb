package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// floored are the folders, with all below them, whose files lie on floors.
var floored = []string{"scenario/cluster/plan", "scenario/cluster/explain"}

// mostBack is how many of 100 uses between the files of a folder may run back up.
const mostBack = 10

// TestFloors holds that the files of a folder lie on floors: a file uses what those on lower floors define. A use is a
// pair of files, of which the first names a function, a type, a variable, a constant, a method or a field of the
// second. The floors are computed (floorsOf), so that nobody has to keep a list.
func TestFloors(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	from := compiled(t, fset)
	for _, folder := range floored {
		uses := usesIn(t, fset, from, root, folder)
		floors, all, back := floorsOf(uses), 0, []string{}
		for _, file := range slices.Sorted(maps.Keys(uses)) {
			for _, used := range slices.Sorted(maps.Keys(uses[file])) {
				if all++; floors[used] > floors[file] {
					back = append(back, file+" uses "+used)
				}
			}
		}
		require.Positive(t, all)
		require.Less(t, len(back)*100, all*mostBack, "%d of %d uses in %s run back up:\n%s", len(back), all, folder,
			strings.Join(back, "\n"))
		t.Logf("%s: %d of %d uses between files run back up", folder, len(back), all)
	}
}

// usesIn returns which files of a folder, and of those below it, each of its files uses.
func usesIn(t *testing.T, fset *token.FileSet, from types.Importer, root, folder string) graph {
	uses := graph{}
	for _, dir := range packages(t, root) {
		if !match(folder+"/...", dir) {
			continue
		}
		room := check(t, fset, from, root, dir)
		for _, file := range room.files {
			name := path.Join(dir, filepath.Base(fset.Position(file.Pos()).Filename))
			if uses[name] == nil {
				uses[name] = map[string]bool{}
			}
			ast.Inspect(file, func(node ast.Node) bool {
				id, is := node.(*ast.Ident)
				if !is {
					return true
				}
				if used := definedIn(fset, room.info.Uses[id], folder); used != "" {
					uses.add(name, used)
				}
				return true
			})
		}
	}
	return uses
}

// definedIn returns the file of a folder that defines an object, "" for a local variable and for what is from
// elsewhere.
func definedIn(fset *token.FileSet, object types.Object, folder string) string {
	if object == nil || object.Pkg() == nil {
		return ""
	}
	dir := strings.TrimPrefix(object.Pkg().Path(), module+"/")
	of, isVar := object.(*types.Var)
	local := isVar && !of.IsField() && object.Parent() != object.Pkg().Scope()
	if _, isPackage := object.(*types.PkgName); isPackage || local || !match(folder+"/...", dir) {
		return ""
	}
	return path.Join(dir, filepath.Base(fset.Position(object.Pos()).Filename))
}

// floorsOf lays files on floors from the ground up: the next file is the one that uses the fewest of those which have
// no floor yet, and of several the first by name.
func floorsOf(uses graph) map[string]int {
	floors := map[string]int{}
	for len(floors) < len(uses) {
		next, fewest := "", len(uses)
		for _, file := range slices.Sorted(maps.Keys(uses)) {
			open := 0
			for used := range uses[file] {
				if _, lies := floors[used]; !lies {
					open++
				}
			}
			if _, lies := floors[file]; !lies && open < fewest {
				next, fewest = file, open
			}
		}
		floors[next] = len(floors)
	}
	return floors
}

// mostMethods is how many methods a type of these folders may have.
const mostMethods = 20

// TestFewMethods holds that no type of an answer becomes the place where everything is done.
func TestFewMethods(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	methods := map[string]int{}
	for _, dir := range packages(t, root) {
		if !anyOf([]string{"scenario/cluster/plan/...", "scenario/cluster/explain/...", "scenario/cluster/heal/...", "scenario/cluster/judge/..."}, dir) {
			continue
		}
		for _, file := range parse(t, fset, filepath.Join(root, dir)) {
			for _, decl := range file.Decls {
				if f, is := decl.(*ast.FuncDecl); is && f.Recv != nil {
					of := strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")
					methods[dir+"."+of]++
				}
			}
		}
	}
	require.NotEmpty(t, methods)
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		require.LessOrEqual(t, methods[name], mostMethods, "methods of %s: make functions of some, or two types", name)
	}
}

// TestFloorsOfACircle makes sure that uses which run back up are found.
func TestFloorsOfACircle(t *testing.T) {
	uses := graph{"a": {"b": true}, "b": {"a": true, "c": true}, "c": {}}
	require.Equal(t, map[string]int{"c": 0, "a": 1, "b": 2}, floorsOf(uses), "a uses b, which lies above it")
}
