package gate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// recorded is a random set with its pods, and what the tools' code says of it, as sim/gate/proof writes it with -record.
type recorded struct {
	Generation int64
	Deleted    bool
	Finalizers []string
	Replicas   int32
	Strategy   string
	Partition  *int32
	Status     model.Status
	Pods       []struct {
		Ordinal               int
		Phase, Shown, Warning string
		Ready, Terminating    bool
	}
	Says map[string]gate.Verdict
}

// set is the set as a timeline has it.
func (r *recorded) set() *timeline.Set {
	spec := &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web", Generation: r.Generation}}
	if spec.Finalizers = r.Finalizers; r.Deleted {
		spec.Deletion = &model.Deletion{}
	}
	spec.Spec.Replicas = r.Replicas
	for spec.Spec.Strategy.Type.String() != r.Strategy {
		spec.Spec.Strategy.Type++
	}
	if r.Partition != nil {
		spec.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: *r.Partition}
	}
	set := &timeline.Set{Key: spec.Key(), Spec: spec, Status: r.Status}
	for _, p := range r.Pods {
		drawn := &timeline.Pod{Name: fmt.Sprintf("web-%d", p.Ordinal), Ordinal: p.Ordinal, UID: model.UID(p.Ordinal + 1),
			Ready: p.Ready, Terminating: p.Terminating, Shown: p.Shown, Warning: p.Warning}
		for drawn.Phase.String() != p.Phase {
			drawn.Phase++
		}
		set.Pods.Put(drawn)
	}
	return set
}

// TestVerdictsAreRecorded: verdict, status and words are those that the tools' own code has given for 120 random sets.
func TestVerdictsAreRecorded(t *testing.T) {
	lines, err := os.ReadFile("testdata/verdicts.jsonl")
	require.NoError(t, err)
	seen := map[string]map[gate.State]int{}
	for line := range strings.Lines(string(lines)) {
		var r recorded
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		for _, g := range gate.All() {
			want, is := r.Says[g.Name]
			require.Equal(t, g.Proven, is, g.Name)
			if !is {
				continue
			}
			require.Equal(t, want, g.Read(r.set()), "%s: %s", g.Name, line)
			if seen[g.Name] == nil {
				seen[g.Name] = map[gate.State]int{}
			}
			seen[g.Name][want.State]++
		}
	}
	for name, states := range seen {
		require.Greater(t, states[gate.Done], 10, name)
		require.Greater(t, states[gate.InProgress], 10, name)
	}
}
