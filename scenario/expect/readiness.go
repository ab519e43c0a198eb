package expect

import (
	"errors"

	"cel.dev/cel-go/common/types"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Readiness is a condition of a pod's readiness: one over its set and itself. It does not change or keep anything.
type Readiness struct{ condition *condition }

// CompileReadiness reads a readiness condition; nil if there is a problem. It has the variables of other conditions,
// and self, the pod. It may name sets of which nobody knows yet. It must not depend on the time, since nothing would
// say when to evaluate it again.
func CompileReadiness(n *yaml.Node, env Env) (*Readiness, strict.Problems) {
	reader := &strict.Reader{File: env.File, Limits: env.Limits}
	c := &conditions{reader: reader, anySet: true, scopes: map[bool]*scope{}, self: true}
	compiled := c.compile(n, true)
	if compiled == nil {
		return nil, reader.Problems
	}
	if compiled.uses.time {
		reader.Problem(n, "a readiness cannot depend on the time", "leave out now and age; after says how long it takes")
		return nil, reader.Problems
	}
	return &Readiness{compiled}, nil
}

// Shared says whether the condition holds for all pods of a set or for none, so that one evaluation is enough for all.
func (r *Readiness) Shared() bool { return !r.condition.uses.name("self") }

// Holds says whether the condition holds for a pod of a set. It does not if there is no such pod, or if it has no
// value, because an index is out of range, say. The error says that one evaluation costs too much, or why it was ended,
// so that nobody knows whether it holds.
func (r *Readiness) Holds(world *timeline.Fold, key model.Key, pod string, pay behaviour.Pay) (holds bool, err error) {
	set := world.Set(key)
	if set == nil {
		return false, nil
	}
	self := set.Owned(pod)
	if self == nil {
		return false, nil
	}
	m := &meter{pays: pay}
	if m.add(1) {
		return false, errors.New(m.ended)
	}
	in := &evaluation{meter: m}
	value, details, err := r.condition.program.Eval(&activation{fold: world, set: set, self: self, in: in})
	if tooDear(err) {
		m.add(maxCost)
		return false, errTooDear
	}
	if counted := details.ActualCost(); counted != nil {
		m.add(int64(*counted))
	}
	if m.ended != "" {
		return false, errors.New(m.ended)
	}
	return err == nil && value == types.True, nil
}
