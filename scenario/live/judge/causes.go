package judge

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// blocked is something that a set is stuck for, and what the dump shows of the pod that it is about.
type blocked struct {
	*evidence
	stuck *timeline.Stuck
	// name is the pod that it is about; "" for none. p is the pod, and f what is shown of it; nil if it does not exist.
	name string
	p    *dump.Pod
	f    *dump.Facts
}

// table are the causes in the order in which they are looked for: the first that fits is the cause. What the cluster
// says outright comes before what follows from the state of a pod, and a pod that does not exist or has no node before
// one that runs. is is when a row can be the cause, and fits returns it, or nil; without fits, the cause is the row of
// that name of the table of symptoms, with what the cluster says. It lies at the objects of at, or at the pod.
var table = []struct {
	name string
	is   func(*blocked) bool
	fits func(*blocked) *Cause
	says func(*blocked) string
	at   func(*blocked) []Object
}{
	{name: "namespace-deleted", fits: namespaceDeleted,
		is: func(b *blocked) bool { return symptom.InTerminatingNamespace.In(b.stuck.Error) }},
	{name: "name-too-long", is: (*blocked).podless, fits: nameTooLong},
	{name: "quota", is: (*blocked).podless, fits: quotaExceeded},
	{name: "name-taken", is: (*blocked).taken, fits: nameTaken},
	{name: "create-refused", is: (*blocked).podless, fits: createRefused},
	{name: "claim-terminating", is: func(b *blocked) bool {
		return b.stuck.Why.Code == model.ClaimTerminating || b.stuck.Why.Code == model.StaleClaim
	}, fits: claimTerminating},
	{name: "pod-finalizer", is: func(b *blocked) bool { return b.going() && len(b.p.Pod.BlockingFinalizers()) > 0 },
		fits: podFinalizer},
	{name: "node-down", is: func(b *blocked) bool { return b.p != nil && b.Node(b.p.Node) != nil && b.Node(b.p.Node).Down },
		says: func(*blocked) string { return "" }, at: theNode},
	{name: "kubelet-cannot-stop", is: func(b *blocked) bool { return b.going() && b.p.Hung }, at: thePod,
		says: func(b *blocked) string { return b.f.Event }},
	{name: "kubelet-cannot-stop", is: (*blocked).going, fits: waits},
	{name: "node-not-ready", is: func(b *blocked) bool { return b.p != nil && !b.p.Ready && b.notReady() != "" },
		says: (*blocked).notReady, at: theNode},
	{name: "drain-blocked", is: func(b *blocked) bool { return b.stuck.Why.Code == model.DrainBlocked },
		fits: func(b *blocked) *Cause { return saying(reasons.Named(b.stuck.Why), false, b.stuck.Error) }},
	{name: "scheduling-gate", is: (*blocked).unplaced, fits: byScheduler("scheduling-gate")},
	{name: "claim-missing", is: (*blocked).unplaced, fits: claimMissing},
	{name: "claim-pending", is: func(b *blocked) bool {
		return b.p != nil && !b.p.Ready && !b.p.Terminating() && !b.p.Finished()
	}, fits: claimPending},
	{name: "volume-elsewhere", is: (*blocked).unplaced, fits: byScheduler("volume-elsewhere")},
	{name: "no-room", is: (*blocked).unplaced, fits: byScheduler("no-room")},
	{name: "unschedulable", is: (*blocked).unplaced, fits: byScheduler("unschedulable")},
	{name: "added-by-admission", is: func(b *blocked) bool { return b.unready() && b.f.Added }, fits: addedByAdmission},
	{name: "node-cannot-start", is: func(b *blocked) bool { return b.starts() && b.f.NotStarted().OfNode }, fits: nodeCannotStart,
		at: theNode},
	{name: "image-not-pulled", is: func(b *blocked) bool { return b.unready() && !b.f.NoImage().None() }, fits: imageNotPulled},
	{name: "object-missing", is: func(b *blocked) bool { return b.starts() || b.unready() && symptom.NotMade(b.f.Waiting) },
		fits: objectMissing},
	{name: "volume-attached-elsewhere", is: func(b *blocked) bool { return b.starts() && b.Attached(b.p.Key()) }},
	{name: "volume-not-mounted", is: func(b *blocked) bool { return b.p != nil && b.PathGone(b.p) != nil }, fits: pathGone,
		at: thePod},
	{name: "crash-loop", is: func(b *blocked) bool {
		return b.unready() && (b.f.Waiting == symptom.CrashLoop || b.f.Crashed)
	}, fits: crashLoop},
	{name: "container-not-created", is: func(b *blocked) bool { return b.unready() && b.f.Waiting != "" },
		fits: containerNotCreated},
	{name: "init-not-ended", is: func(b *blocked) bool { return b.starts() && b.f.Init != "" }},
	{name: "readiness-gate", is: func(b *blocked) bool { return b.running() && b.f.Gate != "" }},
	{name: "not-reported", is: func(b *blocked) bool { return b.running() && b.f.Unreported }, at: thePod},
	{name: "succeeded", is: func(b *blocked) bool { return b.p != nil && b.p.Phase == model.Succeeded }},
	{name: "service-hides-pods", is: func(b *blocked) bool {
		return b.running() && b.f.Waiting == "" && b.hiding() != ""
	}, fits: serviceHidesPods},
	{name: "service-missing", is: func(b *blocked) bool { return b.running() && b.ServiceMissing(b.spec) }, fits: serviceMissing},
	{name: "not-ready", is: (*blocked).running, fits: notReady},
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
		switch {
		case row.is != nil && !row.is(b):
			continue
		case row.fits != nil:
			c = row.fits(b)
		case row.says != nil:
			c = b.saying(row.name, nil, row.says(b))
		default:
			c = b.saying(row.name, nil, cmp.Or(b.f.Gate, b.f.Status, b.f.Event))
		}
		if c == nil {
			continue
		}
		if row.at != nil {
			c.of = row.at(b)
		}
		if c.Name = row.name; len(c.of) == 0 {
			c.of = b.objects()
		}
		return *c
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

// podless reports whether it is about no pod that exists, and going whether the pod is being deleted.
func (b *blocked) podless() bool { return b.p == nil }

func (b *blocked) going() bool { return b.p != nil && b.p.Terminating() }

// unready reports whether the dump shows something of the pod, and the pod is not Ready.
func (b *blocked) unready() bool { return b.f != nil && !b.p.Ready }

// running reports whether the containers of the pod run, and the pod is not Ready; unplaced whether it waits for a node.
func (b *blocked) running() bool {
	return b.p != nil && b.p.Phase == model.Running && !b.p.Ready && !b.p.Terminating()
}

func (b *blocked) unplaced() bool { return b.p != nil && pending(b.p) && !b.p.Terminating() }

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
