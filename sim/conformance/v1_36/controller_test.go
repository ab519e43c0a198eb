package v1_36

import (
	"context"
	"testing"

	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

func TestWholeController(t *testing.T) { adapter.WholeController(t, version, startController) }

func TestSpeed(t *testing.T) { adapter.Speed(t, version, startController) }

// startController builds the whole real controller, and says what runs it.
func startController(ctx context.Context, i adapter.Informers) (any, func(workers int)) {
	controller := statefulset.NewStatefulSetController(ctx, i.Pods, i.Sets, i.Claims, i.Revisions, i.Client)
	return controller, func(workers int) { controller.Run(ctx, workers) }
}
