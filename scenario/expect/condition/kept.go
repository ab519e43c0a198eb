package condition

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// If a condition asks something of each pod by itself, as in pods.all(p, p.ready), the answer is kept for each pod, and
// asked again only for pods that have changed. The result of the loop follows from the number of pods that say yes. So
// at each fixed point, a condition over 10,000 pods costs only as much as has changed.

// loop is a loop over the pods of the set whose body reads only the pod. It does not change.
type loop struct {
	// name is the variable for the result of the loop.
	name string
	form loopForm
	// pod is the loop's name of the pod; body is its question: a program that returns a list of one element, the bool.
	pod  string
	body cel.Program
	// ripens is true if the answer may change by time alone, when a pod becomes available.
	ripens bool
}

// loopForm is how a loop combines the answers.
type loopForm uint8

// The forms of loops, by their result for a number of pods that say yes.
const (
	noLoop loopForm = iota
	allPods
	anyPod
	onePod
	// countPods is pods.filter(…).size().
	countPods
)

// gives returns the result of the loop, if yes of all pods say yes.
func (f loopForm) gives(yes, all int) ref.Val {
	switch f {
	case allPods:
		return types.Bool(yes == all)
	case anyPod:
		return types.Bool(yes > 0)
	case onePod:
		return types.Bool(yes == 1)
	}
	return types.Int(yes)
}

// maxLoops is the number of loops of a condition that are kept: one bit of answers.yes each.
const maxLoops = 16

// keep finds the loops of a condition whose answers can be kept, and builds the program that uses their results. A
// condition without such loops does not change. The text is compiled again, because the expression is edited: each
// loop is replaced by a variable, outer loops before the loops in them.
func (c *Condition) keep(text string) {
	checked, _ := c.Env.Compile(text)
	if renamesPods(checked.NativeRep().Expr()) {
		return
	}
	var loops []*loop
	ast.PreOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		l := loopOf(e)
		if l == nil || len(loops) == maxLoops {
			return
		}
		l.name = fmt.Sprintf("@loop%d", len(loops))
		if l.body = c.bodyOf(text, e.ID()); l.body == nil {
			return
		}
		loops = append(loops, l)
		e.SetKindCase(ast.NewExprFactory().NewIdent(e.ID(), l.name))
		delete(checked.NativeRep().ReferenceMap(), e.ID())
	}))
	if len(loops) == 0 {
		return
	}
	program, err := c.Env.Program(checked, LimitsFor(text, checked.NativeRep())...)
	if err == nil {
		c.Loops, c.Short = loops, program
		c.shortUses, _ = inspect(checked.NativeRep().Expr())
	}
}

// renamesPods reports whether pods is also the name of a loop's variable: within that loop it has another meaning.
func renamesPods(root ast.Expr) bool {
	found := false
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			found = found || e.AsComprehension().IterVar() == "pods"
		}
	}))
	return found
}

// loopOf recognises a loop by the expression into which cel-go expands the macros all, exists, exists_one and filter;
// nil if it is none, or reads anything but the pod. If the library expanded them otherwise, loops would no longer be
// found, and conditions be slower but right.
func loopOf(e ast.Expr) *loop {
	form, filter := noLoop, e
	if call := sizeOf(e); call != nil {
		form, filter = countPods, call
	}
	over := filter.AsComprehension()
	if over.IterRange().Kind() != ast.IdentKind || over.IterRange().AsIdent() != "pods" || over.HasIterVar2() {
		return nil
	}
	of, body := stepOf(over)
	if body == nil || (form == countPods) != (of == countPods) {
		return nil
	}
	l := &loop{form: of, pod: over.IterVar()}
	if !l.readsOnlyPod(body, nil) {
		return nil
	}
	return l
}

// sizeOf returns the expression whose size is called, or nil.
func sizeOf(e ast.Expr) ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return nil
	}
	if call := e.AsCall(); call.IsMemberFunction() && len(call.Args()) == 0 {
		return call.Target()
	} else if !call.IsMemberFunction() && len(call.Args()) == 1 {
		return call.Args()[0]
	}
	return nil
}

// stepOf returns the form of a loop and its body; noLoop for any other comprehension.
func stepOf(over ast.ComprehensionExpr) (loopForm, ast.Expr) {
	step := over.LoopStep()
	args := step.AsCall().Args()
	result := over.Result().Kind()
	switch name := step.AsCall().FunctionName(); {
	case name == operators.LogicalAnd && result == ast.IdentKind:
		return allPods, args[1]
	case name == operators.LogicalOr && result == ast.IdentKind:
		return anyPod, args[1]
	case name != operators.Conditional:
		return noLoop, nil
	case over.AccuInit().Kind() == ast.ListKind && result == ast.IdentKind && addsItself(over, args[1]):
		return countPods, args[0]
	case over.AccuInit().Kind() == ast.LiteralKind && result == ast.CallKind:
		return onePod, args[0]
	}
	return noLoop, nil
}

// addsItself reports whether a step puts the loop's own element into the list, as filter does and map does not.
func addsItself(over ast.ComprehensionExpr, add ast.Expr) bool {
	if add.Kind() != ast.CallKind || len(add.AsCall().Args()) != 2 {
		return false
	}
	list := add.AsCall().Args()[1]
	if list.Kind() != ast.ListKind || len(list.AsList().Elements()) != 1 {
		return false
	}
	element := list.AsList().Elements()[0]
	return element.Kind() == ast.IdentKind && element.AsIdent() == over.IterVar()
}

// steady are the fields of a pod that change only with an event about it, or, as available does, at an instant that is
// known before. age, up, ip, labels and subdomain are not among them.
var steady = []string{"name", "ordinal", "phase", "state", "ready", "available", "terminating", "serving", "template",
	"revision", "image", "node", "nth", "shown", "restarts", "uid", "hostname"}

// readsOnlyPod reports whether an expression reads nothing but steady fields of the pod, and notes in l.ripens if
// available is one of them. locals are the names that the expression itself has for something, in inner loops.
func (l *loop) readsOnlyPod(e ast.Expr, locals []string) bool {
	all := func(list ...ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !l.readsOnlyPod(e, locals) })
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return true
	case ast.IdentKind:
		return slices.Contains(locals, e.AsIdent())
	case ast.SelectKind:
		of, field := e.AsSelect().Operand(), e.AsSelect().FieldName()
		if of.Kind() == ast.IdentKind && of.AsIdent() == l.pod && !slices.Contains(locals, l.pod) {
			l.ripens = l.ripens || field == "available"
			return slices.Contains(steady, field)
		}
		return all(of)
	case ast.CallKind:
		return (!e.AsCall().IsMemberFunction() || all(e.AsCall().Target())) && all(e.AsCall().Args()...)
	case ast.ListKind:
		return all(e.AsList().Elements()...)
	case ast.ComprehensionKind:
		inner := e.AsComprehension()
		locals = append(slices.Clone(locals), inner.IterVar(), inner.IterVar2(), inner.AccuVar())
		return all(inner.IterRange(), inner.AccuInit(), inner.LoopCondition(), inner.LoopStep(), inner.Result())
	}
	return false
}

// bodyOf makes a program of the body of a loop, which is found by the loop's number in the expression; nil if that
// fails. The text has been compiled before, so it compiles; IDs are the same each time.
func (c *Condition) bodyOf(text string, id int64) cel.Program {
	checked, _ := c.Env.Compile(text)
	root := checked.NativeRep().Expr()
	var body ast.Expr
	ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() != id {
			return
		}
		if inner := sizeOf(e); inner != nil {
			e = inner
		}
		_, body = stepOf(e.AsComprehension())
	}))
	root.SetKindCase(ast.NewExprFactory().NewList(root.ID(), []ast.Expr{body}, nil))
	program, _ := c.Env.Program(checked, LimitsFor(text, checked.NativeRep())...)
	return program
}
