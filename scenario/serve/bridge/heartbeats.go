package bridge

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// nodeLeases is the namespace of the leases with which kubelets show that they live.
const nodeLeases = "kube-node-lease"

// Heartbeats returns the leases of the nodes whose kubelets are not silent: those of a namespace, or of all if it is "". They
// show the clock of the cluster. Each is renewed when it is read, and is in no watch: kept as objects, their versions would
// fill the history of the watches.
func (c *Cluster) Heartbeats(namespace string) []*objects.Object {
	if c.config.Uncontrolled || namespace != "" && namespace != nodeLeases {
		return nil
	}
	renewed := c.Instant().Format("2006-01-02T15:04:05.000000Z")
	var list []*objects.Object
	for i, node := range c.Objects.List(kinds.Node, "") {
		name := node.Key.Name
		if c.nodes[name].Down || c.Objects.Get(kinds.Lease, model.Key{Namespace: nodeLeases, Name: name}) != nil {
			continue
		}
		list = append(list, objects.New(kinds.Lease, kinds.Fields{
			"metadata": map[string]any{"namespace": nodeLeases, "name": name, "uid": (2*firstUID + model.UID(i)).String(),
				"creationTimestamp": node.Fields.Text("metadata", "creationTimestamp"),
				"ownerReferences":   []any{map[string]any{"apiVersion": "v1", "kind": "Node", "name": name, "uid": node.UID()}}},
			"spec": map[string]any{"holderIdentity": name, "leaseDurationSeconds": int64(40), "renewTime": renewed},
		}, node.Version))
	}
	return list
}
