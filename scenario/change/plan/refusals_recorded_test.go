package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// recordedSet is the set that the recorded requests begin with.
const recordedSet = `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}, "spec": {"replicas": 3, "serviceName": "web",
  "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "a"}]}},
  "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}`

// TestRecordedRefusals: of the 44 recorded requests a plan refuses those that the API server of its version refuses. What
// it asks the API server, it has in the words of that version; what no version accepts, it says at its place, and the
// field is one of those in the answer.
func TestRecordedRefusals(t *testing.T) {
	asked := 0
	files, err := filepath.Glob("../../testdata/recordings/refusals-*.txt")
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
			answer = strings.TrimSpace(answer)
			t.Run(version+" "+request, func(t *testing.T) {
				said := plannedAnswer(t, version, request)
				if strings.HasPrefix(request, `update|{"spec":{"updateStrategy":{"type":"Recreate"}}}`) && !knowsRecreate(t, version) {
					require.Contains(t, said, "would not have accepted the set that runs now")
					return
				}
				require.Equal(t, answer == "accepted", said == "accepted", said)
				if strings.HasPrefix(said, "StatefulSet.apps") || said == "accepted" {
					asked++
					require.Equal(t, answer, said)
					return
				}
				field := fields.FindString(said)
				require.True(t, slices.ContainsFunc(fields.FindAllString(answer, -1), func(other string) bool {
					return strings.HasPrefix(field, other)
				}), "%s\n%s", said, answer)
			})
		}
	}
	require.Greater(t, asked, 20)
}

func knowsRecreate(t *testing.T, version string) bool {
	return profiles(t, version)[0].Knows("StatefulSetRecreateStrategy")
}

// fields finds the fields that a refusal names.
var fields = regexp.MustCompile(`(spec|metadata)\.[A-Za-z.0-9\[\]]+`)

// plannedAnswer returns what a plan says that the API server answers to a request: its refusal, or "accepted". A set
// that is created stands beside another. One that is updated was applied before, or is live if no API server would
// accept it.
func plannedAnswer(t *testing.T, version, request string) string {
	t.Helper()
	parts := strings.Split(request, "|")
	before := withPatch(t, recordedSet, `{"metadata": {"name": "other"}}`)
	after := before + "\n---\n" + withPatch(t, recordedSet, parts[1])
	profile := profiles(t, version)[0]
	if len(parts) == 3 {
		before = withPatch(t, recordedSet, parts[1])
		if strings.Contains(parts[1], "Recreate") {
			// Such a set was created while the gate was on.
			profile = profile.WithKnown(map[string]bool{"StatefulSetRecreateStrategy": true})
		}
		// The requests replace the set; an apply has to remove the block that the old one has by default.
		after = strings.Replace(withPatch(t, before, parts[2]), `{"type":"Recreate"}`, `{"type":"Recreate","rollingUpdate":null}`, 1)
		if parts[1] != "" {
			before = withPatch(t, before, `{"metadata": {"namespace": "default", "uid": "u", "generation": 1}, "status": {"replicas": 0}}`)
		}
	}
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
	if err != nil {
		return err.Error()
	}
	plan, err := Of(in, &Options{Profiles: []statefulset.Profile{profile}})
	if err != nil {
		return strings.TrimPrefix(err.Error(), "new.yaml:3: ")
	}
	for _, set := range plan.Sets {
		if set.Refusal != nil {
			return strings.TrimPrefix(set.Refusal.Message, "new.yaml:3: ")
		}
	}
	return "accepted"
}

// withPatch returns a JSON object with a merge patch applied; "" is none.
func withPatch(t *testing.T, object, patch string) string {
	t.Helper()
	if patch == "" {
		return object
	}
	data, err := jsonpatch.MergePatch([]byte(object), []byte(patch))
	require.NoError(t, err)
	return string(data)
}
