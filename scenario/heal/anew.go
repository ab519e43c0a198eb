package heal

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// anewInParallel makes a set anew with the policy Parallel, over its pods. The policy cannot be changed in place. It is
// the way out where the pods need each other to become Ready, and OrderedReady starts one at a time.
func anewInParallel(key model.Key) []command {
	const change = `sed 's/OrderedReady/Parallel/'`
	text := fmt.Sprintf("kubectl -n %s get statefulset %s -o yaml | %s | kubectl replace --force --cascade=orphan -f -",
		key.Namespace, key.Name, change)
	var before *model.StatefulSet
	return []command{
		{text: text, does: text, verb: "delete", act: func(u *sim.User) sim.Outcome {
			before = u.Set(key)
			if err := u.DeleteSet(key, sim.Orphan); err != nil {
				return sim.Outcome{Effect: timeline.Refused, Err: err}
			}
			outcome := sim.Outcome{Effect: timeline.Deleted}
			if u.Set(key) == nil {
				outcome.Removed = []model.Key{key}
			}
			return outcome
		}},
		{does: "make " + key.Name + " anew with the policy Parallel", verb: "create", act: func(u *sim.User) sim.Outcome {
			anew := &model.StatefulSet{Meta: model.Meta{
				Namespace: key.Namespace, Name: key.Name, Labels: before.Labels, Annotations: before.Annotations,
			}, Spec: before.Spec}
			anew.Spec.PodManagement = model.Parallel
			stored, err := u.Create(anew)
			if err != nil {
				return sim.Outcome{Effect: timeline.Refused, Err: err}
			}
			return sim.Outcome{Effect: timeline.Created, Sets: []*model.StatefulSet{stored}}
		}},
	}
}

// takenForGone deletes the pods that the controller will not delete, since it believes them to be gone.
func takenForGone(end *timeline.Fold, key model.Key) []command {
	var list []command
	for _, stuck := range end.Result.Stuck {
		if stuck.Set == key && stuck.Why.Code == model.TakenForGone {
			list = append(list, deletion(model.Key{Namespace: key.Namespace, Name: stuck.Why.Object}, false))
		}
	}
	return list
}

// namesTaken deletes the pods of others that have the name of a pod that the set lacks, where that is what its calls
// fail for.
func namesTaken(end *timeline.Fold, key model.Key) []command {
	set := end.Set(key)
	var list []command
	for _, stuck := range end.Result.Stuck {
		if stuck.Set != key || stuck.Why.Code != model.SyncError {
			continue
		}
		for i := range int(set.Spec.Spec.Replicas) {
			name := set.Spec.PodName(set.Spec.Start() + i)
			if strings.Contains(stuck.Error, fmt.Sprintf("pods %q already exists", name)) {
				list = append(list, deletion(model.Key{Namespace: key.Namespace, Name: name}, false))
			}
		}
	}
	return list
}
