package dump_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// event is a warning about an object.
func event(kind, name, at, reason, message string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Event\nmetadata: {name: e%s, namespace: default}\ntype: Warning\nreason: %s\nmessage: %q\n"+
		"lastTimestamp: \"2026-01-01T%s:00Z\"\ninvolvedObject: {kind: %s, namespace: default, name: %s}\n---\n", reason, reason, message, at, kind, name)
}

func readAt(t *testing.T, text string, at time.Duration) *dump.Dump {
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: epoch.Add(at)})
	require.NoError(t, err)
	return d
}

// TestWhyItIsNotCreated: what is said of a pod that has been on its node for minutes, by its last event, if that is
// about the pod that is there now, and is not what the scheduler said before.
func TestWhyItIsNotCreated(t *testing.T) {
	const (
		creating = `phase: Pending, startTime: "2026-01-01T00:00:01Z", conditions: [{type: Initialized, status: "%s"}], ` +
			`initContainerStatuses: [{name: init, image: "init:1", restartCount: 0, started: true, state: {%s}}], ` +
			`containerStatuses: [{name: app, image: "app:v1", ready: false, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]`
		attached = "Its volume is still attached to another node (kubectl get volumeattachments). It is detached when no pod there " +
			"uses it any more. If that node does not answer, it is detached after 6 minutes, or at once with the out-of-service taint."
		unknown = "It has been on its node for a long time, and its containers are still not created. Its events say why " +
			"(kubectl -n default describe pod web-0)."
		asItSays = "It has been on its node for a long time, and its containers are still not created: the warning says why."
	)
	multi := event("Pod", "web-0", "00:02", "FailedAttachVolume", "Multi-Attach error for volume")
	follows := event("Pod", "web-0", "00:03", "FailedMount", "Unable to attach or mount volumes")
	waits := fmt.Sprintf(creating, "True", "terminated: {exitCode: 0, reason: Completed}")
	for _, c := range []struct {
		name, status, events string
		event                string
		says                 string
		attached             bool
	}{
		{"no event", waits, "", "", unknown, false},
		{"a volume that is not mounted", waits, follows, "FailedMount: Unable to attach or mount volumes", asItSays, false},
		{"a volume that is attached elsewhere", waits, multi, "FailedAttachVolume: Multi-Attach error for volume", attached, true},
		{"and is not mounted for that reason", waits, follows + multi, "FailedAttachVolume: Multi-Attach error for volume", attached, true},
		{"and the other node does not answer", waits, multi + fmt.Sprintf(node, "node-2", "", "Unknown", "v1.37.0"),
			"FailedAttachVolume: Multi-Attach error for volume", attached + " node-2 does not answer. Only if its machine is certainly off: " +
				"kubectl taint nodes node-2 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", true},
		{"an event of the scheduler", waits, event("Pod", "web-0", "00:02", "FailedScheduling", "0/2 nodes"), "", unknown, false},
		{"an event of a pod before it", strings.Replace(waits, "00:00:01", "00:05:01", 1),
			strings.ReplaceAll(multi, "2026-01-01", "2025-12-31"), "", unknown, false},
		{"an init container runs", fmt.Sprintf(creating, "False", `running: {startedAt: "2026-01-01T00:00:02Z"}`), "", "",
			"Its init container init runs, and until it has ended no other container starts. To see its log: kubectl -n default logs web-0 -c init " +
				"If it waits for web-1, that never ends: OrderedReady creates web-1 only when web-0 is Ready. Parallel, which only a new " +
				"StatefulSet can have, creates all at once.", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := setOf("", 1, 0) + podOf("web-0", "", "nodeName: node-1, ", c.status) + c.events + fmt.Sprintf(node, "node-1", "", "True", "v1.37.0")
			d := readAt(t, text, 20*time.Minute)
			pod := model.Key{Namespace: "default", Name: "web-0"}
			require.Equal(t, c.event, d.Facts[pod].Event)
			require.Equal(t, c.says, strings.Join(d.Taken(pod), " "))
			require.Equal(t, c.attached, d.Attached(pod))
			require.Nil(t, d.Taken(model.Key{Namespace: "other", Name: "web-0"}))
		})
	}
}

// TestWhatAClaimWaitsFor: by its last event, its pod, its storage class, and other claims of that class.
func TestWhatAClaimWaitsFor(t *testing.T) {
	const unknown = "no PVC in the dump has a volume of its storage class fast, which may not exist (kubectl get storageclass fast)"
	unscheduled := podOf("web-0", "", uses("data-web-0"), unbound)
	for _, c := range []struct {
		name, text string
		waits      string
		// unproven is the class of which no claim has a volume.
		unproven string
		// volume is the one that it asks for.
		volume string
	}{
		{"a class of which nothing is known", claim("data-web-0", "", "fast", "Pending"), unknown, "fast", ""},
		{"a class that gives volumes", claim("data-web-0", "", "fast", "Pending") + claim("data-web-1", "", "fast", "Bound"),
			"other PVCs of its storage class fast have volumes", "", ""},
		{"another class gives volumes", claim("data-web-0", "", "fast", "Pending") + claim("data-web-1", "", "slow", "Bound"), unknown, "fast", ""},
		{"no class, by choice", claim("data-web-0", "", `""`, "Pending"),
			"it asks for a PersistentVolume without a storage class, which somebody has to create", "", ""},
		{"no class", strings.Replace(claim("data-web-0", "", "fast", "Pending"), "storageClassName: fast", "", 1),
			"it names no storage class, and the cluster has no default one, which would be written into it", "", ""},
		{"its pod has no node", claim("data-web-0", "", "fast", "Pending") + unscheduled,
			"it may wait for its pod to get a node (WaitForFirstConsumer)", "fast", ""},
		{"its pod has no node because of it", claim("data-web-0", "", "fast", "Pending") +
			strings.Replace(unscheduled, "0/2 nodes are available", "pod has unbound immediate PersistentVolumeClaims", 1), unknown, "fast", ""},
		{"an event", claim("data-web-0", `, creationTimestamp: "2026-01-01T00:00:00Z"`, "fast", "Pending") + event("PersistentVolumeClaim", "data-web-0", "00:01", "ProvisioningFailed", "out of disks"),
			"its last event says: out of disks", "fast", ""},
		{"an event of a claim before it", claim("data-web-0", `, creationTimestamp: "2026-01-01T00:02:00Z"`, "fast", "Pending") +
			event("PersistentVolumeClaim", "data-web-0", "00:01", "ProvisioningFailed", "out of disks"), unknown, "fast", ""},
		{"an event of another claim", claim("data-web-0", "", "fast", "Pending") + event("PersistentVolumeClaim", "data-web-7", "00:01", "ProvisioningFailed", "out of disks"),
			unknown, "fast", ""},
		{"a volume", asking("data-web-0", "pv-0") + claim("data-web-1", "", "fast", "Bound"),
			"it asks for the PersistentVolume pv-0, which may not exist, belong to another PVC or not fit (kubectl get pv pv-0)", "", "pv-0"},
		{"a volume that is free", asking("data-web-0", "pv-0") + volume("pv-0", ""),
			"it asks for the PersistentVolume pv-0, which may not exist, belong to another PVC or not fit (kubectl get pv pv-0)", "", "pv-0"},
		{"a volume that is not there", asking("data-web-0", "pv-0") + volume("pv-1", ""), "it asks for the PersistentVolume pv-0, which does not exist", "", "pv-0"},
		{"a volume of another claim", asking("data-web-0", "pv-0") + volume("pv-0", "claimRef: {namespace: default, name: data-db-0}"),
			"it asks for the PersistentVolume pv-0, which belongs to the PVC default/data-db-0", "", "pv-0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := readAt(t, setOf("", 1, 0)+c.text, 20*time.Minute)
			at := d.Claim(model.Key{Namespace: "default", Name: "data-web-0"})
			require.Equal(t, c.waits, d.WaitingFor(at))
			require.Equal(t, c.unproven, d.Unproven(at))
			require.Equal(t, c.volume, dump.VolumeOf(at))
			require.Nil(t, d.Claim(model.Key{Namespace: "other", Name: "data-web-0"}))
		})
	}
}

// TestWhereAVolumeIs: if the scheduler names a conflict of the volume with all nodes but those that are closed, it is
// on one of these.
func TestWhereAVolumeIs(t *testing.T) {
	says := func(conflicts int) string {
		return strings.Replace(unbound, "0/2 nodes are available",
			fmt.Sprintf("0/3 nodes are available: 1 node(s) were unschedulable, %d node(s) had volume node affinity conflict", conflicts), 1)
	}
	nodes := fmt.Sprintf(node, "node-1", "unschedulable: true", "True", "v1.37.0") + fmt.Sprintf(node, "node-2", "", "True", "v1.37.0") +
		fmt.Sprintf(node, "node-3", "", "True", "v1.37.0")
	const onFirst = `{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["node-1"]}]}]}`
	for _, c := range []struct {
		name, pod, nodes, reach string
	}{
		{"a conflict with every open node", podOf("web-0", "", uses("data-web-0"), says(2)), nodes, onFirst},
		{"a conflict with one of them", podOf("web-0", "", uses("data-web-0"), says(1)), nodes, ""},
		{"a pod with a node", podOf("web-0", "", "nodeName: node-2, "+uses("data-web-0"), says(2)), nodes, ""},
		{"a pod with another claim", podOf("web-0", "", uses("data-web-1"), says(2)), nodes, ""},
		{"no nodes in the dump", podOf("web-0", "", uses("data-web-0"), says(0)), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := readAt(t, setOf("", 1, 0)+c.pod+claim("data-web-0", "", "fast", "Bound")+c.nodes, time.Minute)
			require.Equal(t, c.reach, d.Claim(model.Key{Namespace: "default", Name: "data-web-0"}).Reach)
		})
	}
}

// TestAnInitContainerThatWaitsForTheNextPod: with OrderedReady a pod cannot wait for the next one, as long as there is
// none and there is to be one.
func TestAnInitContainerThatWaitsForTheNextPod(t *testing.T) {
	const status = `phase: Pending, startTime: "2026-01-01T00:00:01Z", conditions: [{type: Initialized, status: "False"}], ` +
		`initContainerStatuses: [{name: init, image: "init:1", restartCount: 0, started: true, state: {running: {startedAt: "2026-01-01T00:00:02Z"}}}]`
	const never = "If it waits for web-1, that never ends: OrderedReady creates web-1 only when web-0 is Ready. Parallel, which only a " +
		"new StatefulSet can have, creates all at once."
	first := podOf("web-0", "", "nodeName: node-1, ", status)
	last := strings.ReplaceAll(first, "web-0", "web-1")
	sidecar := podOf("web-0", "", "initContainers: [{name: init, restartPolicy: Always}], nodeName: node-1, ", status)
	for name, c := range map[string]struct {
		set, pods, pod string
		want           []string
	}{
		"the first of two":                {setOf("", 1, 0), first, "web-0", []string{never}},
		"the first of two, with Parallel": {strings.Replace(setOf("", 1, 0), "OrderedReady", "Parallel", 1), first, "web-0", nil},
		"the next one is there":           {setOf("", 2, 0), first + last, "web-0", nil},
		"the last one":                    {setOf("", 1, 0), last, "web-1", nil},
		"a sidecar":                       {setOf("", 1, 0), sidecar, "web-0", nil},
		"a pod of another owner":          {strings.Replace(setOf("", 1, 0), "uid: s,", "uid: other,", 1), first, "web-0", nil},
	} {
		d := readAt(t, c.set+c.pods, 20*time.Minute)
		taken := d.Taken(model.Key{Namespace: "default", Name: c.pod})
		require.NotEmpty(t, taken, name)
		require.Equal(t, c.want, append([]string(nil), taken[1:]...), name)
	}
}
