package strict_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestFirstList: the items of a List are found wherever its kind is, and nothing else is a List.
func TestFirstList(t *testing.T) {
	for text, want := range map[string][]string{
		`{"kind": "List", "items": []}`: {},
		"{\"apiVersion\": \"v1\", \"items\": [\n  {\"a\": [1, {}]} ,\n2, \"]\" ], \"kind\": \"PodList\", \"metadata\": {}}": {`{"a": [1, {}]}`, "2", `"]"`},
		`{"items": [1], "kind": "List"} {"kind": "Pod"}`:                                                                    {"1"},
		`{"items": [1], "items": [2, 3], "kind": "List"}`:                                                                   {"2", "3"},
		`{"items": [1], "kind": "Lists"}`:                                                                                   nil,
		`{"items": [1], "kind": 1}`:                                                                                         nil,
		`{"items": [1]}`:                                                                                                    nil,
		`{"items": null, "kind": "List"}`:                                                                                   nil,
		`{"items": {"a": [1]}, "kind": "List"}`:                                                                             nil,
		`{"spec": {"items": [1]}, "kind": "List"}`:                                                                          nil,
		`{"items": [1], "kind": "List"`:                                                                                     nil,
		`{"items": [1 2], "kind": "List"}`:                                                                                  nil,
		`[{"items": [1], "kind": "List"}]`:                                                                                  nil,
		"items: [1]\nkind: List\n":                                                                                          nil,
		"":                                                                                                                  nil,
	} {
		list := strict.FirstList([]byte(text))
		require.Equal(t, want != nil, list != nil, "%s", text)
		if list == nil {
			continue
		}
		got := []string{}
		for _, span := range list.Items {
			got = append(got, text[span.From:span.To])
		}
		require.Equal(t, want, got, "%s", text)
		require.Equal(t, strings.TrimSuffix(text, ` {"kind": "Pod"}`), text[:list.Size])
	}
}

// TestFirstListOfAny: the items are those that a decoder finds in the whole text.
func TestFirstListOfAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.MapOf(rapid.StringN(0, 3, 9), rapid.SliceOf(rapid.Int()))
		list := map[string]any{"items": rapid.SliceOf(value).Draw(t, "items"), "kind": "List",
			rapid.String().Draw(t, "key"): value.Draw(t, "more")}
		data, err := json.MarshalIndent(list, rapid.StringMatching(" *").Draw(t, "prefix"), "  ")
		require.NoError(t, err)
		var whole struct{ Items []json.RawMessage }
		require.NoError(t, json.Unmarshal(data, &whole))
		found := strict.FirstList(append(data, " {}"...))
		if list["kind"] != "List" || whole.Items == nil {
			require.Nil(t, found)
			return
		}
		require.Equal(t, len(data), found.Size)
		require.Equal(t, len(whole.Items), len(found.Items))
		for i, span := range found.Items {
			require.Equal(t, string(whole.Items[i]), string(data[span.From:span.To]))
		}
	})
}

// TestYAMLItems: the items of a List are found as kubectl prints it, and nothing else is taken for such a List.
func TestYAMLItems(t *testing.T) {
	for text, want := range map[string][]string{
		"apiVersion: v1\nitems:\n- a: 1\n  b:\n  - 2\n- c: |\n    - 3\n\n    d\nkind: List\nmetadata:\n  resourceVersion: \"\"\n": {"- a: 1\n  b:\n  - 2\n", "- c: |\n    - 3\n\n    d\n"},
		"---\r\nkind: List\r\nitems:\r\n- a: 1\r\n": {"- a: 1\r\n"},
		"items:\n- 1\nkind: List":                   {"- 1\n"},
		"kind: List\nitems:\n- 1":                   {"- 1"},
		"kind: List\nitems:\n- 1\n---\nkind: Pod\n": nil,
		"kind: List\nitems:\n- 1\n# end\n":          nil,
		"kind: List\nitems:\n- 1\nitems:\n- 2\n":    nil,
		"kind: List\nitems:\n  - 1\n":               nil,
		"kind: List\nitems:\n-\n  a: 1\n":           nil,
		"kind: List\nitems:\n\ta: 1\n":              nil,
		"kind: List\n- 1\n":                         nil,
		"kind: List\n":                              nil,
		"items:\n- 1\n":                             nil,
		"kind: PodList\nitems:\n- 1\n":              nil,
		`{"kind": "List", "items": [1]}`:            nil,
		"":                                          nil,
	} {
		var got []string
		for _, span := range strict.YAMLItems([]byte(text)) {
			got = append(got, text[span.From:span.To])
		}
		require.Equal(t, want, got, "%q", text)
	}
}

// TestYAMLItemsOfAny: the items, parsed one by one, are those of the whole List.
func TestYAMLItemsOfAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[-a :#"'\n\\|>&*]*`), rapid.StringMatching(`[ -~]*`))
		value := rapid.MapOfN(text, rapid.SliceOf(text), 1, 4)
		list := map[string]any{"apiVersion": "v1", "items": rapid.SliceOfN(value, 1, -1).Draw(t, "items"), "kind": "List"}
		var b bytes.Buffer
		encoder := yaml.NewEncoder(&b)
		encoder.SetIndent(2)
		require.NoError(t, encoder.Encode(list))
		data := bytes.ReplaceAll(b.Bytes(), []byte("\n  "), []byte("\n"))
		var whole struct{ Items []any }
		if err := yaml.Unmarshal(data, &whole); err != nil {
			t.Skip("what yaml.v3 writes it does not always read")
		}
		spans := strict.YAMLItems(data)
		require.Len(t, spans, len(whole.Items), "%s", data)
		for i, span := range spans {
			item := bytes.Clone(data[span.From:span.To])
			item[0] = ' '
			var alone any
			require.NoError(t, yaml.Unmarshal(item, &alone))
			require.Equal(t, whole.Items[i], alone)
		}
	})
}
