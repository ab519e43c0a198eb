package upgrade

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// If no difference between two versions can matter to a run, the run is the same under both, and it is played once.
// Most differences matter to few sets and few cases; the rules below say to which. They rely on two facts: calls take
// no time here, and nothing fails except what the case lets fail. A difference without a rule may always matter.
// TestMatters compares the rules with the runs themselves.

// asked is a question: what a set does in a case.
type asked struct {
	// The set as given; only read.
	*model.StatefulSet
	of *whatif.Case
	// strict is true if the newest version, which checks the most, accepts the set.
	strict bool
	// quiet is true if the case is an upgrade that creates no new revision: the versions agree about how a revision is
	// made from a template (revised).
	quiet bool
	// atLeastOne is true if a budget of less than one pod is one in all versions that are compared.
	atLeastOne bool
}

func (a asked) is(names ...string) bool { return slices.Contains(names, a.of.Name) }

// still says whether the case is one in which no pod has an old template.
func (a asked) still() bool {
	return a.quiet || a.is("scale", "scale-back", "failed", "succeeded", "ordinals", created.Name)
}

// breaks says whether an update of a Parallel set may find a pod of an old revision that is unavailable, and is not
// being deleted. It finds none where all pods are available when it begins and only the user deletes others, unless
// those come back at the old revision.
func (a asked) breaks() bool {
	if !a.rolling() || a.Spec.PodManagement != model.Parallel || a.still() || a.is("image", "partition") {
		return false
	}
	return !a.is("restart") || a.Spec.Strategy.RollingUpdate == nil
}

// parted says whether a rolling update may meet a partition: the set has one, or the case sets it.
func (a asked) parted() bool {
	return a.rolling() && (a.Partition() > 0 || a.is("partition"))
}

// oneDown says whether maxUnavailable, or all of the set, is one pod.
func (a asked) oneDown() bool {
	block := a.Spec.Strategy.RollingUpdate
	if block == nil || block.MaxUnavailable == nil {
		return true
	}
	most := int(block.MaxUnavailable.Value)
	if block.MaxUnavailable.Percent {
		most = most * int(a.Spec.Replicas) / 100
	}
	return min(most, int(a.Spec.Replicas)) == 1 || most < 1 && a.atLeastOne
}

// oneBreaks says whether the case has no pod unavailable but the highest one, at a revision that never becomes Ready
// and is reverted: with a budget of one pod, a version that replaces broken pods first goes on as one without a budget.
func (a asked) oneBreaks() bool {
	return a.is("broken", "never-starts") && a.Spec.PodManagement == model.Parallel && a.oneDown()
}

func (a asked) rolling() bool { return a.Spec.Strategy.Type == model.RollingUpdateStrategy }

func (a asked) claims() bool { return len(a.Spec.ClaimTemplates) > 0 }

// waits says whether a pod is not available as soon as it is Ready: minReadySeconds is set, or the case sets it.
func (a asked) waits() bool { return a.Spec.MinReadySeconds > 0 || a.is("together") }

// refusable says whether the case changes a field that is immutable in some version.
func (a asked) refusable() bool { return a.is("ordinals", "together") }

// isLabel says whether a text is certainly a DNS label. 50 characters leave room for what the controller appends
// before the 63 of a label are reached; a dot is allowed in a name, and not in a label. It says no in doubt, which
// costs a run.
func isLabel(text string) bool { return len(text) < 50 && !strings.Contains(text, ".") }

// never is the rule of a difference that no run of this package can show.
func never(asked) bool { return false }

// acrossUpgrade is the rule of a difference that shows only in an upgrade of a set that runs.
func acrossUpgrade(a asked) bool { return a.of.Across }

// matters has for each difference, by name, the rule that says for which sets and cases it can matter. A rule that
// says yes too often costs runs; one that says no wrongly hides a difference from the user, and TestMatters looks for
// such.
var matters = map[string]func(asked) bool{
	// In these runs nobody compares the texts of events, sets conditions or writes into revisions, and caches do not lag.
	"capital-events": never, "keep-conditions": never, "stale-guard": never, "delete-ignores-not-found": never,
	"update-ignores-not-found": never, "count-failed-delete": never, "restore-spec": never,

	"knows-recreate":    func(a asked) bool { return a.Spec.Strategy.Type == model.RecreateStrategy },
	"recreate":          func(a asked) bool { return a.Spec.Strategy.Type == model.RecreateStrategy },
	"exact-requeue":     asked.waits,
	"availability":      asked.waits,
	"min-ready-seconds": asked.waits,
	// An update within a budget of one pod takes down one, as without it: in OrderedReady it begins when all pods are
	// available, and in Parallel it differs only if another pod is unavailable too.
	"max-unavailable": func(a asked) bool {
		others := a.Spec.PodManagement == model.Parallel && !a.is("image", "partition")
		return a.rolling() && !a.still() && (others || !a.oneDown())
	},
	"broken-first": asked.breaks,
	// Without a partition all pods count in both ways.
	"budget-from-partition":  asked.parted,
	"percent-from-partition": asked.parted,
	// Only a scale-down makes surplus pods, and no write fails.
	"condemned-first": func(a asked) bool { return a.Spec.PodManagement == model.Parallel },
	"exact-names":     never,
	// All pods of an OnDelete set reach the update revision if there are none, or if all of them are deleted.
	"complete-any-strategy": func(a asked) bool {
		return !a.rolling() && !a.still() && (a.Spec.Replicas == 0 || a.is("by-hand") || a.of.Across && !a.quiet)
	},

	// A version compares its revisions with those of another version only after an upgrade of the control plane.
	"semantic-revisions": acrossUpgrade, "null-timestamps": acrossUpgrade, "hash-label": acrossUpgrade,
	"pod-index": acrossUpgrade,

	"retention":          asked.claims,
	"controller-refs":    asked.claims,
	"pending-claims":     asked.claims,
	"terminating-claims": asked.claims,
	"start-ordinal":      func(a asked) bool { return a.Spec.Ordinals != nil || a.is("ordinals") },
	"restart-succeeded":  func(a asked) bool { return a.is("succeeded") },
	"next-sync":          func(a asked) bool { return a.is("failed", "succeeded") },

	// Differences of the API server only: they matter if it refuses or drops something.
	"min-ready-seconds-field": asked.waits,
	"max-unavailable-field":   asked.rolling,
	"retention-field":         asked.claims,
	"ordinals-field":          func(a asked) bool { return a.Spec.Ordinals != nil || a.is("ordinals") },
	"mutable-in-order":        asked.refusable,
	"mutable-history-limit":   asked.refusable,
	"json-values":             asked.refusable,
	"field-errors":            asked.refusable,
	"own-places":              never,
	"declarative-validation":  asked.refusable,
	"check-claims":            func(a asked) bool { return !a.strict },
	"label-name":              func(a asked) bool { return !isLabel(a.Name) },
	"label-service":           func(a asked) bool { return !isLabel(a.Spec.ServiceName) },
}

// rules are those of matters by the index of the difference; nil is no rule.
var rules = func() []func(asked) bool {
	list := make([]func(asked) bool, len(statefulset.Differences))
	for i := range list {
		list[i] = matters[statefulset.Differences[i].Name]
	}
	return list
}()

// behaves is a set of differences: bit i stands for statefulset.Differences[i]. There must be at most 64 of them.
type behaves uint64

// all returns the differences that a version has, including those that follow from its feature gates.
func (p *player) all(profile statefulset.Profile) behaves {
	return p.has.get(profile, func() behaves {
		return those(func(i int) bool { return statefulset.Differences[i].On(profile) })
	})
}

// those returns the differences of which is says so by their index.
func those(is func(i int) bool) (b behaves) {
	for i := range statefulset.Differences {
		if is(i) {
			b |= 1 << i
		}
	}
	return b
}

// these returns the differences with these names. It panics at the start of the program if a name is unknown: the
// shift is then negative.
func these(names ...string) (b behaves) {
	for _, name := range names {
		b |= 1 << slices.IndexFunc(statefulset.Differences, func(d statefulset.Difference) bool { return d.Name == name })
	}
	return b
}

var (
	// revised are those because of which another version may create another revision of the same template.
	revised = these("semantic-revisions", "null-timestamps", "hash-label")
	// meaning is that a version which writes the same template in another way keeps the revision all the same.
	meaning = these("semantic-revisions")
	// budget is the update with maxUnavailable. broken, the update that replaces broken pods first, needs budget.
	budget, broken = these("max-unavailable"), these("broken-first")
	// changeable are those that have the API server accept what a case changes, wording those in what a refusal says.
	changeable = map[string]behaves{"ordinals": these("ordinals-field"), "together": these("min-ready-seconds")}
	wording    = these("mutable-in-order", "mutable-history-limit", "json-values", "field-errors", "declarative-validation")
	// fills are those because of which a version may store the same set in another way.
	fills = these("start-ordinal", "ordinals-field", "retention", "retention-field", "min-ready-seconds",
		"min-ready-seconds-field")
)

// asked returns the question about a case. The versions in between are of the same rules as the first and the last.
func (p *player) asked(of *whatif.Case, quiet bool) asked {
	one := p.options.From.BudgetAtLeastOne && p.options.To.BudgetAtLeastOne
	return asked{p.set, of, p.strict(), quiet, one}
}

// mask returns the differences that can matter to a case; quiet is as in asked.
func (p *player) mask(of *whatif.Case, quiet bool) behaves {
	return p.matter.get(matter{of.Name, quiet}, func() behaves {
		a := p.asked(of, quiet)
		// Versions treat an invalid set in many different ways.
		wrong := a.Spec.Wrong != nil || len(a.Spec.Template.Wrong) > 0
		return those(func(i int) bool { return wrong || rules[i] == nil || rules[i](a) })
	})
}

// created is the beginning that most cases have in common: the set is created, and comes to rest. Another version may
// go on from there.
var created = &whatif.Case{Name: "created", Across: true}

// creation returns those differences of a version that can matter to the creation of the set, and to what it leaves for
// the cases that go on from there: a version stores the set with the fields that it keeps and fills in. What it fills
// in for maxUnavailable is what versions take that have none.
func (p *player) creation(profile statefulset.Profile) behaves {
	if p.options.everything {
		return p.all(profile)
	}
	mask := p.mask(created, false) | fills
	if block := p.set.Spec.Strategy.RollingUpdate; block != nil && block.MaxUnavailable != nil {
		mask |= budget
	}
	return p.all(profile) & mask
}

// side is a case under a pair of versions. If the case is an upgrade, the set is created under from; then is the
// version after the upgrade.
type side struct {
	of         *whatif.Case
	from, then statefulset.Profile
}

// behaves returns those differences of a version that can matter to a case. Two versions with equal answers play the
// case alike, event by event. An answer may have fewer bits than the rules say: without maxUnavailable nothing is
// replaced out of turn, and a change that is accepted is not refused in some words.
func (p *player) behaves(s side, profile statefulset.Profile) behaves {
	b := p.all(profile)
	if p.options.everything {
		return b
	}
	mask := p.mask(s.of, p.quiet(s))
	if b&budget == 0 {
		mask &^= broken
	}
	if b&changeable[s.of.Name] != 0 && p.strict() {
		mask &^= wording
	}
	return b & mask
}

// quiet says whether a case is an upgrade that creates no new revision.
func (p *player) quiet(s side) bool {
	return s.of.Across && ((p.all(s.from)^p.all(s.then))&revised == 0 || p.all(s.then)&meaning != 0)
}

// matter is the key of a kept answer: a case, and whether it is an upgrade that creates no new revision.
type matter struct {
	name  string
	quiet bool
}

// isStrict says whether the newest version, which checks all of it, accepts the set.
func (p *player) isStrict() bool {
	newest, err := statefulset.Lookup("")
	if err != nil {
		panic("upgrade: there is no newest version: " + err.Error())
	}
	return p.stored(newest).refusal == ""
}

// differ returns the differences between the versions of a hop that can matter to a case, in the order of
// statefulset.Differences. Only these are tried as causes.
func (p *player) differ(c *whatif.Case, h *hop) []statefulset.Difference {
	both := side{c, h.from, h.to}
	differ := (p.behaves(both, h.from) ^ p.behaves(both, h.to)) & (p.all(h.from) ^ p.all(h.to))
	var list []statefulset.Difference
	for i, d := range statefulset.Differences {
		if differ&(1<<i) != 0 {
			list = append(list, d)
		}
	}
	return list
}
