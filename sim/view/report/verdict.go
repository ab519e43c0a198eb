package report

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// verdict writes how the run ended, and what a user should know about it: what is stuck and by which rule, what
// repeats, the ways out, the state of the sets, and warnings. A way out that equals the one before it is not
// repeated.
func (p sheet) verdict(run *Run, sum *summary, c *cast) {
	last := run.result()
	if last == nil {
		p.Text(0, "the timeline ends at "+render.Clock(run.end())+" without a result", render.Warn)
		return
	}
	p.Wrapped("", verdictSentence(last, run), verdictTone(last.Result.Verdict))
	told := ""
	for i := range last.Result.Stuck {
		p.Wrapped("  ", stuckSentence(&last.Result.Stuck[i], sum, c), render.Bad)
		if way := wayOut(&last.Result.Stuck[i], sum); way != "" && way != told {
			p.Wrapped("  ", way, render.Plain)
			told = way
		}
	}
	if len(last.Result.Repeats) > 0 {
		p.Wrapped("  ", "these writes repeat:", render.Bad)
	}
	for _, write := range last.Result.Repeats {
		p.Wrapped("    - ", write, render.Bad)
	}
	p.cures(run)
	numbers := figure(run, sum)
	p.Wrapped("  ", numbers.line(), render.Plain)
	for _, set := range sum.Sets() {
		p.Wrapped("  ", c.set(set.Key)+": "+setSentence(set), render.Plain)
	}
	p.warnings(last.Result.Warnings)
}

// warnings writes what a user should know, however the run ended.
func (p sheet) warnings(warnings []string) {
	for _, warning := range warnings {
		p.Wrapped("  ", "warning: "+warning, render.Warn)
	}
}

// verdictTone is good for a run that settled, and bad for any other, including one that a limit has ended.
func verdictTone(v timeline.Verdict) render.Tone {
	if v == timeline.Settled {
		return render.Good
	}
	return render.Bad
}

// verdictSentence says how the run ended. The reason of the result itself, if it has one, comes before the general
// sentence of its verdict.
func verdictSentence(last *timeline.Event, run *Run) string {
	sentence := string(last.Result.Verdict)
	detail := ""
	switch last.Result.Verdict {
	case timeline.Settled:
		detail = "nothing left to do"
	case timeline.IsStuck:
		detail = render.Count(stuckSets(last.Result.Stuck), "StatefulSet") +
			" cannot make progress, and nothing pending will unblock it"
	case timeline.Livelock:
		detail = "the controller " + reasons.NeverConverges
	case timeline.WasRefused:
		detail = refusal(run.Events)
	case timeline.Limit:
		detail = "the run did not settle before its limit (until, or --until, sets it)"
	case timeline.Interrupted:
		detail = "this is what was known so far"
	}
	if why := because(last); why != "" {
		detail = why
	}
	if last.Result.Verdict != timeline.Settled {
		sentence = strings.ToUpper(sentence)
	}
	return sentence + " at " + render.Clock(last.T) + ": " + detail
}

// stuckSets counts the sets that are stuck: one set may be so for several reasons.
func stuckSets(list []timeline.Stuck) int {
	sets := map[model.Key]bool{}
	for i := range list {
		sets[list[i].Set] = true
	}
	return len(sets)
}

// refusal returns the words of the API server's last refusal, and the refused step.
func refusal(events []timeline.Event) string {
	for i := len(events) - 1; i >= 0; i-- {
		if step := events[i].Step; step != nil && step.Refusal != "" {
			return fmt.Sprintf("the API server does not accept step %d: %s", step.Number, step.Refusal)
		}
	}
	return "the API server does not accept a step"
}

// stuckSentence says which set is stuck, on what, by which rule and since when. Last comes the cluster's own
// message: the warning of the pod, or the error of the set's last sync.
func stuckSentence(s *timeline.Stuck, sum *summary, c *cast) string {
	text := fmt.Sprintf("%s has been stuck since %s", c.set(s.Set), render.Clock(s.Since))
	pod := sum.Fold.Pod(s.Set, s.Why.Object)
	if pod != nil {
		text += " on " + c.of(s.Set, pod.Name) + " (" + podSentence(pod) + ")"
	}
	text += ": " + reasons.Named(s.Why)
	if pod != nil && !pod.Ready && pod.Warning != "" && (pod.Shown == "" || pod.Terminating) {
		text += ". The last warning about it: " + pod.Warning
	}
	if s.Error != "" {
		text += ". The error was: " + s.Error
	}
	return text
}

// wayOut says what releases the wait of a set that is stuck on a pod whose node does not answer; "" for any other
// set.
func wayOut(s *timeline.Stuck, sum *summary) string {
	world := reasons.At(&sum.Fold, s.Set, s.Why.Object, false)
	if !world.Down || world.Terminating && world.OutOfService {
		return ""
	}
	return reasons.Release(s.Why, world)
}
