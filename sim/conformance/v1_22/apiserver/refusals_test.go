package apiserver

import (
	"context"
	"encoding/json"
	"testing"

	apps "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	registry "k8s.io/kubernetes/pkg/registry/apps/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
	"github.com/statefulsim/statefulsim/sim/conformance/refusals"
)

// TestRefusals holds the simulated API server against the strategy of the real one.
func TestRefusals(t *testing.T) {
	adapter.Refusals(t, adapter.Version{Kubernetes: "1.22"}, server)
}

// server is the part of the API server that looks at a StatefulSet.
func server(c *refusals.Change) (created, changed string) {
	set(c.Gates, true)
	defer set(c.Gates, false)
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		APIGroup: "apps", APIVersion: "v1", Resource: "statefulsets", Namespace: "default",
	})
	old := decode(c.Before)
	rest.FillObjectMetaSystemFields(old)
	if err := rest.BeforeCreate(registry.Strategy, ctx, old); err != nil {
		return err.Error(), ""
	}
	object := decode(c.After)
	object.ObjectMeta = *old.ObjectMeta.DeepCopy()
	object.ResourceVersion, old.ResourceVersion = "1", "1"
	created = encode(old)
	if err := rest.BeforeUpdate(registry.Strategy, ctx, object, old); err != nil {
		return created, err.Error()
	}
	return created, encode(object)
}

// set sets feature gates to what they are drawn to be, which is never their default, or back.
func set(gates map[string]bool, drawn bool) {
	for gate, on := range gates {
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{gate: on == drawn}); err != nil {
			panic(err)
		}
	}
}

func decode(data []byte) *internal.StatefulSet {
	given := &apps.StatefulSet{}
	if err := json.Unmarshal(data, given); err != nil {
		panic(err)
	}
	legacyscheme.Scheme.Default(given)
	object := &internal.StatefulSet{}
	if err := legacyscheme.Scheme.Convert(given, object, nil); err != nil {
		panic(err)
	}
	return object
}

func encode(object runtime.Object) string {
	given := &apps.StatefulSet{}
	if err := legacyscheme.Scheme.Convert(object, given, nil); err != nil {
		panic(err)
	}
	data, err := json.Marshal(given)
	if err != nil {
		panic(err)
	}
	return refusals.Answer(data)
}
