package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// summed sums the sets up that change, with the alarms of all.
func summed(sets, idle []*Set) Summary {
	s := Summary{Together: []string{}, Alarms: []alarm.Alarm{}}
	for _, set := range slices.Concat(idle, sets) {
		s.Alarms = append(s.Alarms, set.alarms...)
	}
	s.Alarms = full(alarm.Sorted(s.Alarms))
	for _, set := range sets {
		s = s.with(set)
	}
	if len(s.Together) == 1 {
		s.Together = []string{}
	}
	return s
}

func (s Summary) with(set *Set) Summary {
	s.Sets++
	counts := map[string]*int{
		Refused: &s.Refused, Rolls: &s.Rolls, Renumbers: &s.Moves, Creates: &s.Creates, Removes: &s.Removes,
	}
	if n := counts[set.Does]; n != nil {
		*n++
	}
	switch none := set.Does == Rolls && len(set.Moves.Of(run.Replaced)) == 0; {
	case none && (set.Completes || set.onDelete):
		s.ReplacesNone++
		s.none = append(s.none, set.key.String())
	case none && set.young:
		s.young++
	case none && set.between:
		s.between++
	case none:
		s.halted++
	}
	if set.Refusal == nil && !set.Completes && !set.young {
		s.Stuck++
	}
	if set.scales {
		s.Scales++
		s = s.scaled(set)
	}
	if len(set.Volumes) > 0 {
		s.DeletesVolumes++
	}
	if set.Does != Removes && len(set.Moves) > 0 {
		s.Together = append(s.Together, set.key.String())
	}
	return s
}

// scaled adds a set to those that grow or shrink.
func (s Summary) scaled(set *Set) Summary {
	text := set.key.String()
	if set.Serving != nil {
		text += fmt.Sprintf(" from %d to %d", set.from, set.Serving.Replicas)
	}
	if set.Serving != nil && set.Serving.Replicas < set.from {
		s.shrink = append(s.shrink, text)
	} else {
		s.grow = append(s.grow, text)
	}
	return s
}

// urgent returns sets in the order in which people should look at them: by their worst alarms, then by deeds.
func urgent(sets []*Set) []*Set {
	urgency := func(s *Set) int {
		worst := 2 * alarm.Lowest()
		if len(s.alarms) > 0 {
			worst = s.alarms[0].Rank()
		}
		return worst*len(deeds) + slices.Index(deeds, s.Does)
	}
	return full(slices.SortedStableFunc(slices.Values(sets), func(a, b *Set) int {
		return cmp.Compare(urgency(a), urgency(b))
	}))
}

// String returns a line that counts the changes.
func (s *Summary) String() string {
	if s.Sets == 0 {
		return "no StatefulSet changes"
	}
	return s.headline()
}

func (s *Summary) headline() string {
	var all, parts []string
	for _, part := range []struct {
		n         int
		one, many string
		names     []string
	}{
		{s.Refused, "is refused", "are refused", nil},
		{s.halted, "is stuck before its rollout starts", "are stuck before their rollouts start", nil},
		{s.young, "rolls when a young pod is Ready", "roll when young pods are Ready", nil},
		{s.between, "starts its rollout only between two crashes of a pod",
			"start their rollouts only between two crashes of a pod", nil},
		{s.Rolls - s.ReplacesNone - s.halted - s.between - s.young, "rolls", "roll", nil},
		{s.ReplacesNone, "changes its template without replacing a pod", "change their templates without replacing a pod",
			s.none},
		{s.Scales - len(s.shrink), "scales up", "scale up", s.grow}, {len(s.shrink), "scales down", "scale down", s.shrink},
		{s.Moves, "moves to other ordinals", "move to other ordinals", nil},
		{s.Creates, "is created", "are created", nil}, {s.Removes, "is not in the new files", "are not in the new files", nil},
		{s.Stuck - s.halted - s.between, "does not complete", "do not complete", nil},
		{s.DeletesVolumes, "deletes volumes", "delete volumes", nil},
	} {
		switch does := render.Agree(part.n, part.one, part.many); {
		case part.n == 0:
		case part.n == s.Sets:
			all = append(all, does)
		case len(part.names) == 1:
			parts = append(parts, fmt.Sprintf("%d %s (%s)", part.n, does, part.names[0]))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", part.n, does))
		}
	}
	text := render.Count(s.Sets, "set") + " "
	link := "; of these, "
	if len(all) == 0 {
		all, link = []string{render.Agree(s.Sets, "changes", "change")}, ": "
	}
	if text += render.And(all); len(parts) == 0 {
		return text
	}
	return text + link + strings.Join(parts, ", ")
}

// deeds are the possible effects of a change on a set, the most important first.
var deeds = []string{Refused, Removes, Rolls, Renumbers, Scales, Creates, Policy, Labels, ""}

// outcome says whether all requirements hold, all sets complete, and it is too early to say that.
func outcome(sets []*Set, known bool) (held, settles, early bool) {
	held = !slices.ContainsFunc(sets, func(s *Set) bool { return !s.held() })
	known = known && !slices.ContainsFunc(sets, func(s *Set) bool { return s.Refusal != nil || !s.Completes && !s.young })
	young := slices.ContainsFunc(sets, func(s *Set) bool { return s.young })
	return held, known && !young, known && young
}

// untrusted names the sets about which nothing certain can be said, with the reason.
func untrusted(lists ...[]*Set) []string {
	var names []string
	for _, s := range slices.Concat(lists...) {
		if s.doubt != "" {
			names = append(names, s.key.String()+" ("+s.doubt+")")
		}
	}
	return names
}
