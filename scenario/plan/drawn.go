package plan

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/sim/render"
)

// A chart may draw a password at each render. A checksum of it in the template then replaces all pods, although nobody
// has changed anything. Nothing is ever printed of a Secret but its name and its keys.

// drawn is a Secret whose data changes in keys that look drawn at random, and in what is made from them.
type drawn struct {
	thing
	// keys are those that look drawn, sorted. alone says that nothing but the data changes, such as a label.
	keys  []string
	alone bool
}

// drawnIn compares an object in both streams; nil if it is no such Secret.
func drawnIn(t thing, before, after *yaml.Node) *drawn {
	if t.kind != "Secret" || before == nil || after == nil {
		return nil
	}
	was, is := map[string]any{}, map[string]any{}
	if before.Decode(&was) != nil || after.Decode(&is) != nil {
		return nil
	}
	old, now := valuesOf(was), valuesOf(is)
	d := &drawn{thing: t, keys: drawnKeys(old, now)}
	var pairs []string
	for _, key := range d.keys {
		pairs = append(pairs, old[key], now[key])
	}
	renew := strings.NewReplacer(pairs...)
	for _, key := range slices.Sorted(maps.Keys(old)) {
		if _, there := now[key]; !there || renew.Replace(old[key]) != now[key] {
			return nil
		}
	}
	if len(d.keys) == 0 || len(old) != len(now) {
		return nil
	}
	d.alone = reflect.DeepEqual(besideData(was), besideData(is))
	return d
}

// valuesOf returns the values of a Secret, or of a ConfigMap, as the pods read them. One that is no base64 is taken as
// it is.
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

// besideData returns what a Secret says beside its values.
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

// mixed says whether a text consists of letters of both cases or of letters and digits, but not of hexadecimal digits
// alone.
func mixed(text string) bool {
	var lower, upper, digit, beyond bool
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z':
			lower = true
		case r >= 'A' && r <= 'Z':
			upper = true
		case unicode.IsDigit(r):
			digit = true
		case !strings.ContainsRune("+/=-_", r):
			return false
		}
		beyond = beyond || r >= 'g' && r <= 'z' || r >= 'G' && r <= 'Z'
	}
	return beyond && (lower && upper || digit)
}

// pemBlock returns the first line of a key or a certificate, "" of any other text.
func pemBlock(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "-----BEGIN ") {
		return line
	}
	return ""
}

// mostDrawn is how many keys of Secrets are named before the list is shortened.
const mostDrawn = 4

// redrawn says of a set whose template has a new checksum that each render seems to draw new values of a Secret which
// its pods read. It says that this is the only cause if the template has nothing else new, and nothing else changes
// that a checksum could be of.
func (in *Input) redrawn(e *edit) []string {
	if len(in.drawn) == 0 || e.live == nil || e.wanted == nil || !e.rolls() {
		return nil
	}
	secrets, keys := in.drawnFor(e)
	sums, others := checksums(e.set.Changes)
	of := slices.IndexFunc(sums, func(name string) bool {
		return strings.Contains(name, "secret") || strings.Contains(name, "password")
	})
	named := render.And(keys)
	if len(keys) > mostDrawn {
		named = render.List(keys, mostDrawn-1)
	}
	seems := "each render of the chart seems to generate " + render.Agree(len(keys), "a new value", "new values") +
		" of " + named + " in " + render.And(secrets)
	avoid := render.Agree(len(keys), "To avoid that, keep the old value: set existingSecret, or let the chart look it up",
		"To avoid that, keep the old values: set existingSecret, or let the chart look them up") +
		" in the cluster (helm template cannot)"
	switch {
	case len(secrets) == 0 || len(sums) == 0:
		return nil
	case others == 0 && in.onlyDrawn(e):
		return []string{seems + ", and nothing else causes this rollout. " + avoid}
	case of >= 0:
		return []string{seems + ", so " + sums[of] + " changes, and the pods restart, even if nothing else changes. " + avoid}
	}
	return nil
}

// checksums returns the names of the annotations of a template that change and that are checksums, and how many other
// fields of the template change.
func checksums(changes []diff.Change) (names []string, others int) {
	for _, c := range diff.Under(changes, "spec.template.") {
		if strings.Contains(c.Path, ".annotations[") && strings.Contains(c.Names()[0], "checksum") {
			names = append(names, c.Names()[0])
		} else {
			others++
		}
	}
	return names, others
}

// drawnFor names the drawn Secrets that the pods of a set read, and their keys.
func (in *Input) drawnFor(e *edit) (secrets, keys []string) {
	read := reads(e.shown())
	for _, d := range in.drawn {
		if slices.Contains(read, d.thing) {
			secrets, keys = append(secrets, "Secret "+d.name), append(keys, d.keys...)
		}
	}
	return secrets, keys
}

// onlyDrawn says whether drawn Secrets are all that changes of what the pods of a set may read.
func (in *Input) onlyDrawn(e *edit) bool {
	for _, t := range in.changed {
		if t.namespace != e.pair.Key.Namespace || t.kind != "ConfigMap" && t.kind != "Secret" {
			continue
		}
		if !slices.ContainsFunc(in.drawn, func(d *drawn) bool { return d.thing == t && d.alone }) {
			return false
		}
	}
	return true
}
