//go:build real && v1_24

package conformance_test

import (
	"context"

	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// newControl returns the control code of the real controller.
func newControl(m Machinery) statefulset.StatefulSetControlInterface {
	return statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControl(m.Client, m.Pods, m.Claims, m.Recorder),
		statefulset.NewRealStatefulSetStatusUpdater(m.Client, m.Sets),
		history.NewHistory(m.Client, m.Revisions),
		m.Recorder)
}

// newController returns the whole real controller, and what runs it.
func newController(ctx context.Context, i Informers) (*statefulset.StatefulSetController, func(workers int)) {
	c := statefulset.NewStatefulSetController(i.Pods, i.Sets, i.Claims, i.Revisions, i.Client)
	return c, func(workers int) { c.Run(ctx, workers) }
}
