package strict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// JSON reads a file that is one JSON document into a value, as encoding/json does. The error is a Problem with its
// place, in words that name fields of the file and no types of Go.
func JSON(file string, data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		return nil
	}
	return JSONProblem(file, data, 0, err)
}

// JSONProblem words an error of encoding/json about a part of a file that starts at an offset.
func JSONProblem(file string, data []byte, from int64, err error) Problem {
	p := Problem{File: file}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := from
	switch {
	case errors.As(err, &kind):
		at += kind.Offset
		p.What, p.Want = Misfit(err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		at = int64(len(data))
		p.What = "the JSON is cut off here"
	case errors.As(err, &syntax):
		at += syntax.Offset
		p.What = "this is not JSON"
	default:
		p.What, _ = Misfit(err)
	}
	p.Line, p.Column = place(data, at)
	return p
}

// Misfit words why encoding/json could not fill an object, without Go names: what is wrong, and what would be
// right, "" if only the error itself says that.
func Misfit(err error) (what, want string) {
	kind := (*json.UnmarshalTypeError)(nil)
	switch {
	case errors.As(err, &kind) && kind.Type.Kind() == reflect.Float64 && strings.HasPrefix(kind.Value, "number "):
		return "the " + kind.Value + " is too large", "numbers are below 1.8e308"
	case kind != nil:
		return fmt.Sprintf("%s is %s", fieldOf(kind.Field), kindOf(kind.Value)), "it must be " + typeOf(kind.Type)
	}
	return strings.TrimPrefix(err.Error(), "json: "), ""
}

// place returns the line and the column of the byte before an offset, which is where the offsets of encoding/json end.
func place(data []byte, offset int64) (line, column int) {
	before := data[:min(max(offset-1, 0), int64(len(data)))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// fieldOf names a field by its path in the file. encoding/json also names the Go struct that a field is embedded
// in, and uses the Go name of a field without a tag: JSON fields start with a lower-case letter.
func fieldOf(path string) string {
	parts := strings.Split(path, ".")
	last := len(parts) - 1
	parts = slices.DeleteFunc(parts[:last:last], func(part string) bool { return isGo(part) })
	if name := strings.Split(path, ".")[last]; isGo(name) {
		parts = append(parts, strings.ToLower(name[:1])+name[1:])
	} else if name != "" {
		parts = append(parts, name)
	}
	return cmp.Or(strings.Join(parts, "."), "the document")
}

// isGo reports whether the name is one of Go.
func isGo(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// kindOf words a value that encoding/json has found: "string", "number 1.5".
func kindOf(value string) string {
	word, rest, _ := strings.Cut(value, " ")
	switch word {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	if rest != "" {
		return rest
	}
	return "a number"
}

// typeOf words what a Go type is in JSON.
func typeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeOf(t.Elem())
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of at least 0"
	}
	return "an object"
}
