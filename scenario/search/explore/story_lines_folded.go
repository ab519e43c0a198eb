package explore

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// aside adds a name to the last line, if that says the same of others at this instant; otherwise it adds a line. A
// line that gains a name is unsettled again: how many pods serve is read after the last of them.
func (w *teller) aside(e *timeline.Event, says, name, rest string) {
	l := line{Line: Line{At: e.T.Clock()}, set: e.Set, aside: true, names: []string{name}, says: says, rest: rest}
	if n := len(w.lines); n > 0 && w.lines[n-1].like(&l) {
		last := &w.lines[n-1]
		last.names, last.settled = append(last.names, name), false
		return
	}
	w.add(l)
}

// like says whether two asides differ in nothing but the names, and can be one line.
func (l *line) like(m *line) bool {
	return l.aside && m.aside && l.At == m.At && l.set == m.set && l.says == m.says && l.rest == m.rest
}

// text returns an aside in words: with a verb if it says who does it, and otherwise as a state.
func (l *line) text() string {
	names := render.And(l.names)
	if l.says == "" {
		return names + " " + render.Agree(len(l.names), "is", "are") + l.rest
	}
	return l.says + names + l.rest
}

// all returns the lines for the reader. Pods that are replaced one after the other make one line, and only the last
// mostAsides asides are there: those before the breach explain it best. A line says where some are left out.
func (w *teller) all() []Line {
	all := folded(w.lines)
	asides := 0
	for i := range all {
		if all[i].aside {
			asides++
		}
	}
	var lines []Line
	left := false
	for i := range all {
		l := &all[i]
		if l.aside {
			if asides--; asides >= mostAsides {
				if !left {
					lines = append(lines, Line{At: l.At, Says: "… (more of the same)"})
				}
				left = true
				continue
			}
			l.Says = l.text()
		}
		left = false
		lines = append(lines, l.Line)
	}
	return lines
}

// folded makes one line of the deletion of a pod, its creation and its being Ready, if nothing else happens between
// them, and one of several such lines. It does not change the lines that it is given, but may keep their slices.
func folded(lines []line) []line {
	var all []line
	for i := 0; i < len(lines); i++ {
		n := replacement(lines[i:])
		if n == 0 {
			all = append(all, lines[i])
			continue
		}
		l, last := lines[i], lines[i+n-1]
		l.says, l.Serving, l.rest = "the controller replaces ", last.Serving, ", which is Ready at "+last.At
		if n := len(all); n > 0 && all[n-1].says == l.says {
			l.At, l.names = all[n-1].At, append(all[n-1].names, l.names...)
			l.rest = " one after the other; the last is Ready at " + last.At
			all = all[:n-1]
		}
		all = append(all, l)
		i += n - 1
	}
	return all
}

// replacement returns how many of the first lines are about one pod that is deleted, gone, created and Ready; 0 if they
// are about anything else. That it is gone need not be said.
func replacement(lines []line) int {
	n := 0
	for _, step := range []line{
		{says: "the controller deletes "}, {rest: gone}, {says: "the controller creates "}, {rest: " Ready"},
	} {
		switch {
		case n < len(lines) && lines[n].aside && lines[n].says == step.says && lines[n].rest == step.rest &&
			slices.Equal(lines[n].names, lines[0].names) && len(lines[n].names) == 1:
			n++
		case step.rest != gone:
			return 0
		}
	}
	return n
}

// gone ends the aside about an object that no longer exists. Lines are compared with it, so it is one constant.
const gone = " gone"

// comes takes back that a pod is gone, if another one of its name is created in the same instant: the reader sees one
// replacement and not two facts. It looks at lines of this instant only.
func (w *teller) comes(e *timeline.Event) {
	if e.State != timeline.Pending {
		return
	}
	for i := len(w.lines) - 1; i >= 0 && w.lines[i].At == e.T.Clock(); i-- {
		l := &w.lines[i]
		if at := slices.Index(l.names, e.Pod); at >= 0 && l.rest == gone {
			if l.names = slices.Delete(l.names, at, at+1); len(l.names) == 0 {
				w.lines = slices.Delete(w.lines, i, i+1)
			}
			return
		}
	}
}
