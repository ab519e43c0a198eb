package explain

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Under is the explanation on one of several versions.
type Under struct {
	// Kubernetes is the version, as it was asked for. Beside it are the fields of the explanation on that version.
	Kubernetes string `json:"kubernetes"`
	*Explanation
}

// Document is the explanation as people read it.
func (e *Explanation) Document() *doc.Document {
	d := &doc.Document{Headline: doc.Of(e.heading())}
	if len(e.Sets) == 0 {
		d.Facts = doc.Lines("There is no StatefulSet at this instant.")
	}
	for _, s := range e.Sets {
		var items []doc.Item
		for _, p := range s.Pods {
			items = append(items, doc.Line(p.String()))
		}
		for _, name := range s.Strangers {
			items = append(items, doc.Line(judge.IsStranger(name)))
		}
		if len(s.Missing) > 0 {
			items = append(items, doc.Line(s.missing()))
		}
		d.Parts = append(d.Parts, doc.Part{
			Title: doc.Of(fmt.Sprintf("%s/%s: %s", s.Namespace, s.Name, serve(s.Serving, s.Replicas))),
			Items: append(items, s.reasons(e)...),
		})
	}
	return d
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

func (s *Set) missing() string {
	const most = 8
	if len(s.Missing) == 1 {
		return s.Missing[0] + ": does not exist"
	}
	return render.List(s.Missing, most) + ": do not exist"
}

// reasons say what the controller waits for, what repeats, and the ways out.
func (s *Set) reasons(e *Explanation) []doc.Item {
	var items []doc.Item
	if len(s.Waits) == 0 && len(s.Repeats) == 0 {
		items = doc.Lines("The controller waits for nothing.")
	}
	for _, d := range s.Drains {
		items = append(items, d.items()...)
		if last := &items[len(items)-1]; e.End && d.GaveUp == 0 {
			last.Items = append(last.Items, doc.Line("In this run it never ends."))
		}
	}
	for _, w := range plainly(s.Waits) {
		item := doc.Line(fmt.Sprintf("Waiting since %s: %s", clock(w.Since), w.named()))
		if w.Error != "" {
			item.Items = append(item.Items, doc.Line("The error was: "+w.Error))
		}
		item.Items = append(item.Items, doc.Line(ends(w)))
		switch {
		case w.Released != "":
			item.Items = append(item.Items, doc.Line("In this run it ends "+w.Released+"."))
		case !w.Code.Resting():
			item.Items = append(item.Items, doc.Line("In this run it never ends."))
		}
		items = append(items, item)
	}
	if len(s.Repeats) > 0 {
		items = append(items, doc.Line("These writes repeat: "+strings.Join(s.Repeats, ", ")))
	}
	if s.Prevents != "" {
		prevents := doc.Line("The StatefulSet has no rollingUpdate block. Adding it before the last step prevents this " +
			"(verified by simulation):")
		prevents.Commands = doc.All([]string{s.Prevents})
		items = append(items, prevents)
		if s.Ends {
			items = append(items, doc.Line("The same command ends a livelock that has begun (verified by simulation, with API "+
				"calls that take 10ms)."))
		}
	}
	switch {
	case s.Untried != "" && s.Tried:
		items = append(items, doc.Line("Not all fixes were tried: "+s.Untried+"."))
	case s.Untried != "":
		items = append(items, doc.Line("No fix was tried: "+s.Untried+"."))
	}
	if s.Tried {
		items = append(items, wayItems(s.WaysOut, "")...)
	}
	return items
}

// serve says how many pods of a StatefulSet serve. In a scale-down these may be more than it wants.
func serve(serving, replicas int) string {
	if serving > replicas {
		return fmt.Sprintf("%d serve, %d wanted", serving, replicas)
	}
	return fmt.Sprintf("%d of %d serve", serving, replicas)
}
