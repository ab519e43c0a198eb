package manifest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestRevisionNames holds the names of revisions against those that Kubernetes' own code gives, for random templates in
// each version. The files VERSION.txt have a name a line, of the set in that line of sets.jsonl. The names in testdata
// are a sample; .ci/tasks/names makes a folder with more of them, and gives it as NAMES.
func TestRevisionNames(t *testing.T) {
	folder := os.Getenv("NAMES")
	if folder == "" {
		folder = "testdata/names"
	}
	sets := namedSets(t, filepath.Join(folder, "sets.jsonl"))
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		kubernetes := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(kubernetes, func(t *testing.T) {
			profile, err := statefulset.Lookup(kubernetes)
			require.NoError(t, err)
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for i, want := range strings.Fields(string(data)) {
				var object appsv1.StatefulSet
				require.NoError(t, kube.Unmarshal(sets[i].Set, &object))
				set := manifest.Model(&object)
				template := set.Spec.Template.In(profile.API().Minor)
				got := profile.RevisionName(set.Name, template, sets[i].Collisions)
				if got != want {
					t.Errorf("line %d: %s, and not %s\n%s\n%s", i+1, want, got, sets[i].Set, template.Data)
				}
			}
		})
	}
}

// TestNamedSets writes the sets of a folder that has none yet: NAMES names it, and NAMES_N says how many.
func TestNamedSets(t *testing.T) {
	folder, n := os.Getenv("NAMES"), os.Getenv("NAMES_N")
	if folder == "" || n == "" {
		t.Skip("for .ci/tasks/names")
	}
	count, err := strconv.Atoi(n)
	require.NoError(t, err)
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	random := rand.New(rand.NewPCG(seed, 0))
	var lines bytes.Buffer
	for range count {
		line, err := json.Marshal(drawNamedSet(random))
		require.NoError(t, err)
		fmt.Fprintf(&lines, "%s\n", line)
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "sets.jsonl"), lines.Bytes(), 0o644))
}

func namedSets(t *testing.T, file string) []namedSet {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var sets []namedSet
	for decoder := json.NewDecoder(bytes.NewReader(data)); decoder.More(); {
		var of namedSet
		require.NoError(t, decoder.Decode(&of))
		sets = append(sets, of)
	}
	return sets
}
