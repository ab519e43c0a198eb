package manifest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/store"
)

// rightSet is the set that the manifests of TestAnswers are changes of.
const rightSet = `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}, "spec": {"serviceName": "web",
	"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
	"spec": {"containers": [{"name": "app", "image": "app:v1"}]}}, "volumeClaimTemplates": [{"metadata": {"name": "data"},
	"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}`

// TestAnswers holds what becomes of random manifests against what Kubernetes' own API server of each version answers: as
// a new set, and as a change of one that is right. Those in testdata are a sample; .ci/tasks/refusals makes the folder
// ANSWERS with more of them, a file a version. Of its pods it is compared whether they are refused: the words of that are
// those of 1.36 in each version before.
func TestAnswers(t *testing.T) {
	folder := os.Getenv("ANSWERS")
	if folder == "" {
		folder = "testdata/answers"
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		version := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(version, func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for line := range bytes.Lines(data) {
				var real struct {
					Set              json.RawMessage
					Created, Changed string
					Pod              []string
				}
				require.NoError(t, json.Unmarshal(line, &real))
				created, changed := answersTo(t, version, real.Set)
				if created != real.Created || changed != real.Changed {
					t.Errorf("%s\n  create\n  real: %s\n  sim:  %s\n  change\n  real: %s\n  sim:  %s",
						real.Set, real.Created, created, real.Changed, changed)
				}
				if pod := answerToPod(t, version, real.Set); (pod == nil) != (real.Pod == nil) {
					t.Errorf("%s\n  pod\n  real: %s\n  sim:  %s", real.Set, strings.Join(real.Pod, ", "), strings.Join(pod, ", "))
				}
			}
		})
	}
}

// answersTo returns how the API server of a version refuses a new set, and the change of the right one to it.
func answersTo(t *testing.T, version string, text []byte) (created, changed string) {
	t.Helper()
	profile, err := statefulset.Lookup(version)
	require.NoError(t, err)
	server := func() store.Writer {
		return store.New(profile.API(), func() model.Time { return 0 }).As(store.By{})
	}
	created = refusalOf(server(), setOf(t, text))
	s := server()
	require.Empty(t, refusalOf(s, setOf(t, []byte(rightSet))))
	wanted, refusal := setOf(t, text).Replace(s.Set(model.Key{Namespace: "default", Name: "web"}))
	if refusal == nil {
		_, refusal = s.UpdateSet(wanted)
	}
	if refusal != nil {
		changed = refusal.Message
	}
	return created, changed
}

// answerToPod returns what a version finds wrong with the spec of the pods of a set.
func answerToPod(t *testing.T, version string, text []byte) []string {
	t.Helper()
	profile, err := statefulset.Lookup(version)
	require.NoError(t, err)
	object, refusal := setOf(t, text).New("default")
	require.Nil(t, refusal)
	template := object.Spec.Template.In(profile.API().Minor)
	if profile.API().OwnPlaces {
		return template.Wrong
	}
	return template.WrongBefore
}

func refusalOf(s store.Writer, set *manifest.Set) string {
	object, refusal := set.New("default")
	if refusal == nil {
		_, refusal = s.CreateSet(object)
	}
	if refusal != nil {
		return refusal.Message
	}
	return ""
}

func setOf(t *testing.T, text []byte) *manifest.Set {
	t.Helper()
	parsed := strict.ParseStream("set", text, strict.Limits{})
	r := parsed.Reader("set", strict.Limits{})
	sets := manifest.Read(r, parsed.Docs).Sets
	require.Len(t, sets, 1, r.Err())
	return sets[0]
}
