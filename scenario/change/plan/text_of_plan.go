package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Marker is the comment by which a bot finds the comment that it wrote before.
const Marker = "<!-- statefulsim:plan -->"

// mostMarkdown is the longest comment that the large forges take, in characters, with a little to spare.
const mostMarkdown = 65_000

// Document is the plan as people read it, the most important first.
func (plan *Plan) Document() *doc.Document {
	d := &doc.Document{
		Marker: Marker, First: doc.All(slices.Concat(plan.Failing(), plan.warnings())), Title: doc.Of(plan.title()),
		Headline: doc.Of(headlineOf(plan) + "."), Tone: plan.tone(), Alarms: alarmItems(plan),
		Table: doc.Table{Header: []string{"StatefulSet", "What happens", "Order", "Duration", "Serving", "Requirements"}},
		Notes: doc.All(plan.rest()), Room: mostMarkdown,
	}
	if len(plan.Sets) == 0 {
		d.Headline = doc.Of(plan.nothing())
	}
	if text := plan.together(); text != "" {
		d.Facts = doc.Lines(text)
	}
	cases := plan.cases()
	own := ownCases(cases)
	for _, g := range plan.sections() {
		if g.of.Does != Removes || len(g.of.Requirements) > 0 {
			// Of a set that is removed the alarm says it all.
			d.Parts = append(d.Parts, part(plan, g, own[g.of]))
		}
		for _, s := range g.sets {
			d.Table.Rows = append(d.Table.Rows, s.row(len(d.Parts)))
		}
	}
	d.Parts = append(d.Parts, common(plan, cases)...)
	return d
}

// headlineOf sums the plan up. If one set rolls, it says what a reviewer wants to know of it.
func headlineOf(plan *Plan) string {
	text := plan.Summary.headline()
	if len(plan.Sets) != 1 {
		return text
	}
	s := plan.Sets[0]
	if s.Does != Rolls || s.Serving == nil || !s.Completes || !strings.HasPrefix(s.Headline, "replaces") {
		return text
	}
	return text + ": " + s.key.String() + " " + s.Headline + "; " + render.Serve(s.Serving.Fewest, s.Serving.Replicas)
}

// tone says whether the plan does what it has to, and whether there is a risk.
func (plan *Plan) tone() render.Tone {
	switch {
	case !plan.Held || !plan.Settles:
		return render.Bad
	case len(plan.Alarms)+len(plan.Untrusted) > 0:
		return render.Warn
	}
	return render.Good
}

// common are the parts about what is the same for several sets: what may go wrong, and where the times are from.
func common(plan *Plan, cases []*group[*run.Case]) []doc.Part {
	var parts []doc.Part
	names := ""
	for _, g := range cases {
		if len(g.sets) == 1 {
			continue
		}
		if now := g.names(); now != names {
			names = now
			parts = append(parts, doc.Part{
				Title: doc.Of("What if, the same for " + names + " (shown for the first)"), Folded: true,
			})
		}
		last := &parts[len(parts)-1]
		last.Items = append(last.Items, caseItems(plan, g.sets[0], []*run.Case{g.of})...)
	}
	if len(plan.Sets) == 1 {
		return parts
	}
	times := doc.Part{Title: doc.Of("Times"), Folded: true}
	for _, g := range plan.timings() {
		text := g.of.String()
		if len(g.sets) < len(plan.Sets) {
			text += " (" + g.few() + ")"
		}
		times.Items = append(times.Items, doc.Line(text))
	}
	if len(times.Items) > 0 {
		parts = append(parts, times)
	}
	return parts
}

func (plan *Plan) nothing() string {
	if plan.leftOut > 0 {
		return "No set was played."
	}
	text := "Nothing changes."
	if plan.others {
		text = "No StatefulSet changes."
	}
	if plan.empty {
		text += " NEW has no StatefulSet: check that it was rendered."
	}
	return text
}

// together says which sets roll at the same time, and how many pods of each serve then at least; "" if none do.
func (plan *Plan) together() string {
	if len(plan.Summary.Together) == 0 {
		return ""
	}
	var sets []*Set
	for _, s := range plan.Sets {
		if slices.Contains(plan.Summary.Together, s.key.String()) {
			sets = append(sets, s)
		}
	}
	slices.SortStableFunc(sets, func(a, b *Set) int {
		return cmp.Compare(a.Serving.Fewest*b.Serving.Replicas, b.Serving.Fewest*a.Serving.Replicas)
	})
	var names []string
	for _, s := range sets {
		text := fmt.Sprintf("%s (%s)", s.key, render.Serve(s.Serving.Fewest, s.Serving.Replicas))
		if s.Serving.Before == 0 {
			text = s.key.String() + " (new)"
		}
		names = append(names, text)
	}
	return fmt.Sprintf("%d sets change at the same time: %s.", len(sets), render.List(names, mostTogether))
}

// mostTogether is the number of sets that are named of those that change at the same time, those with the fewest first.
const mostTogether = 3

// mostAlarmed is the number of sets that a line of the summary names.
const mostAlarmed = 6

// alarmLine says an alarm, and of which sets. An old one is brief where there are new ones.
func (plan *Plan) alarmLine(g *group[alarm.Alarm]) (sets, sentence string) {
	sentence = g.of.Sentence
	if g.of.Before && slices.ContainsFunc(plan.Alarms, func(a alarm.Alarm) bool { return !a.Before }) {
		sentence = g.of.Brief()
	}
	if slices.ContainsFunc(g.sets, func(s *Set) bool {
		here := g.of
		here.Set = s.key.String()
		return !slices.Contains(s.alarms, here)
	}) {
		sentence += " (shown for the first)"
	}
	if !strings.HasSuffix(sentence, "?") && !strings.HasSuffix(sentence, "…") {
		sentence += "."
	}
	if g.of.Before {
		sentence += " OLD has this already."
	}
	return render.List(names(g.sets), mostAlarmed), sentence
}

func (plan *Plan) alarms() []*group[alarm.Alarm] {
	sets := slices.Concat(plan.Sets, plan.NotAtRest)
	list := grouped(sets, func(s *Set) []alarm.Alarm { return s.alarms }, func(a alarm.Alarm) string {
		text := fmt.Sprint(a.Trap, a.Before, a.Sentence)
		if a.Trap == alarm.TrapReady || a.Trap == alarm.TrapNotAtRest {
			// What it is about follows a colon, and differs from set to set.
			text, _, _ = strings.Cut(text, ":")
		}
		return text
	})
	slices.SortStableFunc(list, func(a, b *group[alarm.Alarm]) int {
		return cmp.Compare(a.of.Rank(), b.of.Rank())
	})
	return list
}

func (plan *Plan) cases() []*group[*run.Case] {
	return grouped(plan.Sets, func(s *Set) []*run.Case { return s.Cases }, func(c *run.Case) string {
		return strings.Join(append([]string{c.Name, c.Asks, c.Answer}, c.Commands...), "\n")
	})
}

func (plan *Plan) timings() []*group[*times.Timing] {
	return grouped(plan.Sets, func(s *Set) []*times.Timing {
		if s.Duration == nil || len(s.Moves) == 0 {
			return nil
		}
		return s.Duration.Timings
	}, (*times.Timing).String)
}

// crowd is the number of changing sets from which on sets that change in the same way are printed together.
const crowd = 5

// sections returns the sets. If there are many, those that change in the same way are together.
func (plan *Plan) sections() []*group[*Set] {
	apart := 0
	return grouped(plan.Sets, func(s *Set) []*Set { return []*Set{s} }, func(s *Set) string {
		if len(plan.Sets) <= crowd || s.Refusal != nil || len(s.Requirements)+len(s.Differences) > 0 {
			apart++
			return fmt.Sprintf("%d", apart)
		}
		lines := slices.Concat([]string{s.Headline, s.Ends, s.Duration.String(), s.Serving.String()}, s.Order, s.Notes)
		for _, b := range s.Budgets {
			lines = append(lines, b.String())
		}
		return strings.Join(lines, "\n")
	})
}

// rest returns the lines that are not about the sets that change.
func (plan *Plan) rest() []string {
	lines := slices.Clone(plan.Notes)
	if plan.live && len(plan.Assumed) > 0 {
		lines = append(lines, "Assumed: "+strings.Join(plan.Assumed, " "))
	}
	if len(plan.Unchanged) > 0 {
		lines = append(lines, "Unchanged: "+render.List(plan.Unchanged, mostNames)+".")
	}
	missing := slices.DeleteFunc(slices.Clone(plan.Missing), func(name string) bool {
		return slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Does == Removes && s.key.String() == name })
	})
	if len(missing) > 0 {
		lines = append(lines, "Not in the new files: "+strings.Join(missing, ", ")+
			". kubectl apply does not delete them; helm upgrade or --prune would.")
	}
	if len(plan.Ignored) > 0 {
		lines = append(lines, "Ignored (no effect on the rollout): "+strings.Join(plan.Ignored, ", ")+".")
	}
	if same := plan.alike(); len(same) > 0 {
		lines = append(lines, "On "+render.And(same)+" the plan is the same as on "+plan.Versions[0]+".")
	}
	if plan.Interrupted {
		line := "Interrupted: this is what was known so far."
		if plan.leftOut > 0 {
			line += fmt.Sprintf(" Not yet played, and left out: %s.", render.Count(plan.leftOut, "set"))
		}
		lines = append(lines, line)
	}
	return append(lines, plan.NotModelled)
}

func (plan *Plan) title() string {
	text := "Plan on Kubernetes " + statefulset.Title(plan.Versions[0])
	if plan.live {
		text += ", beginning with the state of the dump"
	}
	return text
}

// warnings returns what cannot be trusted in a plan, or is assumed because the pods are missing.
func (plan *Plan) warnings() []string {
	lines := slices.Clone(plan.Warnings)
	if doubt := plan.Kubernetes.Doubt(); doubt != "" {
		lines = append([]string{doubt}, lines...)
	}
	switch {
	case len(plan.Untrusted) > 0:
		return append(lines, "NOT TO BE TRUSTED: "+render.List(plan.Untrusted, mostAlarmed)+". The plan assumes that all "+
			"pods exist and are Ready, because the dump does not show them. Dump them too: "+dump.Command)
	case !plan.live:
		return append(lines, plan.Assumed...)
	}
	return lines
}

func notModelled(in *Input, sets []*Set) string {
	room, assumes := "node capacity", "that the current state is at rest with all pods Ready, and "
	if slices.ContainsFunc(sets, func(s *Set) bool { return s.Shows != "" }) {
		assumes = "that all other sets are at rest with all pods Ready, and "
	}
	if in.State != nil {
		assumes = ""
	}
	if in.State != nil && !in.State.Nodeless {
		room = "the room that other pods take on the nodes"
	}
	apply := "client-side kubectl apply"
	if in.Unnamed {
		apply += ". Where a file names no namespace, default is assumed: -n names another"
	}
	return "Not modelled: the application itself, " + room + ", volume migration, init containers, evictions other than " +
		"those above. Assumes " + assumes + apply + "."
}
