package explain

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// LiveJSON writes the explanation of a dump as one document.
func LiveJSON(w io.Writer, l *Live) error { return render.JSON(w, l) }

// LiveText writes the explanation of a dump for people: the sets that need attention in full, those at rest by name.
// line writes one line of it, wrapped and with the indent given.
func LiveText(l *Live, line func(indent int, text string)) { textOf(l, slices.Values(l.Sets), line) }

// Text writes the same, each set as soon as its fixes have been tried. enough is asked before each set, and ends the
// explanation.
func (b *Begun) Text(line func(indent int, text string), enough func() bool) {
	sets := func(yield func(*LiveSet) bool) {
		b.Each(func(set *LiveSet) bool { return yield(set) && !enough() })
	}
	if !enough() {
		textOf(&b.Live, sets, line)
	}
}

// textOf writes an explanation with these sets.
func textOf(l *Live, sets iter.Seq[*LiveSet], line func(indent int, text string)) {
	line(0, l.Heading())
	for _, sentence := range l.InCommon() {
		line(0, sentence)
	}
	for _, sentence := range l.Assumed {
		line(0, "Note: "+sentence)
	}
	var well []string
	for s := range sets {
		if s.Well() {
			text := fmt.Sprintf("%s (%d of %d)", s.Key(), s.Serving, s.Replicas)
			for _, says := range []string{s.old, s.resting()} {
				text += strings.TrimSuffix("; "+says, "; ")
			}
			well = append(well, text)
			continue
		}
		line(0, "")
		s.text(line)
	}
	if len(well) > 0 {
		line(0, "")
		for _, name := range well {
			line(0, "AT REST  "+name)
		}
	}
	for _, note := range l.Notes {
		line(0, "")
		line(0, note)
	}
	if len(l.Sets) > 0 {
		line(0, "")
		line(0, l.Kubernetes.String())
	}
}

// Heading says when the dump was taken, and how many sets are in which state.
func (l *Live) Heading() string {
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

// text writes a set for people.
func (s *LiveSet) text(line func(int, string)) {
	word, sentence := s.Standing()
	join := "; "
	if s.AtRest {
		join = ", and "
	}
	line(0, fmt.Sprintf("%-9s %s: %s%s%s", word, s.Key(), serve(s.Serving, s.Replicas), join, sentence))
	s.Because(line)
	if s.Tried() {
		printWays(s.WaysOut, s.provided(), line)
	}
}

// Standing says in a word, and in a sentence, in which state a set is; the sentence is "" if there is nothing to say.
func (s *LiveSet) Standing() (word, sentence string) {
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
	case s.Assumes != "" || !s.of.Plays && s.of.Asleep == "":
		return "STUCK", "it probably does not continue by itself"
	}
	return "STUCK", "it does not continue by itself"
}

// unknown says why nothing can be said of a set.
func (s *LiveSet) unknown() string {
	if !s.of.Unseen {
		return s.Unknown
	}
	return "its status says that " + s.Unknown + ". Without its pods nobody can say whether it continues"
}

// resting says what is to be looked at in a set at rest; "" for nothing.
func (s *LiveSet) resting() string {
	switch {
	case s.StuckOn != "":
		return "node " + s.held.node + " is cordoned: a drain of it cannot finish"
	case len(s.AtRisk) > 0:
		return "data is at risk"
	case len(s.Judgement.Causes) > 0:
		return s.Judgement.Causes[0].Sentence
	}
	return ""
}

// continuing says when a set that continues is complete, and under which assumption. That it may not come about is said
// in the word, and not only in a subordinate clause.
func (s *LiveSet) continuing() (word, sentence string) {
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
func (s *LiveSet) completes() string {
	text := "it completes by itself in about " + roughly(s.Takes)
	if len(s.guessed) > 0 {
		text += " if pods " + render.And(s.guessed)
	}
	return text
}

// Tried says whether ways out were looked for.
func (s *LiveSet) Tried() bool {
	return s.Stuck() && (s.of.Plays || s.of.Asleep != "") || len(s.WaysOut) > 0
}

// Because writes the reasons for that: what the dump shows, what is waited for and since when, and what comes next.
func (s *LiveSet) Because(line func(int, string)) {
	for _, risk := range s.AtRisk {
		risk.text(line)
	}
	for i, fact := range s.Facts {
		line(2, fact)
		if i == 0 && s.TooEarly != "" {
			line(2, s.TooEarly)
		}
	}
	if s.State == judge.Stuck && !s.Tried() {
		line(2, "No fix was tried: the simulation does not know what goes wrong here.")
	}
	for _, w := range plainly(s.Waits) {
		line(2, fmt.Sprintf("Waiting%s: %s", sinceWait(w), w.named()))
		if w.Error != "" {
			line(4, "The error is: "+w.Error)
		}
		line(4, s.ends(w))
	}
	if len(s.Waits) == 0 && len(s.Facts) == 0 && s.Why != "" {
		line(2, s.Why)
	}
	if s.GoesOn && len(s.Next) > 0 {
		line(2, "Next: "+firstOf(s.Next)+".")
	}
	if (s.GoesOn || len(s.WaysOut) > 0) && s.Pace != "" {
		line(2, "Times: "+s.Pace+".")
	}
}

// ends says what ends a wait. Where fixes follow that were played, it does not name the same commands without them.
func (s *LiveSet) ends(w *Wait) string {
	f := fixesOf(s.WaysOut)
	if w.down == "" || len(f.healing) == 0 {
		return ends(w)
	}
	return fmt.Sprintf("%s does not answer, and only its kubelet can say that the process of %s has ended. The wait ends "+
		"when %[1]s is back, or by one of the fixes below.", w.down, w.Object)
}

// firstOf names the first of some changes.
func firstOf(changes []string) string {
	const most = 8
	if len(changes) <= most {
		return strings.Join(changes, ", ")
	}
	return strings.Join(changes[:most], ", ") + fmt.Sprintf(" and %d more", len(changes)-most)
}

// Fixes returns the lines above the fixes of a set, and those behind them, which name what does not help and why.
func (s *LiveSet) Fixes() (head, after []string) {
	f := fixesOf(s.WaysOut)
	f.unblock(func(_ int, text string) { head = append(head, text) })
	head = append(head, f.head(s.provided()))
	for i := range f.reliefs[:min(len(f.reliefs), mostReliefs)] {
		f.reliefs[i].print(relief+" ", func(_ int, text string) { after = append(after, text) })
	}
	return head, append(after, f.vain()...)
}

// provided returns the assumption under which the set is stuck, if nothing speaks for it yet.
func (s *LiveSet) provided() string {
	if s.TooEarly == "" {
		return ""
	}
	return s.Assumes
}
