package expect

import (
	"errors"

	"cel.dev/cel-go/common/types"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Readiness is a condition of a pod's readiness: one over its set and itself. It does not change or keep anything.
type Readiness struct{ condition *condition.Condition }

// CompileReadiness reads a readiness condition; nil if there is a problem. It has the variables of other
// conditions, and self, the pod. It may name sets that are not known yet. It must not depend on the time, since
// nothing would say when to evaluate it again.
func CompileReadiness(n *yaml.Node, env Env) (*Readiness, strict.Problems) {
	reader := &strict.Reader{File: env.File, Limits: env.Limits}
	c := &condition.Conditions{Reader: reader, AnySet: true, Scopes: map[bool]*condition.Scope{}, Self: true}
	compiled := c.Compile(n, true)
	if compiled == nil {
		return nil, reader.Problems
	}
	if compiled.Uses.Time {
		reader.Problem(n, "a readiness cannot depend on the time", "leave out now and age; after says how long it takes")
		return nil, reader.Problems
	}
	return &Readiness{compiled}, nil
}

// Shared reports whether the condition holds for all pods of a set or for none, so that one evaluation is enough
// for all.
func (r *Readiness) Shared() bool { return !r.condition.Uses.Name("self") }

// Holds reports whether the condition holds for a pod of a set. It does not if there is no such pod, or if it has
// no value because an index is out of range, for example. The error says that one evaluation costs too much, or why
// it was ended: the answer is then unknown.
func (r *Readiness) Holds(world *timeline.Fold, key model.Key, pod string, pay behaviour.Pay) (holds bool, err error) {
	set := world.Set(key)
	if set == nil {
		return false, nil
	}
	self := set.Owned(pod)
	if self == nil {
		return false, nil
	}
	m := &condition.Meter{Pays: pay}
	if m.Add(1) {
		return false, errors.New(m.Ended)
	}
	in := &condition.Evaluation{Meter: m}
	value, details, err := r.condition.Program.Eval(&condition.Activation{Fold: world, Set: set, Self: self, In: in})
	if condition.TooDear(err) {
		m.Add(condition.MaxCost)
		return false, condition.ErrTooDear
	}
	if counted := details.ActualCost(); counted != nil {
		m.Add(int64(*counted))
	}
	if m.Ended != "" {
		return false, errors.New(m.Ended)
	}
	return err == nil && value == types.True, nil
}
