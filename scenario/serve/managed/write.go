package managed

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// unowned are the fields that have no managers.
var unowned = func() *fieldpath.Set {
	set := fieldpath.NewSet()
	for _, path := range []string{"apiVersion", "kind", "metadata"} {
		set.Insert(fieldpath.MakePathOrDie(path))
	}
	for _, path := range []string{"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation",
		"managedFields", "resourceVersion"} {
		set.Insert(fieldpath.MakePathOrDie("metadata", path))
	}
	return set
}

// owned returns the fields of a set that the writer of an object, or of a subresource of it, may manage.
func (w Writer) owned(set *fieldpath.Set) *fieldpath.Set {
	reset := "status"
	if w.Subresource == "status" {
		reset = "spec"
	}
	return set.RecursiveDifference(fieldpath.NewSet(fieldpath.MakePathOrDie(reset)))
}

// Update returns the field managers after a write. The live object is empty for a new one.
func (t Type) Update(live, next map[string]any, owners Owners, by Writer) Owners {
	self := owner{by, updated, nil}
	c := t.compare(live, next)
	c.removed, c.changed = by.owned(c.removed), by.owned(c.changed)
	owners, _ = owners.give(nil, c, true)
	set := c.changed.Difference(unowned())
	if set.Empty() {
		return owners
	}
	if mine := owners.find(&self); mine != nil {
		mine.set, mine.Time = mine.set.Union(set), by.Time
		return owners.capped()
	}
	self.set = set
	return append(owners, self).capped()
}

// give takes the changed fields from all managers other than the writer, unless they conflict and force is false.
func (o Owners) give(self *owner, c comparison, force bool) (Owners, error) {
	var left Owners
	var conflicts Conflicts
	for i := range o {
		one := o[i]
		if self != nil && one.is(self) {
			left = append(left, one)
			continue
		}
		if taken := one.set.Intersection(c.changed); !taken.Empty() {
			conflicts = append(conflicts, Conflict{one.Writer, one.operation, taken})
			one.set = one.set.Difference(taken)
		}
		if one.set = one.set.Difference(c.removed); !one.set.Empty() {
			left = append(left, one)
		}
	}
	if len(conflicts) > 0 && !force {
		return nil, conflicts
	}
	return left, nil
}

// Conflict is a manager's fields that another manager wants to apply.
type Conflict struct {
	Writer
	operation string
	Fields    *fieldpath.Set
}

// Conflicts are why an object was not applied.
type Conflicts []Conflict

// Who names the manager.
func (c *Conflict) Who() string {
	text := fmt.Sprintf("%q", c.Manager)
	if c.Subresource != "" {
		text += fmt.Sprintf(" with subresource %q", c.Subresource)
	}
	if c.operation == updated {
		text += " using " + c.APIVersion
	}
	return text
}

// Error words all conflicts as the API server does.
func (c Conflicts) Error() string {
	n := 0
	var lines []string
	for i := range c {
		lines = append(lines, fmt.Sprintf("conflicts with %s:", c[i].Who()))
		for path := range c[i].Fields.All() {
			lines = append(lines, "- "+path.String())
			n++
		}
	}
	if n == 1 {
		return fmt.Sprintf("Apply failed with 1 conflict: conflict with %s: %s", c[0].Who(),
			strings.TrimPrefix(lines[1], "- "))
	}
	return fmt.Sprintf("Apply failed with %d conflicts: %s", n, strings.Join(lines, "\n"))
}

// beforeApply is the manager of the fields that existed before the first apply.
const beforeApply = "before-first-apply"

// Apply applies a configuration to the live object, which is empty for a new one. It returns the object and its new
// field managers. An error is Conflicts, or says what is wrong with the configuration.
func (t Type) Apply(live, config map[string]any, owners Owners, by Writer, force bool) (map[string]any, Owners, error) {
	if err := t.check(config); err != nil {
		return nil, nil, err
	}
	if len(owners) == 0 && len(live) > 0 {
		owners = t.Update(map[string]any{}, live, nil, Writer{Manager: beforeApply, APIVersion: by.APIVersion, Time: by.Time})
	}
	merged, err := t.root().merge(side{live, true}, side{config, true})
	if err != nil {
		return nil, nil, err
	}
	set := fieldpath.NewSet()
	t.root().fieldsOf(config, set)
	self := owner{by, applied, by.owned(set)}
	last := owners.find(&self)
	others := slices.DeleteFunc(slices.Clone(owners), func(o owner) bool { return o.is(&self) })
	next := merged.value
	if last != nil {
		next = t.pruned(next, last.set, append(slices.Clip(others), self))
	}
	object, _ := next.(map[string]any)
	owners, err = append(others, self).give(&self, t.compare(live, object), force)
	if err != nil {
		return nil, nil, err
	}
	mine := owners.find(&self)
	if mine.set = mine.set.Difference(unowned()); last != nil && mine.set.Equals(last.set) && equal(live, object) {
		mine.Time = last.Time
	}
	return object, slices.DeleteFunc(owners, func(o owner) bool { return o.set.Empty() }), nil
}

// pruned removes the fields of the last apply that are missing from this one, unless another manager has them.
func (t Type) pruned(merged any, last *fieldpath.Set, owners Owners) any {
	members := func(s *fieldpath.Set) *fieldpath.Set { return s.EnsureNamedFieldsAreMembers(t.Schema, t.Ref) }
	fields := func(v any) *fieldpath.Set {
		set := fieldpath.NewSet()
		t.root().fieldsOf(v, set)
		return members(set)
	}
	all := fieldpath.NewSet()
	for i := range owners {
		all = all.Union(owners[i].set)
	}
	had := fields(merged)
	pruned := t.root().without(merged, members(last))
	pruned = t.root().without(merged, had.Difference(fields(pruned).Union(members(all))))
	return t.root().without(merged, had.Difference(fields(pruned)).Intersection(members(last)))
}

// Unchanged returns the fields of a value that the live object still has as they were; nil for no value.
func (t Type) Unchanged(was, live map[string]any) *fieldpath.Set {
	if was == nil {
		return fieldpath.NewSet()
	}
	set := fieldpath.NewSet()
	t.root().fieldsOf(was, set)
	c := t.compare(was, live)
	return set.Difference(c.changed).Difference(c.removed)
}

// In reports whether all conflicting fields are in a set.
func (c Conflicts) In(set *fieldpath.Set) bool {
	return !slices.ContainsFunc(c, func(one Conflict) bool { return !one.Fields.Difference(set).Empty() })
}
