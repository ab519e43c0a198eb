package condition

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Conditions compiles the conditions of one file. Making an environment of CEL is slow: a file has at most two.
type Conditions struct {
	// Reader takes the problems.
	Reader *strict.Reader
	// Sets are the known sets of the run; anySet says that others are allowed too.
	Sets   []model.Key
	AnySet bool
	// Self is true if the conditions are about one pod too.
	Self bool
	// Labels are the labels of Env.
	Labels *[]Labelling
	// Scopes are the environments for compiling conditions about one set (true), and all other conditions (false);
	// made on first use.
	Scopes map[bool]*Scope
}

// Scope is an environment with the provider that it was made with, which remembers unknown fields.
type Scope struct {
	env      *cel.Env
	provider *provider
}

// scope returns the environment for conditions about one set, or for all others.
func (c *Conditions) scope(oneSet bool) (*Scope, error) {
	if s := c.Scopes[oneSet]; s != nil {
		return s, nil
	}
	env, provider, err := newEnv(oneSet, c.Self)
	if err != nil {
		return nil, err
	}
	s := &Scope{env, provider}
	c.Scopes[oneSet] = s
	return s, nil
}

// Compile reads a condition; oneSet allows it to name the fields of a set without the set. It returns nil if there
// is a problem, which is noted, if possible, at its place within the text. The condition must give a bool.
func (c *Conditions) Compile(n *yaml.Node, oneSet bool) *Condition {
	text, ok := c.text(n)
	if !ok {
		return nil
	}
	scope, err := c.scope(oneSet)
	if err != nil {
		c.Reader.Problem(n, "conditions cannot be compiled: "+err.Error(), "")
		return nil
	}
	before := len(c.Reader.Problems)
	checked, issues := scope.env.Compile(text)
	if issues.Err() != nil {
		c.issues(n, text, scope, issues, oneSet)
		return nil
	}
	if out := checked.OutputType(); !out.IsExactType(cel.BoolType) {
		c.Reader.Problem(n, "the condition gives "+article(out.String())+", not true or false", "compare it with something")
	}
	c.checkSets(n, text, checked.NativeRep())
	if len(c.Reader.Problems) > before {
		return nil
	}
	program, err := scope.env.Program(checked, LimitsFor(text, checked.NativeRep())...)
	if err != nil {
		c.Reader.Problem(n, "the condition cannot be used: "+err.Error(), "")
		return nil
	}
	uses, shown := inspect(checked.NativeRep().Expr())
	compiled := &Condition{Program: program, Uses: uses, shown: shown, Env: scope.env}
	if uses.bare && uses.labels {
		if c.Labels == nil {
			c.Reader.Problem(n, "the labels of pods that no StatefulSet owns are not in a timeline",
				"ask for them in the expectations of a scenario, which sim run and sim test play")
			return nil
		}
		compiled.Labels = *c.Labels
	}
	if oneSet && uses.Name("pods") {
		compiled.keep(text)
	}
	return compiled
}

// LimitsFor returns the options that keep an evaluation from taking forever. Counting its cost takes as long again
// as evaluating it, and a short condition that walks over the pods once needs no limit.
func LimitsFor(text string, checked *ast.AST) []cel.ProgramOption {
	if len(text) <= plainLength && Degree(checked.Expr()) <= 1 {
		return []cel.ProgramOption{bounded()}
	}
	return []cel.ProgramOption{bounded(), cel.CostLimit(MaxCost)}
}

// lists are the variables that hold many objects.
var lists = []string{"pods", "sets", "claims", "bare", "budgets"}

// Degree returns how the cost of an expression grows with the number of pods, as a power: a loop over them has 1,
// and so has a look at all of them; a look at all of them within a loop has 2.
func Degree(e ast.Expr) int {
	d := 0
	switch e.Kind() {
	case ast.IdentKind:
		if slices.Contains(lists, e.AsIdent()) {
			return 1
		}
	case ast.SelectKind:
		return Degree(e.AsSelect().Operand())
	case ast.CallKind:
		if e.AsCall().IsMemberFunction() {
			d = Degree(e.AsCall().Target())
		}
		for _, arg := range e.AsCall().Args() {
			d = max(d, Degree(arg))
		}
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			d = max(d, Degree(element))
		}
	case ast.ComprehensionKind:
		loop := e.AsComprehension()
		for _, part := range []ast.Expr{loop.AccuInit(), loop.LoopCondition(), loop.LoopStep(), loop.Result()} {
			d = max(d, 1+Degree(part))
		}
		d = max(d, Degree(loop.IterRange()))
	case ast.MapKind, ast.StructKind:
		return 2
	}
	return d
}

// text reads the condition's text; false if there is a problem. An unquoted true or false is a condition too.
func (c *Conditions) text(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		return n.Value, true
	}
	return c.Reader.String(n, "a condition")
}

// checkSets notes a problem for each sets["…"] that the run does not have, unless the sets are not known.
func (c *Conditions) checkSets(n *yaml.Node, text string, checked *ast.AST) {
	if c.AnySet {
		return
	}
	names := KeyNames(c.Sets)
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		key, ok := namedSet(e)
		if !ok || slices.Contains(c.Sets, key) {
			return
		}
		name := strings.TrimPrefix(key.String(), "/")
		at := checked.SourceInfo().GetStartLocation(e.AsCall().Args()[1].ID())
		c.problem(n, text, place{at.Line(), at.Column()}, "the run has no set "+name, strict.DidYouMean(name, names))
	}))
}

// KeyNames returns keys as text.
func KeyNames(keys []model.Key) []string {
	var names []string
	for _, key := range keys {
		names = append(names, key.String())
	}
	return names
}

// issues reports the errors of CEL about a condition, in the words of the scenario format.
func (c *Conditions) issues(n *yaml.Node, text string, scope *Scope, issues *cel.Issues, oneSet bool) {
	for i, e := range issues.Errors() {
		at := place{e.Location.Line(), e.Location.Column()}
		if syntax, found := strings.CutPrefix(e.Message, "Syntax error: "); found {
			// The first one is the error; those after it follow from it.
			if i == 0 {
				what, want := syntaxProblem(text, syntax)
				c.problem(n, text, at, what, want)
			}
			continue
		}
		what, want := c.typeProblem(e.Message, scope, oneSet)
		if strings.Contains(e.Message, "limit") {
			what, want = limitProblem(e.Message)
		}
		c.problem(n, text, at, what, want)
	}
}

// syntaxProblem words an error of CEL's parser. It only knows a part of the parser's messages; others are passed on.
func syntaxProblem(text, message string) (what, want string) {
	message, _, _ = strings.Cut(message, " expecting")
	switch {
	case strings.TrimSpace(text) == "":
		return "the condition is empty", writeCEL
	case strings.Contains(message, "'= "), strings.HasSuffix(message, "'='"):
		return "the condition has a single =", "to compare write =="
	case strings.ContainsAny(text, "“”‘’"):
		quote := text[strings.IndexAny(text, "“”‘’"):]
		return "the condition has a typographic quote, " + string([]rune(quote)[0]), "write \" or '"
	case strings.Contains(message, "<EOF>") && strings.Contains(text, "%"):
		return "the condition ends too early: " + strict.Shorten(text),
			"CEL has no percentages: write serving * 100 >= spec.replicas * 66"
	case strings.Contains(message, "<EOF>"):
		return "the condition ends too early: " + strict.Shorten(text), writeCEL
	}
	if m := misplaced().FindStringSubmatch(message); m != nil {
		if sign := celSigns[m[1]]; sign != "" {
			return "CEL has no word " + m[1], "write " + sign
		}
		return m[1] + " does not belong there", writeCEL
	}
	return "the condition is not CEL: " + message, writeCEL
}

// celSigns are the CEL signs for words that other languages have.
var celSigns = map[string]string{"and": "&&", "or": "||", "not": "!", "AND": "&&", "OR": "||", "NOT": "!"}

const writeCEL = "write a CEL expression, for example serving >= spec.replicas - 1"

// limitProblem words an error of CEL about a condition that exceeds its limits.
func limitProblem(message string) (what, want string) {
	if strings.Contains(message, "recursion") {
		return fmt.Sprintf("the condition is nested deeper than %d", maxNesting), "write it flatter"
	}
	return fmt.Sprintf("the condition has more than %d characters", maxExpression), "write it shorter"
}

var (
	// The messages of cel-go's parser and checker that are reworded. They belong to the version in go.mod: a message that
	// is worded otherwise is shown as it is.
	misplaced  = lazy.Regexp(`^(?:extraneous|mismatched) input '(.*)'$`)
	undeclared = lazy.Regexp(`^undeclared reference to '([^']*)'`)
	undefined  = lazy.Regexp(`^undefined field '([^']*)'`)
	overload   = lazy.Regexp(`^found no matching overload for '([^']*)' applied to '\(?([^']*?)\)?'$`)
)

// typeProblem words an error of CEL's type checker, with the nearest name that exists; others are passed on.
func (c *Conditions) typeProblem(message string, scope *Scope, oneSet bool) (what, want string) {
	if m := undefined().FindStringSubmatch(message); m != nil {
		if t := scope.provider.missing[m[1]]; t != nil {
			return shortType(t.name) + " has no field " + m[1], strict.DidYouMean(m[1], t.order)
		}
	}
	if m := undeclared().FindStringSubmatch(message); m != nil {
		return c.unknownName(m[1], oneSet)
	}
	if m := overload().FindStringSubmatch(message); m != nil {
		what = operatorName(m[1]) + " does not work on " + shortType(m[2])
		if m[2] == "int, double" || m[2] == "double, int" {
			want = "write a whole number as 1.0, and make an int a double with double(x)"
		}
		return what, want
	}
	return shortType(message), ""
}

// unknownName words an unknown variable. If it is a field of one of several sets, the set is missing.
func (c *Conditions) unknownName(name string, oneSet bool) (what, want string) {
	if known := objects()[setType]; !oneSet && known.fields[name] != nil {
		example := "NAMESPACE/NAME"
		if len(c.Sets) > 0 {
			example = c.Sets[0].String()
		}
		return name + " is not clear: the run has several sets",
			"write sets[\"" + example + "\"]." + name + ", or add for: " + example
	}
	names := append(slices.Clone(objects()[setType].order), "now", "sets", "claims", "bare", "budgets")
	if c.Self {
		names = append(slices.Clone(objects()[setType].order), "self", "sets", "claims", "bare", "budgets")
	}
	if !oneSet {
		names = []string{"now", "sets", "claims", "bare", "budgets"}
	}
	want = "conditions know " + strings.Join(names, ", ")
	near := strict.Nearest(name, names)
	if status := objects()["kubernetes.StatefulSetStatus"]; oneSet && status.fields[name] != nil {
		near = "status." + name
	}
	if spec := objects()["kubernetes.StatefulSetSpec"]; oneSet && spec.fields[name] != nil {
		near = "spec." + name
	}
	if near != "" {
		want = "did you mean " + near + "? C" + want[1:]
	}
	return "unknown name " + name, want
}

// operatorName returns an operator as it is written.
func operatorName(name string) string {
	if written, found := operators.FindReverse(name); found && written != "" {
		return written
	}
	if name == operators.Conditional {
		return "? :"
	}
	return strings.Trim(name, "_@")
}

// shortType removes the package from the name of a type.
func shortType(text string) string { return strings.ReplaceAll(text, "kubernetes.", "") }

// article puts "a" or "an" before the name of a type.
func article(typ string) string {
	typ = shortType(typ)
	if strings.ContainsAny(typ[:1], "aeiouAEIOU") {
		return "an " + typ
	}
	return "a " + typ
}

// place is a line from 1 and a column from 0 within a text, as CEL counts.
type place struct{ line, column int }

// problem notes a problem within the text of the condition at n, at its place in the file if that is known.
func (c *Conditions) problem(n *yaml.Node, text string, at place, what, want string) {
	line, column := inFile(n, text, at)
	c.Reader.Problems = append(c.Reader.Problems,
		strict.Problem{File: c.Reader.File, Line: line, Column: column, What: what, Want: want})
}

// inFile finds the place of a character of a scalar in the file. YAML only keeps the start of the scalar. So the
// place is exact if the scalar is on one line; for a literal block the line is exact; otherwise it is the start of
// the scalar.
func inFile(n *yaml.Node, text string, at place) (line, column int) {
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		return n.Line + at.line, 1
	case at.line != 1 || strings.Contains(text, "\n") || n.Style&yaml.FoldedStyle != 0:
		return n.Line, n.Column
	}
	runes := []rune(text)
	before := string(runes[:max(0, min(at.column, len(runes)))])
	column = n.Column + len([]rune(before))
	switch {
	case n.Style&yaml.SingleQuotedStyle != 0:
		column += 1 + strings.Count(before, "'")
	case n.Style&yaml.DoubleQuotedStyle != 0:
		column += 1 + strings.Count(before, `"`) + strings.Count(before, `\`)
	}
	return n.Line, column
}
