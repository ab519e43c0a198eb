// Command coverage prints how much of each tool's reader of StatefulSets a profile of go test has covered, and each line
// that it has not reached. What no set of an API server reaches is left out: a block behind "err != nil", and those that
// are named with the reason. At least 95 % of the rest must be reached.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// reader are the functions with which a tool reads a set: a file with its import path, then the functions.
type reader struct {
	tool      string
	functions []string
}

// readers are those of all tools whose code is run.
var readers = []*reader{
	{"kubectl-rollout-status", []string{"k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go StatefulSetStatusViewer.Status"}},
	{"helm-3", []string{"helm.sh/helm/v3/pkg/kube/ready.go statefulSetReady"}},
	{"helm-4-legacy", []string{"helm.sh/helm/v4/pkg/kube/ready.go statefulSetReady"}},
	{"kstatus (sigs)", kstatus("sigs.k8s.io/cli-utils")},
	{"kstatus (fluxcd)", kstatus("github.com/fluxcd/cli-utils")},
	{"helm-4, flux", append(kstatus("github.com/fluxcd/cli-utils"),
		"github.com/fluxcd/cli-utils/pkg/kstatus/status/core.go podConditions getCrashLoopingContainers",
		"github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders/pod_controller.go readStatus isTransientPodFailure "+
			"isPodUnschedulable",
		"github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders/common.go statusForGeneratedResources toSelector")},
	{"argo-cd", []string{
		"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/health/health_statefulset.go getStatefulSetHealth getAppsv1StatefulSetHealth",
		"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/health/health.go pendingDeletionHealth"}},
	{"kubedog", []string{"github.com/werf/kubedog/pkg/tracker/statefulset/status.go NewStatefulSetStatus"}},
}

// kstatus are the functions of a copy of kstatus.
func kstatus(module string) []string {
	return []string{module + "/pkg/kstatus/status/core.go stsConditions",
		module + "/pkg/kstatus/status/generic.go checkGenericProperties checkGeneration"}
}

// unreachable are lines that no StatefulSet of an API server reaches, and why.
var unreachable = map[string]string{
	`return nil, fmt.Errorf("unsupported StatefulSet GVK: %s", gvk)`: "it is for other kinds",
	`return nil, fmt.Errorf("unknown phase %s", phase)`:              "the API server knows no other phase",
	`return nil, fmt.Errorf("no selector found")`:                    "spec.selector is required",
	`continue`: "a container has a name and a state",
}

// block is a block of a profile.
type block struct {
	file                 string
	from, to, statements int
	reached              bool
}

func main() {
	blocks, err := profile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	least := 100.0
	for _, r := range readers {
		share, statements, missed, err := r.covered(blocks)
		if err != nil {
			log.Fatal(err)
		}
		least = min(least, share)
		fmt.Printf("%-24s %5.1f %% of %d statements\n", r.tool, share, statements)
		for _, m := range missed {
			fmt.Println(m)
		}
	}
	if least < 95 {
		log.Fatalf("%.1f %% of a reader are reached: at least 95 %% must be", least)
	}
}

// covered returns the share of a reader that is reached, in percent, and what is not.
func (r *reader) covered(blocks []*block) (share float64, all int, missed []string, err error) {
	reached := 0
	for _, f := range r.functions {
		file, names, _ := strings.Cut(f, " ")
		lines, spans, err := parse(file, strings.Fields(names))
		if err != nil {
			return 0, 0, nil, err
		}
		for _, b := range blocks {
			if b.file != file || !slices.ContainsFunc(spans, func(s [2]int) bool { return s[0] <= b.from && b.to <= s[1] }) {
				continue
			}
			line := strings.TrimSpace(lines[b.from-1])
			if why := reason(b, line, lines[b.from-2]); why != "" {
				missed = append(missed, fmt.Sprintf("    left out: %s:%d: %s: %s", path.Base(file), b.from, line, why))
				continue
			}
			all += b.statements
			if b.reached {
				reached += b.statements
			} else {
				missed = append(missed, fmt.Sprintf("    not reached: %s:%d: %s", path.Base(file), b.from, line))
			}
		}
	}
	return 100 * float64(reached) / float64(all), all, missed, nil
}

// reason says why no set of an API server reaches a block, by its first line and the one before; "" is no reason.
func reason(b *block, line, before string) string {
	switch {
	case b.reached:
		return ""
	case strings.Contains(before, "err != nil {"):
		return "the object is malformed"
	}
	return unreachable[line]
}

// profile reads a profile. A block that it has more than once, once for each test, is joined.
func profile(name string) ([]*block, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	known := map[string]*block{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		place, counts, _ := strings.Cut(lines.Text(), " ")
		file, at, found := strings.Cut(place, ":")
		b, count, column := &block{file: file}, 0, 0
		_, err := fmt.Sscanf(at+" "+counts, "%d.%d,%d.%d %d %d", &b.from, &column, &b.to, &column, &b.statements, &count)
		if !found || err != nil {
			continue
		}
		if known[place] == nil {
			known[place] = b
		}
		known[place].reached = known[place].reached || count > 0
	}
	var blocks []*block
	for _, b := range known {
		blocks = append(blocks, b)
	}
	slices.SortFunc(blocks, func(a, b *block) int { return cmp.Or(cmp.Compare(a.file, b.file), a.from-b.from, a.to-b.to) })
	return blocks, nil
}

// parse returns the lines of a file, and where some of its functions begin and end. A name may have its receiver's in
// front.
func parse(file string, names []string) (lines []string, spans [][2]int, err error) {
	pkg, err := build.Import(path.Dir(file), ".", build.FindOnly)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(filepath.Join(pkg.Dir, path.Base(file)))
	if err != nil {
		return nil, nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range tree.Decls {
		f, is := d.(*ast.FuncDecl)
		if is && slices.Contains(names, f.Name.Name) || is && slices.Contains(names, receiver(f)+"."+f.Name.Name) {
			spans = append(spans, [2]int{set.Position(f.Pos()).Line, set.Position(f.End()).Line})
		}
	}
	if len(spans) != len(names) {
		return nil, nil, fmt.Errorf("%s has %d of the functions %v: all must be there", file, len(spans), names)
	}
	return strings.Split(string(text), "\n"), spans, nil
}

// receiver is the type of a method, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, is := t.(*ast.StarExpr); is {
		t = star.X
	}
	name, _ := t.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}
