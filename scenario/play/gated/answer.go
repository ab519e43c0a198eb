// Package gated plays the deploy tools that wait for a StatefulSet along a run: when each says done, whether that is
// true then, and which commands wait rightly.
package gated

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Answer is what a deploy tool says of a change.
type Answer struct {
	// Gate is the name of the tool, Version the version whose rule this is. Proven is false if the tool's own code is
	// not run to prove it: it was only read, or recorded answers hold it.
	Gate    string `json:"gate"`
	Version string `json:"version"`
	Proven  bool   `json:"proven"`
	// Says is done, failed or never; a tool that gives up at its timeout says failed. At is when, in seconds after the
	// change; it is left out if it never ends. Message is in the tool's words.
	Says    gate.Says       `json:"says"`
	At      *render.Seconds `json:"at,omitempty"`
	Message string          `json:"message"`
	// True reports whether all that the spec asks for holds then, and Missing what does not, in sentences.
	True    bool     `json:"true"`
	Missing []string `json:"missing"`
	// Instead are commands that wait rightly for this change, if the tool does not and if there are any. Where OnDelete
	// leaves all pods old, the first one changes the strategy.
	Instead []string `json:"instead"`

	// late says that it fails at its timeout. comes is when all that is asked for holds for good, nil for never.
	late  bool
	comes *render.Seconds
}

// Wrong reports whether the tool misleads: it says done too early, or does not say done of a change that completes.
func (a *Answer) Wrong() bool {
	if a.Says == gate.SaysDone {
		return !a.True
	}
	return a.comes != nil
}

// TimesOut reports whether the tool gives up at its timeout on a change that completes.
func (a *Answer) TimesOut() bool { return a.late && a.comes != nil && a.At != nil }

// Verdict says what the tool says, and what is wrong with it, without its name.
func (a *Answer) Verdict() string {
	var text string
	switch {
	case a.Says == gate.Never:
		text = "never ends"
	case a.late:
		text = "fails at its timeout, after " + clock(a.At)
	case a.Says == gate.SaysFailed:
		text = "fails after " + clock(a.At)
	default:
		text = "says done after " + clock(a.At)
	}
	switch {
	case !a.Wrong():
		return text
	case a.Says == gate.SaysDone && a.comes == nil:
		return text + ", and it is not: " + strings.Join(a.Missing, "; ")
	case a.Says == gate.SaysDone:
		return fmt.Sprintf("%s, which is too early: %s. It is true after %s", text, strings.Join(a.Missing, "; "),
			clock(a.comes))
	}
	if *a.comes == 0 {
		return text + ", though all holds that the spec asks for"
	}
	return text + fmt.Sprintf(", though the change completes after %s", clock(a.comes))
}

// clock renders a time after the change.
func clock(after *render.Seconds) string { return render.Clock(time.Duration(*after)) }

// Renamed returns the answer under other names.
func (a *Answer) Renamed(r *strings.Replacer) *Answer {
	as := *a
	each := func(list []string) []string {
		list = slices.Clone(list)
		for i := range list {
			list[i] = r.Replace(list[i])
		}
		return list
	}
	as.Message, as.Missing, as.Instead = r.Replace(a.Message), each(a.Missing), each(a.Instead)
	return &as
}

// Of plays the tools on a run, as if each had made the change at the event with an index, and waits for one set.
func Of(events []timeline.Event, begin int, key model.Key, gates []*gate.Gate) []*Answer {
	if begin < 0 || len(gates) == 0 {
		return nil
	}
	return between(events, begin, len(events), key, gates)
}

// between plays the tools from the event of a change up to that of the next one.
func between(events []timeline.Event, begin, end int, key model.Key, gates []*gate.Gate) []*Answer {
	return played(events, begin, end, key, gates).concluded()
}

// Waits returns commands that wait rightly for a set from the event with an index on: they have returned, one after the
// other, and all holds then that the spec asks for. It is nil if none do.
func Waits(events []timeline.Event, begin int, key model.Key) []string {
	return played(events, begin, len(events), key, nil).right()
}

// played is a player that has seen the fixed points behind an event.
func played(events []timeline.Event, begin, end int, key model.Key, gates []*gate.Gate) *player {
	p := newPlayer(key, events[begin].T, gates)
	for f := range timeline.Ticks(events) {
		if f.Index > end {
			break
		}
		if f.Index > begin {
			p.see(f.T, f.Set, gate.HeldUntil(events, f.Index))
		}
	}
	return p
}

// player plays several tools on one run.
type player struct {
	key   model.Key
	begin model.Time
	// shift is how much the clock of the sets is ahead of that of the tools: 0 in a run.
	shift   time.Duration
	gates   []*gate.Gate
	waits   []*gate.Wait
	answers []*Answer
	ways    []*way
	// asked says that all holds that the spec asks for at the last fixed point, and since when.
	asked bool
	since model.Time
}

// newPlayer lets tools begin to wait for a set at an instant.
func newPlayer(key model.Key, begin model.Time, gates []*gate.Gate) *player {
	p := &player{key: key, begin: begin, gates: gates, answers: make([]*Answer, len(gates))}
	for _, g := range gates {
		p.waits = append(p.waits, g.Begin([]model.Key{key}, begin, 0))
	}
	return p
}

// see takes in a fixed point, whose state holds until an instant.
func (p *player) see(now model.Time, find func(model.Key) *timeline.Set, until model.Time) {
	set := find(p.key)
	asked := gate.Asked(set, now.Add(p.shift))
	if asked && !p.asked {
		p.since = now
	}
	p.asked = asked
	if set != nil && p.ways == nil {
		p.ways = waysFor(set, now)
	}
	for _, w := range p.ways {
		w.see(set, now, now.Add(p.shift))
	}
	for i, w := range p.waits {
		if p.answers[i] != nil {
			continue
		}
		end := w.See(now, find)
		if end == nil {
			end = w.Until(until)
		}
		if end != nil {
			p.answers[i] = p.answer(end, set)
		}
	}
}

// answer is what a call that has ended says.
func (p *player) answer(end *gate.End, set *timeline.Set) *Answer {
	a := &Answer{Says: end.Says, Message: end.Message, Missing: gate.Missing(set, end.At.Add(p.shift)), late: end.Late}
	a.True = len(a.Missing) == 0
	if end.Says != gate.Never {
		at := render.Seconds(end.At.Sub(p.begin))
		a.At = &at
	}
	return a
}

// concluded returns the answers, with what is known at the end.
func (p *player) concluded() []*Answer {
	for i := range p.gates {
		p.conclude(i)
	}
	for i := range p.gates {
		p.advise(i)
	}
	return p.answers
}

// conclude adds what is known at the end of the run.
func (p *player) conclude(i int) {
	a, g := p.answers[i], p.gates[i]
	if a == nil {
		// The run was cut off while the tool waited.
		a = &Answer{Says: gate.Never, Message: p.waits[i].Lacks()}
		p.answers[i] = a
	}
	a.Gate, a.Version, a.Proven = g.Name, g.Version, g.Proven
	if p.asked {
		comes := render.Seconds(p.since.Sub(p.begin))
		a.comes = &comes
	}
}

// advise adds what waits rightly where the tool does not.
func (p *player) advise(i int) {
	a := p.answers[i]
	if a.Wrong() {
		a.Instead = p.instead(p.gates[i])
	}
	if a.Missing == nil {
		a.Missing = []string{}
	}
	if a.Instead == nil {
		a.Instead = []string{}
	}
}
