package gated

import (
	"reflect"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Live are tools that wait for a set of a live cluster, from a first look on. What happens between two looks they do not
// see.
type Live struct {
	p *player
	// last is the set at the last look. Its counts of changes are those from look to look.
	last *timeline.Set
	// after is the time of the last look, after the first one.
	after time.Duration
}

// Begin lets tools begin to wait for a set.
func Begin(key model.Key, gates []*gate.Gate) *Live { return &Live{p: newPlayer(key, 0, gates)} }

// Heard is what a tool says at a look, as a sentence. Wrong reports whether that is not true, as far as the look shows.
type Heard struct {
	Text  string
	Wrong bool
}

// See takes in a look, so long after the first one. The clock of the set, which is nil if it is gone, begins at the
// look. It returns what the tools say that end there.
func (l *Live) See(after time.Duration, set *timeline.Set) []Heard {
	l.after, l.p.shift = after, -after
	l.last = counted(l.last, set)
	open := make([]bool, len(l.p.answers))
	for i, a := range l.p.answers {
		open[i] = a == nil
	}
	l.p.see(model.Time(after), func(model.Key) *timeline.Set { return l.last }, model.Time(after))
	var heard []Heard
	for i, a := range l.p.answers {
		if open[i] && a != nil {
			heard = append(heard, a.heard(l.p.gates[i].Name))
		}
	}
	return heard
}

// heard words an answer whose end has just come.
func (a *Answer) heard(name string) Heard {
	if a.Says == gate.SaysDone && a.True {
		return Heard{Text: name + " says done"}
	}
	if a.Says == gate.SaysDone {
		return Heard{name + " says done, and it is not: " + strings.Join(a.Missing, "; "), true}
	}
	return Heard{name + " fails: " + strings.ReplaceAll(a.Message, "\n", "; "), a.True}
}

// counted returns a set with counts of what has changed since the look before.
func counted(before, set *timeline.Set) *timeline.Set {
	if set == nil {
		return nil
	}
	now := *set
	now.SpecChanges, now.StatusChanges, now.PodChanges = uint64(set.Spec.Generation), 0, 0
	if before != nil {
		now.StatusChanges, now.PodChanges = before.StatusChanges, before.PodChanges+1
		if !reflect.DeepEqual(before.Status, set.Status) {
			now.StatusChanges++
		}
	}
	return &now
}

// Open returns the tools that still wait.
func (l *Live) Open() []*gate.Gate {
	var open []*gate.Gate
	for i, a := range l.p.answers {
		if a == nil {
			open = append(open, l.p.gates[i])
		}
	}
	return open
}

// later moves a time after the last look to one after the first.
func (l *Live) later(after *render.Seconds) *render.Seconds {
	if after == nil {
		return nil
	}
	at := *after + render.Seconds(l.after)
	return &at
}

// Answers concludes, with what forecast has of the tools that are still open: what they say that begin to wait at the last
// look.
func (l *Live) Answers(forecast []*Answer) []*Answer {
	for i, a := range l.p.answers {
		if a != nil || len(forecast) == 0 {
			continue
		}
		next := *forecast[0]
		forecast = forecast[1:]
		if next.comes = l.later(next.comes); !next.late {
			// A timeout counts from the first look.
			next.At = l.later(next.At)
		}
		l.p.answers[i] = &next
	}
	return l.p.concluded()
}
