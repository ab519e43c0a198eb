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
}

// is says whether the case is one of these.
func (a asked) is(names ...string) bool { return slices.Contains(names, a.of.Name) }

// still are the cases in which no pod is of an old template.
func (a asked) still() bool {
	return a.is("scale", "scale-back", "failed", "succeeded", "ordinals")
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
	"max-unavailable":   func(a asked) bool { return a.rolling() && !a.still() },
	"broken-first": func(a asked) bool {
		return a.rolling() && a.Spec.PodManagement == model.Parallel && !a.still()
	},
	"complete-any-strategy": func(a asked) bool { return !a.rolling() && !a.still() },

	// Revisions are only compared with those of another version where the control plane changes under the set.
	"semantic-revisions": func(a asked) bool { return a.of.Across },
	"null-timestamps":    func(a asked) bool { return a.of.Across },
	"hash-label":         func(a asked) bool { return a.of.Across },
	"pod-index":          func(a asked) bool { return a.of.Across },

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

// behaves are the differences between versions that a version has.
type behaves [64]bool

func behavesOf(profile statefulset.Profile) (b behaves) {
	for i, d := range statefulset.Differences {
		b[i] = d.On(profile)
	}
	return b
}

// behaves are the differences that a version has, of those that can matter to a case.
func (p *player) behaves(c *whatif.Case, profile statefulset.Profile) behaves {
	b := behavesOf(profile)
	if p.options.everything {
		return b
	}
	matter := p.matter[c.Name]
	if matter == nil {
		matter = new(behaves)
		for i, d := range statefulset.Differences {
			matter[i] = mayMatter(d, asked{p.set, c, p.strict()})
		}
		p.matter[c.Name] = matter
	}
	for i := range b {
		b[i] = b[i] && matter[i]
	}
	return b
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
	from, to := p.behaves(c, h.from), p.behaves(c, h.to)
	var list []statefulset.Difference
	for i, d := range statefulset.Differences {
		if from[i] != to[i] {
			list = append(list, d)
		}
	}
	return list
}
