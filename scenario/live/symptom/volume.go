package symptom

import (
	"strings"
	"time"
)

var (
	// MultiAttach are in the warning about a volume that is attached to another node: up to 1.36, and from 1.37 on.
	MultiAttach = words(`Multi-Attach|Waiting for detach for volume`)
	// Unmounted are in a warning about a pod of which a volume is not attached, or not mounted; Fails in one whose kubelet
	// has failed to start it: that, or it has no sandbox. It tries again.
	Unmounted = words("^Failed(AttachVolume|Mount|MapVolume):")
	Fails     = words("^Failed(AttachVolume|Mount|MapVolume|CreatePodSandBox):")
	// inGeneral are in the warning of a kubelet that has waited for volumes for two minutes: another one says why.
	inGeneral = words(`^(FailedMount: )?Unable to attach or mount volumes`)
	// VolumeIn finds the volume that an event about a pod names.
	VolumeIn = words(`for volume "([^"]+)"`)
)

// Repeats reports whether a warning only says what comes of the last one: a volume that is not attached is not mounted,
// and one that is not mounted is waited for in vain; or only what the state of a container says too.
func Repeats(last, waiting, reason, message string) bool {
	return reason == "FailedMount" && MultiAttach.In(last) ||
		reason == "FailedMount" && inGeneral.In(message) && Unmounted.In(last) && !inGeneral.In(last) ||
		waiting != "" && (message == "Error: "+waiting || imageReasons.Has(strings.TrimPrefix(message, "Error: ")))
}

// Mends reports whether an event about a pod says that a volume is attached of which the last warning says that it is not.
func Mends(last, reason, message string) bool {
	volume := VolumeIn.Found(message)
	return reason == "SuccessfulAttachVolume" && volume != "" && strings.HasPrefix(last, "FailedAttachVolume:") &&
		VolumeIn.Found(last) == volume
}

// Pulling is the reason of the event about a pod whose kubelet pulls an image.
const Pulling = "Pulling"

// Start returns why the containers of a pod that has a node are not created, by the last warning about it; Nothing if
// no row has it. Within is how long it says little.
func Start(warning string) *Row {
	reason, _, _ := strings.Cut(warning, ":")
	return starts.row(reason, warning)
}

// Day is the time for which a kubelet is given that says that it still works: it goes on by itself.
const Day = 24 * time.Hour

const (
	atFault = "The node {node} is at fault, and not the template: no pod "
	attach  = "kubelet and attach-detach 1.29 to 1.38, pkg/volume/csi, pkg/controller/volume/attachdetach"
)

var starts = Family{
	{Name: "volume-ownership", Source: "kubelet 1.33 to 1.38, pkg/volume/volume_linux.go", Within: Day,
		Reasons:  []string{"VolumePermissionChangeInProgress"},
		Sentence: "the kubelet has been giving the files of a volume of {pod} to its fsGroup",
		Ends: "A new pod would begin again, so {pod} should not be deleted meanwhile. With fsGroupChangePolicy: " +
			"OnRootMismatch in the template, later starts are quick."},
	{Name: "no driver", Source: attach, Within: patience, OfNode: true,
		Words: words(`CSINode \S+ does not contain driver (\S+)|driver name (\S+) not found in the list of registered`),
		Ends: atFault + "there gets a volume of {found}. When that driver runs there (kubectl get csinode {node}), the pod " +
			"starts by itself."},
	{Name: "no provider", Source: "secrets-store-csi-driver", Within: patience, OfNode: true,
		Words: words(`(provider) not found: provider( )"([^"]+)"`),
		Ends: atFault + "there gets a volume of {found}. When the pod of that provider runs there, the pod starts by " +
			"itself."},
	{Name: "too many volumes", Source: "CSI drivers, ControllerPublishVolume", Within: patience, OfNode: true,
		Words: words(`(?i)^FailedAttachVolume.*(ResourceExhausted|maximum number of (data )?disks|` +
			`attachment ?limit ?exceeded|attach(ed)? (volume )?limit|max(imum)? volume count)`),
		Ends: "The node {node} has as many volumes attached as it may have, and the template is right: on another node the " +
			"pod gets its volume. When another pod with volumes leaves {node}, the pod starts by itself."},
	{Name: "volume that stays attaching", Source: "aws-ebs-csi-driver, pkg/cloud", Within: patience, OfNode: true,
		Words: words(`^FailedAttachVolume.*expected device to be attached but was attaching`),
		Ends: "The cloud does not finish attaching the volume to {node}, and the template is right: most often {node} has as many " +
			"volumes and network interfaces as it may have, while its CSINode allows more (volumeAttachLimit of the driver). On " +
			"another node the pod gets its volume."},
	{Name: "no disk", Source: "CSI drivers, ControllerPublishVolume",
		Words: words(`(?i)^FailedAttachVolume.*(volume\.?notfound|code = notfound\b|` +
			`(disk|volume) \S* ?(was )?(does not exist|not found))`),
		Ends: "The storage has no such disk any more, so its data is gone, unless there is a snapshot: then make a " +
			"PersistentVolume of it for this PVC. Without one, a new PVC gets an empty volume: delete the PVC, and then {pod}."},
	{Name: "mount broken", Source: "kubelet 1.29 to 1.38, pkg/volume/csi; mount(2)", OfNode: true, Outside: true,
		Within: patience, Words: words(`(?is)^Failed(Mount|MapVolume):.*/var/lib/kubelet/\S+.{0,200}(input/output error|` +
			`host is down|stale (nfs )?file handle|transport endpoint is not connected)`),
		Sentence: "the mount of a volume of {pod} on node {node} is broken", Ends: "The mount of its volume on {node} is broken, " +
			"and the template is right. A new pod gets a mount of its own on another node; on {node}, most likely only after a " +
			"restart of the node, or of the driver of the volume."},
	{Name: "no runtime handler", Source: "containerd and CRI-O", Words: words("no runtime for "),
		Ends: "The node {node} has no handler for the RuntimeClass of the pod. It needs a node that has it, or a template " +
			"without runtimeClassName."},
	// The controller waits for 6 minutes from when no pod there uses the volume, unless it is unmounted before.
	{Name: "volume being detached", Source: attach + ", reconciler", Within: 8 * time.Minute,
		Words: words(`Volume is already exclusively attached to one node`)},
	{Name: "volume-attached-elsewhere", Source: "attach-detach 1.29 to 1.38, operationexecutor", Words: MultiAttach,
		Sentence: "the volume of {pod} is still attached to another node", Ends: "Its volume is still attached to another " +
			"node (kubectl get volumeattachments). It is detached when no pod there uses it any more. If that node does not " +
			"answer, it is detached after 6 minutes, or at once with the out-of-service taint."},
	{Name: "image-being-pulled", Source: "kubelet 1.29 to 1.38, pkg/kubelet/images", Reasons: []string{Pulling}, Within: Day,
		Sentence: "the kubelet of {node} has been pulling an image of {pod}: {says}", Ends: "A large image takes long: {pod} " +
			"should not be deleted meanwhile. To see the progress: crictl and the traffic of {node}."},
	{Name: "no addresses", Source: "spiderpool, whereabouts, Calico, Cilium and others: IPAM plug-ins", Outside: true,
		Within: patience,
		Words: words(`(?i)all ip addresses used out|no (more |free |available )+ip(v[46])?s?\b|exhausted.{0,40}ippool|` +
			`ippool.{0,80}(exhausted|no available)|could not allocate ip in range|failed to allocate any ip`),
		Ends: "The pool of addresses has none left, and neither the template nor {node} alone is at fault: whatever gets its " +
			"address from that pool waits too. Release addresses that nobody uses, or enlarge the pool: then the pod starts by " +
			"itself."},
	{Name: "no sandbox", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime/kuberuntime_sandbox.go", Within: patience,
		OfNode: true, Reasons: []string{"FailedCreatePodSandBox"}, Ends: atFault + "that starts there gets a network or a " +
			"sandbox. When the node is repaired, the pod starts by itself."},
	Uncreated,
	{Name: "not begun", Source: "kubelet, status.startTime", Ends: "The kubelet of {node} has not begun with it: see whether " +
		"that kubelet works ({see})."},
	{Name: "volume-not-mounted", Source: "kubelet 1.29 to 1.38, pkg/kubelet/volumemanager",
		Sentence: "a volume of {pod} cannot be mounted",
		Ends:     "The kubelet tries again by itself: when the volume is mounted, {pod} starts."},
	{Name: "warned", Source: "kubelet", Ends: "It has been on its node for a long time, and its containers are still not " +
		"created: the warning says why."},
	{Name: "not-started", Source: "kubelet", Sentence: "the containers of {pod} have not started",
		Late: "the containers of {pod} have not started for {age}", Ends: "It has been on its node for a long time, and its " +
			"containers are still not created. Its events say why{often} ({see})."},
}

// Uncreated is what an edit of the template does about a pod that has a node and whose containers do not start.
var Uncreated = Row{Name: "containers are not created", Source: "kubelet", Does: "let the containers of %s be created",
	Needs: "the edit corrects what the containers wait for, such as a volume" + OrFix + ". Or repair it outside of the " +
		"StatefulSet: then the kubelet starts the containers by itself"}
