package manifest

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// kubectl converts YAML to JSON before it does anything else. A number with a point or an exponent is a float64
// there, and JSON writes 3.0 as 3 and 1.00065e+09 as 1000650000: if the API wants a whole number it gets one.

// jsonNumber returns a number as kubectl writes it into JSON; false for a value that is not a number there, such as
// .inf.
func jsonNumber(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	switch n.ShortTag() {
	case "!!int":
		var v any
		if n.Decode(&v) != nil {
			return "", false
		}
		if large, is := v.(uint64); is {
			// It does not fit into an int64, so it becomes a float64 when kubectl reads its own JSON.
			v = float64(large)
		}
		data, err := json.Marshal(v)
		return string(data), err == nil
	case "!!float":
		var v float64
		if n.Decode(&v) != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return "", false
		}
		data, err := json.Marshal(v)
		return string(data), err == nil
	}
	return "", false
}

// wholeFloat returns the whole number that kubectl makes of a number with a point or an exponent; false for any other.
func wholeFloat(n *yaml.Node) (int64, bool) {
	text, ok := jsonNumber(n)
	if !ok || n.ShortTag() != "!!float" {
		return 0, false
	}
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil
}

// keyText returns a key as kubectl writes it into JSON, where every key is text. A quoted key is that text.
func keyText(n *yaml.Node) string {
	if n.Style&quoted != 0 {
		return n.Value
	}
	if i := slices.Index(oldBooleans, n.Value); i >= 0 {
		return strconv.FormatBool(isTrue(i))
	}
	switch n.ShortTag() {
	case "!!bool":
		var v bool
		if n.Decode(&v) == nil {
			return strconv.FormatBool(v)
		}
	case "!!int":
		if text, ok := jsonNumber(n); ok {
			return text
		}
	case "!!float":
		var v float64
		if n.Decode(&v) == nil {
			return floatKey(v)
		}
	}
	return n.Value
}

// floatKey writes a key that is a float64.
func floatKey(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return ".inf"
	case math.IsInf(v, -1):
		return "-.inf"
	case math.IsNaN(v):
		return ".nan"
	}
	return strconv.FormatFloat(v, 'g', -1, 32)
}
