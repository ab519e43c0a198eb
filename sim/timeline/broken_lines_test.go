package timeline

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// samples are lines as they are written.
var samples = []string{
	`{"t":0,"event":"run","format":1,"seed":0}`,
	`{"t":1.5,"event":"pod","actor":"kubelet","pod":"web-1","state":"Ready","template":2,"revision":1,"image":"a:b",` +
		`"node":"n","statefulset":"web","namespace":"default","uid":"uid-7","nth":1,"bare":true}`,
	`{"t":3.000000001,"event":"wait","actor":"controller","pod":"web-0","reason":"WaitingForPodReady","message":"x",` +
		`"statefulset":"web","namespace":"default","rule":"r","object":"web-0","have":1,"want":2,"ready":false,` +
		`"ended":true,"since":0.25}`,
	`{"t":3,"event":"status","actor":"controller","statefulset":"web","namespace":"default","status":{` +
		`"observedGeneration":1,"replicas":3,"readyReplicas":2,"availableReplicas":2,"currentReplicas":3,` +
		`"updatedReplicas":0,"currentRevision":"web-a","updateRevision":"web-b","collisionCount":0}}`,
	`{"t":3,"event":"k8sEvent","actor":"controller","reason":"SuccessfulCreate","message":"a \"b\" \u0041 é",` +
		`"statefulset":"web","namespace":"default","type":"Warning","passing":true}`,
}

// TestBrokenLines breaks lines in all ways: what is no JSON is refused as such, and what is read can be written and read
// again.
func TestBrokenLines(t *testing.T) {
	pieces := []string{
		"", " ", ",", "{", "}", `"`, `\`, "0", "01", "1.", ".5", "-1", "1e3", "9999999999", "null", "true", `"a"`, `"T":1,`,
		`"t":2,`, `"status":{"replicas":1},`, `"pod":"x",`, `"have":3000000000,`, `"x":[1],`, "\u00e9", "\x00", "[]", ":", "+1",
	}
	line := codec{reads: true}
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(samples).Draw(t, "line")
		for range rapid.IntRange(0, 3).Draw(t, "breaks") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			end := min(len(text), at+rapid.IntRange(0, 3).Draw(t, "dropped"))
			text = text[:at] + rapid.SampledFrom(pieces).Draw(t, "piece") + text[end:]
		}
		trimmed := bytes.TrimSpace([]byte(text))
		if len(trimmed) == 0 {
			return
		}
		isJSON := trimmed[0] == '{' && json.Valid(trimmed)
		e, err := line.parse(trimmed)
		require.Equal(t, !isJSON, err == errNotJSON, "%s", text)
		if err == nil && e.Kind != 0 {
			read++
			requireSame(t, &line, e)
		}
	})
	require.NotZero(t, read)
}

// TestRecordedTimelines reads recorded timelines and writes them again: to the last byte they are the same.
func TestRecordedTimelines(t *testing.T) {
	archives, err := filepath.Glob("../view/report/testdata/*.txtar")
	require.NoError(t, err)
	line := codec{reads: true}
	all := 0
	for _, archive := range archives {
		text, err := txtar.ParseFile(archive)
		require.NoError(t, err)
		for _, file := range text.Files {
			if filepath.Ext(file.Name) != ".jsonl" {
				continue
			}
			for text := range bytes.SplitSeq(bytes.TrimSpace(file.Data), []byte("\n")) {
				all++
				e, err := line.parse(text)
				require.NoError(t, err)
				event := e.Event()
				// A reader relies on a template.
				want := strings.ReplaceAll(string(text), `"template":null`, `"template":{}`)
				require.Equal(t, want, string(AppendJSON(nil, &event)))
			}
		}
	}
	require.NotZero(t, all)
}

// TestSpacedLines: a line that another program has written is read as well.
func TestSpacedLines(t *testing.T) {
	line := codec{reads: true}
	for _, sample := range samples {
		want, err := line.parse([]byte(sample))
		require.NoError(t, err)
		var spaced bytes.Buffer
		require.NoError(t, json.Indent(&spaced, []byte(sample), " ", "\t"))
		is, err := line.parse(spaced.Bytes())
		require.NoError(t, err)
		require.Equal(t, want, is)
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(sample), &fields))
		shuffled, err := json.Marshal(fields)
		require.NoError(t, err)
		is, err = line.parse(shuffled)
		require.NoError(t, err)
		require.Equal(t, want, is)
	}
}

// requireSame writes what was read and reads it once more.
func requireSame(t require.TestingT, line *codec, e Entry) {
	event := e.Event()
	text := AppendJSON(nil, &event)
	again, err := line.parse(text)
	require.NoError(t, err, "%s", text)
	require.Equal(t, e, again, "%s", text)
}
