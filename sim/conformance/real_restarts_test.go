//go:build real && apiserver && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"pgregory.net/rapid"
)

// TestContainerRestarts holds what each version makes of the restart policies of single containers against its API server:
// what it drops from a pod, and what it refuses. What the newest version refuses is drawn for that alone.
func TestContainerRestarts(t *testing.T) {
	version := tested(t).Kubernetes
	minor, err := strconv.Atoi(strings.Split(version, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := restartDraw{t: t, wrong: minor >= 36}
		containers := fmt.Sprintf(`"initContainers": [%s], "containers": [%s]`, d.containers("i", 2, 0), d.containers("c", 2, 1))
		kept, refused := realRestarts(containers)
		template := must2(manifestOf(t, []byte(fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
			"spec": {"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
			"spec": {%s}}}}`, containers))).New("default")).Spec.Template.In(minor)
		if ours := template.Wrong; !slices.Equal(ours, refused) {
			t.Fatalf("%s\n  real: %q\n  sim:  %q", containers, refused, ours)
		}
		if ours := restartsOf([]byte(template.Data)); len(refused) == 0 && ours != kept {
			t.Fatalf("%s\n  real keeps: %s\n  sim keeps:  %s", containers, kept, ours)
		}
	})
}

// must2 returns a value that is always there.
func must2[T any, E any](value T, _ E) T { return value }

// realRestarts returns what the API server keeps of the restarts of a pod's containers, and what it refuses.
func realRestarts(containers string) (kept string, refused []string) {
	given := &core.Pod{}
	text := fmt.Sprintf(`{"metadata": {"name": "web-0", "namespace": "default"}, "spec": {%s}}`, containers)
	if err := json.Unmarshal([]byte(text), given); err != nil {
		panic(err)
	}
	legacyscheme.Scheme.Default(given)
	object, stored := &internal.Pod{}, &core.Pod{}
	if err := legacyscheme.Scheme.Convert(given, object, nil); err != nil {
		panic(err)
	}
	pod.Strategy.PrepareForCreate(Context(), object)
	for _, err := range pod.Strategy.Validate(Context(), object) {
		refused = append(refused, err.Error())
	}
	if err := legacyscheme.Scheme.Convert(object, stored, nil); err != nil {
		panic(err)
	}
	data, err := json.Marshal(stored)
	if err != nil {
		panic(err)
	}
	return restartsOf(data), refused
}

// restartsOf returns the restart policies and rules of the containers of a pod, as JSON.
func restartsOf(pod []byte) string {
	type container struct {
		Name, RestartPolicy string
		RestartPolicyRules  any
	}
	var read struct {
		Spec struct{ InitContainers, Containers []container }
	}
	if err := json.Unmarshal(pod, &read); err != nil {
		panic(err)
	}
	return string(must(json.Marshal(read.Spec)))
}
