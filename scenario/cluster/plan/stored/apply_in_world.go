package stored

import (
	"maps"
	"reflect"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// Apply applies the change to the set. The result of kubectl apply for the running set is known, and so is that for the
// set as the dump has it; if something else has changed that set since, the result is computed again.
func (s *Set) Apply(u *sim.User) (*model.StatefulSet, *model.APIError) {
	live := u.Set(s.Key())
	if live == nil {
		return u.Create(s.Fresh)
	}
	if reflect.DeepEqual(live.Spec.Strategy, s.Live.Spec.Strategy) {
		next := *live
		next.Spec, next.Labels, next.Annotations = s.Wanted.Spec, s.Wanted.Labels, s.Wanted.Annotations
		if s.Part != nil {
			keep(s, &next.Spec, &live.Spec)
		}
		return u.Update(&next)
	}
	if s.shownAs.is(live) {
		next := *live
		next.Spec, next.Labels, next.Annotations = s.shownAs.asked.Spec, s.shownAs.asked.Labels, s.shownAs.asked.Annotations
		return u.Update(&next)
	}
	wanted, _, err := s.Pair.New.Apply(live)
	if err != nil {
		return nil, err
	}
	return u.Update(wanted)
}

// keep keeps the parts of a live spec that the change does not touch: the dump may write them in another way.
func keep(s *Set, next, live *model.Spec) {
	if !s.Rolls() {
		next.Template = live.Template
	}
	if s.Live.Spec.Selector.Data == s.Wanted.Spec.Selector.Data {
		next.Selector = live.Selector
	}
	if reflect.DeepEqual(s.Live.Spec.ClaimTemplates, s.Wanted.Spec.ClaimTemplates) {
		next.ClaimTemplates = live.ClaimTemplates
	}
}

// shownAs is a set as the dump has it, and what kubectl apply makes of that. A dump need not have the defaults that the
// set has in the version of the plan, so that this is not the change of the set with its defaults. A merge of two
// objects costs as much as a run, and a plan has a dozen runs of a set.
type shownAs struct{ live, asked *model.StatefulSet }

// is says whether a live set still has all that an apply looks at as the dump has it. Its template may be another copy,
// since the store numbers templates.
func (s *shownAs) is(live *model.StatefulSet) bool {
	if s == nil || live.Spec.Template.Data != s.live.Spec.Template.Data {
		return false
	}
	spec := live.Spec
	spec.Template = s.live.Spec.Template
	return reflect.DeepEqual(spec, s.live.Spec) && maps.Equal(live.Labels, s.live.Labels) &&
		maps.Equal(live.Annotations, s.live.Annotations)
}

// shows computes it for a set that the world begins with. A refusal is left to the run.
func shows(s *Set) *shownAs {
	if s.Part == nil || s.Fate != Accepted {
		return nil
	}
	for _, live := range s.Part.State.Sets {
		if live.Key() != s.Pair.Key || reflect.DeepEqual(live.Spec.Strategy, s.Live.Spec.Strategy) {
			continue
		}
		if asked, _, refusal := s.Pair.New.Apply(live); refusal == nil {
			return &shownAs{live, asked}
		}
	}
	return nil
}
