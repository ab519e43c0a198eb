package kubelet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// TestWhenARunCounts: when a container was started, and when its application begins to answer, tells two worlds apart as
// long as its startup probe has not passed. After that all results of its probes are in the queue.
func TestWhenARunCounts(t *testing.T) {
	print := func(state containerState, up bool, run behaviour.Run) kernel.Fingerprint {
		c := &container{state: state, probed: probed{spec: &model.ContainerSpec{}, up: up, run: run}}
		m := &manifest{main: []*container{c}}
		return kernel.New(nil).Fingerprint(func(p *kernel.Print) { m.print(p, false) })
	}
	for _, c := range []struct {
		name   string
		state  containerState
		up     bool
		counts bool
	}{
		{"it waits for its startup probe", isRunning, false, true},
		{"it has started", isRunning, true, false},
		{"it does not run", isDown, false, false},
	} {
		of := print(c.state, c.up, behaviour.Run{Started: 1, Healthy: 2})
		require.Equal(t, c.counts, of != print(c.state, c.up, behaviour.Run{Started: 2, Healthy: 2}), c.name)
		require.Equal(t, c.counts, of != print(c.state, c.up, behaviour.Run{Started: 1, Healthy: 3}), c.name)
	}
}
