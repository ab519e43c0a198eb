package upgrade

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Options say between which versions sets are compared.
type Options struct {
	From, To statefulset.Profile
	// Names are what the versions are called.
	Names [2]string
	// MaxEvents ends a run when its timeline has that many events; 0 is no limit.
	MaxEvents int
	// Interrupted, where it is given, is asked now and then whether to end at once; Progress is told how many of all sets
	// are done.
	Interrupted func() bool
	Progress    func(done, all int)
}

// Report says which sets behave differently.
type Report struct {
	// Groups are the sets that do, those of one shape together, in the order of their first sets; those that come off
	// worse under the later version come first.
	Groups []*Group
	// Differing and Alike are the numbers of sets that do and do not.
	Differing, Alike int
	// Interrupted is true where the user ended it before all sets were compared; Alike counts only those that were.
	Interrupted bool
}

// Group are sets that differ in nothing that matters to a rollout.
type Group struct {
	Sets []*Set
	// API says what the API servers do differently with the fields of the sets.
	API []string
	// Rows are the cases in which the sets behave differently, those in which they come off worse first. They were played
	// with the first of the sets.
	Rows []*Row
}

// Row is one case in which a set behaves differently.
type Row struct {
	*Case
	*Pair
	// Causes are the differences between the versions that the runs part by; they may not be known.
	Causes []statefulset.Difference
	// Advice says how the set can be kept from it, where the other run ends badly and a change of the set is known that
	// helps.
	Advice string
}

// Compare puts every set through every case under both versions. Sets of one shape are played once.
func (in *Input) Compare(o Options) *Report {
	report := &Report{}
	groups := map[string]*Group{}
	for i, set := range in.Sets {
		if o.Progress != nil {
			o.Progress(i, len(in.Sets))
		}
		group, known := groups[set.shape]
		if !known {
			if group = o.compare(set); o.interrupted() {
				report.Interrupted = true
				return report
			}
			groups[set.shape] = group
		}
		switch {
		case len(group.API)+len(group.Rows) == 0:
			report.Alike++
			continue
		case !known:
			report.Groups = append(report.Groups, group)
		}
		report.Differing++
		group.Sets = append(group.Sets, set)
	}
	slices.SortStableFunc(report.Groups, func(a, b *Group) int { return b.worse() - a.worse() })
	return report
}

// worse is 1 for sets that come off worse, else 0.
func (g *Group) worse() int {
	if slices.ContainsFunc(g.Rows, (*Row).Worse) {
		return 1
	}
	return 0
}

func (o *Options) interrupted() bool { return o.Interrupted != nil && o.Interrupted() }

func (o *Options) compare(set *Set) *Group {
	group := &Group{API: o.api(set.object)}
	player := newPlayer(set.object, o)
	for _, c := range casesOf(set.object) {
		if row := o.row(player, c); row.Parting != nil {
			group.Rows = append(group.Rows, row)
		}
		if o.interrupted() {
			break
		}
	}
	slices.SortStableFunc(group.Rows, func(a, b *Row) int {
		if a.Worse() == b.Worse() {
			return 0
		} else if a.Worse() {
			return -1
		}
		return 1
	})
	return group
}

func (o *Options) row(player *player, c *Case) *Row {
	row := &Row{Case: c}
	row.Pair = NewPair(o.From, o.To, player.of(c))
	if row.Parting != nil {
		row.Causes = row.Pair.Causes()
		row.Advice = row.advice(player)
	}
	return row
}

// Set returns the set with that key, or nil.
func (in *Input) Set(key model.Key) *Set { return in.seen[key] }

// Show plays one case with one set, or all that can happen to it where no case is named. It returns nil where the set
// has no such case.
func (s *Set) Show(name string, o Options) []*Row {
	player := newPlayer(s.object, &o)
	var rows []*Row
	for _, c := range casesOf(s.object) {
		if name == "" || c.Name == name {
			rows = append(rows, o.row(player, c))
		}
	}
	return rows
}

// API says what the API servers of the versions do differently with the set's fields.
func (s *Set) API(o Options) []string { return o.api(s.object) }

// CaseNames lists what can happen to the set.
func (s *Set) CaseNames() []string {
	var names []string
	for _, c := range casesOf(s.object) {
		names = append(names, c.Name)
	}
	return names
}
