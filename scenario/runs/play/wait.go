package play

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// RolloutStatus waits as kubectl rollout status does. With a strategy other than RollingUpdate the command fails at
// once; WaitForReady waits there too.
func RolloutStatus(key model.Key) Deed {
	return Deed{
		Verb: "wait", Kubectl: command.In(key.Namespace, "rollout", "status", "statefulset/"+key.Name),
		Returns: when(func(now *Moment) bool {
			set := now.Set(key)
			return set == nil || RolledOut(set)
		}),
	}
}

// RolledOut says whether kubectl rollout status would return: by its own rules (StatefulSetStatusViewer of
// k8s.io/kubectl, which has not changed them since 1.9). Readiness comes before the number of updated pods, and
// minReadySeconds is not asked for.
func RolledOut(set *timeline.Set) bool {
	spec, status := &set.Spec.Spec, &set.Status
	switch {
	case spec.Strategy.Type != model.RollingUpdateStrategy:
		return true
	case status.ObservedGeneration == 0 || set.Spec.Generation > status.ObservedGeneration || status.Ready < spec.Replicas:
		return false
	case spec.Strategy.RollingUpdate != nil:
		return status.Updated >= spec.Replicas-spec.Strategy.RollingUpdate.Partition
	}
	return status.UpdateRevision == status.CurrentRevision
}

// WaitForReady waits until the status of a set counts so many Ready pods. A negative timeout of kubectl's is a week;
// here it waits as long as the run lasts.
func WaitForReady(key model.Key, replicas int) Deed {
	return Deed{
		Verb: "wait",
		Kubectl: command.In(key.Namespace, "wait", "statefulset/"+key.Name,
			fmt.Sprintf("--for=jsonpath={.status.readyReplicas}=%d", replicas), command.NoTimeout),
		Returns: when(func(now *Moment) bool {
			set := now.Set(key)
			return set != nil && int(set.Status.Ready) == replicas
		}),
	}
}

// when returns a condition that does not depend on the state before the command.
func when(done func(*Moment) bool) Returns {
	return func(*Moment) func(*Moment) bool { return done }
}

// podIsGone returns the condition under which kubectl delete pod returns: this pod is gone, even if another one has its
// name.
func podIsGone(pod model.Key) Returns {
	return func(before *Moment) func(*Moment) bool {
		was := before.Pods[pod].UID
		return func(now *Moment) bool { return was == 0 || now.Pods[pod].UID != was }
	}
}
