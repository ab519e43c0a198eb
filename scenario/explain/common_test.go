package explain

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim"
)

// TestSharedCauses: two sets of two namespaces share what lies outside of both, and not what is only alike in them.
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
		"a crash":                   {placed("n"), dump.Facts{Waiting: "CrashLoopBackOff"}, dump.Facts{Waiting: "CrashLoopBackOff"}, "", ""},
		"the scheduler": {model.Pod{}, dump.Facts{Unschedulable: "0/3 nodes are available:\n3 Insufficient cpu."},
			dump.Facts{Unschedulable: "0/3 nodes are available: 3 Insufficient cpu."}, "", "the scheduler says: 0/3 nodes are available: 3 Insufficient cpu."},
		"a PVC that is not found": {model.Pod{}, dump.Facts{Unschedulable: `persistentvolumeclaim "data" not found`},
			dump.Facts{Unschedulable: `persistentvolumeclaim "data" not found`}, "", ""},
		"a storage class": {claimed, dump.Facts{Unschedulable: "unbound"}, dump.Facts{}, "", "PVCs of the StorageClass fast get no volume"},
		"a Secret that each of the namespaces lacks": {placed("n"), dump.Facts{Event: `secret "s" not found`}, dump.Facts{Event: `secret "s" not found`}, "", ""},
		"a webhook": {model.Pod{}, dump.Facts{}, dump.Facts{}, `create Pod POD in StatefulSet SET failed error: admission webhook "w" denied POD: no`,
			`pods cannot be created: admission webhook "w" denied POD: no`},
		"quotas of two namespaces": {model.Pod{}, dump.Facts{}, dump.Facts{}, `pods "POD" is forbidden: exceeded quota: q, requested: pods=1`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := sharing(c.pod, map[string]*dump.Facts{"a": &c.a, "b": &c.b}, c.refused != "")
			live := &Live{Sets: []*LiveSet{stuckOn("a", c.refused), stuckOn("b", c.refused)}}
			causes := live.shared(d)
			if c.says == "" {
				require.Empty(t, causes)
				return
			}
			require.Equal(t, []Cause{{What: c.says, Sets: []string{"a/web", "b/web"}}}, causes)
		})
	}
}

// sharing is a dump of two pods web-0, in namespaces that have what is to be said of them; without says that there are
// no pods. The node "down" does not answer, and the PVC "data" of each namespace gets no volume.
func sharing(pod model.Pod, facts map[string]*dump.Facts, without bool) *dump.Dump {
	d := &dump.Dump{NotReady: map[string]string{"sick": "no network"}, State: &sim.State{}, Facts: map[model.Key]*dump.Facts{}, FailedClaims: map[model.Key]string{}}
	d.State.Nodes = []sim.NodeState{{Node: sim.Node{Name: "n"}}, {Node: sim.Node{Name: "down"}, Down: true}}
	for _, namespace := range []string{"a", "b"} {
		claim := &model.Claim{Meta: model.Meta{Namespace: namespace, Name: "data"}, Phase: model.ClaimPending,
			Data: `{"storageClassName":"fast"}`}
		d.State.Claims = append(d.State.Claims, claim)
		d.FailedClaims[claim.Key()] = "ProvisioningFailed: " + namespace
		if without {
			continue
		}
		own := pod
		own.Meta = model.Meta{Namespace: namespace, Name: "web-0"}
		d.State.Pods = append(d.State.Pods, sim.PodState{Pod: &own})
		d.Facts[own.Key()] = facts[namespace]
	}
	return d
}

// stuckOn is a set web of a namespace that is stuck on web-0. If its pods are refused, the refusal has its own pod in
// place of POD.
func stuckOn(namespace, refused string) *LiveSet {
	refused = strings.ReplaceAll(refused, "POD", "web-0")
	return &LiveSet{Namespace: namespace, key: model.Key{Namespace: namespace, Name: "web"}, StuckOn: "web-0", Waits: []*Wait{{Error: refused}}}
}

// TestSharedCausesInOrder: the cause of the most sets comes first, its sets in the order of the explanation, and a set
// that is not stuck has none.
func TestSharedCausesInOrder(t *testing.T) {
	live := &Live{}
	for _, refused := range []string{"x", "y", "y", "z", "x", "y"} {
		s := stuckOn("a", refused)
		s.key.Name = refused + strconv.Itoa(len(live.Sets))
		live.Sets = append(live.Sets, s)
	}
	live.Sets[5].GoesOn = true
	live.Sets = append(live.Sets, stuckOn("a", "x"))
	require.Equal(t, []Cause{
		{What: "pods cannot be created: x", Sets: []string{"a/x0", "a/x4", "a/web"}},
		{What: "pods cannot be created: y", Sets: []string{"a/y1", "a/y2"}},
	}, live.shared(&dump.Dump{State: &sim.State{}}))
}

// TestSharedCausesComeFirst: the text names what helps several sets before it comes to the sets.
func TestSharedCausesComeFirst(t *testing.T) {
	live := &Live{Causes: []Cause{{What: "no", Sets: []string{"a/b", "c/d"}}}, Sets: []*LiveSet{{AtRest: true}}}
	var lines []string
	LiveText(live, func(_ int, line string) { lines = append(lines, line) })
	require.Equal(t, "2 sets are stuck for one reason: no (a/b, c/d).", lines[1])
}
