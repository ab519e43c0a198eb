package statefulset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// RevisionName returns the name that a set's revision of a template gets after that many collisions. It is the name
// that a real cluster gives it, as long as template.Data is the text that the version serializes.
func RevisionName(set string, template *model.Template, collisions int32) string {
	return revisionName(set, revisionHash(template.Data, collisions))
}

// revisionName returns the name of a revision. A name may have at most 253 bytes, so a long name of the set is cut.
// Upstream cuts at 223 as well: 253 without room for the hash.
func revisionName(set, hash string) string {
	if len(set) > 223 {
		set = set[:223]
	}
	return set + "-" + hash
}

// revisionHash returns the hash in a revision's name: FNV-32 of the patch that the revision holds and of the
// collision count, as a decimal number in an alphabet that makes no bad words (upstream: HashControllerRevision). The
// patch is hashed in parts, so that a long template is not copied.
func revisionHash(data string, collisions int32) string {
	replacing, fields := replacing(data)
	var digits [10]byte
	hash := fnv32(fnvOffset, `{"spec":{"template":`)
	hash = fnv32(fnv32(hash, replacing), fields)
	hash = fnv32(fnv32(hash, `}}`), strconv.Itoa(int(collisions)))
	return safeEncode(strconv.AppendUint(digits[:0], uint64(hash), 10))
}

// fnvOffset is the FNV-32 hash of nothing, and fnv32 that of a text behind what has been hashed before. It is that of
// package hash/fnv, which takes no strings.
const fnvOffset uint32 = 2166136261

// fnv32 returns the hash of a text behind what the hash given stands for. It multiplies first, so it is FNV-1 and not
// FNV-1a: fnv.New32, which upstream uses.
func fnv32(hash uint32, text string) uint32 {
	for i := range len(text) {
		hash = hash*16777619 ^ uint32(text[i])
	}
	return hash
}

// replacing turns a template into the patch that puts it in the place of another one, in two parts that follow each
// other. Text that is no JSON object stays as it is.
func replacing(data string) (head, fields string) {
	fields, isObject := strings.CutPrefix(data, "{")
	switch {
	case !isObject:
		return "", data
	case fields == "}":
		return `{"$patch":"replace"}`, ""
	}
	return `{"$patch":"replace",`, fields
}

// safeEncode spells a number without vowels, and without the digits that look like them, in place (upstream:
// rand.SafeEncodeString).
func safeEncode(digits []byte) string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	for i := range digits {
		digits[i] = alphabet[int(digits[i])%len(alphabet)]
	}
	return string(digits)
}

// holdsTemplate says whether a revision is one of the set's template. Up to 1.33 the hash labels count as well if
// both are decimal numbers (hash-label).
func (s *sync) holdsTemplate(revision *model.Revision) bool {
	template := s.set.Spec.Template
	if !sameTemplate(revision.Template, template) || revision.Form.Differs(s.form()) {
		return false
	}
	if !s.profile.HashLabel {
		return true
	}
	number, isNumber := hashNumber(revision.Labels[labelHash])
	if !isNumber {
		return true
	}
	own, isNumber := hashNumber(revisionHash(s.written(), s.collisions))
	return !isNumber || own == number
}

// sameRevision says whether two revisions count as equal (upstream: EqualRevision). A form that is not known is equal
// to any.
func (s *sync) sameRevision(a, b *model.Revision) bool {
	if a == b {
		return true
	}
	if !sameTemplate(a.Template, b.Template) || a.Form.Differs(b.Form) {
		return false
	}
	if !s.profile.HashLabel {
		return true
	}
	hashA, isNumberA := hashNumber(a.Labels[labelHash])
	hashB, isNumberB := hashNumber(b.Labels[labelHash])
	return !isNumberA || !isNumberB || hashA == hashB
}

// hashNumber reads a hash label as a decimal number. About one label in two hundred is one, since the alphabet has
// seven digits among its 27 letters.
func hashNumber(label string) (int64, bool) {
	if label == "" || strings.Trim(label, "0123456789") != "" {
		return 0, false
	}
	number, err := strconv.ParseInt(label, 10, 32)
	return number, err == nil
}

// sameTemplate says whether two templates are the same text, whatever they mean: upstream compares bytes.
func sameTemplate(a, b *model.Template) bool { return a == b || a.Data == b.Data }

// sameMeaning says whether two templates differ only in a creation timestamp that is null, which versions before 1.34
// write into every template and 1.34 does not (issue 134773).
func sameMeaning(a, b *model.Template) bool {
	return withoutNullTimestamp(a.Data) == withoutNullTimestamp(b.Data)
}

// form says how the version serializes templates.
func (s *sync) form() model.RevisionForm {
	if s.profile.NullTimestamps {
		return model.FormNullTimestamp
	}
	return model.FormNoTimestamp
}

// written returns the set's template as the version writes it down.
func (s *sync) written() string {
	if s.profile.NullTimestamps {
		return withNullTimestamp(s.set.Spec.Template.Data)
	}
	return s.set.Spec.Template.Data
}

// withNullTimestamp returns the template with a creation timestamp that is null in its metadata. Text that is no
// template with metadata stays as it is.
func withNullTimestamp(data string) string {
	var template, metadata map[string]json.RawMessage
	if json.Unmarshal([]byte(data), &template) != nil || json.Unmarshal(template["metadata"], &metadata) != nil {
		return data
	}
	metadata["creationTimestamp"] = json.RawMessage("null")
	template["metadata"] = encoded(metadata)
	return string(encoded(template))
}

// encoded writes an object with its fields in the order of their names, and nothing in it escaped that was not.
func encoded(object map[string]json.RawMessage) json.RawMessage {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		panic(fmt.Sprintf("statefulset: %v in what was read as JSON before", err))
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// withoutNullTimestamp takes each creationTimestamp null out of a template, with one comma. It works on the text,
// because it only serves a comparison of two texts.
func withoutNullTimestamp(data string) string {
	const null = `"creationTimestamp":null`
	data = strings.ReplaceAll(data, null+",", "")
	data = strings.ReplaceAll(data, ","+null, "")
	return strings.ReplaceAll(data, null, "")
}
