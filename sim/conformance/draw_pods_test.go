package conformance

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// drawPods makes the pods: at, below and above the ordinals of the set, in any state. In two of three states most are
// well, so that the later phases of a sync are reached too.
func (d *stateDraw) drawPods() {
	span := int(d.state.Set.Spec.Replicas) + 4
	mostlyWell := d.below(3) > 0
	revisions := append(d.someRevisionNames(), setName+"-other", "")
	common := pick(d.draw, revisions...)
	used := map[int]bool{}
	for range d.below(2*span + 1) {
		ordinal := d.below(span + 2)
		if used[ordinal] {
			continue
		}
		used[ordinal] = true
		revision := common
		if d.chance(3) {
			revision = pick(d.draw, revisions...)
		}
		d.state.Pods = append(d.state.Pods, d.drawPod(ordinal, revision, mostlyWell))
	}
}

func (d *stateDraw) drawPod(ordinal int, revision string, mostlyWell bool) *model.Pod {
	pod := &model.Pod{Template: pick(d.draw, d.templates...)}
	pod.Namespace, pod.Name, pod.UID, pod.ResourceVersion = namespace, d.drawPodName(ordinal), model.UID(100+ordinal), 4
	pod.Owners = owned()
	pod.Labels = map[string]string{appLabel: setName, model.LabelPodName: pod.Name}
	if revision != "" {
		pod.Labels[model.LabelRevision] = revision
	}
	if d.chance(10) {
		delete(pod.Labels, model.LabelPodName)
	}
	pod.Volumes = d.drawVolumes(ordinal)
	d.drawCondition(pod, mostlyWell)
	if d.chance(9) {
		pod.Deletion = &model.Deletion{}
	}
	return pod
}

// drawPodName makes a name that now and then is not the one that the set would give: web-03, or a number too great
// for an ordinal.
func (d *stateDraw) drawPodName(ordinal int) string {
	switch {
	case d.chance(40):
		return fmt.Sprintf("%s-0%d", setName, ordinal)
	case d.chance(60):
		return fmt.Sprintf("%s-99999999999%d", setName, ordinal)
	}
	return fmt.Sprintf("%s-%d", setName, ordinal)
}

func (d *stateDraw) drawVolumes(ordinal int) []model.Volume {
	volumes := []model.Volume{{Name: "tmp"}}
	templates := d.state.Set.Spec.ClaimTemplates
	if len(templates) == 0 || d.chance(8) {
		return volumes
	}
	for i := range templates {
		claim := model.ClaimName(d.state.Set, &templates[i], ordinal)
		if d.chance(20) {
			claim = "wrong"
		}
		volumes = append(volumes, model.Volume{Name: templates[i].Name, Claim: claim})
	}
	return volumes
}

// drawCondition makes a pod's phase and readiness, also a Ready pod that is not Running and the like.
func (d *stateDraw) drawCondition(pod *model.Pod, mostlyWell bool) {
	phases := []model.Phase{
		model.Running, model.Running, model.Running, model.Running, model.Running, model.Running,
		model.Pending, model.Failed, model.Succeeded,
	}
	condition := 0
	if !mostlyWell || d.chance(6) {
		condition = d.below(len(phases))
	}
	pod.Phase, pod.Ready = phases[condition], condition < 5
	if d.chance(12) {
		pod.Ready = !pod.Ready
	}
	if d.chance(4) {
		// 50 seconds are exactly enough.
		pod.ReadySince = stateNow.Add(-pick(d.draw, 50*time.Second, 40*time.Second, 30*time.Second, 55*time.Second))
	}
}

// drawClaims makes the claims of the set's pods, some of them missing and some being deleted.
func (d *stateDraw) drawClaims() {
	templates := d.state.Set.Spec.ClaimTemplates
	for i := range templates {
		for ordinal := range int(d.state.Set.Spec.Replicas) + 8 {
			if d.chance(3) {
				continue
			}
			claim := &model.Claim{}
			claim.Namespace, claim.Name = namespace, model.ClaimName(d.state.Set, &templates[i], ordinal)
			claim.UID = model.UID(300 + 20*i + ordinal)
			if d.chance(8) {
				claim.Deletion = &model.Deletion{}
			}
			claim.Owners = d.drawClaimOwners(ordinal)
			d.state.Claims = append(d.state.Claims, claim)
		}
	}
}
