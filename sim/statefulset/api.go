package statefulset

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// API returns the behaviour of the version's API server for StatefulSets: the rules of the differences that the
// profile has. Gates that were set are part of the profile, so they count. The result is a value that is not
// shared.
func (p Profile) API() model.APIRules {
	rules := model.APIRules{Mutable: p.mutable()}
	if p.level != nil {
		rules.Minor = p.level.minor
	}
	for i := range Differences {
		d := &Differences[i]
		for j := range d.rules {
			*d.rules[j].field(&rules) = *d.field(&p)
		}
	}
	return rules
}

// mutable lists the fields of a spec that may be changed, in the words and the order of the refusal. It is the text
// only; which fields really are mutable is in the other rules. 1.22 names minReadySeconds even if its gate is off and
// it may not be changed. From 1.37 on no refusal shows the text (FieldErrors), so there is none.
func (p Profile) mutable() string {
	switch {
	case p.FieldErrors:
		return ""
	case !p.MinReadySecondsField:
		return "'replicas', 'template', and 'updateStrategy'"
	case !p.MutableInOrder && p.MinReadySeconds:
		return "'replicas', 'template', 'minReadySeconds' and 'updateStrategy'"
	case !p.MutableInOrder:
		return "'replicas', 'template', 'updateStrategy' and 'minReadySeconds'"
	}
	fields := append(make([]string, 0, 7), "'replicas'")
	if p.OrdinalsField {
		fields = append(fields, "'ordinals'")
	}
	fields = append(fields, "'template'", "'updateStrategy'")
	if p.MutableHistoryLimit {
		fields = append(fields, "'revisionHistoryLimit'")
	}
	if p.RetentionField {
		fields = append(fields, "'persistentVolumeClaimRetentionPolicy'")
	}
	if p.MinReadySeconds {
		fields = append(fields, "'minReadySeconds'")
	}
	last := len(fields) - 1
	return strings.Join(fields[:last], ", ") + " and " + fields[last]
}
