package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// manyGroups is the number of groups of a hop of which each is described by itself. If there are more, the report does
// not repeat for each of them what they do alike: it describes each difference once, and names the sets.
const manyGroups = 6

// finding is one thing that sets of several groups do differently.
type finding struct {
	// weight says how early it is told.
	weight weight
	// about is the text of a trap, of a field, or of what differs in the status alone, or the case that is for the worse.
	about string
	// examples has for each case the row that shows it best; there is at least one if weight is forTheWorse or ofCases,
	// and none otherwise.
	examples []*example
	// status are the rows of the first group that differ in the status alone; only if weight is ofStatus.
	status []*Row
	// groups are the groups that do it, each once, in the order of the hop. One group may belong to several findings, so
	// that the counts of findings do not add up to the number of sets.
	groups []*Group
}

// example is a case that sets of several groups play differently.
type example struct {
	// The row of the set that is worst off, of the group `of`; its first set is the one that is named.
	*Row
	of *Group
	// sets counts the sets of all groups that play the case differently, not only those of `of`.
	sets int
}

// weight is what a finding is about, in the order in which it is told.
type weight int

const (
	ofTrap weight = iota
	forTheWorse
	ofCases
	ofField
	ofStatus
)

// alike is the key of what is told once: what it is about, by which differences, how the runs end, and the advice.
// What is not for the worse is told once for all cases: its key has the causes alone. The key must not depend on the
// set, or each group would have findings of its own.
type alike struct {
	weight
	about, causes, advice string
	verdicts              [2]timeline.Verdict
}

// findings lists what the groups of a hop do differently, each thing once: known traps, what is for the worse, then
// other cases, fields that the API servers treat differently, and last what differs in the status alone. What is for
// the worse begins with what takes the most pods down; otherwise what most sets do comes first.
func (v *View) findings(b *Between) []*finding {
	// The list is in the order in which they are found, so that the report does not depend on the order of a map.
	var list []*finding
	known := map[alike]*finding{}
	note := func(key alike, g *Group) *finding {
		f := known[key]
		if f == nil {
			f = &finding{weight: key.weight, about: key.about}
			known[key], list = f, append(list, f)
		}
		if !slices.Contains(f.groups, g) {
			f.groups = append(f.groups, g)
		}
		return f
	}
	for _, g := range b.Groups {
		if v.OnlyWorse && !g.Worse() {
			continue
		}
		for _, trap := range g.trapsIn(b) {
			note(alike{weight: ofTrap, about: trap}, g)
		}
		for _, change := range g.API {
			note(alike{weight: ofField, about: change}, g)
		}
		rows, status := v.rows(g)
		for _, row := range rows {
			note(row.alike(), g).add(row, g)
		}
		if len(status) > 0 {
			if f := note(alike{weight: ofStatus, about: statusOnly(status)}, g); f.status == nil {
				f.status = status
			}
		}
	}
	slices.SortStableFunc(list, func(x, y *finding) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(y.harm(), x.harm()), cmp.Compare(y.sets(), x.sets()))
	})
	return list
}

// alike returns the key of a row that does not differ in the status alone.
func (r *Row) alike() alike {
	causes := render.And(causeNames([]*Row{r}))
	if !r.IsWorse {
		return alike{weight: ofCases, causes: causes}
	}
	return alike{weight: forTheWorse, about: r.Case, causes: causes, advice: r.Advice,
		verdicts: [2]timeline.Verdict{r.Outcomes[0].verdict, r.Outcomes[1].verdict}}
}

// add notes that a group plays a case differently. The example of a case is the set that is worst off in it.
func (f *finding) add(row *Row, g *Group) {
	at := slices.IndexFunc(f.examples, func(e *example) bool { return e.Case == row.Case })
	if at < 0 {
		f.examples = append(f.examples, &example{Row: row, of: g, sets: len(g.Sets)})
		return
	}
	e := f.examples[at]
	if e.sets += len(g.Sets); row.harm() > e.harm() {
		e.Row, e.of = row, g
	}
}

// harm says how much worse off a set is in a case: 2 if it settles no more, and else the share of its pods by which
// fewer serve, at most 1. That share is also taken of an upgrade alone that is worse because it deletes more pods.
func (r *Row) harm() float64 {
	a, b := &r.Outcomes[0], &r.Outcomes[1]
	switch {
	case !r.IsWorse:
		return 0
	case b.verdict != timeline.Settled:
		return 2
	}
	return float64(a.FewestServing-b.FewestServing) / float64(max(1, r.replicas))
}

func (f *finding) harm() (most float64) {
	for _, e := range f.examples {
		most = max(most, e.harm())
	}
	return most
}

func (f *finding) sets() (n int) {
	for _, g := range f.groups {
		n += len(g.Sets)
	}
	return n
}

func (f *finding) names() []string {
	var names []string
	for _, g := range f.groups {
		names = append(names, g.Sets...)
	}
	slices.Sort(names)
	return names
}

// title says what it is. It sorts the examples of cases that are not for the worse, those of most sets first; says and
// shown, which take the first, must be called after it.
func (f *finding) title() string {
	count := render.Count(f.sets(), "set")
	switch f.weight {
	case forTheWorse:
		return count + ": " + f.examples[0].title()
	case ofCases:
		slices.SortStableFunc(f.examples, func(x, y *example) int { return cmp.Compare(y.sets, x.sets) })
		var cases []string
		for _, e := range f.examples {
			cases = append(cases, fmt.Sprintf("%s (%s)", e.Case, render.Count(e.sets, "set")))
		}
		return count + ", not for the worse: " + strings.Join(cases, ", ")
	}
	return count + ": " + f.about
}

// shown are the rows of a finding that the report shows: one example, or the cases that differ in the status alone.
func (f *finding) shown() []*Row {
	if len(f.examples) > 0 {
		return []*Row{f.examples[0].Row}
	}
	return f.status
}

// says introduces the example of a finding: the set, the case unless the title says it, and how it ends under both
// versions.
func (f *finding) says(b *Between) string {
	e := f.examples[0]
	text := fmt.Sprintf("for example %s (%s)", e.of.Sets[0], e.of.Description)
	if f.weight == ofCases {
		text += ", " + e.Does
	}
	return text + ": " + e.contrast(b)
}
