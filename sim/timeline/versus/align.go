package versus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Row is one moment of several runs, side by side.
type Row struct {
	T model.Time
	// Moments has the moment of each run, nil if nothing happens in it to pods or by a step. At least one is not nil.
	Moments []*Moment
	// Same is true if the same happens in all runs, so none of Moments is nil.
	Same bool
}

// Align puts the moments of several runs side by side, in the order of time, and of steps within an instant.
// Moments belong together if they have the same instant and the same step.
func Align(runs [][]timeline.Event) []Row {
	var rows []Row
	for i, events := range runs {
		for _, m := range filter(Moments(events), Pods.tells) {
			at, found := slices.BinarySearchFunc(rows, m, func(r Row, m *Moment) int { return compareMoments(r.first(), m) })
			if !found {
				rows = slices.Insert(rows, at, Row{T: m.T, Moments: make([]*Moment, len(runs))})
			}
			rows[at].Moments[i] = m
		}
	}
	for i := range rows {
		rows[i].Same = rows[i].same()
	}
	return rows
}

// first returns a moment of the row; all its moments share that instant and step.
func (r *Row) first() *Moment {
	return r.Moments[slices.IndexFunc(r.Moments, func(m *Moment) bool { return m != nil })]
}

// same reports whether the same happens to pods in all runs. Statuses are not looked at: a row does not show them.
func (r *Row) same() bool {
	first := r.Moments[0]
	for _, m := range r.Moments {
		if m == nil || first == nil || !Pods.same(first, m) {
			return false
		}
	}
	return true
}

// Entries describes what happens to the pods in a few words, as in expectations: "web-3@1 Terminating". Repetitions
// are counted. Running is left out, because Ready follows, and so is Gone if the pod is recreated in the same moment.
func (m *Moment) Entries() []string {
	var words []string
	for i, e := range m.Changes {
		next := i+1 < len(m.Changes) && m.Changes[i+1].Pod == e.Pod && m.Changes[i+1].Set == e.Set
		again := next && m.Changes[i+1].State == timeline.Pending
		if e.State != timeline.Running && (e.State != timeline.Gone || !again) {
			words = append(words, Entry(e))
		}
	}
	return fold(words)
}

// Entry names a change as expectations do: web-3@1 Terminating.
func Entry(e *timeline.Event) string { return named(e) + " " + e.State.String() }

// named names a pod with its template: web-3@1.
func named(e *timeline.Event) string {
	if e.Template == 0 {
		return e.Pod
	}
	return fmt.Sprintf("%s@%d", e.Pod, e.Template)
}

// longestCycle is the longest sequence of entries whose repetitions are folded into one.
const longestCycle = 4

// fold writes sequences that repeat at least three times once, with their number. It takes the shortest sequence that
// repeats.
func fold(words []string) []string {
	var out []string
	for i := 0; i < len(words); {
		length, times := cycle(words[i:])
		if entry := strings.Join(words[i:i+length], ", "); times > 1 {
			out = append(out, fmt.Sprintf("%s (%d times)", entry, times))
		} else {
			out = append(out, entry)
		}
		i += length * times
	}
	return out
}

// cycle returns the shortest initial sequence that repeats at least three times, and how often it does; the first
// word alone if there is none.
func cycle(words []string) (length, times int) {
	for length = 1; length <= longestCycle; length++ {
		times = 1
		for (times+1)*length <= len(words) && slices.Equal(words[:length], words[times*length:(times+1)*length]) {
			times++
		}
		if times >= 3 {
			return length, times
		}
	}
	return 1, 1
}
