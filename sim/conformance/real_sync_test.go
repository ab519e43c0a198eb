//go:build real && !v1_16 && !v1_22

package conformance

import (
	"context"
	_ "unsafe" // for go:linkname

	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// syncSet is the sync of the real controller. The empty file linkname.s lets it do without a body.
//
//go:linkname syncSet k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).sync
func syncSet(c *statefulset.StatefulSetController, ctx context.Context, key string) error

// SyncSet is the sync of the real controller.
func SyncSet(c *statefulset.StatefulSetController, key string) error {
	return syncSet(c, context.Background(), key)
}
