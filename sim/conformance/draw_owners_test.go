package conformance

import (
	"fmt"
	"maps"

	"github.com/statefulsim/statefulsim/model"
)

func owned() []model.Owner {
	return []model.Owner{{Kind: model.KindStatefulSet, Name: setName, UID: setUID, Controller: true}}
}

// disown takes some of the pods and revisions from the set: they belong to nobody or to somebody else, or the set's
// selector or name does not fit them any more.
func (d *stateDraw) disown() {
	if !d.chance(3) {
		return
	}
	for _, pod := range d.state.Pods {
		if d.chance(4) {
			pod.Owners = d.drawOwners()
		}
		if d.chance(6) {
			pod.Labels = d.drawOtherLabels(pod.Labels)
		}
		if d.chance(12) {
			pod.Name = fmt.Sprintf("other-%d", pod.UID)
		}
	}
	for _, revision := range d.state.Revisions {
		if d.chance(4) {
			revision.Owners = d.drawOwners()
		}
		if d.chance(8) {
			revision.Labels = d.drawOtherLabels(revision.Labels)
		}
	}
}

// drawOwners makes the owners of a pod or a revision that is not simply the set's.
func (d *stateDraw) drawOwners() []model.Owner {
	notController := owned()
	notController[0].Controller = false
	return pick(d.draw,
		nil,
		[]model.Owner{{Kind: model.KindNone, Name: "other", UID: 98, Controller: true}},
		// A set of the same name, which is gone.
		[]model.Owner{{Kind: model.KindStatefulSet, Name: setName, UID: setUID - 1, Controller: true}},
		nil,
		[]model.Owner{{Kind: model.KindNone, Name: "other", UID: 98}},
		notController,
		append([]model.Owner{{Kind: model.KindNone, Name: "other", UID: 98}}, owned()...),
	)
}

// drawOtherLabels returns labels that some selectors do not match.
func (d *stateDraw) drawOtherLabels(labels map[string]string) map[string]string {
	other := maps.Clone(labels)
	switch d.below(4) {
	case 0:
		other[appLabel] = "no"
	case 1:
		other["x"] = "1"
	case 2:
		delete(other, appLabel)
	case 3:
		other[appLabel] = "other"
	}
	return other
}

// drawClaimOwners makes the owners of a claim: any mixture of nobody, the set, its pod, an earlier one of the name, an
// earlier set and somebody else, as a controller or not.
func (d *stateDraw) drawClaimOwners(ordinal int) []model.Owner {
	if d.chance(2) {
		return nil
	}
	pod := d.state.Set.PodName(ordinal)
	var owners []model.Owner
	for range d.between(1, 2) {
		owner := pick(d.draw,
			model.Owner{Kind: model.KindStatefulSet, Name: setName, UID: setUID},
			model.Owner{Kind: model.KindPod, Name: pod, UID: model.UID(100 + ordinal)},
			model.Owner{Kind: model.KindPod, Name: pod, UID: model.UID(80 + ordinal)},
			model.Owner{Kind: model.KindStatefulSet, Name: setName, UID: setUID - 1},
			model.Owner{Kind: model.KindNone, Name: "other", UID: 98},
			model.Owner{Kind: model.KindPod, Name: "other", UID: 99},
		)
		owner.Controller = d.chance(2)
		if len(owners) == 0 || owners[0].UID != owner.UID && !(owners[0].Controller && owner.Controller) {
			owners = append(owners, owner)
		}
	}
	return owners
}
