package schema

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// With returns these schemas and the schema of a custom resource, which has the metadata of every object.
func (t Types) With(name string, custom Object) Types {
	all := maps.Clone(t)
	custom = maps.Clone(custom)
	properties, _ := custom["properties"].(Object)
	properties = maps.Clone(properties)
	if properties == nil {
		properties = Object{}
	}
	for _, word := range []string{"apiVersion", "kind"} {
		if properties[word] == nil {
			properties[word] = Object{"type": "string"}
		}
	}
	properties["metadata"] = Object{"$ref": refs + all.Add(reflect.TypeFor[metav1.ObjectMeta]())}
	custom["properties"] = properties
	all[name] = custom
	return all
}

// Custom is a custom resource that is taken through its schema: unknown fields are dropped, missing ones get their
// defaults, and errors are collected.
type Custom struct {
	// Unknown are the fields that were dropped, and Wrong the errors, each up to mostTold: an error in each of many
	// items need not be reported for each.
	Unknown []string
	Wrong   field.ErrorList
	// Room is how many bytes defaults may add, and Work how many comparisons enumerations and patterns may take. If one of
	// them is below 0 in the end, the object was not checked to its end, and is not to be used.
	Room, Work int
	patterns   map[string]pattern
}

// pattern is a compiled pattern, nil if it is none, and how many steps it takes for each character at most.
type pattern struct {
	*regexp.Regexp
	steps int
}

// over reports whether the rest of an object need not be looked at.
func (c *Custom) over() bool { return c.Room < 0 || c.Work < 0 || len(c.Wrong) >= mostTold }

// pattern compiles a pattern, once for an object.
func (c *Custom) pattern(text string) pattern {
	p, known := c.patterns[text]
	if known {
		return p
	}
	if parsed, err := syntax.Parse(text, syntax.Perl); err == nil {
		if program, err := syntax.Compile(parsed.Simplify()); err == nil {
			p.steps = len(program.Inst)
		}
		p.Regexp, _ = regexp.Compile(text)
	}
	if c.patterns == nil {
		c.patterns = map[string]pattern{}
	}
	c.patterns[text] = p
	return p
}

// mostTold is how much is said to be wrong with an object, as a real API server does of unknown fields, and longestTold
// how large a value is that is told with it.
const mostTold, longestTold = 100, 10_000

// Size returns about how many bytes a value has as JSON. It stops above a limit.
func Size(v any, limit int) int {
	n := len(`"",`)
	switch of := v.(type) {
	case string:
		return n + len(of)
	case map[string]any:
		for name, inner := range maps.All(of) { // In any order.
			if n += len(name) + len(`"":`) + Size(inner, limit-n); n > limit {
				break
			}
		}
	case []any:
		for _, inner := range of {
			if n += Size(inner, limit-n); n > limit {
				break
			}
		}
	}
	return n
}

// wrong notes an error at a path. The value is left out if it is large.
func (c *Custom) wrong(err *field.Error) {
	if Size(err.BadValue, longestTold) > longestTold {
		err.BadValue = field.OmitValueType{}
	}
	if len(err.Detail) > longestTold {
		err.Detail = strings.ToValidUTF8(err.Detail[:longestTold], "") + "..."
	}
	c.Wrong = append(c.Wrong, err)
}

// Take takes an object through the schema of its kind, and changes it.
func (c *Custom) Take(object map[string]any, s Object) {
	properties, _ := s["properties"].(Object)
	top := maps.Clone(s)
	fields := maps.Clone(properties)
	if fields == nil {
		fields = Object{}
	}
	// These are the same for all kinds.
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		fields[name] = Object{"x-kubernetes-preserve-unknown-fields": true}
	}
	top["properties"] = fields
	c.fields(object, top, nil)
}

// take takes a value through its schema and returns it.
func (c *Custom) take(v any, s Object, at *field.Path) any {
	if c.over() {
		return v
	}
	if v == nil {
		if s["nullable"] != true && s["type"] != nil {
			c.typed("null", s, at)
		}
		return v
	}
	if !c.isOf(v, s) {
		c.typed(named(v), s, at)
		return v
	}
	switch of := v.(type) {
	case map[string]any:
		c.fields(of, s, at)
	case []any:
		items, _ := s["items"].(Object)
		for i := range of {
			of[i] = c.take(of[i], items, at.Index(i))
		}
		c.bounds("items", int64(len(of)), s, at, v)
	case string:
		c.text(of, s, at)
	}
	c.number(v, s, at)
	same := func(one any) bool { return reflect.DeepEqual(one, v) }
	values, is := s["enum"].([]any)
	if c.Work -= len(values); is && c.Work >= 0 && !slices.ContainsFunc(values, same) {
		var words []string
		for _, one := range values {
			words = append(words, fmt.Sprint(one))
		}
		c.wrong(field.NotSupported(at, v, words))
	}
	return v
}

// named is how the API server calls the type of a value.
func named(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	}
	return "number"
}

// isOf reports whether a value has the type of its schema.
func (c *Custom) isOf(v any, s Object) bool {
	is := named(v)
	switch want := s["type"]; {
	case s["x-kubernetes-int-or-string"] == true:
		return is == "integer" || is == "string"
	case want == nil || want == is:
		return true
	case want == "number":
		return is == "integer"
	case want == "integer" && is == "number":
		n, _ := v.(float64)
		return n == float64(int64(n))
	}
	return false
}

func (c *Custom) typed(is string, s Object, at *field.Path) {
	want := s["type"]
	if s["x-kubernetes-int-or-string"] == true {
		want = "integer,string"
	}
	c.wrong(field.TypeInvalid(at, is, fmt.Sprintf("%s in body must be of type %v: %q", at, want, is)))
}

// fields takes the fields of an object.
func (c *Custom) fields(object map[string]any, s Object, at *field.Path) {
	properties, _ := s["properties"].(Object)
	values, _ := s["additionalProperties"].(Object)
	c.prune(object, properties, values)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if _, given := object[name]; given {
			continue
		}
		if inner, is := properties[name].(Object); is && inner["default"] != nil {
			if c.Room -= len(name) + Size(inner["default"], max(0, c.Room)); c.Room < 0 {
				return
			}
			object[name] = runtime.DeepCopyJSONValue(inner["default"])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner, known := properties[name].(Object)
		switch {
		case known:
			object[name] = c.take(object[name], inner, at.Child(name))
		case values != nil:
			object[name] = c.take(object[name], values, at.Key(name))
		case s["x-kubernetes-preserve-unknown-fields"] != true && s["additionalProperties"] != true:
			if delete(object, name); len(c.Unknown) < mostTold {
				c.Unknown = append(c.Unknown, at.Child(name).String())
			}
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if word, _ := name.(string); object[word] == nil {
			c.wrong(field.Required(at.Child(word), ""))
		}
	}
	c.bounds("properties", int64(len(object)), s, at, object)
}

// prune removes the nulls of fields that may not be null: a default takes the place of one, if there is one.
func (c *Custom) prune(object, properties map[string]any, values Object) {
	maps.DeleteFunc(object, func(name string, v any) bool {
		inner, known := properties[name].(Object)
		if !known {
			inner = values
		}
		return v == nil && inner != nil && inner["nullable"] != true
	})
}

// bounds holds how many parts a value has to the bounds of its schema: minItems, maxProperties.
func (c *Custom) bounds(parts string, n int64, s Object, at *field.Path, v any) {
	word := map[string]string{"items": "Items", "properties": "Properties"}[parts]
	if least, is := s["min"+word].(int64); is && n < least {
		c.wrong(field.Invalid(at, v,
			fmt.Sprintf("%s in body should have at least %d %s", at, least, parts)))
	}
	if most, is := s["max"+word].(int64); is && n > most {
		c.wrong(field.TooMany(at, int(n), int(most)))
	}
}

// text holds a text to its schema.
func (c *Custom) text(v string, s Object, at *field.Path) {
	n := int64(utf8.RuneCountInString(v))
	if least, is := s["minLength"].(int64); is && n < least {
		c.wrong(field.Invalid(at, v, fmt.Sprintf("%s in body should be at least %d chars long", at, least)))
	}
	if most, is := s["maxLength"].(int64); is && n > most {
		c.wrong(field.TooLong(at, v, int(most)))
	}
	c.format(v, s, at)
	text, is := s["pattern"].(string)
	if !is {
		return
	}
	p := c.pattern(text)
	if c.Work -= p.steps * len(v); c.Work >= 0 && p.Regexp != nil && !p.MatchString(v) {
		c.wrong(field.Invalid(at, v, fmt.Sprintf("%s in body should match '%s'", at, text)))
	}
}

// format holds a text to the formats of its schema that a real API server knows best.
func (c *Custom) format(v string, s Object, at *field.Path) {
	format, _ := s["format"].(string)
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339Nano, v)
	case "date":
		_, err = time.Parse(time.DateOnly, v)
	case "ipv4", "ipv6":
		var of netip.Addr
		if of, err = netip.ParseAddr(v); err == nil && of.Is4() != (format == "ipv4") {
			err = errors.New("another kind of address")
		}
	case "cidr":
		_, err = netip.ParsePrefix(v)
	}
	if err != nil {
		c.wrong(field.TypeInvalid(at, v, fmt.Sprintf("%s in body must be of type %s: %q", at, format, v)))
	}
}

// number holds a number to its schema.
func (c *Custom) number(v any, s Object, at *field.Path) {
	n, is := numeric(v)
	if !is {
		return
	}
	tell := func(than string, bound any) {
		c.wrong(field.Invalid(at, v, fmt.Sprintf("%s in body should be %s %v", at, than, bound)))
	}
	least, has := numeric(s["minimum"])
	switch strict := s["exclusiveMinimum"] == true; {
	case has && strict && n <= least:
		tell("greater than", s["minimum"])
	case has && n < least:
		tell("greater than or equal to", s["minimum"])
	}
	most, has := numeric(s["maximum"])
	switch strict := s["exclusiveMaximum"] == true; {
	case has && strict && n >= most:
		tell("less than", s["maximum"])
	case has && n > most:
		tell("less than or equal to", s["maximum"])
	}
}

func numeric(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
