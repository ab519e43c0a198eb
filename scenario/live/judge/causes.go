package judge

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// blocked is something that a set is stuck for, and what the dump shows of the pod that it is about.
type blocked struct {
	*evidence
	stuck *timeline.Stuck
	// name is the pod that it is about; "" if it is about none. p is the pod, and f what the dump shows of it; both are
	// nil if it does not exist.
	name string
	p    *dump.Pod
	f    *dump.Facts
}

// table are the causes in the order in which they are looked for: the first that fits is the cause. What the cluster
// says outright comes before what follows from the state of a pod, and a pod that does not exist or has no node before
// one that runs. Where is is set, the cause is the row of that name of the table of symptoms, with what the cluster says,
// and it lies at the objects of at, or at the pod.
var table = []struct {
	name string
	fits func(*blocked) *Cause
	is   func(*blocked) bool
	says func(*blocked) string
	at   func(*blocked) []Object
}{
	{name: "namespace-deleted", fits: namespaceDeleted},
	{name: "name-too-long", fits: nameTooLong},
	{name: "quota", fits: quotaExceeded},
	{name: "name-taken", fits: nameTaken},
	{name: "create-refused", fits: createRefused},
	{name: "claim-terminating", fits: claimTerminating},
	{name: "pod-finalizer", fits: podFinalizer},
	{name: "node-down", is: func(b *blocked) bool { return b.p != nil && b.Node(b.p.Node) != nil && b.Node(b.p.Node).Down },
		says: func(*blocked) string { return "" }, at: theNode},
	{name: "kubelet-cannot-stop", fits: kubeletCannotStop},
	{name: "node-not-ready", is: func(b *blocked) bool { return b.p != nil && !b.p.Ready && b.notReady() != "" },
		says: (*blocked).notReady, at: theNode},
	{name: "drain-blocked", fits: drainBlocked},
	{name: "scheduling-gate", fits: byScheduler("scheduling-gate")},
	{name: "claim-missing", fits: claimMissing},
	{name: "claim-pending", fits: claimPending},
	{name: "volume-elsewhere", fits: byScheduler("volume-elsewhere")},
	{name: "no-room", fits: byScheduler("no-room")},
	{name: "unschedulable", fits: byScheduler("unschedulable")},
	{name: "added-by-admission", fits: addedByAdmission},
	{name: "node-cannot-start", fits: nodeCannotStart},
	{name: "image-not-pulled", fits: imageNotPulled},
	{name: "object-missing", fits: objectMissing},
	{name: "volume-attached-elsewhere", is: func(b *blocked) bool { return b.starts() && b.Attached(b.p.Key()) }},
	{name: "volume-not-mounted", fits: pathGone},
	{name: "crash-loop", fits: crashLoop},
	{name: "container-not-created", fits: containerNotCreated},
	{name: "init-not-ended", is: func(b *blocked) bool { return b.starts() && b.f.Init != "" }},
	{name: "readiness-gate", is: func(b *blocked) bool { return b.running() && b.f.Gate != "" }},
	{name: "not-reported", is: func(b *blocked) bool { return b.running() && b.f.Unreported }, at: thePod},
	{name: "succeeded", is: func(b *blocked) bool { return b.p != nil && b.p.Phase == model.Succeeded }},
	{name: "service-hides-pods", fits: serviceHidesPods},
	{name: "service-missing", fits: serviceMissing},
	{name: "not-ready", fits: notReady},
	{name: "volume-not-mounted", is: func(b *blocked) bool { return b.starts() && b.Unmounted(b.p) }},
	{name: "not-started", is: (*blocked).starts},
	{name: "waits", fits: waits},
}

// causesOf returns why a set is stuck: a cause for each thing that it is stuck for, each once, in the order in which
// they count. There is at least one.
func causesOf(e *evidence) []Cause {
	var list []Cause
	for i := range e.stuck {
		b := &blocked{evidence: e, stuck: &e.stuck[i], name: e.podOf(&e.stuck[i])}
		if b.name != "" {
			b.p, b.f = e.pod(b.name), e.facts(b.name)
		}
		c := b.cause()
		if !slices.ContainsFunc(list, func(other Cause) bool { return other.Sentence == c.Sentence }) {
			list = append(list, c)
		}
	}
	return list
}

// cause returns the first cause of the table that fits; the last one fits always.
func (b *blocked) cause() Cause {
	for _, row := range table {
		var c *Cause
		if row.is == nil {
			c = row.fits(b)
		} else if row.is(b) {
			says := cmp.Or(b.f.Gate, b.f.Status, b.f.Event)
			if row.says != nil {
				says = row.says(b)
			}
			if c = b.saying(row.name, nil, says); row.at != nil {
				c.at(row.at(b)...)
			}
		}
		if c != nil {
			c.Name = row.name
			if len(c.of) == 0 {
				c.of = b.objects()
			}
			return *c
		}
	}
	panic("judge: no cause fits " + b.stuck.Why.Sentence())
}

// theNode and thePod are the node of the pod and the pod, first what is at fault.
func theNode(b *blocked) []Object {
	return []Object{nodeObject(b.p.Node), podObject(b.key.Namespace, b.name)}
}

func thePod(b *blocked) []Object {
	return []Object{podObject(b.key.Namespace, b.name), nodeObject(b.p.Node)}
}

// notReady returns what the kubelet of the node says that is not Ready.
func (b *blocked) notReady() string { return b.Nodes[b.p.Node].NotReady }

// objects returns the object that something is about: a pod, or the set.
func (b *blocked) objects() []Object {
	if b.name != "" {
		return []Object{podObject(b.key.Namespace, b.name)}
	}
	return []Object{objectOf(b.spec)}
}

// starts says whether the pod has a node, and its containers are to start.
func (b *blocked) starts() bool {
	return b.p != nil && b.p.Node != "" && b.p.Phase == model.Pending && !b.p.Terminating()
}

// saying returns the cause of a row, with its names beside those of the pod, and with what the cluster says.
func (b *blocked) saying(row string, names symptom.Names, evidence ...string) *Cause {
	all := symptom.Names{"pod": b.name, "set": b.key.Name, "namespace": b.key.Namespace}
	if b.p != nil {
		all = b.Names(b.p)
	}
	r := symptom.Named(row)
	return saying(all.With(names).In(r.Sentence), r.Certain, evidence...)
}

// saying returns a cause whose evidence is what the cluster says; empty texts are left out.
func saying(sentence string, certain bool, evidence ...string) *Cause {
	return &Cause{Sentence: sentence, Certain: certain, Evidence: said(evidence...)}
}

// said returns texts of the cluster as evidence, each in one line and once, without those that are empty.
func said(texts ...string) []string {
	var list []string
	for _, text := range texts {
		if text = dump.OneLine(text); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// at returns the cause with the objects at which it lies.
func (c *Cause) at(of ...Object) *Cause {
	c.of = of
	return c
}

// blockersOf returns the objects of some causes, each once.
func blockersOf(causes []Cause) []Object {
	var list []Object
	for i := range causes {
		for _, o := range causes[i].of {
			if !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	return list
}

// waits is the cause if no other one fits: what the controller waits for.
func waits(b *blocked) *Cause { return saying(b.stuck.Why.Sentence(), false, b.stuck.Error) }
