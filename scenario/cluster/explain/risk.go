package explain

import (
	"fmt"
)

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
	// Again are the commands that delete the pod once and let its new PVC bind the same volume, when Keep has been run:
	// nothing else ends the deletion of the PVC. They are not simulated. If several PVCs of a pod are at risk, only the
	// last of them has the commands, which are for all.
	Again []string `json:"again,omitempty"`
}

// String says in sentences what is at risk.
func (r *Risk) String() string {
	text := fmt.Sprintf("DATA AT RISK: PVC %s is being deleted. It exists only as long as %s does. ", r.Claim, r.Pod)
	if r.Lost {
		return text + fmt.Sprintf("If nobody does anything, both %s and the PVC are gone in about %s; the new pod gets an "+
			"empty one.", r.Pod, roughly(r.In))
	}
	return text + fmt.Sprintf("The next deletion of %[1]s, for example by a rollout or a drain, removes the PVC; the new "+
		"%[1]s gets an empty one.", r.Pod)
}
