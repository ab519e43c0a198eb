// Package v1_29 holds the simulator against Kubernetes 1.29.
package v1_29

import (
	"context"
	_ "unsafe" // for go:linkname

	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

// syncSet is the sync of the real controller.
//
//go:linkname syncSet k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).sync
func syncSet(c *statefulset.StatefulSetController, ctx context.Context, key string) error

func newSync(m adapter.Machinery) adapter.Sync {
	c := &statefulset.StatefulSetController{}
	control := statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControl(m.Client, m.Pods, m.Claims, m.Recorder),
		statefulset.NewRealStatefulSetStatusUpdater(m.Client, m.Sets),
		history.NewHistory(m.Client, m.Revisions))
	adapter.Assemble(c, m, control, controller.RealPodControl{KubeClient: m.Client, Recorder: m.Recorder})
	return func(key string) error { return syncSet(c, context.Background(), key) }
}
