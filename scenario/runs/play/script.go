package play

import (
	"cmp"
	"time"

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
