package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

const module = "github.com/statefulsim/statefulsim"

// layers says which of our packages, and which third-party modules, each part may import. A path ending in /... stands
// for the package and all below it. The first row that fits a package is the one that counts; the tests of a package
// are not bound by it.
var layers = []struct {
	of    string
	ours  []string
	third []string
}{
	{of: "model"},
	{of: "sim/statefulset/...", ours: []string{"model", "sim/statefulset/..."}},
	{of: "scenario/search", ours: []string{"sim/choose"}},
	{of: "sim/view/render", ours: []string{"model", "sim/view/lazy"},
		third: []string{"github.com/clipperhouse/displaywidth", "github.com/olekukonko/tablewriter/..."}},
	{of: "sim/view/shell"},
	{of: "sim/view/work", ours: []string{"sim/view/render"}},
	{of: "sim/view/reasons", ours: []string{"model", "sim/view/shell", "sim/view/lazy", "sim/view/render", "sim/timeline"}},
	{of: "sim/view/report", ours: []string{"model", "sim/view/shell", "sim/timeline/...", "sim/behaviour/glob", "sim/gate", "sim/view/lazy", "sim/view/render",
		"sim/view/reasons"}, third: []string{"k8s.io/apimachinery/pkg/util/duration"}},
	{of: "scenario/search/promise", ours: []string{"model", "sim/timeline"}},
	{of: "sim/gate", ours: []string{"model", "sim/timeline"}},
	{of: "sim/view/report/html", ours: []string{"model", "sim/view/render", "sim/timeline", "sim/view/report"}},
	{of: "sim/view/doc", ours: []string{"sim/view/render", "sim/view/report", "sim/view/report/html"}},
	{of: "sim/corpus", third: []string{"golang.org/x/tools/txtar"}},
	{of: "sim/choose"},
	{of: "sim/behaviour/glob"},
	// Only tests import these two.
	{of: "scenario/live/oncall", third: []string{"golang.org/x/tools/txtar"}},
	{of: "sim/goldenfile", third: []string{"github.com/stretchr/testify/require", "golang.org/x/tools/txtar"}},
	{of: "sim/view/lazy"},
	{of: "sim/eventqueue", ours: []string{"model", "sim/choose", "sim/keyed"}},
	{of: "sim/behaviour", ours: []string{"model", "sim/choose", "sim/behaviour/glob", "sim/timeline"}},
	{of: "sim/keyed", ours: []string{"model"}},
	{of: "sim/timeline", ours: []string{"model", "sim/keyed"}},
	{of: "sim/timeline/versus", ours: []string{"model", "sim/keyed", "sim/timeline"}},
	{of: "sim/store", ours: []string{"model", "sim/keyed", "sim/timeline"}},
	{of: "sim/workqueue", ours: []string{"model"}},
	{of: "sim/cache", ours: []string{"model", "sim/keyed", "sim/store"}},
	// The rooms of the world stand on the kernel and hear of each other through the store. Of other rooms they may know
	// those to their left: audit, nodes, storage.
	{of: "sim/kernel", ours: []string{"model", "sim/behaviour", "sim/choose", "sim/eventqueue", "sim/timeline"}},
	{of: "sim/audit", ours: floor()},
	{of: "sim/nodes", ours: floor()},
	{of: "sim/gc", ours: floor("sim/behaviour", "sim/choose")},
	{of: "sim/dns", ours: floor("sim/audit")},
	{of: "sim/manager", ours: floor("sim/audit", "sim/behaviour", "sim/cache", "sim/workqueue", "sim/choose")},
	{of: "sim/storage", ours: floor("sim/audit", "sim/behaviour", "sim/behaviour/glob", "sim/nodes")},
	{of: "sim/scheduler", ours: floor("sim/audit", "sim/behaviour", "sim/nodes")},
	{of: "sim/kubelet", ours: floor("sim/audit", "sim/behaviour", "sim/nodes")},
	{of: "sim/disruption", ours: floor("sim/audit", "sim/nodes")},
	{of: "sim", ours: floor("sim/audit", "sim/behaviour", "sim/choose", "sim/disruption", "sim/dns", "sim/gc", "sim/behaviour/glob",
		"sim/kubelet", "sim/manager", "sim/nodes", "sim/scheduler", "sim/storage")},
	// The format: texts to a world, and what is expected of it. It knows nothing of dumps, plans and searches.
	{of: "scenario/strict", ours: []string{"model", "sim/choose", "sim/behaviour/...", "sim/timeline", "sim/view/..."}, third: reading},
	{of: "scenario/names", ours: []string{"model", "scenario/strict"}, third: reading},
	{of: "scenario/placement", ours: []string{"model", "sim", "sim/behaviour/glob", "sim/view/lazy", "sim/view/render"}, third: reading},
	{of: "scenario/manifest/podspec", ours: []string{"model", "sim/statefulset", "sim/view/lazy"}, third: reading},
	{of: "scenario/manifest", ours: ofScenario("scenario/kube", "scenario/manifest/podspec", "scenario/names", "scenario/placement",
		"scenario/strict"), third: reading},
	{of: "scenario/expect/condition", ours: ofScenario("scenario/strict"), third: reading},
	{of: "scenario/expect", ours: ofScenario("scenario/expect/condition", "scenario/strict", "sim/behaviour/glob"), third: reading},
	// A live cluster: what a dump shows is read, judged and healed, in this order. Plans and searches ask it, and not the
	// reverse.
	{of: "scenario/live/symptom", ours: []string{"sim/view/lazy"}},
	{of: "scenario/live/judge", ours: ofScenario("scenario/live/dump", "scenario/live/symptom", "scenario/manifest",
		"scenario/placement", "scenario/play", "scenario/release"), third: reading},
	{of: "scenario/live/...", ours: ofScenario("scenario/kube", "scenario/live/...", "scenario/manifest", "scenario/names",
		"scenario/placement", "scenario/play", "scenario/play/gated", "scenario/release", "scenario/strict", "sim/keyed"), third: reading},
	{of: "scenario/release", ours: []string{"model", "sim", "sim/statefulset", "sim/view/render"}},
	{of: "scenario/kube", third: []string{"k8s.io/apimachinery/pkg/apis/meta/v1"}},
	// Only tests import it.
	{of: "scenario/lives", ours: []string{"scenario", "sim/timeline"}, third: []string{"github.com/stretchr/testify/require",
		"golang.org/x/tools/txtar", "gopkg.in/yaml.v3"}},
	// sim-serve, which is a module of its own: what only it needs, sim does not link (TestSimLinksNoServer). The edge of a
	// session starts goroutines and reads the clock, and so does what plays an operator; the session itself is HTTP over a
	// world, and does neither.
	{of: "scenario/serve/cmd/sim-serve", ours: []string{"cmd/sim/cli", "cmd/sim/command/...", "scenario/serve/...",
		"scenario/strict", "sim/view/work"}, third: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
	{of: "scenario/serve/mcp", ours: []string{"cmd/sim/...", "docs", "scenario/...", "sim/view/work"},
		third: []string{"github.com/modelcontextprotocol/go-sdk/mcp", "github.com/google/jsonschema-go/jsonschema"}},
	{of: "scenario/serve/simtest", ours: []string{"scenario", "scenario/search/...", "scenario/serve/...", "sim/..."},
		third: []string{"k8s.io/..."}},
	{of: "scenario/serve/session", ours: []string{"scenario", "cmd/sim/command", "cmd/sim/files", "scenario/serve/...",
		"sim/behaviour",
		"scenario/strict", "sim/view/..."}, third: []string{"golang.org/x/net/netutil"}},
	{of: "docs"},
	{of: "scenario/serve/workloads", ours: []string{"model", "scenario/serve/kinds", "scenario/serve/objects",
		"scenario/serve/project"}, third: []string{"github.com/robfig/cron/v3", "k8s.io/api/...", "k8s.io/apimachinery/..."}},
	{of: "scenario/serve/...", ours: []string{"model", "sim", "sim/behaviour", "sim/view/lazy", "sim/timeline", "scenario/..."},
		third: []string{"cel.dev/cel-go/...", "github.com/robfig/cron/v3", "golang.org/x/net/websocket", "golang.org/x/tools/txtar", "k8s.io/api/...", "k8s.io/apimachinery/...",
			"k8s.io/streaming/...",
			"gopkg.in/evanphx/json-patch.v4", "gopkg.in/yaml.v3", "github.com/google/gnostic-models/openapiv2",
			"google.golang.org/protobuf/...",
			"sigs.k8s.io/json", "sigs.k8s.io/structured-merge-diff/...", "sigs.k8s.io/yaml"}},
	{of: "scenario/...", ours: ofScenario("scenario/..."), third: reading},
	{of: "scenarios"},
	{of: "cmd/playground", ours: []string{"scenario", "scenarios", "sim/view/report", "sim/view/report/html"}},
	// What commands share knows no command.
	{of: "cmd/sim/command", ours: []string{"model", "sim/...", "scenario/...", "cmd/sim/course", "cmd/sim/files/...",
		"cmd/sim/links"}, third: []string{"golang.org/x/sys/windows"}},
	{of: "cmd/sim/command/...", ours: []string{"model", "sim/...", "scenario/...", "cmd/sim/command/...", "cmd/sim/course",
		"cmd/sim/files/...", "cmd/sim/links"}},
	{of: "cmd/sim/course", ours: []string{"scenario", "cmd/sim/files", "scenario/play/verdict", "scenarios", "sim/view/..."}},
	// What others write is untrusted: it is turned into texts here, in memory, and nothing of it reaches the disk.
	{of: "cmd/sim/files/forms", ours: []string{"scenario/strict", "sim/view/lazy", "sim/view/shell"}, third: []string{
		"github.com/klauspost/compress/zstd", "github.com/ulikunitz/xz", "golang.org/x/text/encoding/unicode"}},
	{of: "cmd/sim/files", ours: []string{"cmd/sim/files/forms", "scenario/manifest", "scenario/strict", "sim/view/...", "sim/timeline"}},
	{of: "cmd/sim/links", ours: []string{"scenario", "scenario/strict"}},
	{of: "cmd/sim/cli", ours: []string{"cmd/sim/command", "scenario/strict", "sim/view/..."}, third: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/sys/unix", "golang.org/x/term"}},
	{of: "cmd/sim", ours: []string{"..."}, third: []string{"github.com/spf13/cobra", "github.com/spf13/pflag",
		"golang.org/x/sys/unix", "golang.org/x/term"}},
}

// floor is what every room of the world stands on, and what one of them may know beside it.
func floor(beside ...string) []string {
	return append([]string{"model", "sim/kernel", "sim/keyed", "sim/store", "sim/timeline"}, beside...)
}

// reading are the modules with which files are read and conditions compiled.
var reading = []string{"gopkg.in/yaml.v3", "cel.dev/cel-go/...", "google.golang.org/...", "github.com/HdrHistogram/hdrhistogram-go",
	"k8s.io/api/...", "k8s.io/apimachinery/...", "k8s.io/component-helpers/...", "k8s.io/utils/..."}

// ofScenario is what all of scenario may know of the world and its views, and what one of its rooms may know besides.
func ofScenario(besides ...string) []string {
	return append([]string{"model", "sim", "sim/choose", "sim/behaviour", "sim/behaviour/glob", "sim/gate", "sim/statefulset",
		"sim/timeline/...", "sim/view/shell", "sim/view/doc", "sim/view/lazy", "sim/view/render", "sim/view/reasons",
		"sim/view/report"}, besides...)
}

// deterministic are the parts in which nothing may depend on the machine, the hour or the weather.
var deterministic = []string{"model", "sim", "sim/...", "scenario/..."}

// TestArchitecture holds the direction of the imports, and bans what would make two runs of one seed differ.
func TestArchitecture(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	from := compiled(t, fset)
	var complaints []string
	for _, dir := range packages(t, root) {
		files := parse(t, fset, filepath.Join(root, dir))
		if len(files) == 0 {
			continue
		}
		complaints = append(complaints, imports(fset, dir, files)...)
		if anyOf(deterministic, dir) && !strings.HasPrefix(dir, "sim/view/report") && !anyOf(edges, dir) {
			complaints = append(complaints, bans(fset, dir, files, from)...)
		}
	}
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

// compiled imports packages from what the compiler has left in the build cache, which is far faster than their sources.
func compiled(t *testing.T, fset *token.FileSet) types.Importer {
	exports := map[string]string{}
	for _, dir := range []string{"../..", "../../" + serveModule} {
		list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./...")
		list.Dir, list.Stderr = dir, os.Stderr
		out, err := list.Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
			exports[name] = file
		}
	}
	return importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })
}

// serveModule is the folder of the module that is built like the main one, beside it.
const serveModule = "scenario/serve"

// packages lists the folders of both modules that may hold Go files, relative to the root.
func packages(t *testing.T, root string) []string {
	var dirs []string
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		dir, _ := filepath.Rel(root, file)
		if base := entry.Name(); base == "testdata" || dir != "." && (base[0] == '.' || isModule(file) && filepath.ToSlash(dir) != serveModule) {
			return filepath.SkipDir
		}
		dirs = append(dirs, filepath.ToSlash(dir))
		return nil
	})
	require.NoError(t, err)
	return dirs
}

// isModule says whether a folder is a module of its own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func parse(t *testing.T, fset *token.FileSet, dir string) []*ast.File {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, file)
	}
	return files
}

func imports(fset *token.FileSet, dir string, files []*ast.File) []string {
	row := slices.IndexFunc(layers, func(l struct {
		of    string
		ours  []string
		third []string
	}) bool {
		return match(l.of, dir)
	})
	if row < 0 {
		return []string{dir + ": the package has no row in the table of layers: give it one"}
	}
	var complaints []string
	for _, file := range files {
		for _, spec := range file.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			ours, isOurs := strings.CutPrefix(name, module+"/")
			switch {
			case name == "text/template" || name == "html/template":
				complaints = append(complaints, fmt.Sprintf("%s: %s calls methods by their names, so that a program which links "+
					"it keeps every method of every type: write it with strings.Builder", fset.Position(spec.Pos()), name))
			case isOurs && anyOf(edges, ours) && !anyOf(append([]string{"cmd/..."}, edges...), dir):
				complaints = append(complaints, fmt.Sprintf("%s: %s is for commands: nothing that plays may import it",
					fset.Position(spec.Pos()), ours))
			case isOurs && anyOf(layers[row].ours, ours):
			case !isOurs && !strings.Contains(strings.Split(name, "/")[0], "."):
			case !isOurs && anyOf(layers[row].third, name):
			default:
				complaints = append(complaints, fmt.Sprintf("%s: %s must not import %s: it may import %s",
					fset.Position(spec.Pos()), dir, name, strings.Join(append(layers[row].ours, layers[row].third...), ", ")))
			}
		}
	}
	return complaints
}

func anyOf(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return match(pattern, dir) })
}

func match(pattern, dir string) bool {
	prefix, below := strings.CutSuffix(pattern, "...")
	if !below {
		return pattern == dir
	}
	return strings.HasPrefix(dir+"/", prefix)
}

// bans looks for statements whose outcome is not determined by their input.
func bans(fset *token.FileSet, dir string, files []*ast.File, from types.Importer) []string {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: from, Error: func(error) {}}
	config.Check(path.Join(module, dir), fset, files, info)
	var complaints []string
	ban := func(at token.Pos, what, instead string) {
		complaints = append(complaints, fmt.Sprintf("%s: %s is banned here, use %s", fset.Position(at), what, instead))
	}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.GoStmt:
				ban(n.Pos(), "a go statement", "the event queue (sim/eventqueue), or iter.Pull for a sync that is suspended")
			case *ast.SelectStmt:
				ban(n.Pos(), "select", "the event queue (sim/eventqueue)")
			case *ast.RangeStmt:
				if isMap(info.TypeOf(n.X)) {
					ban(n.Pos(), "range over a map", "slices.Sorted(maps.Keys(m))")
				}
			case *ast.SelectorExpr:
				banUse(info.Uses[n.Sel], n.Pos(), dir, ban)
			}
			return true
		})
	}
	return complaints
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, is := t.Underlying().(*types.Map)
	return is
}

func banUse(object types.Object, at token.Pos, dir string, ban func(token.Pos, string, string)) {
	if object == nil || object.Pkg() == nil {
		return
	}
	switch pkg := object.Pkg().Path(); {
	case pkg == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer"}, object.Name()):
		ban(at, "time."+object.Name(), "the world's clock (sim.World.Now, model.View.Now)")
	case strings.HasPrefix(pkg, "math/rand") && dir != "sim/choose":
		ban(at, pkg, "choose.Chooser")
	}
}

// edges are what belongs to commands: what it does depends on the machine, so that nothing that plays may know it.
var edges = []string{"cmd/sim/cli", "cmd/sim/command", "cmd/sim/command/...", "cmd/sim/course", "cmd/sim/files",
	"scenario/serve/cmd/...", "scenario/serve/mcp", "scenario/serve/session", "scenario/serve/simtest", "sim/view/work"}

// TestSimLinksNoServer: what only sim-serve needs is no part of sim, and its module is built against the next release.
func TestSimLinksNoServer(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	out, err := list.Output()
	require.NoError(t, err)
	linked := strings.Fields(string(out))
	require.Contains(t, linked, module+"/cmd/sim/cli")
	for _, name := range linked {
		require.False(t, anyOf([]string{module + "/" + serveModule + "/...", "golang.org/x/net/websocket",
			"golang.org/x/net/netutil", "github.com/moby/spdystream/...", "k8s.io/streaming/...", "k8s.io/apiserver/...",
			"k8s.io/client-go/...", "k8s.io/kube-openapi/pkg/handler3"}, name), name)
	}
	for _, file := range []string{"go.mod", "go.work"} {
		text, err := os.ReadFile("../../" + serveModule + "/" + file)
		require.NoError(t, err)
		require.Contains(t, string(text), module+" v"+command.Version, file)
	}
}

// TestOneWriter: only one package of the program writes files.
func TestOneWriter(t *testing.T) {
	banned := []string{"WriteFile", "Create", "CreateTemp", "OpenFile", "Rename", "Link"}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	for _, dir := range packages(t, root) {
		if !anyOf([]string{"model", "sim/...", "scenario/...", "cmd/sim/..."}, dir) || dir == "sim/goldenfile" ||
			dir == "cmd/sim/files" {
			continue
		}
		for _, file := range parse(t, fset, filepath.Join(root, dir)) {
			ast.Inspect(file, func(n ast.Node) bool {
				s, is := n.(*ast.SelectorExpr)
				if !is || !slices.Contains(banned, s.Sel.Name) {
					return true
				}
				at := fset.Position(s.Pos())
				if from, is := s.X.(*ast.Ident); is && from.Name == "os" {
					t.Errorf("%s: os.%s: write files with package files", at, s.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestArchitectureFindsWhatItBans makes sure that the test above can fail.
func TestArchitectureFindsWhatItBans(t *testing.T) {
	const source = `package bad
import ("time"; "math/rand/v2"; "github.com/spf13/cobra"; "text/template")
var _ cobra.Command
var _ template.Template
func f(m map[string]int, c chan int) {
	for range m {}
	go f(m, c)
	select { case <-c: default: }
	_ = time.Now()
	_ = rand.IntN(3)
}`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "bad.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	from := compiled(t, fset)
	require.Len(t, bans(fset, "model", []*ast.File{file}, from), 5)
	require.Len(t, imports(fset, "model", []*ast.File{file}), 2)
	require.Len(t, imports(fset, "nowhere", []*ast.File{file}), 1)
}

// TestVersionsArePlayedWhole: only package release makes a controller of a version. So whoever builds a world gets the
// rules of the API server, of the scheduler and of all other parts with it.
func TestVersionsArePlayedWhole(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	fset := token.NewFileSet()
	for _, dir := range packages(t, root) {
		if dir == "scenario/release" {
			continue
		}
		for _, file := range parse(t, fset, filepath.Join(root, dir)) {
			ast.Inspect(file, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if ok && s.Sel.Name == "New" && types.ExprString(s.X) == "statefulset" {
					t.Errorf("%s: make it with release.Config or release.Parts", fset.Position(s.Pos()))
				}
				return true
			})
		}
	}
}
