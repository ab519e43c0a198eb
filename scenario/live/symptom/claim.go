package symptom

import (
	"slices"
	"strings"
)

// ClaimFails reports whether an event about a PVC says that it gets no volume. A conflict is no failure: it is tried again.
func ClaimFails(reason, message string) bool {
	return slices.Contains([]string{"ProvisioningFailed", "FailedBinding", "VolumeMismatch"}, reason) &&
		!strings.Contains(message, "the object has been modified")
}

// Claim returns why a PVC gets no volume, by the message of the last event about it.
func Claim(message string) *Row { return claims.row("", message) }

// The names of rows of PVCs that decide what becomes of others.
const Classless, NoClass = "no storage class", "storage class does not exist"

// NoDriver is the name of the row of PVCs whose node has no driver, StorageQuota that of those that are too much.
const NoDriver, StorageQuota = "no driver on the node", "quota of the storage"

const provisioner = "sig-storage-lib-external-provisioner; kube-controller-manager, pkg/controller/volume/persistentvolume"

var claims = Family{
	{Name: Classless, Source: provisioner, Words: words("no storage class is set"), Refused: true, Sentence: volumeless},
	{Name: NoClass, Source: provisioner, Words: words(`storageclass\S* "([^"]+)" not found`), Certain: true,
		Sentence: "the StorageClass {class} does not exist", Ends: "When the StorageClass {class} exists again, the PVC gets a " +
			"volume by itself, and {pod} starts. A new PVC has the same class."},
	{Name: NoDriver, Source: "external-provisioner, pkg/controller/topology.go", Words: words(
		`no topology key found on CSINode (\S+)|CSINode "?([^" ]+)"? not found`), Sentence: "node {found}, which the scheduler has " +
		"chosen, has no driver for the StorageClass {class}",
		Ends: "The driver of the volumes does not run on {found}, which the scheduler has chosen for {pod} (kubectl get csinode " +
			"{found}). Let it run there. Or keep the pod away from there: kubectl cordon {found}, and delete the PVC, which has no " +
			"volume yet, and {pod}; a new pod alone has the same node."},
	{Name: StorageQuota, Source: "cloud providers, through " + provisioner, Sentence: volumeless, Refused: true,
		Words: words(`(?i)quota\S* .{0,60}exceeded|exceed\S* .{0,60}quota|quotaexceeded|limit ?exceeded|insufficient (free )?capacity`),
		Ends: "The storage gives no more: its own quota or its capacity is used up, and a new PVC gets the same answer. Raise the " +
			"quota, or delete disks that nobody needs. " + providesAgain},
	{Name: "permission of the driver", Source: "CSI drivers, CreateVolume", Sentence: volumeless, Outside: true,
		Words: words(`(?i)unauthori[sz]ed|not authori[sz]ed|access ?denied|permission ?denied|\bforbidden\b|authorizationfailed`),
		Ends: "The driver of the volumes may not do that in the storage: give its account the permission (a role of the cloud, " +
			"or its Secret). Another PVC, or another class of that driver, gets the same answer. " + providesAgain},
	{Name: "data source", Source: "external-provisioner, pkg/controller/controller.go", Sentence: volumeless, Outside: true,
		Words: words(`(?i)(snapshot|data ?source).*(not found|does not exist)`),
		Ends: "What the PVC is to be filled with does not exist, and no class helps: create it, or correct the dataSource of " +
			"the volumeClaimTemplates. " + providesAgain},
	{Name: "no volume", Source: provisioner, Words: words(""), Sentence: "PVCs of the StorageClass {class} get no volume",
		Ends: providesAgain},
}

const providesAgain = "The provisioner of the volumes tries again by itself: when it succeeds, {pod} starts."

const volumeless = "the PVC {claim} gets no volume: {says}"

// Lost and Released are the phases of a PVC whose PersistentVolume is gone, and of a volume whose PVC is gone.
const Lost, Released = "Lost", "Released"

var volumes = Family{
	{Name: "claim-pending", Source: provisioner, Sentence: volumeless,
		Ends: "Its PVC {claim} {is} Pending{long}: {says}. To see more: {see}"},
	{Name: Lost, Source: "kube-controller-manager, pkg/controller/volume/persistentvolume", Reasons: []string{Lost},
		Certain: true, Sentence: "the PVC {claim} is Lost: its PersistentVolume {volume} does not exist any more",
		Ends: "Its PVC {claim} is Lost: its PersistentVolume {volume} does not exist any more. Unless somebody creates it again " +
			"for the same disk, its data is gone, and a new PVC gets an empty volume."},
	{Name: Released, Source: "kube-controller-manager, pkg/controller/volume/persistentvolume", Reasons: []string{Released},
		Ends: "The PersistentVolume {volume} is Released: it has the data of an earlier PVC of this name, and takes no other " +
			"PVC. To give it to the new one: {see}"},
	{Name: "path gone", Source: "kubelet 1.29 to 1.38, pkg/volume/hostpath, pkg/volume/local", Outside: true,
		Words:    words(`no such file or directory|type check failed|path does not exist|does not exist`),
		Sentence: "the directory {path} of the PersistentVolume {volume} is not on node {node}",
		Ends: "The directory {path} of its PersistentVolume {volume} is not on {node}, and the template is right. What was in it " +
			"may be gone, as after a restart that empties it, or lies on another node. Restore it there: a directory that is only " +
			"made again is empty."},
	{Name: "claim-missing", Source: scheduler.named(Unclaimed).Source, Words: UnfoundClaim, Certain: true,
		Sentence: "the PVC {claim}, which the template names, does not exist in the namespace {namespace}",
		Ends: "The PVC {claim} does not exist. The template names it, and no claim template makes it: neither the controller " +
			"nor a new pod does. When it exists, the scheduler gives {pod} a node by itself."},
	{Name: "volume that is not proven", Source: "StorageClasses", Needs: "the storage class {class} gives {found}, which the " +
		"dump does not show ({see})"},
}

// The words about volumes that are to grow: the conditions of a PVC, of which RestartPending is that of a grown volume
// whose file system has not, and the reasons of events about the PVC or its pod.
const RestartPending, Resizing, ModifyFailed = "FileSystemResizePending", "Resizing", "ModifyVolumeError"

// ResizeFailures are the conditions of a PVC that does not grow, and the reasons of the events about it and its pod;
// Resized are the reasons of those about a PVC whose size has changed.
var (
	ResizeFailures = OneOf{"ControllerResizeError", "NodeResizeError", "VolumeResizeFailed", "FileSystemResizeFailed"}
	// Expanding are in the event of kube-controller-manager, which leaves a PVC to the resizer of its driver.
	Expanding = words("external (controller|resizer) to (process|expand)")
	Resized   = OneOf{"VolumeResizeSuccessful", "FileSystemResizeSuccessful", "FileSystemResizeRequired"}
	// WarnsOfResize are in a warning about a pod of which a volume does not grow, GivenUp in the status of a PVC for which
	// whoever resizes volumes has failed, and NoSpace in the message of a disk that is full.
	WarnsOfResize = words("^(" + strings.Join(ResizeFailures, "|") + "):")
	GivenUp       = words("(Infeasible|Failed)$")
	NoSpace       = words("(?i)" + fullDisk)
)
