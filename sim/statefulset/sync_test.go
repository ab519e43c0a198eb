package statefulset_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

// syncTest is one sync of the set web, of three replicas, in words.
type syncTest struct {
	name string
	// version is the Kubernetes version, or 1.36, gates its feature gates.
	version string
	gates   map[string]bool
	// set changes the set. Its template is v1, that of the revision web-v1, which is the current one; see rollout.
	set []func(*model.StatefulSet)
	// pods are ORDINAL@TEMPLATE:STATE,STATE… for each pod; see state.
	pods string
	// claims are NAME or NAME:terminating, or NAME=KIND/NAME/UID,… for its owners; a ! follows the controller's uid.
	claims string
	// live is the set as the API server has it, where that is not what the cache has.
	live *model.StatefulSet
	// refuse gives the errors of calls, by the beginnings of their lines in the log.
	refuse map[string]model.ErrorReason
	// want are the calls but for the status, waits what is waited for: CODE OBJECT RULE HAVE/WANT.
	want, waits []string
	// err is contained in the sync's error.
	err string
}

// outcome is all that came of one sync.
type outcome struct {
	server *statefulsettest.Server
	result model.Result
}

const now = model.Time(100 * time.Second)

var templates = map[string]*model.Template{"v1": template(1, "v1"), "v2": template(2, "v2"), "v3": template(3, "v3")}

func template(id int, data string) *model.Template {
	return &model.Template{
		ID: id, Data: data, Labels: map[string]string{"app": "web"},
		Containers: []model.Container{{Name: "app", Image: data}},
	}
}

func newSet() *model.StatefulSet {
	set := &model.StatefulSet{}
	set.Namespace, set.Name, set.UID, set.Generation = "default", "web", 7, 1
	set.Spec = model.Spec{
		Replicas: 3, Template: templates["v1"], ServiceName: "svc", RevisionHistoryLimit: 10,
		Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
		Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
	}
	set.Status.CurrentRevision = "web-v1"
	return set
}

func parallel(set *model.StatefulSet) { set.Spec.PodManagement = model.Parallel }
func rollout(set *model.StatefulSet)  { set.Spec.Template = templates["v2"] }
func onDelete(set *model.StatefulSet) {
	set.Spec.Strategy = model.Strategy{Type: model.OnDeleteStrategy}
}
func replicas(n int32) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) { set.Spec.Replicas = n }
}
func partition(n int32) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) { set.Spec.Strategy.RollingUpdate.Partition = n }
}
func maxUnavailable(n int32, percent bool) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) {
		set.Spec.Strategy.RollingUpdate.MaxUnavailable = &model.IntOrPercent{Value: n, Percent: percent}
	}
}
func minReadySeconds(n int32) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) { set.Spec.MinReadySeconds = n }
}
func startAt(n int32) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) { set.Spec.Ordinals = &model.Ordinals{Start: n} }
}

// noBlock takes the rollingUpdate block away; current is status.currentReplicas, which counts then.
func noBlock(current int32) func(*model.StatefulSet) {
	return func(set *model.StatefulSet) {
		set.Spec.Strategy.RollingUpdate = nil
		set.Status.Current = current
	}
}
func withClaim(set *model.StatefulSet) {
	set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data", Data: "{}"}}
}

// pods makes the pods of a set from words.
func pods(t *testing.T, set *model.StatefulSet, words string) []*model.Pod {
	t.Helper()
	var made []*model.Pod
	for i, word := range strings.Fields(words) {
		name, rest, _ := strings.Cut(word, "@")
		version, states, _ := strings.Cut(rest, ":")
		pod := &model.Pod{Template: templates[version]}
		require.NotNil(t, pod.Template, word)
		pod.Namespace, pod.Name, pod.UID = "default", name, model.UID(100+i)
		if !strings.Contains(name, "-") {
			pod.Name = "web-" + name
		}
		pod.Owners = ownersOf(set)
		pod.Labels = map[string]string{"app": "web", model.LabelRevision: "web-" + version, model.LabelPodName: pod.Name}
		for j := range set.Spec.ClaimTemplates {
			claim := model.ClaimName(set, &set.Spec.ClaimTemplates[j], set.OrdinalOf(pod.Name))
			pod.Volumes = append(pod.Volumes, model.Volume{Name: set.Spec.ClaimTemplates[j].Name, Claim: claim})
		}
		for _, word := range strings.Split(states, ",") {
			state(t, pod, word)
		}
		made = append(made, pod)
	}
	return made
}

// state gives a pod one of the states a test may name. A ready pod has been so for long, a fresh one for one second.
func state(t *testing.T, pod *model.Pod, word string) {
	t.Helper()
	switch word {
	case "pending":
		pod.Phase = model.Pending
	case "running":
		pod.Phase = model.Running
	case "ready":
		pod.Phase, pod.Ready = model.Running, true
	case "fresh":
		pod.Phase, pod.Ready, pod.ReadySince = model.Running, true, now.Add(-time.Second)
	case "failed":
		pod.Phase = model.Failed
	case "succeeded":
		pod.Phase = model.Succeeded
	case "terminating":
		pod.Deletion = &model.Deletion{}
	case "unlabelled":
		delete(pod.Labels, model.LabelPodName)
	case "orphan":
		pod.Owners = nil
	case "foreign":
		pod.Owners = []model.Owner{{Kind: model.KindStatefulSet, Name: "other", UID: 8, Controller: true}}
	case "relabelled":
		pod.Labels["app"] = "other"
	case "bare":
		pod.Volumes = nil
	default:
		t.Fatalf("no such state of a pod: %s", word)
	}
}

func revision(set *model.StatefulSet, version string, number int64) *model.Revision {
	r := &model.Revision{Number: number, Template: templates[version]}
	r.Namespace, r.Name = "default", "web-"+version
	r.Owners = ownersOf(set)
	r.Labels = map[string]string{"app": "web"}
	return r
}

func ownersOf(set *model.StatefulSet) []model.Owner {
	return []model.Owner{{Kind: model.KindStatefulSet, Name: set.Name, UID: set.UID, Controller: true}}
}

// history has the revisions 1 of v1 and, where the set is at v2, 2 of v2.
func history(set *model.StatefulSet) []*model.Revision {
	revisions := []*model.Revision{revision(set, "v1", 1)}
	if set.Spec.Template == templates["v2"] {
		revisions = append(revisions, revision(set, "v2", 2))
	}
	return revisions
}

func claims(words string) []*model.Claim {
	var made []*model.Claim
	for _, word := range strings.Fields(words) {
		word, owners, _ := strings.Cut(word, "=")
		name, terminating := strings.CutSuffix(word, ":terminating")
		claim := &model.Claim{}
		claim.Owners = owner(owners)
		claim.Namespace, claim.Name = "default", name
		if terminating {
			claim.Deletion = &model.Deletion{}
		}
		made = append(made, claim)
	}
	return made
}

// owner reads owners as KIND/NAME/UID, where ! follows the uid of the controller.
func owner(words string) []model.Owner {
	var owners []model.Owner
	for _, word := range strings.Split(words, ",") {
		parts := strings.Split(word, "/")
		if len(parts) < 3 {
			continue
		}
		kinds := map[string]model.Kind{"StatefulSet": model.KindStatefulSet, "Pod": model.KindPod}
		uid, controls := strings.CutSuffix(parts[2], "!")
		n, _ := strconv.Atoi(uid)
		owners = append(owners, model.Owner{Kind: kinds[parts[0]], Name: parts[1], UID: model.UID(n), Controller: controls})
	}
	return owners
}

func profile(t *testing.T, version string, gates map[string]bool) statefulset.Profile {
	t.Helper()
	if version == "" {
		version = "1.36"
	}
	p, err := statefulset.Lookup(version)
	require.NoError(t, err)
	p, err = p.WithGates(gates)
	require.NoError(t, err)
	return p
}

// sync runs the sync of a test.
func (c syncTest) sync(t *testing.T) outcome {
	t.Helper()
	set := newSet()
	for _, change := range c.set {
		change(set)
	}
	view := statefulsettest.NewView(set, pods(t, set, c.pods), history(set), claims(c.claims), now)
	return c.syncView(t, view)
}

func (c syncTest) syncView(t *testing.T, view *statefulsettest.View) outcome {
	t.Helper()
	server := &statefulsettest.Server{View: view, Live: c.live, Refuse: c.refusal}
	controller := statefulset.New(profile(t, c.version, c.gates))
	result := controller.Sync(view, server)
	if c.err == "" {
		require.NoError(t, result.Err)
	} else {
		require.ErrorContains(t, result.Err, c.err)
	}
	return outcome{server, result}
}

func (c syncTest) refusal(_ int, call model.Call) *model.APIError {
	line := call.Verb.String() + " " + call.Key.Name
	if reason, found := c.refuse[line]; found {
		return statefulsettest.Error(reason)
	}
	return nil
}

// acts are the lines of the log but for the status.
func (o outcome) acts() []string {
	var acts []string
	for _, line := range o.server.Log {
		if !strings.HasPrefix(line, "update status") {
			acts = append(acts, line)
		}
	}
	return acts
}

// status is the last line of the log, if the status was written.
func (o outcome) status() string {
	if len(o.server.Log) == 0 {
		return ""
	}
	status, _ := strings.CutPrefix(o.server.Log[len(o.server.Log)-1], "update status of web ")
	return status
}

func (o outcome) waits() []string {
	var waits []string
	for _, why := range o.result.Waits {
		words := []string{string(why.Code), why.Object, string(why.Rule)}
		if why.Have != 0 || why.Want != 0 {
			words = append(words, fmt.Sprintf("%d/%d", why.Have, why.Want))
		}
		waits = append(waits, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	}
	return waits
}

func run(t *testing.T, tests []syncTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := test.sync(t)
			assert.Equal(t, test.want, o.acts(), "calls")
			assert.Equal(t, test.waits, o.waits(), "waits")
		})
	}
}
