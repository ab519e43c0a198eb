package statefulset

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// API returns what the version's API server does with StatefulSets.
func (p Profile) API() model.APIRules {
	return model.APIRules{
		MaxUnavailable:         p.MaxUnavailable,
		MinReadySeconds:        p.MinReadySeconds,
		StartOrdinal:           p.StartOrdinal,
		Retention:              p.Retention,
		Recreate:               p.Recreate,
		Mutable:                p.mutable(),
		MutableMinReadySeconds: p.MinReadySeconds,
		MutableOrdinals:        p.OrdinalsField,
		MutableRetention:       p.RetentionField,
		MutableHistoryLimit:    p.MutableHistoryLimit,
		FieldErrors:            p.FieldErrors,
		// Both fields came with 1.24.
		MaxUnavailableField:  p.RetentionField,
		MinReadySecondsField: p.AvailableReplicas,
		LabelName:            p.LabelName,
		LabelService:         p.LabelService,
		CheckClaims:          p.CheckClaims,
		JSONValues:           p.JSONValues,
	}
}

// mutable lists the fields of a spec that may be changed, as the refusal of the others words it. 1.22 names
// minReadySeconds even where its gate is off and it may not be changed.
func (p Profile) mutable() string {
	switch {
	case !p.AvailableReplicas:
		return "'replicas', 'template', and 'updateStrategy'"
	case !p.RetentionField && p.MinReadySeconds:
		return "'replicas', 'template', 'minReadySeconds' and 'updateStrategy'"
	case !p.RetentionField:
		return "'replicas', 'template', 'updateStrategy' and 'minReadySeconds'"
	}
	fields := []string{"'replicas'"}
	if p.OrdinalsField {
		fields = append(fields, "'ordinals'")
	}
	fields = append(fields, "'template'", "'updateStrategy'")
	if p.MutableHistoryLimit {
		fields = append(fields, "'revisionHistoryLimit'")
	}
	fields = append(fields, "'persistentVolumeClaimRetentionPolicy'")
	if p.MinReadySeconds {
		fields = append(fields, "'minReadySeconds'")
	}
	last := len(fields) - 1
	return strings.Join(fields[:last], ", ") + " and " + fields[last]
}
