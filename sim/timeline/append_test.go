package timeline_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var web = model.Key{Namespace: "default", Name: "web"}

func TestAppendJSON(t *testing.T) {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web", UID: 3, Generation: 2}, Spec: model.Spec{
		Replicas: 2, Selector: model.Selector{Data: `{"matchLabels":{"app":"web"}}`},
		Template:       &model.Template{ID: 1, Data: `{"spec":{"containers":[{"image":"app:v1","name":"app"}]}}`},
		ClaimTemplates: []model.ClaimTemplate{{Name: "data", Labels: map[string]string{"b": "2", "a": "1"}, Data: `{"x":1}`}},
		ServiceName:    "web", PodManagement: model.Parallel, RevisionHistoryLimit: 10, MinReadySeconds: 5,
		Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{Partition: 1,
			MaxUnavailable: &model.IntOrPercent{Value: 25, Percent: true}}},
		Retention: &model.Retention{DeleteWhenScaled: true}, Ordinals: &model.Ordinals{Start: 3},
	}}
	tests := map[string]struct {
		event timeline.Event
		want  string
	}{
		"a run": {timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Format: 1, Sim: "0.1.0", Scenario: "canary",
			Kubernetes: "1.36.3", Gates: []timeline.Gate{{Name: "B", On: true}, {Name: "C"}}, Seed: 1, Digest: "abc", Until: 3600e9}}.Event(),
			`{"t":0,"event":"run","format":1,"sim":"0.1.0","scenario":"canary","kubernetes":"1.36.3",` +
				`"featureGates":{"B":true,"C":false},"seed":1,"digest":"abc","until":3600}`},
		"a pod": {timeline.Entry{T: 1_000_000_001, Kind: timeline.KindPod, Actor: timeline.Kubelet, Set: web, Pod: "web-1", UID: 7, Nth: 2,
			State: timeline.Failed, Template: 2, Revision: 5, Image: "app:v2", Node: "node-1", Reason: "Evicted", Message: "a \"b\"\n"}.Event(),
			`{"t":1.000000001,"event":"pod","actor":"kubelet","pod":"web-1","state":"Failed","template":2,"revision":5,"image":"app:v2",` +
				`"node":"node-1","reason":"Evicted","message":"a \"b\"\n","statefulset":"web","namespace":"default","uid":"uid-7","nth":2}`},
		"a step": {timeline.Entry{T: 90e9, Kind: timeline.KindStep, Actor: timeline.User, Step: &timeline.Step{Number: 2, Name: "grow",
			Verb: "scale", Does: "scale web to 2", Trigger: "after", Delay: 5e8, Effect: timeline.Configured, ExpectedRefusal: "x",
			Sets: []*model.StatefulSet{set}, Removed: []model.Key{{Namespace: "a", Name: "b"}, {Namespace: "a", Name: "c"}}}}.Event(),
			`{"t":90,"event":"step","actor":"user","step":2,"name":"grow","verb":"scale","does":"scale web to 2","trigger":"after",` +
				`"delay":0.5,"effect":"configured","refused":"x","sets":[{"namespace":"default","name":"web","uid":"uid-3","generation":2,` +
				`"template":1,"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},` +
				`"template":{"spec":{"containers":[{"image":"app:v1","name":"app"}]}},` +
				`"volumeClaimTemplates":[{"metadata":{"name":"data","labels":{"a":"1","b":"2"}},"spec":{"x":1}}],"serviceName":"web",` +
				`"podManagementPolicy":"Parallel","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":1,"maxUnavailable":"25%"}},` +
				`"revisionHistoryLimit":10,"minReadySeconds":5,` +
				`"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Delete"},"ordinals":{"start":3}}}],"removed":["a/b","a/c"]}`},
		"a wait": {timeline.Entry{T: 3e9, Kind: timeline.KindWait, Actor: timeline.Controller, Set: web, Pod: "web-0",
			Why: model.Why{Code: model.BudgetSpent, Object: "web-0", Rule: model.RuleMaxUnavailable, Have: 1, Want: 1}, Wait: &timeline.Wait{Since: 1e9}}.Event(),
			`{"t":3,"event":"wait","actor":"controller","pod":"web-0","reason":"BudgetSpent",` +
				`"message":"web-0 is unavailable, and maxUnavailable allows only 1 unavailable pod",` +
				`"statefulset":"web","namespace":"default",` +
				`"rule":"max-unavailable","object":"web-0","have":1,"want":1,"ended":false,"since":1}`},
		"a status": {timeline.Entry{Kind: timeline.KindStatus, Set: web, Status: &model.Status{ObservedGeneration: 1, Replicas: 2, Updated: 1,
			CurrentRevision: "web-a", Conditions: []model.Condition{{Type: "Progressing", True: true, Since: 5e8}}}}.Event(),
			`{"t":0,"event":"status","statefulset":"web","namespace":"default","status":{"observedGeneration":1,"replicas":2,"readyReplicas":0,` +
				`"availableReplicas":0,"currentReplicas":0,"updatedReplicas":1,"currentRevision":"web-a",` +
				`"conditions":[{"type":"Progressing","status":"True","lastTransitionTime":0.5}]}}`},
		"a revision": {timeline.Entry{Kind: timeline.KindRevision, Set: web, Rev: &timeline.Rev{Type: model.Modified, Name: "web-a", Number: 3, Template: 1}}.Event(),
			`{"t":0,"event":"revision","template":1,"revision":3,"statefulset":"web","namespace":"default","change":"modified","name":"web-a"}`},
		"a claim": {timeline.Entry{Kind: timeline.KindClaim, Set: web, Claim: &timeline.Claim{Type: model.Added, Name: "data-web-0", Phase: "Bound"}}.Event(),
			`{"t":0,"event":"claim","statefulset":"web","namespace":"default","change":"added","claim":"data-web-0","phase":"Bound"}`},
		"a revision with a cause": {timeline.Entry{Kind: timeline.KindRevision, Set: web,
			Rev: &timeline.Rev{Type: model.Added, Name: "web-a", Number: 1, Template: 1, Cause: "first"}}.Event(),
			`{"t":0,"event":"revision","template":1,"revision":1,"statefulset":"web","namespace":"default","change":"added","name":"web-a",` +
				`"changeCause":"first"}`},
		"a name": {timeline.Entry{Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: web, Pod: "web-0", UID: 3, Template: 2,
			DNS: &timeline.DNS{Type: model.Added, Service: "peers", IP: "10.244.1.2", Hostname: "web-0"}}.Event(),
			`{"t":0,"event":"dns","actor":"apiserver","pod":"web-0","template":2,"statefulset":"web","namespace":"default","uid":"uid-3",` +
				`"change":"added","service":"peers","ip":"10.244.1.2","hostname":"web-0",` +
				`"names":["peers.default.svc.cluster.local","web-0.peers.default.svc.cluster.local"]}`},
		"a Service": {timeline.Entry{Kind: timeline.KindDNS, Set: model.Key{Namespace: "shop"},
			DNS: &timeline.DNS{Type: model.Modified, Service: "web", IP: "10.96.0.10", Ports: []string{"_http._tcp"}}}.Event(),
			`{"t":0,"event":"dns","namespace":"shop","change":"modified","service":"web","ip":"10.96.0.10","ports":["_http._tcp"],` +
				`"names":["web.shop.svc.cluster.local"]}`},
		"an event": {timeline.Entry{Kind: timeline.KindK8sEvent, Set: web, Reason: "FailedCreate", Message: "m", Warning: true}.Event(),
			`{"t":0,"event":"k8sEvent","reason":"FailedCreate","message":"m","statefulset":"web","namespace":"default","type":"Warning"}`},
		"a result": {timeline.Entry{T: 1e9, Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.IsStuck,
			Stuck:   []timeline.Stuck{{Set: web, Why: model.Why{Code: model.OnDelete, Have: 2}, Since: 5e8}},
			Repeats: []string{"r"}, Warnings: []string{"w"}, Digest: "d", Events: 9, Syncs: 4}}.Event(),
			`{"t":1,"event":"result","verdict":"stuck","stuck":[{"statefulset":"web","namespace":"default","reason":"OnDelete",` +
				`"message":"2 pods at an old revision stay until somebody deletes them","have":2,"since":0.5}],` +
				`"repeats":["r"],"warnings":["w"],"digest":"d","events":9,"syncs":4}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, string(timeline.AppendJSON(nil, &test.event)))
		})
	}
}

// TestAppendJSONAllocates: a change of a pod's state is what a long run consists of.
func TestAppendJSONAllocates(t *testing.T) {
	e := timeline.Entry{T: 1_500_000_000, Kind: timeline.KindPod, Actor: timeline.Kubelet, Set: web, Pod: "web-1", Nth: 2,
		State: timeline.Ready, Template: 2, Revision: 5, Image: "app:\"v2\"\x01", Node: "node-1"}.Event()
	line := make([]byte, 0, 1024)
	assert.Zero(t, testing.AllocsPerRun(100, func() { line = timeline.AppendJSON(line[:0], &e) }))
}

// TestAppendJSONText: whatever a string holds, the line is one line of JSON, and holds what encoding/json makes of it.
func TestAppendJSONText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Just("\u2028\u2029\ufffd")).Draw(t, "text")
		line := timeline.AppendJSON(nil, timeline.Entry{Kind: timeline.KindSync, Message: text}.New())
		require.NotContains(t, string(line), "\n")
		var got struct{ Message string }
		require.NoError(t, json.Unmarshal(line, &got))
		require.Equal(t, string([]rune(text)), got.Message, "a byte that is no text becomes U+FFFD")
	})
}

func TestAppendJSONSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := model.Time(rapid.Int64().Draw(t, "t"))
		line := timeline.AppendJSON(nil, timeline.Entry{T: at, Kind: timeline.KindSync}.New())
		require.Equal(t, `{"t":`+at.Seconds()+`,"event":"sync"}`, string(line))
	})
}
