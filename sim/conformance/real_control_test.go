//go:build real && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

import (
	"context"

	"k8s.io/kubernetes/pkg/controller/history"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// newControl returns the control code of the real controller.
func newControl(m Machinery) statefulset.StatefulSetControlInterface {
	return statefulset.NewDefaultStatefulSetControl(
		statefulset.NewStatefulPodControl(m.Client, m.Pods, m.Claims, m.Recorder, m.Store),
		statefulset.NewRealStatefulSetStatusUpdater(m.Client, m.Sets, m.Store),
		history.NewHistory(m.Client, m.Revisions, m.RevisionIndex))
}

// newController returns the whole real controller, and what runs it.
func newController(ctx context.Context, i Informers) (*statefulset.StatefulSetController, func(workers int)) {
	c := statefulset.NewStatefulSetController(ctx, i.Pods, i.Sets, i.Claims, i.Revisions, i.Client)
	return c, func(workers int) { c.Run(ctx, workers) }
}
