package symptom

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// FailedScheduling is the reason of the warning that no node takes a pod.
const FailedScheduling = "FailedScheduling"

// The names of the rows of the scheduler about which more is known than their texts say.
const (
	Gated, Unclaimed, Unbound, Spread = "scheduling gates", "PVC not found", "PVC without a volume", "topology spread"
	Misplaced, NoRoom, VolumeRoom     = "volume of other nodes", "no room", "no room for volumes"
	UsedAlone, Taken, Cordoned        = "ReadWriteOncePod", "PVC of an ephemeral volume", "cordoned"
	Tainted, Unselected, Volumes      = "taint", "node selector", "volumes"
	Full                              = "too many pods"
)

// Reasons are why nodes do not take a pod: a row for each reason that the scheduler gives, in the order of the table.
type Reasons []*Row

// Unplaced returns why nodes do not take a pod, by the message of the scheduler. It gives each node one reason: that of
// the first filter that does not let the pod through.
func Unplaced(message string) Reasons {
	if message == "" {
		return nil
	}
	said, _, _ := strings.Cut(message, "preemption:")
	parts := []string{said}
	if _, nodes, found := strings.Cut(said, "nodes are available: "); found {
		nodes, _, _ = strings.Cut(strings.ReplaceAll(nodes, ", that the pod didn't tolerate", ""), ". ")
		parts = strings.Split(nodes, ", ")
	}
	var list Reasons
	for _, part := range parts {
		list = append(list, scheduler.row("", part))
	}
	slices.SortStableFunc(list, func(a, b *Row) int {
		return slices.IndexFunc(scheduler, a.is) - slices.IndexFunc(scheduler, b.is)
	})
	return list
}

// is reports whether rows of a table are the same.
func (r *Row) is(other Row) bool { return r.Name == other.Name }

// Has reports whether one of the reasons is a row of one of the names.
func (l Reasons) Has(names ...string) bool {
	return slices.ContainsFunc(l, func(r *Row) bool { return slices.Contains(names, r.Name) })
}

// OfVolumes reports whether the scheduler waits for the volumes of the pod.
func (l Reasons) OfVolumes() bool {
	return slices.ContainsFunc(l, func(r *Row) bool { return r.OfVolume })
}

// Closed reports whether no node takes pods, whatever they ask for.
func (l Reasons) Closed() bool {
	return len(l) > 0 && !slices.ContainsFunc(l, func(r *Row) bool { return !r.OfNode })
}

// Several reports whether there are reasons other than nodes which take no pods: each is then that of some nodes only.
func (l Reasons) Several() bool {
	n := 0
	for _, r := range l {
		if !r.OfNode && r.Name != Tainted {
			n++
		}
	}
	return n > 1
}

// Lasting reports whether none of the reasons ends by itself.
func (l Reasons) Lasting() bool {
	return !slices.ContainsFunc(l, func(r *Row) bool { return r.Passes })
}

// either finds what is said of all nodes, and of some.
var either = words(`\{([^{}|]*)\|([^{}]*)\}`)

// For returns a text about all nodes or about some of them.
func For(text string, some bool) string {
	if some {
		return either().ReplaceAllString(text, "$2")
	}
	return either().ReplaceAllString(text, "$1")
}

// Shown reports whether a dump that has all nodes and pods shows each of the reasons.
func (l Reasons) Shown() bool {
	return len(l) > 0 && !slices.ContainsFunc(l, func(r *Row) bool {
		return !r.OfNode && !r.Behind && !slices.Contains([]string{Misplaced, Tainted, Unselected, "host port"}, r.Name)
	})
}

// OnlyFull reports whether nodes have as many pods as they may have, and nothing is said that a template changes.
func (l Reasons) OnlyFull() bool {
	return l.Has(Full) && !slices.ContainsFunc(l, func(r *Row) bool { return r.Name != Full && r.Name != Misplaced })
}

// Elsewhere says of a pod whose volume only other nodes can use what helps; where says which nodes these are, and open is
// true if a dump has one of these and shows nothing that keeps the pod from it.
func (l Reasons) Elsewhere(where string, open bool) string {
	behind := slices.ContainsFunc(l, func(r *Row) bool { return r.Behind })
	text := "No node that takes pods can use its volume ({where}). One of these nodes, or a new one of that kind, has to " +
		"take pods."
	switch {
	case l.Has(NoRoom):
		text = "Only some nodes can use its volume (kubectl get pv shows which), and these have no room for the pod. When one " +
			"of them has room, or a new node joins in that zone, the pod gets that node by itself. Or let the pod request less."
	case l.Has(Full):
		text = "Not every node can use its volume ({where}), and those that can have as many pods as they may have."
	case behind:
		text = "Not every node can use its volume ({where}). Those that can do not take it for another reason that the " +
			"scheduler names. When that ends for one of them, or a new one of that kind joins," + getsNode
	case open:
		text = "Not every node can use its volume ({where}). One of those that can, or a new one of that kind, has to take it."
	}
	return strings.Replace(text, "{where}", where, 1)
}

// Short reports whether the scheduler finds too little of a resource.
func Short(message, resource string) bool { return strings.Contains(message, "Insufficient "+resource) }

// MayKeep reports whether a word of the scheduler, such as the key of a taint, may be what keeps a pod from nodes: its
// message has the word, or does not name what keeps the pod. Since 1.37 it names no taints, and the one node of a volume
// may have been closed since.
func MayKeep(message, word string) bool {
	return message == "" || strings.Contains(message, word) || strings.Contains(message, "taint(s)") ||
		Unplaced(message).Has(Misplaced)
}

// ByCordon is the word of the scheduler about nodes that are cordoned.
const ByCordon = "unschedulable"

// Autoscaler returns what an event about a pod says of a node that is made for it: one comes, or none does.
func Autoscaler(reason, component string) (comes, never bool) {
	comes = reason == "TriggeredScaleUp" || reason == "Nominated"
	return comes, reason == "NotTriggerScaleUp" || reason == FailedScheduling && component == "karpenter"
}

const (
	filters  = "kube-scheduler 1.29 to 1.38, pkg/scheduler/framework/plugins/"
	getsNode = " this pod gets that node by itself."
	ifTaint  = "Some nodes have a taint that it does not tolerate. If the taint is still intended, the template has to " +
		"tolerate it; if not, remove it (kubectl taint nodes NODE KEY-), and" + IfAlone
	// IfAlone ends the sentences about one of the things that may keep a pod from a node.
	IfAlone = " this pod gets that node by itself, if nothing else keeps it from there: the scheduler names only the first " +
		"thing."
	says = "the scheduler says: {says}"
)

// NoNode is what an edit of the template does about pods that no node takes.
var NoNode = Row{Name: "no node", Does: "let the nodes take the pods of %s", Needs: "the edit corrects what keeps the " +
	"pods off all nodes (nodeSelector, affinity, requests, hostPort, a missing toleration)" + OrFix}

// RelaxSpread is what NoNode needs where the topologySpreadConstraints keep the pods off the nodes.
const RelaxSpread = "the edit relaxes the topologySpreadConstraints (whenUnsatisfiable: ScheduleAnyway, or a larger " +
	"maxSkew)" + OrFix

var scheduler = ofFilters(Family{
	{Name: "anti-affinity", Source: filters + "interpodaffinity", Words: words("anti-affinity rules"),
		Behind: true, Ends: "A required podAntiAffinity, of this pod or of a pod that runs there, excludes " +
			"{every node that takes pods|some nodes}. When a node without such a pod joins, or takes pods again," + getsNode,
		Relaxed: " Or make the rule preferred: then this pod can run beside the others as soon as the pods with the old rule " +
			"are gone."},
	{Name: "affinity", Source: filters + "interpodaffinity", Words: words("pod affinity rules"),
		Behind: true, Ends: "Its required podAffinity asks for a node on which another pod runs, and {no node " +
			"that takes pods has such a pod|some nodes have no such pod}. When such a pod runs on a node that this pod may use," +
			getsNode},
	{Name: Spread, Source: filters + "podtopologyspread", Words: words("topology spread constraints"),
		Behind: true, Ends: "Its topologySpreadConstraints (DoNotSchedule) {leave no node|leave out some " +
			"nodes}. When a node joins the zone (or other topology domain) that has too few of these pods," + getsNode,
		Relaxed: " Or use ScheduleAnyway."},
	{Name: "host port", Source: filters + "nodeports", Words: words("free ports"),
		Ends: "On {every node that takes pods|some nodes} another pod uses its hostPort already. When a node without such a " +
			"pod joins," + getsNode},
	{Name: Full, Source: filters + "noderesources", Words: words(`Too many pods|Insufficient pods\b`), Cause: room,
		Sentence: roomless, Passes: true,
		Ends: "{The|Some} nodes have as many pods as they may have. When a node has room," + getsNode},
	{Name: "no free volume", Source: filters + "volumebinding", Words: words("available persistent volumes to bind"),
		OfVolume: true, Passes: true, Ends: "Its PVC asks for a PersistentVolume that somebody " +
			"has to make, and {no node that takes the pod has a free one|some nodes have no free one}. When there is one," + getsNode},
	{Name: VolumeRoom, Source: filters + "nodevolumelimits", Words: words("exceed max volume count"), Cause: room,
		Sentence: roomless, Passes: true, Heals: heals, Ends: "The nodes that the pod may use have as many volumes attached as " +
			"they may have. When one of them has room (a new node, or one that other pods with volumes leave)," + getsNode +
			" Or its pods need fewer volumes."},
	{Name: UsedAlone, Source: filters + "volumerestrictions", Words: words("ReadWriteOncePod"), Cause: room,
		Sentence: roomless, OfVolume: true, Passes: true, Heals: "only when the pod is gone that uses the PVC of {pod}",
		Ends: "Another pod uses its PVC, and only one pod may (ReadWriteOncePod): kubectl describe pvc shows which. When " +
			"that pod is gone," + getsNode},
	{Name: Taken, Source: "kube-scheduler 1.29 to 1.38, component-helpers/storage/ephemeral",
		Words: words("was not created for pod"), Ends: "A PVC has the name that the PVC of its ephemeral volume needs, and is " +
			"not its own. When that PVC is gone (it goes with its owner, or is deleted where nobody needs its data), this pod " +
			"gets one of its own, and a node, by itself."},
	{Name: "devices", Source: filters + "dynamicresources", Words: words("cannot allocate all claims"),
		Passes: true, Ends: "No node has free devices as its resourceClaims ask for (kubectl get " +
			"resourceslices). When one has," + getsNode},
	// Not certain: a controller that has set a gate, such as Kueue, removes it by itself when the turn of the pod comes.
	{Name: Gated, Source: filters + "schedulinggates", Words: words("scheduling gates"), Cause: "scheduling-gate", Passes: true,
		Sentence: "{pod} has schedulingGates, and the scheduler does not look at it", Ends: "The scheduler does not look at a " +
			"pod with schedulingGates. Whoever has set them has to remove them: the YAML of the pod shows them."},
	{Name: Unclaimed, Source: filters + "volumebinding", Words: UnfoundClaim, OfVolume: true, Passes: true},
	{Name: Unbound, Source: filters + "volumebinding", Words: words("unbound immediate PersistentVolumeClaims"),
		OfVolume: true, Passes: true},
	{Name: Volumes, Source: filters + "volumebinding, volumezone", OfVolume: true, Passes: true,
		Words: words(`(?i)persistentvolume(claim| ")|binding volumes|persistent volumes to bind|free storage`)},
	{Name: "nodes not Ready", Source: filters + "tainttoleration", Words: words(
		`taint \{node\.kubernetes\.io/(not-ready|unreachable)`), OfNode: true, Passes: true,
		Ends: "Nodes are not Ready; the dump does not show which. Dump them too (kubectl get nodes): no change of the " +
			"StatefulSet helps, and when they are Ready, {pod} may get a node by itself."},
	{Name: "state of nodes", Source: filters + "tainttoleration", Words: words(`taint \{node\.kubernetes\.io/`),
		OfNode: true, Passes: true},
	{Name: "control plane", Source: filters + "tainttoleration", Words: words(`taint \{node-role\.kubernetes\.io/`),
		OfNode: true, Ends: ifTaint},
	{Name: Tainted, Source: filters + "tainttoleration", Words: words(`taint(\(s\)| \{|s that the pod)`),
		Passes: true, Ends: ifTaint},
	// Nothing is certain besides it: whatever drains nodes one by one, such as an upgrade, uncordons them too.
	{Name: Cordoned, Source: filters + "nodeunschedulable", Words: words("were unschedulable"),
		OfNode: true, Passes: true, Ends: "Nodes are cordoned; the dump does not show which. Dump them too (kubectl get " +
			"nodes), or let them take pods again where their maintenance is over: kubectl uncordon NODE."},
	{Name: Unselected, Source: filters + "nodeaffinity", Certain: true, Words: words(`affinity/selector|match node selector`),
		Ends: "{No node that takes pods has|Some nodes lack} the labels that its nodeSelector or " +
			"nodeAffinity asks for{asks}. When a node has them (kubectl label nodes NODE KEY=VALUE)," + getsNode},
	// Certain: the API server lets nobody change the nodeAffinity of a PersistentVolume, and a node that joins is a change.
	// Where an autoscaler makes nodes, its event says so, and then it is not.
	{Name: Misplaced, Source: filters + "volumebinding", Certain: true, Words: words(
		`(\d+) node\(s\) (?:had volume node affinity conflict|didn't match PersistentVolume's node affinity)`),
		Cause: "volume-elsewhere", Sentence: "the nodes that can use the volume of {pod} do not take it"},
	{Name: NoRoom, Source: filters + "noderesources", Words: words("Insufficient "), Cause: room, Sentence: roomless,
		Passes: true, Heals: heals, Ends: "When a node has room for the pod (a new node, or one that other pods leave), the " +
			"pod gets that node by itself."},
	{Name: "any other", Source: "kube-scheduler, and plug-ins of others", Words: words(""), Passes: true},
})

// The causes of docs/causes.md that several rows have, and their texts.
const (
	noNode, room = "unschedulable", "no-room"
	roomless     = "no node that may take {pod} has room: the scheduler says: {says}"
	heals        = "only when a node has room for {pod}"
)

// UnfoundClaim finds the PVC that the scheduler does not find for a pod.
var UnfoundClaim = words(`persistentvolumeclaim "([^"]+)" not found`)

// OutOfReach returns how many nodes cannot use the volume of a pod; 0 if the scheduler does not say so.
func OutOfReach(message string) int {
	// A number that is too large for an int is not that of the nodes either.
	n, _ := strconv.Atoi(scheduler.named(Misplaced).Found(message))
	return n
}

// ofFilters returns the rows of filters: one that names no cause says that no node takes the pod, in the scheduler's words.
func ofFilters(rows Family) Family {
	for i := range rows {
		rows[i].Cause, rows[i].Sentence = cmp.Or(rows[i].Cause, noNode), cmp.Or(rows[i].Sentence, says)
	}
	return rows
}
