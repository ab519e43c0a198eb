package kernel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// handler is a room that carries its events out in a way, and keeps their timers by the name of the object.
type handler struct {
	happen func(kernel.Event)
	timers map[string]*kernel.Timer
}

func (h handler) Happen(e kernel.Event)                    { h.happen(e) }
func (h handler) Keep(e kernel.Event, timer *kernel.Timer) { h.timers[e.Key.Name] = timer }

// TestEventsAreValues schedules events for two rooms and lets them happen: each room gets its own, in the order of time,
// and all can be printed.
func TestEventsAreValues(t *testing.T) {
	k := kernel.New(nil)
	var seen []string
	for _, room := range []kernel.Room{kernel.Kubelet, kernel.Nodes} {
		k.Handle(room, []string{"start", "stop"}, handler{happen: func(e kernel.Event) {
			seen = append(seen, k.Describe(e))
		}})
	}
	second := model.Time(time.Second)
	web := model.Key{Namespace: "default", Name: "web-0"}
	stop := k.At(2*second, kernel.ByKubelet, kernel.Event{Room: kernel.Kubelet, Kind: 1, UID: 7, Key: web})
	k.At(second, kernel.ByCluster, kernel.Event{Room: kernel.Nodes, Key: model.Key{Name: "node-1"}})
	k.Cancel(k.At(second, kernel.ByKubelet, kernel.Event{Room: kernel.Kubelet, Key: web}))
	for next, any := k.Peek(); any; next, any = k.Peek() {
		k.Advance(next)
		for k.Next() {
		}
	}
	require.Equal(t, []string{"nodes start node-1", "kubelet stop default/web-0 (uid-7)"}, seen)
	require.False(t, stop.Pending())
}

// TestHasten lets an event happen earlier, but not before now.
func TestHasten(t *testing.T) {
	k := kernel.New(nil)
	k.Handle(kernel.Kubelet, []string{"start"}, handler{happen: func(kernel.Event) {}})
	timer := k.At(model.Time(10*time.Second), kernel.ByKubelet, kernel.Event{Room: kernel.Kubelet})
	timer = k.Hasten(timer, 4*time.Second)
	require.Equal(t, model.Time(6*time.Second), timer.At)
	timer = k.Hasten(timer, time.Minute)
	require.Equal(t, model.Time(0), timer.At)
	require.True(t, k.Next())
	require.Equal(t, timer, k.Hasten(timer, time.Second), "one that has happened stays as it is")
}

// TestExpect expects two steps of 1,000 events each: there is room for both from the first on, and the second asks for no
// more. Without a step to come there is room for one.
func TestExpect(t *testing.T) {
	for _, later := range []bool{false, true} {
		k := kernel.New(nil)
		k.StepToCome = later
		k.Expect(1000)
		k.ExpectLater(1000)
		k.Record(timeline.Entry{Kind: timeline.KindRun})
		first := cap(k.Events())
		for range 999 {
			k.Record(timeline.Entry{Kind: timeline.KindSync})
		}
		k.Expect(1000)
		for range 1000 {
			k.Record(timeline.Entry{Kind: timeline.KindSync})
		}
		require.Equal(t, later, cap(k.Events()) == first)
		require.Less(t, cap(k.Events()), 2300)
	}
}

// TestShorten leaves the first events of an instant.
func TestShorten(t *testing.T) {
	k := kernel.New(nil)
	k.Record(timeline.Entry{Kind: timeline.KindRun})
	k.Advance(1)
	for range 5 {
		k.Record(timeline.Entry{Kind: timeline.KindSync})
	}
	require.Equal(t, 3, k.Shorten(2))
	require.Len(t, k.Events(), 3)
}

// TestAway stops a room: what is due meanwhile happens when it is back, can still be cancelled, and follows a later word
// about when that is, in both directions. Other rooms go on.
func TestAway(t *testing.T) {
	second := model.Time(time.Second)
	for _, c := range []struct {
		name   string
		second model.Time
		want   []string
	}{
		{"once", 0, []string{"kubelet start a 2s", "nodes start a 20s", "nodes start b 25s"}},
		{"back earlier", 10 * second, []string{"kubelet start a 2s", "nodes start a 10s", "nodes start b 25s"}},
		{"back later", 30 * second, []string{"kubelet start a 2s", "nodes start a 30s", "nodes start b 30s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kernel.New(nil)
			var seen []string
			timers := map[string]*kernel.Timer{}
			for _, room := range []kernel.Room{kernel.Kubelet, kernel.Nodes} {
				k.Handle(room, []string{"start"}, handler{timers: timers, happen: func(e kernel.Event) {
					seen = append(seen, k.Describe(e)+" "+k.Now().Clock())
				}})
			}
			at := func(t model.Time, room kernel.Room, name string) {
				timers[name] = k.At(t, kernel.ByCluster, kernel.Event{Room: room, Key: model.Key{Name: name}})
			}
			at(2*second, kernel.Kubelet, "a")
			at(2*second, kernel.Nodes, "a")
			at(3*second, kernel.Nodes, "gone")
			at(25*second, kernel.Nodes, "b")
			k.Away(20*second, kernel.Nodes)
			require.Equal(t, 20*second, k.Back(kernel.Nodes))
			require.Equal(t, model.Time(0), k.Back(kernel.Kubelet))
			for next, any := k.Peek(); any; next, any = k.Peek() {
				if k.Advance(next); next == 3*second {
					for k.Next() {
					}
					k.Cancel(timers["gone"])
					if c.second > 0 {
						k.Away(c.second, kernel.Nodes)
					}
				}
				for k.Next() {
				}
			}
			require.Equal(t, c.want, seen)
		})
	}
}
