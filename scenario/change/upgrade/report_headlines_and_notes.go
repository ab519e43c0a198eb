package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// View says how a report is shown.
type View struct {
	// All means that all sets are named; otherwise a long list is cut. OnlyWorse shows only those that are worse off; the
	// headline and the counts stay those of all.
	All, OnlyWorse bool
	// Checklist puts what to do on the day of the upgrade first.
	Checklist bool
}

// mostNames is the number of sets of a group that are named in one line.
const mostNames = 20

func (v *View) names(sets []string) string {
	if v.All || len(sets) <= mostNames {
		return render.List(sets, max(1, len(sets)))
	}
	return render.List(sets, mostNames) + " (--all names them)"
}

// rows returns the rows of a group that are shown, apart from those that differ only in the status; both in their
// order.
func (v *View) rows(g *Group) (rows, status []*Row) {
	for _, row := range g.Rows {
		switch {
		case v.OnlyWorse && !row.IsWorse:
		case row.StatusOnly():
			status = append(status, row)
		default:
			rows = append(rows, row)
		}
	}
	return rows, status
}

func (b *Between) headline() string {
	all, verb := b.Differing+b.Alike, "behave"
	if b.Differing == 1 || all == 1 {
		verb = "behaves"
	}
	return fmt.Sprintf("%d of %s %s differently on %s than on %s", b.Differing, render.Count(all, "set"), verb, b.To,
		b.From) + b.forTheWorse()
}

// forTheWorse says how many of the sets that behave differently are worse off, behind their number; "" if none is.
func (b *Between) forTheWorse() string {
	switch {
	case b.Worse == 0:
		return ""
	case b.Differing == 1:
		return ", for the worse"
	case b.Worse == b.Differing:
		return ", all of them for the worse"
	}
	return fmt.Sprintf(", %d of them for the worse", b.Worse)
}

func (r *Report) headline() string {
	text := r.Between.headline()
	if r.Differing == 0 {
		text += r.onlyOnTheWay()
	}
	if r.Interrupted {
		text += " (interrupted: not all sets were looked at)"
	}
	return text
}

// Differs says whether a set behaves differently: under the last version, on the way to it, or because it is not at
// rest. The headline says so, and the exit code of the command.
func (r *Report) Differs() bool { return r.Differing > 0 || r.onlyOnTheWay() != "" }

// onlyOnTheWay says which sets behave differently even if all do the same under the first and the last version: under a
// version on the way, or while they are not at rest; "" if none does.
func (r *Report) onlyOnTheWay() string {
	sets, text := map[string]bool{}, ""
	for _, hop := range r.Path {
		for _, g := range hop.Groups {
			for _, set := range g.Sets {
				sets[set] = true
			}
		}
	}
	if len(sets) > 0 {
		text += fmt.Sprintf(", but %d %s on the way", len(sets), render.Agree(len(sets), "does", "do"))
	}
	moving := 0
	for _, m := range r.Moving {
		if m.Changes {
			moving++
		}
	}
	if moving > 0 {
		text += fmt.Sprintf("; %d %s while not at rest", moving, render.Agree(moving, "does", "do"))
	}
	return text
}

func (h *Hop) summary() string {
	text, behave := fmt.Sprintf("%s to %s: ", h.From, h.To), behave(h.Differing)
	switch {
	case h.Differing == 0 && len(h.Patches) > 0:
		return text + "nothing changes on the newest patch"
	case h.Differing == 0:
		return text + "nothing changes"
	case h.Worse == 0:
		return text + behave + " differently, none for the worse"
	}
	return text + behave + " differently" + h.forTheWorse()
}

func behave(n int) string {
	return render.Count(n, "set") + render.Agree(n, " behaves", " behave")
}

// worstFirst returns the hops in the order in which they are described: those with something for the worse first, then
// those with patches to avoid.
func (r *Report) worstFirst() []*Hop {
	rank := func(h *Hop) int {
		switch {
		case h.Worse > 0:
			return 0
		case len(h.Patches) > 0:
			return 1
		}
		return 2
	}
	return slices.SortedStableFunc(slices.Values(r.Path), func(a, b *Hop) int { return cmp.Compare(rank(a), rank(b)) })
}

// says returns which sets are worse off under a patch release, and which release avoids that.
func (p *Patch) says(v *View) string {
	n := len(p.Worse)
	text := fmt.Sprintf("avoid %s, take %s or later: %s %s worse off there than with the newest patch (%s). What "+
		"happens there: %s", p.Versions, p.Avoid, render.Count(n, "set"), render.Agree(n, "is", "are"), v.names(p.Worse),
		p.Happens[0])
	if more := p.Cases[1:]; len(more) > 0 {
		text += "; it is worse too in the " + render.Agree(len(more), "case ", "cases ") + render.And(more)
	}
	return text
}

func (r *Report) notes(v *View) []string {
	var notes []string
	if minor(r.From) > minor(r.To) {
		notes = append(notes, fmt.Sprintf("%s to %s is a downgrade, which Kubernetes does not support: this is what "+
			"reverting an upgrade would do", r.From, r.To))
	}
	if r.Differing > 0 && r.Alike > 0 {
		notes = append(notes, behave(r.Alike)+" the same on both")
	}
	if r.Differing > 0 {
		notes = append(notes, fmt.Sprintf("assumed for sets at rest: a pod starts in %v, becomes Ready %v later, and stops "+
			"in %v (sim plan takes the times of the manifests and of the dump)", times.Start, times.Ready, times.Stop))
	}
	for _, problem := range r.Invalid {
		notes = append(notes, "left out: "+problem)
	}
	if len(r.Ignored) > 0 {
		notes = append(notes, "ignored (no effect on the rollout): "+render.And(r.Ignored))
	}
	return append(notes, r.Unmodelled...)
}

// movingLines returns what the upgrade does to each of the sets; for a set whose pods the dump does not show, it says
// that this is not known.
func movingLines(list []*Moving) []string {
	var lines, unknown []string
	for _, m := range list {
		if m.Known {
			lines = append(lines, m.Set+": "+m.says())
		} else {
			unknown = append(unknown, fmt.Sprintf("%s (%s)", m.Set, m.Shows))
		}
	}
	if len(unknown) > 0 {
		lines = append(lines, "unknown, because the dump does not show the pods of "+strings.Join(unknown, ", ")+
			". To dump them too: "+dump.Command)
	}
	return lines
}

// notAtRest is the heading above the sets that are not at rest.
const notAtRest = "Not at rest in the dump (all else in this report assumes that they have come to rest):"

// shown returns the sets that are not at rest, of which a view may show none but the worse.
func (r *Report) shown(v *View) []*Moving {
	if !v.OnlyWorse {
		return r.Moving
	}
	return slices.DeleteFunc(slices.Clone(r.Moving), func(m *Moving) bool { return m.Known && !m.Worse })
}

func statusOnly(rows []*Row) string {
	var cases []string
	for _, row := range rows {
		cases = append(cases, row.Case)
	}
	text := fmt.Sprintf("only the status differs, in the %s %s", render.Agree(len(cases), "case", "cases"),
		render.And(cases))
	if causes := causeNames(rows); len(causes) > 0 {
		text += ", because of " + render.And(causes)
	}
	return text
}

func causeNames(rows []*Row) []string {
	var names []string
	for _, row := range rows {
		for _, c := range row.Parting.Causes {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

func (r *Row) contrast(b *Between) string {
	if r.Endings[0] == r.Endings[1] {
		return fmt.Sprintf("it %s on both, but not in the same way", r.Endings[0])
	}
	return fmt.Sprintf("%s %s; %s %s", b.From, r.Endings[0], b.To, r.Endings[1])
}

// worse marks what is for the worse. Text looks for it to colour a line, so a sentence must have it verbatim.
const worse = "FOR THE WORSE: "

func (r *Row) title() string {
	mark := ""
	if r.IsWorse {
		mark = worse
	}
	return fmt.Sprintf("%s%s (%s)", mark, r.Does, r.Case)
}
