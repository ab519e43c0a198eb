package timeline

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// samples are lines of which some are plain and some only look so.
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

// TestPlainLines breaks lines in all ways: what is read without encoding/json is read as with it, and what is refused
// by it is not read.
func TestPlainLines(t *testing.T) {
	var p plain
	pieces := []string{
		"", " ", ",", "{", "}", `"`, `\`, "0", "01", "1.", ".5", "-1", "1e3", "9999999999", "null", "true", `"a"`, `"T":1,`,
		`"t":2,`, `"status":{"replicas":1},`, `"pod":"x",`, `"have":3000000000,`, `"x":[1],`, "\u00e9", "\x00", "[]",
	}
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(samples).Draw(t, "line")
		for range rapid.IntRange(0, 3).Draw(t, "breaks") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			end := min(len(text), at+rapid.IntRange(0, 3).Draw(t, "dropped"))
			text = text[:at] + rapid.SampledFrom(pieces).Draw(t, "piece") + text[end:]
		}
		if requireAsJSON(t, &p, []byte(text)) {
			read++
		}
	})
	require.NotZero(t, read)
}

// TestPlainTimelines reads recorded timelines, and each of the frequent kinds of line as it is written.
func TestPlainTimelines(t *testing.T) {
	archives, err := filepath.Glob("../output/report/testdata/*.txtar")
	require.NoError(t, err)
	var p plain
	all, simple := 0, 0
	for _, archive := range archives {
		text, err := txtar.ParseFile(archive)
		require.NoError(t, err)
		for _, file := range text.Files {
			if filepath.Ext(file.Name) != ".jsonl" {
				continue
			}
			for line := range bytes.SplitSeq(bytes.TrimSpace(file.Data), []byte("\n")) {
				if all++; requireAsJSON(t, &p, line) {
					simple++
				}
			}
		}
	}
	require.NotZero(t, all)
	t.Logf("%d of %d lines are plain", simple, all)
	for _, sample := range samples[1:4] {
		require.True(t, requireAsJSON(t, &p, []byte(sample)), sample)
	}
	require.False(t, requireAsJSON(t, &p, []byte(strings.ReplaceAll(samples[1], ":", ": "))))
}

// requireAsJSON says whether a line is plain, and holds what is read then to what encoding/json makes of it.
func requireAsJSON(t require.TestingT, p *plain, text []byte) bool {
	var l line
	if !p.read(text, &l) {
		return false
	}
	is, plainErr := l.decode()
	want, err := parseLine(text)
	require.Equal(t, err, plainErr, "%s", text)
	require.Equal(t, want, is, "%s", text)
	return true
}
