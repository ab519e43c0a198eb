package dump

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
)

// TestWhatMessagesSay: what is missing for a pod stands in the messages of the kubelet, of whoever attaches volumes and
// of the scheduler, in the words of their versions.
func TestWhatMessagesSay(t *testing.T) {
	key, of := symptom.LacksKey("couldn't find key LOG in Secret prod/web")
	require.Equal(t, []string{"LOG", "Secret web"}, []string{key, of})
	key, of = symptom.LacksKey(`configmap "web" not found`)
	require.Equal(t, []string{"", ""}, []string{key, of})
	for event, driver := range map[string]string{
		"FailedAttachVolume: AttachVolume.Attach failed for volume \"pv\" : CSINode n does not contain driver ebs.csi.aws.com": "ebs.csi.aws.com",
		"FailedMount: MountVolume.MountDevice failed for volume \"pv\" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: " +
			"driver name rbd.csi.ceph.com not found in the list of registered CSI drivers": "rbd.csi.ceph.com",
		`FailedMount: MountVolume.SetUp failed for volume "keys" : rpc error: code = Unknown desc = failed to mount secrets store objects ` +
			`for pod prod/web-0, err: error connecting to provider "aws": provider not found: provider "aws"`: "provider aws",
		"FailedMount: timed out": "",
	} {
		f := &Facts{Event: event}
		found := ""
		if row := f.NotStarted(); row != nil {
			found = row.Found(event)
		}
		require.Equal(t, driver, found, event)
		require.Equal(t, driver != "", f.NotStarted().OfNode, event)
	}
	require.True(t, (&Facts{Event: "FailedCreatePodSandBox: no network"}).NotStarted().OfNode)
	pod := model.Key{Namespace: "prod", Name: "web-0"}
	for message, c := range map[string]struct {
		crowded bool
		heals   string
	}{
		"0/3 nodes are available: 3 node(s) exceed max volume count.":                                                              {true, "only when a node has room for web-0"},
		"0/3 nodes are available: 3 Insufficient cpu.":                                                                             {false, "only when a node has room for web-0"},
		"0/3 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode.": {true, "only when the pod is gone that uses the PVC of web-0"},
		"0/3 nodes are available: 3 node(s) had untolerated taint {a: b}.":                                                         {false, ""},
	} {
		f := &Facts{Unschedulable: message}
		require.Equal(t, c.crowded, f.Unplaced().Has(symptom.VolumeRoom, symptom.UsedAlone), message)
		require.Equal(t, c.heals, (&Dump{Facts: map[model.Key]*Facts{pod: f}}).Heals(pod), message)
	}
	require.Empty(t, (&Dump{}).Heals(pod))
}

// TestUnmounted: a pod waits for the volume of a claim if the last warning about it names that volume.
func TestUnmounted(t *testing.T) {
	const failed = `FailedMount: MountVolume.SetUp failed for volume "pv-0": timed out`
	for name, c := range map[string]struct {
		phase model.Phase
		event string
		claim string
		want  bool
	}{
		"it is not mounted":              {model.Pending, failed, `{"volumeName": "pv-0"}`, true},
		"it is not attached":             {model.Pending, `FailedAttachVolume: AttachVolume.Attach failed for volume "pv-0"`, `{"volumeName": "pv-0"}`, true},
		"the pod runs":                   {model.Running, failed, `{"volumeName": "pv-0"}`, false},
		"another warning":                {model.Pending, `Unhealthy: volume "pv-0"`, `{"volumeName": "pv-0"}`, false},
		"another volume":                 {model.Pending, failed, `{"volumeName": "pv"}`, false},
		"the claim has no volume":        {model.Pending, `FailedMount: ""`, `{}`, false},
		"a volume of the template fails": {model.Pending, `FailedMount: MountVolume.SetUp failed for volume "config"`, `{"volumeName": "pv-0"}`, false},
	} {
		p := Pod{Pod: &model.Pod{Meta: model.Meta{Namespace: "prod", Name: "web-0"}, Phase: c.phase, Volumes: []model.Volume{{Claim: "data"}}}}
		d := &Dump{State: &sim.State{Claims: []*model.Claim{{Meta: model.Meta{Namespace: "prod", Name: "data"}, Data: c.claim}}},
			Facts: map[model.Key]*Facts{p.Key(): {Event: c.event}}}
		require.Equal(t, c.want, d.Unmounted(&p), name)
	}
}

// TestPodsThatFailAgain: the controller says how often it has created a pod again, in an event about the set.
func TestPodsThatFailAgain(t *testing.T) {
	at := time.Date(2026, time.January, 1, 0, 10, 0, 0, time.UTC)
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web", UID: 1, Created: -1}, Status: model.Status{ObservedGeneration: 1}}
	for name, c := range map[string]struct {
		reason, of string
		count      int32
		ready      bool
		want       string
	}{
		"three times":              {"RecreatingFailedPod", "web-0", 3, false, "provided that web-0 does not fail again: the controller has created it again 3 times within 5m"},
		"for ever Completed":       {"RecreatingTerminatedPod", "web-0", 9, false, "provided that web-0 does not fail again: the controller has created it again 9 times within 5m"},
		"twice":                    {"RecreatingFailedPod", "web-0", 2, false, ""},
		"another pod":              {"RecreatingFailedPod", "web-1", 9, false, ""},
		"another event":            {"SuccessfulDelete", "web-0", 9, false, ""},
		"and now the pod is Ready": {"RecreatingFailedPod", "web-0", 9, true, ""},
	} {
		p := Pod{Pod: &model.Pod{Meta: model.Meta{Namespace: "prod", Name: "web-0", Owners: []model.Owner{{UID: 1, Controller: true}}}, Ready: c.ready}}
		d := &Dump{At: at, State: &sim.State{Pods: []Pod{p}}, Facts: map[model.Key]*Facts{p.Key(): {}}}
		e := &corev1.Event{Reason: c.reason, Message: "StatefulSet prod/web is recreating failed Pod " + c.of, Count: c.count,
			FirstTimestamp: metav1.Time{Time: at.Add(-5 * time.Minute)}, LastTimestamp: metav1.Time{Time: at}}
		e.InvolvedObject.Kind, e.InvolvedObject.Namespace, e.InvolvedObject.Name = kindSet, "prod", "web"
		(&converter{Dump: d, raw: &raw{events: []*corev1.Event{e}}}).failures()
		require.Equal(t, c.want, d.Provided(set), name)
	}
}

// TestUnbegun: a kubelet has not begun with a pod if it says nothing of it for minutes, and nobody else does.
func TestUnbegun(t *testing.T) {
	const long, short = -model.Time(6 * time.Minute), -model.Time(4 * time.Minute)
	for name, c := range map[string]struct {
		phase model.Phase
		node  string
		bound model.Time
		facts Facts
		want  bool
	}{
		"nothing is said":             {model.Pending, "n", long, Facts{Unbegun: true}, true},
		"it may still begin":          {model.Pending, "n", short, Facts{Unbegun: true}, false},
		"the pod has no node":         {model.Pending, "", long, Facts{Unbegun: true}, false},
		"the pod runs":                {model.Running, "n", long, Facts{Unbegun: true}, false},
		"the kubelet says something":  {model.Pending, "n", long, Facts{}, false},
		"somebody warns of something": {model.Pending, "n", long, Facts{Unbegun: true, Event: "FailedAttachVolume: x"}, false},
	} {
		p := Pod{Pod: &model.Pod{Meta: model.Meta{Namespace: "prod", Name: "web-0"}, Phase: c.phase, Node: c.node}, Bound: c.bound}
		require.Equal(t, c.want, (&Dump{Facts: map[model.Key]*Facts{p.Key(): &c.facts}}).Unbegun(&p), name)
	}
	require.False(t, (&Facts{Event: "FailedCreatePodSandBox: no runtime for \"runsc\" is configured"}).NotStarted().OfNode)
}

// TestSpecOf: the spec is found in the text of a template as a decoder finds it, whatever is like it elsewhere.
func TestSpecOf(t *testing.T) {
	for _, text := range []string{
		`{"metadata":{"labels":{"spec":"a","app":"web"},"annotations":{"note":"\"spec\":{}, \\"}},"spec":{"containers":[{"image":"a:1"}]}}`,
		`{"spec":{"containers":[{"args":["}",",","\"]"]}],"spec":{}},"metadata":{"spec":1}}`,
		`{"metadata":{"name":"spec"},"kind":"spec","spec":null}`, `{"spec":"a,b"}`, `{"metadata":{}}`, `{}`, ``, `{"spec":`,
	} {
		var want struct{ Spec json.RawMessage }
		_ = json.Unmarshal([]byte(text), &want)
		require.Equal(t, string(want.Spec), specOf(&model.Template{Data: text}), text)
	}
	require.Empty(t, specOf(nil))
}
