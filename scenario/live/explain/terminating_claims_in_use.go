package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// risks lists the claims that are Lost and that a running pod of the set uses: its data is reached only as long as that
// pod runs. And it lists those that are being deleted and that a pod of the set uses, alone. A claim that the set's own
// retention policy deletes is none: that is what the spec asks for. If the set goes on to delete such a pod, it plays
// the run in which the rollout is stopped.
func (v *view) risks(of *judge.Set) []*Risk {
	var list []*Risk
	set := of.Now
	for pod := range set.Pods.All {
		p := v.Pod(model.Key{Namespace: of.Key.Namespace, Name: pod.Name})
		if p == nil {
			continue
		}
		for _, claim := range v.ClaimsOf(p.Pod) {
			if v.Claims[claim.Key()].Lost && p.Phase == model.Running {
				list = append(list, &Risk{Claim: claim.Name, Pod: pod.Name, Gone: v.Claims[claim.Key()].Volume})
				continue
			}
			if !claim.Terminating() || heal.Asked(set.Spec, claim.Name) || len(v.Users(claim.Key())) > 1 {
				continue
			}
			r := &Risk{Claim: claim.Name, Pod: pod.Name, Volume: dump.VolumeOf(claim)}
			if r.Volume != "" {
				r.Keep = shell.Kubectl("patch", "pv", r.Volume, "-p",
					`{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`)
			}
			if at, lost := goneAt(v.run.Later(), claim.Key()); lost {
				r.Lost, r.In, r.Stop = true, Instant(at), v.stops(set.Spec, claim.Key())
			}
			list = append(list, r)
		}
	}
	return list
}

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
// what is near the set.
func (v *view) stops(set *model.StatefulSet, claim model.Key) string {
	if set.Spec.Strategy.Type != model.RollingUpdateStrategy || set.Terminating() {
		return ""
	}
	near := *v.lab
	near.World = v.World(near.World, set.Key())
	hold := play.Hold(set)
	hold.When = sim.When{Trigger: sim.At}
	if _, lost := goneAt(near.Run(play.Script{hold}), claim); lost {
		return ""
	}
	return hold.Kubectl
}

// Risk is a PVC that is being deleted and exists only because its pod still uses it. When the pod is deleted, the PVC
// goes, and the new pod gets an empty one. A container that restarts in the pod does no harm.
type Risk struct {
	// Claim is the name of the PVC, Pod that of the pod that uses it.
	Claim string `json:"claim"`
	Pod   string `json:"pod"`
	// Lost says that the pod is deleted if nobody does anything; In is then the time until the PVC is gone.
	Lost bool    `json:"lost"`
	In   Instant `json:"in,omitempty"`
	// Volume is its PersistentVolume, "" if the dump does not show it. Keep is the command that keeps that volume when
	// the PVC goes; volumes are not simulated.
	Volume string `json:"volume,omitempty"`
	Keep   string `json:"keep,omitempty"`
	// Stop is the command that stops the rollout before it deletes the pod. It was played: the PVC was still there at
	// the end. "" if there is none.
	Stop string `json:"stop,omitempty"`
	// Gone is its PersistentVolume, if that does not exist any more and the pod still runs with its disk; else "".
	Gone string `json:"gone,omitempty"`
	// Again are the commands that delete the pod once and let its new PVC bind the same volume, when Keep has been run:
	// nothing else ends the deletion of the PVC. They are not simulated. If several PVCs of a pod are at risk, only the
	// last of them has the commands, which are for all.
	Again []string `json:"again,omitempty"`
}

// String says in sentences what is at risk.
func (r *Risk) String() string {
	if r.Gone != "" {
		return fmt.Sprintf("DATA AT RISK: PVC %s is Lost: its PersistentVolume %s does not exist any more. Its data is reached "+
			"only as long as %s runs, and no new %[3]s starts with this PVC. Copy the data away now, and neither delete %[3]s, "+
			"drain its node nor roll out until then.", r.Claim, r.Gone, r.Pod)
	}
	text := fmt.Sprintf("DATA AT RISK: PVC %s is being deleted. It exists only as long as %s does. ", r.Claim, r.Pod)
	if r.Lost {
		return text + fmt.Sprintf("If nobody does anything, both %s and the PVC are gone in about %s; the new pod gets an "+
			"empty one.", r.Pod, roughly(r.In))
	}
	return text + fmt.Sprintf("The next deletion of %[1]s, for example by a rollout or a drain, removes the PVC; the new "+
		"%[1]s gets an empty one.", r.Pod)
}

// withCommands returns the risks of a set with the commands by which a new PVC binds the volume of the old one. A PVC
// that is being deleted stays so, and a volume whose claimRef has no uid is bound by the next PVC of that name. The set
// is away in between, or its controller would create the PVC before the volume is free. The last risk of a pod has the
// commands for all PVCs of the pod, which go together; if one of their volumes is not known there are none.
func withCommands(set model.Key, risks []*Risk) []*Risk {
	var list []*Risk
	for i, r := range risks {
		with := *r
		var waits, frees []string
		known := true
		for at, of := range risks {
			if of.Pod != r.Pod {
				continue
			}
			known = known && of.Volume != "" && at <= i
			waits = append(waits, shell.In(set.Namespace, "wait", "pvc/"+of.Claim, "--for=delete", shell.NoTimeout))
			frees = append(frees, shell.FreeVolume(of.Volume))
		}
		if known {
			with.Again = slices.Concat([]string{
				shell.Into(shell.In(set.Namespace, "get", "statefulset", set.Name, "-o", "yaml"), set.Name+".yaml"),
				shell.In(set.Namespace, "delete", "statefulset", set.Name, "--cascade=orphan"),
				shell.In(set.Namespace, "delete", "pod", r.Pod),
			}, waits, frees, []string{shell.In(set.Namespace, "create", "-f", set.Name+".yaml")})
		}
		list = append(list, &with)
	}
	return list
}

// item says what is at risk, and below it what to do, in the order in which to do it.
func (r *Risk) item() doc.Item {
	item := doc.Line(r.String()).Bad()
	set, _ := model.SplitPodName(r.Pod)
	n := 0
	step := func(text string, commands ...string) {
		n++
		as := doc.Fact(fmt.Sprintf("%d.", n), text)
		as.Commands = doc.All(commands)
		item.Items = append(item.Items, as)
	}
	if r.Lost && r.Stop == "" {
		item.Items = doc.Lines(fmt.Sprintf("No command that was simulated keeps the PVC: it is gone about %s after the dump.",
			roughly(r.In)))
	}
	if r.Keep != "" {
		step("At once, make the volume outlive the PVC (not simulated):", r.Keep)
	}
	if r.Stop != "" {
		step(fmt.Sprintf("Stop the rollout before it deletes %s, about %s after the dump (verified by simulation: the PVC "+
			"stays):", r.Pod, roughly(r.In)), r.Stop)
	}
	if len(r.Again) > 0 {
		step(fmt.Sprintf("The PVC stays Terminating: delete %s once, at a time of your choice, and let its new PVC bind the "+
			"same volume (not simulated). %s.yaml must be complete: from the second to the last command nothing replaces "+
			"the pods of %s. The new %s has the newest template, whatever the partition:", r.Pod, set, set, r.Pod), r.Again...)
	}
	if r.Stop != "" {
		step("Let the rollout continue: set the partition to what it was.")
	}
	return item
}
