package dump

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// conflicts finds in a message of the scheduler how many nodes cannot use the volume of a pod, in the words of the
// versions (ErrReasonNodeConflict in pkg/scheduler/framework/plugins/volumebinding).
var conflicts = lazy.Regexp(
	`(\d+) node\(s\) (?:had volume node affinity conflict|didn't match PersistentVolume's node affinity)`)

// placeVolumes finds the nodes of a volume whose PersistentVolume is not in the dump, from what the scheduler says: if
// it names a conflict for all nodes but those that take no pod, the volume can be used on these alone. So uncordoning
// one of them helps, and if there is none only another volume does. It must come after the nodes and the claims.
func (c *converter) placeVolumes() {
	var closed []string
	for i := range c.State.Nodes {
		if n := &c.State.Nodes[i]; n.Cordoned || n.NotReady || n.OutOfService {
			closed = append(closed, n.Name)
		}
	}
	for i := range c.State.Pods {
		p := &c.State.Pods[i]
		found := conflicts().FindStringSubmatch(c.Facts[p.Key()].Unschedulable)
		if p.Node != "" || found == nil || len(c.nodes) == 0 {
			continue
		}
		// A number that is too large for an int is not that of the nodes either.
		if n, _ := strconv.Atoi(found[1]); n != len(c.State.Nodes)-len(closed) {
			continue
		}
		for _, claim := range c.ClaimsOf(p.Pod) {
			if claim.Reach == "" && claim.Phase == model.ClaimBound {
				claim.Reach = reachOf(closed)
			}
		}
	}
}

// reachOf returns the NodeSelector of some nodes, as JSON.
func reachOf(nodes []string) string {
	var selector corev1.NodeSelector
	for _, name := range nodes {
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, corev1.NodeSelectorTerm{
			MatchFields: []corev1.NodeSelectorRequirement{
				{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{name}},
			},
		})
	}
	data, err := json.Marshal(&selector)
	if err != nil {
		panic(fmt.Sprintf("dump: the nodes %v cannot be encoded: %v", nodes, err))
	}
	return string(data)
}

// Reaches returns the label that a node must have so that it can use the volume of a claim, as kubectl writes labels;
// "" if it is not known, or if it is not one label.
func Reaches(claim *model.Claim) string {
	var selector corev1.NodeSelector
	known := claim.Reach != "" && json.Unmarshal([]byte(claim.Reach), &selector) == nil
	if !known || len(selector.NodeSelectorTerms) != 1 {
		return ""
	}
	labels := selector.NodeSelectorTerms[0].MatchExpressions
	if len(labels) != 1 || labels[0].Operator != corev1.NodeSelectorOpIn || len(labels[0].Values) != 1 {
		return ""
	}
	return labels[0].Key + "=" + labels[0].Values[0]
}

// Crowded says whether the scheduler finds that nodes have no room for the pod's volumes, or that another pod uses one.
func (f *Facts) Crowded() bool {
	return strings.Contains(f.Unschedulable, tooManyVolumes) || strings.Contains(f.Unschedulable, "ReadWriteOncePod")
}

// tooManyVolumes is in the message of the scheduler about nodes with as many volumes as they may have.
const tooManyVolumes = "exceed max volume count"

// Misplaced says whether the scheduler finds that nodes cannot use the pod's volumes, which no change of its spec
// alters.
func (f *Facts) Misplaced() bool { return conflicts().MatchString(f.Unschedulable) }

// Unbegun says whether the kubelet of a pod's node has not begun with it, although it has been there for a long time.
func (d *Dump) Unbegun(p *Pod) bool {
	f := d.Facts[p.Key()]
	return p.Phase == model.Pending && p.Node != "" && f.Unbegun && f.Event == "" && p.Bound.Add(patience) < 0
}

// Unmounted says whether the containers of a pod are not created because a volume of one of its claims is not attached
// or not mounted: no change of the template alters that.
func (d *Dump) Unmounted(p *Pod) bool { return d.unmounted(p) != "" }

// unmounted returns the volume of Unmounted; "" if there is none.
func (d *Dump) unmounted(p *Pod) string {
	event := d.Facts[p.Key()].Event
	failed := strings.HasPrefix(event, "FailedMount: ") || strings.HasPrefix(event, "FailedAttachVolume: ")
	if p.Phase != model.Pending || !failed {
		return ""
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if volume := VolumeOf(claim); volume != "" && strings.Contains(event, strconv.Quote(volume)) {
			return volume
		}
	}
	return ""
}

// mounts says whether a pod mounts a volume by one of its claims.
func (d *Dump) mounts(pod *model.Pod, volume string) bool {
	return slices.ContainsFunc(d.ClaimsOf(pod), func(claim *model.Claim) bool { return VolumeOf(claim) == volume })
}
