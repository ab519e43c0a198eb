package model

// Revision is a ControllerRevision: one remembered pod template of a set.
type Revision struct {
	Meta
	// Number is the revision's place in the history. A rollback raises the number of the revision that it goes back to.
	Number int64
	// Template is what the revision holds.
	Template *Template
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
