package explore

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// sight is what a sync saw when it began: the set and its pods in the caches of the controller, which may be behind
// the API server. A story compares it with what there was when the sync wrote.
type sight struct {
	// set is the key of the synced set, generation its metadata.generation in the cache: another one in the fold means
	// that the controller has not seen a change of the spec.
	set model.Key
	// at is the instant at which the sync began.
	at         model.Time
	generation int64
	// pods are the pods that the sync found, replicas first and then the condemned; ordinals without a pod are left out.
	pods []seen
	// event is the number of events before the sync. Syncs of one set never overlap, so the last sight of a set before an
	// event is that of the sync that wrote it.
	event int
}

// seen is a pod in a sight: the ID of its template, whether it was Ready, and whether it was being deleted.
type seen struct {
	name         string
	template     int
	ready, going bool
}

// watched is a controller that notes what its syncs see. It adds nothing to what the controller reads or writes, so a
// run that is watched is the same run.
type watched struct {
	model.Controller
	course *course
}

// Sync notes the view, and syncs. The world may be nil: a sync may come within sim.New.
func (w watched) Sync(v model.View, calls model.Calls) model.Result {
	set := v.Set()
	s := sight{set: set.Key(), at: v.Now(), generation: set.Generation}
	if w.course.world != nil {
		s.event = len(w.course.world.Events())
	}
	for _, group := range []model.Group{model.Replicas, model.Condemned} {
		for i := range v.Len(group) {
			if p := v.Pod(group, i); p != nil {
				s.pods = append(s.pods, seen{p.Name, p.Template.ID, p.Ready, p.Terminating()})
			}
		}
	}
	w.course.sights = append(w.course.sights, s)
	return w.Controller.Sync(v, calls)
}

// ExactNames passes on what the controller thinks of names such as web-01.
func (w watched) ExactNames() bool {
	c, says := w.Controller.(interface{ ExactNames() bool })
	return says && c.ExactNames()
}

// sightOf returns the sight of the sync that wrote an event of a set, nil if unknown. It is valid as long as the story.
func (r *told) sightOf(set model.Key, event int) *sight {
	for i := len(r.sights) - 1; i >= 0; i-- {
		if s := &r.sights[i]; s.set == set && s.event <= event {
			return s
		}
	}
	return nil
}

// decided says on what the controller decided about a write, if that is no longer so when it writes: in a sync that
// takes time, or with a cache that is behind. It returns "" if nothing has changed; otherwise text that follows a
// sentence, beginning with a semicolon.
func (w *teller) decided(e *timeline.Event) string {
	s := w.sightOf(e.Set, w.world.Index)
	if s == nil {
		return ""
	}
	pods, behind := w.saw(s, e.Set)
	set := w.world.Set(e.Set)
	changed := set == nil || set.Spec == nil || set.Spec.Generation != s.generation
	before := s.event <= w.change.event && w.change.noun != ""
	says := ""
	switch {
	case !changed && len(pods) == 0:
		return ""
	case before && changed:
		return fmt.Sprintf("; decided at %s, before %s", s.at.Clock(), w.change.noun)
	case before:
		return fmt.Sprintf("; decided at %s, before %s, when it saw %s", s.at.Clock(), w.change.noun, render.And(pods))
	case changed:
		says = "its cache, which is behind, did not show " + w.change.noun + " yet"
	case behind:
		says = "its cache, which is behind, still showed " + render.And(pods)
	default:
		says = "it saw " + render.And(pods)
	}
	if s.at < e.T {
		return fmt.Sprintf("; decided at %s, when %s", s.at.Clock(), says)
	}
	return "; " + says
}

// saw lists at most two pods that a sync saw and that are different now, because others have changed them; what the
// controller itself has changed since is no surprise. behind is true if one of them had changed before the sync began:
// then the cache was behind, and the sync was not merely slow.
func (w *teller) saw(s *sight, key model.Key) (pods []string, behind bool) {
	set := w.world.Set(key)
	for i := range s.pods {
		p := &s.pods[i]
		if says := w.differs(p, set); says != "" && len(pods) < 2 && !w.wrote(s, p.name) {
			pods = append(pods, says)
			behind = behind || !w.happened(s, p.name, func(*timeline.Event) bool { return true })
		}
	}
	return pods, behind
}

// differs says how a pod looked in a sight, "" if it looks the same now. set is nil if it is gone, and its pods with
// it. What matters most comes first: that it served, its revision, that it was not being deleted.
func (w *teller) differs(p *seen, set *timeline.Set) string {
	var now *timeline.Pod
	if set != nil {
		now = w.world.Pod(set.Key, p.name)
	}
	switch {
	case p.ready && !p.going && (now == nil || !now.Serving()):
		return p.name + " Ready"
	case now != nil && now.Template != p.template && set.Spec != nil && p.template != set.Spec.Spec.Template.ID:
		return p.name + " at an old revision"
	case !p.going && (now == nil || now.Terminating):
		return p.name + " not being deleted"
	}
	return ""
}

// wrote says whether the controller has created or deleted a pod since a sync began.
func (w *teller) wrote(s *sight, pod string) bool {
	return w.happened(s, pod, func(e *timeline.Event) bool {
		return e.Actor == timeline.Controller && (e.State == timeline.Terminating || e.State == timeline.Pending)
	})
}

// happened says whether such an event about a pod has come since a sync began, up to the event that the story is at.
func (w *teller) happened(s *sight, pod string, such func(*timeline.Event) bool) bool {
	for i := s.event; i < w.world.Index && i < len(w.events); i++ {
		if e := &w.events[i]; e.Kind == timeline.KindPod && e.Pod == pod && e.Set == s.set && such(e) {
			return true
		}
	}
	return false
}
