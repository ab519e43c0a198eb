package search

import "slices"

// shrink simplifies the runs that the random search has found.
func (p *part) shrink() {
	for _, class := range p.found.names() {
		if f := p.found[class]; f.Random {
			f.Tape, f.Detail = p.s.simplest(f.Finding, f.Tape)
		}
	}
}

// simplest returns the simplest run that still shows the class, with fewer deviations and lower answers, and what goes
// wrong in it.
func (s *search) simplest(f Finding, tape []Deviation) ([]Deviation, string) {
	detail := f.Detail
	try := func(next []Deviation) bool {
		found, shows := s.shows(f.Class, next)
		if shows {
			tape, detail = next, found
		}
		return shows
	}
	for size := len(tape) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(tape); {
			if !try(slices.Delete(slices.Clone(tape), at, at+size)) {
				at++
			}
		}
	}
	for at := range tape {
		for answer := 1; answer < tape[at].Answer; answer++ {
			next := slices.Clone(tape)
			next[at].Answer = answer
			if try(next) {
				break
			}
		}
	}
	return tape, detail
}

// shows says whether a run finds the class. Without its earlier deviations a run may make other choices, so that a
// later deviation fits none of them; then it does not find the class.
func (s *search) shows(class string, tape []Deviation) (detail string, shows bool) {
	found, err := Play(s.o.Subject, s.o.Open, tape)
	if err != nil {
		return "", false
	}
	i := slices.IndexFunc(found, func(f Finding) bool { return f.Class == class })
	if i < 0 {
		return "", false
	}
	return found[i].Detail, true
}
