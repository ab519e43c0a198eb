package plan

import (
	"maps"
	"reflect"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// apply applies the change to the set. The result of kubectl apply for the running set is known, and so is that for the
// set as the dump has it; if something else has changed that set since, the result is computed again.
func (e *edit) apply(u *sim.User) (*model.StatefulSet, *model.APIError) {
	live := u.Set(e.key())
	if live == nil {
		return u.Create(e.fresh)
	}
	if reflect.DeepEqual(live.Spec.Strategy, e.live.Spec.Strategy) {
		next := *live
		next.Spec, next.Labels, next.Annotations = e.wanted.Spec, e.wanted.Labels, e.wanted.Annotations
		if e.part != nil {
			e.keep(&next.Spec, &live.Spec)
		}
		return u.Update(&next)
	}
	if e.shownAs.is(live) {
		next := *live
		next.Spec, next.Labels, next.Annotations = e.shownAs.asked.Spec, e.shownAs.asked.Labels, e.shownAs.asked.Annotations
		return u.Update(&next)
	}
	wanted, _, err := e.pair.New.Apply(live)
	if err != nil {
		return nil, err
	}
	return u.Update(wanted)
}

// shownAs is a set as the dump has it, and what kubectl apply makes of that. A dump need not have the defaults that the
// set has in the version of the plan, so that this is not the change of the set with its defaults. A merge of two
// objects costs as much as a run, and a plan has a dozen runs of a set.
type shownAs struct{ live, asked *model.StatefulSet }

// shows computes it for a set that the world begins with. A refusal is left to the run.
func (e *edit) shows() {
	if e.part == nil {
		return
	}
	for _, live := range e.part.State.Sets {
		if live.Key() != e.pair.Key || reflect.DeepEqual(live.Spec.Strategy, e.live.Spec.Strategy) {
			continue
		}
		if asked, _, refusal := e.pair.New.Apply(live); refusal == nil {
			e.shownAs = &shownAs{live, asked}
		}
	}
}

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

// keep keeps the parts of a live spec that the change does not touch: the dump may write them in another way.
func (e *edit) keep(next, live *model.Spec) {
	if !e.rolls() {
		next.Template = live.Template
	}
	if e.live.Spec.Selector.Data == e.wanted.Spec.Selector.Data {
		next.Selector = live.Selector
	}
	if reflect.DeepEqual(e.live.Spec.ClaimTemplates, e.wanted.Spec.ClaimTemplates) {
		next.ClaimTemplates = live.ClaimTemplates
	}
}
