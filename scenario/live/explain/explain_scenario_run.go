package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Explain looks at a run, which must have a result. The state is that after the last tick at or before the instant. An
// error says which of the options does not fit the run. With a laboratory it plays the ways out of each stuck set,
// which costs some dozen runs. The timeline is not changed, and the explanation shares its events. A pod that is named
// may exist at another time of the run only: then it is among the Missing of its set.
func Explain(events []timeline.Event, o Options) (*Explanation, error) {
	m := momentOf(events, o.At, o.Lab)
	e := &Explanation{At: m.at, End: m.end, Verdict: events[len(events)-1].Result.Verdict}
	var others []string
	for _, set := range m.fold.Sets() {
		pod := strings.TrimPrefix(o.Pod, set.Key.Namespace+"/")
		if parent, _ := model.SplitPodName(pod); o.Pod != "" && parent != set.Key.Name {
			continue
		}
		switch s := m.set(set); {
		case o.Pod == "":
			e.Sets = append(e.Sets, s)
		case s.knows(pod, events):
			e.Sets = append(e.Sets, s.only(pod))
		default:
			others = append(others, s.names()...)
		}
	}
	switch {
	case o.Pod == "" || len(e.Sets) > 0:
		return e, nil
	case len(others) > 0:
		return nil, fmt.Errorf("there is no pod %s in the run: the pods at %s are %s", o.Pod, clock(e.At),
			render.List(others, 10))
	}
	return nil, fmt.Errorf("there is no pod %s at %s: it belongs to no set", o.Pod, clock(e.At))
}

func (m *moment) set(set *timeline.Set) *Set {
	key, serving := set.Key, set.Serving()
	s := Set{Namespace: key.Namespace, Name: key.Name, Replicas: int(set.Spec.Spec.Replicas), Serving: serving}
	s.Drains = m.drains(set)
	if m.end && m.result.Verdict == timeline.Livelock {
		s.Repeats = m.result.Repeats
	}
	told := slices.DeleteFunc(m.stuck(key), func(stuck timeline.Stuck) bool {
		return stuck.Why.Code == model.DrainBlocked && len(s.Drains) > 0
	})
	var state *sim.State
	if len(m.stuck(key)) > 0 && m.lab != nil {
		found := heal.Stuck{Key: key, Lab: m.lab, Events: m.events, State: m.lab.State(nil)}
		s.WaysOut, state = waysOut(found.All(), before{key: key, serving: serving}), found.State
		s.Untried = found.Untried()
		s.Tried = s.Untried == "" || len(s.WaysOut) > 0
	}
	s.Waits = m.waitsAt(key, told, state)
	open := openWaits(m.events, m.cut, key)
	for pod := range set.Pods.All {
		p := podOf(pod, set.Spec, open)
		if p.Since, p.Warning = Instant(pod.Since), pod.Warning; p.Ready {
			p.Warning = ""
		}
		s.Pods = append(s.Pods, p)
	}
	s.Strangers = judge.Strangers(set)
	s.Missing = replicasMissing(set, s.Strangers)
	s.Prevents, s.Ends = prevent(set.Spec, s.Repeats, m.lab)
	return &s
}

// replicasMissing names the replicas of a set that do not exist, and whose names nobody else has.
func replicasMissing(set *timeline.Set, strangers []string) []string {
	var names []string
	for _, key := range set.Spec.PodKeys() {
		own := set.Pods.Any(func(p *timeline.Pod) bool { return p.Name == key.Name })
		if !own && !slices.Contains(strangers, key.Name) {
			names = append(names, key.Name)
		}
	}
	return names
}

func (s *Set) names() []string {
	var names []string
	for i := range s.Pods {
		names = append(names, s.Pods[i].Name)
	}
	return slices.Concat(names, s.Strangers, s.Missing)
}

// knows says whether the set has a pod, or should have it, or the pod exists at another time of the run.
func (s *Set) knows(pod string, events []timeline.Event) bool {
	return slices.Contains(s.names(), pod) || slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Pod == pod && e.Set.Namespace == s.Namespace
	})
}

// only returns the set with one pod. The waits stay: the pod may be kept waiting by another one. A pod that does not
// exist at the instant is missing.
func (s *Set) only(pod string) *Set {
	one := *s
	one.Pods = slices.DeleteFunc(slices.Clone(s.Pods), func(p Pod) bool { return p.Name != pod })
	one.Strangers = slices.DeleteFunc(slices.Clone(s.Strangers), func(name string) bool { return name != pod })
	if one.Missing = nil; len(one.Pods)+len(one.Strangers) == 0 {
		one.Missing = []string{pod}
	}
	one.Drains = slices.DeleteFunc(slices.Clone(s.Drains), func(d *Drain) bool { return !slices.Contains(d.Pods, pod) })
	return &one
}

// prevent returns the change that keeps a set from a livelock with these repeated writes, if it is made before the last
// step; "" if that does not help. ends says that it also ends the loop once it has begun. Both are played.
func prevent(set *model.StatefulSet, repeats []string, lab *play.Lab) (change string, ends bool) {
	if len(repeats) == 0 || lab == nil || !play.LacksBlock(set) {
		return "", false
	}
	key, block, early := set.Key(), play.WriteBlock(set.Key()), *lab
	last := max(0, len(lab.Before)-1)
	early.Before = slices.Insert(slices.Clone(lab.Before), last, sim.Step{
		Verb: block.Verb, Does: block.Kubectl, When: sim.When{Trigger: sim.After}, Act: ifThere(key, block.Act),
	})
	events := early.Run(nil)
	if verdict := events[len(events)-1].Result.Verdict; verdict != timeline.Settled && verdict != timeline.IsStuck {
		return "", false
	}
	return block.Kubectl, heal.BlockEnds(key, lab, nil)
}

func ifThere(key model.Key, act func(*sim.User) sim.Outcome) func(*sim.User) sim.Outcome {
	return func(u *sim.User) sim.Outcome {
		if u.Set(key) == nil {
			return sim.Outcome{Effect: timeline.None}
		}
		return act(u)
	}
}
