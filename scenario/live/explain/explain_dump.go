package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/release"
)

// Begun is the explanation of a dump before fixes are tried: its sets have no ways out yet.
type Begun struct {
	Dumped
	view *view
}

// Begin begins to explain the sets that have a name, or a pod of that name, or are stuck on it: NAME or NAMESPACE/NAME.
// NAMESPACE/ means all of a namespace, and "" all: it judges them, and tries no fixes. There may be none. The worlds of
// the laboratory begin with the dump. Neither of the two is changed, and Sets is never nil.
func Begin(d *dump.Dump, lab *play.Lab, pod string) *Begun {
	quiet := *lab
	quiet.World.Start = d.WithoutServices()
	judged, run := judge.Of(d, &quiet)
	v := &view{Index: run.Dump, lab: &quiet, run: run, took: d.TookAll()}
	drains := v.drains(judged)
	sets := make([]*DumpedSet, 0, len(judged))
	for _, of := range judged {
		sets = append(sets, v.document(of, drains))
	}
	var foreign []string
	unready := false
	for _, f := range d.Foreign {
		foreign, unready = append(foreign, f.String()), unready || f.Ready < f.Pods
	}
	dumped := Dumped{
		At: d.At, Guessed: d.Guessed, Assumed: d.Assumed,
		Kubernetes: release.VersionsOf(lab.Profile, d.Versions()),
		Notes:      slices.Concat(notes(d), foreign, resizes(d, sets), unlike(d)),
		setless:    len(d.State.Sets) == 0 && (d.Ignored || unready),
	}
	if pod != "" {
		sets = ofPod(sets, pod)
	}
	slices.SortStableFunc(sets, func(a, b *DumpedSet) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.share(), b.share()), a.Key().Compare(b.Key()))
	})
	dumped.Sets, dumped.Causes = sets, shared(sets)
	return &Begun{Dumped: dumped, view: v}
}

// Each tries the fixes of one set after the other, and passes each set on with them. It ends when yield says so.
func (b *Begun) Each(yield func(*DumpedSet) bool) {
	for _, set := range b.Sets {
		with := *set
		with.WaysOut = b.view.fixes(&set.of, set.held)
		with.await()
		if !yield(&with) {
			return
		}
	}
}

// All tries the fixes of all sets. If enough, which is asked after each, says so, the other sets stay without.
func (b *Begun) All(enough func() bool) *Dumped {
	dumped, done := b.Dumped, 0
	dumped.Sets = slices.Clone(b.Sets)
	b.Each(func(set *DumpedSet) bool {
		dumped.Sets[done] = set
		done++
		return enough == nil || !enough()
	})
	return &dumped
}

// ofPod returns the sets that have a pod of a name, NAME or NAMESPACE/NAME, or are stuck on it.
func ofPod(sets []*DumpedSet, pod string) []*DumpedSet {
	return slices.DeleteFunc(sets, func(s *DumpedSet) bool {
		name := strings.TrimPrefix(pod, s.Namespace+"/")
		return name != "" && name != s.Name &&
			!slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.Name == name }) && s.StuckOn != name
	})
}
