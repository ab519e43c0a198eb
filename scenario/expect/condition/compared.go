package condition

import (
	"strings"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// comparisons are the calls whose cost depends on how large both of their values are, and how each is carried out.
var comparisons = map[string]func(a, b ref.Val) ref.Val{
	operators.Equals:    types.Equal,
	operators.NotEquals: func(a, b ref.Val) ref.Val { return types.Bool(types.Equal(a, b) != types.True) },
	operators.In: func(a, b ref.Val) ref.Val {
		if in, is := b.(traits.Container); is {
			return in.Contains(a)
		}
		return types.MaybeNoSuchOverloadErr(b)
	},
	overloads.Matches: func(a, b ref.Val) ref.Val {
		if text, is := a.(traits.Matcher); is {
			return text.Match(b)
		}
		return types.MaybeNoSuchOverloadErr(a)
	},
	overloads.Contains: func(a, b ref.Val) ref.Val {
		text, isText := a.(types.String)
		part, isPart := b.(types.String)
		if !isText || !isPart {
			return types.MaybeNoSuchOverloadErr(a)
		}
		return types.Bool(strings.Contains(string(text), string(part)))
	},
}

// comparison is such a call. It pays for what it reads before it reads it, since nothing interrupts it then.
type comparison struct {
	interpreter.InterpretableCall
	args [2]interpreter.InterpretableV2
}

// Exec compares the two values.
func (c *comparison) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	a := c.args[0].Exec(frame)
	if types.IsUnknownOrError(a) {
		return a
	}
	b := c.args[1].Exec(frame)
	if types.IsUnknownOrError(b) {
		return b
	}
	cost := reads(a, b, c.Function() == overloads.Matches)
	if cost > mostGrown {
		return types.NewErr("%s", tooLarge("comparison", mostGrown, "steps"))
	}
	if found, _ := frame.ResolveName(purse); cost > unit {
		if in, is := found.(*Evaluation); is {
			in.pay(cost / unit)
		}
	}
	return comparisons[c.Function()](a, b)
}

// Eval is Exec without a frame.
func (c *comparison) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, c.Exec)
}

// perRepeat is how many steps a regular expression may have for each of its bytes if it repeats something: x{1000}.
const perRepeat = 150

// reads returns about how many bytes and elements a call reads of two values. Go tries a regular expression at each
// byte of a text in steps as many as the expression has.
func reads(a, b ref.Val, matches bool) int {
	if text, pattern := weightOf(a, mostGrown), weightOf(b, mostGrown); matches {
		if expression, is := b.(types.String); is && strings.ContainsRune(string(expression), '{') {
			pattern *= perRepeat
		}
		return (1 + text) * pattern
	} else if _, inList := b.(traits.Lister); inList && text > 1 {
		return text + pattern
	} else {
		return max(text, pattern)
	}
}

// weightOf returns how many bytes or elements a value has, including its elements, and hardly more than most.
func weightOf(value ref.Val, most int) int {
	switch v := value.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	case *podList:
		n, _ := v.Size().(types.Int)
		return int(n)
	case traits.Lister:
		return weightOfAll(v.Iterator(), func(element ref.Val) ref.Val { return element }, most)
	case traits.Mapper:
		return weightOfAll(v.Iterator(), v.Get, most)
	}
	return 1
}

// weightOfAll returns the size of all values that a list or map has.
func weightOfAll(elements traits.Iterator, get func(ref.Val) ref.Val, most int) int {
	size := 1
	for size < most && elements.HasNext() == types.True {
		size += weightOf(get(elements.Next()), most-size)
	}
	return size
}
