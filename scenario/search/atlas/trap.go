package atlas

import (
	"embed"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

//go:embed traps/*.yaml
var files embed.FS

// Trap is a way in which a StatefulSet does what nobody wants. Traps does not change.
type Trap struct {
	// Name is its public name, and that of its scenario's file. Waivers and docs refer to it, so it does not change.
	Name string `json:"name"`
	// Title says in one sentence what happens, When under which conditions, WayOut what helps. They have full stops.
	Title  string `json:"title"`
	When   string `json:"when"`
	WayOut string `json:"wayOut"`
	// Promise is the promise that is broken, by its name in scenario/search/promise; "" if none is. Confirmed says on
	// which real code or control plane it was seen. Links are the issues, pull requests and KEPs about it.
	Promise   string   `json:"promise,omitempty"`
	Confirmed string   `json:"confirmed"`
	Links     []string `json:"links,omitempty"`

	// Common says that most sets of a policy have the shape: then a report about a set does not name the trap because of
	// its shape alone, but only if its change, or the version, brings it about.
	Common bool `json:"-"`
	// Refusal says that the trap is a refusal of the API server: a change that it accepts does not run into the trap.
	Refusal bool `json:"-"`

	// shape says whether a set has the shape of the trap, whatever the version. It reads the spec only.
	shape func(*model.StatefulSet) bool
	// brings says whether a change of a set runs into a trap that is Common; nil if no change alone does.
	brings func(live, wanted *model.StatefulSet) bool
}

// Scenario returns the text of the scenario that shows the trap. It panics if there is none, which a test excludes.
func (t *Trap) Scenario() string {
	text, err := files.ReadFile("traps/" + t.Name + ".yaml")
	if err != nil {
		panic(fmt.Sprintf("atlas: the trap %s has no scenario: %v", t.Name, err))
	}
	return string(text)
}

// Shown is the result of a trap's scenario on a version.
type Shown struct {
	// Has says whether the version has the trap.
	Has bool
	// Fewest are the pods that served when the most were missing, once all had served, and Of how many there should be.
	// If they never all served, it is the end of the run.
	Fewest, Of int
	// Verdict says how the run ended.
	Verdict timeline.Verdict
}

// On plays the trap on a version. A version that lacks a feature gate of the scenario does not have the trap; any
// other problem is an error.
func (t *Trap) On(version string) (Shown, error) {
	s, err := scenario.Parse(t.Name+".yaml", []byte(t.Scenario()), nil, scenario.Options{Kubernetes: version})
	if err != nil {
		if strings.Contains(err.Error(), "feature gate") {
			return Shown{}, nil
		}
		return Shown{}, err
	}
	run := s.Run(scenario.RunOptions{})
	shown := Shown{Has: len(run.Failed()) == 0, Verdict: run.Result.Verdict}
	shown.look(run.Timeline)
	return shown, nil
}

// look finds the fixed point at which the most pods of a set were missing.
func (s *Shown) look(events []timeline.Event) {
	begun := false
	for world := range timeline.Ticks(events) {
		for _, set := range world.Sets() {
			serving, wanted := set.Serving(), int(set.Spec.Spec.Replicas)
			if !begun || wanted-serving > s.Of-s.Fewest {
				s.Fewest, s.Of = serving, wanted
			}
			begun = begun || serving == wanted && wanted > 0
		}
	}
}

// Fits says whether a set, as the API server stores it, has the shape of the trap, whatever its version: whether the
// trap is possible, not that it happens.
func (t *Trap) Fits(set *model.StatefulSet) bool { return t.shape(set) }

// Meets says whether a change of a set, as the API server stores both, runs into the trap or can do so: the new set has
// its shape, and if most sets have that, the change brings it about. live is nil for a set that is new.
func (t *Trap) Meets(live, wanted *model.StatefulSet) bool {
	if !t.Common {
		return t.Fits(wanted)
	}
	return t.brings != nil && live != nil && t.brings(live, wanted)
}

// Unusual returns the traps whose shape few sets have, the worst first. The pointers are into Traps.
func Unusual() []*Trap {
	var list []*Trap
	for i := range Traps {
		if !Traps[i].Common {
			list = append(list, &Traps[i])
		}
	}
	return list
}

// Rank returns the place of a trap among all, 0 is the worst; it is their number if there is no trap of the name.
func Rank(name string) int {
	for i := range Traps {
		if Traps[i].Name == name {
			return i
		}
	}
	return len(Traps)
}

// Lookup finds a trap by its name, nil if there is none.
func Lookup(name string) *Trap {
	for i := range Traps {
		if Traps[i].Name == name {
			return &Traps[i]
		}
	}
	return nil
}
