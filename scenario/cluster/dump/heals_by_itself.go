package dump

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Heals says when a pod that keeps a set from continuing comes up although nobody changes the set: "when the registry
// lets web-2 pull its image"; "" if the dump shows nothing of the kind.
func (d *Dump) Heals(pod model.Key) string {
	f := d.Facts[pod]
	switch {
	case f == nil:
		return ""
	case strings.Contains(f.Waiting, "ImagePull") && (RateLimited(f.Message) || Unreached(f.Message)):
		return "when the registry lets " + pod.Name + " pull its image"
	case strings.Contains(f.Unschedulable, "Insufficient "), strings.Contains(f.Unschedulable, tooManyVolumes):
		return "only when a node has room for " + pod.Name
	case f.Crowded():
		return "only when the pod is gone that uses the PVC of " + pod.Name
	}
	return ""
}

// BetweenTwo says when a set continues that is stuck on a pod whose container crashes, and which is Ready at times.
func BetweenTwo(pod string) string { return "only while " + pod + " is Ready, between two crashes" }
