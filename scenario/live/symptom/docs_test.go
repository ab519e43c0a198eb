package symptom

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// documented are the families in docs/causes.md, with what is said of each.
var documented = []struct {
	name, about string
	family      Family
}{
	{"Images", "A container waits for its image (`image-not-pulled`).", images},
	{"Containers", "A container cannot be made or started (`container-not-created`).", containers},
	{"Crashes", "A container has ended (`crash-loop`, `container-not-created`).", crashes},
	{"Starts", "A pod has a node, and its containers are not created (`node-cannot-start`, `volume-not-mounted`, " +
		"`not-started`).", starts},
	{"Scheduler", "A pod has no node (`unschedulable`, `no-room`, `volume-elsewhere`, `scheduling-gate`). What is said of all nodes " +
		"is said of some where the scheduler names several reasons.", scheduler},
	{"Claims", "A PVC gets no volume (`claim-pending`).", claims},
	{"Volumes", "What the state of a PVC or a PersistentVolume shows (`claim-pending`, `claim-missing`).", volumes},
	{"Init containers", "An init container or a sidecar holds up the others (`init-not-ended`).", inits},
	{"Probes and readiness", "The containers run, and the pod is not Ready (`not-ready`, `readiness-gate`, `crash-loop`).", unready},
	{"Taints", "Taints that programs set and remove (`unschedulable`).", taints},
	{"Nodes", "What lies with a node or its kubelet (`node-down`, `node-not-ready`, `kubelet-cannot-stop`, `not-reported`).", nodes},
	{"Rejections", "The kubelet rejects a pod (`rejected-by-kubelet`).", append(slices.Clip(rejections), pinned...)},
	{"Finalizers", "Who removes a finalizer (`pod-finalizer`, `set-finalizer`, `claim-terminating`).", finalizers},
	{"Deletions", "What is being deleted, and is not gone (`pod-finalizer`, `set-finalizer`, `namespace-deleted`).", deletions},
	{"Drains", "An eviction is refused (`drain-blocked`).", evictions},
	{"Idle controllers", "What a controller does at once, and has not done (`controller-idle`, `scheduler-idle`).", idle},
	{"Admission", "The API server refuses a pod or its PVC (`quota`, `create-refused`).", refusals},
}

// TestCausesAreMadeFromTheTables: the last part of docs/causes.md has the rows of all families.
func TestCausesAreMadeFromTheTables(t *testing.T) {
	const file, heading = "../../../docs/causes.md", "## The words of a cluster\n"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	before, _, found := strings.Cut(string(page), heading)
	require.True(t, found, "docs/causes.md has no part that is made")
	text := before + heading + "\nBy these words, a cause is known and its certainty decided: in each table the first row " +
		"that fits counts. What no row\nknows is quoted, and never certain. `sim explain` says nothing against a pod before " +
		"the time of its row is over. This part\nis made from the tables of scenario/live/symptom, which tests hold to what " +
		"the sources of Kubernetes 1.29 to 1.38 say.\n"
	for _, d := range documented {
		text += "\n### " + d.name + "\n\n" + d.about + "\n\n| what it is | reason or words | certain | says little for | what ends " +
			"it | who says it |\n|:-----|:-----|:-----|:-----|:-----|:-----|\n"
		for i := range d.family {
			text += lineOf(&d.family[i])
		}
	}
	goldenfile.Equal(t, file, text)
}

// lineOf is a row in a table of Markdown.
func lineOf(r *Row) string {
	var words []string
	for _, reason := range r.Reasons {
		words = append(words, "`"+reason+"`")
	}
	if r.Words != nil && r.Words().String() != "" {
		words = append(words, "`"+strings.ReplaceAll(r.Words().String(), "|", `\|`)+"`")
	}
	certain, ends, within := "no", cmp.Or(r.Ends+r.Relaxed, r.Needs, r.Sentence), "-"
	if r.Certain {
		certain = "yes"
	}
	if ends == "" && r.Certain {
		ends = "A change of the template, or of what it names."
	} else if ends == "" {
		ends = "It may end by itself: whoever has failed tries again."
	}
	if r.Within > 0 {
		within = strings.TrimSuffix(strings.TrimSuffix(r.Within.String(), "0s"), "0m")
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", r.Name, strings.Join(words, ", "), certain, within,
		strings.NewReplacer("{", "*", "}", "*").Replace(For(ends, false)), r.Source)
}
