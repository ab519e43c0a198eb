package bridge

import (
	"maps"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// nodeLeases is the namespace of the leases that kubelets renew to show that they are alive.
const nodeLeases = "kube-node-lease"

// reported is how often a kubelet writes the status of its node when nothing in it changes (nodeStatusReportFrequency).
const reported = 5 * time.Minute

// Reported returns a node as its kubelet has last written it: with the time of that in its conditions. As with the leases,
// it is found out when the node is read, and is in no watch.
func (c *Cluster) Reported(node *objects.Object) *objects.Object {
	created, err := time.Parse(time.RFC3339, node.Fields.Text("metadata", "creationTimestamp"))
	if c.config.Uncontrolled || err != nil {
		return node
	}
	at := c.Instant()
	if c.nodes[node.Key.Name].Down {
		at = c.silent[node.Key.Name]
	}
	at = at.Add(-max(0, at.Sub(created)) % reported)
	fields := kinds.Clone(node.Fields)
	var conditions []any
	for _, condition := range node.Fields.List("status", "conditions") {
		condition = maps.Clone(condition)
		condition["lastHeartbeatTime"] = at.Format(time.RFC3339)
		conditions = append(conditions, map[string]any(condition))
	}
	if conditions != nil {
		status := maps.Clone(fields.Map("status"))
		status["conditions"] = conditions
		fields["status"] = map[string]any(status)
	}
	return objects.New(kinds.Node, fields, node.Version)
}

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
