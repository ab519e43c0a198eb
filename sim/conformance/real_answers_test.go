//go:build real && apiserver

package conformance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/corpus"
)

// right is a manifest in which nothing is wrong. changes are JSON merge patches of it, most of which are mistakes.
const right = `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
	"spec": {"serviceName": "web",
	"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
	"spec": {"containers": [{"name": "app", "image": "app:v1"}]}}, "volumeClaimTemplates": [{"metadata": {"name": "data"},
	"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}`

var changes = []string{
	`{"metadata": {"labels": {"a b": "c"}}}`, `{"metadata": {"annotations": {"a b": "c"}}}`,
	`{"metadata": {"finalizers": ["a b", "example.com/c"]}}`,
	`{"metadata": {"finalizers": ["orphan", "foregroundDeletion"]}}`,
	`{"metadata": {"ownerReferences": [{"apiVersion": "", "kind": "", "name": "", "uid": ""}]}}`,
	`{"metadata": {"ownerReferences": [{"apiVersion": "a/b/c", "kind": "A", "name": "b", "uid": "c", "controller": true},
		{"apiVersion": "d/", "kind": "D", "name": "e", "uid": "f", "controller": true}]}}`,
	`{"spec": {"replicas": -1}}`, `{"spec": {"replicas": 3}}`, `{"spec": {"minReadySeconds": -1}}`,
	`{"spec": {"ordinals": {"start": -1}}}`, `{"spec": {"revisionHistoryLimit": -1}}`,
	`{"spec": {"serviceName": "A_"}}`, `{"spec": {"serviceName": "other"}}`,
	`{"spec": {"podManagementPolicy": "Foo"}}`, `{"spec": {"podManagementPolicy": "Parallel"}}`,
	`{"spec": {"selector": {"matchLabels": {"app": "other"}}}}`, `{"spec": {"selector": {"matchLabels": {"a b": "c"}}}}`,
	`{"spec": {"selector": null}}`, `{"spec": {"selector": {"matchLabels": null}}}`,
	`{"spec": {"selector": {"matchExpressions": [{"key": "app", "operator": "Foo"}]}}}`,
	`{"spec": {"updateStrategy": {"type": "Foo"}}}`, `{"spec": {"updateStrategy": {"type": "Recreate"}}}`,
	`{"spec": {"updateStrategy": {"type": "OnDelete", "rollingUpdate": {"partition": 1}}}}`,
	`{"spec": {"updateStrategy": {"rollingUpdate": {"partition": -1}}}}`,
	`{"spec": {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Foo"}}}`,
	`{"spec": {"persistentVolumeClaimRetentionPolicy": {"whenScaled": "Foo"}}}`,
	`{"spec": {"volumeClaimTemplates": null}}`,
	`{"spec": {"volumeClaimTemplates": [{"metadata": {"name": "Data"}, "spec": {}}]}}`,
	`{"spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"accessModes": ["Foo"], "resources":
		{"requests": {"storage": "-1Gi"}}, "storageClassName": "A", "volumeMode": "Foo"}}]}}`,
	`{"spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"],
		"resources": {"requests": {"storage": "1Gi"}}}}, {"metadata": {"name": "data"}, "spec": {"accessModes": []}}]}}`,
	`{"spec": {"template": {"metadata": {"labels": {"app": "other"}}}}}`,
	`{"spec": {"template": {"metadata": {"labels": {"a b": "c d"}, "annotations": {"e f": "g"}}}}}`,
	`{"spec": {"template": {"spec": {"restartPolicy": "Never"}}}}`,
	`{"spec": {"template": {"spec": {"restartPolicy": "Foo", "dnsPolicy": "Foo"}}}}`,
	`{"spec": {"template": {"spec": {"activeDeadlineSeconds": 0}}}}`,
	`{"spec": {"template": {"spec": {"containers": []}}}}`,
	`{"spec": {"template": {"spec": {"containers": [{"name": "A", "image": "", "ports": [{"containerPort": 0}]}]}}}}`,
	`{"spec": {"template": {"spec": {"volumes": [{"name": "v"}, {"name": "v", "emptyDir": {}}, {"name": "data",
		"emptyDir": {}}]}}}}`,
}

// drawManifest makes a manifest with several mistakes.
func drawManifest(t *rapid.T) []byte {
	text := []byte(right)
	for _, change := range rapid.SliceOfN(rapid.SampledFrom(changes), 1, 4).Draw(t, "") {
		text = merged(text, change)
	}
	return text
}

// drawTemplate makes a manifest with mistakes in its pod template.
func drawTemplate(t *rapid.T) []byte {
	spec := corpus.PodSpec(rapid.SliceOfN(rapid.SampledFrom(corpus.Mistakes), 1, 3).Draw(t, "")...)
	return merged([]byte(right), fmt.Sprintf(`{"spec": {"template": {"spec": %s}}}`, spec))
}

// drawRestarts makes a manifest whose containers have restart policies of their own.
func drawRestarts(t *rapid.T) []byte {
	d := restartDraw{t: t, wrong: rapid.Bool().Draw(t, "wrong")}
	return merged([]byte(right), fmt.Sprintf(`{"spec": {"template": {"spec": {"initContainers": [%s], "containers": [%s]}}}}`,
		d.containers("i", 2, 0), d.containers("c", 2, 1)))
}

// answeredManifest is what the API server makes of a manifest: how it refuses it as a new set, and as a change of the right one.
type answeredManifest struct {
	Set              json.RawMessage
	Created, Changed string
	// Pod is what it finds wrong with the spec of the pod that the set would create.
	Pod []string
}

// TestAnswers writes what the API server answers to random manifests into the folder $CONFORMANCE_ANSWERS. The main module
// compares its own answers with them (scenario/manifest), since it does not compile with the API types of old versions.
func TestAnswers(t *testing.T) {
	folder := os.Getenv("CONFORMANCE_ANSWERS")
	if folder == "" {
		t.Skip("for .ci/tasks/refusals")
	}
	var lines strings.Builder
	for _, draw := range []func(*rapid.T) []byte{drawManifest, drawTemplate, drawRestarts} {
		drawn := rapid.Custom(draw)
		for seed := range max(count()/10, 100) {
			a := answeredManifest{Set: drawn.Example(seed)}
			created, changed := realSet(&server, a.Set)
			a.Created, a.Changed = address.ReplaceAllString(created, "(0x…)"), address.ReplaceAllString(changed, "(0x…)")
			a.Pod = realPod(a.Set)
			if err := json.NewEncoder(&lines).Encode(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(folder, tested(t).Kubernetes+".jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// realPod returns what the real API server finds wrong with the spec of the pod that a set would create, whose claims come
// before the volumes of the template.
func realPod(text []byte) (problems []string) {
	var set apps.StatefulSet
	if err := json.Unmarshal(text, &set); err != nil {
		panic(err)
	}
	given, object := &core.Pod{ObjectMeta: set.Spec.Template.ObjectMeta, Spec: set.Spec.Template.Spec}, &internal.Pod{}
	given.Namespace, given.Name = "default", "web-0"
	var volumes []core.Volume
	for i, claim := range set.Spec.VolumeClaimTemplates {
		if slices.ContainsFunc(set.Spec.VolumeClaimTemplates[:i], func(c core.PersistentVolumeClaim) bool { return c.Name == claim.Name }) {
			continue
		}
		source := &core.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name + "-web-0"}
		volumes = append(volumes, core.Volume{Name: claim.Name, VolumeSource: core.VolumeSource{PersistentVolumeClaim: source}})
	}
	for _, volume := range given.Spec.Volumes {
		if !slices.ContainsFunc(set.Spec.VolumeClaimTemplates, func(c core.PersistentVolumeClaim) bool { return c.Name == volume.Name }) {
			volumes = append(volumes, volume)
		}
	}
	given.Spec.Volumes = volumes
	legacyscheme.Scheme.Default(given)
	if err := legacyscheme.Scheme.Convert(given, object, nil); err != nil {
		panic(err)
	}
	pod.Strategy.PrepareForCreate(Context(), object)
	for _, err := range pod.Strategy.Validate(Context(), object) {
		if strings.HasPrefix(err.Field, "spec") {
			problems = append(problems, address.ReplaceAllString(err.Error(), "(0x…)"))
		}
	}
	return problems
}

// merged returns an object with a JSON merge patch.
func merged(text []byte, patch string) []byte {
	var object, change map[string]any
	for into, from := range map[*map[string]any][]byte{&object: text, &change: []byte(patch)} {
		if err := json.Unmarshal(from, into); err != nil {
			panic(err)
		}
	}
	merge(object, change)
	data, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return data
}

func merge(object, change map[string]any) {
	for key, value := range change {
		below, both := object[key].(map[string]any)
		more, is := value.(map[string]any)
		switch {
		case value == nil:
			delete(object, key)
		case both && is:
			merge(below, more)
		default:
			object[key] = value
		}
	}
}

// realSet says how the real API server refuses a new set, and the change of the right one.
func realSet(s *Server, text []byte) (created, changed string) {
	if err := s.Create(s.Decode(text)); err != nil {
		created = err.Error()
	}
	old, updated := s.Decode([]byte(right)), s.Decode(text)
	if err := s.Create(old); err != nil {
		panic(err)
	}
	given := *Meta(updated)
	meta := Meta(updated)
	*meta = *Meta(old).DeepCopy()
	meta.Labels, meta.Annotations = given.Labels, given.Annotations
	meta.OwnerReferences, meta.Finalizers = given.OwnerReferences, given.Finalizers
	if err := s.Update(updated, old); err != nil {
		changed = err.Error()
	}
	return created, changed
}

// TestRecordedRefusals sends the 44 recorded requests, which the main module plays, to the real API server: they are still
// what it answers. A request is create|PATCH, or update|PATCH|PATCH, of the plain set; a set that is updated is stored as it
// is, whether or not the API server would accept it. Where $CONFORMANCE_RECORD is set the answers are recorded instead.
func TestRecordedRefusals(t *testing.T) {
	const plain = `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"}, "spec": {"replicas": 3,
		"serviceName": "web", "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": {
		"containers": [{"name": "c", "image": "a"}]}}, "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {
		"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}`
	const recordings = "../../scenario/testdata/recordings/refusals-"
	requests := read(t, recordings+"1.38.txt")
	var answers strings.Builder
	for _, one := range strings.Split(strings.TrimSpace(string(requests)), "== ")[1:] {
		request, _, _ := strings.Cut(strings.TrimSpace(one), "\n")
		text := address.ReplaceAllString(realAnswer(plain, strings.Split(request, "|")), "(0x…)")
		fmt.Fprintf(&answers, "== %s\n%s\n", request, text)
	}
	file := recordings + tested(t).Kubernetes + ".txt"
	recorded, err := os.ReadFile(file)
	switch {
	case os.Getenv("CONFORMANCE_RECORD") != "":
		if err := os.WriteFile(file, []byte(answers.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	case err != nil:
		t.Skip("no requests are recorded of this version")
	case string(recorded) != answers.String():
		t.Errorf("the answers are no longer those of %s:\n%s", file, answers.String())
	}
}

// realAnswer returns what the real API server answers to a request: "accepted" if it does not refuse it.
func realAnswer(plain string, request []string) string {
	patched := func(text, patch string) string {
		if patch == "" {
			return text
		}
		return string(merged([]byte(text), patch))
	}
	first := patched(plain, request[1])
	old := server.Decode([]byte(first))
	err := server.Create(old)
	if len(request) == 3 {
		changed := server.Decode([]byte(patched(first, request[2])))
		*Meta(changed) = *Meta(old).DeepCopy()
		err = server.Update(changed, old)
	}
	if err != nil {
		return err.Error()
	}
	return "accepted"
}
