package symptom

// Leaving is the name of the taints of nodes that an autoscaler is about to remove.
const Leaving = "node about to be removed"

// Taint returns what is known of a taint that programs set and remove, by its key; Nothing if people give it. Where Ends is
// "", people may have to do with it all the same.
func Taint(key string) *Row { return taints.row(key, key) }

const (
	lifecycle = "kube-controller-manager, pkg/controller/nodelifecycle"
	notPeople = "is not for people to remove: "
	removes   = " set it, and is about to remove the node. The pod needs another node."
	findOut   = ": find out why that does not happen."
)

// ofCondition returns the row about the taint of a condition of a node: what is done about it, and the request to do so.
func ofCondition(name, taint, does, request string) Row {
	return Row{Name: name, Source: lifecycle, Reasons: []string{"node.kubernetes.io/" + taint}, Does: does, Ends: "comes from " +
		"the node's condition: " + request + ", and the taint disappears by itself. If somebody only removes it, it comes back."}
}

var taints = Family{
	ofCondition("DiskPressure", "disk-pressure", "freeing disk space", "free disk space there"),
	ofCondition("MemoryPressure", "memory-pressure", "freeing memory", "free memory there"),
	ofCondition("PIDPressure", "pid-pressure", "ending processes", "end processes there"),
	ofCondition("NetworkUnavailable", "network-unavailable", "setting up the network", "set the network up there"),
	{Name: "not initialized", Source: "cloud-provider, node controller",
		Reasons: []string{"node.cloudprovider.kubernetes.io/uninitialized"},
		Ends:    "stays until the cloud controller manager has initialized a node" + findOut},
	{Name: "no Cilium agent", Source: "Cilium, operator", Reasons: []string{"node.cilium.io/agent-not-ready"},
		Ends: "stays until the Cilium agent of a node works" + findOut},
	{Name: "not registered", Source: "Karpenter", Reasons: []string{"karpenter.sh/unregistered"},
		Ends: "stays until Karpenter has registered a node" + findOut},
	{Name: Leaving, Source: "cluster-autoscaler, utils/taints",
		Words: words(`^(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler`),
		Ends:  notPeople + "the cluster autoscaler" + removes},
	{Name: Leaving, Source: "Karpenter", Words: words(`^karpenter\.sh/`), Ends: notPeople + "Karpenter" + removes},
	{Name: "state of the node", Source: lifecycle + "; kubeadm; Cilium",
		Words: words(`^(node|node-role|node\.cloudprovider)\.kubernetes\.io/|^node\.cilium\.io/`)},
}

// OfTemplate is the name of the rejections that what the template asks for decides, and not the node.
const OfTemplate = "rejected for the template"

// Rejection returns why a kubelet has rejected a pod, and will reject the next one, by its reason and all of its status;
// Nothing if it has not, or if the scheduler sees why, which is not asked where the template names the node.
func Rejection(reason, status string, named bool) *Row {
	if row := rejections.row(reason, ""); !row.None() || !named {
		return row
	}
	return pinned.row("", status)
}

const rejects = "the kubelet of {node} rejects {pod}, and will reject the next one: {reason}"

var rejections = Family{
	{Name: OfTemplate, Source: "kubelet 1.29 to 1.38, pkg/kubelet/lifecycle, sysctl, apparmor", Sentence: rejects,
		Reasons: []string{"SysctlForbidden", "PodFeatureUnsupported", "AppArmor", "InitContainerRestartPolicyForbidden",
			"SupplementalGroupsPolicyNotSupported", "PodLevelResourcesNotSupported", "NodeAffinity"},
		Needs: "Take out of the template what the kubelet rejects, or let the kubelet of {node} allow it (a sysctl: " +
			"--allowed-unsafe-sysctls). The controller replaces a failed pod by itself, and the next one has the new template.",
		Ends: "The pods of the template before run. Undoing the rollout ends it, since the controller replaces a failed pod " +
			"by itself: {see}"},
	{Name: "rejected unseen", Source: "kubelet 1.29 to 1.38, pkg/kubelet/lifecycle, cm/topologymanager, cm/cpumanager",
		Sentence: rejects, Needs: "The scheduler does not see it. Where another node takes the pod: kubectl cordon {node}, and the " +
			"controller, which replaces a failed pod by itself, makes one that goes there. Then repair {node}: look at its " +
			"kubelet, and at what offers the devices there.",
		Reasons: []string{"TopologyAffinityError", "SMTAlignmentError", "UnexpectedAdmissionError",
			"PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch", "InvalidNodeInfo"}},
}

var pinned = Family{
	{Name: "rejected where the template names the node", Source: "kubelet 1.29 to 1.38, pkg/kubelet/lifecycle",
		Sentence: rejects, Words: words("^OutOf|Pod was rejected|Predicate ")},
}

// Preempted is the reason of the event about a pod whose place one of a higher priority takes, and ByTaint that of the
// condition of one that the taint manager deletes.
const Preempted, ByTaint = "Preempted", "DeletionByTaintManager"

// Recreates are the reasons of events about a set whose controller creates a pod again which has ended.
var Recreates = OneOf{"RecreatingFailedPod", "RecreatingTerminatedPod"}

// Unreported is the phase of a pod of which its kubelet has not said anything for too long.
const Unreported = "Unknown"

var nodes = Family{
	{Name: "node-down", Source: lifecycle, Reasons: []string{"NodeStatusUnknown"},
		Sentence: "node {node} does not answer", Ends: "Its node {node} does not answer."},
	{Name: "node-not-ready", Source: "kubelet 1.29 to 1.38, pkg/kubelet/nodestatus", Reasons: []string{"KubeletNotReady"},
		Sentence: "node {node} is not Ready", Ends: "Its node {node} is not Ready. The kubelet there says: {says}"},
	{Name: "kubelet-cannot-stop", Source: "kubelet 1.29 to 1.38, pkg/kubelet/pod_workers.go",
		Sentence: "the grace period of {pod} is over, and the kubelet of {node} does not stop it",
		Ends:     "Its grace period is over,{answers} and it has no finalizer. Assumed: its kubelet cannot stop it."},
	{Name: "kubelet does not finish", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kubelet.go, volumemanager",
		Ends: "No container of it runs, its grace period is over,{answers} and it has no finalizer. Its kubelet does not finish: " +
			"most often a volume is not unmounted, or its network (CNI) not taken down. The log of the kubelet of {node} says " +
			"why.{inuse} Deleted by force, a volume may stay mounted or attached there."},
	{Name: "not-reported", Source: "API server, the phase Unknown", Reasons: []string{Unreported},
		Sentence: "the kubelet of {node} does not report {pod}",
		Needs:    "the kubelet of {node}, which answers, reports {pod}, which has been in phase Unknown{long}"},
	{Name: "fails-again", Source: "kubelet, statefulset controller",
		Reasons:  Recreates,
		Sentence: "{pod} fails again and again: the controller has created it again {times} times within {long}",
		Needs:    "{pod} does not fail again: the controller has created it again {times} times within {long}",
		Ends:     "It is Ready now, and most likely fails again. Its events say why: {see}"},
	{Name: "succeeded", Source: "statefulset controller before 1.27.9, 1.28.5 and 1.29", Certain: true,
		Sentence: "{pod} has Succeeded, and this version of Kubernetes never replaces such a pod",
		Ends:     "This version of Kubernetes never replaces a pod that has Succeeded: 1.27.9, 1.28.5, 1.29 and later do."},
}
