package condition

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Meter counts the cost of all conditions of a run, and ends an evaluation that exceeds it. Once ended is set it
// stays, and every add fails.
type Meter struct {
	// Limit is the greatest cost, spent the cost so far.
	Limit, Spent int64
	// Stop, if set, is called at every patience-th add; it returns why judging must end, or "". asked counts the
	// adds.
	Stop  func() string
	asked int64
	// Pays, if set, pays for everything instead, and returns why evaluating must end, or "".
	Pays func(cost int64) string
	// Ended is why judging ended, or "".
	Ended string
}

// Patience is the number of looks at a pod, or of fixed points, after which the meter checks. An expensive one
// counts more.
const Patience = 1024

// Add counts a cost and reports whether it is enough. A nil meter counts nothing. A cost of 0 still gives stop its
// turn.
func (m *Meter) Add(cost int64) (enough bool) {
	if m == nil {
		return false
	}
	m.Spent += cost
	if m.Ended == "" && m.Limit > 0 && m.Spent > m.Limit {
		m.Ended = fmt.Sprintf("the conditions of the run cost more than %d together: --max-cost raises the limit", m.Limit)
	}
	if m.asked += 1 + cost/Patience; m.asked >= Patience && m.Stop != nil {
		m.asked = 0
		if m.Ended == "" {
			m.Ended = m.Stop()
		}
	}
	if m.Pays != nil && m.Ended == "" {
		m.Ended = m.Pays(cost)
	}
	return m.Ended != ""
}

// Evaluation is one evaluation of a condition: it makes the list of a set's pods once, however often it is named.
type Evaluation struct {
	Meter *Meter
	pods  map[*timeline.Set]ref.Val
	// labels are the known labels of pods that no set owns.
	labels labellings
	// grown is the total size of the results of additions.
	grown int64
}

// pay pays for something during an evaluation; nil pays nothing.
func (e *Evaluation) pay(cost int) {
	if e != nil {
		e.Meter.pay(int64(cost))
	}
}

// podsOf returns the pods of a set as a list of CEL. A nil evaluation makes a list that costs nothing.
func (e *Evaluation) podsOf(s setAt, c catalog) ref.Val {
	if e == nil {
		return newPodList(s, c, nil)
	}
	list := e.pods[s.Set]
	if list == nil {
		list = newPodList(s, c, e.Meter)
		if e.pods == nil {
			e.pods = map[*timeline.Set]ref.Val{}
		}
		e.pods[s.Set] = list
	}
	return list
}

// podList is a list of pods. Each step over it is paid for, and the evaluation ends if it costs too much.
type podList struct {
	traits.Lister
	meter *Meter
}

// newPodList makes the list and pays for its pods.
func newPodList(s setAt, c catalog, m *Meter) ref.Val {
	pods := make([]ref.Val, 0, s.Pods.Len())
	for p := range s.Pods.All {
		pods = append(pods, &object{c[podType], podAt{Pod: p, set: s.Set, now: s.now}, c})
	}
	m.pay(int64(len(pods)))
	return &podList{types.NewRefValList(types.DefaultTypeAdapter, pods), m}
}

// Get returns a pod. CEL walks over a list that is none of its own by asking for one element after the other.
func (l *podList) Get(index ref.Val) ref.Val {
	l.meter.pay(1)
	return l.Lister.Get(index)
}

// pay counts a cost during an evaluation, and ends the evaluation if it is too much, as CEL itself does.
func (m *Meter) pay(cost int64) {
	if m.Add(cost) {
		panic(interpreter.EvalCancelledError{Message: m.Ended})
	}
}

// The largest text, in bytes, and the longest list that a condition may put together. CEL's own cost does not count
// what a list holds, so that a few additions in a row make values without bounds.
const (
	longestText = 100_000
	longestList = 100_000
	// mostGrown is the most that the additions of one evaluation may put together.
	mostGrown = 50_000_000
	// unit is how many bytes or elements are put together at the cost of reading one field.
	unit = 16
)

// bounded is the option that makes an addition with too large a result end the evaluation with an error, and makes
// comparisons pay.
func bounded() cel.ProgramOption {
	return cel.CustomDecoratorV2(func(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		call, is := i.(interpreter.InterpretableCall)
		if is && call.Function() == operators.Add {
			return &addition{call}, nil
		}
		if is && comparisons[call.Function()] != nil && len(call.Args()) == 2 {
			return &comparison{call, [2]interpreter.InterpretableV2(call.Args())}, nil
		}
		return i, nil
	})
}

// addition is an addition of CEL whose result is looked at.
type addition struct{ interpreter.InterpretableCall }

// Exec adds, and gives an error if the result is too large.
func (a *addition) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return held(a.InterpretableCall.Exec(frame), frame)
}

// Eval is Exec without a frame.
func (a *addition) Eval(vars interpreter.Activation) ref.Val {
	return held(a.InterpretableCall.Eval(vars), vars)
}

// purse is the name under which an addition finds the evaluation that pays for it. No condition can write it.
const purse = "@evaluation"

// held pays for a value, and returns it, or an error if it is too large.
func held(value ref.Val, vars interpreter.Activation) ref.Val {
	size, most, what, units := 0, longestText, "text", "bytes"
	switch v := value.(type) {
	case types.String:
		size = len(v)
	case types.Bytes:
		size, what = len(v), "value"
	case traits.Lister:
		n, _ := v.Size().(types.Int)
		size, most, what, units = int(n), longestList, "list", "elements"
	default:
		return value
	}
	if size > most {
		return types.NewErr("%s", tooLarge(what, most, units))
	}
	found, _ := vars.ResolveName(purse)
	if in, is := found.(*Evaluation); is {
		in.pay(1 + size/unit)
		if in.grown += int64(size); in.grown > mostGrown {
			return types.NewErr("the texts and lists that the condition puts together have more than %d bytes and elements, "+
				"the limit of conditions", mostGrown)
		}
	}
	return value
}

// tooLarge says that a limit of conditions was exceeded.
func tooLarge(what string, limit int, units string) string {
	return fmt.Sprintf("a %s in the condition has more than %d %s, the limit of conditions", what, limit, units)
}
