package advise

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// subject is a set, its change, and how its pods behave. It does not change, so settings are tried at the same time.
type subject struct {
	frame *stored.Frame
	key   model.Key
	// given is the set as it runs, wanted what it becomes: with another template.
	given, wanted *model.StatefulSet
	// timings are the times that are played, shown those that the sources give: a pod that takes longer to stop than its
	// grace period is killed.
	timings, shown times.Timings
	usual          behaviour.Times
	// unprobed says that nothing but a crash keeps a pod that runs from being Ready. ignores says that the controller does
	// not wait for minReadySeconds in a rollout of a Parallel set.
	unprobed, ignores bool
	// alarms are what makes the figures doubtful.
	alarms []string
	keep   keep
	// draws are the rules by which the pods behave in each of the runs with drawn times. They are the same for all
	// settings: a pod takes as long in one as in the other.
	draws [][]behaviour.Rule
}

// today is the setting that the set has.
func (s *subject) today() *setting {
	today := settingOf(s.wanted)
	return &today
}

// seed is that of the first run with drawn times.
const seed = 1

// timesOf returns the typical times of a set's pods.
func timesOf(timings times.Timings) behaviour.Times {
	var typical [recording.Stages]behaviour.Delay
	for i, timing := range timings {
		typical[i] = behaviour.Constant(recording.Typical(timing.Delay))
	}
	return behaviour.Times{
		Schedule: behaviour.Constant(0), Stop: typical[recording.Stop], Start: typical[recording.Start],
		Ready: typical[recording.Ready],
	}
}

// drawn returns the rules of n runs: for each pod how long its stop, its start and its readiness take. If no time is a
// distribution, there is one run without any rule.
func (s *subject) drawn(n int) [][]behaviour.Rule {
	varies := false
	for _, timing := range s.timings {
		varies = varies || timing.Varies()
	}
	if !varies {
		return [][]behaviour.Rule{nil}
	}
	list := make([][]behaviour.Rule, n)
	for i := range list {
		list[i] = s.draw(uint64(i))
	}
	return list
}

// draw returns the rules of a run. Old pods have the template @1, new ones @2.
func (s *subject) draw(run uint64) []behaviour.Rule {
	chooser := choose.Seeded(seed + run)
	of := func(stage int) behaviour.Delay {
		ns, never := s.timings[stage].Delay.Draw(chooser)
		if never {
			return behaviour.Never
		}
		return behaviour.Constant(ns)
	}
	var rules []behaviour.Rule
	start := s.wanted.Start()
	for ordinal := start; ordinal < start+int(max(s.wanted.Spec.Replicas, s.given.Spec.Replicas)); ordinal++ {
		old, now := s.usual, s.usual
		old.Stop, now.Start, now.Ready = of(recording.Stop), of(recording.Start), of(recording.Ready)
		rules = append(rules, s.rule(ordinal, 1, old), s.rule(ordinal, 2, now))
	}
	return rules
}

// rule gives the pods of an ordinal and a template their times.
func (s *subject) rule(ordinal, template int, as behaviour.Times) behaviour.Rule {
	return behaviour.Rule{
		Match: behaviour.Match{Ordinal: &ordinal, Template: template}, Times: as,
		Of: behaviour.Whose{Namespace: s.key.Namespace, Set: s.key.Name},
	}
}

// lab returns the laboratory in which the set runs with a setting, at rest.
func (s *subject) lab(as *setting) *play.Lab { return s.fresh().Begun(s.before(as)) }

// fresh returns the laboratory in which nothing has happened.
func (s *subject) fresh() *play.Lab {
	config := s.frame.Config()
	config.Header.Scenario = "advise"
	config.Kubelet.Sets = map[model.Key]behaviour.Times{s.key: s.usual}
	return &play.Lab{Profile: s.frame.Profile, World: config}
}

// before creates the set with a setting.
func (s *subject) before(as *setting) play.Script { return play.Script{play.Create(as.on(s.given))} }

// rollout is the change with a setting, after what was before: with all its stages. The change is the second step.
func (s *subject) rollout(as *setting) play.Script {
	return s.before(as).Then(s.change(as)...)
}

// change is the change, stage by stage. Between two stages somebody waits until the new pods are available, and then
// watches them; one that is not Ready all the time ends the rollout there.
func (s *subject) change(as *setting) play.Script {
	next := as.on(s.wanted)
	apply := play.Change(s.key, play.Deed{Verb: "apply", Does: "the new version"},
		func(_ *sim.User, set *model.StatefulSet) *model.APIError {
			policy := set.Spec.PodManagement
			set.Spec = next.Spec
			set.Spec.PodManagement = policy
			return nil
		})
	script := play.Script{s.looked(apply)}
	if as.onDelete {
		for i := int(s.wanted.Spec.Replicas) - 1; i >= 0; i-- {
			pod := model.Key{Namespace: s.key.Namespace, Name: s.wanted.PodName(s.wanted.Start() + i)}
			script = append(script, play.Delete(pod, false).Promptly(), s.available().Promptly())
		}
		return script
	}
	for i := 1; i < len(as.stages); i++ {
		script = append(script, s.available().Promptly())
		if as.pause > 0 {
			watch := play.Deed{Verb: "wait", Does: "watch the new pods for " + render.Brief(as.pause)}
			script = append(script, watch.Promptly(), s.steady(as.pause).After(as.pause))
		}
		script = append(script, play.Partition(s.wanted, as.stages[i]).Promptly())
	}
	return script
}

// ignoring reports whether the controller goes on in a rollout of a Parallel set before its pods are available: then the
// last pod is reached as soon with minReadySeconds as without. Whether it waits depends on the version.
func (s *subject) ignoring() bool {
	reached := func(minReady int32) time.Duration {
		as := setting{policy: model.Parallel, minReady: minReady}
		_, last := taken(s.lab(&as).Run(s.rollout(&as)), s.key)
		return last
	}
	return s.wanted.Spec.Replicas > 1 && reached(longMinReadySeconds[0]) == reached(0)
}

// looked lets the old pods, which run when the change comes, stop as the rules of the run say. All runs of a setting have
// one beginning, in which no rule of any of them held: a rule that comes makes their kubelets look again.
func (s *subject) looked(change play.Deed) play.Deed {
	if !s.timings[recording.Stop].Varies() {
		return change
	}
	act := change.Act
	change.Act = func(u *sim.User) sim.Outcome {
		u.AddRule(behaviour.Named{Name: "advise", Rule: behaviour.Rule{Match: behaviour.Match{Template: 1}}}, 0)
		return act(u)
	}
	return change
}

// available waits until the new pods are available: those at and above the partition.
func (s *subject) available() play.Deed {
	return play.Deed{Verb: "wait", Does: "wait until the new pods are available",
		Returns: func(*play.Moment) func(*play.Moment) bool {
			return func(now *play.Moment) bool { return s.well(now, 0) }
		}}
}

// steady returns at once if all new pods have been Ready for some time, and never otherwise.
func (s *subject) steady(long time.Duration) play.Deed {
	return play.Deed{Verb: "wait", Does: "go on if the new pods have been Ready all the time",
		Returns: func(*play.Moment) func(*play.Moment) bool {
			asked, held := false, false
			return func(now *play.Moment) bool {
				if !asked {
					asked, held = true, s.well(now, long)
				}
				return held
			}
		}}
}

// well reports whether the set has all its pods, and all of the new template that should have it have been available,
// and Ready for some time.
func (s *subject) well(now *play.Moment, long time.Duration) bool {
	set := now.Set(s.key)
	if set == nil || set.Spec == nil || set.Pods.Len() != int(set.Spec.Spec.Replicas) ||
		set.Available(now.T) != set.Pods.Len() {
		return false
	}
	return !set.Pods.Any(func(p *timeline.Pod) bool {
		isNew := p.Template == set.Spec.Spec.Template.ID
		kept := set.Spec.BelowPartition(p.Ordinal) || set.Spec.Spec.Strategy.Type == model.OnDeleteStrategy
		return !isNew && !kept || isNew && now.T.Sub(p.ReadySince) < long
	})
}
