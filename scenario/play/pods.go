package play

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// DeletePods deletes pods of one namespace with one command, which returns when they are gone. With force their
// objects are removed at once, whatever their processes do. There must be at least one pod.
func DeletePods(pods []model.Key, force bool) Deed {
	if len(pods) == 1 {
		return Delete(pods[0], force)
	}
	return Deed{
		Verb: "delete", Acts: deletes(force), Returns: allGone(pods),
		Kubectl: shell.DeletePods(pods[0].Namespace, force, NamesOf(pods)...),
		Act: func(u *sim.User) sim.Outcome {
			for _, pod := range pods {
				deletePod(u, pod, force)
			}
			return sim.Outcome{Effect: timeline.Deleted}
		},
	}
}

// WaitGone waits until pods of one namespace are gone, without a timeout. There must be at least one.
func WaitGone(pods []model.Key) Deed {
	words := []string{"wait"}
	for _, pod := range pods {
		words = append(words, "pod/"+pod.Name)
	}
	return Deed{
		Verb: "wait", Returns: allGone(pods),
		Kubectl: shell.In(pods[0].Namespace, append(words, "--for=delete", shell.NoTimeout)...),
	}
}

// allGone returns the condition that these pods are gone. Other pods with their names may exist.
func allGone(pods []model.Key) Returns {
	return func(before *Moment) func(*Moment) bool {
		was := map[model.Key]model.UID{}
		for _, pod := range pods {
			was[pod] = before.Pods[pod].UID
		}
		return func(now *Moment) bool {
			return !slices.ContainsFunc(pods, func(pod model.Key) bool {
				return was[pod] != 0 && now.Pods[pod].UID == was[pod]
			})
		}
	}
}

// FreePod removes the finalizers of a pod.
func FreePod(pod model.Key) Deed {
	return Deed{
		Verb: "patch", Does: "take the finalizers from " + pod.Name,
		Kubectl: shell.Patch(pod.Namespace, "pod", pod.Name, NoFinalizers),
		Act: func(u *sim.User) sim.Outcome {
			if u.Pod(pod) == nil {
				return sim.Outcome{Effect: timeline.None}
			}
			u.FreePod(pod)
			return sim.Outcome{Effect: timeline.Done}
		},
	}
}

// NamesOf returns the names of objects.
func NamesOf(objects []model.Key) []string {
	var list []string
	for _, object := range objects {
		list = append(list, object.Name)
	}
	return list
}

// DeleteNode deletes a node from the API server, whatever its machine does.
func DeleteNode(node string) Deed {
	return Deed{Verb: "delete", Kubectl: shell.Kubectl("delete", "node", node), Act: func(u *sim.User) sim.Outcome {
		return done(u.DeleteNode(node))
	}}
}

// Cordon cordons a node.
func Cordon(node string) Deed {
	return Deed{Verb: "cordon", Kubectl: shell.Kubectl("cordon", node), Act: func(u *sim.User) sim.Outcome {
		return done(u.Cordon(node, true))
	}}
}

// Uncordon uncordons nodes.
func Uncordon(nodes []string) Deed {
	return Deed{
		Verb: "uncordon", Kubectl: shell.Kubectl(append([]string{"uncordon"}, nodes...)...),
		Act: func(u *sim.User) sim.Outcome {
			for _, node := range nodes {
				u.Cordon(node, false)
			}
			return sim.Outcome{Effect: timeline.Done}
		},
	}
}

// Loosen changes a budget so that it allows one disruption: maxUnavailable 1 instead of what it has.
func Loosen(b *model.Budget) Deed {
	key := b.Key()
	return Deed{
		Verb: "patch", Does: "let the budget " + b.Name + " allow one disruption",
		Kubectl: shell.Patch(key.Namespace, "pdb", key.Name, `{"spec":{"minAvailable":null,"maxUnavailable":1}}`),
		Act: func(u *sim.User) sim.Outcome {
			if u.Budget(key) == nil {
				return sim.Outcome{Effect: timeline.None}
			}
			next := *u.Budget(key)
			next.MinAvailable, next.MaxUnavailable = nil, &model.IntOrPercent{Value: 1}
			u.PutBudget(&next)
			return sim.Outcome{Effect: timeline.Configured}
		},
	}
}

// DeleteBudget deletes a budget.
func DeleteBudget(key model.Key) Deed {
	return Deed{
		Verb: "delete", Kubectl: shell.In(key.Namespace, "delete", "pdb", key.Name),
		Act: func(u *sim.User) sim.Outcome {
			if !u.DeleteBudget(key) {
				return sim.Outcome{Effect: timeline.None}
			}
			return sim.Outcome{Effect: timeline.Deleted}
		},
	}
}

// Recount makes the disruption controller count a budget again. It looks at a budget when that changes, or when one of
// its pods changes whose oldest budget it is: the end of another budget does not wake it.
func Recount(key model.Key) Deed {
	return Deed{
		Verb: "annotate", Kubectl: shell.Annotate(key.Namespace, "pdb", key.Name, "touched=yes"),
		Act: func(u *sim.User) sim.Outcome {
			b := u.Budget(key)
			if b == nil {
				return sim.Outcome{Effect: timeline.None}
			}
			u.WriteBudget(b)
			return sim.Outcome{Effect: timeline.Configured}
		},
	}
}

// Hold pauses a rolling update with a partition above all its pods. Pods that fail then come back at the old revision.
func Hold(set *model.StatefulSet) Deed {
	return Partition(set, int32(set.Start())+set.Spec.Replicas)
}

// Partition lets a rolling update reach the pods from an ordinal on.
func Partition(set *model.StatefulSet, partition int32) Deed {
	patch := fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, partition)
	return Patch(set.Key(), patch, func(set *model.StatefulSet) {
		block := model.RollingUpdate{}
		if set.Spec.Strategy.RollingUpdate != nil {
			block = *set.Spec.Strategy.RollingUpdate
		}
		block.Partition = partition
		set.Spec.Strategy.RollingUpdate = &block
	})
}
