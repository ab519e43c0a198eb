package promise

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// seeStatus judges that a count of the status is negative, once until it is not, and that a rollout is declared
// complete. Only a status that the controller has written counts.
func (j *Judge) seeStatus(e *timeline.Event) {
	if e.Status == nil {
		return
	}
	m, s := j.memoryOf(e.Set), e.Status
	negative := min(s.Replicas, s.Ready, s.Available, s.Current, s.Updated) < 0
	if negative && !m.miscounted {
		j.breach(e, Breach{Promise: StatusCounts, Kind: "negative"}, "%s", "a count of the status is negative")
	}
	m.miscounted = negative
	j.completed(e)
}

// completed judges that the update revision becomes the current one, by the counts of the same status: all pods must
// be updated and Ready, as far as spec.replicas goes. A change of the update revision in the same write is another
// rollout.
func (j *Judge) completed(e *timeline.Event) {
	set, s := j.fold.Set(e.Set), e.Status
	if set == nil || set.Spec.Terminating() || set.Status.UpdateRevision != s.UpdateRevision {
		return
	}
	becomes := s.CurrentRevision == s.UpdateRevision && set.Status.CurrentRevision != s.CurrentRevision
	if needs := min(s.Replicas, set.Spec.Spec.Replicas); becomes && (s.Updated < needs || s.Ready < needs) {
		j.breach(e, Breach{Promise: CompleteWhenReady},
			"status.currentRevision becomes the update revision, but the same status counts %d pods, %d of them updated and "+
				"%d Ready", s.Replicas, s.Updated, s.Ready)
	}
}

// seeRevision judges that the controller deletes a revision: it must not be in use, and there must be more unused
// ones than revisionHistoryLimit allows. A negative limit keeps all.
func (j *Judge) seeRevision(e *timeline.Event) {
	set := j.fold.Set(e.Set)
	if set == nil || e.Rev.Type != model.Deleted || e.Actor != timeline.Controller {
		return
	}
	unused, used := 0, false
	for _, r := range set.History() {
		runs := r.Name == set.Status.CurrentRevision || runsTemplate(set, r.Template) ||
			set.Spec.Spec.Template != nil && r.Template == set.Spec.Spec.Template.ID
		used = used || runs && r.Name == e.Rev.Name
		if !runs {
			unused++
		}
	}
	switch limit := int(set.Spec.Spec.RevisionHistoryLimit); {
	case used:
		j.breach(e, Breach{Promise: HistoryKept, Kind: "used"}, "revision %s is deleted, but it is in use", e.Rev.Name)
	case limit < 0:
		j.breach(e, Breach{Promise: HistoryKept, Kind: "early"},
			"revision %s is deleted, although revisionHistoryLimit is %d, which keeps all", e.Rev.Name, limit)
	case unused <= limit:
		j.breach(e, Breach{Promise: HistoryKept, Kind: "early"},
			"revision %s is deleted, although only %d are not in use and revisionHistoryLimit is %d", e.Rev.Name, unused, limit)
	}
}

// historyLeft judges that a set at rest has no more unused revisions than revisionHistoryLimit. A negative limit
// keeps all.
func (j *Judge) historyLeft(e *timeline.Event, set *timeline.Set) {
	unused := 0
	for _, r := range set.History() {
		if r.Name != set.Status.CurrentRevision && r.Name != set.Status.UpdateRevision && !runsTemplate(set, r.Template) {
			unused++
		}
	}
	if limit := int(set.Spec.Spec.RevisionHistoryLimit); limit >= 0 && unused > limit {
		j.breach(e, Breach{Promise: HistoryKept, Set: set.Key, Kind: "late"},
			"%d revisions are kept that are not in use, and revisionHistoryLimit is %d", unused, limit)
	}
}

// runsTemplate says whether a pod of the set has that template.
func runsTemplate(set *timeline.Set, template int) bool {
	for p := range set.Pods.All {
		if p.Template == template {
			return true
		}
	}
	return false
}
