package statefulset

import "github.com/statefulsim/statefulsim/model"

// apiDifferences are the differences that only the API server has, in the order of their first versions. Pages list
// them in this order; the algorithm does not depend on it.
var apiDifferences = []Difference{
	{
		Name: "min-ready-seconds-field", Of: APIServer,
		There:     "spec.minReadySeconds is a field",
		Elsewhere: "spec.minReadySeconds is unknown",
		Links:     []string{pull + "100842"},
		field:     func(p *Profile) *bool { return &p.MinReadySecondsField },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.MinReadySecondsField }, silent: true}},
	},
	{
		Name: "max-unavailable-field", Of: APIServer,
		There:     maxUnavailableField + " is a field",
		Elsewhere: maxUnavailableField + " is unknown",
		Links:     []string{pull + "82162", kep + "961"},
		field:     func(p *Profile) *bool { return &p.MaxUnavailableField },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.MaxUnavailableField }, silent: true}},
	},
	{
		Name: "retention-field", Of: APIServer,
		There:     "spec.persistentVolumeClaimRetentionPolicy is a field, and may be changed",
		Elsewhere: "spec.persistentVolumeClaimRetentionPolicy is unknown",
		Links:     []string{kep + "1847"},
		field:     func(p *Profile) *bool { return &p.RetentionField },
		rules: []rule{{
			field: func(r *model.APIRules) *bool { return &r.MutableRetention },
			on:    retentionField + " may be changed",
			off:   "a change of " + retentionField + " is refused",
		}},
	},
	{
		Name: "mutable-in-order", Of: APIServer,
		There: "the error about a refused change lists the fields that may be changed, with minReadySeconds at the end " +
			"if it is one of them",
		Elsewhere: "the list has minReadySeconds in any case: before updateStrategy if it may be changed, otherwise at " +
			"the end",

		field: func(p *Profile) *bool { return &p.MutableInOrder },
	},
	{
		Name: "name-conflicts", Of: APIServer,
		There: "the creation of a pod whose name is taken fails with AlreadyExists, about which the controller records " +
			"no event",
		Elsewhere: "it fails with ServerTimeout, and the controller records the warning FailedCreate",
		Links:     []string{pull + "104699"},
		field:     func(p *Profile) *bool { return &p.NameConflicts },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.NameConflicts }}},
	},
	{
		Name: "ordinals-field", Of: APIServer,
		There:     "spec.ordinals is a field, and may be changed",
		Elsewhere: "spec.ordinals is unknown",
		Links:     []string{pull + "112744", kep + "3335"},
		field:     func(p *Profile) *bool { return &p.OrdinalsField },
		rules: []rule{{
			field: func(r *model.APIRules) *bool { return &r.MutableOrdinals },
			on:    "spec.ordinals may be changed",
			off:   "a change of spec.ordinals is refused",
		}},
	},
	{
		Name: "label-name", Of: APIServer,
		There:     "the name of a new StatefulSet must be a DNS label, without dots",
		Elsewhere: "the name of a new StatefulSet may have dots, and then each of its pods is refused",
		Links:     []string{pull + "114172"},
		field:     func(p *Profile) *bool { return &p.LabelName },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.LabelName }}},
	},
	{
		Name: "mutable-history-limit", Of: APIServer,
		There:     "spec.revisionHistoryLimit may be changed",
		Elsewhere: "a change of spec.revisionHistoryLimit is refused",
		Links:     []string{pull + "129017"},
		field:     func(p *Profile) *bool { return &p.MutableHistoryLimit },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.MutableHistoryLimit }}},
	},
	{
		Name: "label-service", Of: APIServer,
		There:     "spec.serviceName of a new StatefulSet must be a DNS label",
		Elsewhere: "spec.serviceName is not checked, and each pod of a set with a wrong one is refused",
		Links:     []string{pull + "130233"},
		field:     func(p *Profile) *bool { return &p.LabelService },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.LabelService }}},
	},
	{
		Name: "check-claims", Of: APIServer,
		There:     "the claim templates of a new StatefulSet must have access modes and a size",
		Elsewhere: "the claim templates of a new StatefulSet are not checked, and claims without these are refused",
		Links:     []string{pull + "132212"},
		field:     func(p *Profile) *bool { return &p.CheckClaims },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.CheckClaims }}},
	},
	{
		Name: "json-values", Of: APIServer,
		There:     "refusals show values of several fields as JSON",
		Elsewhere: "refusals show them as Go prints them",
		field:     func(p *Profile) *bool { return &p.JSONValues },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.JSONValues }}},
	},
	{
		Name: "field-errors", Of: APIServer,
		There:     "each immutable field that was changed is refused by itself (field is immutable)",
		Elsewhere: "one refusal lists the fields that may be changed",
		field:     func(p *Profile) *bool { return &p.FieldErrors },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.FieldErrors }}},
	},
	{
		Name: "own-places", Of: APIServer,
		There: "the refusal of shareProcessNamespace beside hostPID names spec.shareProcessNamespace, and that of an owner " +
			"without a uid, for example, names ownerReferences[0].uid",
		Elsewhere: "the first names spec.securityContext.shareProcessNamespace, and the second ownerReferences.uid",
		field:     func(p *Profile) *bool { return &p.OwnPlaces },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.OwnPlaces }, silent: true}},
	},
	{
		Name: "declarative-validation", Of: APIServer,
		There: "the refusal of a change of an immutable field shows null in place of the value, and a missing selector, or " +
			"name of an owner, comes last",
		Elsewhere: "it shows the new value, and a missing selector comes before the labels that it does not match",
		Links:     []string{kep + "5073"},
		field:     func(p *Profile) *bool { return &p.Declarative },
		rules:     []rule{{field: func(r *model.APIRules) *bool { return &r.Declarative }, silent: true}},
	},
}
