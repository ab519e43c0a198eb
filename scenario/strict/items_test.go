package strict_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
