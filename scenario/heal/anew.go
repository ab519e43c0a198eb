package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/reasons"
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
		{text: text, does: text, verb: "delete", danger: reasons.OrphanDanger(key.Name), act: func(u *sim.User) sim.Outcome {
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

// unfit deletes the pods of a set, from the lowest up, where its calls fail since a pod that is there cannot be made
// what the set wants: one that has been adopted by a set with other claim templates, say.
func unfit(end *timeline.Fold, key model.Key) []command {
	set := end.Set(key)
	for _, stuck := range end.Result.Stuck {
		if stuck.Set != key || stuck.Why.Code != model.SyncError {
			continue
		}
		if !slices.ContainsFunc(set.Pods, func(pod *timeline.Pod) bool {
			return strings.HasPrefix(stuck.Error, fmt.Sprintf("Pod %q is invalid", pod.Name))
		}) {
			continue
		}
		var list []command
		for _, pod := range set.Pods {
			list = append(list, deletion(model.Key{Namespace: key.Namespace, Name: pod.Name}, false))
		}
		return list
	}
	return nil
}

// namesTaken are the pods of others that have the name of a pod that the set lacks, where that is what its calls fail
// for: first the one of the error, then all that the set lacks, for where one was taken the others may be.
func namesTaken(end *timeline.Fold, key model.Key) (one, all []command) {
	set := end.Set(key)
	for _, stuck := range end.Result.Stuck {
		if stuck.Set != key || stuck.Why.Code != model.SyncError {
			continue
		}
		for i := range int(set.Spec.Spec.Replicas) {
			name := set.Spec.PodName(set.Spec.Start() + i)
			if slices.ContainsFunc(set.Pods, func(pod *timeline.Pod) bool { return pod.Name == name }) {
				continue
			}
			remove := deletion(model.Key{Namespace: key.Namespace, Name: name}, false)
			all = append(all, remove)
			if strings.Contains(stuck.Error, fmt.Sprintf("pods %q already exists", name)) {
				one = append(one, remove)
			}
		}
	}
	if len(one) == 0 {
		return nil, nil
	}
	return one, all
}
