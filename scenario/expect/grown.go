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
)

// bounded is the option by which an addition whose result is too large ends the evaluation with an error.
func bounded() cel.ProgramOption {
	return cel.CustomDecoratorV2(func(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		if call, is := i.(interpreter.InterpretableCall); is && call.Function() == operators.Add {
			return &addition{call}, nil
		}
		return i, nil
	})
}

// addition is an addition of CEL whose result is looked at.
type addition struct{ interpreter.InterpretableCall }

// Exec adds, and gives an error if the result is too large.
func (a *addition) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return held(a.InterpretableCall.Exec(frame))
}

// Eval is Exec without a frame.
func (a *addition) Eval(vars interpreter.Activation) ref.Val {
	return held(a.InterpretableCall.Eval(vars))
}

// held returns a value, or an error if it is too large.
func held(value ref.Val) ref.Val {
	switch v := value.(type) {
	case types.String:
		if len(v) > longestText {
			return types.NewErr("%s", tooLarge("text", longestText, "bytes"))
		}
	case types.Bytes:
		if len(v) > longestText {
			return types.NewErr("%s", tooLarge("value", longestText, "bytes"))
		}
	case traits.Lister:
		if n, is := v.Size().(types.Int); is && n > longestList {
			return types.NewErr("%s", tooLarge("list", longestList, "elements"))
		}
	}
	return value
}

// tooLarge says that a limit of conditions was exceeded.
func tooLarge(what string, limit int, units string) string {
	return fmt.Sprintf("a %s in the condition has more than %d %s, the limit of conditions", what, limit, units)
}
