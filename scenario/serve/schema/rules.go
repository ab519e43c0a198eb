package schema

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rules are compiled rules of custom resources in CEL, by their text. A rule that uses a function that only a real API
// server has is not held: its text has no program.
type Rules map[string]cel.Program

// environment is the CEL environment of the rules: self is the value that a rule is about, oldSelf the same value
// before a change.
func environment() (*cel.Env, error) {
	return cel.NewEnv(cel.Variable("self", cel.DynType), cel.Variable("oldSelf", cel.DynType), ext.Strings(),
		ext.Lists(), ext.Sets(), cel.CrossTypeNumericComparisons(true))
}

// program returns a rule as a program, nil if it cannot be one here.
func (r Rules) program(text string) cel.Program {
	if p, known := r[text]; known {
		return p
	}
	r[text] = nil
	env, err := environment()
	if err != nil {
		return nil
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil
	}
	p, err := env.Program(ast, cel.CostLimit(uint64(mostCost)), cel.EvalOptions(cel.OptTrackCost))
	if err == nil {
		r[text] = p
	}
	return r[text]
}

// mostCost is the highest cost of one rule, in steps.
const mostCost = 1_000_000

// WrongRule is the error of a rule that is no CEL.
func WrongRule(text string) error {
	env, err := environment()
	if err != nil {
		return err
	}
	_, issues := env.Parse(text)
	return issues.Err()
}

// validations are where a schema has its rules.
const validations = "x-kubernetes-validations"

// Ruled reports whether a schema has rules, or a part of it.
func Ruled(s Object) bool {
	if list, _ := s[validations].([]any); len(list) > 0 {
		return true
	}
	for _, inner := range maps.All(parts(s)) { // In any order.
		if Ruled(inner) {
			return true
		}
	}
	return false
}

// parts returns the schemas in a schema: of its fields, by name; of items as "[]", and of values as "*".
func parts(s Object) map[string]Object {
	all := map[string]Object{}
	properties, _ := s["properties"].(Object)
	for name := range maps.All(properties) { // In any order.
		if inner, is := properties[name].(Object); is {
			all["."+name] = inner
		}
	}
	if items, is := s["items"].(Object); is {
		all["[]"] = items
	}
	if values, is := s["additionalProperties"].(Object); is {
		all["*"] = values
	}
	return all
}

// Judge checks a custom resource against the rules of its schema; old is its previous version, nil for a new one.
// If the resource violates the schema itself, it skips the rules and says so.
func (c *Custom) Judge(r Rules, object, old map[string]any, s Object) {
	blocks := func(err *field.Error) bool {
		return slices.Contains([]field.ErrorType{field.ErrorTypeNotSupported, field.ErrorTypeRequired,
			field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid}, err.Type)
	}
	switch {
	case !Ruled(s):
	case slices.ContainsFunc(c.Wrong, blocks):
		c.Wrong = append(c.Wrong, field.Invalid(nil, nil, "some validation rules were not checked because the object was "+
			"invalid; correct the existing errors to complete validation"))
	case old == nil:
		c.judge(r, object, nil, s, nil)
	default:
		c.judge(r, object, old, s, nil)
	}
}

// judge holds a value and its parts to their rules.
func (c *Custom) judge(r Rules, v, old any, s Object, at *field.Path) {
	if v == nil || c.over() || len(s) == 0 {
		return
	}
	list, _ := s[validations].([]any)
	for _, one := range list {
		if rule, is := one.(Object); is {
			c.rule(r, v, old, rule, at)
		}
	}
	all := parts(s)
	switch of := v.(type) {
	case map[string]any:
		was, _ := old.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if inner, known := all["."+name]; known {
				c.judge(r, of[name], was[name], inner, at.Child(name))
			} else {
				c.judge(r, of[name], was[name], all["*"], at.Key(name))
			}
		}
	case []any:
		for i := range of {
			c.judge(r, of[i], before(of[i], old, s), all["[]"], at.Index(i))
		}
	}
}

// before returns the item that an item of a list was, by the keys of the list; nil if it has none, or is new.
func before(item, old any, s Object) any {
	keys, _ := s["x-kubernetes-list-map-keys"].([]any)
	list, _ := old.([]any)
	fields, _ := item.(map[string]any)
	for _, one := range list {
		was, is := one.(map[string]any)
		if is && len(keys) > 0 && !slices.ContainsFunc(keys, func(key any) bool {
			return !reflect.DeepEqual(was[fmt.Sprint(key)], fields[fmt.Sprint(key)])
		}) {
			return one
		}
	}
	return nil
}

// rule holds a value to one rule.
func (c *Custom) rule(r Rules, v, old any, rule Object, at *field.Path) {
	text, _ := rule["rule"].(string)
	if strings.Contains(text, "oldSelf") && old == nil && rule["optionalOldSelf"] != true {
		return // It is about a change.
	}
	p := r.program(text)
	if p == nil {
		return
	}
	known := map[string]any{"self": v, "oldSelf": old}
	result, details, err := p.Eval(known)
	if details != nil && details.ActualCost() != nil {
		c.Work -= int(*details.ActualCost())
	}
	if err == nil && result == types.True {
		return
	}
	message, _ := rule["message"].(string)
	if words, is := rule["messageExpression"].(string); is {
		if said := r.program(words); said != nil {
			if result, _, err := said.Eval(known); err == nil && result.Type() == types.StringType {
				message = fmt.Sprint(result.Value())
			}
		}
	}
	if message = strings.TrimSpace(message); message == "" {
		message = "failed rule: " + strings.TrimSpace(text)
	}
	if err != nil {
		message = fmt.Sprintf("%v evaluating rule: %s", err, message)
	}
	if sub, is := rule["fieldPath"].(string); is {
		for name := range strings.SplitSeq(strings.TrimPrefix(sub, "."), ".") {
			at = at.Child(name)
		}
	}
	var shown any = field.OmitValueType{}
	if is := named(v); is != "object" && is != "array" {
		shown = v
	}
	wrong := field.Invalid(at, shown, message)
	if reason, is := rule["reason"].(string); is {
		wrong.Type = reasons[reason]
	}
	c.wrong(wrong)
}

// reasons are the types of errors that a rule may name.
var reasons = map[string]field.ErrorType{"FieldValueInvalid": field.ErrorTypeInvalid,
	"FieldValueForbidden": field.ErrorTypeForbidden, "FieldValueRequired": field.ErrorTypeRequired,
	"FieldValueDuplicate": field.ErrorTypeDuplicate}

// shownRule is a rule as a refusal shows it: the API server's own type as JSON, with Go's names of the fields.
type shownRule struct {
	Rule, Message, MessageExpression string
	Reason                           *string
	FieldPath                        string
	OptionalOldSelf                  *bool
}

// Wrong returns what is wrong with the schema of a custom resource: parts without a type, and rules that are not
// CEL.
func Wrong(s Object, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case s["type"] == nil && s["x-kubernetes-preserve-unknown-fields"] != true:
		errs = append(errs, field.Required(path.Child("type"), "must not be empty at the root"))
	case s["type"] != nil && s["type"] != "object":
		errs = append(errs, field.Invalid(path.Child("type"), s["type"], "must be object at the root"))
	}
	return append(errs, wrongPart(s, path)...)
}

// wrongPart returns what is wrong with the rules of a schema and with the schemas in it.
func wrongPart(s Object, path *field.Path) (errs field.ErrorList) {
	list, _ := s[validations].([]any)
	for i, one := range list {
		rule, _ := one.(Object)
		text, _ := rule["rule"].(string)
		if err := WrongRule(text); err != nil {
			shown := shownRule{Rule: text}
			shown.Message, _ = rule["message"].(string)
			shown.MessageExpression, _ = rule["messageExpression"].(string)
			shown.FieldPath, _ = rule["fieldPath"].(string)
			errs = append(errs, field.Invalid(path.Child(validations).Index(i).Child("rule"), shown,
				"compilation failed: "+err.Error()))
		}
	}
	all := parts(s)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		inner, at, words := all[name], path, "fields"
		switch name {
		case "[]":
			at, words = path.Child("items"), "array items"
		case "*":
			at = path.Child("additionalProperties")
		default:
			at = path.Child("properties").Key(name[1:])
		}
		if inner["type"] == nil && inner["x-kubernetes-int-or-string"] != true &&
			inner["x-kubernetes-preserve-unknown-fields"] != true {
			if words != "array items" {
				words = "object fields"
			}
			errs = append(errs, field.Required(at.Child("type"), "must not be empty for specified "+words))
		}
		errs = append(errs, wrongPart(inner, at)...)
	}
	return errs
}
