package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Under is the explanation on one of several versions.
type Under struct {
	Kubernetes string `json:"kubernetes"`
	*Explanation
}

// JSONUnder writes the explanations on several versions as one document.
func JSONUnder(w io.Writer, list []Under) error {
	return page.JSON(w, struct {
		Versions []Under `json:"versions"`
	}{list})
}

// JSON writes the explanation as one document.
func JSON(w io.Writer, e *Explanation) error { return page.JSON(w, e) }

// Text writes the explanation for people. Line writes one line of it, wrapped and with the indent given.
func Text(e *Explanation, line func(indent int, text string)) {
	line(0, e.heading())
	for _, s := range e.Sets {
		line(0, "")
		line(0, fmt.Sprintf("%s/%s: %d of %d serve", s.Namespace, s.Name, s.Serving, s.Replicas))
		for _, p := range s.Pods {
			line(2, p.String())
		}
		if len(s.Missing) > 0 {
			line(2, s.missing())
		}
		s.reasons(e, line)
	}
}

func (e *Explanation) heading() string {
	when := "At " + clock(e.At)
	if e.End {
		when += ", the end of the run"
	}
	switch {
	case !e.End:
		return when + ":"
	case e.Verdict == timeline.IsStuck:
		return when + ": stuck, and nothing pending will unblock it."
	case e.Verdict == timeline.Settled:
		return when + ": settled."
	case e.Verdict == timeline.Livelock:
		return when + ": the controller " + reasons.NeverConverges + "."
	}
	return when + ": " + string(e.Verdict) + "."
}

// missing names the pods that do not exist.
func (s *Set) missing() string {
	const most = 8
	if len(s.Missing) == 1 {
		return s.Missing[0] + ": does not exist"
	}
	return page.List(s.Missing, most) + ": do not exist"
}

// String says in a line what the pod is in.
func (p *Pod) String() string {
	text := fmt.Sprintf("%s: %s since %s, @%d %s", p.Name, p.State, clock(p.Since), p.Template, p.Image)
	if p.Shown != "" {
		text += ", in " + p.Shown
	}
	if p.Restarts > 0 {
		text += fmt.Sprintf(", restarts: %d", p.Restarts)
	}
	if p.Outdated {
		text += ", from an old template"
	}
	if p.Held {
		text += "; the controller waits for it"
	}
	if p.Warning != "" {
		text += "; the last warning about it: " + p.Warning
	}
	return text
}

func (s *Set) reasons(e *Explanation, line func(int, string)) {
	if len(s.Waits) == 0 && len(s.Repeats) == 0 {
		line(2, "The controller waits for nothing.")
	}
	for _, d := range s.Drains {
		d.text(line)
		if e.End && d.GaveUp == 0 {
			line(4, "In this run it never ends.")
		}
	}
	for _, w := range s.Waits {
		line(2, fmt.Sprintf("Waits since %s: %s", clock(w.Since), reasons.Named(w.why)))
		if w.Error != "" {
			line(4, "The error was: "+w.Error)
		}
		line(4, "Release: "+w.Release+".")
		switch {
		case w.Released != "":
			line(4, "In this run it ends "+w.Released+".")
		case !w.Code.Resting():
			line(4, "In this run it never ends.")
		}
	}
	if len(s.Repeats) > 0 {
		line(2, "These writes repeat: "+strings.Join(s.Repeats, ", "))
	}
	if s.Prevents != "" {
		line(2, "The StatefulSet has no rollingUpdate block. With one added before the last step this does not happen "+
			"(verified by simulation):")
		line(4, s.Prevents)
		if s.Ends {
			line(2, "Once it has begun, the same command ends it (verified by simulation, with calls that take 10ms).")
		}
	}
	if s.Tried {
		printWays(s.WaysOut, line)
	}
}

func clock(i Instant) string { return model.Time(i).Clock() }
