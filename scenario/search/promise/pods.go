package promise

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// seePod judges the state that a pod enters. The fold is as it was before. No promise is about bare pods.
func (j *Judge) seePod(e *timeline.Event) {
	set := j.fold.Set(e.Set)
	if set == nil || e.Bare {
		return
	}
	m := j.memoryOf(e.Set)
	switch e.State {
	case timeline.Pending:
		j.created(set, m, e)
	case timeline.Ready:
		m.back(e.Pod)
		m.works(e.Template)
	case timeline.Terminating:
		if e.Actor == timeline.Controller {
			j.deleted(set, m, e)
		}
	case timeline.Gone:
		// Only a deletion by force lets a pod's object go while somebody waits for the answer.
		m.forced = m.forced || e.Actor == timeline.User
	}
}

// created judges the creation of a pod. Only acts of the controller are judged; one pod a name holds for everybody.
func (j *Judge) created(set *timeline.Set, m *memory, e *timeline.Event) {
	if pod := find(set, e.Pod); pod != nil {
		j.breach(e, Breach{Promise: OnePodAName}, "%s is created while the one before it is still there", e.Pod)
	}
	if e.Actor != timeline.Controller {
		return
	}
	if set.Spec.Terminating() {
		j.breach(e, Breach{Promise: NoPodWhileDeleted}, "%s is created, but its StatefulSet is being deleted", e.Pod)
	}
	ordinal := set.Spec.OrdinalOf(e.Pod)
	if set.Spec.Spec.PodManagement == model.OrderedReady {
		if low := firstNotReady(set, ordinal); low != "" {
			j.breach(e, Breach{Promise: OrderedStart}, "%s is created while %s is not Running and Ready", e.Pod, low)
		}
	}
	j.createdAt(set, m, e, ordinal)
	j.createdWith(set, e, ordinal)
}

// createdAt judges the revision that a pod of a rolling update is created at. Below the partition the new one is
// wrong only while a rollout is going on: before the first change and after a completed one both are the same.
func (j *Judge) createdAt(set *timeline.Set, m *memory, e *timeline.Event, ordinal int) {
	spec := &set.Spec.Spec
	if spec.Template == nil || !rolling(spec) {
		return
	}
	below := set.Spec.BelowPartition(ordinal)
	switch isNew := e.Template == spec.Template.ID; {
	case below && isNew && m.old != 0 && m.old != e.Template && set.Status.CurrentRevision != set.Status.UpdateRevision:
		j.breach(e, Breach{Promise: PartitionKept, Kind: "created"},
			"%s is created at the new revision, but the partition is %d", e.Pod, set.Spec.Partition())
	case !below && !isNew:
		j.breach(e, Breach{Promise: RightRevisionAtOnce}, "%s is created at an old revision", e.Pod)
	}
}

// deleted judges a deletion by the controller, by its reason. A pod that has ended may be replaced.
func (j *Judge) deleted(set *timeline.Set, m *memory, e *timeline.Event) {
	switch e.Why.Code {
	case model.CodeScaleDown:
		if claimsGo(set.Spec) && !slices.Contains(m.removed, e.Pod) {
			m.removed = append(m.removed, e.Pod)
		}
		j.scaledDown(set, e)
	case model.CodeUpdateRevision:
		j.updated(set, m, e)
	}
}

// scaledDown judges the order of a scale-down of OrderedReady. An ordinal below spec.ordinals.start is left out: the
// documentation promises no order there.
func (j *Judge) scaledDown(set *timeline.Set, e *timeline.Event) {
	if set.Spec.Spec.PodManagement != model.OrderedReady {
		return
	}
	ordinal := set.Spec.OrdinalOf(e.Pod)
	for p := range set.Pods.All {
		switch {
		case !inRange(set, p.Ordinal) && p.Ordinal > ordinal && ordinal >= set.Spec.Start():
			j.breach(e, Breach{Promise: OrderedStop, Kind: "order"}, "%s is deleted while %s is still there", e.Pod, p.Name)
			return
		case inRange(set, p.Ordinal) && !p.Serving():
			j.breach(e, Breach{Promise: OrderedStop, Kind: "ready"},
				"%s is deleted while %s is not Running and Ready", e.Pod, p.Name)
			return
		}
	}
}

// updated judges that a pod is deleted because of its revision.
func (j *Judge) updated(set *timeline.Set, m *memory, e *timeline.Event) {
	spec := &set.Spec.Spec
	ordinal := set.Spec.OrdinalOf(e.Pod)
	if spec.Strategy.Type == model.OnDeleteStrategy {
		j.breach(e, Breach{Promise: OnDeleteUntouched}, "%s is deleted for its revision", e.Pod)
	}
	if set.Spec.BelowPartition(ordinal) {
		j.breach(e, Breach{Promise: PartitionKept, Kind: "deleted"},
			"%s is deleted for its revision, but the partition is %d", e.Pod, set.Spec.Partition())
	}
	if spec.Template != nil && e.Template == spec.Template.ID {
		j.breach(e, Breach{Promise: NoDoubleDelete},
			"%s is deleted by the update, although it is at the revision that spec.template asks for", e.Pod)
	}
	if m.updatedBefore(e.Pod) {
		j.breach(e, Breach{Promise: OneRestartAChange}, "%s is deleted again for the same change of the template", e.Pod)
	}
	m.updates(e.Pod)
	if !rolling(spec) {
		return
	}
	if above := oldAbove(set, ordinal); above != "" {
		j.breach(e, Breach{Promise: UpdateFromTheTop},
			"%s is deleted before %s, which is also at an old revision", e.Pod, above)
	}
	j.outage(set, m, e)
}

// outage judges how many pods that served the update has down at the same time. Pods that people and nodes have taken
// down are not counted, and neither is a pod that a scale-down is about to remove.
func (j *Judge) outage(set *timeline.Set, m *memory, e *timeline.Event) {
	if pod := find(set, e.Pod); pod == nil || !pod.Serving() || !wanted(set.Spec, e.Pod) {
		return
	}
	m.lose(e.Pod)
	down, most := len(m.lost), j.maxUnavailable(set)
	if down <= most {
		return
	}
	how := "while " + m.lost[0] + " is still down"
	if other := find(set, m.lost[0]); other != nil && other.Terminating && other.Since == e.T {
		how = "together with " + m.lost[0]
	}
	j.breach(e, Breach{Promise: KeepsServing}, "%s is deleted %s; %d of %d pods serve, and maxUnavailable is %d",
		e.Pod, how, set.Serving()-1, set.Spec.Spec.Replicas, most)
}

// maxUnavailable returns the number of pods that an update may have down: 1 without the gate or the field. A
// percentage is rounded down, but is at least one.
func (j *Judge) maxUnavailable(set *timeline.Set) int {
	block := set.Spec.Spec.Strategy.RollingUpdate
	if !j.gate || block == nil || block.MaxUnavailable == nil {
		return 1
	}
	if !block.MaxUnavailable.Percent {
		return int(block.MaxUnavailable.Value)
	}
	return max(1, int(block.MaxUnavailable.Value)*int(set.Spec.Spec.Replicas)/100)
}

// seeProcess judges that two processes have an identity. After a deletion by force that is the user's doing.
func (j *Judge) seeProcess(e *timeline.Event) {
	if e.Reason == timeline.ReasonTwins && !e.Process.Ended && !j.memoryOf(e.Set).forced {
		j.breach(e, Breach{Promise: OneProcessAnIdentity}, "two processes of %s run", e.Pod)
	}
}

// rolling says whether the strategy is a rolling update, which it is if none is named.
func rolling(spec *model.Spec) bool { return spec.Strategy.Type == model.RollingUpdateStrategy }

// find returns the pod of that name in the state of a set, nil if there is none.
func find(set *timeline.Set, name string) *timeline.Pod {
	for p := range set.Pods.All {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// firstNotReady returns the lowest replica below an ordinal that is not Running and Ready, "" if there is none.
func firstNotReady(set *timeline.Set, below int) string {
	for ordinal := set.Spec.Start(); ordinal < below; ordinal++ {
		if pod := find(set, set.Spec.PodName(ordinal)); pod == nil || !pod.Serving() {
			return set.Spec.PodName(ordinal)
		}
	}
	return ""
}

// oldAbove returns a replica above an ordinal that is of an old revision and not terminating, "" if there is none.
func oldAbove(set *timeline.Set, ordinal int) string {
	for p := range set.Pods.All {
		if p.Ordinal > ordinal && inRange(set, p.Ordinal) && !p.Terminating && set.Spec.Spec.Template != nil &&
			p.Template != set.Spec.Spec.Template.ID {
			return p.Name
		}
	}
	return ""
}

// inRange says whether the set wants a replica of that ordinal, by the spec as the fold has it.
func inRange(set *timeline.Set, ordinal int) bool {
	start := set.Spec.Start()
	return ordinal >= start && ordinal < start+int(set.Spec.Spec.Replicas)
}
