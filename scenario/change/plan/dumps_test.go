package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// dumps is where the dumps of live situations lie, and what came of them on a real control plane.
const dumps = "../../../../shared/dumps"

type dumpTruth struct {
	Timings map[string]string
	Sets    map[string]*struct {
		AtRest bool
		End    string
		Cures  []struct {
			Commands      []string
			Heals         bool
			FewestServing int
			Changes       []string
		}
	}
}

// options are those of a plan with the times of the situation.
func (truth *dumpTruth) options(t *testing.T, in *Input) *Options {
	o := &Options{}
	for i, name := range times.Names {
		text, _, _ := strings.Cut(strings.ReplaceAll(truth.Timings[name], ",", ""), " ")
		delay, err := scenario.ParseDelay(name, text)
		require.NoError(t, err)
		o.Times[i] = delay
	}
	o.Profiles = profiles(t, cmp.Or(in.Version(), "1.36"))
	return o
}

// TestDumpsChanged: a change of the spec of a live set does what it did on a real control plane, wherever somebody has
// tried just one.
func TestDumpsChanged(t *testing.T) {
	right, all := 0, 0
	forEachDump(t, func(name string, data []byte, truth *dumpTruth) {
		for key, set := range truth.Sets {
			for _, cure := range set.Cures {
				after := ""
				if len(cure.Commands) == 1 {
					after = changed(t, data, key, cure.Commands[0])
				}
				if after == "" {
					continue
				}
				all++
				plan := planDump(t, truth, data, after)
				got := plan.find(key)
				require.NotNil(t, got, "%s: %s", name, cure.Commands[0])
				touched := slices.ContainsFunc(cure.Changes, func(c string) bool {
					return strings.HasSuffix(c, " Terminating") || strings.HasSuffix(c, " Pending")
				})
				same := got.Completes == cure.Heals && plan.Settles == cure.Heals && touched == (len(got.Moves) > 0)
				if same && (got.Serving == nil || got.Serving.Fewest == cure.FewestServing) {
					right++
					continue
				}
				t.Logf("%s: %s: completes %v, want %v; serving %v, want %d; moves %v, want %v: %s", name, cure.Commands[0],
					got.Completes, cure.Heals, got.Serving, cure.FewestServing, got.Moves, cure.Changes, got.Ends)
			}
		}
	})
	t.Logf("%d of %d agree", right, all)
	require.Greater(t, all, 20)
	require.GreaterOrEqual(t, right, all*97/100)
}

// TestDumpsUnchanged: of a live set in which nothing changes the plan says whether it gets where it is wanted.
func TestDumpsUnchanged(t *testing.T) {
	forEachDump(t, func(name string, data []byte, truth *dumpTruth) {
		if strings.HasPrefix(name, "pdb-blocks-drain") || strings.HasPrefix(name, "quorum") {
			return // The set is at rest, and the drain is stuck; pods that need each other are none that a plan knows.
		}
		after := changed(t, data, "", "")
		if after == "" {
			return
		}
		plan := planDump(t, truth, data, after)
		require.Empty(t, plan.Untrusted, name)
		for key, set := range truth.Sets {
			got := plan.find(key)
			require.Equal(t, set.AtRest, got == nil, "%s %s", name, key)
			if got != nil && got.Completes != (set.End == "settled") {
				t.Errorf("%s %s: completes %v, and ended %s: %s; %s", name, key, got.Completes, set.End, got.Shows, got.Ends)
			}
		}
	})
}

// find is what is said of a set, nil where nothing is.
func (plan *Plan) find(name string) *Set {
	for _, s := range slices.Concat(plan.Sets, plan.NotAtRest) {
		if s.Name == name || s.key.String() == name {
			return s
		}
	}
	return nil
}

func forEachDump(t *testing.T, look func(name string, data []byte, truth *dumpTruth)) {
	files, _ := filepath.Glob(filepath.Join(dumps, "*.truth.json"))
	if len(files) == 0 {
		t.Skip("there are no dumps")
	}
	for _, file := range files {
		truth := &dumpTruth{}
		require.NoError(t, json.Unmarshal([]byte(read(t, file)), truth))
		name := strings.TrimSuffix(file, ".truth.json")
		data, err := os.ReadFile(name + ".dump.yaml")
		require.NoError(t, err)
		look(filepath.Base(name), data, truth)
	}
}

func planDump(t *testing.T, truth *dumpTruth, before []byte, after string) *Plan {
	t.Helper()
	in, err := Read(Stream{Name: "dump.yaml", Data: before}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
	require.NoError(t, err)
	plan, err := Of(in, truth.options(t, in))
	require.NoError(t, err)
	return plan
}

// object is an object as YAML has it.
type object = map[string]any

// changed are the sets of a dump as files have them, with the change that a command makes of one; "" where the command
// does not change a spec.
func changed(t *testing.T, data []byte, name, command string) string {
	var sets []any
	var history []object
	decoder := yaml.NewDecoder(strings.NewReader(string(data)))
	for {
		var list object
		if decoder.Decode(&list) != nil {
			break
		}
		items, _ := list["items"].([]any)
		for _, item := range items {
			switch o := item.(object); o["kind"] {
			case "StatefulSet":
				sets = append(sets, o)
			case "ControllerRevision":
				history = append(history, o)
			}
		}
	}
	done := command == ""
	for _, set := range sets {
		o := set.(object)
		delete(o, "status")
		meta := o["metadata"].(object)
		for _, field := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "annotations"} {
			delete(meta, field)
		}
		if key := fmt.Sprint(meta["namespace"], "/", meta["name"]); name == meta["name"] || name == key {
			done = edited(o["spec"].(object), history, command)
		}
	}
	if !done || len(sets) == 0 {
		return ""
	}
	text, err := yaml.Marshal(object{"apiVersion": "v1", "kind": "List", "items": sets})
	require.NoError(t, err)
	return string(text)
}

// edited changes a spec as a command does, and says whether it does.
func edited(spec object, history []object, command string) bool {
	template := spec["template"].(object)
	_, flag, _ := strings.Cut(command, "--replicas=")
	_, patch, _ := strings.Cut(command, "patch sts web --type=merge -p '")
	switch {
	case strings.Contains(command, "rollout restart"):
		template["metadata"].(object)["annotations"] = object{"kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z"}
	case strings.Contains(command, "set image"):
		image := command[strings.LastIndex(command, "=")+1:]
		template["spec"].(object)["containers"].([]any)[0].(object)["image"] = image
	case flag != "":
		var n int
		fmt.Sscan(flag, &n)
		spec["replicas"] = n
	case strings.Contains(command, "rollout undo") && len(history) > 1:
		slices.SortFunc(history, func(a, b object) int { return a["revision"].(int) - b["revision"].(int) })
		before := history[len(history)-2]["data"].(object)["spec"].(object)["template"].(object)
		delete(before, "$patch")
		spec["template"] = before
	case patch != "":
		var change struct{ Spec object }
		if yaml.Unmarshal([]byte(strings.TrimSuffix(patch, "'")), &change) != nil || change.Spec == nil ||
			change.Spec["podManagementPolicy"] != nil {
			return false
		}
		for field, value := range change.Spec {
			spec[field] = value
		}
	default:
		return false
	}
	return true
}
