package explore_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

// mutant is an error planted in the algorithm: one place of one file of sim/statefulset that reads otherwise. The file
// itself stays as it is: the compiler is given another text in its place.
type mutant struct {
	name, file, old, new string
}

// mutants are errors as people make them. Each is on its own.
var mutants = []mutant{
	{
		"maxUnavailable is off by one", "update_budget.go",
		"unavailable < budget; unavailable++", "unavailable <= budget; unavailable++",
	},
	{
		"pods that are unavailable already are not counted", "update_budget.go",
		"for unavailable := found;", "for unavailable := 0;",
	},
	{
		"a percentage is rounded up", "update_budget.go",
		"budget * s.replicas / 100", "(budget*s.replicas + 99) / 100",
	},
	{
		"the update goes one pod below the partition", "update_budget.go",
		"if target < s.set.Partition() {", "if target < max(s.set.Partition()-1, 0) {",
	},
	{
		"the update stops one pod too early", "update_budget.go",
		"if target < s.set.Partition() {", "if target <= s.set.Partition() {",
	},
	{
		"the update begins at the bottom", "update.go",
		"last := s.view.Last(model.Replicas, below, model.Want{Has: has, Lacks: lacks, Revision: s.update.Name, Other: true})",
		"last := s.view.First(model.Replicas, 0, model.Want{Has: has, Lacks: lacks, Revision: s.update.Name, Other: true})\n" +
			"\tif last >= below {\n\t\tlast = -1\n\t}",
	},
	{
		"OnDelete is not asked for", "update.go",
		"case s.set.Spec.Strategy.Type == model.OnDeleteStrategy:", "case false:",
	},
	{
		"a scale-down begins at the bottom", "condemned.go",
		"const top = 0", "top := count - 1",
	},
	{
		"a scale-down does not wait for the pod above", "condemned.go",
		"case s.monotonic:", "case false:",
	},
	{
		"a scale-down forgets the lowest pod", "condemned.go",
		"count := s.view.Len(model.Condemned)", "count := max(0, s.view.Len(model.Condemned)-1)",
	},
	{
		"OrderedReady does not wait for the pod below", "replicas.go",
		"if s.monotonic && !is(traits, s.wants.runningAndAvailable) {", "if false {",
	},
	{
		"OrderedReady creates more than one pod in a sync", "replicas.go",
		"return s.monotonic, nil\n\t}\n\treturn false, s.repair(pod, i)",
		"return false, nil\n\t}\n\treturn false, s.repair(pod, i)",
	},
	{
		"a pod that has failed is left as it is", "replicas.go",
		"case traits&s.wants.finished != 0:\n\t\treturn s.monotonic, s.deleteFinished(i, traits)",
		"case traits&s.wants.finished != 0:\n\t\treturn s.monotonic, nil",
	},
	{
		"the first ordinal is not heeded", "sync.go",
		"func (s *sync) ordinal(i int) int { return s.set.Start() + i }", "func (s *sync) ordinal(i int) int { return i }",
	},
	{
		"pods below the partition come back at the new revision", "draft.go",
		"return int(strategy.RollingUpdate.Partition)", "return 0",
	},
	{
		"pods at the partition come back at the old revision", "draft.go",
		"return int(strategy.RollingUpdate.Partition)", "return int(strategy.RollingUpdate.Partition) + 1",
	},
	{
		"the current revision is forgotten", "revisions.go",
		"if revision.Name == s.set.Status.CurrentRevision {", "if revision.Name == s.set.Status.UpdateRevision {",
	},
	{
		"a revision that comes back is renumbered again and again", "revisions.go",
		"if s.sameRevision(newest, history[i]) {", "if false {",
	},
	{
		"one revision too many is kept", "revisions.go",
		"len(history) <= limit {\n\t\treturn nil\n\t}\n\texcess := -limit",
		"len(history) <= limit {\n\t\treturn nil\n\t}\n\texcess := -limit - 1",
	},
	{
		"a revision that pods still run is deleted", "revisions.go",
		"name == s.current.Name) || s.view.RevisionUsed(name)", "name == s.current.Name)",
	},
	{
		"the current revision moves before all pods are Ready", "status.go",
		"s.status.Updated != wanted || s.status.Ready != wanted ||", "s.status.Updated != wanted ||",
	},
	{
		"the status counts only pods that are Ready", "status.go",
		"Replicas:           tally.Replicas,", "Replicas:           tally.Ready,",
	},
	{
		"a pod that is gone wakes nobody", "enqueue.go",
		"case change.Type == model.Deleted:\n\t\tpodDeleted(change.OldPod, sets, add)", "case change.Type == model.Deleted:",
	},
	{
		"a pod that changes wakes nobody", "enqueue.go",
		"if set := enqueueOwner(pod, owner, sets, add); set != nil && !old.Ready && pod.Ready {",
		"if set := sets.Set(model.Key{Namespace: pod.Namespace, Name: owner.Name}); set != nil && false {",
	},
	{
		"the claims of the top replica go with its pod", "retention.go",
		"index < s.replicas\n", "index < s.replicas-1\n",
	},
	{
		"the claims of the lowest condemned pod stay", "retention.go",
		"index < s.replicas\n", "index <= s.replicas\n",
	},
	{
		"claims go where whenScaled is Retain", "retention.go",
		"itsPod = policy.DeleteWhenScaled && !inRange", "itsPod = !inRange",
	},
	{
		"a new pod takes a claim that is about to go", "retention.go",
		"if !s.profile.Retention || !s.policy().DeleteWhenScaled {", "if true {",
	},
	{
		"pods are created without their claims", "pods.go",
		"if err := s.createClaims(pod, s.ordinal(i)); err != nil {", "if err := error(nil); err != nil {",
	},
	{
		"a set that is being deleted goes on", "sync.go",
		"if s.set.Terminating() {\n\t\ts.wait(", "if false {\n\t\ts.wait(",
	},
}

// shapes are the scenarios in which the errors are looked for, one after the other.
var shapes = []string{
	`- create: {name: web, replicas: 3, image: "app:v1"}
  - setImage: {image: "app:v2"}`,
	`- create: {name: web, replicas: 3, image: "app:v1", updateStrategy: {rollingUpdate: {maxUnavailable: "40%"}}}
  - setImage: {image: "app:v2"}`,
	`- create: {name: web, replicas: 3, image: "app:v1", updateStrategy: {rollingUpdate: {partition: 1}}}
  - setImage: {image: "app:v2"}`,
	`- create: {name: web, replicas: 2, image: "app:v1", updateStrategy: {type: OnDelete}}
  - setImage: {image: "app:v2"}`,
	`- create: {name: web, replicas: 2, image: "app:v1", ordinals: {start: 2}, podManagementPolicy: Parallel}
  - setImage: {image: "app:v2"}`,
	`- create: {name: web, replicas: 4, image: "app:v1"}
  - scale: {replicas: 1}`,
	`- create: {name: web, replicas: 3, image: "app:v1",
      persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}, volumeClaimTemplates: [` + claim + `]}
  - scale: {replicas: 2}`,
	`- create: {name: web, replicas: 2, image: "app:v1",
      persistentVolumeClaimRetentionPolicy: {whenScaled: Retain, whenDeleted: Delete}, volumeClaimTemplates: [` + claim + `]}
  - scale: {replicas: 1}`,
	`- create: {name: web, replicas: 1, image: "app:v1", revisionHistoryLimit: 1}
  - setImage: {image: "app:v2"}
  - setImage: {image: "app:v3"}
  - setImage: {image: "app:v4"}`,
	`- create: {name: web, replicas: 2, image: "app:v1", revisionHistoryLimit: 0, updateStrategy: {type: OnDelete}}
  - setImage: {image: "app:v2"}
  - setImage: {image: "app:v3"}`,
	`- create: {name: web, replicas: 2, image: "app:v1"}
  - delete: statefulset/web
    cascade: foreground`,
}

const claim = `{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`

// sampled are the errors that every test run plants: each costs a build. MUTANTS=all plants all of them.
const sampled = 1

// TestPlantedErrorsAreFound plants one error after the other in the algorithm, and wants the search to find a class
// that the algorithm as it is does not show, within 10 s of CPU time.
func TestPlantedErrorsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command several times")
	}
	plant, files := mutants[:sampled], written(t)
	if os.Getenv("MUTANTS") == "all" {
		plant = mutants
	}
	known := map[string]map[string]bool{}
	for _, m := range plant {
		t.Run(m.name, func(t *testing.T) {
			search := &hunt{t: t, command: build(t, m), left: 10 * time.Second}
			for _, file := range files {
				if known[file] == nil {
					known[file] = classesOf(t, file)
				}
				if found := search.explores(file, known[file]); len(found) > 0 {
					t.Logf("%s, %s left: %q", filepath.Base(file), search.left, found)
					require.Positive(t, search.left, "the error is found, but not within 10 s")
					return
				}
			}
			t.Error("the search finds nothing that it does not find in the algorithm as it is")
		})
	}
}

// written writes the shapes as files.
func written(t *testing.T) []string {
	t.Helper()
	var files []string
	dir := t.TempDir()
	for i, steps := range shapes {
		file := filepath.Join(dir, string(rune('a'+i))+".yaml")
		require.NoError(t, os.WriteFile(file, []byte("kubernetes: \"1.37\"\nsteps:\n  "+steps+"\n"), 0o600))
		files = append(files, file)
	}
	return files
}

// build builds the command with an error in it, or without any.
func build(t *testing.T, m mutant) (command string) {
	t.Helper()
	dir := t.TempDir()
	command = filepath.Join(dir, "sim")
	args := []string{"build", "-o", command}
	if m.file != "" {
		path, err := filepath.Abs(filepath.Join("../../../sim/statefulset", m.file))
		require.NoError(t, err)
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(source), m.old), "the place where the error goes: %s", m.old)
		other := filepath.Join(dir, m.file)
		require.NoError(t, os.WriteFile(other, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600))
		overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: other}})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
		args = append(args, "-overlay", filepath.Join(dir, "overlay.json"))
	}
	out, err := exec.Command("go", append(args, "../../../cmd/sim")...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return command
}

// deep is how many runs are made of each shape.
const deep = 300

// classesOf are the classes that the search finds in the algorithm as it is.
func classesOf(t *testing.T, file string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	x, err := explore.New(&explore.Source{Name: file, Data: data})
	require.NoError(t, err)
	for _, p := range promise.All {
		x.Promises = append(x.Promises, p.Name)
	}
	part, err := x.Explore(explore.Settings{Deviations: 2, Runs: deep, Random: 25, Seed: 1})
	require.NoError(t, err)
	known := map[string]bool{}
	for _, f := range part.Found {
		known[f.Class] = true
	}
	return known
}

// hunt looks for one error, as long as there is time left.
type hunt struct {
	t       *testing.T
	command string
	left    time.Duration
}

// explores explores a file and returns the classes that are found beside those that are known. A panic of the simulator
// counts as found: its invariants have caught the error.
func (h *hunt) explores(file string, known map[string]bool) (found []string) {
	h.t.Helper()
	deadline, cancel := context.WithTimeout(h.t.Context(), 5*time.Minute)
	defer cancel()
	run := exec.CommandContext(deadline, h.command, "explore", "-j1", "--all", "--deviations", "2", "--runs",
		strconv.Itoa(deep), "-o", "jsonl", file)
	out, err := run.Output()
	h.left -= run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	var ended *exec.ExitError
	if err != nil {
		require.ErrorAs(h.t, err, &ended)
		if ended.ExitCode() != 1 {
			return []string{string(ended.Stderr)}
		}
	}
	for line := range strings.Lines(string(out)) {
		var f struct{ Class string }
		require.NoError(h.t, json.Unmarshal([]byte(line), &f))
		if f.Class != "" && !known[f.Class] {
			found = append(found, f.Class)
		}
	}
	return found
}
