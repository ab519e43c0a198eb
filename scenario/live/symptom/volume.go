package symptom

import (
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// unmounted are the reasons of warnings about volumes that are not attached, or not mounted.
var unmounted = []string{"FailedAttachVolume", "FailedMount", "FailedMapVolume"}

// Unmounted reports whether a warning about a pod says that a volume is not attached, or not mounted.
func Unmounted(warning string) bool { return slices.Contains(unmounted, reasonOf(warning)) }

// MultiAttach is in the warning about a volume that is attached to another node.
const MultiAttach = "Multi-Attach"

const noSandbox = "FailedCreatePodSandBox"

// Fails reports whether a warning about a pod says that its kubelet has failed to start it: to attach or to mount a
// volume, or to make its sandbox. It tries again.
func Fails(warning string) bool { return Unmounted(warning) || reasonOf(warning) == noSandbox }

func reasonOf(warning string) string {
	reason, _, _ := strings.Cut(warning, ":")
	return reason
}

// Start returns why the containers of a pod that has a node are not created, by the last warning about it; nil if no
// row has it. Within is how long it says little.
func Start(warning string) *Row { return starts.row(reasonOf(warning), warning) }

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
		Words: lazy.Regexp(`CSINode \S+ does not contain driver (\S+)|driver name (\S+) not found in the list of registered`),
		Ends: atFault + "there gets a volume of {found}. When that driver runs there (kubectl get csinode {node}), the pod " +
			"starts by itself."},
	{Name: "no provider", Source: "secrets-store-csi-driver", Within: patience, OfNode: true,
		Words: lazy.Regexp(`(provider) not found: provider( )"([^"]+)"`),
		Ends: atFault + "there gets a volume of {found}. When the pod of that provider runs there, the pod starts by " +
			"itself."},
	{Name: "too many volumes", Source: "CSI drivers, ControllerPublishVolume", Within: patience, OfNode: true,
		Words: lazy.Regexp(`(?i)^FailedAttachVolume.*(ResourceExhausted|maximum number of (data )?disks|` +
			`attachment ?limit ?exceeded|attach(ed)? (volume )?limit|max(imum)? volume count)`),
		Ends: "The node {node} has as many volumes attached as it may have, and the template is right: on another node the " +
			"pod gets its volume. When another pod with volumes leaves {node}, the pod starts by itself."},
	{Name: "no disk", Source: "CSI drivers, ControllerPublishVolume",
		Words: lazy.Regexp(`(?i)^FailedAttachVolume.*(volume\.?notfound|code = notfound\b|` +
			`(disk|volume) \S* ?(was )?(does not exist|not found))`),
		Ends: "The storage has no such disk any more, so its data is gone, unless there is a snapshot: then make a " +
			"PersistentVolume of it for this PVC. Without one, a new PVC gets an empty volume: delete the PVC, and then {pod}."},
	{Name: "no runtime handler", Source: "containerd and CRI-O", Words: lazy.Regexp("no runtime for "),
		Ends: "The node {node} has no handler for the RuntimeClass of the pod. It needs a node that has it, or a template " +
			"without runtimeClassName."},
	{Name: "no sandbox", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime/kuberuntime_sandbox.go", Within: patience,
		OfNode: true, Reasons: []string{noSandbox}, Ends: atFault + "that starts there gets a network or a sandbox. When " +
			"the node is repaired, the pod starts by itself."},
}
