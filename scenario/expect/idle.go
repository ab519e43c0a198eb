package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Idle says why a part of a scenario about pods has matched none in a run, in the words of an expectation that
// checks nothing.
type Idle struct {
	cast   *cast
	events []timeline.Event
}

// IdleIn looks through a run.
func IdleIn(events []timeline.Event) *Idle { return &Idle{castOf(events), events} }

// Rule says why a rule of the kubelet can have matched no pod; "" if it can have matched one, or if the run has no
// sets. A pod that a set wants counts even if the run did not create it.
func (i *Idle) Rule(m *behaviour.Match) string {
	c := i.cast
	met := func(e *timeline.Event) bool { return ofPod(m, e.Pod) && admits(m.Image, e.Image) && ofSet(m, e.Set) }
	if len(c.sets) == 0 || slices.ContainsFunc(c.others, met) {
		return ""
	}
	sets := slices.DeleteFunc(slices.Clone(c.sets), func(s *castSet) bool { return !ofSet(m, s.key) })
	if len(sets) == 0 {
		return "the run has no StatefulSet " + strings.TrimPrefix(m.Namespace+"/"+cmp.Or(m.StatefulSet, "*"), "/") +
			": it has " + listed(c.sets, func(s *castSet) string { return s.key.String() })
	}
	named := slices.DeleteFunc(slices.Clone(sets), func(s *castSet) bool {
		return !s.asksFor(func(name string) bool { return ofPod(m, name) })
	})
	if len(named) == 0 {
		return "the run has no " + podOf(m) + ": it has " + listed(sets, (*castSet).pods)
	}
	return i.lacks(m, &cast{sets: named})
}

// lacks lists what the pods that a rule names, those in c, do not have of its other conditions; "" if they have
// all.
func (i *Idle) lacks(m *behaviour.Match, c *cast) string {
	if image := (&entry{pod: "*", image: m.Image, state: "*"}); !c.canMatch(image) {
		return c.missing(image)
	}
	var containers []string
	for _, s := range c.sets {
		containers = append(containers, s.containers...)
	}
	nodes, lives := i.lives(m)
	switch none := func(pattern string, names []string) bool {
		return pattern != "" && len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
			return glob.Match(pattern, name)
		})
	}; {
	case none(m.Container, containers):
		return "the pods have no container " + m.Container + ": they have " + distinct(containers)
	case none(m.Node, nodes):
		return "none of the pods was on a node " + m.Node + ": they were on " + distinct(nodes)
	case m.Nth != nil && *m.Nth > lives && lives > 0:
		return fmt.Sprintf("nth is %d, and no pod was created more than %s", *m.Nth, times(lives))
	}
	return ""
}

// lives returns the nodes that the pods of a rule were on, and how often one of them was created at most, if the
// rule asks for either.
func (i *Idle) lives(m *behaviour.Match) (nodes []string, most int) {
	if m.Node == "" && m.Nth == nil {
		return nil, 0
	}
	for n := range i.events {
		if e := &i.events[n]; e.Kind == timeline.KindPod && ofSet(m, e.Set) && ofPod(m, e.Pod) {
			if most = max(most, e.Nth); e.Node != "" {
				nodes = append(nodes, e.Node)
			}
		}
	}
	return nodes, most
}

// ClaimRule says why a rule of the volumes has matched no claim, by the name and life in the rule; otherwise "".
func (i *Idle) ClaimRule(claim, namespace string, nth *int) string {
	var names []string
	lives, most, matched := map[string]int{}, 0, false
	for n := range i.events {
		e := &i.events[n]
		if e.Kind != timeline.KindClaim || !admits(namespace, e.Set.Namespace) {
			continue
		}
		names = append(names, e.Claim.Name)
		if admits(claim, e.Claim.Name) {
			if matched = true; e.Claim.Type == model.Added {
				lives[e.Claim.Name]++
			}
			most = max(most, lives[e.Claim.Name])
		}
	}
	switch {
	case len(names) == 0:
		return "the run has no claims"
	case !matched:
		return "the run has no claim " + claim + ": it has " + distinct(names)
	case nth != nil && *nth > most && most > 0:
		return fmt.Sprintf("nth is %d, and no claim was created more than %s", *nth, times(most))
	}
	return ""
}

// Entry says why an entry can match no pod; "" if it can match one, or if the run has no sets.
func (i *Idle) Entry(text string) string {
	e, err := parseEntry(text)
	if err == nil && len(i.cast.sets) > 0 && !i.cast.canMatch(e) {
		return i.cast.missing(e)
	}
	return ""
}

// admits reports whether a text matches a glob of a rule; "" matches all.
func admits(pattern, text string) bool { return pattern == "" || glob.Match(pattern, text) }

// ofSet reports whether a rule is for pods of a set, ofPod whether it is for pods of that name.
func ofSet(m *behaviour.Match, set model.Key) bool {
	return admits(m.Namespace, set.Namespace) && admits(m.StatefulSet, set.Name)
}

func ofPod(m *behaviour.Match, name string) bool {
	_, ordinal := model.SplitPodName(name)
	return admits(m.Pod, name) && (m.Ordinal == nil || *m.Ordinal == ordinal)
}

// podOf names the pods that a rule is for.
func podOf(m *behaviour.Match) string {
	name := "pod"
	if m.Pod != "" {
		name += " " + m.Pod
	}
	if m.Ordinal != nil {
		name += " with the ordinal " + strconv.Itoa(*m.Ordinal)
	}
	return name
}

// times says how often something was done.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// distinct lists names, each once.
func distinct(names []string) string {
	slices.Sort(names)
	return strict.List(slices.Compact(names))
}
