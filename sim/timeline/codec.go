package timeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// codec visits the fields of a line in the order of the format, and either appends each to b, or reads it from the
// open object. So each field is described once, by its name and the place of its value. A missing field leaves its
// value as it is, null counts as missing, and unknown fields are skipped.
type codec struct {
	b     []byte
	reads bool
	scanner
	// err is the first error, after the path of its field: sets.spec.replicas: a string does not belong here.
	err error
}

// fail notes what is wrong with a field of the open object.
func (c *codec) fail(name string, err error) {
	if c.err != nil {
		return
	}
	c.err = fmt.Errorf("%s: %w", strings.TrimSuffix(c.path()+name, "."), err)
}

// wrong notes that a value has the wrong type.
func (c *codec) wrong(name string, value []byte) {
	c.fail(name, fmt.Errorf("%s does not belong here", kindOf(value)))
}

// kindOf words what a value is.
func kindOf(value []byte) string {
	if value == nil {
		return "null"
	}
	switch value[0] {
	case '"':
		return "a string"
	case '[':
		return "a list"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	}
	if _, err := strconv.Atoi(string(value)); err == nil && len(value) < 10 {
		return "a number"
	}
	return "a number " + string(value)
}

// key appends a field's name. Names are ours and need no escaping.
func (c *codec) key(name string) {
	c.comma()
	c.b = append(c.b, '"')
	c.b = append(c.b, name...)
	c.b = append(c.b, '"', ':')
}

// comma separates a field from the one before; after an opening bracket or a colon it writes nothing.
func (c *codec) comma() {
	if n := len(c.b); n > 0 && c.b[n-1] != '{' && c.b[n-1] != '[' {
		c.b = append(c.b, ',')
	}
}

// open enters an object within a field, and reports whether it exists. The caller then visits its fields, and
// leaves it with end.
func (c *codec) open(name string) bool {
	if !c.reads {
		c.key(name)
		c.b = append(c.b, '{')
		return true
	}
	value := c.find(name)
	return value != nil && c.enter(name, value)
}

// enter opens an object that was read, "" being the name of an element of a list.
func (c *codec) enter(name string, value []byte) bool {
	if value == nil || value[0] != '{' {
		c.wrong(name, value)
		return false
	}
	c.push(name, value)
	return true
}

// end ends the object that was opened last.
func (c *codec) end() {
	if !c.reads {
		c.b = append(c.b, '}')
		return
	}
	c.pop()
}

// list enters a list of objects within a field, unless it is empty, and returns their number; when reading, it
// makes room for them. The caller enters each with element, and leaves the list with endList.
func list[T any](c *codec, name string, values *[]T) int {
	if n := len(*values); !c.reads {
		if n > 0 {
			c.key(name)
			c.b = append(c.b, '[')
		}
		return n
	}
	value := c.find(name)
	if value == nil {
		return 0
	}
	if value[0] != '[' {
		c.wrong(name, value)
		return 0
	}
	c.push(name, value)
	n := len(c.fields)
	if n == 0 {
		c.pop()
		return 0
	}
	*values = make([]T, n)
	return n
}

// element opens an object of the list, to be ended with end.
func (c *codec) element(i int) bool {
	if !c.reads {
		c.comma()
		c.b = append(c.b, '{')
		return true
	}
	return c.enter("", c.take(i))
}

// endList ends a list of n objects.
func (c *codec) endList(n int) {
	switch {
	case n == 0:
	case c.reads:
		c.pop()
	default:
		c.b = append(c.b, ']')
	}
}

// text is a string field, which is not written if it is empty.
func text[T ~string](c *codec, name string, value *T) {
	if !c.reads {
		if *value != "" {
			c.key(name)
			c.b = appendString(c.b, string(*value))
		}
		return
	}
	if read := c.find(name); read != nil {
		if read[0] != '"' {
			c.wrong(name, read)
			return
		}
		*value = T(c.unquote(read))
	}
}

// number is a whole number, which is not written if it is 0.
func number[T int | int32 | int64](c *codec, name string, value *T) {
	if c.reads || *value != 0 {
		always(c, name, value)
	}
}

// always is a whole number that is written even if it is 0.
func always[T int | int32 | int64](c *codec, name string, value *T) {
	if !c.reads {
		c.key(name)
		c.b = strconv.AppendInt(c.b, int64(*value), 10)
		return
	}
	if read := c.find(name); read != nil {
		n, err := strconv.ParseInt(string(read), 10, 64)
		if err != nil || int64(T(n)) != n || !isNumber(read) {
			c.wrong(name, read)
		}
		*value = T(n)
	}
}

// truth is a boolean field that is always written, even if it is false.
func (c *codec) truth(name string, value *bool) {
	if !c.reads {
		c.key(name)
		c.b = strconv.AppendBool(c.b, *value)
		return
	}
	switch read := c.find(name); string(read) {
	case "":
	case "true", "false":
		*value = read[0] == 't'
	default:
		c.wrong(name, read)
	}
}

// mark is a truth that is not written if it is false.
func (c *codec) mark(name string, value *bool) {
	if c.reads || *value {
		c.truth(name, value)
	}
}

// seconds is an instant or a duration, which is written even if it is 0. No float is on its way.
func seconds[T model.Time | time.Duration](c *codec, name string, value *T) {
	if !c.reads {
		c.key(name)
		c.b = appendSeconds(c.b, model.Time(*value))
		return
	}
	if read := c.find(name); read != nil {
		t, err := parseSeconds(string(read))
		if err != nil || !isNumber(read) {
			c.fail(name, fmt.Errorf("%s is not a decimal number of seconds with at most nine places", read))
		}
		*value = T(t)
	}
}

// span is a duration that is not written if it is 0.
func (c *codec) span(name string, value *time.Duration) {
	if c.reads || *value != 0 {
		seconds(c, name, value)
	}
}

// either is a truth that the API has in words.
func (c *codec) either(name string, value *bool, yes, no string) {
	is := no
	if *value {
		is = yes
	}
	if text(c, name, &is); c.reads {
		*value = is == yes
	}
}

// word is a constant, written as its name. Number 0 has no name and is not written. An unknown name is read as 0.
func word[T ~uint8](c *codec, name string, value *T, names []string) (is string) {
	is = names[*value]
	if text(c, name, &is); c.reads {
		*value = T(max(0, slices.Index(names, is)))
	}
	return is
}

// change is a word that has to be there and to be known: a fold without it would be wrong from there on.
func change[T ~uint8](c *codec, value *T, names []string) {
	if is := word(c, "change", value, names); *value == 0 && c.reads {
		c.fail("change", fmt.Errorf("%q is none of %s", is, strings.Join(names[1:], ", ")))
	}
}

// uid is the uid of an object, which is not written if it has none.
func (c *codec) uid(name string, uid *model.UID) {
	if !c.reads {
		if *uid != 0 {
			c.key(name)
			c.b = append(strconv.AppendUint(append(c.b, `"uid-`...), uint64(*uid), 10), '"')
		}
		return
	}
	var is string
	if text(c, name, &is); is == "" {
		return
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(is, "uid-"), 10, 64)
	if err != nil {
		c.fail(name, fmt.Errorf("%q is not of the form uid-7", is))
	}
	*uid = model.UID(n)
}

// raw is a field that is JSON already, and null if it is missing. Reading changes no byte of it: templates and
// selectors are compared by theirs.
func (c *codec) raw(name string, value *string) {
	if !c.reads {
		c.key(name)
		c.b = append(c.b, *value...)
		if *value == "" {
			c.b = append(c.b, "null"...)
		}
		return
	}
	*value = string(c.find(name))
}

// texts is a list of strings, which is not written if it is empty.
func (c *codec) texts(name string, values *[]string) {
	if c.reads {
		*values = decoded[[]string](c, name)
		return
	}
	if len(*values) == 0 {
		return
	}
	c.key(name)
	c.b = append(c.b, '[')
	for _, v := range *values {
		c.comma()
		c.b = appendString(c.b, v)
	}
	c.b = append(c.b, ']')
}

// words is a map of strings, which is written in the order of its keys, unless it is empty.
func (c *codec) words(name string, values *map[string]string) {
	if c.reads {
		*values = decoded[map[string]string](c, name)
		return
	}
	if len(*values) > 0 && c.open(name) {
		for _, key := range slices.Sorted(maps.Keys(*values)) {
			c.comma()
			c.b = append(appendString(c.b, key), ':')
			c.b = appendString(c.b, (*values)[key])
		}
		c.end()
	}
}

// decoded reads a field with encoding/json.
func decoded[T any](c *codec, name string) (value T) {
	if read := c.find(name); read != nil {
		c.decode(name, read, &value)
	}
	return value
}

// decode reads JSON with encoding/json. Its errors are worded without Go's names.
func (c *codec) decode(name string, text []byte, value any) {
	err := json.Unmarshal(text, value)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		kind, _, _ := strings.Cut(wrong.Value, " ")
		first := map[string]string{"string": `"`, "array": "[", "object": "{", "bool": "t"}[kind]
		if wrong.Field != "" {
			name += "." + wrong.Field
		}
		c.wrong(name, []byte(first+"0"))
	} else if err != nil {
		c.fail(name, err)
	}
}
