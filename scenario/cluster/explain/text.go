package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Under is the explanation on one of several versions.
type Under struct {
	// Kubernetes is the version, as it was asked for. Beside it are the fields of the explanation on that version.
	Kubernetes string `json:"kubernetes"`
	*Explanation
}

// JSONUnder writes the explanations on several versions as one document.
func JSONUnder(w io.Writer, list []Under) error {
	return render.JSON(w, struct {
		Versions []Under `json:"versions"`
	}{list})
}

// JSON writes the explanation as one document.
func JSON(w io.Writer, e *Explanation) error { return render.JSON(w, e) }

// Text writes the explanation for people. line writes one line of it, wrapped and with the indent given.
func Text(e *Explanation, line func(indent int, text string)) {
	line(0, e.heading())
	if len(e.Sets) == 0 {
		line(2, "There is no StatefulSet at this instant.")
	}
	for _, s := range e.Sets {
		line(0, "")
		line(0, fmt.Sprintf("%s/%s: %s", s.Namespace, s.Name, serve(s.Serving, s.Replicas)))
		for _, p := range s.Pods {
			line(2, p.String())
		}
		for _, name := range s.Strangers {
			line(2, judge.IsStranger(name))
		}
		if len(s.Missing) > 0 {
			line(2, s.missing())
		}
		s.reasons(e, line)
	}
}

// heading says which instant it is and, at the end of a run, how the run ends.
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
	return render.List(s.Missing, most) + ": do not exist"
}

// reasons writes what the controller waits for, what repeats, and the ways out.
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
	for _, w := range plainly(s.Waits) {
		line(2, fmt.Sprintf("Waiting since %s: %s", clock(w.Since), w.named()))
		if w.Error != "" {
			line(4, "The error was: "+w.Error)
		}
		line(4, ends(w))
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
		line(2, "The StatefulSet has no rollingUpdate block. Adding it before the last step prevents this "+
			"(verified by simulation):")
		line(4, s.Prevents)
		if s.Ends {
			line(2, "The same command ends a livelock that has begun (verified by simulation, with API calls that take 10ms).")
		}
	}
	switch {
	case s.Untried != "" && s.Tried:
		line(2, "Not all fixes were tried: "+s.Untried+".")
	case s.Untried != "":
		line(2, "No fix was tried: "+s.Untried+".")
	}
	if s.Tried {
		printWays(s.WaysOut, "", line)
	}
}

// serve says how many pods of a StatefulSet serve. In a scale-down these may be more than it wants.
func serve(serving, replicas int) string {
	if serving > replicas {
		return fmt.Sprintf("%d serve, %d wanted", serving, replicas)
	}
	return fmt.Sprintf("%d of %d serve", serving, replicas)
}
