// Mutate plants changes in packages of sim, one at a time, and says which of them no test notices: conditions that are
// negated, statements that are dropped, bounds and numbers that are shifted by one. All mutants of a run are compiled
// into each test binary at once, behind switches; no file of the tree changes. A mutant is run with the tests that
// reach it: the ones of its own package first, then those of the packages that use it.
//
//	go run . -C ../.. -n 60 -seed 7 scenario/cluster/plan scenario/cluster/heal
//
// It reads the sources through the go command, so what is measured is the tree as it is, uncommitted changes included.
// The sample is a function of the seed and of the sources: the same call names the same mutants. It runs where files
// can be mapped into memory, and sh has ulimit.
//
// A mutant that survives is either a hole in the tests, or changes nothing that anybody can see; only a reader can
// tell.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

const module = "github.com/statefulsim/statefulsim"

// options are the flags. Each package gets n mutants of its own, or all those that match.
type options struct {
	// root is the root of the module, absolute once mutate has begun; paths of packages are relative to it.
	root, match, users, skip string
	n                        int
	// seed draws the sample.
	seed uint64
	// slow is the CPU time above which a test is left out: it would be run for each mutant that it reaches.
	slow time.Duration
	// reach runs no mutant, and asks only which of them a test executes: an upper bound on what can be noticed.
	verbose, reach bool
}

// The exit code is 0 even if mutants survive: the number is for people to judge. It is 2 if the packages cannot be
// mutated.
func main() {
	var o options
	flag.StringVar(&o.root, "C", ".", "root of the module")
	flag.IntVar(&o.n, "n", 60, "mutants a package")
	flag.Uint64Var(&o.seed, "seed", 1, "of the sample")
	flag.StringVar(&o.match, "match", "", "plant every mutant whose name (file:line:column kind) matches, instead of a sample")
	flag.StringVar(&o.users, "users", "cmd/sim,scenario",
		"packages whose tests are tried where those of its own package do not notice a mutant")
	flag.StringVar(&o.skip, "skip", "Architecture|Allocations|Instructions|Fuzz|Endless|cmd/sim.*Interrupt|Signals|SameBytes",
		"tests that are left out, as package.Test")
	flag.DurationVar(&o.slow, "slow", 5*time.Second, "tests that take more CPU time are left out")
	flag.BoolVar(&o.reach, "reach", false, "run no mutant; list those that no test reaches, which costs one run of the tests")
	flag.BoolVar(&o.verbose, "v", false, "list the mutants that are noticed too, and by which test")
	flag.Parse()
	if err := mutate(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
}

// mutate plants the mutants of all packages at once, so that each test binary is built once, and then judges package
// by package. Its temporary folder is removed at the end.
func mutate(o options, packages []string) error {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	o.root = root
	match, err := regexp.Compile(o.match)
	if err != nil {
		return err
	}
	skip, err := regexp.Compile(o.skip)
	if err != nil {
		return err
	}
	var sites []*site
	for _, p := range packages {
		all, err := load(root, p)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d mutants are possible\n", p, len(all))
		sites = append(sites, chosen(all, o, match)...)
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay, err := plant(root, module, dir, sites)
	if err != nil {
		return err
	}
	r := runner{options: o, skip: skip, dir: dir, overlay: overlay, suites: map[string]*suite{}}
	for _, p := range packages {
		if err := r.judge(p, sites); err != nil {
			return err
		}
	}
	return nil
}

// chosen returns the sites that match, or else a sample, in the order of the text. A larger n takes the same ones and
// more, since the permutation depends on the seed only.
func chosen(all []*site, o options, match *regexp.Regexp) []*site {
	taken := map[int]bool{}
	for i, j := range rand.New(rand.NewPCG(o.seed, 0)).Perm(len(all)) {
		taken[j] = i < o.n
	}
	var out []*site
	for i, s := range all {
		if o.match != "" && match.MatchString(s.name(o.root)) || o.match == "" && taken[i] {
			out = append(out, s)
		}
	}
	return out
}

// load parses and type-checks a package without its tests, and returns its sites. The types of what it imports come
// from the compiled packages of the build cache, so nothing else is parsed.
func load(root, rel string) ([]*site, error) {
	pkg := module + "/" + rel
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles,Dir", "./"+rel)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var files []string
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p struct {
			ImportPath, Export, Dir string
			GoFiles                 []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == pkg {
			for _, f := range p.GoFiles {
				files = append(files, filepath.Join(p.Dir, f))
			}
		}
	}
	return checked(pkg, files, exports)
}

// checked type-checks the files of a package and finds their sites, file by file. exports has the file with the
// compiled types of each import.
func checked(pkg string, files []string, exports map[string]string) ([]*site, error) {
	fset := token.NewFileSet()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	var parsed []*ast.File
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	if _, err := conf.Check(pkg, fset, parsed, info); err != nil {
		return nil, err
	}
	var out []*site
	for i, f := range parsed {
		source, err := os.ReadFile(files[i])
		if err != nil {
			return nil, err
		}
		out = append(out, find(fset, info, pkg, f, string(source))...)
	}
	return out, nil
}

// runner judges mutants, and holds the suites that it has compiled.
type runner struct {
	options
	skip *regexp.Regexp
	// dir is the temporary folder, overlay the file in it that lays the mutated sources over the tree. suites are the
	// suites by their packages; one suite serves the mutants of all packages.
	dir, overlay string
	suites       map[string]*suite
}

// suite returns the tests of a package, compiled and recorded when first asked for. Tests that cannot be used are
// named once.
func (r *runner) suite(rel string) (*suite, error) {
	if s := r.suites[rel]; s != nil {
		return s, nil
	}
	s, err := compile(r.root, r.overlay, r.dir, module+"/"+rel, rel)
	if err != nil {
		return nil, err
	}
	for _, t := range s.record(r.slow, r.skip) {
		fmt.Printf("left out, since it fails or is too slow without a mutant: %s\n", t)
	}
	r.suites[rel] = s
	return s, nil
}

// judge runs the mutants of one package, and prints those that no test notices, and the sum. Each suite only gets the
// mutants that the suites before it have let pass.
func (r *runner) judge(rel string, sites []*site) error {
	suites := append([]string{rel}, strings.Split(r.users, ",")...)
	var left []*site
	for _, s := range sites {
		if s.pkg == module+"/"+rel {
			left = append(left, s)
		}
	}
	all, own := len(left), 0
	reached := map[*site]bool{}
	for i, name := range suites {
		if name == "" || i > 0 && name == rel || len(left) == 0 {
			continue
		}
		s, err := r.suite(name)
		if err != nil {
			return err
		}
		var still []*site
		for _, m := range left {
			by, hit := s.judges(m.id, r.reach)
			reached[m] = reached[m] || hit
			if by == "" {
				still = append(still, m)
			} else if r.verbose {
				fmt.Printf("noticed  %s: %s\n         by %s\n", m.name(r.root), m.text, by)
			}
		}
		left = still
		if i == 0 {
			own = all - len(left)
		}
	}
	for _, m := range left {
		what := "survived"
		if !reached[m] {
			what = "unreached"
		}
		fmt.Printf("%s %s: %s\n", what, m.name(r.root), m.text)
	}
	verb := "noticed"
	if r.reach {
		verb = "reached"
	}
	fmt.Printf("%s: %d of %d mutants are %s, %d by its own tests\n", rel, all-len(left), all, verb, own)
	return nil
}
