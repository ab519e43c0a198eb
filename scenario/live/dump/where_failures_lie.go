package dump

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// The kubelet, the runtime and the storage say in a message where a failure lies. That decides which new pods have it.

// NotRun returns why a container of the pod cannot be made, or has ended; nil if nothing says it.
func (f *Facts) NotRun() *symptom.Row {
	if row := symptom.Container(f.Waiting, f.Message); row != nil {
		return row
	}
	return symptom.Container(f.ExitReason, f.ExitMessage)
}

// OfPod reports whether the failure of the pod is only its own, so that a new pod of its name starts.
func (f *Facts) OfPod() bool {
	row := f.NotRun()
	return row != nil && row.OfPod
}

// Chowns says whether the kubelet is giving the files of a volume of a pod to its fsGroup. That takes long where there
// are very many, goes on by itself, and begins again for a new pod.
func (f *Facts) Chowns() bool { return strings.HasPrefix(f.Event, "VolumePermissionChangeInProgress") }

// noDisk finds in a warning about a volume that the storage does not have it.
var noDisk = lazy.Regexp(`(?i)volume\.?notfound|code = notfound\b|(disk|volume) \S* ?(was )?(does not exist|not found)`)

// DiskGone says whether the storage has no disk any more for the volume that a pod waits for.
func (f *Facts) DiskGone() bool {
	return strings.HasPrefix(f.Event, "FailedAttachVolume") && noDisk().MatchString(f.Event)
}

// Heals says when a pod that keeps a set from continuing comes up although nobody changes the set: "when the registry
// lets web-2 pull its image"; "" if the dump shows nothing of the kind.
func (d *Dump) Heals(pod model.Key) string {
	f := d.Facts[pod]
	if f == nil {
		return ""
	}
	switch image := f.NoImage(); {
	case image != nil:
		return symptom.Names{Pod: pod.Name}.In(image.Heals)
	case strings.Contains(f.Unschedulable, "Insufficient "), strings.Contains(f.Unschedulable, tooManyVolumes):
		return "only when a node has room for " + pod.Name
	case f.Crowded():
		return "only when the pod is gone that uses the PVC of " + pod.Name
	}
	return ""
}

// OfNode says whether a pod does not start for a reason that lies with its node: no other pod starts there either.
func (f *Facts) OfNode() bool {
	return strings.HasPrefix(f.Event, "FailedCreatePodSandBox") && !f.Runtimeless() || f.Driverless() != "" || f.Overfull()
}

// Fails says whether the last warning about a pod is that its kubelet has failed to start it: to attach or to mount a
// volume, or to make its sandbox. It tries again.
func (f *Facts) Fails() bool {
	return symptom.Unmounted(f.Event) || strings.HasPrefix(f.Event, "FailedCreatePodSandBox:")
}

// overfull finds in a warning about a volume that its node has as many volumes attached as it may have.
var overfull = lazy.Regexp(`(?i)ResourceExhausted|maximum number of (data )?disks|attachment ?limit ?exceeded|` +
	`attach(ed)? (volume )?limit|max(imum)? volume count`)

// Overfull says whether the volume of a pod is not attached since the node has as many volumes as it may have.
func (f *Facts) Overfull() bool {
	return strings.HasPrefix(f.Event, "FailedAttachVolume") && overfull().MatchString(f.Event)
}

// Runtimeless says whether the node of a pod lacks what its RuntimeClass asks for: another template starts there.
func (f *Facts) Runtimeless() bool { return strings.Contains(f.Event, "no runtime for ") }

// noDriver finds in a warning about a volume the driver that does not run on the node, in the words of the
// attach-detach controller and of the kubelet.
var noDriver = lazy.Regexp(`CSINode \S+ does not contain driver (\S+)|driver name (\S+) not found in the list of ` +
	`registered CSI drivers|(provider) not found: provider "([^"]+)"`)

// Driverless returns the driver of a volume that does not run on the node of a pod, "" if that is not so.
func (f *Facts) Driverless() string {
	found := noDriver().FindStringSubmatch(f.Event)
	if found == nil {
		return ""
	}
	return strings.TrimSpace(found[1] + found[2] + found[3] + " " + found[4])
}
