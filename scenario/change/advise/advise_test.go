package advise

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// manifest is a set of so many pods; more is the rest of its spec, as YAML in one line.
func manifest(replicas int, more string) string {
	return fmt.Sprintf(`{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web, namespace: prod}, spec: {replicas: %d,
  serviceName: web, selector: {matchLabels: {app: web}}, %s
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1",
  readinessProbe: {httpGet: {path: /ready, port: 80}}}]}}}}
`, replicas, more)
}

// usual are options with times that are drawn, on 1.37.
func usual(t *testing.T) *Options {
	profile, err := statefulset.Gated("1.37", nil)
	require.NoError(t, err)
	return &Options{Keep: -1, Draws: 5, Plan: stored.Options{
		Profiles: []statefulset.Profile{profile},
		Times: [3]behaviour.Delay{
			behaviour.Constant(2 * time.Second), behaviour.Uniform(time.Second, 3*time.Second), behaviour.Constant(5 * time.Second),
		},
	}}
}

func read(t *testing.T, old, now string) *pair.Input {
	in, err := pair.Read(pair.Stream{Name: "old.yaml", Data: []byte(old)}, pair.Stream{Name: "new.yaml", Data: []byte(now)},
		strict.Limits{})
	require.NoError(t, err)
	return in
}

func advised(t *testing.T, old string, o *Options) *Set {
	a, err := Of(read(t, old, old), o)
	require.NoError(t, err)
	require.NotNil(t, a.Set)
	return a.Set
}

// TestFront: settings as they are today, and what the front has. Each line is a setting, how many pods serve at least,
// and how many each kind of bad version takes.
func TestFront(t *testing.T) {
	for _, c := range []struct {
		name, old string
		change    func(*Options)
		front     []string
		better    bool
	}{
		{
			name: "slow and ordered: more at once is quicker, a canary is safer",
			old:  manifest(5, ""),
			front: []string{
				"Parallel, maxUnavailable 2: 3 serve, bad takes 2 5 5",
				"OrderedReady, maxUnavailable 2: 3 serve, bad takes 1 5 5",
				"today OrderedReady: 4 serve, bad takes 1 5 5",
				"OrderedReady, maxUnavailable 2, partition 4, then 0 (watched 1m30s each): 3 serve, bad takes 1 1 5",
				"OrderedReady, partition 4, then 0 (watched 6m00s each): 4 serve, bad takes 1 1 1",
			},
		},
		{
			name: "all but one have to serve: nothing quicker is left",
			old:  manifest(5, ""), change: func(o *Options) { o.Keep, o.Said = 4, "--require 'minReady >= 4'" },
			front: []string{
				"today OrderedReady: 4 serve, bad takes 1 5 5",
				"OrderedReady, partition 4, then 0 (watched 1m30s each): 4 serve, bad takes 1 1 5",
				"OrderedReady, minReadySeconds 60: 4 serve, bad takes 1 1 5",
				"OrderedReady, partition 4, then 0 (watched 6m00s each): 4 serve, bad takes 1 1 1",
			},
		},
		{
			name: "today's leaves too few, so others are better",
			old: manifest(5, "podManagementPolicy: Parallel, "+
				"updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 4}},"),
			better: true,
			front: []string{
				"Parallel, maxUnavailable 2: 3 serve, bad takes 2 5 5",
				"Parallel: 4 serve, bad takes 1 5 5",
				"Parallel, partition 4, then 0 (watched 1m30s each): 4 serve, bad takes 1 1 5",
				"Parallel, maxUnavailable 2, partition 4, then 0 (watched 6m00s each): 3 serve, bad takes 1 1 1",
				"today Parallel, maxUnavailable 4: 1 serve, bad takes 4 5 5",
			},
		},
		{
			name: "OnDelete by hand: the same by itself is better",
			old:  manifest(5, "updateStrategy: {type: OnDelete},"), better: true,
			front: []string{
				"Parallel, maxUnavailable 2: 3 serve, bad takes 2 5 5",
				"OrderedReady, maxUnavailable 2: 3 serve, bad takes 1 5 5",
				"OrderedReady: 4 serve, bad takes 1 5 5",
				"OrderedReady, maxUnavailable 2, partition 4, then 0 (watched 6m00s each): 3 serve, bad takes 1 1 1",
				"today OrderedReady, OnDelete, one pod after the other by hand: 4 serve, bad takes 1 5 5",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := usual(t)
			if c.change != nil {
				c.change(o)
			}
			a := advised(t, c.old, o)
			var got []string
			for _, choice := range a.Front {
				today := ""
				if choice.Today {
					today = "today "
				}
				line := fmt.Sprintf("%s%s: %d serve, bad takes", today, choice.Setting, choice.FewestServing)
				for _, price := range choice.BadVersion.Cases {
					line += fmt.Sprintf(" %d", price.Lost)
				}
				got = append(got, line)
			}
			require.Equal(t, c.front, got)
			require.Equal(t, c.better, a.Better)
		})
	}
}

// TestStopIsDrawn: how long the old pods take to stop is drawn for each of them, as the other times are, so that some
// rollouts take longer than others; and --within counts with that.
func TestStopIsDrawn(t *testing.T) {
	for _, c := range []struct{ more, p50, p95 string }{
		{"", "1m02s", "1m28s"},
		{"updateStrategy: {type: OnDelete},", "1m02s", "1m28s"},
	} {
		o := usual(t)
		o.Draws, o.Plan.Times = 20, [3]behaviour.Delay{
			behaviour.Uniform(2*time.Second, 28*time.Second), behaviour.Constant(3 * time.Second), behaviour.Constant(5 * time.Second),
		}
		a := advised(t, manifest(3, c.more), o)
		today := a.Front[slices.IndexFunc(a.Front, func(choice *Choice) bool { return choice.Today })]
		require.Equal(t, c.p50+" "+c.p95, render.Brief(today.trial.p50)+" "+render.Brief(today.trial.p95))
		o.Within = today.trial.p95 - time.Second
		a = advised(t, manifest(3, c.more), o)
		for _, choice := range a.Front {
			require.True(t, choice.Today && choice.Fails != nil || choice.trial.p95 <= o.Within, choice.Setting)
		}
	}
}

// TestFrontIsRight holds the front of random sets to what its definition says of every setting of the grid, found in the
// plainest way.
func TestFrontIsRight(t *testing.T) {
	sets := 50
	if testing.Short() {
		sets = 2
	}
	random := rand.New(rand.NewPCG(5, 5))
	for range sets {
		replicas := 1 + random.IntN(4)
		more := fmt.Sprintf("podManagementPolicy: %s, minReadySeconds: %d, updateStrategy: {type: RollingUpdate, "+
			"rollingUpdate: {maxUnavailable: %d, partition: %d}},", []string{"OrderedReady", "Parallel"}[random.IntN(2)],
			[]int{0, 5, 60}[random.IntN(3)], 1+random.IntN(3), random.IntN(2)*random.IntN(replicas))
		in, o := read(t, manifest(replicas, more), manifest(replicas, more)), usual(t)
		o.Draws = 3
		frame := &stored.Frame{Options: &o.Plan, Input: in, Profile: o.Plan.Profiles[0]}
		stored, err := frame.All()
		require.NoError(t, err)
		s, why := subjectOf(frame, stored[0], in, o)
		require.Empty(t, why)
		today := settingOf(s.wanted)
		var trials []*trial
		for _, as := range space(frame.Lab(), s.wanted, s.ignores, false) {
			trials = append(trials, s.try(as))
		}
		l := &limits{keep: s.keep}
		front := frontOf(trials, l, &today)
		for _, one := range trials {
			beaten := len(l.fails(one)) > 0
			for _, other := range trials {
				beaten = beaten || len(l.fails(other)) == 0 && other.beats(one, &today)
			}
			in := false
			for _, other := range front {
				in = in || other == one || !beaten && other.goesBefore(one, &today)
			}
			require.Equal(t, !beaten, in, "%s of %s", one.setting, more)
		}
	}
}

// TestRepeats: the answer is the same bytes each time, on one core and on many.
func TestRepeats(t *testing.T) {
	text := func(o *Options) string {
		a, err := Of(read(t, manifest(2, ""), manifest(2, "minReadySeconds: 5,")), o)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, json.NewEncoder(&b).Encode(a))
		return b.String()
	}
	o, parallel := usual(t), usual(t)
	parallel.Each = func(n int, work func(int)) {
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { work(i) })
		}
		all.Wait()
	}
	first := text(o)
	require.Equal(t, first, text(o))
	require.Equal(t, first, text(parallel))
}

// TestRefused: what there is no advice for, and why.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ old, now, says string }{
		{manifest(0, ""), "", "prod/web: it has no replicas: nothing rolls"},
		{manifest(3, ""), manifest(3, "podManagementPolicy: Parallel,"), "prod/web: the API server refuses it: "},
	} {
		if c.now == "" {
			c.now = c.old
		}
		_, err := Of(read(t, c.old, c.now), usual(t))
		require.ErrorContains(t, err, c.says)
	}
}

// TestSpace: a version that does not know maxUnavailable is never told to set it.
func TestSpace(t *testing.T) {
	for version, settings := range map[string]int{"1.34": 42, "1.37": 84} {
		o := usual(t)
		profile, err := statefulset.Gated(version, nil)
		require.NoError(t, err)
		o.Plan.Profiles = []statefulset.Profile{profile}
		o.Draws = 1
		a := advised(t, manifest(5, ""), o)
		require.Equal(t, settings, a.Searched.Candidates, version)
		for _, c := range a.Front {
			require.Equal(t, version == "1.37" && c.trial.atOnce != nil, bytes.Contains(c.Patch, []byte("maxUnavailable")), version)
		}
	}
}
