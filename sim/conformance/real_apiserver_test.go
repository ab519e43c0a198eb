//go:build real && apiserver

package conformance_test

import (
	"context"
	"encoding/json"
	"testing"

	apps "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	registry "k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"pgregory.net/rapid"
)

// server is the API server of the version.
var server = Server{
	Scheme: legacyscheme.Scheme, Strategy: registry.Strategy,
	New: func() Object { return &internal.StatefulSet{} },
}

// Server is the part of Kubernetes' own API server that looks at a StatefulSet.
type Server struct {
	Scheme *runtime.Scheme
	// Strategy says what becomes of a StatefulSet.
	Strategy interface {
		rest.RESTCreateStrategy
		rest.RESTUpdateStrategy
	}
	// New returns an empty StatefulSet of the types that the API server has inside.
	New func() Object
}

// Object is a StatefulSet of those types.
type Object interface {
	runtime.Object
	metav1.ObjectMetaAccessor
}

// TestRefusals holds the simulated API server against the real one in random StatefulSets and changes of them: as many
// as single syncs are checked.
func TestRefusals(t *testing.T) {
	v := tested(t)
	checkInChunks(t, count(), func(rt *rapid.T) {
		if difference := compareRefusals(drawChange(rt, v.Kubernetes), server.answers); difference != "" {
			rt.Fatal(difference)
		}
	})
}

// answers is an answering.
func (s *Server) answers(c *setChange) (created, changed string) {
	set(c.Gates, true)
	defer set(c.Gates, false)
	old := s.Decode(c.Before)
	if err := s.Create(old); err != nil {
		return err.Error(), ""
	}
	object := s.Decode(c.After)
	*Meta(object) = *Meta(old).DeepCopy()
	created = s.encode(old)
	if err := s.Update(object, old); err != nil {
		return created, err.Error()
	}
	return created, s.encode(object)
}

// Create does what the API server does with a new StatefulSet.
func (s *Server) Create(object Object) error {
	rest.FillObjectMetaSystemFields(Meta(object))
	return rest.BeforeCreate(s.Strategy, Context(), object)
}

// Update does what it does with a StatefulSet that is changed.
func (s *Server) Update(object, old Object) error {
	Meta(object).ResourceVersion, Meta(old).ResourceVersion = "1", "1"
	return rest.BeforeUpdate(s.Strategy, Context(), object, old)
}

// Context is the one of a request about StatefulSets.
func Context() context.Context {
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		APIGroup: "apps", APIVersion: "v1", Resource: "statefulsets", Namespace: "default",
	})
}

// Meta is the metadata of an object, to be read and written.
func Meta(of Object) *metav1.ObjectMeta { return of.GetObjectMeta().(*metav1.ObjectMeta) }

// set sets feature gates to what they are drawn to be, which is never their default, or back.
func set(gates map[string]bool, drawn bool) {
	for gate, on := range gates {
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{gate: on == drawn}); err != nil {
			panic(err)
		}
	}
}

// Decode reads a StatefulSet, with the defaults of the version.
func (s *Server) Decode(data []byte) Object {
	given := &apps.StatefulSet{}
	if err := json.Unmarshal(data, given); err != nil {
		panic(err)
	}
	return s.Inside(given)
}

// Inside returns a StatefulSet as the API server has it inside, and fills in the defaults of what it is given.
func (s *Server) Inside(given *apps.StatefulSet) Object {
	s.Scheme.Default(given)
	object := s.New()
	if err := s.Scheme.Convert(given, object, nil); err != nil {
		panic(err)
	}
	return object
}

func (s *Server) encode(object Object) string {
	given := &apps.StatefulSet{}
	if err := s.Scheme.Convert(object, given, nil); err != nil {
		panic(err)
	}
	data, err := json.Marshal(given)
	if err != nil {
		panic(err)
	}
	return refusalAnswer(data)
}
