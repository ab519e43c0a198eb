package sim_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// fork is a world that is driven by its seed up to one of its fixed points, and with dull answers from there on. Steps
// act at every fifth of them.
type fork struct {
	*trouble
	seed uint64
	at   int
}

// play returns the fingerprint at the fork and what happens after it, with times counted from there.
func (f *fork) play(t require.TestingT) (print, plain sim.Fingerprint, future string) {
	profile, err := statefulset.Lookup(f.version)
	require.NoError(t, err)
	var chooser choose.Chooser = choose.Sweep(f.seed)
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), Kubelet: f.kubelet, Machinery: f.machinery,
		Faults: f.faults, MaxEvents: 2_000,
		Chooser: choose.Func(func(kind choose.Kind, n int) int { return chooser.Choose(kind, n) }),
	})
	w.Begin()
	create := creating(f.set)
	w.Act(&create)
	steps := f.steps
	for i := range f.at {
		if i%5 == 4 && len(steps) > 0 {
			w.Act(&steps[0])
			steps = steps[1:]
			continue
		}
		if next, open := w.Next(); open {
			w.Move(next)
		}
	}
	chooser = choose.Dull
	seen, start := len(w.Events()), w.Now()
	print, plain = w.Fingerprint(), plainFingerprint(w)
	require.Equal(t, print, w.Fingerprint(), "it is the same when it is asked for again")
	for range 20 {
		if next, open := w.Next(); open {
			w.Move(next)
		}
	}
	var text strings.Builder
	for i := range w.Events()[seen:] {
		e := &w.Events()[seen+i]
		switch e.Kind {
		case timeline.KindPod, timeline.KindClaim, timeline.KindRevision, timeline.KindStatus:
			fmt.Fprintln(&text, e.T-start, e.Kind, e.Actor, e.Pod, e.State, e.Template, e.Node, e.Why.Code, e.Status)
		}
	}
	return print, plain, text.String()
}

// TestFingerprint plays random worlds with several seeds and forks them at several of their fixed points: those forks
// that have the same fingerprint go on alike.
func TestFingerprint(t *testing.T) {
	alike, forks := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tr := randomTrouble(t)
		seed := rapid.Uint64().Draw(t, "first seed")
		futures, plains := map[sim.Fingerprint]string{}, map[sim.Fingerprint]sim.Fingerprint{}
		for at := rapid.IntRange(0, 10).Draw(t, "from"); at < 40; at += 15 {
			for n := range uint64(2) {
				print, plain, future := (&fork{tr, seed + n, at}).play(t)
				other, known := futures[print]
				_, plainly := plains[plain]
				require.Equal(t, plainly, known, "the slow fingerprint knows as much as the fast one")
				if known {
					require.Equal(t, plains[plain], print)
					require.Equal(t, other, future, "two forks of one fingerprint, the second at %d with seed %d", at, seed+n)
					if future != "" {
						alike++
					}
				}
				futures[print], plains[plain] = future, print
				forks++
			}
		}
	})
	t.Logf("%d forks, %d like another one, with something to come", forks, alike)
	require.NotZero(t, alike)
}

// TestFingerprintTellsApart changes one thing of a world at a time: each gives another fingerprint, and time alone does
// not.
func TestFingerprintTellsApart(t *testing.T) {
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 3, Template: template("app:v1"), RevisionHistoryLimit: 10,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	}
	pod := model.Key{Namespace: "default", Name: "web-1"}
	print := func(act func(*sim.User), later time.Duration) sim.Fingerprint {
		w := sim.New(plainConfig(t))
		w.Begin()
		create := creating(set)
		w.Act(&create)
		w.Settle()
		w.Advance(w.Now().Add(later))
		w.Act(&sim.Step{Act: func(u *sim.User) sim.Outcome { act(u); return sim.Outcome{} }})
		return w.Fingerprint()
	}
	nothing := func(*sim.User) {}
	back := sim.New(plainConfig(t))
	back.Begin()
	create := creating(set)
	back.Act(&create)
	back.Settle()
	before := back.Fingerprint()
	back.Act(&sim.Step{Act: func(u *sim.User) sim.Outcome { u.DeletePod(pod, false); return sim.Outcome{} }})
	require.NotEqual(t, before, back.Fingerprint())
	back.Settle()
	require.Equal(t, before, back.Fingerprint(), "a pod that was deleted is back: all is as before")
	rest := print(nothing, 0)
	require.Equal(t, rest, print(nothing, time.Hour), "an hour later nothing has changed")
	seen := map[sim.Fingerprint]string{rest: "nothing"}
	for name, act := range map[string]func(*sim.User){
		"a pod is deleted":   func(u *sim.User) { u.DeletePod(pod, false) },
		"a pod is not ready": func(u *sim.User) { u.UnreadyPod(pod, 0) },
		"for a while":        func(u *sim.User) { u.UnreadyPod(pod, time.Second) },
		"for longer":         func(u *sim.User) { u.UnreadyPod(pod, 2*time.Second) },
		"a node is cordoned": func(u *sim.User) { u.Cordon("node-1", true) },
		"a node is down":     func(u *sim.User) { u.NodeDown("node-1", false) },
		"a node is off":      func(u *sim.User) { u.NodeDown("node-1", true) },
		"a pod hangs":        func(u *sim.User) { u.Hang(pod) },
		"a watch is slow":    func(u *sim.User) { u.SlowWatch(model.KindPod, time.Second, time.Minute) },
		"a watch is broken":  func(u *sim.User) { u.BreakWatch(model.KindPod, time.Minute) },
		"no controller":      func(u *sim.User) { u.RestartController(sim.Beginning{After: time.Minute}) },
		"a label":            func(u *sim.User) { u.LabelPod(pod, map[string]string{"a": "b"}, nil) },
		"a budget":           func(u *sim.User) { u.PutBudget(&model.Budget{Namespace: "default", Name: "web"}) },
	} {
		got := print(act, 0)
		require.Empty(t, seen[got], "%s is like %s", name, seen[got])
		seen[got] = name
	}
}

func plainConfig(t testing.TB) sim.Config {
	profile, err := statefulset.Lookup("")
	require.NoError(t, err)
	return sim.Config{
		Controller: statefulset.New(profile), API: profile.API(),
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{
			Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second),
			Ready: behaviour.Constant(2 * time.Second), Stop: behaviour.Constant(4 * time.Second),
		}},
	}
}
