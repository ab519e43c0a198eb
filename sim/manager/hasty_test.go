package manager_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// looper is a restless controller whose loop may end: after so many writes it only asks for another sync. It counts
// its syncs, and may sync without a write before each one that writes.
type looper struct {
	restless
	writes, idles int32
	syncs, wrote  int32
}

func (l *looper) Sync(view model.View, calls model.Calls) model.Result {
	l.syncs++
	if l.syncs%(l.idles+1) != 0 || l.writes > 0 && l.wrote >= l.writes {
		return model.Result{Requeue: true}
	}
	l.wrote++
	return l.restless.Sync(view, calls)
}

// print stands for the fingerprint of the world, in which nothing moves but the controller: how many replicas it has
// counted, and how many syncs are left before it counts the next.
func (l *looper) print() (print kernel.Fingerprint) {
	binary.BigEndian.PutUint32(print[:], uint32(l.at))
	binary.BigEndian.PutUint32(print[4:], uint32(l.syncs%(l.idles+1)))
	return print
}

// told is what a run tells of an instant that does not end.
type told struct {
	verdict timeline.Verdict
	repeats []string
	syncs   int
	events  int
	last    string
}

// TestHaste plays loops with haste and without: both tell the same, and the hasty one has played fewer syncs, if it has
// seen a round.
func TestHaste(t *testing.T) {
	for _, c := range []struct {
		name     string
		loop     looper
		replicas int32
		before   func(*testing.T, *process)
		syncs    int
		played   int
	}{
		{"a small set", looper{restless: restless{most: 3}}, 3, nil, 1030, 211},
		{"a set in whose loop every third sync writes", looper{restless: restless{most: 3}, idles: 2}, 3, nil, 3090, 633},
		{"a large set, whose last rounds are compared", looper{restless: restless{most: 3}}, 300, nil, 2000, 326},
		{"the longest round", looper{restless: restless{most: 40}}, 300, nil, 2000, 400},
		{"a round that is too long", looper{restless: restless{most: 41}}, 300, nil, 4000, 4000},
		{"a round that is not seen", looper{restless: restless{most: 100}}, 3, nil, 1030, 1030},
		{"a loop that begins after another instant", looper{restless: restless{most: 3}}, 3,
			func(t *testing.T, p *process) {
				for range 250 {
					p.Deliver()
					require.True(t, p.SyncNext(false))
				}
				p.kernel.Advance(model.Time(time.Second))
				p.NewInstant(manager.None)
			}, 250 + 1030, 250 + 211},
		{"a loop that waits for a change to come", looper{restless: restless{most: 3}}, 3, func(t *testing.T, p *process) {
			p.BreakWatch(model.KindClaim, time.Minute)
		}, 1030, 1030},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tells [2]told
			var played [2]int
			for i, hasty := range []bool{false, true} {
				loop := c.loop
				p := start(manager.Latency{}, nil)
				p.Run(&loop, noFaults{}, nil)
				p.create(t, "web", c.replicas, 0)
				if c.before != nil {
					c.before(t, p)
				}
				if hasty {
					p.Hasty = loop.print
				}
				for p.kernel.Result.Verdict == "" {
					p.Deliver()
					require.True(t, p.SyncNext(false))
				}
				events := p.kernel.Events()
				tells[i] = told{p.kernel.Result.Verdict, p.kernel.Result.Repeats, p.Syncs(), len(events),
					events[len(events)-1].Message}
				played[i] = int(loop.syncs)
			}
			require.Equal(t, tells[0], tells[1])
			require.Equal(t, timeline.Livelock, tells[1].verdict)
			require.Equal(t, c.syncs, tells[1].syncs)
			require.Equal(t, c.syncs, played[0])
			require.Equal(t, c.played, played[1])
		})
	}
}

// TestHasteWaitsForTheEnd: a controller that stops to write in the middle of an instant is in no livelock, and one that
// a step may still stop is played.
func TestHasteWaitsForTheEnd(t *testing.T) {
	loop := looper{restless: restless{most: 3}, writes: 100}
	p := start(manager.Latency{}, nil)
	p.Run(&loop, noFaults{}, nil)
	p.Hasty = loop.print
	p.create(t, "web", 3, 0)
	for range 3000 {
		p.Deliver()
		require.True(t, p.SyncNext(false))
	}
	require.Empty(t, p.kernel.Result.Verdict)

	loop = looper{restless: restless{most: 3}}
	p = start(manager.Latency{}, nil)
	p.Run(&loop, noFaults{}, nil)
	p.Hasty = loop.print
	p.NewInstant(manager.AStepComes)
	p.create(t, "web", 3, 0)
	p.rest()
	require.Empty(t, p.kernel.Result.Verdict)
	require.Equal(t, p.Syncs(), int(loop.syncs), "every sync is played")
}
