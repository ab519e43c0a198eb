package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// plainSet is the set that the recorded requests begin with.
const plainSet = `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}, "spec": {"replicas": 3, "serviceName": "web",
  "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "a"}]}},
  "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}`

// TestRecordedRefusals sends 44 requests that the API servers of several versions were asked, and holds the
// answers to theirs. A request is create|PATCH, or update|PATCH|PATCH: merge patches of the plain set. The set that is
// updated is stored as it is, whether or not the API server would accept it.
func TestRecordedRefusals(t *testing.T) {
	files, err := filepath.Glob("testdata/recordings/refusals-*.txt")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 2)
	for _, file := range files {
		version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "refusals-"), ".txt")
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		recorded := strings.Split(strings.TrimSpace(string(data)), "== ")[1:]
		require.Len(t, recorded, 44)
		for _, one := range recorded {
			request, answer, _ := strings.Cut(strings.TrimSpace(one), "\n")
			t.Run(version+" "+request, func(t *testing.T) {
				require.Equal(t, strings.TrimSpace(answer), answered(t, version, request))
			})
		}
	}
}

// answered returns the refusal of a request, or "accepted".
func answered(t *testing.T, version, request string) string {
	t.Helper()
	parts := strings.Split(request, "|")
	text := fmt.Sprintf("kubernetes: %q\nuntil: 1m\n", version)
	first := patched(t, plainSet, parts[1])
	stored := patched(t, first, `{"metadata": {"namespace": "default", "uid": "u", "generation": 1}}`)
	if len(parts) == 2 {
		text += "steps:\n- create: " + first + "\n  refused: StatefulSet\n"
	} else {
		text += "start: stored.yaml\nsteps:\n- at: 0s\n  replace: " + patched(t, first, parts[2]) + "\n  refused: StatefulSet\n"
	}
	s, err := scenario.Parse("f", []byte(text), fstest.MapFS{"stored.yaml": {Data: []byte(stored)}}, scenario.Options{})
	require.NoError(t, err)
	for _, e := range s.Run(scenario.RunOptions{}).Timeline {
		if e.Kind == timeline.KindStep && e.Step.Number == 1 && e.Step.Refusal != "" {
			return e.Step.Refusal
		}
	}
	return "accepted"
}

// patched returns a JSON object with a merge patch applied; "" is none.
func patched(t *testing.T, object, patch string) string {
	t.Helper()
	if patch == "" {
		return object
	}
	data, err := jsonpatch.MergePatch([]byte(object), []byte(patch))
	require.NoError(t, err)
	return string(data)
}
