package sim

import "github.com/statefulsim/statefulsim/model"

// ControlPlane is what a version of Kubernetes decides: the StatefulSet controller, what the API server does with a
// StatefulSet, and how nodes are watched over.
type ControlPlane struct {
	Controller model.Controller
	API        model.APIRules
	Nodes      NodeRules
}

// ReplaceControlPlane puts the control plane of another version into the place of the one that runs, as an upgrade
// does. Stored objects stay as they are until somebody writes them. The old controller dies as in RestartController,
// and the new one is there at once.
func (u *User) ReplaceControlPlane(next ControlPlane) {
	w := u.w
	w.config.Controller, w.config.API, w.config.Cluster.Rules = next.Controller, next.API, next.Nodes
	w.store.SetRules(next.API)
	w.stopController()
	w.startController()
	w.wantSweep()
	w.settleVolumes()
}
