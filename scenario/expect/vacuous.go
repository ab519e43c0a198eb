package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cast has the pods, templates and images that a run can have: from the sets that its steps and faults have
// written, and from others that appeared. An entry that matches none of them is a mistake.
type cast struct {
	sets []*castSet
	// others are the pods that came and that no set accounts for, by the changes of their states; for example bare pods.
	others []*timeline.Event
}

// castSet is a set through all of its changes, in the order of the sets' appearance.
type castSet struct {
	key model.Key
	// first and last bound the ordinals that it has ever asked for; last is first-1 if it asked for none.
	first, last int
	templates   []castTemplate
	// containers are the names of the containers in all templates.
	containers []string
}

// castTemplate is a template that a set has had: its number in the run, as an entry has it, and its first image.
type castTemplate struct {
	number, image string
}

// castOf looks through a run.
func castOf(events []timeline.Event) *cast {
	c := &cast{}
	for i := range events {
		e := &events[i]
		if e.Step != nil {
			for _, set := range e.Step.Sets {
				c.see(set)
			}
		}
		if e.Fault != nil {
			for _, set := range e.Fault.Sets {
				c.see(set)
			}
		}
		if e.Kind == timeline.KindPod && !c.knows(e) {
			c.others = append(c.others, e)
		}
	}
	return c
}

// see widens a set by one of its states.
func (c *cast) see(set *model.StatefulSet) {
	first := set.Start()
	last := first + int(set.Spec.Replicas) - 1
	at := slices.IndexFunc(c.sets, func(s *castSet) bool { return s.key == set.Key() })
	if at < 0 {
		at = len(c.sets)
		c.sets = append(c.sets, &castSet{key: set.Key(), first: first, last: last})
	}
	s := c.sets[at]
	s.first, s.last = min(s.first, first), max(s.last, last)
	t := castTemplate{strconv.Itoa(set.Spec.Template.ID), set.Spec.Template.Image()}
	if slices.Contains(s.templates, t) {
		return
	}
	s.templates = append(s.templates, t)
	for _, container := range set.Spec.Template.Containers {
		s.containers = append(s.containers, container.Name)
	}
	if life := set.Spec.Template.Lifecycle; life != nil {
		for i := range life.Init {
			s.containers = append(s.containers, life.Init[i].Name)
		}
	}
}

// knows reports whether a set of the run accounts for a pod as it is.
func (c *cast) knows(e *timeline.Event) bool {
	return slices.ContainsFunc(c.sets, func(s *castSet) bool {
		name, ordinal := model.SplitPodName(e.Pod)
		return s.key == e.Set && s.key.Name == name && s.first <= ordinal && ordinal <= s.last &&
			slices.Contains(s.templates, castTemplate{strconv.Itoa(e.Template), e.Image})
	})
}

// canMatch reports whether the run can have a pod that the entry means, whatever its state.
func (c *cast) canMatch(e *entry) bool {
	for _, other := range c.others {
		whole := *e
		whole.state = "*"
		if whole.matches(other) {
			return true
		}
	}
	return slices.ContainsFunc(c.sets, func(s *castSet) bool {
		return s.hasNamespace(e) && slices.ContainsFunc(s.templates, e.means) && s.hasPod(e)
	})
}

// hasNamespace reports whether the entry is about pods of the set's namespace.
func (s *castSet) hasNamespace(e *entry) bool {
	return e.namespace == "" || glob.Match(e.namespace, s.key.Namespace)
}

// hasPod reports whether one of the ordinals has a name that the entry means.
func (s *castSet) hasPod(e *entry) bool {
	return s.asksFor(func(name string) bool { return glob.Match(e.pod, name) })
}

// asksFor reports whether one of the names of the set's pods is such. O(replicas).
func (s *castSet) asksFor(such func(name string) bool) bool {
	for ordinal := s.first; ordinal <= s.last; ordinal++ {
		if such(s.key.Name + "-" + strconv.Itoa(ordinal)) {
			return true
		}
	}
	return false
}

// means reports whether the entry's template and image are those.
func (e *entry) means(t castTemplate) bool {
	return (e.template == "" || glob.Match(e.template, t.number)) && (e.image == "" || glob.Match(e.image, t.image))
}

// vacuous says why an entry can match nothing, and what the run has; "" if it can, or if the run has no sets.
func (r *run) vacuous(e *entry) string {
	if r.cast == nil {
		r.cast = castOf(r.events)
	}
	if r.cast.canMatch(e) || len(r.cast.sets) == 0 {
		return ""
	}
	return "it checks nothing: " + r.cast.missing(e)
}

// podKinds are how kubectl names pods, which people write before a pod where a namespace would be.
var podKinds = []string{"pod", "pods", "po"}

// missing says which part of the entry the run does not have: the pod, or otherwise its template or image.
func (c *cast) missing(e *entry) string {
	named := slices.DeleteFunc(slices.Clone(c.sets), func(s *castSet) bool { return !s.hasNamespace(e) || !s.hasPod(e) })
	if len(named) == 0 && slices.Contains(podKinds, e.namespace) {
		return fmt.Sprintf("%s/ would be the namespace %[1]s: write %s", e.namespace, strings.TrimPrefix(e.text, e.namespace+"/"))
	}
	if len(named) == 0 {
		return fmt.Sprintf("the run has no pod %s: it has %s", e.pod, listed(c.sets, (*castSet).pods))
	}
	var have []string
	for _, s := range named {
		for _, t := range s.templates {
			if have = append(have, "@"+t.number+" "+t.image); e.template == "" {
				have[len(have)-1] = t.image
			}
		}
	}
	what := "image " + e.image
	if e.template != "" {
		what = "template @" + e.template
	}
	return fmt.Sprintf("%s never has the %s: it has %s", named[0].key.Name, what, strict.List(slices.Compact(have)))
}

// pods names the pods that a set has asked for.
func (s *castSet) pods() string {
	name := func(ordinal int) string { return s.key.Name + "-" + strconv.Itoa(ordinal) }
	switch {
	case s.last < s.first:
		return "none of " + s.key.Name
	case s.last == s.first:
		return name(s.first)
	}
	return name(s.first) + " to " + name(s.last)
}

// listed lists what the sets are called, or their pods.
func listed(sets []*castSet, of func(*castSet) string) string {
	var names []string
	for _, s := range sets {
		names = append(names, of(s))
	}
	return strict.List(names)
}
