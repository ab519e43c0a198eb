package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/sim/output/command"
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
		if file == stdin {
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
	return fmt.Sprintf(`# %[2]s
# kubectl apply -f job.yaml
# until %[8]s | grep -Eqw 'Complete|Failed'; do
#   sleep 5
# done
# for i in $(seq 0 %[3]d); do
#   pods=batch.kubernetes.io/job-name=%[1]s,batch.kubernetes.io/job-completion-index=$i
#   kubectl logs --tail=-1 -l $pods > part-$i.json
# done; %[7]s
apiVersion: batch/v1
kind: Job
metadata: {name: %[1]s}
spec:
  completionMode: Indexed
  completions: %[4]d
  parallelism: %[4]d
  backoffLimitPerIndex: 0
  maxFailedIndexes: %[4]d
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: sim
          image: ghcr.io/statefulsim/sim:%[5]s
          args: [%[6]s]
          volumeMounts: [{name: scenarios, mountPath: /scenarios}]
      volumes: [{name: scenarios, configMap: {name: %[1]s}}]
`, name, fromFiles(name, c.files), shards-1, shards, Version, strings.Join(args, ", "), c.merged(),
		command.Kubectl("get", "job/"+name, "-o", "jsonpath={.status.conditions[*].type}"))
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
	return fmt.Sprintf(`# .github/workflows/%[1]s.yaml
name: %[1]s
on: [workflow_dispatch]
jobs:
  shard:
    runs-on: ubuntu-latest
    strategy: {fail-fast: false, matrix: {shard: [%[2]s]}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-go@v5
        with: {go-version: stable}
      - run: go install github.com/statefulsim/statefulsim/cmd/sim@latest
      - run: |
          sim %[3]s > part-${{ matrix.shard }}.json || test $? = 1
      - uses: actions/upload-artifact@v4
        with: {name: "part-${{ matrix.shard }}", path: "part-${{ matrix.shard }}.json"}
  merge:
    needs: shard
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-go@v5
        with: {go-version: stable}
      - run: go install github.com/statefulsim/statefulsim/cmd/sim@latest
      - uses: actions/download-artifact@v4
        with: {pattern: part-*, merge-multiple: true}
      - run: |
          %[4]s
`, c.verb, strings.Join(indices, ", "), words, literal(c.merged()))
}

// literal returns text for a workflow, which GitHub searches for expressions, whatever they are in.
func literal(text string) string { return strings.ReplaceAll(text, "${{", "${{ '${{' }}") }
