// Package condition compiles and evaluates CEL conditions over a run: what they see of sets, pods, claims and
// budgets, what an evaluation may cost, and which parts are kept from one fixed point to the next.
package condition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const (
	// maxExpression is the greatest length of a condition, in characters, maxNesting how deep it may be nested. They keep
	// compiling short, and CEL's parser from exhausting the stack.
	maxExpression = 10_000
	maxNesting    = 100
	// plainLength is the length up to which a condition is evaluated without counting its cost.
	plainLength = 500
	// MaxCost bounds one evaluation of a condition. A unit is about one field that is read or one comparison.
	MaxCost = 10_000_000
)

// Condition is a CEL expression that has been checked. It does not change, and several runs may share it.
type Condition struct {
	// Program evaluates the whole condition, with all its variables. uses is what it reads.
	Program cel.Program
	Uses    uses
	// shown are the expressions whose values are printed if the condition fails, in the order in which they occur:
	// spec.replicas, serving. env compiles them, only then.
	shown []string
	Env   *cel.Env
	// Labels are the labellings of the scenario, if the condition may read labels of pods that no set owns.
	Labels []Labelling

	// Loops are the loops whose answers are kept, at most maxLoops; nil if there are none. short is the program
	// that uses their results, and shortUses are its other inputs; it has the same meaning as program.
	Loops     []*loop
	Short     cel.Program
	shortUses uses
}

// uses is what a condition depends on. An evaluation is repeated only if one of these has changed, so each variable
// that a condition can read must have a place here.
type uses struct {
	// Names are the variables it reads of its set, and self; each once. sets and the like are below.
	Names []string
	// Time is true if its value depends on the instant alone, through now or the age of a pod.
	Time bool
	// Claims and bare are true if it reads the claims, and the pods that no set owns: both need no set.
	Claims, bare bool
	// labels is true if it reads labels.
	labels bool
	// Sets are the sets that it names as sets["…"], sorted and each once; anySet that it looks at sets otherwise too.
	Sets   []model.Key
	anySet bool
	// budgets is true if it looks at budgets.
	budgets bool
}

// Name reports whether the condition reads a variable.
func (u *uses) Name(name string) bool { return slices.Contains(u.Names, name) }

// durationMacro makes duration("1m30s") the number 90.0, since now and age are numbers of seconds. CEL's own duration
// has a type that cannot be compared with them.
var durationMacro = cel.GlobalMacro("duration", 1,
	func(eh cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		text, ok := "", false
		if args[0].Kind() == ast.LiteralKind {
			text, ok = args[0].AsLiteral().Value().(string)
		}
		d, err := time.ParseDuration(text)
		if !ok || err != nil {
			return nil, eh.NewError(args[0].ID(), `duration takes a text like "90s", "1500ms" or "1h30m"`)
		}
		return eh.NewLiteral(types.Double(d.Seconds())), nil
	})

// inspect finds out what a checked expression reads, and which parts of it are worth showing.
func inspect(expr ast.Expr) (uses, []string) {
	i := inspector{parts: map[int64]bool{}}
	ast.PreOrderVisit(expr, ast.NewExprVisitor(i.visit))
	slices.SortFunc(i.uses.Sets, model.Key.Compare)
	i.uses.Sets = slices.Compact(i.uses.Sets)
	return i.uses, i.shown
}

// inspector walks over an expression from the outside to the inside, and notes what it uses, and which parts of it
// to print, in the order of the walk.
type inspector struct {
	uses  uses
	shown []string
	// parts are the IDs of expressions that belong to one already shown: of spec.replicas spec is not shown again.
	parts map[int64]bool
}

// visit notes what an expression reads. Any field named age counts as a pod's: a false alarm only costs
// evaluations.
func (i *inspector) visit(e ast.Expr) {
	if e.Kind() == ast.SelectKind {
		i.uses.Time = i.uses.Time || e.AsSelect().FieldName() == "age"
		i.uses.labels = i.uses.labels || e.AsSelect().FieldName() == "labels"
	}
	if i.parts[e.ID()] {
		return
	}
	text, ok := i.path(e)
	if !ok {
		return
	}
	if !slices.Contains(i.shown, text) {
		i.shown = append(i.shown, text)
	}
}

// path renders a variable and the fields read from it, and notes what it reads. Any other expression is not ok.
func (i *inspector) path(e ast.Expr) (string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		name := e.AsIdent()
		i.parts[e.ID()] = true
		switch {
		case name == "sets":
			i.uses.anySet = true
			return "", false
		case name == "budgets":
			i.uses.budgets = true
			return "", false
		case name == "claims":
			i.uses.Claims = true
			return name, true
		case name == "bare":
			i.uses.bare = true
			return name, true
		case name == "now":
			i.uses.Time = true
			return name, true
		case name != "self" && objects()[setType].fields[name] == nil:
			return "", false
		}
		if !i.uses.Name(name) {
			i.uses.Names = append(i.uses.Names, name)
		}
		return name, name != "self"
	case ast.SelectKind:
		operand, ok := i.path(e.AsSelect().Operand())
		i.parts[e.ID()] = ok
		return operand + "." + e.AsSelect().FieldName(), ok
	case ast.CallKind:
		return i.set(e)
	}
	return "", false
}

// set renders sets["NAMESPACE/NAME"] and budgets["NAME"], and notes them. Any other call is not ok.
func (i *inspector) set(e ast.Expr) (string, bool) {
	if name, ok := namedIn("budgets", e); ok {
		i.uses.budgets = true
		i.parts[e.ID()], i.parts[e.AsCall().Args()[0].ID()] = true, true
		return fmt.Sprintf("budgets[%q]", name), true
	}
	key, ok := namedSet(e)
	if !ok {
		return "", false
	}
	i.parts[e.ID()], i.parts[e.AsCall().Args()[0].ID()] = true, true
	i.uses.Sets = append(i.uses.Sets, key)
	return fmt.Sprintf("sets[%q]", key.String()), true
}

// namedSet returns the key in sets["NAMESPACE/NAME"]. A key of another form is returned as a name without a namespace.
func namedSet(e ast.Expr) (model.Key, bool) {
	text, ok := namedIn("sets", e)
	if !ok {
		return model.Key{}, false
	}
	namespace, name, found := strings.Cut(text, "/")
	if !found {
		return model.Key{Name: text}, true
	}
	return model.Key{Namespace: namespace, Name: name}, true
}

// namedIn returns the text in MAP["TEXT"].
func namedIn(variable string, e ast.Expr) (string, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Index {
		return "", false
	}
	args := e.AsCall().Args()
	if args[0].Kind() != ast.IdentKind || args[0].AsIdent() != variable || args[1].Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok := args[1].AsLiteral().Value().(string)
	return text, ok
}

// Values renders what the condition has read, for the end of a failure's detail. It compiles each part again, which
// is slow: call it for failures only. A part that has no value is left out.
func (c *Condition) Values(vars *Activation) []string {
	var lines []string
	for _, text := range c.shown {
		checked, issues := c.Env.Compile(text)
		if issues.Err() != nil {
			continue
		}
		program, err := c.Env.Program(checked, bounded(), cel.CostLimit(MaxCost))
		if err != nil {
			continue
		}
		if value, _, err := program.Eval(vars); err == nil {
			lines = append(lines, text+" = "+show(value))
		}
	}
	return lines
}

// show renders a value for a message, on one line. Large values are cut short.
func show(v ref.Val) string {
	switch v := v.(type) {
	case types.String:
		return strconv.Quote(string(v))
	case types.Double:
		return strconv.FormatFloat(float64(v), 'f', -1, 64)
	case *object:
		if p, ok := v.of.(podAt); ok {
			return p.Pod.Brief()
		}
		if claim, ok := v.of.(*timeline.ClaimState); ok {
			return claimText(claim)
		}
		if fields, ok := v.of.(map[string]any); ok && fields == nil {
			return "not set"
		}
		return "{…}"
	case types.Null:
		return "null"
	}
	if items, ok := v.Value().([]ref.Val); ok {
		return "[" + showAll(items) + "]"
	}
	if _, ok := v.Value().(map[ref.Val]ref.Val); ok {
		return "{…}"
	}
	return fmt.Sprint(v.Value())
}

// claimText renders a claim for a message.
func claimText(c *timeline.ClaimState) string {
	text := c.Name + " " + c.Phase
	if c.Terminating {
		text += " " + timeline.PhaseTerminating
	}
	if len(c.Owners) > 0 {
		text += " of " + strings.Join(c.Owners, " and ")
	}
	return text
}

// MaxShown is the number of items of a list that a message shows.
const MaxShown = 10

// showAll renders the items of a list, at most maxShown.
func showAll(items []ref.Val) string {
	var texts []string
	for i, item := range items {
		if i == MaxShown {
			texts = append(texts, fmt.Sprintf("and %d more", len(items)-MaxShown))
			break
		}
		texts = append(texts, show(item))
	}
	return strings.Join(texts, ", ")
}
