package corpus_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/corpus"
)

func TestArchive(t *testing.T) {
	known := []corpus.Known{
		{Name: "a", Scenario: []byte("steps: []\n"), Truth: []byte("0 web-0=app:v1:Pending\n")},
		{Name: "differ/b", Scenario: []byte("{}\n"), Truth: []byte{}},
	}
	data := corpus.FormatArchive("Two cases.\n", known)
	require.Equal(t, "Two cases.\n-- a.yaml --\nsteps: []\n-- a.truth --\n0 web-0=app:v1:Pending\n"+
		"-- differ/b.yaml --\n{}\n-- differ/b.truth --\n", string(data))
	again, err := corpus.ParseArchive(data)
	require.NoError(t, err)
	require.Equal(t, known, again)
}

func TestArchiveRefuses(t *testing.T) {
	for text, message := range map[string]string{
		"-- a.yaml --\n":                                             "the archive has 1 files: each NAME.yaml has one NAME.truth after it",
		"-- a.truth --\n-- a.yaml --\n":                              "a.truth comes before a.yaml: each NAME.yaml has one NAME.truth after it",
		"-- a.yaml --\n-- b.truth --\n":                              "a.yaml comes before b.truth: each NAME.yaml has one NAME.truth after it",
		"-- a.yaml --\n-- a.truth --\n-- a.yaml --\n-- a.truth --\n": "a is there twice",
	} {
		_, err := corpus.ParseArchive([]byte(text))
		require.EqualError(t, err, message)
	}
}
