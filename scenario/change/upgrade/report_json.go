package upgrade

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Report says which sets behave differently. As JSON it is the public form of an upgrade.
type Report struct {
	// Between is the comparison of the first version with the last one, as if a cluster were upgraded from one to the
	// other at once.
	Between
	// PreReleases are those of the two versions that are not out yet.
	PreReleases []report.PreRelease `json:"preReleases,omitempty"`
	// Kubernetes is the first version, and what a dump with pods shows of that of the cluster.
	Kubernetes *release.Versions `json:"kubernetes,omitempty"`
	// FromGates and ToGates are the feature gates that were set under the first and the last version.
	FromGates string `json:"fromFeatureGates,omitempty"`
	ToGates   string `json:"toFeatureGates,omitempty"`
	// Path are the hops from one minor version to the next that a cluster takes.
	Path []*Hop `json:"path"`
	// NotAtRest are the sets that are not at rest in the dump: the groups describe what they do once they are at rest.
	// Moving says what the first hop does to them in their current state, those that it makes worse first.
	NotAtRest []string  `json:"notAtRest,omitempty"`
	Moving    []*Moving `json:"moving,omitempty"`
	// Invalid says what is wrong with sets that no version accepts: they were left out.
	Invalid []string `json:"invalid,omitempty"`
	// Ignored names the kinds of objects that have no effect.
	Ignored []string `json:"ignored,omitempty"`
	// Unmodelled says what is assumed of objects that have an effect on pods in a cluster, and none here.
	Unmodelled []string `json:"unmodelled,omitempty"`
	// Hazards are what the later version brings about where something else is wrong, such as a write that fails, with the
	// sets that can meet each, and the change that avoids it.
	Hazards []*Hazard `json:"hazards,omitempty"`
	// Components are those that the input shows: static pods of the control plane, and kubelets.
	Components []*Component `json:"components,omitempty"`
	// Checklist is what to do on the day of the upgrade.
	Checklist *Checklist `json:"checklist"`
	// Interrupted is true if the user ended it before all sets were compared: the counts are then of the compared sets.
	Interrupted bool `json:"interrupted,omitempty"`
}

// Between says what two versions do differently.
type Between struct {
	// From and To are the versions, as the user wrote them; those on the way are 1.MINOR.
	From string `json:"from"`
	To   string `json:"to"`
	// Differing is the number of sets that behave differently, Worse the number of these that are worse off, and Alike
	// the number of all others. Differing and Alike add up to the sets that were compared.
	Differing int `json:"differing"`
	Worse     int `json:"worse"`
	Alike     int `json:"alike"`
	// Groups are the sets that behave differently. Sets of one shape are in one group. Groups that are worse off under
	// the later version come first; otherwise the order is that of their first sets.
	Groups []*Group `json:"groups"`
}

// Hop is the way from one minor version to the next.
type Hop struct {
	Between
	// Patches are the patches of the new version under which sets are worse off than under another patch of it.
	Patches []*Patch `json:"patches"`
}

// Group is a group of sets that do not differ in anything that matters to a rollout.
type Group struct {
	// Sets are their names, NAMESPACE/NAME, in the order of the input; Description says what matters of them.
	Sets        []string `json:"sets"`
	Description string   `json:"description"`
	// Traps are the traps of the atlas that these sets can meet, and that only the later version has.
	Traps []string `json:"traps,omitempty"`
	// API says what kube-apiserver does differently with the fields of the sets. It and Rows are always lists.
	API []string `json:"api"`
	// Rows are the cases in which the sets behave differently, those in which they are worse off first. They were played
	// with the first of the sets.
	Rows []*Row `json:"cases"`

	// of is the first of the sets, which the cases were played with.
	of *model.StatefulSet
}

// Row is one case in which a set behaves differently.
type Row struct {
	// Case is the name of the case in the catalogue, Does what the user does in it.
	Case string `json:"case"`
	Does string `json:"does"`
	// IsWorse says whether the set is worse off under the later version.
	IsWorse bool `json:"worse"`
	// Endings and Outcomes are its results under each version.
	Endings  [2]string  `json:"endings"`
	Outcomes [2]Outcome `json:"outcomes"`
	// Parting is the point where the runs diverge, and the differences between the versions that cause it; these may not
	// be known.
	Parting report.Parting `json:"parting"`
	// Advice says how to avoid it, if the set is worse off and a way that helps is known.
	Advice string `json:"advice,omitempty"`
	// Show is the command that shows the runs.
	Show string `json:"show,omitempty"`

	// The runs, while the row is made and in what Show returns; nil in a Report, which keeps no runs, and of where they
	// diverge the words alone: the runs of many sets would fill the memory.
	*Pair `json:"-"`
	// kind is the case of the catalogue.
	kind *whatif.Case
	// promised is the number of pods that an update leaves serving (less those that the case takes away itself), replicas
	// the number that the set asks for.
	promised, replicas int
}

// StatusOnly says whether only the status differs: the pods are treated alike, and nothing that the user reads of the
// outcome differs. It needs a Parting.
func (r *Row) StatusOnly() bool {
	a, b := r.Outcomes[0], r.Outcomes[1]
	return r.Parting.Level != versus.Pods && a == b
}

// add counts a set. G is the group of its shape; it is listed when its first set is added.
func (b *Between) add(set *Set, g *Group) {
	if len(g.API)+len(g.Rows) == 0 {
		b.Alike++
		return
	}
	if len(g.Sets) == 0 {
		b.Groups = append(b.Groups, g)
	}
	g.Sets = append(g.Sets, set.Key.String())
	b.Differing++
	if g.Worse() {
		b.Worse++
	}
}

// sort puts the groups of sets that are worse off first, and those that differ in the status alone last.
func (b *Between) sort() {
	rank := func(g *Group) int {
		switch {
		case g.Worse():
			return 0
		case len(g.API) == 0 && !slices.ContainsFunc(g.Rows, func(r *Row) bool { return !r.StatusOnly() }):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(b.Groups, func(x, y *Group) int { return cmp.Compare(rank(x), rank(y)) })
}

// Worse says whether the sets are worse off in any case.
func (g *Group) Worse() bool {
	return slices.ContainsFunc(g.Rows, func(r *Row) bool { return r.IsWorse })
}

func (r *Row) urgency() int {
	switch {
	case r.IsWorse:
		return 0
	case r.StatusOnly():
		return 2
	}
	return 1
}
