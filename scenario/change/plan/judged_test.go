package plan

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestJudged holds what a plan says of each set of public manifests, refused or not, to what the API server's own
// strategy of 1.37 says of the change. The manifests are read where they lie.
func TestJudged(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/manifests/*/*.judge")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("there are no public manifests here")
	}
	judged, unread := 0, 0
	for i, file := range files {
		// The streams are long; each change by itself is held by the test of the same name in scenario/manifest.
		hard := strings.Contains(file, "sonarqube") || strings.Contains(file, "concourse")
		if os.Getenv("JUDGED") != "all" && i%6 != 0 && !hard {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		base := strings.TrimSuffix(file, ".judge")
		verdicts := map[string]map[string]string{}
		for line := range strings.Lines(string(data)) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 4)
			if words[1] == "PARSE" {
				_, err := publicPair(t, base, words[0])
				require.Error(t, err, "%s: %s", file, line)
				unread++
				continue
			}
			if verdicts[words[0]] == nil {
				verdicts[words[0]] = refusedIn(t, base, words[0])
			}
			require.Equal(t, words[2], verdicts[words[0]][words[1]], "%s: %s", file, line)
			judged++
		}
	}
	t.Logf("%d changes are as the API server judges them, %d cannot be read", judged, unread)
}

// publicPair reads two public versions of the same manifests.
func publicPair(t *testing.T, base, version string) (*Input, error) {
	var streams [2]Stream
	for i, file := range []string{base + "-" + version + ".yaml", base + "-new.yaml"} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		streams[i] = Stream{Name: file, Data: data}
	}
	return Read(streams[0], streams[1], strict.Limits{})
}

// refusedIn says of each set of both versions whether the change of it is refused. What the ways around refusals come
// to is not played.
func refusedIn(t *testing.T, base, version string) map[string]string {
	in, err := publicPair(t, base, version)
	require.NoError(t, err, "%s-%s", base, version)
	sets, err := (&stored.Frame{Options: &Options{}, Input: in, Profile: profiles(t, "1.37")[0]}).All()
	require.NoError(t, err, "%s-%s", base, version)
	verdicts := map[string]string{}
	for _, s := range sets {
		verdicts[s.Pair.Key.String()] = "ok"
		if s.Fate == stored.Refused || s.Fate == stored.Invalid {
			verdicts[s.Pair.Key.String()] = "REFUSED"
		}
	}
	return verdicts
}

// dotted is a set that API servers took before they looked at pod templates, and whose pods they have always refused.
const dotted = `

apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "IMAGE", volumeMounts: [{name: my.data, mountPath: /data}]}]
      volumes: [{name: my.data, emptyDir: {}}]
`

// TestWhatRunsIsTaken: a set that could not be created today stops no plan. The API server takes changes of it, and
// its pods are refused.
func TestWhatRunsIsTaken(t *testing.T) {
	before, after := strings.ReplaceAll(dotted, "IMAGE", "a:1"), strings.ReplaceAll(dotted, "IMAGE", "a:2")
	set := plans(t, before, after, &Options{}).find("web")
	require.Nil(t, set.Refusal)
	require.Equal(t, Rolls, set.Does)
	require.Len(t, set.Changes, 1, "it has the defaults of the version: %v", set.Changes)
	require.Equal(t, timeline.IsStuck, set.verdict)
	require.Contains(t, set.Ends, "spec.volumes[0].name: Invalid value: \"my.data\": must not contain dots")
	require.Contains(t, set.Shows, "none of its pods can be created")
	require.Equal(t, []string{"kubectl -n default edit statefulset/web"}, set.Fix.Commands, "no image mends a volume's name")
	require.Contains(t, strings.Join(set.Fix.Lead, " "), "the edit removes the reason why the pods are refused")
	in, err := Read(Stream{Name: "old.yaml"}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
	require.NoError(t, err)
	_, err = Of(in, &Options{Profiles: profiles(t, "1.37")})
	require.ErrorContains(t, err, "my.data", "where it is new it is refused")
}

// TestWhatRunsTogether: a set that could not be created today shares a budget with one that could.
func TestWhatRunsTogether(t *testing.T) {
	budget := "\n---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: both}\n" +
		"spec: {minAvailable: 2, selector: {matchExpressions: [{key: app, operator: Exists}]}}\n---\n"
	both := func(image string) string {
		return strings.ReplaceAll(dotted, "IMAGE", image) + budget + strings.ReplaceAll(named("other", "3", image), "my.data",
			"data")
	}
	plan := plans(t, both("a:1"), both("a:2"), &Options{})
	require.Equal(t, timeline.IsStuck, plan.find("web").verdict)
	require.Equal(t, Rolls, plan.find("other").Does)
	require.Len(t, plan.find("other").Moves, 3)
}

// TestOldAPIVersion: a set of a version of the API that is gone is a line of its own, and the others are planned.
func TestOldAPIVersion(t *testing.T) {
	old := strings.Replace(named("old", "2", "a:1"), "apps/v1", "apps/v1beta1", 1)
	plan := plans(t, old+"---\n"+named("fine", "2", "a:1"), old+"---\n"+named("fine", "2", "a:2"), &Options{})
	require.Equal(t, Rolls, plan.find("fine").Does)
	require.Contains(t, plan.find("old").Refusal.Message, "apiVersion is apps/v1beta1, which Kubernetes does not serve from 1.16 on")
	_, err := Read(Stream{Name: "old.yaml", Data: []byte(old)}, Stream{Name: "new.yaml", Data: []byte(old)}, strict.Limits{})
	var problems strict.Problems
	require.True(t, errors.As(err, &problems), "where there is no other set it is all that is wrong")
}
