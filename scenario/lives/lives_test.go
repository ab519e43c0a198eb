package lives

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var rewriteLives = flag.Bool("lives", false, "write testdata/recordings/lives.txtar anew from the recordings beside the project")

// TestLives plays what was recorded on whole control planes of 1.36.3, 1.37.1 and 1.37.2, with kubectl, garbage
// collector, volume binder, scheduler, disruption and node controllers, and compares all that can be seen from outside:
// what becomes of each pod, claim and revision, and in which order; who deletes pods; addresses, budgets, drains,
// refusals and warnings. What differs is in a table with its reason, and differs in nothing else; what agrees may only grow.
// Where the reason is chance, and a scenario can say how it fell, the run agrees in everything once it does.
func TestLives(t *testing.T) {
	if *rewriteLives {
		require.NoError(t, os.WriteFile("../testdata/recordings/lives.txtar", recordedLives(t), 0o644))
	}
	livesAgree(t, livesArchive{"../testdata/recordings/lives.txtar", 204, Differ})
}

// TestOwnLives does the same with the project's own recordings: testdata/recordings/README.md says how they were made.
// The runs agree with all of them in everything.
func TestOwnLives(t *testing.T) {
	livesAgree(t, livesArchive{"../testdata/recordings/own.txtar", 123, nil})
}

// livesArchive is an archive of recordings: how many there are, and which of them differ.
type livesArchive struct {
	file  string
	count int
	known map[string]deviation
}

func livesAgree(t *testing.T, of livesArchive) {
	archive, err := txtar.ParseFile(of.file)
	require.NoError(t, err)
	require.Len(t, archive.Files, 2*of.count)
	for i := 0; i < len(archive.Files); i += 2 {
		name := strings.TrimSuffix(archive.Files[i].Name, ".yaml")
		t.Run(name, func(t *testing.T) {
			var want Lives
			require.NoError(t, json.Unmarshal(archive.Files[i+1].Data, &want))
			want.agrees(t, name, archive.Files[i].Data, of.known)
		})
	}
}

// agrees holds a run to what was recorded. known are the recordings that differ.
func (l *Lives) agrees(t *testing.T, name string, text []byte, known map[string]deviation) {
	differences := l.Against(playLife(t, name, text))
	if known, differs := known[name]; differs {
		require.NotEmpty(t, differences, "it agrees now: take it out of the table (%s)", known.why)
		for _, d := range differences {
			require.Regexp(t, known.pattern, d, "another reason than: %s", known.why)
		}
		known.agreesWithItsLuck(t, name, text, l)
		return
	}
	require.Empty(t, differences, strings.Join(differences, "\n"))
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	return files
}

// TestLivesAreTheRecordings holds the copies in testdata to the recordings, where these lie beside the project.
func TestLivesAreTheRecordings(t *testing.T) {
	if len(glob(t, "../../../shared/life/*.real.jsonl")) == 0 {
		t.Skip("the recordings do not lie beside the project")
	}
	want, err := os.ReadFile("../testdata/recordings/lives.txtar")
	require.NoError(t, err)
	require.Equal(t, string(want), string(recordedLives(t)))
}

// recordedLives makes the archive from the recordings.
func recordedLives(t *testing.T) []byte {
	var archive txtar.Archive
	for _, folder := range []string{"life", "life-1.37", "life-1.37.2"} {
		for _, file := range glob(t, "../../../shared/"+folder+"/*.real.jsonl") {
			stem := strings.TrimSuffix(file, ".real.jsonl")
			text, err := os.ReadFile(stem + ".yaml")
			require.NoError(t, err)
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			truth, err := json.MarshalIndent(Of(t, data), "", " ")
			require.NoError(t, err)
			name := folder + "/" + filepath.Base(stem)
			archive.Files = append(archive.Files,
				txtar.File{Name: name + ".yaml", Data: text}, txtar.File{Name: name + ".truth", Data: append(truth, '\n')})
		}
	}
	return txtar.Format(&archive)
}

// playLife plays a scenario and reads its timeline as a recording is read.
func playLife(t *testing.T, name string, text []byte) *Lives {
	s, err := scenario.Parse(name, text, nil, scenario.Options{})
	require.NoError(t, err)
	var run []byte
	for _, e := range s.Run(scenario.RunOptions{}).Timeline {
		run = append(timeline.AppendJSON(run, &e), '\n')
	}
	return Of(t, run)
}

// agreesWithItsLuck plays the scenario with what was chance, and finds no difference any more. So the model has what
// happened, and only chance chose it.
func (d deviation) agreesWithItsLuck(t *testing.T, name string, text []byte, want *Lives) {
	if d.luck.lines == "" && d.luck.late == nil {
		return
	}
	lucky := d.luck.in(t, text)
	differences := want.Against(playLife(t, name, lucky))
	if d.luck.rest == "" {
		require.Empty(t, differences, "with the luck of the recording:\n%s", lucky)
	}
	require.Less(t, len(differences), len(want.Against(playLife(t, name, text))))
	for _, left := range differences {
		require.Regexp(t, d.luck.rest, left, "with the luck of the recording:\n%s", lucky)
	}
}

// in returns the scenario with its luck.
func (l luck) in(t *testing.T, text []byte) []byte {
	for on, late := range l.late {
		require.Contains(t, string(text), on)
		text = []byte(strings.Replace(string(text), on, late, 1))
	}
	var of, lines map[string]any
	require.NoError(t, yaml.Unmarshal(text, &of))
	require.NoError(t, yaml.Unmarshal([]byte(l.lines), &lines))
	for key, value := range lines {
		block, both := of[key].(map[string]any)
		more, maybe := value.(map[string]any)
		if both && maybe {
			maps.Copy(block, more)
			continue
		}
		of[key] = value
	}
	lucky, err := yaml.Marshal(of)
	require.NoError(t, err)
	return lucky
}
