package play

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Refused returns the outcome of what the API server refuses.
func Refused(err *model.APIError) sim.Outcome { return sim.Outcome{Effect: timeline.Refused, Err: err} }

// Stored returns the outcome of a call that returns a set as stored, or a refusal.
func Stored(effect timeline.Effect, stored *model.StatefulSet, err *model.APIError) sim.Outcome {
	if err != nil {
		return Refused(err)
	}
	return sim.Outcome{Effect: effect, Sets: []*model.StatefulSet{stored}}
}

// notFound returns the API server's answer to a request for a set that does not exist.
func notFound(key model.Key) *model.APIError {
	return &model.APIError{Reason: model.NotFound, Message: fmt.Sprintf("statefulsets.apps %q not found", key.Name)}
}

// Create creates a set.
func Create(set *model.StatefulSet) Deed {
	return Deed{Verb: "create", Does: "create " + set.Name, Act: func(u *sim.User) sim.Outcome {
		stored, err := u.Create(set)
		return Stored(timeline.Created, stored, err)
	}}
}

// Apply applies a manifest as kubectl apply does. The namespace is for manifests that name none.
func Apply(set *manifest.Set, namespace string) Deed {
	key := model.Key{Namespace: set.Namespace(namespace), Name: set.Object.Name}
	return Deed{
		Verb: "apply", Does: "apply " + set.File, Kubectl: shell.In(key.Namespace, "apply", "-f", set.File),
		Act: func(u *sim.User) sim.Outcome { return applied(u, set, key) },
	}
}

// applied does what kubectl apply does with one set.
func applied(u *sim.User, set *manifest.Set, key model.Key) sim.Outcome {
	live := u.Set(key)
	if live == nil {
		wanted, err := set.NewApplied(key.Namespace)
		if err != nil {
			return Refused(err)
		}
		stored, err := u.Create(wanted)
		return Stored(timeline.Created, stored, err)
	}
	wanted, changed, err := set.Apply(live)
	switch {
	case err != nil:
		return Refused(err)
	case !changed:
		return sim.Outcome{Effect: timeline.Unchanged}
	}
	stored, err := u.Update(wanted)
	return Stored(timeline.Configured, stored, err)
}

// Change returns a deed that changes an existing set. d has everything except its act. `change` gets a shallow copy of
// the live set: it replaces fields, and must not write through pointers, maps or slices.
func Change(key model.Key, d Deed, change func(*sim.User, *model.StatefulSet) *model.APIError) Deed {
	d.Act = func(u *sim.User) sim.Outcome {
		live := u.Set(key)
		if live == nil {
			return Refused(notFound(key))
		}
		wanted := *live
		if err := change(u, &wanted); err != nil {
			return Refused(err)
		}
		stored, err := u.Update(&wanted)
		return Stored(timeline.Configured, stored, err)
	}
	return d
}

// Scale changes the number of replicas.
func Scale(key model.Key, replicas int32) Deed {
	d := Deed{
		Verb: "scale", Acts: WritesSet | WritesReplicas, Does: fmt.Sprintf("scale %s to %d", key.Name, replicas),
		Kubectl: shell.In(key.Namespace, "scale", "statefulset/"+key.Name, fmt.Sprintf("--replicas=%d", replicas)),
	}
	return Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		set.Spec.Replicas = replicas
		return nil
	})
}

// SetImage changes the image of a container; "" is the only one, and is refused if there are several.
func SetImage(key model.Key, container, image string) Deed {
	d := Deed{
		Verb: "setImage", Acts: WritesSet | EditsTemplate, Does: fmt.Sprintf("set the image of %s to %s", key.Name, image),
		Kubectl: shell.In(key.Namespace, "set", "image", "statefulset/"+key.Name, cmp.Or(container, "*")+"="+image),
	}
	return Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		changed, err := manifest.SetImage(set, container, image)
		if err != nil {
			return &model.APIError{Reason: model.Invalid, Message: "error: " + err.Error()}
		}
		*set = *changed
		return nil
	})
}

// Patch changes a set by a merge patch. The change has to do what the patch says: one is shown, the other played.
func Patch(key model.Key, patch string, change func(*model.StatefulSet)) Deed {
	text := shell.Patch(key.Namespace, "statefulset", key.Name, patch)
	d := Deed{Verb: "patch", Acts: WritesSet, Kubectl: text}
	return Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		change(set)
		return nil
	})
}

// WriteBlock writes out the rollingUpdate block of a set that has none. From 1.37 a Parallel set without it may create
// and delete one pod for ever.
func WriteBlock(key model.Key) Deed {
	return Patch(key, `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`, func(set *model.StatefulSet) {
		set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
	})
}

// ToStrategy gives a set another strategy than RollingUpdate and removes rollingUpdate, which must not be there then.
func ToStrategy(key model.Key, strategy model.StrategyType) Deed {
	patch := fmt.Sprintf(`{"spec":{"updateStrategy":{"type":%q,"rollingUpdate":null}}}`, strategy)
	return Patch(key, patch, func(set *model.StatefulSet) {
		set.Spec.Strategy = model.Strategy{Type: strategy}
	})
}

// LacksBlock says whether a set is one that WriteBlock is for.
func LacksBlock(set *model.StatefulSet) bool {
	return set.Spec.Strategy.Type == model.RollingUpdateStrategy && set.Spec.Strategy.RollingUpdate == nil
}

// Undo goes back to the revision before, as kubectl rollout undo does.
func Undo(key model.Key) Deed {
	d := Deed{
		Verb: "undo", Acts: WritesSet, Does: "undo the rollout of " + key.Name,
		Kubectl: shell.In(key.Namespace, "rollout", "undo", "statefulset/"+key.Name),
	}
	return Change(key, d, func(u *sim.User, set *model.StatefulSet) *model.APIError {
		history := u.Revisions(key)
		if len(history) < 2 {
			return &model.APIError{Reason: model.Invalid, Message: "error: no last revision to roll back to"}
		}
		set.Spec.Template = history[len(history)-2].Template
		return nil
	})
}

// Annotate gives a set an annotation without a meaning, so that the controller syncs the set.
func Annotate(key model.Key, name, value string) Deed {
	text := shell.Annotate(key.Namespace, "statefulset", key.Name, name+"="+value)
	return Change(key, Deed{Verb: "patch", Kubectl: text}, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		set.Annotations = maps.Clone(set.Annotations)
		if set.Annotations == nil {
			set.Annotations = map[string]string{}
		}
		set.Annotations[name] = value
		return nil
	})
}

// NoFinalizers is the merge patch that removes the finalizers of an object.
const NoFinalizers = `{"metadata":{"finalizers":null}}`

// FreeSet removes the finalizers of a set that is being deleted, which is gone then: with its pods, or without them if
// its deletion leaves them.
func FreeSet(set *model.StatefulSet) Deed {
	policy := sim.Background
	if slices.Contains(set.Finalizers, "orphan") {
		policy = sim.Orphan
	}
	d := DeleteSet(set.Key(), policy)
	d.Verb, d.Does = "patch", "take the finalizers from "+set.Name
	d.Kubectl = shell.Patch(set.Namespace, "statefulset", set.Name, NoFinalizers)
	d.Returns = nil
	return d
}

// DeleteSet deletes a set: with its pods (in the background), after them (in the foreground), or without them (orphan).
func DeleteSet(key model.Key, policy sim.DeletionPolicy) Deed {
	does, words, acts := "delete the StatefulSet "+key.Name, []string{"delete", "statefulset", key.Name}, Acts(0)
	switch policy {
	case sim.Orphan:
		does, words = does+" and leave its pods", append(words, "--cascade=orphan")
	case sim.Foreground:
		does, words, acts = does+" after its pods", append(words, "--cascade=foreground"), DeletesPods
	}
	return Deed{
		Verb: "delete", Acts: acts, Does: does, Kubectl: shell.In(key.Namespace, words...),
		Act: func(u *sim.User) sim.Outcome {
			if err := u.DeleteSet(key, policy); err != nil {
				return Refused(err)
			}
			if live := u.Set(key); live != nil {
				return sim.Outcome{Effect: timeline.Deleted, Sets: []*model.StatefulSet{live}}
			}
			return sim.Outcome{Effect: timeline.Deleted, Removed: []model.Key{key}}
		},
		Returns: when(func(now *Moment) bool { return now.Set(key) == nil }),
	}
}

// Delete deletes a pod, with force at once, whatever its process does. The command returns when it is gone.
func Delete(pod model.Key, force bool) Deed {
	does := "delete " + pod.Name
	if force {
		does = "force the deletion of " + pod.Name
	}
	return Deed{
		Verb: "delete", Acts: deletes(force), Does: does, Kubectl: shell.DeletePods(pod.Namespace, force, pod.Name),
		Act:     func(u *sim.User) sim.Outcome { return deletePod(u, pod, force) },
		Returns: podIsGone(pod),
	}
}

// DeleteWithin deletes a pod whose deletion may be under way, and leaves it only so long to stop: its containers are
// killed then. It returns when the pod is gone.
func DeleteWithin(pod model.Key, grace time.Duration) Deed {
	seconds := fmt.Sprintf("--grace-period=%d", int(grace.Seconds()))
	return Deed{
		Verb: "delete", Acts: DeletesPods, Kubectl: shell.In(pod.Namespace, "delete", "pod", pod.Name, seconds),
		Act: func(u *sim.User) sim.Outcome {
			if u.DeletePodWithin(pod, grace) != nil {
				return sim.Outcome{Effect: timeline.None}
			}
			return sim.Outcome{Effect: timeline.Deleted, Pod: pod}
		},
		Returns: podIsGone(pod),
	}
}

func deletes(force bool) Acts {
	if force {
		return DeletesPods | Forces
	}
	return DeletesPods
}

// deletePod deletes a pod. That it does not exist, the only error, is no refusal, so that a block of commands goes on.
func deletePod(u *sim.User, pod model.Key, force bool) sim.Outcome {
	if u.DeletePod(pod, force) != nil {
		return sim.Outcome{Effect: timeline.None}
	}
	return sim.Outcome{Effect: timeline.Deleted, Pod: pod}
}

// DeleteHighest deletes some pods of a set at once, from the top.
func DeleteHighest(key model.Key, n int) Deed {
	return deletePods(fmt.Sprintf("delete the %d highest pods of %s", n, key.Name), key, func(replicas int) (int, int) {
		return max(0, replicas-n), replicas
	})
}

// DeleteAll deletes all pods of a set at once.
func DeleteAll(key model.Key) Deed {
	return deletePods("delete all pods of "+key.Name, key, func(replicas int) (int, int) { return 0, replicas })
}

// deletePods deletes the pods of a set whose indexes are within a range, from the highest down.
func deletePods(does string, key model.Key, within func(replicas int) (from, to int)) Deed {
	return Deed{Verb: "delete", Does: does, Act: func(u *sim.User) sim.Outcome {
		set := u.Set(key)
		if set == nil {
			return Refused(notFound(key))
		}
		from, to := within(int(set.Spec.Replicas))
		for index := to - 1; index >= from; index-- {
			pod := model.Key{Namespace: key.Namespace, Name: set.PodName(set.Start() + index)}
			deletePod(u, pod, false)
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}

// DeleteClaim deletes a claim without waiting until it is gone; with force its finalizers are removed.
func DeleteClaim(claim model.Key, force bool) Deed {
	text := shell.In(claim.Namespace, "delete", "pvc", claim.Name, "--wait=false")
	if force {
		text = shell.Patch(claim.Namespace, "pvc", claim.Name, NoFinalizers)
	}
	return Deed{Verb: "delete", Kubectl: text, Act: func(u *sim.User) sim.Outcome {
		if u.DeleteClaim(claim, force) != nil {
			return sim.Outcome{Effect: timeline.None}
		}
		return sim.Outcome{Effect: timeline.Deleted, Claim: claim}
	}}
}

// Label gives labels to pods.
func Label(pods []model.Key, labels map[string]string) Deed {
	names := NamesOf(pods)
	words := slices.Concat([]string{"label", "--overwrite", "pod"}, names)
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		words = append(words, name+"="+labels[name])
	}
	namespace := ""
	if len(pods) > 0 {
		namespace = pods[0].Namespace
	}
	return Deed{
		Verb: "label", Does: "label " + strings.Join(names, ", "),
		Kubectl: shell.In(namespace, words...),
		Act: func(u *sim.User) sim.Outcome {
			for _, pod := range pods {
				u.LabelPod(pod, labels, nil)
			}
			return sim.Outcome{Effect: timeline.Done}
		},
	}
}

// Publish lets the DNS answer for the pods of a Service that are not Ready, too.
func Publish(service model.Key) Deed {
	text := shell.Patch(service.Namespace, "service", service.Name, `{"spec":{"publishNotReadyAddresses":true}}`)
	return Deed{Verb: "patch", Kubectl: text, Act: func(u *sim.User) sim.Outcome {
		live := u.Service(service)
		if live == nil {
			return sim.Outcome{Effect: timeline.None}
		}
		next := *live
		next.PublishNotReady = true
		u.UpdateService(&next)
		return sim.Outcome{Effect: timeline.Configured}
	}}
}

// OutOfService confirms with a taint that silent nodes are off. Only somebody who looks at the machines can know that.
func OutOfService(nodes ...string) Deed {
	text := shell.OutOfService(nodes...)
	return Deed{Verb: "outOfService", Kubectl: text, Act: func(u *sim.User) sim.Outcome {
		did := false
		for _, node := range nodes {
			did = u.OutOfService(node, true) || did
		}
		return done(did)
	}}
}

// Drain drains a node once more. The flags let kubectl begin where there are pods of a DaemonSet, or with an emptyDir,
// and, with force, pods without a controller.
func Drain(node string, force bool) Deed {
	words := []string{"drain", node, "--ignore-daemonsets", "--delete-emptydir-data"}
	if force {
		words = append(words, "--force")
	}
	return Deed{Verb: "drain", Kubectl: shell.Kubectl(words...), Act: func(u *sim.User) sim.Outcome {
		began, err := u.Drain(node, 0, force)
		if err != nil {
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		return done(began)
	}}
}

// Unready makes a pod not Ready: for some time, or for ever if the time is 0.
func Unready(pod model.Key, d time.Duration) Deed {
	return Deed{Verb: "unready", Does: pod.Name + " stops being Ready", Act: func(u *sim.User) sim.Outcome {
		return done(u.UnreadyPod(pod, d))
	}}
}

// Fail sets the phase of a pod to Failed, for a reason.
func Fail(pod model.Key, reason string) Deed {
	return Deed{Verb: "fail", Does: "fail " + pod.Name, Act: func(u *sim.User) sim.Outcome {
		return done(u.FailPod(pod, reason))
	}}
}

// Succeed sets the phase of a pod to Succeeded, for a reason.
func Succeed(pod model.Key, reason string) Deed {
	return Deed{Verb: "succeed", Does: "succeed " + pod.Name, Act: func(u *sim.User) sim.Outcome {
		return done(u.SucceedPod(pod, reason))
	}}
}

// LoseNode takes the node of a pod off the network, whichever node that is.
func LoseNode(pod model.Key) Deed {
	return Deed{Verb: "nodeDown", Does: "the node of " + pod.Name + " goes down", Act: func(u *sim.User) sim.Outcome {
		on := u.Pod(pod)
		return done(on != nil && u.NodeDown(on.Node, false))
	}}
}

// NodeUp brings a node back.
func NodeUp(node string) Deed {
	return Deed{Verb: "nodeUp", Does: node + " comes back", Act: func(u *sim.User) sim.Outcome {
		return done(u.NodeUp(node))
	}}
}

// UpgradeControlPlane replaces the API server and the controller by those of another version.
func UpgradeControlPlane(to statefulset.Profile) Deed { return (&Lab{Profile: to}).Upgrade() }

// Upgrade replaces the API server and the controller by those of the laboratory.
func (l *Lab) Upgrade() Deed {
	return Deed{Verb: "upgradeControlPlane", Does: "upgrade the control plane", Act: func(u *sim.User) sim.Outcome {
		parts := release.Parts(l.Profile)
		if l.Controller != nil {
			parts.Controller = l.Controller(l.Profile)
		}
		u.ReplaceControlPlane(parts)
		return sim.Outcome{Effect: timeline.Done}
	}}
}

// done is the outcome of something that has no object as its result.
func done(did bool) sim.Outcome {
	if !did {
		return sim.Outcome{Effect: timeline.None}
	}
	return sim.Outcome{Effect: timeline.Done}
}
