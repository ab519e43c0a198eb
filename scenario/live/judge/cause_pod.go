package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// podFinalizer: a finalizer keeps a pod that is being deleted.
func podFinalizer(b *blocked) *Cause {
	if b.p == nil || !b.p.Terminating() {
		return nil
	}
	own := b.p.Pod.BlockingFinalizers()
	if len(own) == 0 {
		return nil
	}
	return b.saying("pod-finalizer", symptom.Names{"found": strings.Join(own, ", ")}, own...)
}

// kubeletCannotStop: the grace period of a pod is over, its node answers, and it is still there.
func kubeletCannotStop(b *blocked) *Cause {
	if b.p == nil || !b.p.Terminating() {
		return nil
	}
	if !b.p.Hung {
		return saying(b.stuck.Why.Sentence(), false)
	}
	return b.saying("kubelet-cannot-stop", nil, b.f.Event).at(thePod(b)...)
}

// drainBlocked: a budget refuses an eviction.
func drainBlocked(b *blocked) *Cause {
	if b.stuck.Why.Code != model.DrainBlocked {
		return nil
	}
	return saying(reasons.Named(b.stuck.Why), false, b.stuck.Error)
}

// nodeCannotStart: no pod starts on that node, whatever its template.
func nodeCannotStart(b *blocked) *Cause {
	if !b.starts() || !b.f.OfNode() {
		return nil
	}
	return saying("pods do not start on node "+b.p.Node, false, b.f.Event).
		at(theNode(b)...)
}

// running says whether the containers of the pod run, and the pod is not Ready.
func (b *blocked) running() bool {
	return b.p != nil && b.p.Phase == model.Running && !b.p.Ready && !b.p.Terminating()
}

// serviceHidesPods: a headless Service shows only Ready pods, so a pod that needs its peers to become Ready finds none.
func serviceHidesPods(b *blocked) *Cause {
	if !b.running() || b.f.Waiting != "" {
		return nil
	}
	service := b.hiding()
	if service == "" {
		return nil
	}
	return saying(fmt.Sprintf("%s is not Ready, and the Service %s hides it from its peers until it is: it does not set "+
		"publishNotReadyAddresses", b.name, service), false, b.f.Event).
		at(podObject(b.key.Namespace, b.name), Object{Kind: kindService, Namespace: b.key.Namespace, Name: service}).told()
}

// hiding returns the headless Service of the set, if it shows only Ready pods no pod of the set is Ready, and there
// are several; else "".
func (b *blocked) hiding() string {
	name := b.spec.Spec.ServiceName
	if b.spec.Spec.Replicas < 2 || b.now.Serving() > 0 ||
		!slices.Contains(b.Hiding, model.Key{Namespace: b.key.Namespace, Name: name}) {
		return ""
	}
	return name
}

// serviceMissing: the Service that gives the pods their names does not seem to exist.
func serviceMissing(b *blocked) *Cause {
	if !b.running() || !b.ServiceMissing(b.spec) {
		return nil
	}
	return saying(fmt.Sprintf("the Service %s, which serviceName names, is not in the dump, but others are",
		b.spec.Spec.ServiceName), false).at(podObject(b.key.Namespace, b.name),
		Object{Kind: kindService, Namespace: b.key.Namespace, Name: b.spec.Spec.ServiceName})
}

// notReady: the containers run, and nothing shows why the pod is not Ready.
func notReady(b *blocked) *Cause {
	if !b.running() {
		return nil
	}
	if b.f.Lost {
		return b.saying("lost", nil, b.f.Event)
	}
	is, long := dump.Lasting(b.p.Started, Dated(b.p))
	return b.saying("not-ready", symptom.Names{"is": is, "long": long}, b.f.Event)
}

// addedByAdmission: a container that admission has added does not run. No change of the set repairs it.
func addedByAdmission(b *blocked) *Cause {
	if b.f == nil || !b.f.Added || b.p.Ready {
		return nil
	}
	return saying("admission adds the container "+b.f.Container+", which does not run", false,
		b.f.Waiting+": "+b.f.Message)
}

// imageNotPulled: an image cannot be pulled. What lies with the registry, the node or a credential may end by itself.
func imageNotPulled(b *blocked) *Cause {
	if b.f == nil || b.f.NoImage() == nil || b.p.Ready {
		return nil
	}
	image := b.f.NoImage()
	if image.Sentence == "" {
		return saying("image "+b.f.Image+" cannot be pulled", image.Certain, b.f.Waiting+": "+b.f.Message)
	}
	c := saying(b.Say(b.p, image, image.Sentence), image.Certain, b.f.Message)
	if image.OfNode {
		c.at(theNode(b)...).Evidence = said(b.f.Message, b.f.Event)
	}
	return c
}

// objectMissing: a Secret or ConfigMap, or a key of it, does not exist. Optional ones are never waited for.
func objectMissing(b *blocked) *Cause {
	if !b.starts() && (b.f == nil || b.p.Ready || !symptom.NotMade(b.f.Waiting)) {
		return nil
	}
	of := podObject(b.key.Namespace, b.name)
	if kind, name := b.f.Lacks(); name != "" {
		return saying(fmt.Sprintf("the %s %s does not exist in the namespace %s", kind, name, b.key.Namespace), true,
			b.f.Message, b.f.Event).at(of, Object{Kind: kind, Namespace: b.key.Namespace, Name: name})
	}
	if key, lacking := b.LacksKey(b.p); key != "" {
		kind, name, _ := strings.Cut(lacking, " ")
		return saying(fmt.Sprintf("the %s of the namespace %s has no key %s", lacking, b.key.Namespace, key), true,
			b.f.Message, b.f.Event).at(of, Object{Kind: kind, Namespace: b.key.Namespace, Name: name})
	}
	return nil
}

// pathGone: the volume of a claim is a directory that the node lacks.
func pathGone(b *blocked) *Cause {
	if b.p == nil || b.PathGone(b.p) == nil {
		return nil
	}
	return b.saying("path gone", pathNames(b.PathGone(b.p), b.Dump), b.f.Message, b.f.Event).
		at(thePod(b)...)
}

// pathNames are the names of the texts about the directory of the volume of a claim.
func pathNames(claim *model.Claim, d *dump.Dump) symptom.Names {
	f := d.Claims[claim.Key()]
	return symptom.Names{"path": f.Path, "volume": f.Bound}
}

// containerNotCreated: the kubelet cannot make a container as the spec asks for it.
func containerNotCreated(b *blocked) *Cause {
	if b.f == nil || b.f.Waiting == "" || b.p.Ready {
		return nil
	}
	row := b.f.NotRun()
	if row != nil && row.Outside {
		return saying(b.Say(b.p, row, row.Sentence), false, b.f.Waiting+": "+b.f.Message, b.f.ExitMessage, b.f.Event).
			at(thePod(b)...)
	}
	row = symptom.Container(b.f.Waiting, b.f.Message)
	return saying(fmt.Sprintf("container %s of %s does not run: %s", b.f.Container, b.name, b.f.Waiting),
		row != nil && row.Certain, b.f.Message)
}

// crashLoop: a container ends again and again. It may stay up the next time.
func crashLoop(b *blocked) *Cause {
	if b.f == nil || b.p.Ready || b.f.Waiting != symptom.CrashLoop && !b.f.Crashed {
		return nil
	}
	sentence := fmt.Sprintf("container %s of %s ends again and again", b.f.Container, b.name)
	if row := b.f.NotRun(); row != nil && row.Sentence != "" {
		sentence = b.Say(b.p, row, row.Sentence)
	} else if row == nil && b.f.Stopped != "" {
		sentence = b.Names(b.p).With(symptom.Names{"found": b.f.Stopped}).In(symptom.Unalive.Sentence)
	}
	return saying(sentence, false, b.f.Waiting+": "+b.f.Message, b.f.Ended, b.f.ExitMessage, b.f.Unanswered)
}

// unplaced says whether the pod waits for a node.
func (b *blocked) unplaced() bool { return b.p != nil && pending(b.p) && !b.p.Terminating() }

// byScheduler finds what the scheduler says, where a row of its table has that name of a cause. It is certain only if
// nothing that the scheduler says ends by itself, and if nobody makes a node.
func byScheduler(cause string) func(*blocked) *Cause {
	return func(b *blocked) *Cause {
		if !b.unplaced() {
			return nil
		}
		why := b.f.Unplaced()
		at := slices.IndexFunc(why, func(r *symptom.Row) bool { return r.Cause == cause })
		switch {
		case at >= 0:
			return saying(b.Say(b.p, why[at], why[at].Sentence), why[at].Certain && why.Lasting() && b.f.Asked == 0 && !b.disputed(b.p),
				b.f.Unschedulable)
		case cause == "unschedulable" && len(why) == 0:
			return saying(b.name+" has no node", false)
		}
		return nil
	}
}

// claimMissing: the template names a claim that does not exist, and no claim template makes it.
func claimMissing(b *blocked) *Cause {
	claim, owned := "", false
	if b.unplaced() {
		claim, owned = b.Unfound(b.p)
	}
	if claim == "" || owned {
		return nil
	}
	names := symptom.Names{"claim": claim}
	return b.saying("claim-missing", names, b.f.Unschedulable).
		at(podObject(b.key.Namespace, b.name), claimObject(b.key.Namespace, claim)).
		advising(b.Names(b.p).With(names).In(symptom.Named("claim-missing").Ends))
}

// claimPending: a claim of the pod gets no volume.
func claimPending(b *blocked) *Cause {
	if b.p == nil || b.p.Ready || b.p.Terminating() || b.p.Finished() {
		return nil
	}
	for _, claim := range b.ClaimsOf(b.p.Pod) {
		of, f := claimObject(b.key.Namespace, claim.Name), b.Claims[claim.Key()]
		names := symptom.Names{"claim": claim.Name, "volume": f.Volume, "class": dump.ClassOf(claim)}
		switch {
		case f.Lost:
			return b.saying(symptom.Lost, names).at(of)
		case !b.Waits(claim) || f.Failed == "" && f.Wrong == "" && b.p.Node == "" &&
			!b.f.Unplaced().Has(symptom.Unclaimed, symptom.Unbound, symptom.Volumes):
			continue
		case b.NoClass(claim) != "":
			return b.saying(symptom.NoClass, names, f.Failed).at(of)
		case symptom.Claim(f.Failed).Name == symptom.NoDriver:
			names["found"] = symptom.Claim(f.Failed).Found(f.Failed)
			return b.saying(symptom.NoDriver, names, f.Failed).at(of, nodeObject(names["found"]))
		case symptom.Claim(f.Failed).Name == symptom.StorageQuota:
			names["says"] = dump.OneLine(f.Failed)
			return b.saying(symptom.StorageQuota, names, f.Failed).at(of)
		case names["class"] != "" && f.Failed != "":
			return b.saying("no volume", names, f.Failed).at(of)
		}
		names["says"] = b.WaitingFor(claim)
		return b.saying("claim-pending", names, f.Failed, b.f.Unschedulable).at(of)
	}
	return nil
}
