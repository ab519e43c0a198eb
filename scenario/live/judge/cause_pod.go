package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// podFinalizer: a finalizer keeps a pod that is being deleted.
func podFinalizer(b *blocked) *Cause {
	own := b.p.Pod.BlockingFinalizers()
	return b.saying("pod-finalizer", symptom.Names{"found": strings.Join(own, ", ")}, own...)
}

// nodeCannotStart: no pod starts on that node, whatever its template.
func nodeCannotStart(b *blocked) *Cause {
	row := b.f.NotStarted()
	return saying(cmp.Or(b.Say(b.p, row, row.Sentence), "pods do not start on node "+b.p.Node), false, b.f.Event)
}

// serviceHidesPods: a headless Service shows only Ready pods, so a pod that needs its peers to become Ready finds none.
func serviceHidesPods(b *blocked) *Cause {
	service := b.hiding()
	return saying(fmt.Sprintf("%s is not Ready, and the Service %s hides it from its peers until it is: it does not set "+
		"publishNotReadyAddresses", b.name, service), false, b.f.Event).
		at(podObject(b.key.Namespace, b.name), Object{Kind: kindService, Namespace: b.key.Namespace, Name: service}).told()
}

// hiding returns the headless Service of the set, if it shows only Ready pods, none of several is Ready; else "".
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
	return saying(fmt.Sprintf("the Service %s, which serviceName names, is not in the dump, but others are",
		b.spec.Spec.ServiceName), false).at(podObject(b.key.Namespace, b.name),
		Object{Kind: kindService, Namespace: b.key.Namespace, Name: b.spec.Spec.ServiceName})
}

// notReady: the containers run, and nothing shows why the pod is not Ready.
func notReady(b *blocked) *Cause {
	if b.f.Lost {
		return b.saying("lost", nil, b.f.Event)
	}
	is, long := dump.Lasting(b.p.Started, Dated(b.p))
	return b.saying("not-ready", symptom.Names{"is": is, "long": long}, b.f.Event)
}

// addedByAdmission: a container that admission has added does not run. No change of the set repairs it.
func addedByAdmission(b *blocked) *Cause {
	return saying("admission adds the container "+b.f.Container+", which does not run", false,
		b.f.Waiting+": "+b.f.Message)
}

// imageNotPulled: an image cannot be pulled. What lies with the registry, the node or a credential may end by itself.
func imageNotPulled(b *blocked) *Cause {
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
	return b.saying("path gone", pathNames(b.PathGone(b.p), b.Dump), b.f.Message, b.f.Event)
}

// pathNames are the names of the texts about the directory of the volume of a claim.
func pathNames(claim *model.Claim, d *dump.Dump) symptom.Names {
	f := d.Claims[claim.Key()]
	return symptom.Names{"path": f.Path, "volume": f.Bound}
}

// containerNotCreated: the kubelet cannot make a container as the spec asks for it.
func containerNotCreated(b *blocked) *Cause {
	row := b.f.NotRun()
	if row.Outside {
		return saying(b.Say(b.p, row, row.Sentence), false, b.f.Waiting+": "+b.f.Message, b.f.ExitMessage, b.f.Event).
			at(thePod(b)...)
	}
	row = symptom.Container(b.f.Waiting, b.f.Message)
	return saying(fmt.Sprintf("container %s of %s does not run: %s", b.f.Container, b.name, b.f.Waiting),
		row.Certain, b.f.Message)
}

// crashLoop: a container ends again and again. It may stay up the next time.
func crashLoop(b *blocked) *Cause {
	sentence := fmt.Sprintf("container %s of %s ends again and again", b.f.Container, b.name)
	if row := b.f.NotRun(); row.Sentence != "" {
		sentence = b.Say(b.p, row, row.Sentence)
	} else if row.None() && b.f.Stopped != "" {
		sentence = b.Names(b.p).With(symptom.Names{"found": b.f.Stopped}).In(symptom.Unalive.Sentence)
	}
	return saying(sentence, false, b.f.Waiting+": "+b.f.Message, b.f.Ended, b.f.ExitMessage, b.f.Unanswered)
}

// byScheduler finds what the scheduler says, where a row of its table has that name of a cause. It is certain only if
// nothing that the scheduler says ends by itself, and if nobody makes a node.
func byScheduler(cause string) func(*blocked) *Cause {
	return func(b *blocked) *Cause {
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
	claim, owned := b.Unfound(b.p)
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
	for _, claim := range b.ClaimsOf(b.p.Pod) {
		f := b.Claims[claim.Key()]
		row, of := symptom.Claim(f.Failed), []Object{claimObject(b.key.Namespace, claim.Name)}
		names := symptom.Names{"claim": claim.Name, "volume": f.Volume, "class": dump.ClassOf(claim),
			"found": row.Found(f.Failed), "says": dump.OneLine(f.Failed)}
		switch {
		case f.Lost:
			return b.saying(symptom.Lost, names).at(of...)
		case !b.Waits(claim) || f.Failed == "" && f.Wrong == "" && b.p.Node == "" &&
			!b.f.Unplaced().Has(symptom.Unclaimed, symptom.Unbound, symptom.Volumes):
			continue
		case b.NoClass(claim) != "":
			return b.saying(symptom.NoClass, names, f.Failed).at(of...)
		case row.Name == symptom.NoDriver:
			of = append(of, nodeObject(names["found"]))
			fallthrough
		case row.Name == symptom.StorageQuota, row.Outside:
			return b.saying(row.Name, names, f.Failed).at(of...)
		case names["class"] != "" && f.Failed != "":
			return b.saying("no volume", names, f.Failed).at(of...)
		}
		names["says"] = b.WaitingFor(claim)
		return b.saying("claim-pending", names, f.Failed, b.f.Unschedulable).at(of...)
	}
	return nil
}

// namespaceDeleted: the API server creates nothing in a namespace that is being deleted.
func namespaceDeleted(b *blocked) *Cause {
	n := &dump.Namespace{Name: b.key.Namespace}
	return b.saying("namespace-deleted", nil, b.stuck.Error).advising(n.Ends()...).
		at(Object{Kind: "Namespace", Name: b.key.Namespace})
}

// LongestName is the length of the name of a set up to which the label controller-revision-hash of its pods, which is
// that name, a dash and a hash of up to ten characters, is not longer than a label may be.
const LongestName = 63 - 11

// nameTooLong: the label controller-revision-hash of the pods has the name of the set in it, and a label has at most 63
// characters. The length of the hash differs from revision to revision, so only the revision shows it.
func nameTooLong(b *blocked) *Cause {
	revision := b.spec.Status.UpdateRevision
	says := b.Sets[b.key].FailedCreate
	if len(b.key.Name) <= LongestName || len(revision) <= 63 && !symptom.TooLong.In(says+b.stuck.Error) {
		return nil
	}
	return saying(fmt.Sprintf("the name of the StatefulSet is too long: the label controller-revision-hash of its "+
		"pods, %s, has %d characters, and a label may have 63", revision, len(revision)), true, says).at(objectOf(b.spec)).
		advising(fmt.Sprintf("The name of the StatefulSet has %d characters, and is part of the label "+
			"controller-revision-hash of its pods. Only with a name of at most %d characters does a StatefulSet always get "+
			"pods.", len(b.key.Name), LongestName))
}

// quotaExceeded: a ResourceQuota allows no more.
func quotaExceeded(b *blocked) *Cause {
	says := b.stuck.Error + "\n" + b.Sets[b.key].FailedCreate
	row := symptom.Refusal(says)
	if row.Name != "quota" {
		return nil
	}
	name := row.Found(says)
	return saying(fmt.Sprintf("the ResourceQuota %s of the namespace %s allows no more", name, b.key.Namespace), false,
		b.Sets[b.key].FailedCreate).at(Object{Kind: kindQuota, Namespace: b.key.Namespace, Name: name})
}

// taken reports whether another pod has the name, with another owner or none.
func (b *blocked) taken() bool {
	return b.p != nil && (b.p.Controller() == nil || b.p.Controller().UID != b.spec.UID)
}

func nameTaken(b *blocked) *Cause {
	owner := "no owner"
	switch {
	case b.f != nil && b.f.Owner != nil:
		owner = "the owner " + b.f.Owner.String()
	case b.p.Controller() != nil:
		owner = "an earlier StatefulSet of this name as its owner"
	}
	if node := b.Node(b.p.Node); node != nil && node.Down && b.p.Terminating() {
		return saying(fmt.Sprintf("%s exists with %s, is being deleted, and its node %s does not answer", b.name, owner,
			node.Name), false).at(podObject(b.key.Namespace, b.name), nodeObject(node.Name))
	}
	if own := b.p.Pod.BlockingFinalizers(); b.p.Terminating() && len(own) > 0 {
		return saying(fmt.Sprintf("%s exists with %s, is being deleted, and the finalizer %s keeps it", b.name, owner,
			strings.Join(own, ", ")), false, own...)
	}
	return saying(fmt.Sprintf("%s exists with %s, so the StatefulSet does not create its own", b.name, owner), true)
}

// createRefused: the API server refuses the pod or its claim. Only what it refuses for the spec alone lasts for certain.
func createRefused(b *blocked) *Cause {
	says := b.Sets[b.key].FailedCreate
	if b.name == "" || says == "" && b.stuck.Error == "" || b.stuck.Why.Code != model.SyncError {
		return nil
	}
	if says == "" {
		says = b.stuck.Error
	}
	if _, after, cut := strings.Cut(says, " failed error: "); cut {
		says = after
	}
	row := symptom.Refusal(says)
	return saying("pods cannot be created: "+dump.OneLine(strings.ReplaceAll(says, b.name, "POD")),
		row.Certain && !dump.Injected(b.spec.Spec.Template, says), b.Sets[b.key].FailedCreate)
}

// claimTerminating: the controller creates no pod before an old claim of it is gone.
func claimTerminating(b *blocked) *Cause {
	c := saying(b.stuck.Why.Sentence(), false).at(claimObject(b.key.Namespace, b.stuck.Why.Object))
	if claim := b.Claim(model.Key{Namespace: b.key.Namespace, Name: b.stuck.Why.Object}); claim != nil {
		c.Evidence = append(c.Evidence, claim.Finalizers...)
		for _, user := range b.UsersOf(claim.Key()) {
			c.of = append(c.of, podObject(b.key.Namespace, user))
			c.Evidence = append(c.Evidence, user+" uses it")
		}
	}
	return c
}
