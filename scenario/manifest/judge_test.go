package manifest_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/store"
)

// server is a simulated API server of a version.
func server(t *testing.T, version string) store.Writer {
	profile, err := statefulset.Lookup(version)
	require.NoError(t, err)
	return store.New(profile.API(), func() model.Time { return 0 }).As(store.By{})
}

// TestJudged holds what becomes of changes of public manifests to what the API server's own strategy of 1.37 says of
// them. The manifests are read where they lie.
func TestJudged(t *testing.T) {
	files, err := filepath.Glob("../../../shared/manifests/*/*.judge")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("there are no public manifests here")
	}
	judged, refused, unread := 0, 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		base := strings.TrimSuffix(file, ".judge")
		after := readStream(t, base+"-new.yaml", false)
		for line := range strings.Lines(string(data)) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 4)
			before := readStream(t, base+"-"+words[0]+".yaml", true)
			if words[1] == "PARSE" {
				require.Error(t, errors.Join(before.Err(), after.Err()), "%s: %s", file, line)
				unread++
				continue
			}
			want := words[2]
			if want == "REFUSED" {
				want += " " + field(words[3])
				refused++
			}
			judged++
			require.Equal(t, want, verdictOf(t, before.sets[words[1]], after.sets[words[1]]), "%s: %s", file, line)
		}
	}
	t.Logf("%d changes judged, %d of them refused, and %d that cannot be read: all agree", judged, refused, unread)
}

// field is the field that a refusal begins with.
func field(text string) string { return regexp.MustCompile(`^\[?([^:]+):`).FindStringSubmatch(text)[1] }

// verdictOf says what the simulated API server makes of the change of a set that runs.
func verdictOf(t *testing.T, old, updated *manifest.Set) string {
	if old == nil || updated == nil {
		return "absent"
	}
	s := server(t, "1.37")
	runs, err := old.NewApplied("default")
	require.Nil(t, err)
	runs.UID = 1
	s.Restore(store.Objects{Sets: []*model.StatefulSet{runs}})
	wanted, _, err := updated.Apply(s.Set(runs.Key()))
	if err == nil {
		_, err = s.UpdateSet(wanted)
	}
	if err != nil {
		return "REFUSED " + field(strings.SplitN(err.Message, " is invalid: ", 2)[1])
	}
	return "ok"
}

// stream is a file of manifests, with its sets by their keys.
type stream struct {
	*strict.Reader
	sets map[string]*manifest.Set
}

func readStream(t *testing.T, file string, runs bool) stream {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	parsed := strict.ParseStream(file, data, strict.Limits{})
	s := stream{parsed.Reader(file, strict.Limits{}), map[string]*manifest.Set{}}
	s.Lenient = runs
	for _, set := range manifest.Read(s.Reader, parsed.Docs).Sets {
		s.sets[set.Namespace("default")+"/"+set.Object.Name] = set
	}
	return s
}
