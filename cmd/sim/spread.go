package main

import (
	_ "embed"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// The manifests, with words in capitals in the places of what differs.
var (
	//go:embed spread_job.yaml
	jobManifest string
	//go:embed spread_workflow.yaml
	workflowManifest string
)

// spread prints the manifest with which an existing engine spreads a search or a sweep over machines. job and matrix
// are the numbers of shards of either form; 0 is not asked for.
type spread struct{ job, matrix int }

// flags adds the flags. They exclude each other, which print sees to.
func (s *spread) flags(flags *pflag.FlagSet) {
	flags.Var(shardsFlag(&s.job), "job",
		"do not play; print a Kubernetes Job that does all of this in `N` shards, one pod each")
	flags.Var(shardsFlag(&s.matrix), "matrix",
		"do not play; print a GitHub workflow that does all of this in `N` shards, one job each")
}

// asked says whether a manifest is wanted.
func (s *spread) asked() bool { return s.job != 0 || s.matrix != 0 }

// sharded is the command to spread: its verb, its arguments, and its files. merge are the arguments of the `sim merge`
// that puts the reports together.
type sharded struct {
	verb               string
	args, files, merge []string
}

// merged returns the command that puts the reports together.
func (c *sharded) merged() string {
	return command.Line(append([]string{"sim", "merge"}, c.merge...)...) + " part-*.json"
}

// print writes the manifest; nothing is searched. It must be called only if one of the two was asked for, and reads no
// file.
func (s *spread) print(o *streams, c sharded) error {
	shards := s.job + s.matrix
	if s.job != 0 && s.matrix != 0 {
		return usagef("--job and --matrix do not go together: use one of them")
	}
	for _, file := range c.files {
		if file == files.Stdin {
			return usagef("the shards cannot read standard input: name files")
		}
	}
	text := jobOf(c, shards)
	if s.matrix != 0 {
		text = workflowOf(c, shards)
	}
	_, err := fmt.Fprint(o.out, text)
	return err
}

// jobOf returns an Indexed Job. The kubelet puts the index of a pod into its arguments. A pod of a shard that finds
// something fails, as the command does; backoffLimitPerIndex 0 keeps it from being repeated, and maxFailedIndexes lets
// the others continue. Files are known to the pods by their names alone, so two of one name in different folders get in
// each other's way, and what a scenario refers to is not there.
func jobOf(c sharded, shards int) string {
	var mounted []string
	for _, file := range c.files {
		mounted = append(mounted, path.Join("/scenarios", filepath.Base(file)))
	}
	args := []string{strconv.Quote(c.verb), `"--shard"`, fmt.Sprintf(`"$(JOB_COMPLETION_INDEX)/%d"`, shards), `"-o"`,
		`"json"`}
	for _, arg := range slices.Concat(c.args, mounted) {
		// A kubelet replaces $(NAME), but not behind another $.
		args = append(args, strconv.Quote(strings.ReplaceAll(arg, "$(", "$$(")))
	}
	name := "sim-" + c.verb
	return strings.NewReplacer(
		"NAME", name, "FILES", fromFiles(name, c.files), "LAST", strconv.Itoa(shards-1), "SHARDS", strconv.Itoa(shards),
		"VERSION", Version, "ARGUMENTS", strings.Join(args, ", "), "MERGE", c.merged(),
		"CONDITIONS", command.Kubectl("get", "job/"+name, "-o", "jsonpath={.status.conditions[*].type}"),
	).Replace(jobManifest)
}

// fromFiles returns the command that puts files into a ConfigMap.
func fromFiles(name string, files []string) string {
	words := []string{"create", "configmap", name}
	for _, file := range files {
		words = append(words, "--from-file="+file)
	}
	return command.Kubectl(words...)
}

// workflowOf returns a workflow with a matrix of shards, and a job that merges them. Its steps run in the root of the
// repository, so the files must have been named from there. A shard that finds something ends with 1, which is no
// failure of its job.
func workflowOf(c sharded, shards int) string {
	var indices []string
	for i := range shards {
		indices = append(indices, strconv.Itoa(i))
	}
	words := fmt.Sprintf("%s --shard ${{ matrix.shard }}/%d -o json %s", c.verb, shards,
		literal(command.Line(slices.Concat(c.args, c.files)...)))
	return strings.NewReplacer("VERB", c.verb, "INDICES", strings.Join(indices, ", "), "SEARCH", words,
		"MERGE", literal(c.merged())).Replace(workflowManifest)
}

// literal returns text for a workflow, which GitHub searches for expressions, whatever they are in.
func literal(text string) string { return strings.ReplaceAll(text, "${{", "${{ '${{' }}") }
