package dump

import (
	"encoding/json"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
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

// reach returns the NodeSelector of the volume of a claim, as JSON; "" if it has none or is not in the dump.
func (c *converter) reach(claim *corev1.PersistentVolumeClaim) string {
	required := c.reaches[model.Key{Namespace: claim.Namespace, Name: claim.Name}]
	if required == nil {
		return ""
	}
	data, err := json.Marshal(required)
	if err != nil {
		panic(fmt.Sprintf("dump: the reach of the claim %s/%s cannot be encoded: %v", claim.Namespace, claim.Name, err))
	}
	return string(data)
}

// reachesOf returns which nodes can use volumes, by the claims that the volumes are for. The first volume of a claim
// that says so counts.
func reachesOf(volumes []*corev1.PersistentVolume) map[model.Key]*corev1.NodeSelector {
	reaches := map[model.Key]*corev1.NodeSelector{}
	for _, volume := range volumes {
		of, affinity := volume.Spec.ClaimRef, volume.Spec.NodeAffinity
		if of == nil || affinity == nil || affinity.Required == nil {
			continue
		}
		if key := (model.Key{Namespace: of.Namespace, Name: of.Name}); reaches[key] == nil {
			reaches[key] = affinity.Required
		}
	}
	return reaches
}
