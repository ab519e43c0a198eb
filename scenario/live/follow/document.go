package follow

import (
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Report is what is left of a rollout that was followed. Its JSON form is public: docs/json.md describes it.
type Report struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	End
	// The judgement is that of the last look; it is left out if there is no such set any more. Here its state may also be
	// "waits for you": it is at rest, and OnDelete leaves old pods until a person deletes them.
	*judge.Judgement
	// From and To are the times of the first and of the last look. Forecast is when the rollout was to be complete as the
	// first forecast had it, Earliest and Latest with the quickest and the slowest pods that were seen.
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	Forecast time.Time `json:"forecast,omitzero"`
	Earliest time.Time `json:"earliest,omitzero"`
	Latest   time.Time `json:"latest,omitzero"`
	// Serving is how many pods served at the last look, Fewest the fewest at any.
	Serving int `json:"serving"`
	Fewest  int `json:"fewest"`
	// Lines are what was told meanwhile.
	Lines []Line `json:"lines"`
	// Gates is what deploy tools say that have waited for the set since the first look, if --gate names some. What has not
	// come by the last look is forecast.
	Gates []*gated.Answer `json:"gates,omitempty"`
	// yours are the pods that wait to be deleted.
	yours []string
}

// Report returns the report with an end.
func (f Followed) Report(end *End) *Report {
	key := f.First.Set.Key
	r := &Report{
		Namespace: key.Namespace, Name: key.Name, End: *end, From: f.First.At, To: f.Last.At,
		Forecast: f.Begun, Earliest: f.Earliest, Latest: f.Latest, Serving: f.Last.Serving, Fewest: f.Fewest, Lines: f.Lines,
	}
	if f.Last.Set != nil {
		judgement := f.Last.Set.Judgement
		if end.Outcome == WaitsForYou {
			judgement.State, r.yours = judge.State(WaitsForYou), f.yours()
		}
		r.Judgement = &judgement
	}
	return r
}

// Document is the report as people read it. why are the parts of an explanation of how it ends.
func (r *Report) Document(why []doc.Part) *doc.Document {
	d := &doc.Document{
		Title:    doc.Of("The rollout of " + r.Namespace + "/" + r.Name),
		Headline: doc.Of(render.Capital(r.Sentence) + "."), Tone: r.Tone(),
		Parts: why,
	}
	if len(r.yours) > 0 {
		item := doc.Line("Delete the last old pod:")
		if len(r.yours) > 1 {
			item = doc.Line("Delete one pod, wait until it is Ready, and take the next. The first one:")
		}
		item.Commands = doc.All([]string{shell.In(r.Namespace, "delete", "pod", r.yours[0])})
		d.Parts = append(d.Parts, doc.Part{Title: doc.Of("Your move"), Items: []doc.Item{item}})
	}
	if len(r.Gates) > 0 {
		tools := doc.Part{Title: doc.Of("Deploy tools that wait since the first look")}
		for _, a := range r.Gates {
			tools.Items = append(tools.Items, doc.Line(a.Gate+" "+a.Verdict()))
		}
		d.Parts = append(d.Parts, tools)
	}
	course := doc.Part{Title: doc.Of("What happened"), Things: 1}
	for _, line := range r.Lines {
		course.Items = append(course.Items, doc.Line(line.Told()))
	}
	d.Parts = append(d.Parts, course)
	return d
}

// Tone says whether the end is good.
func (r *Report) Tone() render.Tone {
	if r.Good {
		return render.Good
	}
	return render.Bad
}

// Told is the line with its time. One that departs from the forecast is marked.
func (l Line) Told() string {
	mark := "  "
	if l.Departs {
		mark = "! "
	}
	return Clock(l.At) + " " + mark + l.Text
}
