package upgrade

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestChecklist: what to do before, during and after an upgrade. Markdown has a box for each task, and knows nothing
// that the report does not.
func TestChecklist(t *testing.T) {
	in := &Input{}
	require.NoError(t, in.Read("sets.yaml", []byte(manifestOf(0, "replicas: 3")+manifestOf(1, "replicas: 2")), strict.Limits{}))
	require.NoError(t, in.Read("cluster.yaml", []byte(`
apiVersion: v1
kind: Pod
metadata: {name: kcm, namespace: kube-system}
spec:
  containers:
  - name: kube-controller-manager
    image: "registry.example:5000/kube-controller-manager:v1.37.2@sha256:00"
    command: [/usr/local/bin/kube-controller-manager]
    args: ["--feature-gates=InPlacePodVerticalScaling=true", --feature-gates, "HPAGeneration=true,EnvFiles=false"]
---
{apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {containers: [{name: app, image: "a:1", command: [app, "--feature-gates=NodeSwap=true"]}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {nodeInfo: {kubeletVersion: v1.34.9}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {nodeInfo: {kubeletVersion: v1.35.0}}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: none, namespace: default}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: one, namespace: default}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}}
`), strict.Limits{}))
	require.Equal(t, "v1.35.0", (&Input{cluster: shownCluster{components: in.cluster.components[1:]}}).Version(), "the newest kubelet")

	report := in.Compare(path(t, [2]string{"1.37", "1.38"}, false))
	var before []string
	for _, task := range report.Checklist.Before {
		before = append(before, strings.Join(append([]string{task.Do}, task.Objects...), "|"))
	}
	require.Equal(t, []string{
		"Remove the feature gate EnvFiles=false from the flags of kube-controller-manager: 1.38 has locked it to true, and the " +
			"component stops at its start|kube-system/kcm",
		"Remove the feature gate InPlacePodVerticalScaling=true from the flags of kube-controller-manager: 1.38 no longer has " +
			"it, and the component stops at its start|kube-system/kcm",
	}, before[:2])
	require.Contains(t, before[2], "Look for feature gates in the flags and the configuration of kube-apiserver, kube-scheduler and kubelet")
	require.Equal(t, []string{
		"See to these PodDisruptionBudgets before nodes are drained: they allow no eviction, so a drain waits for ever|default/none",
		"Leave one PodDisruptionBudget for each set: the Eviction API refuses a pod that several select, so a drain waits for " +
			"ever|default/s0 (none, one)|default/s1 (none, one)",
		"Upgrade these kubelets first: Kubernetes does not support an API server of 1.38 with them|n1 (v1.34.9)",
	}, before[3:])

	var during []string
	for _, task := range report.Checklist.During {
		during = append(during, strings.Fields(task.Do)[0]+" "+strings.Fields(task.Do)[1])
	}
	require.Equal(t, []string{"Upgrade kube-apiserver,", "Upgrade kube-controller-manager", "Change no", "Upgrade the"}, during)
	require.Equal(t, "No set rolls by itself when the new control plane runs", report.Checklist.After[0].Do)

	var markdown bytes.Buffer
	require.NoError(t, report.Document(View{Checklist: true}).Markdown(&markdown))
	tasks := append(append(report.Checklist.Before, report.Checklist.During...), report.Checklist.After...)
	require.Equal(t, len(tasks), strings.Count(markdown.String(), "- [ ] "))
}

// TestSkewNow: components that do not fit the API server before the upgrade are named first.
func TestSkewNow(t *testing.T) {
	in := &Input{}
	pod := "---\n{apiVersion: v1, kind: Pod, metadata: {name: %[1]s, namespace: kube-system}, spec: {containers: [{name: c, " +
		"image: \"%[1]s:%[2]s\", command: [%[1]s]}]}}\n"
	require.NoError(t, in.Read("all.yaml", []byte(manifestOf(0, "replicas: 3")+fmt.Sprintf(pod, "kube-apiserver", "v1.37.1")+
		fmt.Sprintf(pod, "kube-scheduler", "v1.38.0-beta.0")+fmt.Sprintf(pod, "kube-controller-manager", "v1.36.0")+
		"---\n{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {nodeInfo: {kubeletVersion: v1.33.0}}}\n"), strict.Limits{}))
	require.Equal(t, "v1.37.1", in.Version())
	report := in.Compare(path(t, [2]string{"1.37", "1.38"}, false))
	require.Equal(t, []*Task{
		{Do: "Mend the versions that the cluster has now: kube-scheduler 1.38.0 with kube-apiserver 1.37.1: Kubernetes " +
			"supports none that is newer", Objects: []string{"kube-system/kube-scheduler"}},
		{Do: "Mend the versions that the cluster has now: kubelet 1.33.0 with kube-apiserver 1.37.1: Kubernetes supports none " +
			"that is more than 3 minor versions older", Objects: []string{"n1"}},
	}, report.Checklist.Before[:2])
}

// TestRollsByItself: a set that the new controller makes anew is named after the upgrade.
func TestRollsByItself(t *testing.T) {
	in := &Input{}
	require.NoError(t, in.Read("sets.yaml", []byte(manifestOf(0, "replicas: 3, podManagementPolicy: Parallel, "+
		"updateStrategy: {type: RollingUpdate}, volumeClaimTemplates: [{metadata: {name: d, creationTimestamp: null}, spec: "+
		"{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]")), strict.Limits{}))
	report := in.Compare(path(t, [2]string{"1.33", "1.34.0"}, false))
	require.Equal(t, []string{"default/s0"}, report.Checklist.After[0].Objects)
	require.Contains(t, report.Checklist.After[0].Do, "These sets roll by themselves when 1.34.0 runs")
}
