package strict

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// skimmedFrom is the size above which an object that is never read is skimmed. Below it the parser is quick enough.
const skimmedFrom = 32 << 10

// identity are the fields that are left of an object that is skimmed.
var identity = []string{"apiVersion", "kind", "metadata"}

// fieldLine matches a line that starts a field of an object, as kubectl and Helm write it.
var fieldLine = lazy.Regexp(`^([A-Za-z]+):(?:[ \t]+(\S.*?))?\s*$`)

// unread reports whether only the identity of an object counts, whatever the file is for: it is not a built-in
// Kubernetes object that affects pods, and scales nothing. Some of these have megabytes, mostly the definitions of
// custom resources.
func unread(version, kind string, text []byte) bool {
	group, _, _ := strings.Cut(version, "/")
	custom := strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
	return kind == "CustomResourceDefinition" || custom && !bytes.Contains(text, []byte("scaleTargetRef"))
}

// digest replaces the omitted part of an object, so that a changed object still differs.
func digest(text []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(text)
	return fmt.Sprintf(`"%016x"`, h.Sum64())
}

// skim returns a text that keeps only the identity of large objects that are never read. All other lines stay where
// they are. JSON stays whole, and so does an object that is not written as kubectl and Helm write it.
func skim(data []byte) []byte {
	if len(data) < skimmedFrom || bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return data
	}
	skimmed := make([]byte, 0, len(data))
	from, at, indent := 0, 0, 0
	next := func(begins int) {
		skimmed = append(skimmed, skimYAML(data[from:at], indent)...)
		from, indent = at, begins
	}
	for line := range bytes.Lines(data) {
		switch {
		case bytes.HasPrefix(line, []byte("---")):
			next(0)
		case bytes.HasPrefix(line, []byte("- ")):
			next(2)
		case indent > 0 && !bytes.ContainsAny(line[:1], " #\r\n"):
			next(0)
		}
		at += len(line)
	}
	next(0)
	return skimmed
}

// skimYAML skims the text of an object: a document, or an item of a List, whose fields are indented. It has as many
// lines then as before.
func skimYAML(text []byte, indent int) []byte {
	if len(text) < skimmedFrom {
		return text
	}
	var kept, left []byte
	object, field, digestAt := map[string]string{}, "", 0
	for line := range bytes.Lines(text) {
		name, value, ok := topField(line, indent)
		if _, twice := object[name]; !ok || twice && name != "" {
			return text
		}
		if name != "" {
			field, object[name] = name, value
		}
		if field == "" || slices.Contains(identity, field) {
			kept = append(kept, line...)
			continue
		}
		if left == nil {
			digestAt = len(kept)
		}
		left, kept = append(left, line...), append(kept, '\n')
	}
	if left == nil || bytes.ContainsAny(kept, "&*") || !unread(object["apiVersion"], object["kind"], left) {
		return text
	}
	return slices.Insert(kept, digestAt, []byte(strings.Repeat(" ", indent)+"spec: "+digest(left))...)
}

// topField returns the field of an object that starts in a line, "" if none does. ok is false for a line that such
// an object does not have.
func topField(line []byte, indent int) (name, value string, ok bool) {
	own, dash := bytes.CutPrefix(line, []byte("- "))
	if !dash && indent > 0 {
		own = bytes.TrimPrefix(line, []byte("  "))
	}
	if own[0] == ' ' || own[0] == '#' || len(bytes.TrimSpace(own)) == 0 || bytes.HasPrefix(own, []byte("---")) {
		return "", "", true
	}
	match := fieldLine().FindSubmatch(own)
	if match == nil || dash && string(match[1]) != "apiVersion" {
		return "", "", false
	}
	return string(match[1]), strings.Trim(string(match[2]), `"'`), true
}
