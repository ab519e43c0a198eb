package scenario

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// podOf reads the pod that a step names, as NAME or pod/NAME. m must have the key pod, or it is a problem.
func (s *step) podOf(m *strict.Map) (model.Key, bool) {
	if !m.Need("pod") {
		return model.Key{}, false
	}
	name := m.String("pod")
	if !s.given(m.Value("pod"), name, "web-0") {
		return model.Key{}, false
	}
	if kind, rest := kindAndName(name); kind == "pod" && rest != "" {
		name = rest
	}
	return s.pod(m.Value("pod"), name)
}

// podAction returns an action on a pod. do returns whether it did anything; if not, the outcome says so, with a
// warning: a step that comes too late does not end a run.
func podAction(key model.Key, does string, do func(*sim.User) bool) *action {
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		if do(u) {
			return sim.Outcome{Effect: timeline.Done, Pod: key}
		}
		return nothing(u, key)
	}}
}

// nothing is the outcome of a step that the state of the pod does not allow, with a warning that says why.
func nothing(u *sim.User, key model.Key) sim.Outcome {
	state := "there is no pod " + key.Name
	if pod := u.Pod(key); pod != nil {
		state = key.Name + " is not in a state for it"
		if pod.Terminating() {
			state = key.Name + " is terminating"
		}
	}
	warning := fmt.Sprintf("it did nothing: %s at %ss", state, u.Now().Seconds())
	return sim.Outcome{Effect: timeline.None, Warning: warning, Pod: key}
}

// absent returns the outcome for a pod or a claim that is not there: a refusal if the step expects one, and otherwise
// nothing, so that a step may come too late. message is kubectl's.
func (s *step) absent(none sim.Outcome, message string) sim.Outcome {
	if !s.refused {
		return none
	}
	return refusal(&model.APIError{Reason: model.NotFound, Message: message})
}

// fail reads a step that ends a pod's containers permanently: its phase becomes Failed, or Succeeded.
func (s *step) fail() *action {
	m := s.mapping(s.value, "fail", []string{"pod", "reason", "phase"}, nil)
	key, ok := s.podOf(m)
	reason := m.String("reason")
	succeeds := m.OneOf("phase", "Failed", "Succeeded") == "Succeeded"
	if !ok {
		return nil
	}
	does, end := "fail "+key.Name, (*sim.User).FailPod
	if succeeds {
		// A pod that is evicted or whose node shuts down ends Succeeded where its containers exit with 0 (since 1.27).
		does, end = "end "+key.Name+" with phase Succeeded", (*sim.User).SucceedPod
	}
	if reason != "" {
		does += ", " + reason
	}
	return podAction(key, does, func(u *sim.User) bool { return end(u, key, reason) })
}

// unready reads a step that makes a pod's readiness fail, for a time or permanently.
func (s *step) unready() *action {
	m := s.mapping(s.value, "unready", []string{"pod", "for"}, nil)
	key, ok := s.podOf(m)
	d := s.healsAfter(m)
	if !ok {
		return nil
	}
	does := fmt.Sprintf("make %s unready", key.Name)
	if d > 0 {
		does += " for " + d.String()
	}
	return podAction(key, does, func(u *sim.User) bool { return u.UnreadyPod(key, d) })
}

// recover reads a step that ends the effect of an `unready`.
func (s *step) recover() *action {
	m := s.mapping(s.value, "recover", []string{"pod"}, nil)
	key, ok := s.podOf(m)
	if !ok {
		return nil
	}
	return podAction(key, "make "+key.Name+" Ready again", func(u *sim.User) bool { return u.RecoverPod(key) })
}

// crash reads a step that ends a pod's container with an error, once or again and again. The pod stays Running, and its
// kubelet restarts the container with a back-off. Only a kubelet that follows the probes knows containers one by one.
func (s *step) crash() *action {
	m := s.mapping(s.value, "crash", []string{"pod", "container", "reason", "again", "times", "exitCode"}, nil)
	key, ok := s.podOf(m)
	how := sim.Crash{Word: m.String("reason"), Container: m.String("container"), Times: s.crashes(m, "times", "again")}
	s.time(m, "again", &how.Again)
	how.Exit = s.exitCode(m)
	if !ok {
		return nil
	}
	does := "crash the container of " + key.Name
	if how.Container != "" {
		does = "crash the container " + how.Container + " of " + key.Name
		if !s.probed {
			s.r.Problem(m.Key("container"), "container needs probes", "add probes: true to kubelet, or leave it out")
		}
	}
	if how.Exit != nil {
		does += fmt.Sprintf(" with exit code %d", *how.Exit)
	}
	if how.Again != nil {
		does += ", and again " + how.Again.String() + " after each restart"
	}
	return podAction(key, does, func(u *sim.User) bool { return u.CrashPod(key, how) })
}

// healsAfter reads how long a pod stays unready; 0 means permanently, which a file says by omitting the key.
func (s *step) healsAfter(m *strict.Map) time.Duration {
	n := m.Value("for")
	if n == nil {
		return 0
	}
	d, ok := s.r.Duration(n, "for")
	if ok && d == 0 {
		s.r.Problem(n, "for is 0", "leave it out if the pod stays unready for good")
	}
	return d
}

// healing reports whether the step is an `unready … for`: after it the world settles only when the pod is Ready
// again.
func (s *step) healing() bool {
	m := s.r.Map(s.value, "unready")
	return m.Has("for")
}

var (
	// deleteKinds are the kinds of object that a step may delete; claim is another word for pvc.
	deleteKinds = []string{"pod", "statefulset", "pvc", "claim", "service", "node", "poddisruptionbudget", "controllerrevision"}
	deleteKeys  = append(deleteKinds[:len(deleteKinds):len(deleteKinds)], "cascade", "force", "gracePeriodSeconds")
)

// whatToDelete is the advice for a deletion that does not name an object.
const whatToDelete = "write pod/NAME, statefulset/NAME, pvc/NAME, service/NAME, node/NAME, poddisruptionbudget/NAME or " +
	"controllerrevision/NAME"

// delete reads pod/NAME, statefulset/NAME, pvc/NAME, service/NAME, node/NAME or poddisruptionbudget/NAME, together
// with cascade and force, or a mapping of all that. It returns nil if there is a problem. Whether the object exists
// is mostly checked in the run: deletions are what later steps often race with.
func (s *step) delete() *action {
	options := s.m
	kind, name, at := "", "", s.value
	if s.value.Kind == yaml.MappingNode {
		options = s.r.Map(s.value, "delete", deleteKeys...)
		kind, name, at = s.deleted(options)
	} else if text, ok := s.r.String(s.value, "delete"); ok {
		kind, name = kindAndName(text)
		if !slices.Contains(deleteKinds, kind) || name == "" {
			s.r.Problem(s.value, "delete is "+strict.Describe(s.value), whatToDelete)
			return nil
		}
	}
	force := options.Bool("force")
	grace := s.grace(options, kind, force)
	policy := options.OneOf("cascade", "background", "foreground", "orphan")
	if kind != "statefulset" && kind != "" && options.Has("cascade") {
		s.r.Problem(options.Key("cascade"), "cascade does not go with a "+kind, "it belongs to a statefulset")
	}
	switch kind {
	case "pod":
		return s.deletePod(at, name, grace)
	case "pvc", "claim":
		return s.deleteClaim(at, name, force)
	case "service":
		if options.Has("force") {
			s.r.Problem(options.Key("force"), "force does not go with a service", "it belongs to a pod or a pvc")
		}
		return s.deleteService(name)
	case "statefulset":
		if options.Has("force") {
			s.r.Problem(options.Key("force"), "force does not go with a statefulset", "it belongs to a pod or a pvc")
		}
		return s.deleteSet(at, name, policy)
	case "node":
		return s.deleteNode(at, name)
	case "poddisruptionbudget":
		return s.deleteBudget(name)
	case "controllerrevision":
		return s.deleteRevision(name)
	}
	return nil
}

// grace reads the grace period for deleting a pod, 0 with force, nil for its own.
func (s *step) grace(m *strict.Map, kind string, force bool) *time.Duration {
	switch {
	case !m.Has("gracePeriodSeconds") && force:
		return new(time.Duration)
	case !m.Has("gracePeriodSeconds"):
		return nil
	case kind != "pod" && kind != "":
		s.r.Problem(m.Key("gracePeriodSeconds"), "gracePeriodSeconds does not go with a "+kind, "it belongs to a pod")
	case m.Has("force"):
		s.r.Problem(m.Key("gracePeriodSeconds"), "the step has both force and gracePeriodSeconds", "keep one of them")
	}
	grace := model.Seconds(m.Int("gracePeriodSeconds", strict.Range{Min: 1, Max: math.MaxInt64}))
	return &grace
}

// deleted reads the object of a deletion that is written as a mapping, and its place; "" if the mapping has none or
// several.
func (s *step) deleted(m *strict.Map) (kind, name string, at *yaml.Node) {
	for _, key := range m.Keys() {
		if slices.Contains(deleteKinds, key) && kind == "" {
			kind, name, at = key, m.String(key), m.Value(key)
		} else if slices.Contains(deleteKinds, key) {
			kind = "several"
		}
	}
	if kind == "" || kind == "several" {
		s.r.Problem(s.value, "delete does not name one object", whatToDelete)
		return "", "", nil
	}
	return kind, name, at
}

// deletePod returns the action that deletes a pod. With force its grace period is 0 and the object is gone at once,
// whether its processes still run or not, as with kubectl delete --force --grace-period=0.
func (s *step) deletePod(at *yaml.Node, name string, grace *time.Duration) *action {
	key, ok := s.pod(at, name)
	if !ok {
		return nil
	}
	does, do := "delete "+name, func(u *sim.User) *model.APIError { return u.DeletePod(key, false) }
	if grace != nil {
		does = fmt.Sprintf("delete %s within %s", name, grace)
		do = func(u *sim.User) *model.APIError { return u.DeletePodWithin(key, *grace) }
	}
	if grace != nil && *grace == 0 {
		does = "force the deletion of " + name
	}
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		if u.Pod(key) == nil {
			return s.absent(nothing(u, key), fmt.Sprintf("pods %q not found", key.Name))
		}
		if err := do(u); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: timeline.Deleted, Pod: key}
	}}
}

// deleteSet returns the action that deletes a StatefulSet; background is the default, as in kubectl. A set that is
// deleted in the foreground is still there afterwards, with a deletionTimestamp, and is in the outcome as it is then.
func (s *step) deleteSet(at *yaml.Node, name, cascade string) *action {
	key, ok := s.named(at, name)
	if !ok {
		return nil
	}
	policy := map[string]sim.DeletionPolicy{
		"": sim.Background, "background": sim.Background, "foreground": sim.Foreground, "orphan": sim.Orphan,
	}[cascade]
	does := "delete the StatefulSet " + name
	switch policy {
	case sim.Foreground:
		does += " after its pods"
	case sim.Orphan:
		does += " and leave its pods"
	}
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		if err := u.DeleteSet(key, policy); err != nil {
			return refusal(err)
		}
		outcome := sim.Outcome{Effect: timeline.Deleted}
		if live := u.Set(key); live != nil {
			outcome.Sets = []*model.StatefulSet{live}
		} else {
			outcome.Removed = []model.Key{key}
		}
		return outcome
	}}
}
