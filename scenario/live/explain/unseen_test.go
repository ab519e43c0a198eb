package explain_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestNodesThatTheDumpDoesNotShow: a pod that terminates goes on only if its node answers, which nobody promises of a
// node that the dump does not show. Where the pod shows that its node is silent, that is what is taken.
func TestNodesThatTheDumpDoesNotShow(t *testing.T) {
	const nodes = "nodes: {count: 3}\nsteps:\n" + three
	cases := []struct {
		name, text string
		until      string
		stuck      bool
		provided   string
	}{
		{"a pod that is on its way", nodes + "- delete: pod/web-1\n", "10s", false,
			"provided that node-2 answers, which the dump does not show (kubectl get nodes node-2)"},
		{"a node that is silent", nodes + "- nodeDown: node-2\n", "1h", true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte("until: "+c.until+"\n"+c.text), nil, scenario.Options{})
			require.NoError(t, err)
			state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
			state.Nodes = nil
			d := dumpedAfter(t, state, 0)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil)
			require.Equal(t, c.stuck, dumped.Sets[0].Stuck(), "%+v", dumped.Sets[0])
			if c.stuck {
				require.Equal(t, "web-1", dumped.Sets[0].StuckOn)
				require.Contains(t, dumped.Sets[0].Waits[0].Release, "node-2 is down")
			}
			require.Contains(t, dumped.Sets[0].Provided, c.provided)
		})
	}
}

// TestANodeThatIsNotThere: that a set is at rest is not certain if a pod of it is on a node that is not among those of
// the dump: without the node the pod is deleted.
func TestANodeThatIsNotThere(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("nodes: {count: 3}\nsteps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	for _, nodes := range [][]sim.NodeState{state.Nodes, state.Nodes[:2]} {
		part := *state
		part.Nodes = nodes
		d := dumpedAfter(t, &part, 0)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
		require.Equal(t, judge.AtRest, dumped.State)
		require.Equal(t, len(nodes) == 3, dumped.Certain)
	}
}

// labOf plays worlds that begin with a dump.
func labOf(s *scenario.Scenario, d *dump.Dump) *play.Lab {
	return &play.Lab{Profile: s.Profile, World: d.Begin(sim.Config{
		Controller: statefulset.New(s.Profile), API: s.Profile.API(),
	})}
}

// TestStorageClassesThatTheDumpDoesNotShow: a PVC that waits for a volume of a class gets one only if there is the
// class, which nobody promises if the dump has no volume of it. What the dump shows of the wait is said.
func TestStorageClassesThatTheDumpDoesNotShow(t *testing.T) {
	const (
		waits = "volumes: {rules: [{match: {claim: data-web-0}, bind: never}]}\nsteps:\n"
		long  = "Its PVC data-web-0 has been Pending for 5m: "
		unset = "no PVC in the dump has a volume of its storage class fast, which may not exist (kubectl get storageclass fast)"
		other = "recreating the StatefulSet with another storage class, the PVC and the pod"
	)
	classless := strings.Replace(claimed, ", storageClassName: fast", "", 1)
	require.NotEqual(t, claimed, classless)
	for _, c := range []struct {
		name, text, event string
		later             time.Duration
		provided, fact    string
		heals             string
	}{
		{"a class of which nothing is known", waits + claimed, "", 20 * time.Second,
			"the storage class fast gives the PVC data-web-0 a volume, which the dump does not show (kubectl get storageclass fast)",
			"", ""},
		{"the same for a long time", waits + claimed, "", 5 * time.Minute, "", long + unset, other},
		{"an event says more", waits + claimed, "ProvisioningFailed: storageclass.storage.k8s.io \"fast\" not found",
			20 * time.Second, "", "its last event says: storageclass.storage.k8s.io \"fast\" not found", other},
		{"a conflict is tried again", waits + claimed, "ProvisioningFailed: Error saving claim: the object has been modified",
			20 * time.Second, "gives the PVC data-web-0 a volume", "", ""},
		{"a class that gives volumes", strings.ReplaceAll(waits, "web-0", "web-1") + claimed, "", 20 * time.Second, "", "", ""},
		{"no class", waits + classless, "", 5 * time.Minute, "", long + "it names no storage class, and the cluster has no default one",
			"recreating the StatefulSet with a storage class, the PVC and the pod"},
		{"somebody has to create the volume", waits + strings.Replace(claimed, "fast", `""`, 1), "", 5 * time.Minute, "",
			long + "it asks for a PersistentVolume without a storage class", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			var printed bytes.Buffer
			state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
			epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
			require.NoError(t, printing.Print(&printed, state, epoch))
			if reason, message, is := strings.Cut(c.event, ": "); is {
				fmt.Fprintf(&printed, "---\napiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: default}\nreason: %s\nmessage: %q\n"+
					"involvedObject: {kind: PersistentVolumeClaim, namespace: default, name: data-web-0}\n", reason, message)
			}
			d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch.Add(c.later)})
			require.NoError(t, err)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
			require.Equal(t, c.fact != "", dumped.Stuck(), "%+v", dumped)
			require.Contains(t, dumped.Provided, c.provided)
			require.Equal(t, c.provided == "", dumped.Provided == "", dumped.Provided)
			require.Contains(t, strings.Join(dumped.Facts, "\n"), c.fact)
			healing := slices.IndexFunc(dumped.WaysOut, func(way explain.WayOut) bool { return way.Heals && way.What == c.heals })
			require.Equal(t, c.heals != "", healing >= 0, "%+v", dumped.WaysOut)
		})
	}
}

// TestAPodOfAnEarlierSet: a pod whose owner was an earlier set of the name is garbage, which keeps the set from
// creating its own until it is collected; that is said.
func TestAPodOfAnEarlierSet(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	at := slices.IndexFunc(state.Pods, func(p sim.PodState) bool { return p.Name == "web-1" })
	earlier := *state.Pods[at].Pod
	earlier.Owners = slices.Clone(earlier.Owners)
	earlier.Owners[0].UID += 1000
	state.Pods[at].Pod = &earlier
	d := dumpedAfter(t, state, 0)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
	require.True(t, dumped.GoesOn, "%+v", dumped)
	require.Equal(t, []string{"web-1 exists, but does not belong to the StatefulSet: when it is gone, the StatefulSet creates its own."},
		dumped.Facts)
}

// TestNoNodeTakesThePod: an image does not bring a pod on a node. Where the scheduler finds none and the dump does not
// show the nodes, what is to be changed is what keeps the pod from them; that nodes are cordoned is what the scheduler
// says.
func TestNoNodeTakesThePod(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("nodes: {count: 1}\nsteps:\n"+three+"- cordon: node-1\n- delete: pod/web-1\n"), nil,
		scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	state.Nodes = nil
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, state, time.Unix(1e9, 0)))
	explained := func(message string) *explain.DumpedSet {
		text := regexp.MustCompile(`(\n *)(status: "False"\n *type: PodScheduled)`).ReplaceAllString(printed.String(),
			"${1}message: '0/1 nodes are available: 1 node(s) "+message+"'${1}$2")
		require.NotEqual(t, printed.String(), text)
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0]
		require.True(t, dumped.Stuck())
		return dumped
	}
	dumped := explained("were unschedulable.")
	require.Contains(t, strings.Join(dumped.Facts, "\n"), "kubectl uncordon NODE")
	for _, way := range dumped.WaysOut {
		require.NotContains(t, strings.Join(way.Commands, "\n"), "IMAGE")
	}
	for _, closed := range []string{"were unschedulable.", "had untolerated taint {node.kubernetes.io/not-ready: }. preemption: no.",
		"had taint {node.kubernetes.io/unreachable: }, that the pod didn''t tolerate."} {
		dumped = explained(closed)
		require.False(t, dumped.WaysOut[0].Heals, "no template brings a pod on nodes that take none: %s", closed)
		require.Equal(t, strings.Contains(closed, "taint"), strings.Contains(strings.Join(dumped.Facts, "\n"),
			"Nodes are not Ready; the dump does not show which. Dump them too (kubectl get nodes)"), closed)
	}
	for _, asks := range []string{"didn''t match Pod''s node affinity/selector.", "were unschedulable, 1 Insufficient cpu."} {
		require.Contains(t, explained(asks).WaysOut[0].Needs, "what keeps the pods off all nodes", asks)
	}
	const given = "kubectl taint nodes NODE KEY-"
	require.Contains(t, strings.Join(explained("had untolerated taint {dedicated: db}.").Facts, "\n"), given)
	dumped = explained("had untolerated taint {node.kubernetes.io/disk-pressure: }.")
	require.NotContains(t, strings.Join(dumped.Facts, "\n"), given, "a taint that a node gets from its condition")
}

// TestAPodThatHasSucceeded: an old version leaves it for ever, which is said; a new one replaces it.
func TestAPodThatHasSucceeded(t *testing.T) {
	const leaves = "This version of Kubernetes never replaces a pod that has Succeeded: 1.27.9, 1.28.5, 1.29 and later do."
	for version, stuck := range map[string]bool{"1.26": true, "1.36": false} {
		s, err := scenario.Parse("s.yaml", []byte("kubernetes: \""+version+"\"\nkubelet: {start: 1s}\nsteps:\n"+three), nil,
			scenario.Options{})
		require.NoError(t, err)
		state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
		at := slices.IndexFunc(state.Pods, func(p sim.PodState) bool { return p.Name == "web-1" })
		ended := *state.Pods[at].Pod
		ended.Phase, ended.Ready = model.Succeeded, false
		state.Pods[at].Pod = &ended
		dumped := explain.Begin(dumpedAfter(t, state, 0), labOf(s, dumpedAfter(t, state, 0)), "").All(nil).Sets[0]
		require.Equal(t, stuck, dumped.Stuck(), "%s: %+v", version, dumped)
		require.Equal(t, stuck, slices.Contains(dumped.Facts, leaves), "%v", dumped.Facts)
	}
}

// TestADumpWithoutPods: what kubectl get sts -o yaml prints shows no pods. A set that its status does not show at rest
// is unknown then: it is not said to continue, as it would in a world in which its pods are yet to be created.
func TestADumpWithoutPods(t *testing.T) {
	const set = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: NAME, namespace: prod, generation: 2}
spec:
  replicas: 3
  selector: {matchLabels: {app: a}}
  template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: "a:2"}]}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: PARTITION}}
status: {observedGeneration: SEEN, replicas: 3, readyReplicas: READY, updatedReplicas: 1, currentRevision: a-1, updateRevision: a-2}
---`
	of := func(name, partition, seen, ready string) string {
		return strings.NewReplacer("NAME", name, "PARTITION", partition, "SEEN", seen, "READY", ready).Replace(set)
	}
	pod := strings.NewReplacer("prod", "other", "StatefulSet", "Pod", "apps/v1", "v1").Replace(of("b", "0", "2", "3"))
	gone := strings.Replace(of("gone", "2", "2", "3"), "generation: 2",
		`generation: 2, deletionTimestamp: "2026-01-31T11:00:00Z", finalizers: [foregroundDeletion]`, 1)
	text := of("unready", "2", "2", "2") + of("rolling", "0", "2", "3") + of("held", "2", "2", "3") + of("new", "2", "1", "3") + gone
	for _, dumped := range []string{text, text + pod} {
		d, err := dump.Read([]dump.Source{{Name: "sts.yaml", Data: []byte(dumped)}}, dump.Options{})
		require.NoError(t, err)
		require.Contains(t, strings.Join(d.Assumed, "\n"), "only what the statuses say is known")
		s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
		require.NoError(t, err)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil)
		unknown := map[string]string{}
		for _, s := range dumped.Sets {
			unknown[s.Name] = s.Unknown
			require.Equal(t, s.Unknown == "", s.AtRest, s.Name)
			require.False(t, s.GoesOn || s.Stuck(), s.Name)
		}
		require.Equal(t, map[string]string{
			"unready": "2 of 3 pods are Ready", "rolling": "2 of 3 pods run an older template", "held": "",
			"new": "the controller has not seen its newest spec yet", "gone": "it is being deleted",
		}, unknown)
		require.False(t, dumped.Held())
		require.False(t, dumped.Whole())
		require.Contains(t, dumped.Heading(), "0 stuck, 0 in progress, 1 at rest, 4 unknown.")
	}
}

// TestPodsWithoutTheirSet: a dump of the pods alone explains nothing, and does not hold.
func TestPodsWithoutTheirSet(t *testing.T) {
	d, err := dump.Read([]dump.Source{{Name: "pods.yaml", Data: []byte(`
apiVersion: v1
kind: Pod
metadata:
  name: web-0
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: u, controller: true}]
spec: {containers: [{name: a, image: a}]}
`)}}, dump.Options{})
	require.NoError(t, err)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil)
	require.Empty(t, dumped.Sets)
	require.False(t, dumped.Held())
}

// TestOrphans: a pod without an owner is told, since a set may adopt it; not one that is being deleted, which none does.
func TestOrphans(t *testing.T) {
	for steps, told := range map[string]bool{"": true, "- delete: pod/web-0\n": false} {
		s, err := scenario.Parse("s.yaml", []byte("kubelet: {stop: never}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:1\"}\n"+
			"- delete: statefulset/web\n  cascade: orphan\n"+steps), nil, scenario.Options{})
		require.NoError(t, err)
		state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
		require.Len(t, state.Pods, 1)
		d := dumpedAfter(t, state, time.Minute)
		require.Equal(t, told, strings.Contains(strings.Join(explain.Begin(d, labOf(s, d), "").All(nil).Notes, "\n"), "web-0 has no owner"), steps)
	}
}

// TestTheFirstPod: where the first pod keeps all others from starting, the fixes are about what the dump shows of it. A
// readiness gate is no wait for peers, and an init container that crashes there may not crash elsewhere.
func TestTheFirstPod(t *testing.T) {
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: NAME, namespace: prod, uid: s, generation: 1, creationTimestamp: "2026-01-01T08:00:00Z"}
spec: {serviceName: web, replicas: 3, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {SPECcontainers: [{name: a, image: b}]}}}
status: {observedGeneration: 1, replicas: PODS, currentReplicas: PODS, updatedReplicas: PODS, currentRevision: NAME-5d8c6f7b9c, updateRevision: NAME-5d8c6f7b9c}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
spec: {clusterIP: None, selector: {app: web}}
---
`
	const pod = `apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: prod, uid: p, creationTimestamp: "2026-01-01T09:00:00Z", labels: {app: web, controller-revision-hash: web-5d8c6f7b9c}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]}
spec: {nodeName: n, SPECcontainers: [{name: a, image: b}]}
status: {startTime: "2026-01-01T09:00:00Z", conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T09:00:00Z"}, {type: Ready, status: "False", lastTransitionTime: "2026-01-01T09:00:00Z"READY}], STATUS}
`
	for _, c := range []struct {
		name, set, pods, spec, ready, status string
		says, never                          []string
	}{
		{"a readiness gate", "web", "1", "readinessGates: [{conditionType: x/in}], ",
			`, reason: ReadinessGatesNotReady, message: 'corresponding condition of pod readiness gate "x/in" does not exist.'`,
			`phase: Running, containerStatuses: [{name: a, ready: true, restartCount: 0, state: {running: {startedAt: "2026-01-01T09:00:01Z"}}}]`,
			[]string{"Its containers are ready.", "Fixing the template and deleting web-0"}, []string{"publish", "peers"}},
		{"an init container that crashes", "web", "1", "initContainers: [{name: i, image: b}], ", "", `phase: Pending, initContainerStatuses: ` +
			`[{name: i, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}}], containerStatuses: [{name: a, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]`,
			[]string{"Letting the StatefulSet begin with web-1: 2 of 3 serve again"}, nil},
		{"a name that is too long, without events", strings.Repeat("w", 58), "0", "", "", "",
			[]string{`-5d8c6f7b9c": must be no more than 63 characters`}, []string{"ResourceQuota", "webhook"}},
	} {
		text := strings.NewReplacer("NAME", c.set, "PODS", c.pods, "SPEC", c.spec).Replace(set)
		if c.status != "" {
			text += strings.NewReplacer("SPEC", c.spec, "READY", c.ready, "STATUS", c.status).Replace(pod)
		}
		_, says := explained(t, text, time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC))
		for _, words := range c.says {
			require.Contains(t, says, words, c.name)
		}
		for _, words := range c.never {
			require.NotContains(t, says, words, c.name)
		}
	}
}
