package report

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// film builds a timeline by hand, in the order of its calls.
type film struct {
	set    *model.StatefulSet
	now    model.Time
	events []timeline.Event
	lives  map[string]int
	uids   map[string]model.UID
	of     map[string]*model.Template
	uid    model.UID
	steps  int
}

var (
	v1 = &model.Template{ID: 1, Data: `{"v":1}`, Containers: []model.Container{{Name: "app", Image: "app:v1"}}}
	v2 = &model.Template{ID: 2, Data: `{"v":2}`,
		Containers: []model.Container{{Name: "app", Image: "app:v2"}, {Name: "log", Image: "log:3"}}}
)

func newFilm(replicas int32) *film {
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web", UID: 1, Generation: 1},
		Spec: model.Spec{Replicas: replicas, Template: v1, ServiceName: "web"},
	}
	f := &film{set: set, uids: map[string]model.UID{}, lives: map[string]int{}, of: map[string]*model.Template{}}
	f.add(timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{
		Format: timeline.FormatVersion, Sim: "0.1.0", Scenario: "canary", Kubernetes: "1.37.1", Seed: 7,
		Digest: "0123456789abcdef",
		Gates:  []timeline.Gate{{Name: "MaxUnavailableStatefulSet", On: true}},
	}}.Event())
	return f
}

func (f *film) add(e timeline.Event) {
	e.T = f.now
	f.events = append(f.events, e)
}

func (f *film) to(seconds float64) { f.now = model.Time(seconds * float64(time.Second)) }

func (f *film) controller(e timeline.Event) {
	e.Actor, e.Set = timeline.Controller, f.set.Key()
	f.add(e)
}

func (f *film) step(step timeline.Step) {
	f.steps++
	step.Number = f.steps
	f.add(timeline.Entry{Kind: timeline.KindStep, Actor: timeline.User, Set: f.set.Key(), Step: &step}.Event())
}

// change makes another version of the set.
func (f *film) change(edit func(*model.StatefulSet)) []*model.StatefulSet {
	set := *f.set
	edit(&set)
	set.Generation++
	f.set = &set
	return []*model.StatefulSet{f.set}
}

func (f *film) pod(actor timeline.Actor, name string, state timeline.State, why model.Why) *timeline.Event {
	e := timeline.Entry{Kind: timeline.KindPod, Actor: actor, Set: f.set.Key(), Pod: name, State: state, Why: why}.Event()
	if state == timeline.Pending && f.of[name] == nil {
		f.uid++
		f.uids[name] = f.uid
		f.lives[name]++
		f.of[name] = f.set.Spec.Template
	}
	template := f.of[name]
	e.UID, e.Nth, e.Image = f.uids[name], f.lives[name], template.Image()
	e.Template, e.Revision = template.ID, int64(template.ID)
	if state == timeline.Gone {
		delete(f.of, name)
	}
	f.add(e)
	return &f.events[len(f.events)-1]
}

func (f *film) create(name string) {
	f.pod(timeline.Controller, name, timeline.Pending, model.Why{Code: model.CodeCreate, Object: name})
}

func (f *film) kubelet(name string, states ...timeline.State) {
	for _, state := range states {
		f.pod(timeline.Kubelet, name, state, model.Why{})
	}
}

func (f *film) wait(why model.Why) {
	f.controller(timeline.Entry{Kind: timeline.KindWait, Pod: why.Object, Why: why, Wait: &timeline.Wait{Since: f.now}}.Event())
}

func (f *film) waited(since float64, why model.Why) {
	w := &timeline.Wait{Ended: true, Since: model.Time(since * float64(time.Second))}
	f.controller(timeline.Entry{Kind: timeline.KindWait, Pod: why.Object, Why: why, Wait: w}.Event())
}

func (f *film) status(ready, updated int32, revisions ...string) {
	status := model.Status{
		ObservedGeneration: f.set.Generation, Replicas: ready, Ready: ready, Available: ready, Updated: updated,
		CurrentRevision: revisions[0], UpdateRevision: revisions[len(revisions)-1],
	}
	f.controller(timeline.Entry{Kind: timeline.KindStatus, Status: &status, Why: model.Why{Code: model.CodeStatus}}.Event())
}

func (f *film) revision(number int64, t *model.Template, why model.Why) {
	rev := &timeline.Rev{Type: model.Added, Name: "web-" + t.Image(), Number: number, Template: t.ID}
	f.controller(timeline.Entry{Kind: timeline.KindRevision, Rev: rev, Why: why}.Event())
}

func (f *film) result(r timeline.Result) {
	r.Digest, r.Events, r.Syncs = "fedcba9876543210", len(f.events), 2*len(f.events)
	f.add(timeline.Entry{Kind: timeline.KindResult, Result: &r}.Event())
}

func toV2(set *model.StatefulSet) { set.Spec.Template = v2 }

func forUpdate(pod string, rule model.Rule) model.Why {
	return model.Why{Code: model.CodeUpdateRevision, Object: pod, Rule: rule}
}

func forReady(pod string) model.Why {
	return model.Why{Code: model.WaitingForReady, Object: pod, Rule: model.RuleOrderedReplicas}
}

// twoPods plays the creation of web-0 and web-1.
func twoPods() *film {
	f := newFilm(2)
	f.step(timeline.Step{Verb: "create", Does: "create web with 2 replicas of app:v1", Trigger: "settled",
		Effect: timeline.Created, Sets: []*model.StatefulSet{f.set}})
	f.revision(1, v1, model.Why{Code: model.CodeNewRevision})
	f.create("web-0")
	f.wait(forReady("web-0"))
	f.status(0, 0, "v1")
	f.to(1)
	f.kubelet("web-0", timeline.Running)
	f.to(3.5)
	f.kubelet("web-0", timeline.Ready)
	f.waited(0, forReady("web-0"))
	f.create("web-1")
	f.wait(forReady("web-1"))
	f.status(1, 0, "v1")
	f.to(4.5)
	f.kubelet("web-1", timeline.Running)
	f.to(7)
	f.kubelet("web-1", timeline.Ready)
	f.waited(3.5, forReady("web-1"))
	f.status(2, 0, "v1")
	return f
}

// canaryRun is a run in which all is well.
func canaryRun() *Run {
	f := twoPods()
	below := model.Why{Code: model.BelowPartition, Have: 1, Want: 1, Rule: model.RulePartition}
	f.to(90)
	f.step(timeline.Step{Name: "upgrade", Verb: "setImage", Does: "set image of web to app:v2", Trigger: "after",
		Delay: 83 * time.Second, Effect: timeline.Configured, Sets: f.change(toV2)})
	f.revision(2, v2, model.Why{Code: model.CodeNewRevision})
	f.pod(timeline.Controller, "web-1", timeline.Terminating, forUpdate("web-1", model.RuleRollingUpdate))
	gone := model.Why{Code: model.WaitingForTermination, Object: "web-1", Rule: model.RuleRollingUpdate}
	f.wait(gone)
	f.wait(below)
	f.status(2, 0, "v1", "v2")
	f.to(92)
	f.kubelet("web-1", timeline.Gone)
	f.waited(90, gone)
	f.create("web-1")
	f.wait(forReady("web-1"))
	f.status(1, 1, "v1", "v2")
	f.to(93.25)
	f.kubelet("web-1", timeline.Running, timeline.Ready)
	f.waited(92, forReady("web-1"))
	f.status(2, 1, "v1", "v2")
	f.step(timeline.Step{Verb: "patch", Does: "patch web: spec.serviceName", Trigger: "settled",
		Effect: timeline.Refused,
		Refusal: `StatefulSet.apps "web" is invalid: spec: Forbidden: updates to statefulset spec for fields ` +
			`other than 'replicas' are forbidden`, ExpectedRefusal: "spec"})
	f.step(timeline.Step{Verb: "delete", Does: "delete pod web-9", Trigger: "settled", Effect: timeline.None})
	warnings := []string{"step 4 had no effect: there is no pod web-9"}
	f.result(timeline.Result{Verdict: timeline.Settled, Warnings: warnings})
	return &Run{
		Name: "canary by partition", File: "canary.yaml", Events: f.events,
		Description: "ordinals at or above the partition move, the others do not",
		Expectations: []Expectation{
			{Verdict: Held, Text: `order: web-1@1 Terminating, web-1@2 Ready`, Position: "canary.yaml:30:5"},
			{Verdict: Skipped, Text: `never: web-0@2 *`, Position: "canary.yaml:31:5",
				Detail: `for kubernetes "<1.30" only`},
		},
	}
}

// stuckRun is a run that a broken image stops, and whose expectations fail.
func stuckRun() *Run {
	f := twoPods()
	f.step(timeline.Step{Verb: "setImage", Does: "set image of web to app:v2", Trigger: "settled",
		Effect: timeline.Configured, Sets: f.change(toV2)})
	f.revision(2, v2, model.Why{Code: model.CodeNewRevision})
	f.pod(timeline.Controller, "web-1", timeline.Terminating, forUpdate("web-1", model.RuleRollingUpdate))
	f.status(2, 0, "v1", "v2")
	f.to(9)
	f.kubelet("web-1", timeline.Gone)
	f.create("web-1")
	f.wait(forReady("web-1"))
	f.status(1, 1, "v1", "v2")
	f.pod(timeline.Kubelet, "web-1", timeline.Pending, model.Why{}).Reason = "ImagePullBackOff"
	stuck := []timeline.Stuck{{Set: f.set.Key(), Why: forReady("web-1"), Since: f.now}}
	f.result(timeline.Result{Verdict: timeline.IsStuck, Stuck: stuck})
	return &Run{
		Name: "broken image", File: "stuck.yaml", Events: f.events, Repeat: "sim run --seed 7 stuck.yaml",
		Expectations: []Expectation{
			{Verdict: Failed, Text: `order: web-1@2 Ready, web-0@2 Ready`, Position: "stuck.yaml:12:5",
				Detail: "web-1@2 Ready never came", Instants: []model.Time{9e9},
				Expected: []string{"web-1@1 Terminating", "web-1@2 Ready", "web-0@2 Ready"},
				Got:      []string{"web-1@1 Terminating", "web-1@1 Gone"},
				Around:   []string{"  7s       web-1@1 Terminating by controller", "> 9s       web-1@1 Gone by kubelet"}},
			{Verdict: Held, Text: `never: web-0@2 *`, Position: "stuck.yaml:15:5"},
		},
	}
}

// livelockRun has two sets in two namespaces, a pod that fails, and no end.
func livelockRun() *Run {
	f := twoPods()
	f.pod(timeline.User, "web-0", timeline.Failed, model.Why{}).Reason = "Evicted"
	f.set = &model.StatefulSet{Meta: model.Meta{Namespace: "shop", Name: "db", UID: 9},
		Spec: model.Spec{Replicas: 1, MinReadySeconds: 5, Template: &model.Template{ID: 1,
			Containers: []model.Container{{Name: "a", Image: "a\x1b[31mb"}}}}}
	f.step(timeline.Step{Verb: "create", Does: "create db with 1 replica of a\x1b[31mb", Trigger: "at",
		Delay: 7 * time.Second, Effect: timeline.Created, Sets: []*model.StatefulSet{f.set}})
	f.create("db-0")
	f.kubelet("db-0", timeline.Ready)
	f.status(1, 0, "v1")
	for range 5 {
		f.pod(timeline.Controller, "db-0", timeline.Terminating, forUpdate("db-0", model.RuleBrokenFirst))
		f.pod(timeline.Controller, "db-0", timeline.Gone, forUpdate("db-0", model.RuleBrokenFirst))
		f.create("db-0")
	}
	passing := model.Why{Code: model.WaitingForPodGone, Object: "db-0"}
	f.wait(passing)
	f.waited(7, passing)
	f.result(timeline.Result{Verdict: timeline.Livelock, Repeats: []string{"create db-0@1 (a)", "delete db-0"}})
	return &Run{Name: "hot loop", File: "loop.yaml", Events: f.events, Repeat: "sim run loop.yaml",
		Complaint: "the run ended in a livelock, and no expectation said so"}
}
