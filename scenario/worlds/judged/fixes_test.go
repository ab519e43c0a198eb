package judged_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestFixes plays the fixes that are offered for the stuck sets of random worlds: not in the world that is made from the
// dump, but in the world that was dumped, whose trouble goes on. A fix that is said to heal has to: where it assumes
// nothing, in that very world; else in the one in which what it assumes is true. And each of its commands is needed. What
// nobody can know from the dump is a departure, and is counted.
func TestFixes(t *testing.T) {
	p := played{}
	rapid.Check(t, func(t *rapid.T) {
		w := troubledWorlds.Draw(t, "world")
		data, futures := w.played(t)
		if data == nil {
			return
		}
		d := w.read(t, data)
		lab := w.lab(t, d)
		for _, s := range explain.Begin(d, lab, "").All(nil).Sets {
			switch f := futures[s.Key()]; {
			case s.State != judge.Stuck:
			case f.fresh || f.completed >= 0:
				p.count("sets that are not stuck in their world, or whose trouble the dump does not show yet")
			default:
				p.count("sets that are stuck")
				for _, way := range s.WaysOut {
					if says := p.judge(t, &w, data, lab, s, &way); says != "" {
						t.Fatalf("%s: %s (%s): %s\nassumes: %s; danger: %s\n%s\n%s", s.Key(), way.What, strings.Join(way.Commands, "; "),
							says, way.Needs, way.Danger, w, data)
					}
				}
			}
		}
	})
	for _, what := range slices.Sorted(maps.Keys(p)) {
		t.Logf("%-90s %6d", what, p[what])
	}
	t.Logf("healed %d of %d, and %d departures", p.all("fixes"), p.all("fixes"), p.all("departures"))
}

// played counts what became of the fixes.
type played map[string]int

func (p played) count(what string) { p[what]++ }

// all adds up the counts whose names begin like this.
func (p played) all(begin string) (n int) {
	for what, count := range p {
		if strings.HasPrefix(what, begin) {
			n += count
		}
	}
	return n
}

// judge plays a fix, and says what is wrong with it.
func (p played) judge(t require.TestingT, w *judged, data []byte, lab *play.Lab,
	s *explain.DumpedSet, way *explain.WayOut) string {
	if !way.Heals {
		return ""
	}
	at := slices.IndexFunc(w.state.Sets, func(set *model.StatefulSet) bool { return set.Key() == s.Key() })
	script, beyond := pasted(t, w.state.Sets[at], way.Commands)
	kind, world := "fixes that assume nothing", *w
	switch {
	case beyond:
		kind, world.trouble = "fixes of what is not in the worlds, where they end the trouble", trouble{ordinal: -1}
	case way.Needs != "":
		kind, world.trouble.spares = "fixes that assume something, where that is true", w.isNew
	}
	if !world.ends(t, s.Key(), script) {
		if why := w.departs(t, s, way, data); why != "" {
			p.count("departures: " + why)
			return ""
		}
		return "does not heal, of the " + kind
	}
	p.count(kind + ": healed")
	return p.needed(lab, s, way, script)
}

// needed says which command of a fix that heals in the world of the dump is not needed there.
func (p played) needed(lab *play.Lab, s *explain.DumpedSet, way *explain.WayOut,
	script play.Script) string {
	heals := func(script play.Script) bool {
		end := lab.Paste(nil, script)
		return end.Hangs == "" && heal.Whole(end.Events, s.Key()) &&
			timeline.EndOf(end.Events).Set(s.Key()).Spec.Spec.Replicas >= int32(s.Replicas)
	}
	if len(script) == 0 || !heals(script) {
		return ""
	}
	for i := range script {
		if script[i].Act != nil && heals(slices.Delete(slices.Clone(script), i, i+1)) {
			if way.Needs == "" {
				return script[i].Kubectl + " is not needed"
			}
			p.count("commands that are for what the fix assumes: the world of the dump does not need them")
			continue
		}
		p.count("commands of these fixes, each of which is needed")
	}
	return ""
}

// departs says why nobody who has only the dump can know that a fix does not heal; "" if they can.
func (w *judged) departs(t require.TestingT, s *explain.DumpedSet, way *explain.WayOut, data []byte) string {
	closed := slices.ContainsFunc(w.state.Nodes, func(n sim.NodeState) bool { return n.Cordoned || n.NotReady || n.Down })
	said := strings.Join(s.Facts, " ")
	told := strings.Contains(said, "were unschedulable") || strings.Contains(said, "untolerated taint {node")
	containers := slices.Contains(strings.Fields("image secret mount sandbox attach unready crash flap unschedulable"), w.trouble.kind)
	before, after, _ := strings.Cut(w.trouble.says, "POD")
	words, err := json.Marshal(cmp.Or(after, before))
	require.NoError(t, err)
	switch {
	case !strings.Contains(string(data), strings.Trim(string(words), `"`)):
		return "a trouble that the dump does not show yet"
	case w.trouble.kind == "scheduler" || w.trouble.kind == "controller":
		return "a scheduler or a controller that does nothing"
	case w.trouble.kind == "hang":
		return "pods that the rollout deletes next do not stop either"
	case containers && !slices.ContainsFunc(w.state.Pods, func(p sim.PodState) bool {
		return p.Namespace == s.Namespace && p.Name == s.StuckOn && w.trouble.meets(p.Pod)
	}):
		return "a trouble of other pods, of which it is too early to say anything"
	case containers && w.trouble.image == "" && w.trouble.node == "":
		return "a trouble that meets pods of all templates, although the dump shows it of one"
	case closed && slices.Contains(parts[w.part], "Node") && !told:
		return "nodes that are not in the dump take no pods"
	case slices.Contains(parts[w.part], "ControllerRevision") && strings.Contains(way.Needs, "the revision before the newest one is"):
		return "an undo to a revision that the dump does not show"
	case strings.Contains(way.Needs, "waits for its peers"):
		return "pods of these worlds wait for no peers"
	}
	return ""
}

// isNew says of a pod or a claim that it does not exist yet when the world is dumped.
func (w *judged) isNew(uid model.UID) bool {
	return !slices.ContainsFunc(w.state.Pods, func(p sim.PodState) bool { return p.UID == uid }) &&
		!slices.ContainsFunc(w.state.Claims, func(c *model.Claim) bool { return c.UID == uid })
}

// ends begins the world again where it was dumped, plays a script in it, and says whether the set is complete at the end,
// with all the replicas that it had. The delays of what has begun are drawn again.
func (w *judged) ends(t require.TestingT, key model.Key, script play.Script) bool {
	s, err := scenario.Parse("world.yaml", []byte(w.text), nil, scenario.Options{})
	require.NoError(t, err)
	profile, err := statefulset.Lookup(w.version)
	require.NoError(t, err)
	state, now, whole := *w.state, w.at, false
	state.Rest = nil
	config := s.Config(scenario.RunOptions{})
	config.Start, config.Until, config.MaxEvents, config.Cycles = &state, horizon, 20_000, false
	w.trouble.configure(&config, func() model.Time { return now })
	config.Watch = func(world *sim.World) {
		now = w.at + world.Now()
		// A pod that crashes again and again is not Ready all the time.
		whole = whole && w.trouble.kind == "flap" || complete(world, key) && slices.ContainsFunc(world.Sets(), func(set *model.StatefulSet) bool {
			return set.Key() == key && set.Spec.Replicas >= replicasOf(w.state, key)
		})
	}
	lab := play.Lab{Profile: profile, World: config}
	p := lab.Paste(nil, script)
	return p.Hangs == "" && whole
}

func replicasOf(state *sim.State, key model.Key) int32 {
	at := slices.IndexFunc(state.Sets, func(set *model.StatefulSet) bool { return set.Key() == key })
	return state.Sets[at].Spec.Replicas
}
