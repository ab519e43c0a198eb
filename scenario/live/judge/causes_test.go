package judge

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSharedCauses: two sets of two namespaces have one cause where it lies outside of both, and not where it is only
// alike.
func TestSharedCauses(t *testing.T) {
	image := func(name, message string) dump.Facts {
		return dump.Facts{Waiting: "ImagePullBackOff", Image: name, Message: message}
	}
	placed := func(node string) model.Pod { return model.Pod{Node: node} }
	claimed := model.Pod{Volumes: []model.Volume{{Claim: "data"}}}
	for name, c := range map[string]struct {
		pod  model.Pod
		a, b dump.Facts
		// refused is why the pods cannot be created, if there are none; POD is the pod.
		refused string
		says    string
	}{
		"an image":                  {placed("n"), image("x:1", "manifest unknown"), image("x:1", "manifest unknown"), "", "image x:1 cannot be pulled"},
		"two images":                {placed("n"), image("x:1", "manifest unknown"), image("y:1", "manifest unknown"), "", ""},
		"a registry that is silent": {placed("n"), image("r.io/x:1", "dial tcp: i/o timeout"), image("r.io/y:1", "no such host"), "", "the registry r.io is not reached, or does not answer"},
		"two registries":            {placed("n"), image("r.io/x:1", "dial tcp: i/o timeout"), image("y:1", "dial tcp: i/o timeout"), "", ""},
		"Docker Hub":                {placed("n"), image("x/y:1", "429 Too Many Requests: toomanyrequests"), image("z", "toomanyrequests"), "", "the registry docker.io limits how often images are pulled"},
		"a registry with a port":    {placed("n"), image("reg:5000/x", "401 Unauthorized"), image("reg:5000/y", "401 Unauthorized"), "", "the registry reg:5000 refuses the credentials"},
		"a local registry":          {placed("n"), image("localhost/x", "401 Unauthorized"), image("localhost/y", "401 Unauthorized"), "", "the registry localhost refuses the credentials"},
		"a disk":                    {placed("n"), image("x", "no space left on device"), image("y", "no space left on device"), "", "the disk of node n has no room for images"},
		"a node without a network":  {placed("n"), dump.Facts{Event: "FailedCreatePodSandBox: a"}, dump.Facts{Event: "FailedCreatePodSandBox: b"}, "", "pods do not start on node n"},
		"a node that is silent":     {placed("down"), image("x", ""), dump.Facts{}, "", "node down does not answer"},
		"a node that is not Ready":  {placed("sick"), image("x", ""), dump.Facts{}, "", "node sick is not Ready"},
		"a container of a mesh":     {placed("n"), dump.Facts{Waiting: "Error", Container: "mesh", Added: true}, dump.Facts{Waiting: "CrashLoopBackOff", Container: "mesh", Added: true}, "", "admission adds the container mesh, which does not run"},
		"the scheduler": {model.Pod{}, dump.Facts{Unschedulable: "0/3 nodes are available:\n3 Insufficient cpu."},
			dump.Facts{Unschedulable: "0/3 nodes are available: 3 Insufficient cpu."}, "", "no node that may take web-0 has room: the scheduler says: 0/3 nodes are available: 3 Insufficient cpu."},
		"a PVC that is not found": {model.Pod{}, dump.Facts{Unschedulable: `persistentvolumeclaim "data" not found`},
			dump.Facts{Unschedulable: `persistentvolumeclaim "data" not found`}, "", `the scheduler says: persistentvolumeclaim "data" not found`},
		"a storage class": {claimed, dump.Facts{Unschedulable: "unbound"}, dump.Facts{}, "", "PVCs of the StorageClass fast get no volume"},
		"a Secret that each of the namespaces lacks": {placed("n"), dump.Facts{Event: `secret "s" not found`}, dump.Facts{Event: `secret "s" not found`}, "", ""},
		"a webhook": {model.Pod{}, dump.Facts{}, dump.Facts{}, `create Pod POD in StatefulSet SET failed error: admission webhook "w" denied POD: no`,
			`pods cannot be created: admission webhook "w" denied POD: no`},
		"quotas of two namespaces": {model.Pod{}, dump.Facts{}, dump.Facts{}, `pods "POD" is forbidden: exceeded quota: q, requested: pods=1`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := sharing(c.pod, map[string]*dump.Facts{"a": &c.a, "b": &c.b}, c.refused != "")
			a, b := causeIn(d, "a", c.refused), causeIn(d, "b", c.refused)
			if c.says == "" {
				require.NotEqual(t, a, b)
				return
			}
			require.Equal(t, []string{c.says, c.says}, []string{a, b})
		})
	}
}

// sharing is a dump of two pods web-0, in namespaces that have what is to be said of them; without says that there are
// no pods. The node "down" does not answer, and the PVC "data" of each namespace gets no volume.
func sharing(pod model.Pod, facts map[string]*dump.Facts, without bool) *dump.Dump {
	d := &dump.Dump{Nodes: map[string]dump.NodeFacts{"sick": {NotReady: "no network"}}, State: &sim.State{}, Facts: map[model.Key]*dump.Facts{}, Claims: map[model.Key]dump.ClaimFacts{}}
	d.State.Nodes = []sim.NodeState{{Node: sim.Node{Name: "n"}}, {Node: sim.Node{Name: "down"}, Down: true}}
	for _, namespace := range []string{"a", "b"} {
		claim := &model.Claim{Meta: model.Meta{Namespace: namespace, Name: "data"}, Phase: model.ClaimPending,
			Data: `{"storageClassName":"fast"}`}
		d.State.Claims = append(d.State.Claims, claim)
		d.Claims[claim.Key()] = dump.ClaimFacts{Failed: "ProvisioningFailed: " + namespace}
		if without {
			continue
		}
		own := pod
		own.Phase = model.Pending
		own.Meta = model.Meta{Namespace: namespace, Name: "web-0",
			Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: "web", UID: 7, Controller: true}}}
		d.State.Pods = append(d.State.Pods, sim.PodState{Pod: &own})
		d.Facts[own.Key()] = facts[namespace]
	}
	return d
}

// causeIn is the sentence of the cause of a set web of a namespace that is stuck on web-0. If its pods are refused, the
// refusal has its own pod in place of POD.
func causeIn(d *dump.Dump, namespace, refused string) string {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: namespace, Name: "web", UID: 7}, Spec: model.Spec{Replicas: 1}}
	why := model.Why{Code: model.WaitingForReady, Object: "web-0"}
	if refused != "" {
		why = model.Why{Code: model.SyncError, Object: "web-0"}
	}
	e := &evidence{Index: d.Index(), key: set.Key(), spec: set, now: &timeline.Set{Key: set.Key(), Spec: set},
		stuck: []timeline.Stuck{{Set: set.Key(), Why: why, Error: strings.ReplaceAll(refused, "POD", "web-0")}}}
	return causesOf(e)[0].Sentence
}

// TestCausesAreDocumented: each name is in docs/causes.md.
func TestCausesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/causes.md")
	require.NoError(t, err)
	names := []string{"set-finalizer", "controller-asleep", "hot-loop", "run-not-ended", "pods-not-shown", "controller-idle",
		"scheduler-idle", "rejected-by-kubelet", "fails-again", "delete-refused", "image-being-pulled", "volume-ownership"}
	for _, row := range table {
		names = append(names, row.name)
	}
	for _, name := range names {
		require.Contains(t, string(page), "| `"+name+"` |")
	}
}
