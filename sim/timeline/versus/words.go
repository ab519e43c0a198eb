package versus

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// mostActs is the greatest number of acts, or of things, of one side that are listed one by one.
const mostActs = 4

// Does describes what each side does where the runs diverge, "" for the level Objects. The sentences continue after
// the name of the side: "deletes web-0@1, since web-0 is of an old revision …".
func (p *Parting) Does() [2]string {
	if p.does != nil {
		return *p.does
	}
	var does [2]string
	for i := range p.Sides {
		switch p.Level {
		case Pods:
			does[i] = p.Sides[i].act(p)
		case Status:
			does[i] = p.Sides[i].says(&p.Sides[1-i])
		case Words:
			does[i] = "refuses nothing"
			if m := p.Sides[i].Moment; m != nil {
				does[i] = "refuses the step with: " + m.Step.Refusal
			}
		}
	}
	return does
}

// Told returns the divergence with its words alone, each changed by a function, which may rename what they name. It has
// no Sides, whose events would keep both runs in memory.
func (p *Parting) Told(change func(string) string) *Parting {
	told := &Parting{Level: p.Level, T: p.T, StepT: p.StepT, Later: p.Later, does: &[2]string{}}
	for i, does := range p.Does() {
		told.does[i], told.Left[i] = change(does), change(p.Left[i])
	}
	if p.Step != nil {
		told.Step = &timeline.Step{Number: p.Step.Number, Name: p.Step.Name, Verb: p.Step.Verb, Does: change(p.Step.Does)}
	}
	return told
}

// act describes what the side does to pods that the other does not do. If it does nothing, it says what it waits
// for.
func (s *Side) act(p *Parting) string {
	m := s.Moment
	switch {
	case len(s.Only) > 0:
		return s.acts()
	case m != nil && m.Step != nil && m.Step.Effect == timeline.Refused:
		return fmt.Sprintf("refuses step %d: %s", m.Step.Number, m.Step.Refusal)
	case m != nil && m.Step != nil && p.end():
		if ends(m) == "" {
			return "goes on"
		}
		return "ends there as " + string(m.Verdict)
	case m != nil && m.Step != nil && len(p.Sides[0].Only)+len(p.Sides[1].Only) == 0:
		return fmt.Sprintf("has nothing left to do, so that step %d (%s) acts", m.Step.Number, m.Step.Does)
	case m != nil && ends(m) != "" && m.Verdict != timeline.IsStuck:
		return "ends as " + string(m.Verdict)
	}
	if len(s.Waits) == 0 {
		return "does nothing here"
	}
	return "waits: " + strings.Join(s.reasons(), "; ")
}

// end reports whether both sides do the same in the moment, and they differ only in how the run ends with it.
func (p *Parting) end() bool {
	a, b := p.Sides[0].Moment, p.Sides[1].Moment
	return a != nil && b != nil && compareMoments(a, b) == 0 && len(p.Sides[0].Only)+len(p.Sides[1].Only) == 0 &&
		ends(a) != ends(b) && (a.Step == nil || b.Step == nil || a.Step.Effect == b.Step.Effect)
}

// reasons are the reasons of the waits. Waits that hold nothing back (Parallel) are left out if there are others.
func (s *Side) reasons() []string {
	var why, idle []string
	for _, e := range s.Waits {
		text := fmt.Sprintf("%s (%s)", e.Why.Sentence(), rule(e.Why))
		if e.Why.Rule == model.RuleParallel {
			idle = append(idle, text)
		} else {
			why = append(why, text)
		}
	}
	if len(why) == 0 {
		return idle
	}
	return why
}

// rule names the reason of an act by its code and, if there is one, its rule.
func rule(why model.Why) string {
	if why.Rule == model.RuleNone {
		return string(why.Code)
	}
	return fmt.Sprintf("%s, rule %s", why.Code, why.Rule)
}

// acts describes the changes of one side. A change that repeats for the same pod is described once, and so is a
// reason that is the same for several pods in a row. Gone after Terminating of the same pod is not told.
func (s *Side) acts() string {
	var told []string
	var last *timeline.Event
	count, alike := 0, []string{}
	seen := map[string]bool{}
	for _, e := range s.Only {
		text := act(e)
		if deletion := e.State == timeline.Gone && seen["deletes "+named(e)]; deletion || seen[text] {
			continue
		}
		seen[text] = true
		seen["deletes "+named(e)] = seen["deletes "+named(e)] || e.State == timeline.Terminating
		count++
		if last != nil && sameReason(last, e) {
			alike = append(alike, named(e))
			continue
		}
		told = append(also(told, alike), text)
		last, alike = e, nil
	}
	told = also(told, alike)
	more := ""
	if len(told) > mostActs {
		more = fmt.Sprintf(", and %d more", len(told)-mostActs)
	}
	if len(s.Only) >= 3*count && len(s.Only) > mostActs {
		more += ", again and again"
	}
	return strings.Join(told[:min(len(told), mostActs)], ", ") + more
}

// sameReason reports whether the controller deletes two pods for the same reason.
func sameReason(a, b *timeline.Event) bool {
	return a.State == timeline.Terminating && b.State == a.State && a.Actor == timeline.Controller && b.Actor == a.Actor &&
		a.Why.Code != "" && a.Why.Code == b.Why.Code && a.Why.Rule == b.Why.Rule
}

// also appends to the last text the other pods that are deleted for the same reason.
func also(told, pods []string) []string {
	if len(pods) == 0 {
		return told
	}
	list := strings.Join(pods[:min(len(pods), mostActs)], ", ")
	if len(pods) > mostActs {
		list += fmt.Sprintf(" and %d more", len(pods)-mostActs)
	}
	told[len(told)-1] += ", and for the same reason " + list
	return told
}

// act describes one change, with its reason if the controller has one.
func act(e *timeline.Event) string {
	if e.Actor != timeline.Controller {
		return fmt.Sprintf("has %s", Entry(e))
	}
	pod := named(e)
	why := ""
	if e.Why.Code != "" && e.Why.Code != model.CodeCreate {
		why = fmt.Sprintf(" because %s (%s)", e.Why.Sentence(), rule(e.Why))
	}
	switch e.State {
	case timeline.Pending:
		return "creates " + pod + why
	case timeline.Terminating, timeline.Gone:
		return "deletes " + pod + why
	}
	return "has " + Entry(e)
}

// says describes the fields of the status that differ from the other side's, of the first set with a difference.
func (s *Side) says(other *Side) string {
	for _, e := range s.latest {
		for _, o := range other.latest {
			if e.Set == o.Set && e.status != o.status {
				return "has " + fields(e, o)
			}
		}
	}
	if s.Moment == nil {
		return "changes no status"
	}
	return "changes the status"
}

// fields lists the fields of a status that differ from another one's, with the values of the first; "" without any.
func fields(a, b Said) string {
	if a.gone {
		return "no set any more"
	}
	var list []string
	add := func(name string, value, than int32) {
		if value != than {
			list = append(list, fmt.Sprintf("status.%s %d", name, value))
		}
	}
	add("replicas", a.replicas, b.replicas)
	add("readyReplicas", a.ready, b.ready)
	add("availableReplicas", a.available, b.available)
	add("currentReplicas", a.inCurrent, b.inCurrent)
	add("updatedReplicas", a.inUpdate, b.inUpdate)
	if a.currentRevision != b.currentRevision {
		list = append(list, "status.currentRevision "+at(a))
	}
	if a.updateRevision != b.updateRevision {
		list = append(list, fmt.Sprintf("status.updateRevision at revision %d", a.updateRevision))
	}
	return strings.Join(list, ", ")
}

// at tells which of the two revisions the current one is.
func at(s Said) string {
	if s.currentRevision == s.updateRevision {
		return "at the update revision"
	}
	return "at the old revision"
}
