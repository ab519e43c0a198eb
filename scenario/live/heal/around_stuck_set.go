package heal

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// AroundOf returns what a dump shows near a set that is stuck on a pod, and that is no object of its worlds.
func AroundOf(d *dump.Dump, set *model.StatefulSet, pod string) Around {
	key, waited := set.Key(), model.Key{Namespace: set.Namespace, Name: pod}
	around := Around{Services: d.State.Services, Scalers: d.Scalers[key], Unplaced: map[model.Key]string{},
		Working: map[model.Key]string{}, Unready: map[model.Key]Unready{},
		Tool: d.Tools[key], Historyless: d.Historyless[key]}
	if p := d.Pod(waited); p != nil {
		around.Elsewhere = d.Attached(waited)
		image := d.Facts[waited].NoImage()
		around.Platform = image != nil && image.OfNode
		around.Untemplated = d.Full(waited) || d.Ungrown(p) || d.Unmounted(p) || d.Unbegun(p) ||
			d.Facts[waited].Imposed()
	}
	for _, room := range d.RoomInQuotas(set) {
		around.Quotas = append(around.Quotas, Quota{Name: room.Quota, Given: room.Given, Pods: room.Pods})
	}
	for _, pod := range d.PodsOf(set) {
		f := d.Facts[pod.Key()]
		if f == nil || pod.Ready {
			continue
		}
		if kind, name := f.Lacks(); name != "" {
			around.Missing = append(around.Missing, Missing{Pod: pod.Key(), Kind: kind, Name: name})
		}
		if claim, owned := d.Unfound(pod); claim != "" && !owned {
			around.Missing = append(around.Missing, Missing{Pod: pod.Key(), Kind: "PersistentVolumeClaim", Name: claim})
			around.Untemplated = true
		}
		if f.Init != "" && !f.Sidecar {
			around.Working[pod.Key()] = f.Init
		}
		unready := Unready{Probe: f.Waiting == "" && strings.HasPrefix(f.Event, "Unhealthy: Readiness")}
		if len(f.Unready) > 0 {
			unready.Container = f.Unready[0]
		}
		around.Unready[pod.Key()] = unready
		for _, claim := range d.ClaimsOf(pod.Pod) {
			if volume := d.Released[claim.Key()]; volume != "" && d.Waits(claim) {
				around.Released = append(around.Released, Released{Claim: claim.Key(), Volume: volume})
			}
		}
		if f.Unschedulable != "" {
			around.Unplaced[pod.Key()] = f.Unschedulable
		}
		if d.Attached(pod.Key()) {
			around.Attached = append(around.Attached, pod.Key())
			for _, a := range d.AttachedElsewhere(pod) {
				if d.Stranded(&a) && !a.Going {
					around.Stranded = append(around.Stranded, Stranded{Name: a.Name, Node: a.Node})
				}
			}
		}
	}
	return around
}
