package dump

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// unfound finds in the message of the scheduler the claim that a pod names and that does not exist.
var unfound = lazy.Regexp(`persistentvolumeclaim "([^"]+)" not found`)

// Unfound returns the claim that a pod without a node names and that does not exist; "" if there is none. owned is true
// if a claim template makes it, so that it is the controller's to create.
func (d *Dump) Unfound(p *Pod) (claim string, owned bool) {
	found := unfound().FindStringSubmatch(d.Facts[p.Key()].Unschedulable)
	if found == nil || p.Node != "" || p.Terminating() ||
		d.Claim(model.Key{Namespace: p.Namespace, Name: found[1]}) != nil {
		return "", false
	}
	return found[1], slices.ContainsFunc(d.State.Sets, func(set *model.StatefulSet) bool {
		return set.Namespace == p.Namespace && slices.ContainsFunc(set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
			return owns(set, p.Pod) && t.Name+"-"+p.Name == found[1]
		})
	})
}
