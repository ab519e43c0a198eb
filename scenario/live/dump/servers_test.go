package dump_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestAdded: what the controller, the API server and the scheduler add to a pod is no part of the template that is
// assumed for a revision that is not in the dump; all else is.
func TestAdded(t *testing.T) {
	const old = `apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: default, uid: p, annotations: {team: a}, labels: {app: web, controller-revision-hash: web-0a,
  statefulset.kubernetes.io/pod-name: web-0, apps.kubernetes.io/pod-index: "0"},
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]}
spec:
  nodeName: node-1
  hostname: web-0
  subdomain: web
  priority: 0
  preemptionPolicy: PreemptLowerPriority
  enableServiceLinks: true
  serviceAccount: default
  serviceAccountName: default
  containers:
  - {name: app, image: "app:v0", volumeMounts: [{name: data, mountPath: /data}, {name: kube-api-access-x1, mountPath: /var/run}]}
  - {name: side, image: "side:1", volumeMounts: [{name: kube-api-access-x1, mountPath: /var/run}, {name: conf, mountPath: /conf}]}
  tolerations:
  - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute}
  - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoSchedule, tolerationSeconds: 300}
  - {key: dedicated, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
  volumes:
  - {name: data, persistentVolumeClaim: {claimName: data-web-0}}
  - {name: shared, persistentVolumeClaim: {claimName: shared}}
  - {name: conf, configMap: {name: conf}}
  - {name: kube-api-access-x1, projected: {}}
status: {phase: Running}
`
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(setOf("", 1, 1) + old)}}, dump.Options{At: epoch})
	require.NoError(t, err)
	var template string
	for _, revision := range d.State.Revisions {
		if revision.Name == "web-0a" {
			template = revision.Template.Data
		}
	}
	const filled = `"imagePullPolicy": "IfNotPresent", "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "resources": {}`
	require.JSONEq(t, `{"metadata": {"labels": {"app": "web"}, "annotations": {"team": "a"}}, "spec": {
		"containers": [
			{"name": "app", "image": "app:v0", "volumeMounts": [{"name": "data", "mountPath": "/data"}], `+filled+`},
			{"name": "side", "image": "side:1", "volumeMounts": [{"name": "conf", "mountPath": "/conf"}], `+filled+`}],
		"tolerations": [
			{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute"},
			{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 300},
			{"key": "dedicated", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
		"volumes": [{"name": "shared", "persistentVolumeClaim": {"claimName": "shared"}}, {"name": "conf", "configMap": {"name": "conf", "defaultMode": 420}}],
		"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler", "securityContext": {},
		"terminationGracePeriodSeconds": 30
	}}`, template)
	require.Equal(t, []int64{1_000_000, 2}, []int64{d.State.Revisions[0].Number, d.State.Revisions[1].Number},
		"the revision with the template of the set is the newest")
}

// TestServices: a Service that selects pods is in the state; one without a selector, or for a name elsewhere, selects
// none.
func TestServices(t *testing.T) {
	service := func(name, spec string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: " + name + ", namespace: default}\nspec: {" + spec + "}\n---\n"
	}
	text := setOf("", 0, 0) + service("web", "clusterIP: None, selector: {app: web}") + service("outside", "clusterIP: None") +
		service("alias", "type: ExternalName, externalName: db.example.com, selector: {app: web}") + service("other", "selector: {app: other}")
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: epoch})
	require.NoError(t, err)
	var names []string
	for _, s := range d.State.Services {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"other", "web"}, names, "in the order of kubectl")
	_, err = dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(setOf("", 0, 0) + service("''", "clusterIP: None"))}}, dump.Options{})
	require.ErrorContains(t, err, "a Service has no name")
}

// TestPrintedNodes: nodes are read as they were printed, whatever is known of them.
func TestPrintedNodes(t *testing.T) {
	named := func(name string, more map[string]string) map[string]string {
		more["kubernetes.io/hostname"] = name
		return more
	}
	nodes := []sim.NodeState{
		{Node: sim.Node{Name: "a"}},
		{Node: sim.Node{Name: "b", Zone: "east", Labels: named("b", map[string]string{"topology.kubernetes.io/zone": "east", "disk": "ssd"}),
			Allocatable: map[string]string{"cpu": "4", "memory": "8Gi", "pods": "110"}}, Cordoned: true},
		{Node: sim.Node{Name: "c", Taints: []sim.Taint{{Key: "dedicated", Value: "db", Effect: "NoSchedule"}, {Key: "gpu", Effect: "NoExecute"}}}, NotReady: true},
		{Node: sim.Node{Name: "d"}, NotReady: true, Down: true, Unreachable: true, Tainted: model.Time(30 * time.Second)},
		{Node: sim.Node{Name: "e"}, OutOfService: true},
	}

	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, &sim.State{Nodes: nodes}, epoch))
	d, err := dump.Read([]dump.Source{{Name: "nodes.yaml", Data: printed.Bytes()}, {Name: "set.yaml", Data: []byte(setOf("", 0, 0))}},
		dump.Options{At: epoch})
	require.NoError(t, err)
	require.Equal(t, nodes, d.State.Nodes)

	// A node of which labels are known, but not its name, gets the label that each node has, and its zone.
	printed.Reset()
	require.NoError(t, printing.Print(&printed, &sim.State{Nodes: []sim.NodeState{{Node: sim.Node{Name: "f", Zone: "west", Labels: map[string]string{"disk": "ssd"}}}}}, epoch))
	require.Contains(t, printed.String(), "disk: ssd\n        kubernetes.io/hostname: f\n        topology.kubernetes.io/zone: west\n")
}

// TestPrintedClaims: which nodes can use the volume of a claim is printed as its PersistentVolume, and read from there.
func TestPrintedClaims(t *testing.T) {
	const reach = `{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["east"]}]}]}`
	claims := []*model.Claim{
		{Meta: model.Meta{Namespace: "default", Name: "data-web-0"}, Phase: model.ClaimBound, Reach: reach},
		{Meta: model.Meta{Namespace: "default", Name: "data-web-1"}, Phase: model.ClaimBound},
	}
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, &sim.State{Claims: claims}, epoch))
	d, err := dump.Read([]dump.Source{{Name: "claims.yaml", Data: printed.Bytes()}, {Name: "set.yaml", Data: []byte(setOf("", 0, 0))}}, dump.Options{At: epoch})
	require.NoError(t, err)
	require.Equal(t, []string{reach, ""}, []string{d.State.Claims[0].Reach, d.State.Claims[1].Reach})
	require.Contains(t, printed.String(), "name: pv-default-data-web-0")
}

// TestPrintedEnds: a pod that has ended is printed with the exit code of its containers, and is read as one that has
// ended.
func TestPrintedEnds(t *testing.T) {
	template := &model.Template{Data: `{"spec": {"containers": [{"name": "app", "image": "app:v1"}]}}`}
	for phase, code := range map[model.Phase]string{model.Failed: "exitCode: 1", model.Succeeded: "exitCode: 0"} {
		pod := sim.PodState{Pod: &model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}, Phase: phase, Node: "a", Template: template}}
		var printed bytes.Buffer
		require.NoError(t, printing.Print(&printed, &sim.State{Pods: []sim.PodState{pod}}, epoch))
		require.Contains(t, printed.String(), code)
		require.NotContains(t, printed.String(), "running:")
		d, err := dump.Read([]dump.Source{{Name: "pod.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch})
		require.NoError(t, err)
		require.Equal(t, phase, d.State.Pods[0].Phase)
	}
}

// TestPrintedBudgets: budgets are read as they were printed.
func TestPrintedBudgets(t *testing.T) {
	one, third := model.IntOrPercent{Value: 1}, model.IntOrPercent{Value: 33, Percent: true}
	budgets := []*model.Budget{
		{Namespace: "default", Name: "few", MinAvailable: &one},
		{Namespace: "default", Name: "most", MaxUnavailable: &third, AlwaysAllow: true},
	}
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, &sim.State{Budgets: budgets}, epoch))
	d, err := dump.Read([]dump.Source{{Name: "budgets.yaml", Data: printed.Bytes()}, {Name: "set.yaml", Data: []byte(setOf("", 0, 0))}}, dump.Options{At: epoch})
	require.NoError(t, err)
	for i, b := range d.State.Budgets {
		b.Selects = nil
		require.Equal(t, budgets[i], b)
	}
}

// TestVersions: the newest kubelet says which version of Kubernetes it is, as far as it is known.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		kubelets        []string
		newest, version string
		known           bool
	}{
		{[]string{"v1.36.9", "v1.36.10", "v1.36.2"}, "v1.36.10", "1.36", true},
		{[]string{"v1.29.2", "v1.29.9"}, "v1.29.9", "1.29", true},
		{[]string{"v1.35.0"}, "v1.35.0", "1.35.0", true},
		{[]string{"v1.37.0-rc.1"}, "v1.37.0-rc.1", "1.37.0", true},
		{[]string{"v1.37.777"}, "v1.37.777", "1.37", true},
		{[]string{"v1.99.1", "v1.37.0"}, "v1.99.1", "", false},
		{[]string{"1.37"}, "1.37", "", false},
		{nil, "", "", false},
	} {
		text := setOf("", 0, 0)
		for i, kubelet := range c.kubelets {
			text += fmt.Sprintf(node, fmt.Sprintf("node-%d", i), "", "True", kubelet)
		}
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: epoch})
		require.NoError(t, err)
		require.Equal(t, c.known, d.Version() != "", c.kubelets)
		if c.known {
			want, err := statefulset.Lookup(c.version)
			require.NoError(t, err)
			require.Equal(t, want.Version(), d.Version(), c.kubelets)
			require.Equal(t, c.newest, d.Kubelet)
		}
	}
}

// TestManagerShowsTheVersion: the pod of a controller manager shows the version of the StatefulSet controller, which may
// be newer than all kubelets. Of several the newest counts.
func TestManagerShowsTheVersion(t *testing.T) {
	const manager = `---
apiVersion: v1
kind: Pod
metadata: {name: kube-controller-manager-%[1]s, namespace: kube-system, ownerReferences: [{apiVersion: v1, kind: Node, name: n, uid: n, controller: true}]}
spec:
  nodeName: n
  containers:
  - {name: proxy, image: "proxy:v1.99.0", command: [proxy]}
  - {name: main, image: "registry.k8s.io/kube-controller-manager:%[1]s@sha256:01", command: [/usr/bin/kube-controller-manager, --v=2]}
`
	for _, c := range []struct {
		managers []string
		version  string
	}{
		{nil, "1.36"}, {[]string{"v1.37.0"}, "1.37.0"}, {[]string{"v1.37.2", "v1.37.0"}, "1.37"}, {[]string{"v1.99.0"}, ""}, {[]string{"latest"}, "1.36"},
	} {
		text := setOf("", 0, 0) + fmt.Sprintf(node, "n", "", "True", "v1.36.1")
		for _, version := range c.managers {
			text += fmt.Sprintf(manager, version)
		}
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: epoch})
		require.NoError(t, err)
		require.Equal(t, c.version, d.Version(), c.managers)
	}
}

// TestFacts: what a dump shows of a pod: why it does not run, how often it was restarted, and since when it is as it
// is.
func TestFacts(t *testing.T) {
	for name, c := range map[string]struct {
		metadata, status string
		want             dump.Facts
	}{
		"a pod that is Ready": {"", runs, dump.Facts{Since: 5e9}},
		"a pod that crashes": {"", fmt.Sprintf(wakes, `waiting: {reason: CrashLoopBackOff, message: "back-off"}`, ""),
			dump.Facts{Waiting: "CrashLoopBackOff", Message: "back-off", Container: "app", Image: "app:v1", Restarts: 3, Since: 5e9, Lost: true}},
		"two containers, of which the second fails": {"", `phase: Running, startTime: "2026-01-01T00:00:01Z", containerStatuses: [` +
			`{name: app, image: "app:v1", ready: true, restartCount: 1, state: {running: {startedAt: "2026-01-01T00:00:02Z"}}}, ` +
			`{name: side, image: "side:1", ready: false, restartCount: 4, state: {terminated: {exitCode: 3, reason: Error, message: "no"}}}]`,
			dump.Facts{Waiting: "Error", Message: "no", Container: "side", Image: "side:1", Restarts: 5}},
		"an init container that fails, and one that waits behind it": {"", `phase: Pending, initContainerStatuses: [{name: init, image: "init:1", ready: false, restartCount: 2, ` +
			`state: {waiting: {reason: CrashLoopBackOff}}}], containerStatuses: [{name: app, image: "app:v1", ready: false, restartCount: 0, state: {waiting: {reason: PodInitializing}}}]`,
			dump.Facts{Waiting: "CrashLoopBackOff", Container: "init", Image: "init:1", OfInit: true, Restarts: 2}},
		"a pod that no node takes": {"", strings.Replace(unbound, "reason: Unschedulable", `reason: Unschedulable, lastTransitionTime: "2026-01-01T00:00:09Z"`, 1),
			dump.Facts{Unschedulable: "0/2 nodes are available", Scheduled: true, Unbegun: true, Since: 9e9}},
		"a pod that is bound, and not Ready yet": {"", `phase: Pending, conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:03Z"}]`, dump.Facts{Scheduled: true, Unbegun: true, Since: 3e9}},
		"a pod that is being deleted":            {`, deletionTimestamp: "2026-01-01T00:00:40Z", deletionGracePeriodSeconds: 30`, runs, dump.Facts{Since: 10e9, Deadline: 40e9}},
	} {
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(setOf("", 1, 1) + podOf("web-0", c.metadata, "nodeName: node-1, ", c.status))}}, dump.Options{At: epoch})
		require.NoError(t, err, name)
		require.Equal(t, &c.want, d.Facts[model.Key{Namespace: "default", Name: "web-0"}], name)
		require.False(t, d.Ignored)
	}
	strangers := strings.ReplaceAll(podOf("db-0", "", "nodeName: node-1, ", runs), "name: web, uid: s", "name: db, uid: d")
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(setOf("", 0, 0) + strangers)}}, dump.Options{At: epoch})
	require.NoError(t, err)
	require.True(t, d.Ignored, "it has pods of a set that it does not have")
}

// TestAt: a dump was taken at the newest time in it that was past when it was printed, if nobody says when.
func TestAt(t *testing.T) {
	const created = `creationTimestamp: "2026-01-01T00:00:00Z"`
	pod := func(metadata, status string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: web-0, namespace: default, " + metadata + "}\nspec: {containers: [{name: app, image: \"app:v1\"}]}\nstatus: {" + status + "}\n---\n"
	}
	for text, want := range map[string]time.Duration{
		pod(created, ""): 0,
		pod(created, `phase: Running, startTime: "2026-01-01T00:00:07Z"`):                                                                                         7 * time.Second,
		pod(created, `conditions: [{type: Ready, lastTransitionTime: "2026-01-01T00:00:09Z"}, {type: PodScheduled, lastTransitionTime: "2026-01-01T00:00:08Z"}]`): 9 * time.Second,
		pod(created, `containerStatuses: [{name: app, lastState: {terminated: {exitCode: 1, finishedAt: "2026-01-01T00:00:11Z"}}}]`):                              11 * time.Second,
		pod(created+`, managedFields: [{time: "2026-01-01T00:00:13Z"}]`, ""):                                                                                      13 * time.Second,
		pod(created+`, deletionTimestamp: "2026-01-01T00:01:00Z", deletionGracePeriodSeconds: 30`, ""):                                                            30 * time.Second,
		pod(created+`, deletionTimestamp: "2026-01-01T00:01:00Z", deletionGracePeriodSeconds: 30`, `startTime: "2026-01-01T00:00:40Z"`):                           40 * time.Second,
		pod(created, `startTime: "2026-01-01T00:00:07Z"`) + pod(created, ""):                                                                                      7 * time.Second,
		pod(created, "") + "apiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: default}\nlastTimestamp: \"2026-01-01T00:00:50Z\"\n":                      50 * time.Second,
	} {
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err)
		require.Equal(t, want, d.At.Sub(epoch), text)
	}
}
