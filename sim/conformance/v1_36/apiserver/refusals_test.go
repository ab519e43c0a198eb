package apiserver

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	registry "k8s.io/kubernetes/pkg/registry/apps/statefulset"

	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/sim/conformance/adapter/apiserver"
	"github.com/statefulsim/statefulsim/sim/conformance/adapter/manifests"
)

var server = apiserver.Server{
	Kubernetes: "1.36", Scheme: legacyscheme.Scheme, Strategy: registry.Strategy,
	New: func() apiserver.Object { return &apps.StatefulSet{} },
}

func TestRefusals(t *testing.T) { server.Refusals(t) }

func TestManifests(t *testing.T) { manifests.Check(t, &server) }

func TestPodTemplates(t *testing.T) { manifests.PodTemplates(t, &server, podspec.ValidateBefore) }

func TestClaimChanges(t *testing.T) {
	manifests.ClaimChanges(t, func(claim, old *corev1.PersistentVolumeClaim) field.ErrorList {
		now, before := inside(claim), inside(old)
		options := validation.ValidationOptionsForPersistentVolumeClaim(now, before)
		return validation.ValidatePersistentVolumeClaimUpdate(now, before, options)
	})
}

// inside returns a claim as the API server has it inside.
func inside(claim *corev1.PersistentVolumeClaim) *core.PersistentVolumeClaim {
	object := &core.PersistentVolumeClaim{}
	legacyscheme.Scheme.Default(claim)
	if err := legacyscheme.Scheme.Convert(claim, object, nil); err != nil {
		panic(err)
	}
	return object
}
