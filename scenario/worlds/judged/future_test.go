package judged_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// horizon is how long a world is played on behind its dump.
const horizon = 3 * time.Hour

// future is what comes of a set behind the dump if nobody does anything.
type future struct {
	// looks is how the set and its pods look in the dump, changed the first instant behind it at which they look otherwise;
	// -1 for never.
	looks   string
	changed time.Duration
	// completed is the first instant from the dump on at which the set is complete, -1 for never; complete is true if it is
	// at the end.
	completed time.Duration
	complete  bool
	// fresh is true if the trouble had not shown itself when the world was dumped: a container that has not ended yet, or a
	// node that is silent and that the node lifecycle controller has not noticed yet.
	fresh bool
	// ready is true if one of its pods is Ready in the dump, settled the last instant at which a pod of it changes.
	ready   bool
	settled time.Duration
	last    string
}

// played plays a world. It returns the dump of it, and what came of its sets after that.
func (w *judged) played(t require.TestingT) (data []byte, futures map[model.Key]*future) {
	s, err := scenario.Parse("world.yaml", []byte(w.text), nil, scenario.Options{})
	require.NoError(t, err, w.text)
	now, at := model.Time(0), model.Time(-1)
	config := s.Config(scenario.RunOptions{})
	w.trouble.configure(&config, func() model.Time { return now })
	futures = map[model.Key]*future{}
	config.Watch = func(world *sim.World) {
		now = world.Now()
		if at < 0 || now < at {
			return
		}
		if data == nil {
			w.state, w.at = world.State(), now
			data = w.dumped(t, w.state, now)
			for _, set := range world.Sets() {
				now := looks(world, set.Key())
				futures[set.Key()] = &future{
					looks: now, last: now, changed: -1, completed: -1, fresh: w.fresh(world.State(), set.Key()),
					ready: slices.ContainsFunc(podsOf(world, set.Key()), func(p *model.Pod) bool { return p.Ready }),
				}
			}
		}
		for key, f := range futures {
			f.look(world, key, time.Duration(now-at))
		}
	}
	// A tenth of a second lets the last step act, and nothing that takes a second.
	at = model.Time(lastStep(w.text) + w.wait + 100*time.Millisecond)
	config.Until, config.MaxEvents, config.Cycles = time.Duration(at)+horizon, 20_000, false
	dumped := sim.Step{Verb: "dump", When: sim.When{Trigger: sim.At, D: time.Duration(at)}, Act: func(*sim.User) sim.Outcome {
		return sim.Outcome{Effect: timeline.None}
	}}
	sim.New(config).Run(append(s.Steps, dumped))
	return data, futures
}

// lastStep returns the time of the last step of a scenario.
func lastStep(text string) (last time.Duration) {
	for _, line := range strings.Split(text, "\n") {
		if rest, is := strings.CutPrefix(line, "- {at: "); is {
			d, _ := time.ParseDuration(strings.SplitN(rest, ",", 2)[0])
			last = max(last, d)
		}
	}
	return last
}

// look notes how the set stands at an instant behind the dump.
func (f *future) look(w *sim.World, key model.Key, since time.Duration) {
	if looks := looks(w, key); looks != f.last {
		f.last, f.settled = looks, since
		if f.changed < 0 && looks != f.looks {
			f.changed = since
		}
	}
	if f.complete = complete(w, key); f.complete && f.completed < 0 {
		f.completed = since
	}
}

// looks returns how a set and its pods look to somebody who sees pods come, go and change, as text.
func looks(w *sim.World, key model.Key) string {
	var lines []string
	for _, p := range podsOf(w, key) {
		lines = append(lines, fmt.Sprint(p.Name, p.UID, p.Node, p.Phase, p.Ready, p.Terminating()))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// podsOf returns the pods that a set owns.
func podsOf(w *sim.World, key model.Key) (pods []*model.Pod) {
	for _, p := range w.Pods() {
		if owner := p.Controller(); owner != nil && owner.Name == key.Name && p.Namespace == key.Namespace {
			pods = append(pods, p)
		}
	}
	return pods
}

// complete says whether a set matches its spec, as far as its strategy asks for: the controller has seen the spec, and
// exactly its pods exist and are Ready, at the newest revision where the strategy brings them there.
func complete(w *sim.World, key model.Key) bool {
	at := slices.IndexFunc(w.Sets(), func(s *model.StatefulSet) bool { return s.Key() == key })
	if at < 0 {
		return true
	}
	set, pods := w.Sets()[at], podsOf(w, key)
	if set.Status.ObservedGeneration != set.Generation || len(pods) != int(set.Spec.Replicas) {
		return false
	}
	return !slices.ContainsFunc(pods, func(p *model.Pod) bool {
		replaced := set.Spec.Strategy.Type == model.RollingUpdateStrategy && !set.BelowPartition(set.OrdinalOf(p.Name))
		return !p.Ready || p.Terminating() || !inRange(set, p.Name) || replaced && p.Revision() != set.Status.UpdateRevision
	})
}

// inRange says whether the spec of a set asks for a pod.
func inRange(set *model.StatefulSet, pod string) bool {
	ordinal := set.OrdinalOf(pod)
	return ordinal >= set.Start() && ordinal < set.Start()+int(set.Spec.Replicas)
}

// fresh says whether nothing that happened before shows the trouble yet, and it comes all the same.
func (w *judged) fresh(state *sim.State, key model.Key) bool {
	switch w.trouble.kind {
	case "flap":
		return !slices.ContainsFunc(state.Pods, func(p sim.PodState) bool {
			owner := p.Controller()
			return p.Containers != nil && p.Containers.Restarts > 0 && p.Namespace == key.Namespace && owner != nil && owner.Name == key.Name
		})
	case "node":
		return !slices.ContainsFunc(state.Nodes, func(n sim.NodeState) bool { return n.NotReady })
	}
	return false
}
