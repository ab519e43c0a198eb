package upgrade

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// A run is the same under two versions that differ in nothing that can matter to it. Most differences between versions
// matter to few sets and few cases: who knows which need not play the others. Calls take no time here, and nothing
// fails that the case does not let fail. What no rule is known for may always matter. TestMatters holds the rules to
// the runs themselves.

// asked is a set, and what happens to it.
type asked struct {
	*model.StatefulSet
	of *whatif.Case
	// strict says that the version that looks closest takes the set.
	strict bool
	// quiet says that a case across an upgrade brings no new revision.
	quiet bool
}

// is says whether the case is one of these.
func (a asked) is(names ...string) bool { return slices.Contains(names, a.of.Name) }

// still are the cases in which no pod is of an old template.
func (a asked) still() bool {
	return a.quiet || a.is("scale", "scale-back", "failed", "succeeded", "ordinals")
}

// budgeted says whether the set is one whose update may find, or leave, another number of pods unavailable than one. An
// OrderedReady set comes to its update when all pods are available, and without maxUnavailable takes down one of them
// whichever way it counts.
func (a asked) budgeted() bool {
	return a.Spec.PodManagement == model.Parallel || !oneAtATime(a.StatefulSet)
}

// oneAtATime says whether an update takes down one pod at a time, whatever counts.
func oneAtATime(set *model.StatefulSet) bool {
	block := set.Spec.Strategy.RollingUpdate
	return block == nil || block.MaxUnavailable == nil || *block.MaxUnavailable == model.IntOrPercent{Value: 1}
}

// completes says whether all pods of an OnDelete set may come to be of the update's revision: where there are none, or
// where all are deleted.
func (a asked) completes() bool {
	return a.Spec.Replicas == 0 || a.is("by-hand") || a.of.Across && !a.quiet
}

func (a asked) rolling() bool { return a.Spec.Strategy.Type == model.RollingUpdateStrategy }

func (a asked) claims() bool { return len(a.Spec.ClaimTemplates) > 0 }

// waits says whether a pod is not available as soon as it is Ready.
func (a asked) waits() bool { return a.Spec.MinReadySeconds > 0 || a.is("together") }

// refusable says whether the case changes a field that some version refuses to change.
func (a asked) refusable() bool { return a.is("ordinals", "together") }

// isLabel says whether a text is certainly a DNS label.
func isLabel(text string) bool { return len(text) < 50 && !strings.Contains(text, ".") }

func never(asked) bool { return false }

func acrossUpgrade(a asked) bool { return a.of.Across }

// matters says, by the name of a difference, for which sets and cases it can matter.
var matters = map[string]func(asked) bool{
	// Nobody compares the texts of events, sets conditions of their own, or has caches that lag.
	"capital-events": never, "keep-conditions": never, "stale-guard": never, "delete-ignores-not-found": never,
	"update-ignores-not-found": never, "count-failed-delete": never,

	"knows-recreate":    func(a asked) bool { return a.Spec.Strategy.Type == model.RecreateStrategy },
	"recreate":          func(a asked) bool { return a.Spec.Strategy.Type == model.RecreateStrategy },
	"exact-requeue":     asked.waits,
	"availability":      asked.waits,
	"min-ready-seconds": asked.waits,
	"max-unavailable":   func(a asked) bool { return a.rolling() && !a.still() && a.budgeted() },
	"broken-first": func(a asked) bool {
		return a.rolling() && a.Spec.PodManagement == model.Parallel && !a.still()
	},
	"complete-any-strategy": func(a asked) bool { return !a.rolling() && !a.still() && a.completes() },

	// Revisions are only compared with those of another version where the control plane changes under the set.
	"semantic-revisions": acrossUpgrade, "null-timestamps": acrossUpgrade, "hash-label": acrossUpgrade,
	"pod-index": acrossUpgrade,

	"retention":          asked.claims,
	"controller-refs":    asked.claims,
	"pending-claims":     asked.claims,
	"terminating-claims": asked.claims,
	"start-ordinal":      func(a asked) bool { return a.Spec.Ordinals != nil || a.is("ordinals") },
	"restart-succeeded":  func(a asked) bool { return a.is("succeeded") },
	"next-sync":          func(a asked) bool { return a.is("failed", "succeeded") },

	// The API server alone: it matters where it refuses something, or drops it.
	"min-ready-seconds-field": asked.waits,
	"max-unavailable-field":   asked.rolling,
	"retention-field":         asked.claims,
	"ordinals-field":          func(a asked) bool { return a.Spec.Ordinals != nil || a.is("ordinals") },
	"mutable-in-order":        asked.refusable,
	"mutable-history-limit":   asked.refusable,
	"json-values":             asked.refusable,
	"field-errors":            asked.refusable,
	"check-claims":            func(a asked) bool { return !a.strict },
	"label-name":              func(a asked) bool { return !isLabel(a.Name) },
	"label-service":           func(a asked) bool { return !isLabel(a.Spec.ServiceName) },
}

// mayMatter says whether a difference between versions can matter to a set in a case.
func mayMatter(d statefulset.Difference, a asked) bool {
	// What is wrong with a set, and some versions take all the same, is refused in many ways.
	if a.Spec.Wrong != nil || len(a.Spec.Template.Wrong) > 0 {
		return true
	}
	rule, known := matters[d.Name]
	return !known || rule(a)
}

// behaves are the differences between versions that a version has, by their places in the table of them.
type behaves uint64

// all are all differences of a version.
func (p *player) all(profile statefulset.Profile) (b behaves) {
	if known, found := p.has[profile]; found {
		return known
	}
	for i, d := range statefulset.Differences {
		if d.On(profile) {
			b |= 1 << i
		}
	}
	p.has[profile] = b
	return b
}

// these are differences by their names.
func these(names ...string) (b behaves) {
	for _, name := range names {
		b |= 1 << slices.IndexFunc(statefulset.Differences, func(d statefulset.Difference) bool { return d.Name == name })
	}
	return b
}

var (
	// revised are those by which another version may make another revision of one template.
	revised = these("semantic-revisions", "null-timestamps", "hash-label")
	// worded are those that only matter to a change that is refused.
	worded = these("mutable-in-order", "mutable-history-limit", "json-values", "field-errors")
	// budget is the update with maxUnavailable, broken the one that replaces broken pods first, which is a part of it.
	budget, broken = these("max-unavailable"), these("broken-first")
	// takes are those by which a version takes a change that others refuse.
	takes = map[string]behaves{"ordinals": these("ordinals-field"), "together": these("min-ready-seconds")}
)

// side is a case under a version. The set of a case across an upgrade is made under another one.
type side struct {
	of         *whatif.Case
	from, then statefulset.Profile
}

// behaves are the differences that a version has, of those that can matter to a case.
func (p *player) behaves(s side, profile statefulset.Profile) behaves {
	b := p.all(profile)
	if p.options.everything {
		return b
	}
	quiet := s.of.Across && (p.all(s.from)^p.all(s.then))&revised == 0
	key := matter{s.of.Name, quiet}
	mask, known := p.matter[key]
	if !known {
		for i, d := range statefulset.Differences {
			if mayMatter(d, asked{StatefulSet: p.set, of: s.of, strict: p.strict(), quiet: quiet}) {
				mask |= 1 << i
			}
		}
		p.matter[key] = mask
	}
	if needed := takes[s.of.Name]; needed != 0 && b&needed == needed && p.strict() {
		mask &^= worded
	}
	if b&budget == 0 {
		mask &^= broken
	}
	return b & mask
}

// replacesOne says whether a case is one in which the update finds no pod that is not available, but the one that it
// has just replaced, and takes down one at a time: then it is the same with maxUnavailable and broken pods first as it
// is without both.
func (p *player) replacesOne(c *whatif.Case) bool {
	return slices.Contains([]string{"image", "never-starts", "broken", "partition"}, c.Name) && oneAtATime(p.set)
}

// matter is a case, and whether it is one across an upgrade that brings no new revision.
type matter struct {
	name  string
	quiet bool
}

// strict says whether the newest version takes the set, which looks at all of it.
func (p *player) strict() bool {
	if p.taken == nil {
		newest, err := statefulset.Lookup("")
		if err != nil {
			panic("upgrade: there is no newest version: " + err.Error())
		}
		lab := play.Lab{Profile: newest, World: sim.Config{Kubelet: byImage}}
		_, refusal := lab.Store(p.set)
		taken := refusal == nil
		p.taken = &taken
	}
	return *p.taken
}

// differ are the differences between the versions of a hop that can matter to a case.
func (p *player) differ(c *whatif.Case, h *hop) []statefulset.Difference {
	both := side{c, h.from, h.to}
	differ := p.behaves(both, h.from) ^ p.behaves(both, h.to)
	var list []statefulset.Difference
	for i, d := range statefulset.Differences {
		if differ&(1<<i) != 0 {
			list = append(list, d)
		}
	}
	return list
}
