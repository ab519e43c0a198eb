package expect

import (
	"fmt"
	"slices"
	"strings"
)

// maxTogether is the number of changes of one instant that a sentence names.
const maxTogether = 4

// atInstants compares instant by instant: the changes of each must be those of its group, in any order.
func (w *exactlyWatcher) atInstants() *failure {
	came := w.byInstant()
	for g := range max(len(came), len(w.rule.groups)) {
		if g < len(came) && g < len(w.rule.groups) {
			group := w.rule.groups[g]
			taken := w.assign(group, came[g])
			if len(group) == len(came[g]) && !slices.Contains(taken, -1) {
				continue
			}
		}
		return w.otherwise(g, came)
	}
	return nil
}

// byInstant divides the changes that count by their instants.
func (w *exactlyWatcher) byInstant() [][]int {
	var came [][]int
	for n, i := range w.came {
		if n == 0 || w.run.events[i].T != w.run.events[w.came[n-1]].T {
			came = append(came, nil)
		}
		came[len(came)-1] = append(came[len(came)-1], i)
	}
	return came
}

// otherwise describes how the instants from the g-th on differ from the groups. The event that no entry of its group
// means comes first: that is the one to look at.
func (w *exactlyWatcher) otherwise(g int, came [][]int) *failure {
	f := &failure{}
	var names []string
	for i, group := range w.rule.groups {
		names = append(names, strings.Join(texts(group), " + "))
		if i < g {
			f.got = append(f.got, names[i])
		}
	}
	f.expected = names
	for _, events := range came[min(g, len(came)):] {
		f.got = append(f.got, strings.Join(w.labels(events, g), " + "))
	}
	after := ""
	if g > 0 && g <= len(came) {
		last := came[g-1]
		after = " after " + w.together(w.labels(last, g-1), last)
	}
	f.want = "nothing" + after
	if g < len(w.rule.groups) {
		f.want = w.together(texts(w.rule.groups[g]), nil)
		if after == "" {
			f.want += " first"
		}
		f.want += after
	}
	if g >= len(came) {
		f.detail, f.never = "nothing more happens", true
		if len(came) > 0 {
			f.at = came[len(came)-1]
		} else if len(w.rule.groups) > 0 && len(w.rule.groups[0]) > 0 {
			absent := w.absent(w.rule.groups[0][0])
			f.detail, f.at = absent.detail, absent.at
		}
		return f
	}
	f.detail = w.together(w.labels(came[g], g), came[g])
	f.at = w.strangeFirst(g, came[g])
	return f
}

// strangeFirst returns the events of an instant, those first that no entry of the group means.
func (w *exactlyWatcher) strangeFirst(g int, events []int) []int {
	var group []*entry
	if g < len(w.rule.groups) {
		group = w.rule.groups[g]
	}
	taken := w.assign(group, events)
	var strange, known []int
	for n, i := range events {
		if taken[n] < 0 {
			strange = append(strange, i)
		} else {
			known = append(known, i)
		}
	}
	return append(strange, known...)
}

// labels renders the events of an instant in the words of the entries of a group, so that equal ones read alike.
func (w *exactlyWatcher) labels(events []int, g int) []string {
	var rest []*entry
	if g < len(w.rule.groups) {
		rest = slices.Clone(w.rule.groups[g])
	}
	var list []string
	for _, i := range events {
		list = append(list, w.label(i, &rest))
	}
	return list
}

// together words the changes of one instant, and says which it is if they came.
func (w *exactlyWatcher) together(list []string, came []int) string {
	several := len(list) > 1
	if n := len(list); n > maxTogether {
		list = append(slices.Clone(list[:maxTogether]), fmt.Sprintf("%d more", n-maxTogether))
	}
	switch text := joined(list); {
	case len(came) == 0 && several:
		return text + " at one instant"
	case len(came) == 0:
		return text
	case several:
		return text + " at one instant, " + clock(w.run.events[came[0]].T)
	default:
		return text + " at " + clock(w.run.events[came[0]].T)
	}
}
