package heal

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// dangerWith returns what must be true before an attempt does no harm that deletes the data of some claims: its own
// danger, and that of the volumes; "" if it can do none.
func (a *attempt) dangerWith(lost []string) string {
	if len(lost) == 0 {
		return a.danger
	}
	volumes := reasons.VolumeDanger(lost)
	if a.danger == "" || a.danger == volumes {
		return volumes
	}
	return a.danger + ". And do it " + volumes
}

// lostClaims returns the claims of the set that have their volumes when the commands begin, and that these make go: a
// new pod gets an empty volume. A claim that the set's own retention policy deletes is none of them. They are in the
// order of their names, each once; nil if the commands were not played.
func lostClaims(x *situation, pasted *play.Pasted) []string {
	begin := play.StepAt(pasted.Events, pasted.First)
	if begin < 0 {
		return nil
	}
	var names []string
	for i := range pasted.Events[begin:] {
		e := &pasted.Events[begin+i]
		if e.Kind == timeline.KindClaim && e.Claim.Type == model.Deleted && e.Set.Namespace == x.set.Namespace &&
			!slices.Contains(names, e.Claim.Name) && keeps(x, e.Claim.Name) {
			names = append(names, e.Claim.Name)
		}
	}
	slices.Sort(names)
	return names
}

// keeps says whether a claim has a volume, and is one that a pod of the set uses or that the set has for one of its
// replicas, and not one that its policy deletes anyway.
func keeps(x *situation, name string) bool {
	bound := slices.ContainsFunc(x.given.State.Claims, func(c *model.Claim) bool {
		return c.Name == name && c.Namespace == x.set.Namespace && c.Phase == model.ClaimBound
	})
	if !bound {
		return false
	}
	if replicaOf(x.set, name) >= 0 {
		return !Asked(x.set, name)
	}
	return slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
		return p.Namespace == x.set.Namespace && x.set.OrdinalOf(p.Name) >= 0 &&
			slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim == name })
	})
}

// Asked says whether the retention policy of a set asks for the deletion of a claim: of all that its templates make if
// it is being deleted, and of those of the replicas beyond spec.replicas.
func Asked(set *model.StatefulSet, claim string) bool {
	policy, ordinal := set.Spec.Retention, replicaOf(set, claim)
	if policy == nil || ordinal < 0 {
		return false
	}
	beyond := ordinal < set.Start() || ordinal >= set.Start()+int(set.Spec.Replicas)
	return policy.DeleteWithSet && set.Terminating() || policy.DeleteWhenScaled && beyond
}

// replicaOf returns the ordinal of the replica that a claim is made for, -1 if it is made for none.
func replicaOf(set *model.StatefulSet, claim string) int {
	for i := range set.Spec.ClaimTemplates {
		if pod, its := strings.CutPrefix(claim, set.Spec.ClaimTemplates[i].Name+"-"); its && set.OrdinalOf(pod) >= 0 {
			return set.OrdinalOf(pod)
		}
	}
	return -1
}
