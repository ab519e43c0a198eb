// Package spread writes the manifest with which an existing engine spreads a search or a sweep over machines: a Job of
// Kubernetes or a workflow of GitHub.
package spread

import (
	_ "embed"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// The manifests, with words in capitals in the places of what differs.
var (
	//go:embed job.yaml
	jobManifest string
	//go:embed workflow.yaml
	workflowManifest string
)

// Command is the command to spread: its verb, its arguments, and its files. Merge are the arguments of the `sim merge`
// that puts the reports together.
type Command struct {
	Verb               string
	Args, Files, Merge []string
	// Version is the release of sim.
	Version string
}

// merged returns the command that puts the reports together.
func (c *Command) merged() string {
	return shell.Line(append([]string{"sim", "merge"}, c.Merge...)...) + " part-*.json"
}

// Job returns an Indexed Job. The kubelet puts the index of a pod into its arguments. A pod of a shard that finds
// something fails, as the command does; backoffLimitPerIndex 0 keeps it from being repeated, and maxFailedIndexes lets
// the others continue. Files are known to the pods by their names alone, so two of one name in different folders get in
// each other's way, and what a scenario refers to is not there.
func (c *Command) Job(shards int) string {
	var mounted []string
	for _, file := range c.Files {
		mounted = append(mounted, path.Join("/scenarios", filepath.Base(file)))
	}
	args := []string{strconv.Quote(c.Verb), `"--shard"`, fmt.Sprintf(`"$(JOB_COMPLETION_INDEX)/%d"`, shards), `"-o"`,
		`"json"`}
	for _, arg := range slices.Concat(c.Args, mounted) {
		// A kubelet replaces $(NAME), but not behind another $.
		args = append(args, strconv.Quote(strings.ReplaceAll(arg, "$(", "$$(")))
	}
	name := "sim-" + c.Verb
	return strings.NewReplacer(
		"NAME", name, "FILES", fromFiles(name, c.Files), "LAST", strconv.Itoa(shards-1), "SHARDS", strconv.Itoa(shards),
		"VERSION", c.Version, "ARGUMENTS", strings.Join(args, ", "), "MERGE", c.merged(),
		"CONDITIONS", shell.Kubectl("get", "job/"+name, "-o", "jsonpath={.status.conditions[*].type}"),
	).Replace(jobManifest)
}

// fromFiles returns the command that puts files into a ConfigMap.
func fromFiles(name string, files []string) string {
	words := []string{"create", "configmap", name}
	for _, file := range files {
		words = append(words, "--from-file="+file)
	}
	return shell.Kubectl(words...)
}

// Workflow returns a workflow with a matrix of shards, and a job that merges them. Its steps run in the root of the
// repository, so the files must have been named from there. A shard that finds something ends with 1, which is no
// failure of its job.
func (c *Command) Workflow(shards int) string {
	var indices []string
	for i := range shards {
		indices = append(indices, strconv.Itoa(i))
	}
	words := fmt.Sprintf("%s --shard ${{ matrix.shard }}/%d -o json %s", c.Verb, shards,
		literal(shell.Line(slices.Concat(c.Args, c.Files)...)))
	return strings.NewReplacer("VERB", c.Verb, "INDICES", strings.Join(indices, ", "), "SEARCH", words,
		"MERGE", literal(c.merged())).Replace(workflowManifest)
}

// literal returns text for a workflow, which GitHub searches for expressions, whatever they are in.
func literal(text string) string { return strings.ReplaceAll(text, "${{", "${{ '${{' }}") }
