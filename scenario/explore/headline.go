package explore

import "github.com/statefulsim/statefulsim/sim/page"

// Headline says in a line what came of a search.
func (r *Report) Headline() string {
	if len(r.Found) == 0 {
		return page.Capital(r.nothing())
	}
	return page.Count(len(r.Found), "way") + " to break a promise"
}

// Extent says of each part of a search how far it went.
func (r *Report) Extent() []string {
	var lines []string
	for _, part := range r.Parts {
		lines = append(lines, part.searched())
	}
	return lines
}

// WaivedLines says what waivers have taken out of the findings.
func (r *Report) WaivedLines() []string {
	var lines []string
	for _, f := range r.Waived {
		lines = append(lines, f.waived())
	}
	return lines
}
