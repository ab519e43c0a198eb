package play

import (
	"cmp"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Deed is one thing that somebody does to a cluster, or that happens to it.
type Deed struct {
	// Verb is the step's word in the timeline. Does says what it does in words; if it is "" the command stands there.
	Verb, Does string
	// Kubectl is the command that does it, as it can be pasted into a shell. It is "" if no command does it: a pod stops
	// being Ready, for example, or it is the second half of a command that makes two calls.
	Kubectl string
	// Acts are what it does, for those who decide by it: its words are for people.
	Acts Acts
	// When is the time at which it acts; the zero value means once settled. Prompt, which wins over When, lets it act as
	// soon as the command of the deed before has returned, as the next line of a pasted block does.
	When   sim.When
	Prompt bool
	// Act carries it out; nil only waits. A deed may be played in many worlds, one after the other.
	Act func(*sim.User) sim.Outcome
	// Returns is the condition under which its command returns; nil means at once.
	Returns Returns
}

// Acts are what deeds do, as bits.
type Acts uint8

// WritesSet is set with WritesReplicas and EditsTemplate too.
const (
	WritesSet Acts = 1 << iota
	WritesReplicas
	// EditsTemplate is a change of the template by hand, and no undo.
	EditsTemplate
	// EasesQuota raises a quota, or may let the pods ask for less.
	EasesQuota
	DeletesPods
	Forces
)

// Any says whether some of these are among the acts.
func (a Acts) Any(these Acts) bool { return a&these != 0 }

// Returns makes the condition under which a command returns. It is asked at the instant of the deed, with the state
// just before it acts. The condition is asked from then on, with the state at each fixed point of the controller. A
// Moment is only valid during the call, so what has to be remembered of it has to be copied.
type Returns func(before *Moment) func(now *Moment) bool

// After lets a deed act some time after the one before.
func (d Deed) After(delay time.Duration) Deed {
	d.When = sim.When{Trigger: sim.After, D: delay}
	return d
}

// Promptly lets a deed act when the command of the one before has returned.
func (d Deed) Promptly() Deed {
	d.Prompt = true
	return d
}

// step returns the deed as a step with a number.
func (d *Deed) step(number int) sim.Step {
	act := d.Act
	if act == nil {
		act = func(*sim.User) sim.Outcome { return sim.Outcome{Effect: timeline.None} }
	}
	return sim.Step{Number: number, Verb: d.Verb, Does: cmp.Or(d.Does, d.Kubectl), When: d.When, Act: act}
}

// Script is a number of deeds, in their order.
type Script []Deed

// Then returns a script with more deeds at its end. Neither script is changed.
func (s Script) Then(more ...Deed) Script { return append(s[:len(s):len(s)], more...) }

// Pasted returns the deeds as a block that is pasted into a shell: each acts when the one before has returned. The
// first acts when it did before. The script itself does not change.
func (s Script) Pasted() Script {
	block := append(Script{}, s...)
	for i := 1; i < len(block); i++ {
		block[i].Prompt = true
	}
	return block
}

// Commands returns the commands of the deeds, one a line.
func (s Script) Commands() []string {
	var lines []string
	for i := range s {
		if s[i].Kubectl != "" {
			lines = append(lines, s[i].Kubectl)
		}
	}
	return lines
}

// Acts returns what all deeds do together.
func (s Script) Acts() (all Acts) {
	for i := range s {
		all |= s[i].Acts
	}
	return all
}

// Steps returns the deeds as steps behind `done` others, which are numbered from 1. Deeds that wait for a command to
// return have no time here: a Lab plays those.
func (s Script) Steps(done int) []sim.Step {
	steps := make([]sim.Step, len(s))
	for i := range s {
		steps[i] = s[i].step(done + i + 1)
	}
	return steps
}

// Pasted is a block of commands that was pasted into a shell, and its result.
type Pasted struct {
	// Commands are the commands of the block, one a line.
	Commands []string
	// Acts are what they do.
	Acts Acts
	// Hangs is the first command that never returns, "" if all return. The commands after it were not played.
	Hangs string
	// Events is the run, First the number of the block's first step in it.
	Events []timeline.Event
	First  int
}

// Paste plays a script, lets the world settle, and pastes a block of commands. Each command starts when the previous
// one has returned, as a shell runs the lines of Commands.
func (l *Lab) Paste(before, block Script) *Pasted {
	whole := before.Then(block.Pasted()...)
	p := &Pasted{Commands: block.Commands(), Acts: block.Acts(), First: len(l.Before) + len(before) + 1}
	var played int
	p.Events, played = l.run(whole, nil)
	if played < len(whole) {
		p.Hangs = whole[played-1].Kubectl
	}
	return p
}

// Cost returns what a part of a run, which begins with the step of that number, costs a StatefulSet: the fewest of its
// pods that serve at a fixed point, and the time until the last thing happens to it. Pods that are left behind when
// their set is deleted still count, since its Service still selects them; a pod that only has the name of one of the
// set's pods does not. A run that ended before the step costs nothing. O(events).
func Cost(events []timeline.Event, key model.Key, step int) (fewest int, takes time.Duration) {
	fewest = -1
	takes = eachSpell(events, key, step, func(s Spell) {
		if fewest < 0 || s.Serving < fewest {
			fewest = s.Serving
		}
	})
	return max(fewest, 0), takes
}

// Below returns for how long fewer than so many pods of a StatefulSet served in a part of a run, counted as Cost does.
func Below(events []timeline.Event, key model.Key, step, keep int) (total time.Duration) {
	eachSpell(events, key, step, func(s Spell) {
		if s.Serving < keep {
			total += s.Lasts
		}
	})
	return total
}

// Spell is a time between two fixed points of a run, with the number of pods that served in it.
type Spell struct {
	Serving int
	Lasts   time.Duration
}

// eachSpell calls a function for the time after each fixed point of a part of a run. It returns the time until the last
// thing happens to the set. The last spell lasts no time.
func eachSpell(events []timeline.Event, key model.Key, step int, spell func(Spell)) (takes time.Duration) {
	begin := StepAt(events, step)
	if begin < 0 {
		return 0
	}
	there := map[string]Pod{}
	serving := 0
	for i := range events {
		e := &events[i]
		if e.Set == key && slices.Contains(costs, e.Kind) {
			if ofPod(e) {
				before := there[e.Pod]
				there[e.Pod], _ = before.after(e)
				serving += count(there[e.Pod]) - count(before)
			}
			if i > begin {
				takes = e.T.Sub(events[begin].T)
			}
		}
		last := i+1 == len(events)
		switch {
		case i < begin:
		case last:
			spell(Spell{Serving: serving})
		case events[i+1].T != e.T:
			spell(Spell{serving, events[i+1].T.Sub(e.T)})
		}
	}
	return takes
}

// costs are the kinds of events that are about a set and its pods.
var costs = []timeline.Kind{timeline.KindPod, timeline.KindOwner, timeline.KindStatus}

// count counts a pod if it serves.
func count(p Pod) int {
	if p.Serving() {
		return 1
	}
	return 0
}

// Deleted counts the pods of a set that a run deletes from a step on, by whoever; in the whole run without the step.
func Deleted(events []timeline.Event, key model.Key, step int) int {
	n := 0
	for i := max(0, StepAt(events, step)); i < len(events); i++ {
		if e := &events[i]; e.Kind == timeline.KindPod && e.Set == key && e.State == timeline.Terminating {
			n++
		}
	}
	return n
}
