package expect

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

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

// bounded is the option by which an addition whose result is too large ends the evaluation with an error, and by which
// comparisons are paid for.
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

// purse is the name by which an addition finds the evaluation that pays for it. No condition can write it.
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
	if in, is := found.(*evaluation); is {
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
