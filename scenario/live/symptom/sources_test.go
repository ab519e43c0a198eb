package symptom_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// sources are the components whose words are in the catalogue: where a module has them, as patterns of files.
var sources = []struct{ component, module, files string }{
	{"image reasons", "k8s.io/kubernetes", "pkg/kubelet/images/types.go"},
	{"image reasons", "k8s.io/cri-api", "pkg/errors/*.go"},
	{"container reasons", "k8s.io/kubernetes", "pkg/kubelet/container/sync_result.go pkg/kubelet/kuberuntime/kuberuntime_container.go"},
	{"images", "k8s.io/kubernetes", "pkg/kubelet/images/*.go pkg/kubelet/images/pullmanager/*.go pkg/kubelet/kuberuntime/kuberuntime_image.go"},
	{"containers", "k8s.io/kubernetes", "pkg/kubelet/kuberuntime/kuberuntime_container*.go pkg/kubelet/kuberuntime/security_context*.go " +
		"pkg/kubelet/kubelet_pods.go pkg/kubelet/lifecycle/handlers.go"},
	{"sandboxes", "k8s.io/kubernetes", "pkg/kubelet/kuberuntime/kuberuntime_sandbox*.go pkg/kubelet/runtimeclass/*.go"},
	{"volumes", "k8s.io/kubernetes", "pkg/kubelet/volumemanager/*.go pkg/kubelet/volumemanager/*/*.go " +
		"pkg/volume/util/operationexecutor/operation_generator.go pkg/volume/csi/*.go pkg/volume/secret/*.go pkg/volume/configmap/*.go " +
		"pkg/volume/projected/*.go pkg/volume/hostpath/*.go pkg/volume/local/*.go pkg/volume/util/*.go pkg/volume/nfs/*.go"},
	{"probes", "k8s.io/kubernetes", "pkg/kubelet/prober/*.go pkg/probe/*/*.go"},
	{"scheduler", "k8s.io/kubernetes", "pkg/scheduler/framework/plugins/*/*.go pkg/scheduler/framework/types.go pkg/scheduler/schedule_one.go"},
	{"attachments", "k8s.io/kubernetes", "pkg/controller/volume/attachdetach/*.go pkg/controller/volume/attachdetach/*/*.go " +
		"pkg/volume/csi/csi_attacher.go"},
	{"attachments", "github.com/kubernetes-csi/external-attacher/v4", "pkg/*/*.go"},
	{"admission", "k8s.io/kubernetes", "plugin/pkg/admission/limitranger/*.go plugin/pkg/admission/priority/*.go " +
		"plugin/pkg/admission/runtimeclass/*.go plugin/pkg/admission/serviceaccount/*.go plugin/pkg/admission/resourcequota/*.go " +
		"plugin/pkg/admission/podnodeselector/*.go plugin/pkg/admission/podtolerationrestriction/*.go " +
		"plugin/pkg/admission/imagepolicy/*.go plugin/pkg/admission/alwayspullimages/*.go plugin/pkg/admission/security/*/*.go"},
	{"admission", "k8s.io/apiserver", "pkg/admission/plugin/resourcequota/*.go pkg/admission/plugin/namespace/lifecycle/*.go " +
		"pkg/admission/plugin/webhook/errors/*.go pkg/admission/plugin/webhook/*/dispatcher.go " +
		"pkg/admission/plugin/policy/validating/*.go pkg/admission/plugin/policy/mutating/*.go"},
	{"admission", "k8s.io/pod-security-admission", "admission/*.go policy/*.go"},
	{"claims", "k8s.io/kubernetes", "pkg/controller/volume/persistentvolume/*.go"},
	{"claims", "sigs.k8s.io/sig-storage-lib-external-provisioner/v11", "controller/*.go"},
}

// TestSources reads the sources in the module cache, and writes the catalogue: .ci/tasks/catalogue runs it.
func TestSources(t *testing.T) {
	if os.Getenv("SOURCES") == "" {
		t.Skip("SOURCES is not set")
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	minors := map[string][]int{}
	for _, s := range sources {
		for minor, folder := range foldersOf(t, strings.TrimSpace(string(cache)), s.module) {
			for _, pattern := range strings.Fields(s.files) {
				files, err := filepath.Glob(filepath.Join(folder, pattern))
				require.NoError(t, err)
				for _, file := range files {
					name, err := filepath.Rel(folder, file)
					require.NoError(t, err)
					if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "fake") {
						continue
					}
					for _, words := range wordsIn(t, file) {
						reasons := strings.HasSuffix(s.component, "reasons")
						if reasons && reason.MatchString(words) || !reasons && strings.Contains(words, " ") {
							line := fmt.Sprintf("%s\t%s/%s\t%s", s.component, s.module, filepath.ToSlash(name), strconv.Quote(words))
							minors[line] = append(minors[line], minor)
						}
					}
				}
			}
		}
	}
	var catalogue strings.Builder
	for _, line := range slices.Sorted(maps.Keys(minors)) {
		component, rest, _ := strings.Cut(line, "\t")
		fmt.Fprintf(&catalogue, "%s\t%s\t%s\n", component, spanOf(minors[line]), rest)
	}
	goldenfile.Equal(t, "testdata/catalogue.tsv", catalogue.String())
}

// spanOf are the versions of minors: "1.29 to 1.38". Modules whose versions are others have the minor 0.
func spanOf(minors []int) string {
	first, last := slices.Min(minors), slices.Max(minors)
	switch {
	case last == 0:
		return "any"
	case first == last:
		return fmt.Sprintf("1.%d", last)
	}
	return fmt.Sprintf("1.%d to 1.%d", first, last)
}

// reason finds what is a reason: a message has several words.
var reason = regexp.MustCompile(`^[A-Z]\w*(Error|BackOff|Name|Pull|Unavailable|Failed)$`)

var versioned = regexp.MustCompile(`@v(0|1)\.(\d+)\.\d+[^/]*$`)

// foldersOf returns the folders of a module in the cache, one for each minor version of Kubernetes from 1.29.
func foldersOf(t *testing.T, cache, module string) map[int]string {
	folders, err := filepath.Glob(filepath.Join(cache, filepath.FromSlash(module)+"@*"))
	require.NoError(t, err)
	require.NotEmpty(t, folders, module)
	of := map[int]string{}
	for _, folder := range folders {
		found := versioned.FindStringSubmatch(folder)
		if found == nil {
			of[0] = folder
			continue
		}
		if minor, err := strconv.Atoi(found[2]); err == nil && minor >= 29 {
			of[minor] = folder
		}
	}
	return of
}

// makers are the functions whose text reaches those who look at a cluster, with the place of the text.
var makers = map[string]int{"Errorf": 0, "New": 0, "Sprintf": 0, "NewStatus": 1, "Event": 2, "Eventf": 2, "GenerateErrorDetailed": 0,
	"GenerateMsgDetailed": 0, "NewInternalError": 0, "NewUnschedulable": 0, "Sprint": 0}

// wordsIn returns the texts of a file that are made into errors, statuses and events, and its constants for such.
func wordsIn(t *testing.T, file string) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	words := map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := ""
			if selector, is := n.Fun.(*ast.SelectorExpr); is {
				name = selector.Sel.Name
			}
			from, is := makers[name]
			for i := from; is && i < len(n.Args); i++ {
				words[textOf(n.Args[i])] = true
			}
		case *ast.ValueSpec:
			for _, value := range n.Values {
				words[textOf(value)] = true
			}
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				if pair, is := element.(*ast.KeyValueExpr); is && slices.Contains([]string{"ForbiddenReason", "ForbiddenDetail",
					"Reason", "Message"}, fmt.Sprint(pair.Key)) {
					words[textOf(pair.Value)] = true
				}
			}
		}
		return true
	})
	delete(words, "")
	return slices.Sorted(maps.Keys(words))
}

// textOf returns a text that is written there, also in parts; "" if it is none.
func textOf(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err != nil || e.Kind != token.STRING {
			return ""
		}
		return strings.TrimSpace(text)
	case *ast.BinaryExpr:
		if left, right := textOf(e.X), textOf(e.Y); cmp.Or(left, right) != "" {
			return cmp.Or(left, "%v") + " " + cmp.Or(right, "%v")
		}
	}
	return ""
}
