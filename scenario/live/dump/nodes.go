package dump

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// The taints that the node lifecycle controller, and people, put on nodes.
const (
	taintUnreachable  = "node.kubernetes.io/unreachable"
	taintOutOfService = "node.kubernetes.io/out-of-service"
)

// nodesOf reads the nodes, sorted by name, and adds those that only pods name. A node that is not in the dump is
// assumed to exist and to be healthy, unless a pod shows that it is silent. It must come after the pods.
func (c *converter) nodesOf() {
	slices.SortStableFunc(c.nodes, func(a, b *corev1.Node) int { return cmp.Compare(a.Name, b.Name) })
	for _, object := range c.nodes {
		c.State.Nodes = append(c.State.Nodes, c.node(object))
		if kubelet := object.Status.NodeInfo.KubeletVersion; newer(kubelet, c.Kubelet) {
			c.Kubelet = kubelet
		}
	}
	known, down := map[string]bool{"": true}, map[string]bool{}
	for i := range c.State.Nodes {
		known[c.State.Nodes[i].Name] = true
	}
	for i := range c.State.Pods {
		name := c.State.Pods[i].Node
		if known[name] {
			continue
		}
		known[name] = true
		n := sim.NodeState{Node: sim.Node{Name: name}}
		if pod, since := c.silenced(name); pod != "" {
			n.NotReady, n.Down, n.Unreachable, n.Tainted = true, true, true, since
			c.assume("The node %s is not in the dump. Assumed: it does not answer, as the state of %s shows.", name, pod)
		} else {
			c.Unseen = append(c.Unseen, name)
			if len(c.nodes) > 0 {
				c.assume("The node %s is not in the dump. Assumed: it exists and is Ready. If it is "+
					"gone, its pods are deleted within a minute.", name)
			}
		}
		c.State.Nodes = append(c.State.Nodes, n)
	}
	for i := range c.State.Nodes {
		down[c.State.Nodes[i].Name] = c.State.Nodes[i].Down
	}
	for i := range c.State.Pods {
		p := &c.State.Pods[i]
		// While its node is silent, nobody knows whether a kubelet could stop it.
		p.Hung = p.Hung && !down[p.Node]
		// A kubelet that answers reports its pods, those in Unknown too.
		p.Silenced = p.Silenced && (down[p.Node] || !c.Facts[p.Key()].Unreported)
	}
}

// silenced finds a pod that shows that its node is silent, and since when. Either all its containers are ready and the
// pod is not, which only the node lifecycle controller writes; or the taint manager has deleted it.
func (c *converter) silenced(node string) (pod string, since model.Time) {
	for i := range c.State.Pods {
		if p := &c.State.Pods[i]; p.Node == node && (p.Silenced || c.Facts[p.Key()].evicted) {
			return p.Name, p.ReadySince
		}
	}
	return "", 0
}

// node reads a node: its state, by the condition Ready and the taints of the node lifecycle controller, and its taints.
func (c *converter) node(object *corev1.Node) sim.NodeState {
	n := sim.NodeState{
		Node: sim.Node{
			Name: object.Name, Zone: object.Labels[corev1.LabelTopologyZone],
			Labels: labelsOf(object), Allocatable: allocatable(object),
		},
		Cordoned: object.Spec.Unschedulable,
	}
	var facts NodeFacts
	for _, name := range slices.Sorted(maps.Keys(object.Status.Capacity)) {
		capacity := object.Status.Capacity[name]
		if has, is := object.Status.Allocatable[name]; is && has.IsZero() && !capacity.IsZero() {
			keyed.Put(&facts.Withheld, string(name), capacity.String())
		}
	}
	for _, condition := range object.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			n.NotReady = condition.Status != corev1.ConditionTrue
			n.Down = condition.Status == corev1.ConditionUnknown
			if condition.Status == corev1.ConditionFalse {
				facts.NotReady = OneLine(condition.Message)
			}
		}
	}
	for _, volume := range object.Status.VolumesInUse {
		facts.InUse = append(facts.InUse, string(volume))
	}
	c.Nodes[object.Name] = facts
	for _, taint := range object.Spec.Taints {
		switch {
		case slices.Contains(evicting, taint.Key) && taint.Effect == corev1.TaintEffectNoExecute:
			n.Unreachable = true
			if taint.TimeAdded != nil {
				n.Tainted = c.instant(taint.TimeAdded.Time)
			}
		case taint.Key == taintOutOfService:
			n.OutOfService = true
		case !slices.Contains(taintsOfState, taint.Key):
			n.Taints = append(n.Taints, sim.Taint{Key: taint.Key, Value: taint.Value, Effect: string(taint.Effect)})
		}
	}
	return n
}

// evicting are the taints with which the node lifecycle controller evicts the pods of a node. A node has one of them.
var evicting = []string{corev1.TaintNodeNotReady, taintUnreachable}

// taintsOfState are the taints that come and go with the state of a node, which the simulator gives it by itself.
var taintsOfState = []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable}

// labelsOf returns the labels of a node, or nil if they are not known. A dump has all of them, and each node has at
// least its name as a label; a node without that was printed without its labels.
func labelsOf(object *corev1.Node) map[string]string {
	if object.Labels[corev1.LabelHostname] == "" {
		return nil
	}
	return object.Labels
}

// allocatable returns what the pods of a node may request together; nil if the dump does not show it.
func allocatable(object *corev1.Node) (list map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(object.Status.Allocatable)) {
		quantity := object.Status.Allocatable[name]
		keyed.Put(&list, string(name), quantity.String())
	}
	return list
}

// assumeFits says which constraints of pods are not decided because the nodes are not known well enough.
func (c *converter) assumeFits() {
	cluster := sim.Cluster{Assumed: c.Nodeless}
	for i := range c.State.Nodes {
		cluster.Nodes = append(cluster.Nodes, c.State.Nodes[i].Node)
	}
	for _, what := range placement.Undecided(&cluster, c.State.Sets) {
		c.assume("%s.", what)
	}
}

// Versions returns the versions that the dump shows of the cluster; none without a dump.
func (d *Dump) Versions() release.Cluster {
	if d == nil {
		return release.Cluster{}
	}
	return release.Cluster{Manager: d.Manager, Kubelet: d.Kubelet}
}

// newer reports whether a text is a version, and newer than another one, which may be "".
func newer(text, than string) bool {
	of, err := version.ParseGeneric(text)
	if err != nil {
		return false
	}
	before, err := version.ParseGeneric(than)
	return err != nil || before.LessThan(of)
}

// managers notes the version of the controller managers that run as pods, as kubeadm and others run them.
func (c *converter) managers() {
	for _, pod := range c.pods {
		for i := range pod.Spec.Containers {
			container := &pod.Spec.Containers[i]
			binary, shown := release.Shown(container.Image, slices.Concat(container.Command, container.Args))
			if binary == release.Manager && newer(shown, c.Manager) {
				c.Manager = shown
			}
		}
	}
}

// Version returns the version of Kubernetes that the dump shows, as far as the simulator knows it: that very patch, or
// else the newest of its minor version. It is "" without a version, or if the minor is not known, or not out yet: that
// is for the user to choose.
func (d *Dump) Version() string {
	_, shown := d.Versions().Shown()
	of, err := version.ParseSemantic(shown)
	if err != nil {
		return ""
	}
	for _, text := range []string{shown, fmt.Sprintf("%d.%d", of.Major(), of.Minor())} {
		if profile, err := statefulset.Lookup(text); err == nil && profile.PreRelease() == "" {
			return profile.Version()
		}
	}
	return ""
}

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
		n := symptom.OutOfReach(c.Facts[p.Key()].Unschedulable)
		if p.Node != "" || n == 0 || len(c.nodes) == 0 || n != len(c.State.Nodes)-len(closed) {
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
	return encode(&selector)
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
