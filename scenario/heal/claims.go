package heal

import (
	"fmt"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// waysOfClaims lists what may heal a set that is held up by a claim: to take the finalizers from a claim that does not
// go; to have a claim that gets no storage made anew, together with its pod.
func waysOfClaims(end *timeline.Fold, key model.Key, remove []command) []way {
	var free, anew []command
	for _, claim := range end.Claims() {
		name := model.Key{Namespace: key.Namespace, Name: claim.Name}
		switch {
		case claim.Set != key:
		case claim.Terminating:
			free = append(free, claimDeletion(name, true))
		case claim.Phase == model.ClaimPending.String():
			anew = append(anew, claimDeletion(name, false))
		}
	}
	var list []way
	if stuckFor(end, key, model.ClaimTerminating) {
		list = append(list, way{"taking the finalizers from the claims that do not go", free})
	}
	if len(anew) > 0 {
		list = append(list, way{"making the claims anew that get no storage", slices.Concat(anew, remove)})
	}
	return list
}

func stuckFor(end *timeline.Fold, key model.Key, code model.Code) bool {
	return end.Result != nil && slices.ContainsFunc(end.Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == key && stuck.Why.Code == code
	})
}

// asleep are the reasons for which a set is stuck only because nothing makes the controller look at it again: it does
// not watch claims, and of a pod it has missed what became of it.
var asleep = []model.Code{model.StaleClaim, model.TakenForGone, model.Unnoticed}

// waysOfWaking lists what makes the controller look at a set again.
func waysOfWaking(end *timeline.Fold, key model.Key) []way {
	if slices.ContainsFunc(asleep, func(code model.Code) bool { return stuckFor(end, key, code) }) {
		return []way{{"waking the controller", []command{touch(key)}}}
	}
	return nil
}

// touched is the annotation that touch writes.
const touched = "touched"

// touch changes nothing of a set that matters to anybody, so that the controller looks at it.
func touch(key model.Key) command {
	text := fmt.Sprintf("kubectl -n %s annotate statefulset %s %s=yes", key.Namespace, key.Name, touched)
	return command{text: text, verb: "patch", act: func(u *sim.User) sim.Outcome {
		wanted := *u.Set(key)
		annotations := map[string]string{touched: "yes"}
		maps.Copy(annotations, wanted.Annotations)
		wanted.Annotations = annotations
		stored, err := u.Update(&wanted)
		if err != nil {
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
	}}
}

// claimDeletion deletes a claim, or takes the finalizers from one that is being deleted.
func claimDeletion(claim model.Key, force bool) command {
	text, danger := fmt.Sprintf("kubectl -n %s delete pvc %s --wait=false", claim.Namespace, claim.Name), ""
	if force {
		danger = reasons.VolumeDanger([]string{claim.Name})
		text = fmt.Sprintf(`kubectl -n %s patch pvc %s --type merge -p '{"metadata":{"finalizers":null}}'`,
			claim.Namespace, claim.Name)
	}
	return command{text: text, verb: "delete", danger: danger, act: func(u *sim.User) sim.Outcome {
		if u.Claim(claim) == nil {
			return sim.Outcome{Effect: timeline.None}
		}
		if err := u.DeleteClaim(claim, force); err != nil {
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}
