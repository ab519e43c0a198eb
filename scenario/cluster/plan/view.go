package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/times"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

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

// mostNames is the number of sets that a line names.
const mostNames = 20

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
	return fmt.Sprintf("%d sets change at the same time: %s.", len(sets), render.List(names, mostAlarmed))
}

// group is something that is the same for several sets, except for their names. It is printed for the first of them.
type group[T any] struct {
	sets []*Set
	of   T
}

func (g *group[T]) names() string {
	return render.List(names(g.sets), mostNames)
}

func (g *group[T]) few() string {
	const most = 3
	if len(g.sets) > most {
		return render.Count(len(g.sets), "set")
	}
	return render.And(names(g.sets))
}

// grouped collects items into groups that are the same except for the names of the sets.
func grouped[T any](sets []*Set, items func(*Set) []T, key func(T) string) []*group[T] {
	var list []*group[T]
	known := map[string]*group[T]{}
	for _, s := range sets {
		r := strings.NewReplacer(s.Name, "SET", "-n "+s.Namespace+" ", "-n NAMESPACE ")
		for _, item := range items(s) {
			text := r.Replace(key(item))
			if known[text] == nil {
				known[text] = &group[T]{of: item}
				list = append(list, known[text])
			}
			known[text].sets = append(known[text].sets, s)
		}
	}
	return list
}

// mostAlarmed is the number of sets that a line of the summary names.
const mostAlarmed = 6

func alarmLine(g *group[alarm.Alarm]) (sets, sentence string) {
	sentence = g.of.Sentence
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

// ownCases returns the answers that belong to one set only.
func ownCases(cases []*group[*run.Case]) map[*Set][]*run.Case {
	own := map[*Set][]*run.Case{}
	for _, g := range cases {
		if len(g.sets) == 1 {
			own[g.sets[0]] = append(own[g.sets[0]], g.of)
		}
	}
	return own
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
const crowd = 8

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

// main returns the most important change in a line, "" if there is none.
func (s *Set) main() string {
	if len(s.Changes) == 0 {
		return ""
	}
	text := s.Changes[0].String()
	if more := len(s.Changes) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
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
	text := "Plan on Kubernetes " + plan.Versions[0]
	if plan.live {
		text += ", beginning with the state of the dump"
	}
	return text
}

// warnings returns what cannot be trusted in a plan, or is assumed because the pods are missing.
func (plan *Plan) warnings() []string {
	lines := slices.Clone(plan.Warnings)
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
