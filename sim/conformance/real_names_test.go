//go:build real && apiserver

package conformance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	_ "unsafe" // for go:linkname

	apps "k8s.io/api/apps/v1"
)

// newRevision makes the revision that the real controller creates for a StatefulSet. The empty file linkname.s lets it do
// without a body.
//
//go:linkname newRevision k8s.io/kubernetes/pkg/controller/statefulset.newRevision
func newRevision(set *apps.StatefulSet, revision int64, collisions *int32) (*apps.ControllerRevision, error)

// TestRevisionNames names the revisions of the StatefulSets in the folder $CONFORMANCE_NAMES as the real API server and
// the real controller do. It compares the names with those recorded there; with $CONFORMANCE_RECORD it records them.
// The main module compares its own with the recorded ones (scenario/manifest), since it does not compile with the API
// types of old versions.
func TestRevisionNames(t *testing.T) {
	folder := os.Getenv("CONFORMANCE_NAMES")
	if folder == "" {
		folder = "../../scenario/manifest/testdata/names"
	}
	var names strings.Builder
	for line := range strings.Lines(string(read(t, filepath.Join(folder, "sets.jsonl")))) {
		var of struct {
			Collisions int32
			Set        json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			t.Fatal(err)
		}
		revision, err := newRevision(server.stored(of.Set), 1, &of.Collisions)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		fmt.Fprintln(&names, revision.Name)
		if os.Getenv("CONFORMANCE_PATCHES") != "" {
			fmt.Fprintln(&names, string(revision.Data.Raw))
		}
	}
	file := filepath.Join(folder, tested(t).Kubernetes+".txt")
	if os.Getenv("CONFORMANCE_RECORD") != "" {
		if err := os.WriteFile(file, []byte(names.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if names.String() != string(read(t, file)) {
		t.Errorf("%s has other names than those of the real code:\n%s", file, names.String())
	}
}

// stored returns a new StatefulSet as controllers get it: with defaults, without the fields that the version drops, and
// once through the format in which it is stored. Whether it is valid does not matter.
func (s *Server) stored(data []byte) *apps.StatefulSet {
	object := s.Decode(data)
	s.Strategy.PrepareForCreate(Context(), object)
	given, stored := &apps.StatefulSet{}, &apps.StatefulSet{}
	if err := s.Scheme.Convert(object, given, nil); err != nil {
		panic(err)
	}
	bytes, err := given.Marshal()
	if err == nil {
		err = stored.Unmarshal(bytes)
	}
	if err != nil {
		panic(err)
	}
	s.Scheme.Default(stored)
	return stored
}
