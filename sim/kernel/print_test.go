package kernel_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestOfUIDsOnlyMattersWhichAreEqual, however large they are: those of a run count from 1, those of a dump may be any. No
// object (0) is like no other, and it does not matter what was printed before.
func TestOfUIDsOnlyMattersWhichAreEqual(t *testing.T) {
	k := kernel.New(nil)
	of := func(uids ...model.UID) kernel.Fingerprint {
		return k.Fingerprint(func(p *kernel.Print) {
			for _, uid := range uids {
				p.UID(uid)
			}
		})
	}
	const last, first, huge = 1<<13 - 1, 1 << 13, 1 << 60
	for range 2 {
		for _, alike := range [][][]model.UID{
			{{1, 1}, {2, 2}, {last, last}, {first, first}, {huge, huge}},
			{{1, 2}, {2, 1}, {last, first}, {first, last}, {first, huge}, {huge, 1}},
			{{1, 2, 3, 1}, {huge, 7, first, huge}, {first, huge, last, first}, {last, first, huge, last}},
			{{1, 2, 3, 2}, {huge, 7, first, 7}, {7, huge, first, huge}, {last, first, huge, first}},
			{{0, 1}, {0, huge}, {0, first}},
			{{1, 0}, {huge, 0}, {first, 0}},
			{{0, 0}},
		} {
			for _, uids := range alike {
				require.Equal(t, of(alike[0]...), of(uids...), "%d and %d", alike[0], uids)
			}
		}
		apart := map[kernel.Fingerprint]string{}
		for _, uids := range [][]model.UID{{0, 0}, {0, huge}, {huge, 0}, {huge, huge}, {huge, first}, {huge, first, huge}, {huge, first, first}} {
			require.Empty(t, apart[of(uids...)], "%d", uids)
			apart[of(uids...)] = fmt.Sprint(uids)
		}
	}
}

// TestInstantsCountFromNow: two worlds at different instants are equal if everything is as far ahead, or behind.
func TestInstantsCountFromNow(t *testing.T) {
	type print func(*kernel.Print, model.Time)
	at := func(now model.Time, print func(*kernel.Print)) kernel.Fingerprint {
		k := kernel.New(nil)
		k.Advance(now)
		return k.Fingerprint(print)
	}
	second := model.Time(time.Second)
	exact := func(p *kernel.Print, t model.Time) { p.Time(t) }
	left := func(p *kernel.Print, t model.Time) { p.Left(t) }
	phase := func(p *kernel.Print, t model.Time) { p.Phase(t, 10*second) }
	once := func(p *kernel.Print, t model.Time) { p.Phase(t, 0) }
	for _, c := range []struct {
		name  string
		print print
		// The instants a and b are looked at 1s and 100s after the beginning.
		a, b  model.Time
		alike bool
	}{
		{"as far ahead", exact, 3 * second, 102 * second, true},
		{"at the same instant, which is not as far ahead", exact, 103 * second, 103 * second, false},
		{"as long ago", exact, second - 1, 100*second - 1, true},
		{"no instant", exact, 0, 0, true},
		{"no instant, and one as long ago", exact, 0, 99 * second, false},
		{"never", exact, behaviour.Forever, behaviour.Forever, true},
		{"never, and no instant", exact, behaviour.Forever, 0, false},
		{"as much is left", left, 3 * second, 102 * second, true},
		{"another time is left", left, 3 * second, 101 * second, false},
		{"nothing is left any more", left, second, 2 * second, true},
		{"nothing is left any more, and a little", left, second, 100*second + 1, false},
		{"in the same place of the period", phase, 0, 89 * second, true},
		{"in another place of the period", phase, 0, 90 * second, false},
		{"where it begins", phase, second, 90 * second, true},
		{"before it begins", phase, 2 * second, 101 * second, true},
		{"before it begins, and in its last second", phase, 2 * second, 91 * second, false},
		{"of what has no period, as long ago", once, 0, 99 * second, true},
		{"of what has no period, not as long ago", once, 0, 89 * second, false},
	} {
		a := at(second, func(p *kernel.Print) { c.print(p, c.a) })
		b := at(100*second, func(p *kernel.Print) { c.print(p, c.b) })
		require.Equal(t, c.alike, a == b, c.name)
	}
}

// TestListsAreToldApart: it matters where one list ends and the next begins.
func TestListsAreToldApart(t *testing.T) {
	k, seen := kernel.New(nil), map[kernel.Fingerprint]string{}
	for _, lists := range [][2][]string{
		{nil, nil}, {{"a"}, nil}, {nil, {"a"}}, {{"a", "b"}, {"c"}}, {{"a"}, {"b", "c"}}, {{"ab"}, {"c"}}, {{"b", "a"}, {"c"}}, {{"", ""}, {""}},
	} {
		for kind, print := range map[string]func(*kernel.Print, []string){
			"texts": (*kernel.Print).Texts,
			"keys": func(p *kernel.Print, names []string) {
				var keys []model.Key
				for _, name := range names {
					keys = append(keys, model.Key{Name: name})
				}
				p.Keys(keys)
			},
			"labels": func(p *kernel.Print, names []string) {
				labels := map[string]string{}
				for i, name := range names {
					labels[fmt.Sprint(i, name)] = name
				}
				p.Labels(labels)
			},
		} {
			digest := k.Fingerprint(func(p *kernel.Print) {
				p.Text(kind)
				print(p, lists[0])
				print(p, lists[1])
			})
			require.Empty(t, seen[digest], "%s %q", kind, lists)
			seen[digest] = fmt.Sprint(kind, lists)
		}
	}
}

// TestFingerprintsLetGoOfObjects prints objects of all kinds once, and then others for a long time: nothing holds the
// first any more.
func TestFingerprintsLetGoOfObjects(t *testing.T) {
	k := kernel.New(nil)
	set, pod, claim := weak.Make(once(k, (*kernel.Print).Set)), weak.Make(once(k, (*kernel.Print).Pod)), weak.Make(once(k, (*kernel.Print).Claim))
	revision, template := weak.Make(once(k, (*kernel.Print).Revision)), weak.Make(once(k, (*kernel.Print).Template))
	for range 2000 {
		once(k, (*kernel.Print).Pod)
	}
	runtime.GC()
	require.Nil(t, set.Value())
	require.Nil(t, pod.Value())
	require.Nil(t, claim.Value())
	require.Nil(t, revision.Value())
	require.Nil(t, template.Value())
	runtime.KeepAlive(k)
}

// once prints a new object.
func once[T any](k *kernel.Kernel, print func(*kernel.Print, *T)) *T {
	object := new(T)
	k.Fingerprint(func(p *kernel.Print) { print(p, object) })
	return object
}

// TestForgottenEvents are counted, and those behind them are the timeline from then on.
func TestForgottenEvents(t *testing.T) {
	k := kernel.New(nil)
	for i := range 5 {
		k.Record(timeline.Entry{Kind: timeline.KindStep, Message: fmt.Sprint(i)})
	}
	k.Forget(3)
	require.Equal(t, 5, k.Recorded())
	require.Len(t, k.Events(), 2)
	require.Equal(t, "3", k.Events()[0].Message)
	k.Forget(1)
	k.Record(timeline.Entry{Kind: timeline.KindStep, Message: "5"})
	require.Equal(t, 6, k.Recorded())
	require.Equal(t, "4", k.Events()[0].Message)
	require.Equal(t, "5", k.Events()[1].Message)
}

// TestAnInstantIsShortened by the events at its end, never by those before it.
func TestAnInstantIsShortened(t *testing.T) {
	for _, c := range []struct{ left, dropped, stay int }{{0, 3, 2}, {1, 2, 3}, {2, 1, 4}, {3, 0, 5}} {
		k := kernel.New(nil)
		for i := range 5 {
			if i == 2 {
				k.Advance(1)
			}
			k.Record(timeline.Entry{Kind: timeline.KindStep, Message: fmt.Sprint(i)})
		}
		require.Equal(t, c.dropped, k.Shorten(c.left))
		require.Len(t, k.Events(), c.stay)
	}
	k := kernel.New(nil)
	k.Record(timeline.Entry{Kind: timeline.KindStep})
	require.Equal(t, 1, k.Shorten(0), "the first instant has nothing before it")
	require.Empty(t, k.Events())
}

// TestAnEventIsDescribed with all that it says.
func TestAnEventIsDescribed(t *testing.T) {
	k := kernel.New(nil)
	k.Handle(kernel.Nodes, []string{"start", "stop"}, handler{happen: func(kernel.Event) {}})
	web := model.Key{Namespace: "default", Name: "web-0"}
	for _, c := range []struct {
		event kernel.Event
		want  string
	}{
		{kernel.Event{Room: kernel.Nodes}, "nodes start"},
		{kernel.Event{Room: kernel.Nodes, Kind: 1, Of: model.KindPod, UID: 7, Key: web, N: 3}, "nodes stop Pod default/web-0 (uid-7) #3"},
		{kernel.Event{Room: kernel.Nodes, Key: model.Key{Name: "node-1"}}, "nodes start node-1"},
	} {
		require.Equal(t, c.want, k.Describe(c.event))
	}
}

// TestKernelsAreToldApart: by which rooms are away and for how long, by what is pending, and by how the run has ended;
// a room that is back is like one that was never away.
func TestKernelsAreToldApart(t *testing.T) {
	second := model.Time(time.Second)
	of := func(prepare func(*kernel.Kernel)) kernel.Fingerprint {
		k := kernel.New(nil)
		k.Handle(kernel.Nodes, []string{"start", "stop"}, handler{happen: func(kernel.Event) {}})
		k.Advance(second)
		prepare(k)
		return k.Fingerprint(k.Print)
	}
	event := kernel.Event{Room: kernel.Nodes}
	seen := map[kernel.Fingerprint]string{}
	for _, c := range []struct {
		name    string
		prepare func(*kernel.Kernel)
	}{
		{"nothing", func(*kernel.Kernel) {}},
		{"away for 9s", func(k *kernel.Kernel) { k.Away(10*second, kernel.Nodes) }},
		{"away for 10s", func(k *kernel.Kernel) { k.Away(11*second, kernel.Nodes) }},
		{"another room is away", func(k *kernel.Kernel) { k.Away(10*second, kernel.Kubelet) }},
		{"two rooms are away", func(k *kernel.Kernel) { k.Away(10*second, kernel.Nodes, kernel.Kubelet) }},
		{"an event in 1s", func(k *kernel.Kernel) { k.At(2*second, kernel.ByCluster, event) }},
		{"an event in 2s", func(k *kernel.Kernel) { k.At(3*second, kernel.ByCluster, event) }},
		{"an event of another actor", func(k *kernel.Kernel) { k.At(2*second, kernel.ByKubelet, event) }},
		{"two events", func(k *kernel.Kernel) {
			k.At(2*second, kernel.ByCluster, event)
			k.At(2*second, kernel.ByCluster, event)
		}},
		{"the end", func(k *kernel.Kernel) { k.Result.Verdict = timeline.Limit }},
	} {
		print := of(c.prepare)
		require.Empty(t, seen[print], "%s is like %s", c.name, seen[print])
		seen[print] = c.name
	}
	require.Equal(t, "nothing", seen[of(func(k *kernel.Kernel) {
		k.Away(10*second, kernel.Nodes)
		k.Advance(10 * second)
	})])
}
