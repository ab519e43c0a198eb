package upgrade

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Hazard is what an upgrade brings about in a state that few sets are in: a write that fails, a pod that is broken. So
// the sets that can meet it are named by their shape.
type Hazard struct {
	// Trap is its name in the atlas, From the version that brings it about.
	Trap string `json:"trap"`
	From string `json:"from"`
	// Happens says what happens, Avoid which change avoids it. Both are sentences without a full stop.
	Happens string `json:"happens"`
	Avoid   string `json:"avoid"`
	// Sets are the sets that can meet it, NAMESPACE/NAME. Commands make the change that avoids it, one for each set; they
	// are left out if no change of a set does. After is true if they belong after the upgrade, because the old API server
	// refuses them.
	Sets     []string `json:"sets"`
	Commands []string `json:"commands,omitempty"`
	After    bool     `json:"after,omitempty"`
}

// hazard is a Hazard before the sets are known.
type hazard struct {
	trap string
	// comes reports whether a version is on the side of the hazard that the upgrade leads to.
	comes func(statefulset.Profile) bool
	// meets reports whether a set can meet it; nil takes the shape of the trap.
	meets          func(*model.StatefulSet) bool
	happens, avoid string
	// patch is the merge patch that avoids it; nil if none does.
	patch func(*model.StatefulSet) string
	after bool
}

// hazards are all that are known, the worst first.
var hazards = []hazard{
	{
		trap:  "surplus-holds-up",
		comes: func(p statefulset.Profile) bool { return p.CondemnedFirst },
		happens: "with Parallel, a surplus pod that cannot be deleted, or whose claim cannot be updated, keeps missing pods " +
			"from being created",
		avoid: "make sure before a scale-down that no admission webhook refuses deletions",
	},
	{
		trap:    "percent-of-partition",
		comes:   func(p statefulset.Profile) bool { return p.PercentFromPartition },
		happens: "a percentage in maxUnavailable becomes one of the pods from the partition up, so fewer are replaced at a time",
		avoid:   "write the number of pods in its place",
		patch: func(s *model.StatefulSet) string {
			return fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":%d}}}}`, s.MayBeDown())
		},
	},
	{
		trap:  "below-partition",
		comes: func(p statefulset.Profile) bool { return p.BudgetFromPartition },
		happens: "with Parallel and a partition, pods below the partition that are not available no longer use up " +
			"maxUnavailable: an update that waits for them goes on as soon as the new controller runs",
		avoid: "raise the partition to the number of replicas before the upgrade, if the update must not go on",
		patch: func(s *model.StatefulSet) string {
			return fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, s.Spec.Replicas)
		},
	},
	{
		trap:  "recreate-by-apply",
		comes: func(p statefulset.Profile) bool { return p.API().Recreate },
		meets: func(s *model.StatefulSet) bool { return s.Spec.Strategy.Type == model.RecreateStrategy },
		happens: "the manifest asks for Recreate, which the old API server refuses: so the live set has another strategy, and " +
			"kubectl apply of the manifest is refused if that has the block rollingUpdate",
		avoid: "write rollingUpdate: null beside type: Recreate in the manifest, or patch the live set after the upgrade",
		patch: func(*model.StatefulSet) string {
			return `{"spec":{"updateStrategy":{"type":"Recreate","rollingUpdate":null}}}`
		},
		after: true,
	},
}

// fits reports whether a set can meet the hazard.
func (h *hazard) fits(s *model.StatefulSet) bool {
	if h.meets != nil {
		return h.meets(s)
	}
	return atlas.Lookup(h.trap).Fits(s)
}

// isOfUpdates reports whether the hazard is about maxUnavailable, which both versions must obey then.
func (h *hazard) isOfUpdates() bool {
	return h.trap == "percent-of-partition" || h.trap == "below-partition"
}

// hazardsOf returns what the upgrade from one version to another brings about for some of the sets.
func hazardsOf(sets []*Set, from, to statefulset.Profile) []*Hazard {
	var list []*Hazard
	for i := range hazards {
		h := &hazards[i]
		obeyed := from.MaxUnavailable && to.MaxUnavailable
		if h.comes(from) || !h.comes(to) || h.isOfUpdates() && !obeyed {
			continue
		}
		met := &Hazard{Trap: h.trap, From: to.Version(), Happens: h.happens, Avoid: h.avoid, After: h.after}
		for _, set := range sets {
			if !h.fits(set.object) {
				continue
			}
			met.Sets = append(met.Sets, set.Key.String())
			if h.patch != nil {
				met.Commands = append(met.Commands,
					shell.Patch(set.Key.Namespace, "statefulset", set.Key.Name, h.patch(set.object)))
			}
		}
		if len(met.Sets) > 0 {
			list = append(list, met)
		}
	}
	return list
}

// mostInHazard is the number of sets that are named in a sentence, and of the commands below it.
const mostInHazard = 6

// says is the hazard in a sentence.
func (h *Hazard) says() string {
	return fmt.Sprintf("%s (the trap %s): %s. To avoid it, %s", render.Capital(h.Happens), h.Trap,
		render.List(h.Sets, mostInHazard), h.Avoid)
}

// hazardItems are the hazards, each with the first of its commands.
func (r *Report) hazardItems() (list []doc.Item) {
	for _, h := range r.Hazards {
		item := doc.Line(h.says()).In(render.Warn)
		item.Items = doc.Commands(h.Commands[:min(len(h.Commands), mostInHazard)]...)
		list = append(list, item)
	}
	return list
}
