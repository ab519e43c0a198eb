package statefulset

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// RevisionName returns the name that a set's revision of a template gets after that many collisions: the name that
// a controller of the version gives it in a cluster, because template.Data is the text that the API server stores.
func (p *Profile) RevisionName(set string, template *model.Template, collisions int32) string {
	return revisionName(set, revisionHash(p.written(template), collisions))
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

// fnvOffset is the FNV-32 hash of nothing, and fnv32 continues a hash with a text. It is the same hash as in
// package hash/fnv, which does not take strings.
const fnvOffset uint32 = 2166136261

// fnv32 continues a hash with a text. It multiplies first, so it is FNV-1 and not FNV-1a: fnv.New32, which upstream
// uses.
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

// holdsTemplate reports whether a revision has the set's template. Up to 1.33 the hash labels count as well if both
// are decimal numbers (hash-label).
func (s *sync) holdsTemplate(revision *model.Revision) bool {
	template := s.set.Spec.Template
	if !sameData(revision, &model.Revision{Template: template, Form: s.form()}) {
		return false
	}
	if !s.profile.HashLabel {
		return true
	}
	number, isNumber := hashNumber(revision.Labels[labelHash])
	if !isNumber {
		return true
	}
	own, isNumber := hashNumber(revisionHash(s.profile.written(s.set.Spec.Template), s.collisions))
	return !isNumber || own == number
}

// sameRevision reports whether two revisions count as equal (upstream: EqualRevision). A form that is not known is
// equal to any.
func (s *sync) sameRevision(a, b *model.Revision) bool {
	if a == b {
		return true
	}
	if !sameData(a, b) {
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

// sameData reports whether two revisions hold the same text.
func sameData(a, b *model.Revision) bool {
	return sameTemplate(a.Template, b.Template) && !a.Form.Differs(b.Form) && a.SetName == b.SetName
}

// sameTemplate reports whether two templates are the same text, whatever they mean: upstream compares bytes.
func sameTemplate(a, b *model.Template) bool { return a == b || a.Data == b.Data }

// sameMeaning reports whether two templates differ only in a creation timestamp that is null, which versions before
// 1.34 write into every template and 1.34 does not (issue 134773).
func sameMeaning(a, b *model.Template) bool {
	return withoutNullTimestamp(a.Data) == withoutNullTimestamp(b.Data)
}

// form returns how the version serializes templates.
func (s *sync) form() model.RevisionForm {
	if s.profile.NullTimestamps {
		return model.FormNullTimestamp
	}
	return model.FormNoTimestamp
}

// written returns a template as the version writes it into a revision.
func (p *Profile) written(template *model.Template) string {
	if p.NullTimestamps || longNumber(template.Data) {
		return rewritten(template.Data, p.NullTimestamps)
	}
	return template.Data
}

// longNumber reports whether a text has so many digits in a row that they may be a number which a float64 rounds.
func longNumber(data string) bool {
	digits := 0
	for i := range len(data) {
		if data[i] < '0' || data[i] > '9' {
			digits = 0
		} else if digits++; digits > 15 {
			return true
		}
	}
	return false
}

// rewritten returns a template as upstream writes it: read into maps, where a number is a float64, and with the
// fields in the order of their names. With nullTimestamps, all of its metadata get a null creation timestamp,
// including the metadata of its volumes' claims. Text that is not a template stays as it is.
func rewritten(data string, nullTimestamps bool) string {
	var template map[string]any
	if json.Unmarshal([]byte(data), &template) != nil || template["metadata"] == nil {
		return data
	}
	if nullTimestamps {
		stamp(template)
		volumes, _ := at(template, "spec")["volumes"].([]any)
		for _, volume := range volumes {
			volume, _ := volume.(map[string]any)
			stamp(at(at(volume, "ephemeral"), "volumeClaimTemplate"))
		}
	}
	text, err := json.Marshal(template)
	if err != nil {
		panic(fmt.Sprintf("statefulset: %v in what was read as JSON before", err))
	}
	return string(text)
}

// stamp gives an object with metadata a creation timestamp that is null.
func stamp(object map[string]any) {
	if metadata := at(object, "metadata"); metadata != nil {
		metadata["creationTimestamp"] = nil
	}
}

// at returns the object in a field of an object, nil if there is none.
func at(object map[string]any, field string) map[string]any {
	below, _ := object[field].(map[string]any)
	return below
}

// withoutNullTimestamp takes each creationTimestamp null out of a template, with one comma. It works on the text,
// because it only serves a comparison of two texts.
func withoutNullTimestamp(data string) string {
	const null = `"creationTimestamp":null`
	data = strings.ReplaceAll(data, null+",", "")
	data = strings.ReplaceAll(data, ","+null, "")
	return strings.ReplaceAll(data, null, "")
}
