package behaviour

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
)

// Subject holds what a rule looks at.
type Subject struct {
	Pod *model.Pod
	// StatefulSet is the name of the pod's set, Nth counts the lives of the pod's name from 1.
	StatefulSet string
	Nth         int
	// Container is the one that it is about, "" for the pod as a whole.
	Container string
}

// For returns the times of a pod: those of the first rule that matches it, completed by those of its set and by the
// defaults. They must not be changed: pods share them.
func (b *Behaviour) For(s Subject) *Times {
	times := b.usual(s)
	if mayBeAnnotated(s.Pod.Template) {
		if own, is := annotated(s.Pod.Template); is {
			times = own.replacing(times)
		}
	}
	for i := range b.Added {
		if added := &b.Added[i].Rule; added.Match.matches(s) {
			times = added.Times.replacing(times)
		}
	}
	return times
}

// replacing returns these times, completed by others.
func (t Times) replacing(others *Times) *Times {
	over := t.over(*others)
	return &over
}

// usual is For without the rules that were added.
func (b *Behaviour) usual(s Subject) *Times {
	times, of := b.of(s)
	if rule := b.rule(s); rule != nil {
		times = rule.Times.Filled(times)
	} else if !of {
		return &b.Default
	}
	times = times.over(b.Default)
	return &times
}

// of returns the times of the set of a pod, if there are any.
func (b *Behaviour) of(s Subject) (times Times, is bool) {
	if len(b.Sets) > 0 {
		times, is = b.Sets[model.Key{Namespace: s.Pod.Namespace, Name: s.StatefulSet}]
	}
	return times, is
}

// Schedule is For(s).Schedule.
func (b *Behaviour) Schedule(s Subject) Delay {
	for i := range slices.Backward(b.Added) {
		if added := &b.Added[i].Rule; added.Times.Schedule != nil && added.Match.matches(s) {
			return added.Times.Schedule
		}
	}
	if rule := b.rule(s); rule != nil && rule.Times.Schedule != nil {
		return rule.Times.Schedule
	}
	if times, _ := b.of(s); times.Schedule != nil {
		return times.Schedule
	}
	return b.Default.Schedule
}

// rule returns the first rule that matches a pod; nil if none does.
func (b *Behaviour) rule(s Subject) *Rule {
	for i := range b.Rules {
		if b.Rules[i].Match.matches(s) {
			return &b.Rules[i]
		}
	}
	return nil
}

// Conditional says whether the readiness of pods may depend on a condition.
func (b *Behaviour) Conditional() bool {
	conditional := func(r Rule) bool { return r.Times.When != nil }
	return b.Default.When != nil || slices.ContainsFunc(b.Rules, conditional)
}

// matches says whether a subject satisfies all that is given. A match for a container never matches a pod as a whole.
func (m *Match) matches(s Subject) bool {
	if m.Nth != nil && *m.Nth != s.Nth {
		return false
	}
	if m.Container != "" && (s.Container == "" || !is(m.Container, s.Container)) {
		return false
	}
	if m.That != nil && !m.That(s.Pod) {
		return false
	}
	if m.Template != 0 && m.Template != s.Pod.Template.ID {
		return false
	}
	if m.Ordinal != nil {
		if _, ordinal := model.SplitPodName(s.Pod.Name); ordinal != *m.Ordinal {
			return false
		}
	}
	return is(m.Image, s.Pod.Template.Image()) && is(m.Pod, s.Pod.Name) && is(m.Node, s.Pod.Node) &&
		is(m.StatefulSet, s.StatefulSet) && is(m.Namespace, s.Pod.Namespace)
}

// is says whether a text matches a glob; "" matches all.
func is(pattern, text string) bool { return pattern == "" || glob.Match(pattern, text) }

// Matches reports whether the rule is for a subject.
func (r *Rule) Matches(s Subject) bool { return r.Match.matches(s) }

// fill gives a delay that is not given another value.
func fill(own *Delay, other Delay) {
	if *own == nil {
		*own = other
	}
}

// Filled returns the times in which the stages that every pod goes through are completed by others.
func (t Times) Filled(others Times) Times {
	fill(&t.Schedule, others.Schedule)
	fill(&t.Start, others.Start)
	fill(&t.Ready, others.Ready)
	fill(&t.Stop, others.Stop)
	return t
}

// over completes the times with the defaults. Fail is no stage that every pod goes through, so it is not completed
// unless the defaults have one. A condition of the defaults is left out if the rule says when its pods are Ready.
func (t Times) over(defaults Times) Times {
	if t.Ready == nil && t.When == nil {
		t.When = defaults.When
	}
	t = t.Filled(defaults)
	fill(&t.Fail, defaults.Fail)
	fill(&t.GiveUp, defaults.GiveUp)
	fill(&t.Healthy, defaults.Healthy)
	fill(&t.Init, defaults.Init)
	fill(&t.PreStop, defaults.PreStop)
	if t.Pull == nil {
		t.Pull = defaults.Pull
	}
	if t.Crash == nil {
		t.Crash, t.Crashes = defaults.Crash, defaults.Crashes
	}
	if t.Exit == nil {
		t.Exit = defaults.Exit
	}
	if t.Reason == "" {
		t.Reason = defaults.Reason
	}
	return t
}
