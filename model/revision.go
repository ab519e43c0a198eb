package model

// Revision is a ControllerRevision: one remembered pod template of a set.
type Revision struct {
	Meta
	// Number is the revision's place in the history. A rollback raises the number of its target revision.
	Number int64
	// Template is the template that the revision stores.
	Template *Template
	// Form is the form in which the template was serialized.
	Form RevisionForm
	// SetName is the name of the set in the revision's data, if it has been written into it by hand: a controller
	// that restores the whole set gives new pods names of that set. It is usually empty.
	SetName string
}

// RevisionForm is a form in which a template is serialized. If one template was serialized in two forms, it has two
// revisions, because the controller compares the text.
type RevisionForm uint8

// The forms. A revision of no known form is like one of any.
const (
	FormUnknown RevisionForm = iota
	// FormNullTimestamp has a creationTimestamp that is null in the template's metadata: so before 1.34.
	FormNullTimestamp
	// FormNoTimestamp leaves it out: so from 1.34 on.
	FormNoTimestamp
)

// Differs reports whether texts of the two forms are never the same.
func (f RevisionForm) Differs(other RevisionForm) bool {
	return f != other && f != FormUnknown && other != FormUnknown
}

// CompareRevisions is the history's order: by number, then by age, then by name.
func CompareRevisions(a, b *Revision) int {
	switch {
	case a.Number != b.Number:
		return sign(a.Number < b.Number)
	case a.Created != b.Created:
		return sign(a.Created < b.Created)
	case a.Name != b.Name:
		return sign(a.Name < b.Name)
	}
	return 0
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}
