//go:build real && (v1_16 || v1_22)

package conformance

import (
	_ "unsafe" // for go:linkname

	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// SyncSet is the sync of the real controller. The empty file linkname.s lets it do without a body.
//
//go:linkname SyncSet k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).sync
func SyncSet(c *statefulset.StatefulSetController, key string) error
