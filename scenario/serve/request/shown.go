package request

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// WantsTable reports whether the client asks for a table, as kubectl get does. metadata reports whether it asks for
// the metadata alone.
func (q *Request) WantsTable() bool { return q.Form.As == "Table" }

func (q *Request) MetadataOnly() bool { return strings.HasPrefix(q.Form.As, "PartialObjectMetadata") }

// ApiVersion is the version of the meta.k8s.io types in an answer.
func (f Form) ApiVersion() string { return kinds.JoinGroup(metav1.GroupName, cmp.Or(f.version, "v1")) }

// Partial returns an object with its metadata alone.
func (q *Request) Partial(o *objects.Object) map[string]any {
	return map[string]any{"apiVersion": q.Form.ApiVersion(), "kind": "PartialObjectMetadata",
		"metadata": o.Fields["metadata"]}
}

// Raw is JSON that is sent as it is.
type Raw []byte

// MarshalJSON returns the JSON.
func (r Raw) MarshalJSON() ([]byte, error) { return r, nil }

// Item returns an object as an item of a list: items of built-in kinds omit their kind and version.
func (q *Request) Item(o *objects.Object) Raw {
	if q.Kind.Schema != nil {
		return o.JSON()
	}
	return untyped(o.JSON())
}

// untyped returns the JSON of an object without its apiVersion and its kind. The JSON has no spaces.
func untyped(data []byte) []byte {
	out, from := append(make([]byte, 0, len(data)), '{'), 1
	for from < len(data)-1 {
		to := from + fieldEnd(data[from:])
		part := data[from:to]
		if !bytes.HasPrefix(part, []byte(`"apiVersion":`)) && !bytes.HasPrefix(part, []byte(`"kind":`)) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, part...)
		}
		from = to + 1
	}
	return append(out, '}')
}

// fieldEnd returns the length of the first field of the inside of an object of JSON.
func fieldEnd(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(data)
}

// Part returns the part of a list that the request asks for, after the key of the last object of the previous part.
// The number of remaining objects is not given if a selector would have to be evaluated for it.
func (q *Request) Part(all []*objects.Object, version uint64, after model.Key) (
	[]*objects.Object, map[string]any,
) {
	meta := map[string]any{"resourceVersion": strconv.FormatUint(version, 10)}
	for len(all) > 0 && all[0].Key.Compare(after) <= 0 {
		all = all[1:]
	}
	if limit, err := strconv.Atoi(q.Query.Get("limit")); err == nil && limit > 0 && len(all) > limit {
		meta["continue"] = Continues(version, all[limit-1].Key)
		if q.Query.Get("labelSelector")+q.Query.Get("fieldSelector") == "" {
			meta["remainingItemCount"] = len(all) - limit
		}
		all = all[:limit]
	}
	return all, meta
}
