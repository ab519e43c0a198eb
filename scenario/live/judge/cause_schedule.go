package judge

import (
	"slices"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

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
	if !b.unplaced() {
		return nil
	}
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
