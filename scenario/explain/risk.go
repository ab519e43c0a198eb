package explain

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Risk is a PVC that is being deleted and exists only because its pod still uses it. When the pod is deleted, the PVC
// goes, and the new pod gets an empty one. A container that restarts in the pod does no harm.
type Risk struct {
	Claim string `json:"claim"`
	Pod   string `json:"pod"`
	// Lost says that the pod is deleted if nobody does anything; In is the time until the PVC is gone then.
	Lost bool    `json:"lost"`
	In   Instant `json:"in,omitempty"`
	// Volume is its PersistentVolume, "" if the dump does not show it. Keep is the command that keeps that volume when
	// the PVC goes; volumes are not simulated.
	Volume string `json:"volume,omitempty"`
	Keep   string `json:"keep,omitempty"`
	// Stop is the command that stops the rollout before it deletes the pod. It was played: the PVC was still there at
	// the end. "" if there is none.
	Stop string `json:"stop,omitempty"`
}

// String says in sentences what is at risk.
func (r *Risk) String() string {
	text := fmt.Sprintf("DATA AT RISK: PVC %s is being deleted, and only %s still keeps it. ", r.Claim, r.Pod)
	if r.Lost {
		return text + fmt.Sprintf("If nobody does anything, %s is gone and so is the PVC in about %s; the new pod gets an "+
			"empty one.", r.Pod, roughly(r.In))
	}
	return text + fmt.Sprintf("The next deletion of %[1]s, for example by a rollout or a drain, ends the PVC; the new "+
		"%[1]s gets an empty one.", r.Pod)
}

// text writes the risk for people. line writes one line with its indent.
func (r *Risk) text(line func(int, string)) {
	line(2, r.String())
	if r.Keep != "" {
		line(4, "First keep its volume (not simulated):")
		line(5, r.Keep)
	}
	if r.Stop != "" {
		line(4, fmt.Sprintf("Stop the rollout before it deletes %s (verified by simulation: the PVC stays):", r.Pod))
		line(5, r.Stop)
	}
}

// risks lists the claims of the set's pods that are being deleted while their pods use them. A claim that the set's
// own retention policy deletes is none: that is what the spec asks for. If the set goes on to delete such a pod, it
// plays the run in which the rollout is stopped.
func (s *LiveSet) risks(set *timeline.Set, d *dump.Dump, lab *play.Lab, events []timeline.Event) {
	for _, pod := range set.Pods {
		ordinal := set.Spec.OrdinalOf(pod.Name)
		if ordinal < 0 || asked(set.Spec, ordinal) {
			continue
		}
		for i := range set.Spec.Spec.ClaimTemplates {
			name := model.ClaimName(set.Spec, &set.Spec.Spec.ClaimTemplates[i], ordinal)
			claim := d.Claim(model.Key{Namespace: s.Namespace, Name: name})
			if claim == nil || !claim.Terminating() {
				continue
			}
			r := &Risk{Claim: name, Pod: pod.Name, Volume: dump.VolumeOf(claim)}
			if r.Volume != "" {
				r.Keep = "kubectl patch pv " + r.Volume + ` -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`
			}
			if at, lost := goneAt(events, claim.Key()); lost {
				r.Lost, r.In, r.Stop = true, Instant(at), s.stops(set.Spec, claim.Key(), d, lab)
			}
			s.AtRisk = append(s.AtRisk, r)
		}
	}
}

// asked says whether the retention policy of a set asks for the deletion of the claims of a pod: that of all pods of a
// set that is being deleted, and that of the pods beyond its replicas.
func asked(set *model.StatefulSet, ordinal int) bool {
	policy := set.Spec.Retention
	if policy == nil {
		return false
	}
	beyond := ordinal < set.Start() || ordinal >= set.Start()+int(set.Spec.Replicas)
	return policy.DeleteWithSet && set.Terminating() || policy.DeleteWhenScaled && beyond
}

// goneAt says whether, and when, a claim goes in a run.
func goneAt(events []timeline.Event, claim model.Key) (model.Time, bool) {
	for i := range events {
		e := &events[i]
		if e.Kind == timeline.KindClaim && e.Set.Namespace == claim.Namespace && e.Claim.Name == claim.Name &&
			e.Claim.Type == model.Deleted {
			return e.T, true
		}
	}
	return 0, false
}

// stops returns the command that stops the rollout of a set, if it keeps the claim: it is played from the dump, with
// the objects of the set's namespace.
func (s *LiveSet) stops(set *model.StatefulSet, claim model.Key, d *dump.Dump, lab *play.Lab) string {
	if set.Spec.Strategy.Type != model.RollingUpdateStrategy || set.Terminating() {
		return ""
	}
	near := *lab
	near.World.Start = d.Of(s.Namespace)
	hold := play.Hold(set)
	hold.When = sim.When{Trigger: sim.At}
	if _, lost := goneAt(near.Run(play.Script{hold}), claim); lost {
		return ""
	}
	return hold.Kubectl
}
