//go:build real && apiserver && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/store"
)

// TestManifests holds what becomes of a manifest with several mistakes, from its text to the refusal, against the real API
// server: of a new set, and of a change of one that is right.
func TestManifests(t *testing.T) {
	v := tested(t)
	rapid.Check(t, func(t *rapid.T) {
		text := drawManifest(t)
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
