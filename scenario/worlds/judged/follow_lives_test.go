package judged_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/follow"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestFollowLives follows every StatefulSet of the recordings of real control planes, whose effects a run repeats
// (TestLives of package scenario): from each step to the next, at each instant that is two seconds behind the last look.
// What is said to be stuck for certain is not complete before somebody acts again, no pod is deleted or created out of the
// forecast's turn, and what is complete is so within the forecast's span. What differs has its reason in a table, and must
// still differ.
func TestFollowLives(t *testing.T) {
	said, unforeseen := sayings{}, map[string]string{}
	for _, file := range []string{"lives", "own"} {
		archive, err := txtar.ParseFile("../../testdata/recordings/" + file + ".txtar")
		require.NoError(t, err)
		for i := 0; i < len(archive.Files); i += 2 {
			f := archive.Files[i]
			t.Run(file+"/"+strings.TrimSuffix(f.Name, ".yaml"), func(t *testing.T) {
				for _, what := range followLife(t, f.Name, f.Data, said) {
					unforeseen[f.Name] = what
				}
			})
		}
	}
	t.Log("\n" + said.String())
	require.Equal(t, slices.Sorted(maps.Keys(surprises)), slices.Sorted(maps.Keys(unforeseen)), "%v", unforeseen)
}

// surprises are the recordings in which something comes that no look can show before.
var surprises = map[string]string{
	"life/nodes-12-down-in-rollout.yaml":       "a node stops to answer after the first look",
	"nodes-down-rollout.yaml":                  "a node stops to answer after the first look",
	"scale-failing-always.yaml":                "a pod fails each time it has started, which is not the fate of the one before",
	"life/services-04-unready-and-failed.yaml": "when a pod is Ready again that no longer is, nobody knows",
}

// part is a part of a life from a step to the next: of each set what was followed, and whether it was stuck for certain.
type part struct {
	unforeseen []string
	followed   map[model.Key]*follow.Followed
	stuck      map[model.Key]string
	looked     model.Time
}

// followLife follows the sets of a life, and returns what came otherwise than was forecast.
func followLife(t *testing.T, name string, text []byte, said sayings) (unforeseen []string) {
	s, err := scenario.Parse(name, text, nil, scenario.Options{})
	require.NoError(t, err)
	var acts []model.Time
	for _, e := range s.Run(scenario.RunOptions{}).Timeline {
		if e.Kind == timeline.KindStep || e.Kind == timeline.KindFault {
			acts = append(acts, e.T)
		}
	}
	w := judged{text: string(text), version: s.Kubernetes, part: "everything", given: true, trouble: trouble{kind: "none"}}
	var p part
	config := s.Config(scenario.RunOptions{})
	config.Watch = func(world *sim.World) {
		now := world.Now()
		for len(acts) > 0 && acts[0] <= now {
			unforeseen = append(unforeseen, p.unforeseen...)
			p = part{followed: map[model.Key]*follow.Followed{}, stuck: map[model.Key]string{}, looked: now}
			acts = acts[1:]
		}
		if p.followed == nil {
			return
		}
		for key, why := range p.stuck {
			require.False(t, complete(world, key), "%s was stuck for certain at %s, and is complete: %s", key, now, why)
		}
		if time.Duration(now-p.looked) < poll {
			return
		}
		p.looked = now
		for _, set := range world.Sets() {
			p.look(t, &w, world, set.Key(), said)
		}
	}
	sim.New(config).Run(s.Steps)
	return append(unforeseen, p.unforeseen...)
}

// look follows one set on.
func (p *part) look(t *testing.T, w *judged, world *sim.World, key model.Key, said sayings) {
	before := p.followed[key]
	look := w.looked(t, world.State(), world.Now(), key, before)
	if look.Set == nil {
		return
	}
	if before == nil {
		begun := follow.Begin(look)
		p.followed[key] = &begun
		return
	}
	f := before.Next(look)
	p.followed[key] = &f
	departs := slices.ContainsFunc(f.Lines[len(f.Lines)-f.New:], func(line follow.Line) bool {
		return strings.Contains(line.Text, "which the forecast")
	})
	p.count(said, "in the order of the forecast", !departs, f)
	if look.Set.State == judge.Stuck && look.Set.Certain {
		said.count("stuck for certain", true)
		p.stuck[key] = fmt.Sprint(look.Set.Causes)
	}
	if look.Set.State == judge.AtRest && before.Last.Set.State == judge.Continues && !f.Begun.IsZero() {
		in := !f.Last.At.Add(poll).Before(f.Earliest) && !before.Last.At.After(f.Latest.Add(poll))
		p.count(said, "complete in the span of the forecast", in, f)
	}
}

// count counts something that was forecast, and notes what was told where it came otherwise.
func (p *part) count(said sayings, what string, is bool, f follow.Followed) {
	said.count(what, is)
	if !is {
		p.unforeseen = append(p.unforeseen, fmt.Sprintf("not %s: %v", what, f.Lines))
	}
}
