package proof

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var record = flag.Bool("record", false, "write the answers of the tools' code that sim/gate is compared with in the check")

// recorded is a set with its pods, and what the tools' code says of it. A test of sim/gate reads it.
type recorded struct {
	Generation int64
	Deleted    bool     `json:",omitempty"`
	Finalizers []string `json:",omitempty"`
	Replicas   int32
	Strategy   string
	Partition  *int32 `json:",omitempty"`
	Status     model.Status
	Pods       []*pod `json:",omitempty"`
	Says       map[string]gate.Verdict
}

// pod is a pod of a recorded set.
type pod struct {
	Ordinal     int
	Phase       string `json:",omitempty"`
	Ready       bool   `json:",omitempty"`
	Terminating bool   `json:",omitempty"`
	Shown       string `json:",omitempty"`
	Warning     string `json:",omitempty"`
}

// TestRecord writes the answers of the tools' code for a hundred sets, with -record.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("without -record nothing is written")
	}
	var lines strings.Builder
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	r := rand.New(rand.NewPCG(2, 2))
	for range 120 {
		set := draw(r)
		of := asRecorded(set)
		for _, g := range gate.All() {
			if read := real[g]; read != nil {
				of.Says[g.Name] = read(t, set)
			}
		}
		require.NoError(t, encoder.Encode(of))
	}
	require.NoError(t, os.WriteFile("../testdata/verdicts.jsonl", []byte(lines.String()), 0o644))
}

// asRecorded is a set as the file has it.
func asRecorded(s *timeline.Set) *recorded {
	spec := &s.Spec.Spec
	of := &recorded{Generation: s.Spec.Generation, Deleted: s.Spec.Terminating(), Finalizers: s.Spec.Finalizers,
		Replicas: spec.Replicas, Strategy: spec.Strategy.Type.String(), Status: s.Status, Says: map[string]gate.Verdict{}}
	if block := spec.Strategy.RollingUpdate; block != nil {
		of.Partition = &block.Partition
	}
	for p := range s.Pods.All {
		of.Pods = append(of.Pods, &pod{p.Ordinal, p.Phase.String(), p.Ready, p.Terminating, p.Shown, p.Warning})
	}
	return of
}
