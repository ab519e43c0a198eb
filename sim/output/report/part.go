package report

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Part is the part of a run that its story is about; the zero Part is all of it.
type Part struct {
	// Only are the names of pods and StatefulSets, in any namespace; whatever concerns no other thing is left out. With
	// none, nothing is.
	Only []string
	// Since is the instant with which the story begins.
	Since model.Time
}

// String says what part it is, or is "" for all of a run.
func (p *Part) String() string {
	var words []string
	if len(p.Only) > 0 {
		words = append(words, "only "+strings.Join(p.Only, ", "))
	}
	if p.Since > 0 {
		words = append(words, "since "+render.Clock(p.Since))
	}
	return strings.Join(words, ", ")
}

// Has says whether an event belongs to the part. What the user does and what fails belongs to every part that has its
// instant.
func (p *Part) Has(e *timeline.Event) bool {
	if e.T < p.Since {
		return false
	}
	if len(p.Only) == 0 || e.Kind == timeline.KindStep || e.Kind == timeline.KindFault {
		return true
	}
	return slices.ContainsFunc(p.Only, func(name string) bool { return concerns(e, name) })
}

// concerns says whether an event is about the pod or the StatefulSet of a name. A wait also concerns the pod that is
// waited for.
func concerns(e *timeline.Event, name string) bool {
	return e.Pod == name || e.Set.Name == name || e.Why.Object == name
}

// Missing returns the first of the names that no event of the run concerns, or "". A user who mistypes a name is told
// so, and does not get an empty story.
func (p *Part) Missing(run *Run) string {
	for _, name := range p.Only {
		is := func(e timeline.Event) bool { return concerns(&e, name) }
		if !slices.ContainsFunc(run.Events, is) {
			return name
		}
	}
	return ""
}
