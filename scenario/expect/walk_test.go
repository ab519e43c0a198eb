package expect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// counter counts what a watcher is shown, and shown what one that judges only at the end is shown.
type counter struct {
	quiet
	events int
}

func (c *counter) event(int)               { c.events++ }
func (c *counter) end() (*failure, string) { return nil, "" }

type shown struct {
	endOnly
	t *testing.T
}

func (s shown) event(int)               { s.t.Error("it is shown an event") }
func (s shown) tick(*timeline.Fold)     { s.t.Error("it is shown a fixed point") }
func (s shown) end() (*failure, string) { return nil, "" }

// TestWalkShowsOnlyWhoLooks: a watcher of one step is not shown the timeline, so that N timed steps cost no N×N looks.
func TestWalkShowsOnlyWhoLooks(t *testing.T) {
	events := []timeline.Event{stepEvent(0, setOf(1)), podEvent(0, "web-0", timeline.Pending), podEvent(1e9, "web-0", timeline.Running)}
	r := newRun(events)
	r.meter = &condition.Meter{}
	looks := &counter{}
	r.walk([]watcher{nil, shown{t: t}, looks, ofStep{run: r}})
	require.Equal(t, len(events), looks.events)
}
