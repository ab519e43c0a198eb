package conformance

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Feature is something that a sync can do and that a golden is recorded for in each version that does it.
type Feature struct {
	Name string
	// Shown says whether a sync of the state with that outcome does it.
	Shown func(*State, *Outcome) bool
}

// Features lists what the goldens show beside the differences between versions: owners, claims and refused calls.
var Features = []Feature{
	{"adopts a pod", func(_ *State, o *Outcome) bool { return o.calls("adopt pod") && o.Err == nil }},
	{"releases a pod", func(_ *State, o *Outcome) bool { return o.calls("release pod") && o.Err == nil }},
	{"adopts a revision", func(_ *State, o *Outcome) bool { return o.calls("adopt revision") && o.Err == nil }},
	{"does not adopt for a set that is gone", rechecked(LiveGone)},
	{"does not adopt for another set of the name", rechecked(LiveAnother)},
	{"does not adopt for a set that is being deleted", rechecked(LiveTerminating)},
	{"gives a claim to the set", func(_ *State, o *Outcome) bool {
		return o.calls("update claim", " StatefulSet web uid-7")
	}},
	{"gives a claim to its pod", func(_ *State, o *Outcome) bool { return o.calls("update claim", " Pod web-") }},
	{"gives a claim to nobody", givesToNobody},
	{"leaves a claim to its other controller", func(_ *State, o *Outcome) bool {
		return slices.ContainsFunc(o.Events, func(l Line) bool { return strings.Contains(l.Text, "ConflictingController") })
	}},
	{"waits for the claim of an earlier pod", waitsForClaim},
	{"fails to update a claim", func(_ *State, o *Outcome) bool { return o.calls("update claim") && o.Err != nil }},
	{"asks for another sync", func(_ *State, o *Outcome) bool { return o.Requeue != noRequeue }},
	{"goes on where the answer to a creation is lost", func(s *State, o *Outcome) bool {
		lost := func(f Fault) bool { return f.Lost && strings.HasPrefix(f.On, "create ") && o.calls(f.On) }
		return slices.ContainsFunc(s.Faults, lost) && o.Err == nil
	}},
	{"does nothing with stale caches", func(s *State, o *Outcome) bool { return s.Stale && len(o.Calls) == 0 }},
}

// calls says whether a call begins with a text and contains others.
func (o *Outcome) calls(prefix string, parts ...string) bool {
	return slices.ContainsFunc(o.Calls, func(l Line) bool {
		missing := func(part string) bool { return !strings.Contains(l.Text, part) }
		return strings.HasPrefix(l.Text, prefix) && !slices.ContainsFunc(parts, missing)
	})
}

func rechecked(live Live) func(*State, *Outcome) bool {
	return func(s *State, o *Outcome) bool {
		return s.Live == live && len(s.Faults) == 0 && o.calls("get set") && o.Err != nil
	}
}

func givesToNobody(_ *State, o *Outcome) bool {
	return slices.ContainsFunc(o.Calls, func(l Line) bool {
		return strings.HasPrefix(l.Text, "update claim") && strings.HasSuffix(l.Text, "}")
	})
}

// waitsForClaim says whether a pod would be created if no claim had an owner.
func waitsForClaim(s *State, o *Outcome) bool {
	if o.Err != nil || o.calls("create pod") {
		return false
	}
	free := *s
	free.Claims = nil
	for _, claim := range s.Claims {
		copied := *claim
		copied.Owners = []model.Owner(nil)
		free.Claims = append(free.Claims, &copied)
	}
	return free.Sync(statefulset.New(must(s.Profile()))).calls("create pod")
}
