package statefulset

import (
	"maps"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
)

// Since returns the first patch that behaves as the profile does: 1.28.11 for what Version calls 1.28.
func (p Profile) Since() string {
	if p.level == nil {
		return ""
	}
	return "1." + strconv.Itoa(p.level.minor) + "." + strconv.Itoa(p.level.patch)
}

// Locked says whether a feature gate is known, and cannot be set to anything but its default.
func (p Profile) Locked(gate string) bool { return p.gate(gate) == gateLocked }

// Knows says whether a feature gate is known.
func (p Profile) Knows(gate string) bool { return p.gate(gate) != gateGone }

// AllGates lists the feature gates that any version knows, in the order of their names.
func AllGates() []string { return slices.Sorted(maps.Keys(gateFields)) }

// APIChanges says in words what the API server of one version does with a StatefulSet and that of another does not, and
// the other way round.
func APIChanges(from, to Profile) []string {
	a, b := from.API(), to.API()
	var changes []string
	for _, rule := range apiRules {
		switch before, now := rule.of(&a), rule.of(&b); {
		case now && !before:
			changes = append(changes, rule.on)
		case before && !now:
			changes = append(changes, rule.off)
		}
	}
	if !a.FieldErrors && !b.FieldErrors && a.Mutable != b.Mutable {
		changes = append(changes, "The refusal of a change names as mutable "+b.Mutable+"; before "+a.Mutable+".")
	}
	return changes
}

// apiRule is a rule of the API server, and how its coming and its going are told.
type apiRule struct {
	of      func(*model.APIRules) bool
	on, off string
}

const (
	maxUnavailableField = "spec.updateStrategy.rollingUpdate.maxUnavailable"
	retentionField      = "spec.persistentVolumeClaimRetentionPolicy"
)

var apiRules = []apiRule{
	{func(r *model.APIRules) bool { return r.MaxUnavailable },
		maxUnavailableField + " is kept, and becomes 1 where the block has none; before it was dropped.",
		maxUnavailableField + " is dropped, unless the object has it already; before it was kept, and 1 where " +
			"there was none."},
	{func(r *model.APIRules) bool { return r.MinReadySeconds },
		"spec.minReadySeconds is kept; before it was dropped.",
		"spec.minReadySeconds is dropped, unless the object has it already; before it was kept."},
	{func(r *model.APIRules) bool { return r.StartOrdinal },
		"spec.ordinals is kept; before it was dropped.",
		"spec.ordinals is dropped, unless the object has it already; before it was kept."},
	{func(r *model.APIRules) bool { return r.Retention },
		retentionField + " is kept, and becomes Retain where it is left out; before it was dropped.",
		retentionField + " is dropped, unless the object has it already; before it was kept."},
	{func(r *model.APIRules) bool { return r.Recreate },
		"The strategy Recreate is accepted; before it was refused.",
		"The strategy Recreate is refused; before it was accepted."},
	{func(r *model.APIRules) bool { return r.MutableMinReadySeconds },
		"spec.minReadySeconds may be changed; before a change was refused.",
		"A change of spec.minReadySeconds is refused; before it was allowed."},
	{func(r *model.APIRules) bool { return r.MutableOrdinals },
		"spec.ordinals may be changed; before a change was refused.",
		"A change of spec.ordinals is refused; before it was allowed."},
	{func(r *model.APIRules) bool { return r.MutableRetention },
		retentionField + " may be changed; before a change was refused.",
		"A change of " + retentionField + " is refused; before it was allowed."},
	{func(r *model.APIRules) bool { return r.MutableHistoryLimit },
		"spec.revisionHistoryLimit may be changed; before a change was refused.",
		"A change of spec.revisionHistoryLimit is refused; before it was allowed."},
	{func(r *model.APIRules) bool { return r.FieldErrors },
		"Each immutable field that was changed is refused by itself (field is immutable); before one refusal listed the " +
			"fields that may be changed.",
		"One refusal of immutable fields lists those that may be changed; before each was refused by itself."},
	{func(r *model.APIRules) bool { return r.LabelName },
		"The name of a new set must be a DNS label, without dots; before a set with dots was taken, and each of its pods " +
			"refused.",
		"The name of a new set may have dots, and then each of its pods is refused; before the set was."},
	{func(r *model.APIRules) bool { return r.LabelService },
		"spec.serviceName of a new set must be a DNS label; before the set was taken, and each of its pods refused. " +
			"Sets that are there already stay as they are.",
		"spec.serviceName is not checked; before a new set had to have a DNS label there."},
	{func(r *model.APIRules) bool { return r.CheckClaims },
		"The claim templates of a new set must have access modes and a size; before the set was taken, and its claims " +
			"refused.",
		"The claim templates of a set are not checked; before those of a new one were."},
	{func(r *model.APIRules) bool { return r.JSONValues },
		"Refusals show values of several fields as JSON; before as Go prints them.",
		"Refusals show values of several fields as Go prints them; before as JSON."},
}
