package managed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Writer is the writer of an object, and the way of writing.
type Writer struct {
	// Manager is the name of the field manager. APIVersion is the version that the object is written in.
	// Subresource is "" for the object itself.
	Manager, APIVersion, Subresource string
	// Time is the present instant as JSON has it.
	Time string
}

// Later is the time of a writer that is known only once the object is written; Stamp puts it in.
const Later = "later"

// Stamp adds the time of a write to the entries of the present writers, in metadata.managedFields that were encoded
// before, and sorts the entries.
func Stamp(list []any, time string) {
	for _, entry := range list {
		if entry := entry.(map[string]any); entry["time"] == Later {
			entry["time"] = time
		}
	}
	text := func(entry any, field string) string { word, _ := entry.(map[string]any)[field].(string); return word }
	slices.SortStableFunc(list, func(a, b any) int {
		by := func(field string) int { return cmp.Compare(text(a, field), text(b, field)) }
		return cmp.Or(by("operation"), by("time"), by("manager"), by("apiVersion"), by("subresource"))
	})
}

// The operations of an owner.
const (
	applied = "Apply"
	updated = "Update"
)

// owner is one entry of managedFields.
type owner struct {
	Writer
	operation string
	set       *fieldpath.Set
}

// is reports whether two entries have the same manager. For a manager that applies, the version does not matter.
func (o *owner) is(other *owner) bool {
	return o.Manager == other.Manager && o.operation == other.operation && o.Subresource == other.Subresource &&
		(o.operation == applied || o.APIVersion == other.APIVersion)
}

// Owners are the managers of an object's fields.
type Owners []owner

// find returns the entry of a manager, or nil.
func (o Owners) find(who *owner) *owner {
	for i := range o {
		if o[i].is(who) {
			return &o[i]
		}
	}
	return nil
}

// Decode reads metadata.managedFields.
func Decode(list []any) (Owners, error) {
	var owners Owners
	for i, v := range list {
		entry, _ := v.(map[string]any)
		text := func(field string) string { word, _ := entry[field].(string); return word }
		o := owner{Writer{text("manager"), text("apiVersion"), text("subresource"), text("time")}, text("operation"),
			fieldpath.NewSet()}
		switch {
		case o.operation != applied && o.operation != updated:
			return nil, fmt.Errorf("operation must be `Apply` or `Update`")
		case o.APIVersion == "":
			return nil, fmt.Errorf("apiVersion must not be empty")
		case text("fieldsType") != "FieldsV1":
			return nil, fmt.Errorf("invalid fieldsType %q in managed fields entry %d", text("fieldsType"), i)
		}
		if fields, err := json.Marshal(entry["fieldsV1"]); err != nil || o.set.FromJSON(bytes.NewReader(fields)) != nil {
			return nil, fmt.Errorf("invalid fieldsV1 in managed fields entry %d", i)
		}
		owners = append(owners, o)
	}
	return owners, nil
}

// Encode returns metadata.managedFields, nil for none. Stamp puts them in their order.
func (o Owners) Encode() []any {
	var list []any
	for i := range o {
		var fields any
		if data, err := o[i].set.ToJSON(); err != nil || json.Unmarshal(data, &fields) != nil {
			continue
		}
		entry := map[string]any{"manager": o[i].Manager, "operation": o[i].operation, "apiVersion": o[i].APIVersion,
			"fieldsType": "FieldsV1", "fieldsV1": fields}
		if o[i].Time != "" {
			entry["time"] = o[i].Time
		}
		if o[i].Subresource != "" {
			entry["subresource"] = o[i].Subresource
		}
		list = append(list, entry)
	}
	return list
}

// mostUpdaters is how many entries of updates are kept; older ones become one.
const mostUpdaters = 10

// capped makes the oldest entries of updates one.
func (o Owners) capped() Owners {
	byAge := slices.SortedStableFunc(slices.Values(o), func(a, b owner) int { return cmp.Compare(a.Time, b.Time) })
	var kept, old Owners
	updaters := 0
	for i := range slices.Backward(byAge) {
		if byAge[i].operation == updated {
			if updaters++; updaters >= mostUpdaters {
				old = append(old, byAge[i])
				continue
			}
		}
		kept = append(kept, byAge[i])
	}
	if len(old) == 1 {
		return append(kept, old[0])
	}
	if len(old) > 1 {
		one := owner{Writer{Manager: "ancient-changes", APIVersion: old[0].APIVersion, Time: old[0].Time}, updated,
			fieldpath.NewSet()}
		for i := range old {
			one.set = one.set.Union(old[i].set)
		}
		kept = append(kept, one)
	}
	return kept
}
