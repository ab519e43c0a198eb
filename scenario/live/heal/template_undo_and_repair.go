package heal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// takeBack returns the attempts that undo a rollout, or pause it.
func takeBack(x *situation) []attempt {
	if len(x.revisions()) < 2 || reasons.OfStore(x.refusal) || symptom.ClaimRefused.In(x.refusal) {
		return nil
	}
	needs := ""
	unlikely := ranBefore(x) && provenBeside(x)
	switch {
	case unlikely:
		needs = wrongAfterAll(x)
	case guessed(x.refusal):
		needs = "pods of the old template are still admitted"
	}
	undo := attempt{what: "undoing the rollout", script: play.Script{play.Undo(x.given.Key)}, lab: x.given.Between,
		needs: needs, last: unlikely}
	if len(x.down) == 0 {
		return []attempt{undo}
	}
	list := []attempt{undo, undo.deleting(x.down)}
	if len(x.going) == 0 && x.set.Spec.Strategy.Type == model.RollingUpdateStrategy {
		pause := attempt{what: "pausing the rollout with a partition", script: play.Script{play.Hold(x.set)},
			later: "Set the partition in Git too, or the next apply undoes it"}
		list = append(list, pause.deleting(x.down))
	}
	return list
}

// repairTemplate returns the attempts that give the set a template that works. Against a webhook that does not answer,
// the refusal of a PVC and a quota for the number of pods no template helps.
func repairTemplate(x *situation) []attempt {
	if len(x.down) == 0 && x.stuckFor(model.SyncError) < 0 || reasons.OfStore(x.refusal) || symptom.Refusal(x.refusal).Refused ||
		symptom.ClaimRefused.In(x.refusal) || reasons.CountsPods(x.refusal) || full(x) || idleImage(x) {
		return nil
	}
	repair, needs := repaired(x)
	last := (ranBefore(x) || provenBeside(x)) && !spreads(x) && !x.untimely()
	if last || alike(x) {
		needs = wrongAfterAll(x) + ", and that " + needs
	}
	fix := attempt{what: "fixing the template", script: repair, needs: needs, last: last, lab: x.given.Between}
	if x.refusal != "" {
		fix.lab = admitting(x, false)
	}
	if len(x.down) == 0 {
		return []attempt{fix}
	}
	return []attempt{fix, fix.deleting(x.down)}
}

// spreads reports whether the topologySpreadConstraints of the template are what keeps a pod from a node: that other
// pods have nodes does not show that they are right.
func spreads(x *situation) bool {
	return slices.ContainsFunc(x.down, func(key model.Key) bool {
		return x.facts(key).Unplaced().Has(symptom.Spread)
	})
}

// idleImage reports whether another image is all that is known to try, and other pods of the template, or another container
// of the image, show that it is not the image for which the containers end.
func idleImage(x *situation) bool {
	_, why := failing(x)
	proven := provenBeside(x) || ranBefore(x)
	return why.Does == "" && len(x.down) > 0 && !slices.ContainsFunc(x.down, func(key model.Key) bool {
		p, f := x.pod(key), x.facts(key)
		shared := f.OfInit && len(x.revisions()) < 2 && slices.ContainsFunc(x.set.Spec.Template.Containers,
			func(c model.Container) bool { return c.Image == f.Image })
		return !proven && !shared || p == nil || p.Containers == nil || !symptom.Ends.Has(p.Containers.Shown)
	})
}

// full reports whether the pods that do not serve wait for nodes that are full of pods: no template alters that.
func full(x *situation) bool {
	return len(x.down) > 0 && !slices.ContainsFunc(x.down, func(key model.Key) bool {
		return !x.facts(key).Unplaced().OnlyFull()
	})
}

// fromCurrent says whether a pod that is made at an index comes from the current revision while another one is rolled out,
// so that no change of the template reaches it: below the partition or, without a block, status.currentReplicas.
func fromCurrent(set *model.StatefulSet, index int) bool {
	if set.Status.CurrentRevision == set.Status.UpdateRevision {
		return false
	}
	if block := set.Spec.Strategy.RollingUpdate; block != nil {
		return index < int(block.Partition)
	}
	return set.Spec.Strategy.Type == model.RollingUpdateStrategy && index < int(set.Status.Current)
}

// templateAt returns the template that a pod is made from at an index; nil if it is not known.
func templateAt(x *situation, index int) *model.Template {
	switch current := x.current(); {
	case !fromCurrent(x.set, index):
		return x.set.Spec.Template
	case current != nil:
		return current.Template
	}
	return nil
}

// current returns the current revision of the set; nil if it is not known.
func (x *situation) current() *model.Revision {
	for _, r := range x.given.State.Revisions {
		if r.Namespace == x.set.Namespace && r.Name == x.set.Status.CurrentRevision {
			return r
		}
	}
	return nil
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
	const soon, long = model.Time(5 * time.Second), model.Time(time.Hour)
	revision := x.current()
	if revision == nil || len(x.down) == 0 || revision.Name != x.set.Status.UpdateRevision {
		return false
	}
	later := revision.Created + soon
	first := x.pod(x.down[0])
	fails := first != nil && (first.Node == "" || first.Phase == model.Pending ||
		first.Containers != nil && first.Containers.Shown != "")
	if len(x.revisions()) == 1 && fails && !anyReady(x) {
		// A first start may never have been completed, and somebody has deleted its pods since.
		later += long
	}
	return !slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
		return slices.Contains(x.down, p.Key()) && (p.Revision() != revision.Name || p.Created < later)
	})
}

func anyReady(x *situation) bool {
	return slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool { return p.Ready && x.owns(&p) })
}

// provenBeside reports whether a dump shows, for each pod that does not serve, a Ready one of the set with its template.
func provenBeside(x *situation) bool {
	if !x.fromDump() || len(x.down) == 0 {
		return false
	}
	return !slices.ContainsFunc(x.given.State.Pods, func(down sim.PodState) bool {
		return slices.Contains(x.down, down.Key()) && !slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
			return p.Ready && p.Namespace == x.set.Namespace && x.set.OrdinalOf(p.Name) >= 0 &&
				dump.SameSpec(p.Template, down.Template)
		})
	})
}

// failing returns the first container of the pods that are down which does not run, and what an edit does about why; or
// the first container of the set, and what an edit does about why its pods do not start. Where an edit is no better than
// another image, it does nothing.
func failing(x *situation) (container string, why symptom.Row) {
	if containers := x.set.Spec.Template.Containers; len(containers) > 0 {
		container = containers[0].Name
	}
	switch {
	case x.refusal != "", len(x.set.Spec.Template.Wrong) > 0:
		return container, symptom.Unadmitted
	case x.unplaced > 0 && x.unplaced == len(x.down):
		return container, symptom.NoNode
	}
	for _, p := range x.given.State.Pods {
		f := x.facts(p.Key())
		switch {
		case !slices.Contains(x.down, p.Key()):
		case p.Containers != nil && strings.Contains(p.Containers.Message, symptom.Unstarted.Name) &&
			symptom.Of(p.Containers.Shown, "").None():
			return p.Containers.Name, symptom.Unstarted
		case f.Stopped != "" && p.Containers != nil && symptom.Of(p.Containers.Shown, p.Containers.Message).None():
			return cmp.Or(p.Containers.Name, container), symptom.Unalive
		case p.Containers != nil && p.Containers.Shown != "" && p.Containers.Name != "":
			if image := f.NoImage(); image.Does != "" {
				return p.Containers.Name, *image
			}
			return p.Containers.Name, *symptom.Of(p.Containers.Shown, p.Containers.Message)
		case p.Phase == model.Running && len(dump.PartsOf(p.Template).ReadinessGates) > 0:
			return container, symptom.Ungated
		case p.Phase == model.Pending && p.Node != "" && x.given.Lab.World.Start != nil:
			return container, symptom.Uncreated
		case p.Phase == model.Running && f.Waiting == "" && symptom.Untimely.In(f.Event):
			return append(f.Unready, container)[0], symptom.Slow
		case p.Phase == model.Running && f.Waiting == "" && symptom.ProbeFails.In(f.Event):
			return append(f.Unready, container)[0], symptom.Unprobed
		case p.Phase == model.Running && len(f.Unready) > 0:
			return f.Unready[0], why
		}
	}
	return container, why
}

// repaired gives a set a template that works, and says what that needs. The user has to say which: an image; or, if
// no image changes what is wrong, an edit. Each is played as a template whose pods become Ready.
func repaired(x *situation) (repair play.Script, needs string) {
	const edits = play.WritesSet | play.EditsTemplate
	key := x.given.Key
	container, why := failing(x)
	d := play.Deed{Verb: "setImage", Does: "give " + key.Name + " an image that works", Acts: edits,
		Kubectl: shell.In(key.Namespace, "set", "image", "statefulset/"+key.Name, container+"=IMAGE")}
	needs = "IMAGE is an image that works" + symptom.OrFix
	if why.Does != "" {
		d = play.Deed{Verb: "edit", Does: fmt.Sprintf(why.Does, key.Name), Acts: edits | play.EasesQuota,
			Kubectl: shell.In(key.Namespace, "edit", "statefulset/"+key.Name)}
		needs = strings.Replace(why.Needs, "%s", container, 1)
	}
	if why.Name == symptom.NoNode.Name && spreads(x) {
		needs = symptom.RelaxSpread
	}
	// Several attempts make the change, each in a world of its own, mostly of one template: it is made once.
	var was, is *model.Template
	return play.Script{play.Change(key, d, func(_ *sim.User, set *model.StatefulSet) *model.APIError {
		if set.Spec.Template == was {
			set.Spec.Template = is
			return nil
		}
		changed, err := manifest.SetImage(set, container, "image.that/works:1")
		if err != nil {
			return &model.APIError{Reason: model.Invalid, Message: err.Error()}
		}
		switch why.Name {
		case symptom.NoNode.Name:
			changed = manifest.AnyNode(changed, taintsOf(x.given.State.Nodes))
		case symptom.Ungated.Name:
			changed = manifest.Ungated(changed)
		}
		was, is = set.Spec.Template, changed.Spec.Template
		*set = *changed
		return nil
	})}, needs
}

// taintsOf returns the keys of the taints that the nodes have, without those that come and go with their state, and
// those of nodes that a cluster autoscaler removes.
func taintsOf(nodes []sim.NodeState) []string {
	var keys []string
	for i := range nodes {
		for _, taint := range nodes[i].Taints {
			if !slices.Contains(keys, taint.Key) && symptom.Taint(taint.Key).Name != symptom.Leaving {
				keys = append(keys, taint.Key)
			}
		}
	}
	return keys
}
