package heal

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
)

// changeTemplate returns the attempts that change the pod template, or keep a change from the pods.
func changeTemplate(x *situation) []attempt { return append(takeBack(x), repairTemplate(x)...) }

// takeBack returns the attempts that undo a rollout, or pause it.
func takeBack(x *situation) []attempt {
	if x.revisions() < 2 || reasons.OfStore(x.refusal) {
		return nil
	}
	undo, remove, needs := play.Script{play.Undo(x.given.Key)}, deletePods(x.down, false), ""
	unlikely := ranBefore(x) && provenBeside(x)
	switch {
	case unlikely:
		needs = wrongAfterAll(x)
	case guessed(x.refusal):
		needs = "pods of the old template are still admitted"
	}
	list := []attempt{{what: "undoing the rollout", script: undo, lab: x.given.Between, needs: needs, last: unlikely}}
	if len(remove) == 0 {
		return list
	}
	list = append(list, attempt{what: "undoing the rollout and deleting " + names(x.down), script: undo.Then(remove...),
		needs: needs, last: unlikely})
	if len(x.going) == 0 && x.set.Spec.Strategy.Type == model.RollingUpdateStrategy {
		list = append(list, attempt{what: "pausing the rollout with a partition and deleting " + names(x.down),
			script: play.Script{play.Hold(x.set)}.Then(remove...),
			later:  "Set the partition in Git too, or the next apply undoes it"})
	}
	return list
}

// repairTemplate returns the attempts that give the set a template that works. Against a webhook that does not answer,
// the refusal of a PVC and a quota for the number of pods no template helps.
func repairTemplate(x *situation) []attempt {
	if len(x.down) == 0 && x.stuckFor(model.SyncError) < 0 || reasons.OfStore(x.refusal) ||
		webhook().MatchString(x.refusal) || ofClaim(x.refusal) || reasons.CountsPods(x.refusal) {
		return nil
	}
	repair, needs := repaired(x)
	last := ranBefore(x) || provenBeside(x)
	if last || alike(x) {
		needs = wrongAfterAll(x) + ", and that " + needs
	}
	fix := attempt{what: "fixing the template", script: repair, needs: needs, last: last, lab: x.given.Between}
	if x.refusal != "" {
		fix.lab = admittingOther(x)
	}
	if len(x.down) == 0 {
		return []attempt{fix}
	}
	return []attempt{fix, {what: "fixing the template and deleting " + names(x.down),
		script: repair.Then(deletePods(x.down, false)...), needs: needs, last: last}}
}

// fromCurrent says whether a pod that is made at an index comes from the current revision while another one is rolled
// out: below the partition or, without a rollingUpdate block, below status.currentReplicas. A change of the template
// does not reach such a pod.
func fromCurrent(set *model.StatefulSet, index int) bool {
	if set.Status.CurrentRevision == set.Status.UpdateRevision {
		return false
	}
	switch block := set.Spec.Strategy.RollingUpdate; {
	case block != nil:
		return index < int(block.Partition)
	case set.Spec.Strategy.Type == model.RollingUpdateStrategy:
		return index < int(set.Status.Current)
	}
	return false
}

// templateAt returns the template that a pod is made from at an index; nil if it is not known.
func templateAt(x *situation, index int) *model.Template {
	if !fromCurrent(x.set, index) {
		return x.set.Spec.Template
	}
	at := slices.IndexFunc(x.given.State.Revisions, func(r *model.Revision) bool {
		return r.Namespace == x.set.Namespace && r.Name == x.set.Status.CurrentRevision
	})
	if at < 0 {
		return nil
	}
	return x.given.State.Revisions[at].Template
}

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
