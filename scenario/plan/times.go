package plan

import "github.com/statefulsim/statefulsim/scenario/plan/times"

// annotated returns the annotation of the new set or, if it has none, of the running set, and where it was found.
func (p *Pair) annotated(name string) (text, where string) {
	where = times.Annotation + name
	if p.New != nil && p.New.Object.Annotations[where] != "" {
		return p.New.Object.Annotations[where], where
	}
	if p.Old != nil {
		return p.Old.Object.Annotations[where], where
	}
	return "", where
}
