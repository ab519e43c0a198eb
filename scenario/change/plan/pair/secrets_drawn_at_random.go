package pair

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// A chart may draw a password at each render. A checksum of it in the template then replaces all pods, although nobody
// has changed anything. Nothing is ever printed of a Secret but its name and its keys.

// Drawn is a Secret whose data changes in keys that look drawn at random, and in what is made from them.
type Drawn struct {
	Thing
	// Keys are those that look drawn, sorted. Alone says that nothing but the data changes, such as a label.
	Keys  []string
	Alone bool
}

// drawnIn compares an object in both streams; nil if it is no such Secret.
func drawnIn(t Thing, before, after *yaml.Node) *Drawn {
	if t.Kind != "Secret" || before == nil || after == nil {
		return nil
	}
	was, _ := strict.Value(before).(map[string]any)
	is, _ := strict.Value(after).(map[string]any)
	old, now := valuesOf(was), valuesOf(is)
	d := &Drawn{Thing: t, Keys: drawnKeys(old, now)}
	var pairs []string
	for _, key := range d.Keys {
		pairs = append(pairs, old[key], now[key])
	}
	renew := strings.NewReplacer(pairs...)
	for _, key := range slices.Sorted(maps.Keys(old)) {
		if _, there := now[key]; !there || renew.Replace(old[key]) != now[key] {
			return nil
		}
	}
	if len(d.Keys) == 0 || len(old) != len(now) {
		return nil
	}
	d.Alone = reflect.DeepEqual(besideData(was), besideData(is))
	return d
}

// valuesOf returns the values of a Secret, or of a ConfigMap, as the pods read them.
func valuesOf(object map[string]any) map[string]string {
	values := map[string]string{}
	for _, field := range []string{"data", "binaryData", "stringData"} {
		keys, _ := object[field].(map[string]any)
		encoded := object["kind"] == "Secret" && field == "data" || field == "binaryData"
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			text := fmt.Sprint(keys[key])
			if plain, err := base64.StdEncoding.DecodeString(text); err == nil && encoded {
				text = string(plain)
			}
			values[key] = text
		}
	}
	return values
}

func besideData(secret map[string]any) map[string]any {
	rest := maps.Clone(secret)
	delete(rest, "data")
	delete(rest, "stringData")
	return rest
}

// drawnKeys returns the keys whose values look as if both had been drawn at random, sorted.
func drawnKeys(old, now map[string]string) []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(old)) {
		if a, b := old[key], now[key]; a != b && (looksDrawn(a, b) || pemBlock(a) != "" && pemBlock(a) == pemBlock(b)) {
			keys = append(keys, key)
		}
	}
	return keys
}

// shortestDrawn is the least length of what counts as drawn: fewer letters may differ by chance.
const shortestDrawn = 8

// looksDrawn says whether two values have one length, consist of mixed letters and digits, and have hardly a letter in
// common. What consists of hexadecimal digits may be a checksum of something that somebody has changed.
func looksDrawn(a, b string) bool {
	if len(a) != len(b) || len(a) < shortestDrawn || !mixed(a) || !mixed(b) {
		return false
	}
	same := 0
	for i := range len(a) {
		if a[i] == b[i] {
			same++
		}
	}
	return same <= len(a)/4
}

// word matches what a generator makes: letters, digits, and the other characters of base64.
var word = lazy.Regexp(`^[A-Za-z0-9+/=_-]*$`)

// mixed says whether a text has letters of both cases or letters and digits, but is not hexadecimal.
func mixed(text string) bool {
	const lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	has := func(letters string) bool { return strings.ContainsAny(text, letters) }
	return word().MatchString(text) && has(lower[6:]+upper[6:]) && (has(lower) && has(upper) || has("0123456789"))
}

// pemBlock returns the first line of a key or a certificate, "" of any other text.
func pemBlock(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "-----BEGIN ") {
		return line
	}
	return ""
}
