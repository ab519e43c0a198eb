package conformance

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

const defaultGrace = 30 * time.Second

// State is all that one sync sees and meets: what the caches hold, what the API server holds beyond that, and which
// calls will fail. It is made at random, or read from a file that keeps an earlier disagreement.
type State struct {
	// Kubernetes is the version, Gates are its feature gates that are not at their default.
	Kubernetes string
	Gates      map[string]bool `json:",omitempty"`
	Now        model.Time
	Set        *model.StatefulSet
	Pods       []*model.Pod      `json:",omitempty"`
	Revisions  []*model.Revision `json:",omitempty"`
	Claims     []*model.Claim    `json:",omitempty"`
	// Live is the set that the API server has, where the cache has Set.
	Live Live `json:",omitempty"`
	// Stored are revisions that the API server has and the cache does not.
	Stored []*model.Revision `json:",omitempty"`
	Faults []Fault           `json:",omitempty"`
	// Stale: the caches have not seen the controller's own last writes.
	Stale bool `json:",omitempty"`
	// Backwards runs the branches of a fork from the last to the first.
	Backwards bool `json:",omitempty"`
}

// Live says how a set differs in the API server from the cache; "" is not at all.
type Live string

// What may have become of a set before the cache knows it.
const (
	LiveTerminating Live = "terminating"
	LiveAnother     Live = "another of the same name"
	LiveGone        Live = "gone"
)

// read returns the reply to a Get of the set.
func (l Live) read(cached *model.StatefulSet) model.Reply {
	set := *cached
	switch l {
	case LiveGone:
		return model.Reply{Err: &model.APIError{Reason: model.NotFound, Message: "NotFound"}}
	case LiveTerminating:
		set.Deletion = &model.Deletion{At: 1}
	case LiveAnother:
		set.UID++
	}
	return model.Reply{Set: &set}
}

// ParseState reads a state as String wrote it.
func ParseState(data []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return &s, nil
}

// String renders the state as JSON.
func (s *State) String() string {
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

// Profile returns the profile of the state's version and gates.
func (s *State) Profile() (statefulset.Profile, error) {
	return profileOf(s.Kubernetes, s.Gates)
}

func profileOf(kubernetes string, gates map[string]bool) (statefulset.Profile, error) {
	p, err := statefulset.Lookup(kubernetes)
	if err != nil {
		return p, err
	}
	return p.WithGates(gates)
}

// View is what a sync of a State sees. Beside what any view has it lists what the caches hold, whoever owns it.
type View struct {
	*statefulsettest.View
	pods      []*model.Pod
	revisions []*model.Revision
}

// Pods returns all pods of the cache.
func (v *View) Pods() []*model.Pod { return v.pods }

// CachedRevisions returns all revisions of the cache, in the order of a history: upstream's has none.
func (v *View) CachedRevisions() []*model.Revision {
	return slices.SortedStableFunc(slices.Values(v.revisions), model.CompareRevisions)
}

// Sync lets a controller do one sync of the state.
func (s *State) Sync(c model.Controller) *Outcome {
	newView := statefulsettest.NewView
	if profile, err := s.Profile(); err == nil && profile.ExactNames {
		newView = statefulsettest.NewExactView
	}
	view := &View{newView(s.Set, s.Pods, s.Revisions, s.Claims, s.Now), s.Pods, s.Revisions}
	view.StaleCache = s.Stale
	server := &server{state: s, view: view, faults: newFaults(s.Faults), stored: slices.Concat(s.Stored, s.Revisions)}
	result := c.Sync(view, server)
	outcome := &Outcome{Calls: server.calls, Events: server.events, Err: result.Err, Requeue: noRequeue}
	if result.Requeue && result.Err == nil {
		// The real code sleeps for some milliseconds before it tries a call again.
		outcome.Requeue = result.After.Round(time.Second).String()
	}
	return outcome
}
