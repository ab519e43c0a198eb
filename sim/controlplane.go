package sim

import "github.com/statefulsim/statefulsim/model"

// ReplaceControlPlane puts an API server and a controller of another version into the places of those that run, as an
// upgrade of the control plane does. Stored objects stay as they are until somebody writes them. The new controller
// begins as any does: with every set in its queue, and without a memory of failures and delayed syncs.
func (u *User) ReplaceControlPlane(controller model.Controller, rules model.APIRules) {
	w := u.w
	w.config.Controller, w.config.API = controller, rules
	w.store.SetRules(rules)
	w.stopController()
	w.queue.Cancel(w.start)
	w.startController()
}
