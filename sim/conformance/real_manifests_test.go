//go:build real && apiserver && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/store"
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

// TestManifests holds what becomes of a manifest with several mistakes, from its text to the refusal, against the real API
// server: of a new set, and of a change of one that is right.
func TestManifests(t *testing.T) {
	v := tested(t)
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(right)
		for _, change := range rapid.SliceOfN(rapid.SampledFrom(changes), 1, 4).Draw(t, "") {
			text = merged(text, change)
		}
		created, changed := realSet(&server, text)
		ourCreated, ourChanged := ourSet(t, v.Kubernetes, text)
		if created != ourCreated {
			t.Fatalf("%s\n  create\n  real: %s\n  sim:  %s", text, created, ourCreated)
		}
		if changed != ourChanged {
			t.Fatalf("%s\n  change\n  real: %s\n  sim:  %s", text, changed, ourChanged)
		}
	})
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

// ourSet says the same of the simulated one.
func ourSet(t *rapid.T, version string, text []byte) (created, changed string) {
	server := func() store.Writer {
		profile, err := statefulset.Lookup(version)
		if err != nil {
			t.Fatal(err)
		}
		return store.New(profile.API(), func() model.Time { return 0 }).As(store.By{})
	}
	created = create(server(), manifestOf(t, text))
	s := server()
	if refusal := create(s, manifestOf(t, []byte(right))); refusal != "" {
		t.Fatal(refusal)
	}
	wanted, err := manifestOf(t, text).Replace(s.Set(model.Key{Namespace: "default", Name: "web"}))
	if err == nil {
		_, err = s.UpdateSet(wanted)
	}
	return created, words(err)
}

func create(s store.Writer, set *manifest.Set) string {
	object, err := set.New("default")
	if err == nil {
		_, err = s.CreateSet(object)
	}
	return words(err)
}

func words(refusal *model.APIError) string {
	if refusal != nil {
		return refusal.Message
	}
	return ""
}

func manifestOf(t *rapid.T, text []byte) *manifest.Set {
	parsed := strict.ParseStream("set", text, strict.Limits{})
	r := parsed.Reader("set", strict.Limits{})
	sets := manifest.Read(r, parsed.Docs).Sets
	if len(sets) != 1 {
		t.Fatal(r.Err())
	}
	return sets[0]
}

// TestRecordedRefusals sends the 44 recorded requests, which the main module plays, to the real API server: they are still
// what it answers. A request is create|PATCH, or update|PATCH|PATCH, of the plain set; a set that is updated is stored as it
// is, whether or not the API server would accept it.
func TestRecordedRefusals(t *testing.T) {
	const plain = `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"}, "spec": {"replicas": 3,
		"serviceName": "web", "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": {
		"containers": [{"name": "c", "image": "a"}]}}, "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {
		"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}}`
	text, err := os.ReadFile("../../scenario/testdata/recordings/refusals-" + tested(t).Kubernetes + ".txt")
	if err != nil {
		t.Skip("no requests are recorded of this version")
	}
	recorded := strings.Split(strings.TrimSpace(string(text)), "== ")[1:]
	for _, one := range recorded {
		request, want, _ := strings.Cut(strings.TrimSpace(one), "\n")
		if got := realAnswer(plain, strings.Split(request, "|")); got != strings.TrimSpace(want) {
			t.Errorf("%s\n  real:     %s\n  recorded: %s", request, got, want)
		}
	}
	if len(recorded) != 44 {
		t.Errorf("%d requests are recorded, not 44", len(recorded))
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
