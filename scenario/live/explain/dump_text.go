package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Document is the explanation as people read it: the sets that need attention in full, those at rest by name.
func (l *Dumped) Document() *doc.Document {
	d := l.outline()
	for _, s := range l.Sets {
		if !s.Well() {
			d.Parts = append(d.Parts, s.part())
		}
		d.Table.Rows = append(d.Table.Rows, s.row(len(d.Parts)))
	}
	return d
}

// Document is the same, but each set is added while it is written, as soon as its fixes have been tried. enough is
// asked before each set, and ends the explanation.
func (b *Begun) Document(enough func() bool) *doc.Document {
	d := b.outline()
	d.More = func(yield func(doc.Part) bool) {
		if enough() {
			return
		}
		b.Each(func(s *DumpedSet) bool { return (s.Well() || yield(s.part())) && !enough() })
	}
	return d
}

func (l *Dumped) outline() *doc.Document {
	d := &doc.Document{
		Headline: doc.Of(l.Heading()), Tone: l.tone(), Facts: doc.Lines(l.InCommon()...),
		Table: doc.Table{Header: []string{"StatefulSet", "State", "Serving", "Waits", "Since", "What ends it"}},
	}
	if doubt := l.Kubernetes.Doubt(); doubt != "" {
		d.First = []doc.Text{doc.Of(doubt)}
	}
	for _, s := range l.Sets {
		if !s.Well() {
			continue
		}
		text := fmt.Sprintf("AT REST %s (%d of %d)", s.Key(), s.Serving, s.Replicas)
		for _, says := range []string{s.old, s.resting()} {
			text += strings.TrimSuffix("; "+says, "; ")
		}
		d.Notes = append(d.Notes, doc.Of(text))
		for _, line := range s.waiting() {
			d.Notes = append(d.Notes, doc.Of(s.Key().String()+": "+line))
		}
	}
	d.Notes = append(d.Notes, doc.All(l.Notes)...)
	for _, sentence := range l.Assumed {
		d.Notes = append(d.Notes, doc.Of("Note: "+sentence))
	}
	if len(l.Sets) > 0 {
		d.Notes = append(d.Notes, doc.Of(l.Kubernetes.String()))
	}
	return d
}

// tone is that of the worst set, and bad if what is required does not hold.
func (l *Dumped) tone() render.Tone {
	tone := render.Good
	for _, s := range l.Sets {
		if of := s.tone(); of == render.Bad || of == render.Warn && tone == render.Good {
			tone = of
		}
	}
	if !l.Held() {
		return render.Bad
	}
	return tone
}

// tone says whether a set is stuck or can lose data, or needs a look all the same.
func (s *DumpedSet) tone() render.Tone {
	switch {
	case s.Stuck() || len(s.AtRisk) > 0:
		return render.Bad
	case s.Unknown != "" || s.StuckOn != "":
		return render.Warn
	}
	return render.Plain
}

// Heading says when the dump was taken, and how many sets are in which state.
func (l *Dumped) Heading() string {
	count, risky := map[judge.State]int{}, 0
	for _, s := range l.Sets {
		risky += min(len(s.AtRisk), 1)
		count[s.State]++
	}
	at := ""
	if !l.At.IsZero() {
		at = " at " + l.At.UTC().Format(time.RFC3339)
		if l.Guessed {
			at += " (a guess: the newest time in the dump)"
		}
	}
	text := fmt.Sprintf("%s%s: %d stuck, %d in progress, %d at rest", render.Count(len(l.Sets), "StatefulSet"), at,
		count[judge.Stuck], count[judge.Continues], count[judge.AtRest])
	if early := count[judge.TooEarly]; early > 0 {
		text += fmt.Sprintf(", %d too early to say", early)
	}
	if unknown := count[judge.Unknown]; unknown > 0 {
		text += fmt.Sprintf(", %d unknown", unknown)
	}
	if risky > 0 {
		text += fmt.Sprintf("; data at risk in %d", risky)
	}
	return text + "."
}

func (s *DumpedSet) part() doc.Part {
	word, sentence := s.Standing()
	join := "; "
	if s.AtRest {
		join = ", and "
	}
	p := doc.Part{
		Title: doc.Of(fmt.Sprintf("%s %s: %s%s%s", word, s.Key(), serve(s.Serving, s.Replicas), join, sentence)),
		Tone:  s.tone(), Items: s.because(), Things: 1, Run: Alone, Set: s.Key().String(),
	}
	if s.Tried() {
		provided := ""
		if s.TooEarly != "" {
			// Nothing speaks for the assumption yet.
			provided = s.Assumes
		}
		ways := wayItems(s.WaysOut, provided)
		for i := range ways {
			ways[i].Ahead = len(ways[i].Items) > 0
		}
		p.Items = append(p.Items, ways...)
	}
	return p
}

// Alone is the name of the run in which nobody does anything.
const Alone = "if nobody does anything"

// row is the set in the overview; part is the number of the part that tells of it.
func (s *DumpedSet) row(part int) doc.Row {
	word, ends := s.Standing()
	waits, since := "", ""
	if len(s.Waits) > 0 {
		w := s.Waits[0]
		waits = reasons.Short(model.Why{Code: w.Code, Object: w.Object, Rule: w.Rule})
		if at := w.Since; at < 0 {
			since = dump.Age(model.Time(at)) + " ago"
		}
	}
	if way := slices.IndexFunc(s.WaysOut, func(w WayOut) bool { return w.Heals }); way >= 0 && s.TooEarly == "" {
		ends = render.Capital(s.WaysOut[way].What)
	}
	row := doc.Row{Tone: s.tone(), Cells: doc.All([]string{
		s.Key().String(), word, fmt.Sprintf("%d of %d", s.Serving, s.Replicas), waits, since, ends,
	})}
	if !s.Well() {
		row.Part = part
	}
	return row
}

// Standing says in a word, and in a sentence, in which state a set is; the sentence is "" if there is nothing to say.
func (s *DumpedSet) Standing() (word, sentence string) {
	switch s.State {
	case judge.Unknown:
		return "UNKNOWN", s.unknown()
	case judge.AtRest:
		return "AT REST", s.resting()
	case judge.Continues:
		return s.continuing()
	case judge.TooEarly:
		return "TOO EARLY", "it is too early to say whether it is stuck; it is if " + s.Assumes
	}
	switch {
	case s.of.Going:
		return "STUCK", "it is being deleted, and that does not end by itself"
	case s.of.Only != "":
		return "STUCK", s.of.Only
	}
	return "STUCK", s.Standstill()
}

// unknown says why nothing can be said of a set.
func (s *DumpedSet) unknown() string {
	if !s.of.Unseen {
		return s.Unknown
	}
	return "its status says that " + s.Unknown + ". Without its pods nobody can say whether it continues"
}

// resting says what is to be looked at in a set at rest; "" for nothing.
func (s *DumpedSet) resting() string {
	switch {
	case s.StuckOn != "":
		return "node " + s.held.node + " " + s.held.is + ": a drain of it cannot finish"
	case len(s.AtRisk) > 0:
		return "data is at risk"
	case len(s.Judgement.Causes) > 0:
		return s.Judgement.Causes[0].Sentence
	}
	return ""
}

// continuing says when a set that continues is complete, and under which assumption. That it may not come about is said
// in the word, and not only in a subordinate clause.
func (s *DumpedSet) continuing() (word, sentence string) {
	switch {
	case s.Provided != "":
		return "CONTINUES?", "not certain: " + s.completes() + ", " + s.Provided
	case s.doubtful:
		return "CONTINUES?", "not certain: " + s.completes() + ", and the dump may be old"
	case len(s.AtRisk) > 0:
		return "CONTINUES", s.completes() + ", but data is at risk"
	}
	return "CONTINUES", s.completes()
}

// completes says when the set is complete, and with which times if nobody knows them.
func (s *DumpedSet) completes() string {
	text := "it completes by itself in about " + roughly(s.Takes)
	if len(s.guessed) > 0 {
		text += " if pods " + render.And(s.guessed)
	}
	return text
}

// Tried says whether ways out were looked for.
func (s *DumpedSet) Tried() bool {
	return s.Stuck() && (s.of.Plays || s.of.Asleep != "") || len(s.WaysOut) > 0
}

// because are the reasons for that: what the dump shows, what is waited for and since when, and what comes next.
func (s *DumpedSet) because() []doc.Item {
	var items []doc.Item
	for _, risk := range s.AtRisk {
		item := risk.item()
		item.Ahead = true
		items = append(items, item)
	}
	for i, fact := range s.Facts {
		items = append(items, doc.Line(fact))
		if i == 0 && s.TooEarly != "" {
			items = append(items, doc.Line(s.TooEarly))
		}
	}
	if s.State == judge.Stuck && !s.Tried() && !s.Certain && s.Judgement.Causes[0].Name != "rejected-by-kubelet" {
		items = append(items, doc.Line("No fix was tried: the simulation does not know what goes wrong here."))
	}
	for _, w := range plainly(s.Waits) {
		item := doc.Line(fmt.Sprintf("Waiting%s: %s", dump.Since(model.Time(w.Since)), w.named()))
		if w.Error != "" {
			is := "The error is: "
			if dump.Guessed(w.Error) {
				is = "Nothing in the dump shows the error. A guess: "
			}
			item.Items = doc.Lines(is + w.Error)
		}
		item.Items = append(item.Items, doc.Line(s.ends(w)))
		items = append(items, item)
	}
	if s.below != "" {
		items = append(items, doc.Line(s.below))
	}
	if len(s.Waits) == 0 && len(s.Facts) == 0 && s.Why != "" {
		items = append(items, doc.Line(s.Why))
	}
	if s.GoesOn && len(s.Next) > 0 {
		items = append(items, doc.Line("Next: "+render.List(s.Next, 8)+"."))
	}
	if (s.GoesOn || len(s.WaysOut) > 0) && s.Pace != "" {
		items = append(items, doc.Line("Times: "+s.Pace+"."))
	}
	return append(items, doc.Lines(s.waiting()...)...)
}

// ends says what ends a wait. Where fixes follow that were played, it does not name the same commands without them.
func (s *DumpedSet) ends(w *Wait) string {
	f := fixesOf(s.WaysOut)
	if w.down == "" || len(f.healing) == 0 {
		return ends(w)
	}
	return fmt.Sprintf("%s does not answer, and only its kubelet can say that the process of %s has ended. The wait ends "+
		"when %[1]s is back, or by one of the fixes below.", w.down, w.Object)
}
