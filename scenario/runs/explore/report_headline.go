package explore

import "github.com/statefulsim/statefulsim/sim/output/render"

// Headline returns the result of a search in one line, for the title of a page. Waived findings do not count.
func (r *Report) Headline() string {
	if len(r.Found) == 0 {
		return render.Capital(r.nothing())
	}
	return render.Count(len(r.Found), "way") + " to break a promise"
}

// Extent returns a line for each part of a search, which says how far it got.
func (r *Report) Extent() []string {
	var lines []string
	for _, part := range r.Parts {
		lines = append(lines, part.searched())
	}
	return lines
}

// WaivedLines lists the findings that waivers have removed.
func (r *Report) WaivedLines() []string {
	var lines []string
	for _, f := range r.Waived {
		lines = append(lines, f.waived())
	}
	return lines
}
