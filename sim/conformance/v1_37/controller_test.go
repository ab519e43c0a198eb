package v1_37

import (
	"context"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter"
)

// workers is the number of syncs that may run at the same time. One set is never synced by two.
const workers = 5

// syncFailed is how the real controller words that it will retry a set.
const syncFailed = "Error syncing StatefulSet, requeuing"

func TestWholeController(t *testing.T) { adapter.WholeController(t, version, startController) }

// startController builds and starts the real controller, and says where to send the errors of its syncs.
func startController(ctx context.Context, client kubernetes.Interface, failed func(error)) func() {
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(_ context.Context, err error, message string, _ ...any) {
			if message == syncFailed {
				failed(err)
			}
		},
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	apps, core := factory.Apps().V1(), factory.Core().V1()
	controller := statefulset.NewStatefulSetController(ctx,
		core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return func() { controller.Run(ctx, workers) }
}
