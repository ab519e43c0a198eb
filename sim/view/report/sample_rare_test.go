package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// other makes the film tell of another set from here on.
func (f *film) other(namespace, name string, replicas int32) {
	f.set = &model.StatefulSet{Meta: model.Meta{Namespace: namespace, Name: name, UID: 9, Generation: 1},
		Spec: model.Spec{Replicas: replicas, MinReadySeconds: 5, Template: v1, ServiceName: name}}
}

func (f *film) warn(reason, pod, message string) {
	f.controller(timeline.Entry{Kind: timeline.KindK8sEvent, Pod: pod, Reason: reason, Message: message, Warning: true}.Event())
}

// container tells of a pod's containers.
func (f *film) container(pod, reason, message string, c model.Containers) {
	e := timeline.Entry{Kind: timeline.KindContainer, Actor: timeline.Kubelet, Set: f.set.Key(), Pod: pod, UID: f.uids[pod],
		Nth: f.lives[pod], Reason: reason, Message: message, Containers: &c}.Event()
	e.Template = f.of[pod].ID
	f.add(e)
}

func (f *film) dns(pod string, d timeline.DNS) {
	f.add(timeline.Entry{Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: f.set.Key(), Pod: pod, DNS: &d}.Event())
}

func (f *film) fault(fault timeline.Fault) {
	f.add(timeline.Entry{Kind: timeline.KindFault, Actor: timeline.APIServer, Fault: &fault}.Event())
}

// rareRun has of what a run tells seldom all that the other samples have not: two namespaces, containers that restart,
// names and Services that change, long errors that come again, revisions with two digits that are renumbered and
// removed, orphans, repairs, faults with names, a rollback, names that steer terminals, and a step that the API server
// refuses.
func rareRun() *Run {
	f := twoPods()
	f.other("back", "db", 2)
	f.to(20)
	f.step(timeline.Step{Verb: "create", Does: "create db", Trigger: "settled", Effect: timeline.Created,
		Sets: []*model.StatefulSet{f.set}})
	f.rareContainers()
	f.rareNames()
	f.rareErrors()
	f.rareHistory()
	f.rareEnd()
	return &Run{Name: "what is rare", File: "rare.yaml", Events: f.events, Repeat: "sim run rare.yaml",
		Expectations: []Expectation{{Verdict: Failed, Text: "always: {that: \"serving > 1\"}", Position: "rare.yaml:9:5",
			Detail: "it did not hold\nwhen db-0 restarted", Instants: []model.Time{20e9, 26e9}, Expected: []string{"same", "a"},
			Got: []string{"same"}}}}
}

func (f *film) rareContainers() {
	f.create("db-0")
	f.container("db-0", "", "", model.Containers{Name: "app", All: 2})
	f.container("db-0", "PodInitializing", "init is not done", model.Containers{Name: "init", Shown: "Init:0/1", All: 2})
	f.to(22)
	f.kubelet("db-0", timeline.Running)
	f.container("db-0", "", "", model.Containers{Name: "app", All: 2, Ready: 1})
	f.container("db-0", "", "app runs again", model.Containers{Name: "app", Restarts: 1, All: 2, Ready: 1})
	f.container("db-0", "CrashLoopBackOff", "back-off 10s", model.Containers{Name: "app", Shown: "CrashLoopBackOff", Restarts: 2, All: 2})
	f.to(24)
	f.kubelet("db-0", timeline.Ready)
	f.status(1, 0, "v1")
	f.to(26)
	f.kubelet("db-0", timeline.Unready, timeline.Ready)
	f.create("db-1")
	f.kubelet("db-1", timeline.Succeeded)
	f.pod(timeline.Kubelet, "db-1", timeline.Failed, model.Why{}).Reason = "OOMKilled"
}

func (f *film) rareNames() {
	f.to(30)
	full := f.set
	f.other("back", "none", 0)
	f.step(timeline.Step{Verb: "create", Does: "create none", Trigger: "settled", Effect: timeline.Created,
		Sets: []*model.StatefulSet{f.set}})
	f.set = full
	f.pod(timeline.Controller, "db-1", timeline.Terminating, model.Why{Code: model.BudgetSpent, Object: "db-0", Have: 1, Want: 1})
	f.kubelet("db-1", timeline.Gone)
	f.dns("", timeline.DNS{Type: model.Added, Service: "db", Ports: []string{"_sql._tcp", "_http._tcp"}})
	f.dns("", timeline.DNS{Type: model.Added, Service: "front", IP: "10.96.0.1"})
	f.dns("db-0", timeline.DNS{Type: model.Added, Service: "db", IP: "10.244.1.9", Hostname: "db-0"})
	f.dns("db-0", timeline.DNS{Type: model.Modified, Service: "db", IP: "10.244.1.10", Hostname: "db-0"})
	f.dns("db-0", timeline.DNS{Type: model.Added, Service: "front", IP: "10.244.1.10"})
	f.to(31)
	f.dns("db-0", timeline.DNS{Type: model.Deleted, Service: "db", IP: "10.244.1.10", Hostname: "db-0"})
	f.dns("db-0", timeline.DNS{Type: model.Deleted, Service: "front", IP: "10.244.1.10"})
	f.dns("", timeline.DNS{Type: model.Deleted, Service: "front"})
	f.claim(model.Added, "data\x1b[31m-db-0", "Bound\x1b[0m", "Pod/db-0", "StatefulSet/db")
	f.claim(model.Modified, "data\x1b[31m-db-0", "Pending")
	f.claim(model.Deleted, "data\x1b[31m-db-0", "Pending")
	f.claim(model.Added, "data-db-1", "Pending")
	f.process(timeline.ReasonStray, "node-1", false)
	f.process(timeline.ReasonStray, "node-2", false)
	f.process(timeline.ReasonStray, "node-1", true)
	f.node(timeline.ReasonOutOfService, timeline.Node{Up: true, Ready: true, OutOfService: true})
	f.node(timeline.ReasonNodeDeleted, timeline.Node{Deleted: true})
	f.add(timeline.Entry{Kind: timeline.KindBudget, Actor: timeline.APIServer,
		Budget: &timeline.Budget{Namespace: "back", Name: "db", Allowed: 1, Healthy: 2, Desired: 1, Expected: 1}}.Event())
}

func (f *film) rareErrors() {
	exactly := strings.Repeat("m", longMessage)
	f.to(40)
	f.warn("FailedCreate", "db-1", exactly)
	f.warn("FailedCreate", "", "short")
	f.to(42)
	f.warn("FailedCreate", "db-1", exactly)
	f.warn("FailedCreate", "db-1", "db-1 is named")
	f.warn("", "", "no reason")
	f.to(44)
	f.warn("FailedCreate", "db-1", exactly)
	for i := range 4 {
		f.warn("Again", "", "the same")
		f.warn("Again", "", fmt.Sprint("another ", i/3))
	}
	passing := timeline.Entry{Kind: timeline.KindK8sEvent, Reason: "FailedMount", Message: "over at once", Warning: true, Passing: true}
	f.controller(passing.Event())
	f.controller(timeline.Entry{Kind: timeline.KindK8sEvent, Reason: "SuccessfulCreate", Message: "fine"}.Event())
	f.controller(timeline.Entry{Kind: timeline.KindSync, Reason: "Conflict", Message: "the object has been modified"}.Event())
	f.controller(timeline.Entry{Kind: timeline.KindSync, Pod: "db-0", Why: model.Why{Code: model.CodeRepairStorage, Object: "db-0"}}.Event())
	f.fault(timeline.Fault{Number: 1, Name: "cut", Verb: "delete", Does: "delete db-1", Trigger: "at 44s", Effect: timeline.None,
		Refusal: "pods \"db-1\" not found"})
	f.add(timeline.Entry{Kind: timeline.KindFault, Actor: timeline.APIServer, Set: f.set.Key(), Message: "the controller restarts"}.Event())
	f.node(timeline.ReasonNodeUp, timeline.Node{Up: true, Ready: true})
}

func (f *film) rareHistory() {
	f.to(60)
	f.step(timeline.Step{Name: "back", Verb: "undo", Does: "undo db", Trigger: "settled", Effect: timeline.Configured, Sets: f.change(toV2)})
	rev := func(change model.ChangeType, number int64, template int, cause string, why model.Why) {
		f.controller(timeline.Entry{Kind: timeline.KindRevision, Why: why, Rev: &timeline.Rev{
			Type: change, Name: fmt.Sprint("db-v", template), Number: number, Template: template, Cause: cause}}.Event())
	}
	rev(model.Added, 9, 1, "first", model.Why{})
	rev(model.Added, 11, 2, "", model.Why{Code: model.CodeNewRevision})
	rev(model.Modified, 12, 1, "first", model.Why{Code: model.CodeRenumber, Object: "db-v1"})
	rev(model.Added, 7, 3, "", model.Why{})
	rev(model.Deleted, 7, 3, "", model.Why{Code: model.CodeTruncateHistory, Object: "db-v3", Want: 10, Rule: model.RuleHistoryLimit})
	f.status(2, 1, "db-v1", "db-v2")
	for _, change := range []timeline.OwnerChange{timeline.LeftBehind, timeline.Adopted} {
		f.controller(timeline.Entry{Kind: timeline.KindOwner, Template: 2, Revision: 11, Reason: "Orphan",
			Owned: &timeline.Owned{Change: change, Revision: "db-v2"}}.Event())
	}
	spent := model.Why{Code: model.BudgetSpent, Object: "db-0", Rule: model.RuleMaxUnavailable, Have: 1, Want: 1}
	f.wait(spent)
	f.to(63)
	f.waited(60, spent)
	f.status(2, 2, "db-v1", "db-v2")
	f.to(64)
	f.status(2, 2, "db-v2")
	resting := model.Why{Code: model.OnDelete, Have: 1, Rule: model.RuleOnDelete}
	f.wait(resting)
	f.to(70)
	f.waited(64, resting)
	f.wait(model.Why{Code: model.ClaimTerminating, Object: "data-db-1"})
}

func (f *film) rareEnd() {
	f.step(timeline.Step{Verb: "undo", Does: "undo db", Trigger: "at", Delay: 70 * time.Second, Effect: timeline.Unchanged})
	f.step(timeline.Step{Verb: "drain", Does: "drain node-2", Trigger: "after", Effect: timeline.Done})
	f.to(71)
	f.add(timeline.Entry{Kind: timeline.KindStatus, Actor: timeline.Controller, Set: model.Key{Namespace: "default", Name: "web"},
		Reason: timeline.ReasonDeleted, Message: "its deletion is done"}.Event())
	f.step(timeline.Step{Verb: "patch", Does: "patch db", Trigger: "settled", Effect: timeline.Refused,
		Refusal: "StatefulSet.apps \"db\" not found", Cause: "1 replica is left"})
	f.result(timeline.Result{Verdict: timeline.WasRefused, Warnings: []string{"nothing \x1b[31mis left"}})
}
