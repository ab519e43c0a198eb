package serve

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// nodeLeases is the namespace of the leases with which kubelets show that they live.
const nodeLeases = "kube-node-lease"

// heartbeats returns the leases of the nodes whose kubelets are not silent, if the request reads leases of their
// namespace or of all. They show the clock of the cluster. Each is renewed when it is read, and is in no watch: kept as
// objects, their versions would fill the history of the watches.
func (s *Server) heartbeats(q *request) []*objects.Object {
	if s.config.Uncontrolled || q.kind != kinds.Lease || q.namespace != "" && q.namespace != nodeLeases {
		return nil
	}
	renewed := s.instant().Format("2006-01-02T15:04:05.000000Z")
	var list []*objects.Object
	for i, node := range s.objects.List(kinds.Node, "") {
		name := node.Key.Name
		if s.nodes[name].Down || s.objects.Get(kinds.Lease, model.Key{Namespace: nodeLeases, Name: name}) != nil {
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
