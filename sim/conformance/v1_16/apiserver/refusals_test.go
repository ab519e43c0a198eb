package apiserver

import (
	"testing"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	registry "k8s.io/kubernetes/pkg/registry/apps/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter/apiserver"
)

var server = apiserver.Server{
	Kubernetes: "1.16", Scheme: legacyscheme.Scheme, Strategy: registry.Strategy,
	New: func() apiserver.Object { return &apps.StatefulSet{} },
}

func TestRefusals(t *testing.T) { server.Refusals(t) }
