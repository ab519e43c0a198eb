package heal

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// wrongAfterAll is what the attempts that change a template need that other pods have run, as far as anything shows it.
func wrongAfterAll(x *situation) string {
	if anyReady(x) {
		return "the template is wrong, although other pods have run it"
	}
	return "the template is wrong, although earlier pods may have run it"
}

// ranBefore says whether the pods that do not serve have a revision whose rollout has completed, and were created some
// time after that: other pods have run this revision, so the revision is not what is broken.
func ranBefore(x *situation) bool {
	set := x.set
	const soon, long = model.Time(5 * time.Second), model.Time(time.Hour)
	revision := set.Status.CurrentRevision
	at := slices.IndexFunc(x.given.State.Revisions, func(r *model.Revision) bool {
		return r.Name == revision && r.Namespace == set.Namespace
	})
	if at < 0 || len(x.down) == 0 || revision != set.Status.UpdateRevision {
		return false
	}
	later := x.given.State.Revisions[at].Created + soon
	if x.revisions() == 1 && fails(x.pod(x.down[0])) && !anyReady(x) {
		// A first start may never have been completed, and somebody has deleted its pods since.
		later += long
	}
	return !slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
		return slices.Contains(x.down, p.Key()) && (p.Revision() != revision || p.Created < later)
	})
}

// fails says whether a pod has no node, or its containers do not run: an init container may not have ended, for
// example.
func fails(p *sim.PodState) bool {
	return p != nil && (p.Node == "" || p.Phase == model.Pending || p.Containers != nil && p.Containers.Shown != "")
}

// anyReady says whether any pod of a set is Ready.
func anyReady(x *situation) bool {
	return slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool { return p.Ready && x.owns(&p) })
}

// provenBeside says whether a dump shows for each pod that does not serve another one of the set that is Ready with the
// same template.
func provenBeside(x *situation) bool {
	if !x.fromDump() || len(x.down) == 0 {
		return false
	}
	return !slices.ContainsFunc(x.given.State.Pods, func(down sim.PodState) bool {
		return slices.Contains(x.down, down.Key()) && !slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
			return p.Ready && p.Namespace == x.set.Namespace && x.set.OrdinalOf(p.Name) >= 0 && p.Template == down.Template
		})
	})
}
