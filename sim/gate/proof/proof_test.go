package proof

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/gate"
)

// TestVerdictsAreTheTools compares verdict, status and words on random sets and pods: as many as GATE_SETS says, or a
// sample.
func TestVerdictsAreTheTools(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("GATE_SETS"))
	if err != nil {
		count = 2000
	}
	for _, g := range gate.All() {
		read := real[g]
		if read == nil {
			continue
		}
		t.Run(g.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 1))
			seen := map[gate.State]int{}
			for range count {
				set := draw(r)
				want := read(t, set)
				require.Equal(t, want, g.Read(set), text(set))
				seen[want.State]++
			}
			t.Logf("%d sets: %d in progress, %d done, %d failed", count, seen[gate.InProgress], seen[gate.Done], seen[gate.Failed])
		})
	}
}
