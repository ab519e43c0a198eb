package promise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// seeResult judges how the run ended. A run that somebody ended is not judged: it had no chance to come to rest.
func (j *Judge) seeResult(e *timeline.Event) {
	switch e.Result.Verdict {
	case timeline.Livelock, timeline.Limit:
		j.restless(e)
	case timeline.IsStuck:
		for _, s := range e.Result.Stuck {
			j.stuck(e, &s)
		}
		j.rested(e)
	case timeline.Settled:
		j.rested(e)
	}
}

// restless judges that a run did not come to rest by itself: the controller went on writing to a limit.
func (j *Judge) restless(e *timeline.Event) {
	kind := string(e.Result.Verdict)
	if len(e.Result.Repeats) > 0 {
		kind += ": " + strings.Join(withoutOrdinals(e.Result.Repeats), ", ")
	}
	key, template := model.Key{}, 0
	if live := j.fold.Sets(); len(live) > 0 {
		key, template = live[0].Key, live[0].Spec.Spec.Template.ID
	}
	j.breach(e, Breach{Promise: ComesToRest, Set: key, Kind: kind}, "the controller never stops: it %s, again and again",
		written(e.Result.Repeats, template))
}

// written says what the repeated writes do, each once and without the reasons. template is the number of the one that
// pods are to have; a pod of another one is "at an old revision". It reads the texts of manager.describe.
func written(writes []string, template int) string {
	var all []string
	for _, write := range writes {
		does, _, _ := strings.Cut(write, ": ")
		verb, rest, _ := strings.Cut(does, " ")
		if pod, made, ok := strings.Cut(rest, "@"); ok {
			number, _, _ := strings.Cut(made, " ")
			if rest = pod; number != strconv.Itoa(template) {
				rest += " at an old revision"
			}
		}
		if says := verb + "s " + rest; !slices.Contains(all, says) {
			all = append(all, says)
		}
	}
	return strings.Join(all, ", ")
}

// withoutOrdinals returns what the repeated writes do, without the ordinals of pods, so that a loop has one class,
// whichever pod it is about. Each form stands in it once, in the order of the texts.
func withoutOrdinals(writes []string) []string {
	forms := make([]string, 0, len(writes))
	for _, write := range writes {
		verb, rest, _ := strings.Cut(write, " ")
		object, _, _ := strings.Cut(rest, " ")
		object, _, _ = strings.Cut(object, "@")
		if set, ordinal := model.SplitPodName(strings.TrimRight(object, ",:")); ordinal >= 0 {
			object = set + "-N"
		}
		forms = append(forms, verb+" "+object)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// stuck judges that a set is stuck. Some of that is the user's own doing and breaks no promise: an image that never
// becomes Ready, a process that never ends, a drain that a budget refuses. If the image that does not work is gone
// from the spec again and its pod still blocks, that is RevertHeals, which is only judged on request.
func (j *Judge) stuck(e *timeline.Event, s *timeline.Stuck) {
	set := j.fold.Set(s.Set)
	if set == nil || s.Why.Code == model.DrainBlocked {
		return
	}
	m := j.memoryOf(s.Set)
	says := s.Why.Sentence()
	pod := find(set, s.Why.Object)
	waits := s.Why.Code == model.WaitingForReady || s.Why.Code == model.WaitingForAvailable ||
		s.Why.Code == model.Unnoticed
	if waits && pod != nil && !slices.Contains(m.working, pod.Template) {
		if m.reverted && pod.Template == m.old {
			j.breach(e, Breach{Promise: RevertHeals, Set: s.Set, Kind: string(s.Why.Code), Rule: s.Why.Rule}, "%s", says)
		}
		return
	}
	if s.Why.Code == model.WaitingForTermination {
		return
	}
	if s.Why.Code == model.StaleClaim && j.fold.Claim(s.Set.Namespace, s.Why.Object) == nil {
		says = fmt.Sprintf("the controller waits for the old PVC %s to go, but does not watch PVCs, so it never "+
			"notices that it has gone", s.Why.Object)
	}
	if missing := firstMissing(set); missing != "" {
		says = missing + " is never created: " + says
	}
	b := Breach{Promise: Arrives, Set: s.Set, Kind: string(s.Why.Code), Rule: s.Why.Rule}
	if wants := int(set.Spec.Spec.Replicas); set.Pods.Len() > wants {
		j.breach(e, b, "there are %d pods, spec.replicas is %d, and nothing changes any more; %s",
			set.Pods.Len(), wants, says)
		return
	}
	j.breach(e, b, "%d of %d pods serve, and nothing changes any more; %s", set.Serving(), set.Spec.Spec.Replicas, says)
}

// firstMissing returns the first replica of a set that does not exist, "" if there is none.
func firstMissing(set *timeline.Set) string {
	for ordinal := set.Spec.Start(); ordinal < set.Spec.Start()+int(set.Spec.Spec.Replicas); ordinal++ {
		if name := set.Spec.PodName(ordinal); find(set, name) == nil {
			return name
		}
	}
	return ""
}

// rested judges each set of a run that has come to rest, unless it is stuck or being deleted: that it has the pods
// that it asks for, and that its status says so.
func (j *Judge) rested(e *timeline.Event) {
	for _, set := range j.fold.Sets() {
		if set.Spec.Terminating() || slices.ContainsFunc(e.Result.Stuck,
			func(s timeline.Stuck) bool { return s.Set == set.Key }) {
			continue
		}
		if missing := firstNotReady(set, set.Spec.Start()+int(set.Spec.Spec.Replicas)); missing != "" {
			j.breach(e, Breach{Promise: Arrives, Set: set.Key, Kind: "short"},
				"nothing changes any more, but %s does not serve", missing)
		}
		if set.Pods.Len() > int(set.Spec.Spec.Replicas) {
			j.breach(e, Breach{Promise: Arrives, Set: set.Key, Kind: "left over"},
				"nothing changes any more, but there are %d pods, and spec.replicas is %d", set.Pods.Len(), set.Spec.Spec.Replicas)
		}
		j.updatedAll(e, set)
		j.recount(e, set)
		j.claimsLeft(e, set)
		j.historyLeft(e, set)
	}
}

// updatedAll judges that a rolling update at rest has reached each pod from the partition up. It reports the first
// that it has not reached.
func (j *Judge) updatedAll(e *timeline.Event, set *timeline.Set) {
	if !rolling(&set.Spec.Spec) || set.Spec.Spec.Template == nil {
		return
	}
	for p := range set.Pods.All {
		if !set.Spec.BelowPartition(p.Ordinal) && p.Template != set.Spec.Spec.Template.ID {
			j.breach(e, Breach{Promise: Arrives, Set: set.Key, Kind: "outdated"},
				"nothing changes any more, but %s is at an old revision", p.Name)
			return
		}
	}
}

// recount judges that the status counts the pods that exist, and those of them that are ready.
func (j *Judge) recount(e *timeline.Event, set *timeline.Set) {
	if miscounts(set) {
		j.breach(e, Breach{Promise: StatusCounts, Set: set.Key, Kind: "recount"},
			"the status counts %d pods, %d of them ready, but there are %d, %d of them ready",
			set.Status.Replicas, set.Status.Ready, set.Pods.Len(), set.Ready())
	}
}

// miscounts says whether replicas or readyReplicas of the status differ from the pods. The other counts are not
// compared: availability and revisions are the controller's own view.
func miscounts(set *timeline.Set) bool {
	return int(set.Status.Replicas) != set.Pods.Len() || int(set.Status.Ready) != set.Ready()
}
