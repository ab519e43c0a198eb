package upgrade

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Entry says in words what the sets of one group do differently on one hop: a report as a table has it.
type Entry struct {
	// The two versions of the hop, as the user wrote them or as Path names them.
	From, To string
	// Sets are their names, NAMESPACE/NAME.
	Sets []string
	// Worse are the cases in which the sets are worse off, Others those in which they only behave differently, and Causes
	// the differences between the versions that make them.
	Worse, Others, Causes []string
	// Lines say what matters of the sets, the known traps, and what the API servers do differently.
	Lines []string
	// Cases say case by case what each version does, what is for the worse first.
	Cases []EntryCase
	// Show are commands that show the runs: that of the first case, and of no other, as the cases of a group have one
	// command each. It is empty if Options.Show is nil.
	Show []string
	// First is the case that comes first; nil if only the API servers differ.
	First *Row
}

// EntryCase is a case of an entry: what the user does, how the sets end under each version, what makes the difference,
// and the way out; "" if none is known or none is needed.
type EntryCase struct {
	Name, Does string
	Worse      bool
	Ends       [2]string
	Causes     []string
	WayOut     string
}

// Runs plays the first case of an entry again, under both versions of its hop: the report keeps no runs, because those
// of many sets would fill the memory. Options must be those of the comparison. The runs are empty if there is no case.
func (in *Input) Runs(e *Entry, o Options) (runs [2][]timeline.Event) {
	namespace, name, _ := strings.Cut(e.Sets[0], "/")
	set := in.Set(model.Key{Namespace: namespace, Name: name})
	for _, h := range o.hops()[1:] {
		if set == nil || e.First == nil || h.names != [2]string{e.From, e.To} {
			continue
		}
		hop := o
		hop.From, hop.To, hop.Names, hop.Path = h.from, h.to, h.names, nil
		if rows := set.Show(e.First.Case, hop); len(rows) > 0 {
			return rows[0].Runs
		}
	}
	return runs
}

// Headline sums the report up in one line.
func (r *Report) Headline() string { return r.headline() }

// fewNames is the number of sets that a note names.
const fewNames = 4

// Notes are other remarks: what the upgrade does to sets that are not at rest, which patches to avoid, what was left
// out.
func (r *Report) Notes() []string {
	notes := movingLines(r.shown(&View{}))
	for _, hop := range r.Path {
		for _, patch := range hop.Patches {
			notes = append(notes, render.Capital(patch.saysOf(render.List(patch.Worse, fewNames))))
		}
	}
	return append(notes, r.notes(&View{All: true})...)
}

// Entries returns the groups of all hops, those with something for the worse first.
func (r *Report) Entries() []Entry {
	var entries []Entry
	for _, hop := range r.Path {
		for _, g := range hop.Groups {
			entries = append(entries, hop.entry(g))
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return min(len(b.Worse), 1) - min(len(a.Worse), 1) })
	return entries
}

// entry words a group. The lines are whole sentences, so that a page can show them without any knowledge of rows.
func (h *Hop) entry(g *Group) Entry {
	e := Entry{From: h.From, To: h.To, Sets: g.Sets, Causes: causeNames(g.Rows)}
	e.Lines = slices.Concat([]string{g.Description}, g.trapsIn(&h.Between), g.API)
	for i, row := range g.Rows {
		if i == 0 {
			e.First = row
		}
		if row.IsWorse {
			e.Worse = append(e.Worse, row.Case)
		} else {
			e.Others = append(e.Others, row.Case)
		}
		e.Cases = append(e.Cases, EntryCase{Name: row.Case, Does: row.Does, Worse: row.IsWorse, Ends: row.Endings,
			Causes: causeNames([]*Row{row}), WayOut: row.Advice})
		if row.Show != "" && len(e.Show) == 0 {
			e.Show = append(e.Show, row.Show)
		}
	}
	slices.SortStableFunc(e.Cases, func(a, b EntryCase) int { return before(b.Worse) - before(a.Worse) })
	return e
}

// before is 1 for what comes first.
func before(first bool) int {
	if first {
		return 1
	}
	return 0
}
