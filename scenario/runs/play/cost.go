package play

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

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
	begin := StepAt(events, step)
	if begin < 0 {
		return 0, 0
	}
	there := map[string]Pod{}
	serving, fewest := 0, -1
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
		fixed := i+1 == len(events) || events[i+1].T != e.T
		if i >= begin && fixed && (fewest < 0 || serving < fewest) {
			fewest = serving
		}
	}
	return max(fewest, 0), takes
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

// Deleted counts the pods of a set that a run deletes from a step on, by whoever; all of the run if the step never
// acted.
func Deleted(events []timeline.Event, key model.Key, step int) int {
	n := 0
	for i := max(0, StepAt(events, step)); i < len(events); i++ {
		if e := &events[i]; e.Kind == timeline.KindPod && e.Set == key && e.State == timeline.Terminating {
			n++
		}
	}
	return n
}
