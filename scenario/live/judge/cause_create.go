package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// namespaceDeleted: the API server creates nothing in a namespace that is being deleted.
func namespaceDeleted(b *blocked) *Cause {
	if !symptom.InTerminatingNamespace.In(b.stuck.Error) {
		return nil
	}
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
	if b.p != nil || len(b.key.Name) <= LongestName ||
		len(revision) <= 63 && !symptom.TooLong.In(says+b.stuck.Error) {
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
	if row == nil || row.Name != "quota" || b.p != nil {
		return nil
	}
	name := row.Found(says)
	return saying(fmt.Sprintf("the ResourceQuota %s of the namespace %s allows no more", name, b.key.Namespace), false,
		b.Sets[b.key].FailedCreate).at(Object{Kind: kindQuota, Namespace: b.key.Namespace, Name: name})
}

// nameTaken: another pod has the name, and another owner or none.
func nameTaken(b *blocked) *Cause {
	if b.p == nil || b.p.Controller() != nil && b.p.Controller().UID == b.spec.UID {
		return nil
	}
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

// createRefused: the API server refuses the pod or its claim. Only what it refuses for the spec alone is certain to
// last.
func createRefused(b *blocked) *Cause {
	says := b.Sets[b.key].FailedCreate
	if b.p != nil || b.name == "" || says == "" && b.stuck.Error == "" || b.stuck.Why.Code != model.SyncError {
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
		row != nil && row.Certain, b.Sets[b.key].FailedCreate)
}

// claimTerminating: the controller creates no pod before an old claim of it is gone.
func claimTerminating(b *blocked) *Cause {
	if b.stuck.Why.Code != model.ClaimTerminating && b.stuck.Why.Code != model.StaleClaim {
		return nil
	}
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
