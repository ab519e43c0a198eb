package plan

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// until ends a run that never settles. No change window is longer.
const until = 30 * 24 * time.Hour

// world is a simulated cluster with some of the pairs.
type world struct {
	*Options
	profile statefulset.Profile
	pairs   []*Pair
	// timings are those of the pods of each set.
	timings map[model.Key][stages]*Timing
	// unfinished are the sets whose pods have not all got the template that runs now.
	unfinished map[model.Key]*staged
	// change is the number of the step that is the change, in the run in which nothing goes wrong.
	change int
	// rules come before the sets' own times: they are what goes wrong.
	rules []behaviour.Rule
	// drawn says that times are drawn from their distributions; otherwise each is its median. more is added to the time of
	// each stage.
	drawn   bool
	chooser choose.Chooser
	// machinery is how long calls take, no time where it is not given.
	machinery sim.Machinery
	more      [stages]time.Duration
}

// play plays steps.
func (w *world) play(steps []sim.Step) []timeline.Event {
	kubelet := behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(0)}, Rules: w.rules}
	for _, p := range w.pairs {
		match := behaviour.Match{Namespace: p.Key.Namespace, StatefulSet: p.Key.Name}
		kubelet.Rules = append(kubelet.Rules, behaviour.Rule{Match: match, Times: w.times(p.Key)})
	}
	return sim.New(sim.Config{
		Controller:  statefulset.New(w.profile),
		API:         w.profile.API(),
		Kubelet:     kubelet,
		Chooser:     w.chooser,
		Machinery:   w.machinery,
		Until:       until,
		MaxEvents:   w.Limits.OrDefault().Events,
		Interrupted: w.Interrupted,
		Header: timeline.Run{
			Format: timeline.FormatVersion, Sim: w.Sim, Scenario: "plan", Kubernetes: w.profile.Version(),
		},
	}).Run(steps)
}

// times are the times of a set's pods.
func (w *world) times(key model.Key) behaviour.Times {
	var delays [stages]behaviour.Delay
	for i, timing := range w.timings[key] {
		delays[i] = timing.delay
		if !w.drawn {
			delays[i] = behaviour.Constant(typical(timing.delay) + w.more[i])
		}
	}
	return behaviour.Times{
		Schedule: behaviour.Constant(0), Stop: delays[stop], Start: delays[start], Ready: delays[ready],
	}
}

// wrong adds a rule for some pods of a set: what it does not give is as the set's own times are.
func (w *world) wrong(key model.Key, match behaviour.Match, change func(*behaviour.Times)) {
	match.Namespace, match.StatefulSet = key.Namespace, key.Name
	times := w.times(key)
	change(&times)
	w.rules = append(w.rules, behaviour.Rule{Match: match, Times: times})
}

// script are steps while they are written.
type script struct {
	steps []sim.Step
	// later is when the next step acts, nil is once settled.
	later *time.Duration
}

// after lets the next step act some time after the one before.
func (s *script) after(d time.Duration) *script {
	s.later = &d
	return s
}

func (s *script) step(verb, does string, act func(*sim.User) sim.Outcome) {
	step := sim.Step{Number: len(s.steps) + 1, Verb: verb, Does: does, Act: act}
	if s.later != nil {
		step.When = sim.When{Trigger: sim.After, D: *s.later}
	}
	s.later = nil
	s.steps = append(s.steps, step)
}

func refused(err *model.APIError) sim.Outcome { return sim.Outcome{Effect: timeline.Refused, Err: err} }

// before makes the sets as they are now.
func (s *script) before(pairs []*Pair, unfinished map[model.Key]*staged) {
	var going []*Pair
	for _, p := range pairs {
		if unfinished[p.Key] != nil {
			going = append(going, p)
		}
	}
	s.create(pairs, unfinished)
	if len(going) > 0 {
		s.goOn(going, unfinished)
	}
}

// create makes the sets that run now; those whose rollout is unfinished as they were before it.
func (s *script) create(pairs []*Pair, unfinished map[model.Key]*staged) {
	s.step("create", "the sets as they run now", func(u *sim.User) sim.Outcome {
		outcome := sim.Outcome{Effect: timeline.None}
		for _, p := range pairs {
			if p.Old == nil {
				continue
			}
			wanted, err := p.old()
			if err != nil {
				return refused(err)
			}
			if unfinished[p.Key] != nil {
				wanted = older(wanted)
			}
			stored, err := u.Create(wanted)
			if err != nil {
				return refused(err)
			}
			outcome.Effect = timeline.Created
			outcome.Sets = append(outcome.Sets, stored)
		}
		return outcome
	})
}

// change applies the sets to come. It returns the number of the step.
func (s *script) change(pairs []*Pair) int {
	s.step("apply", "the change", func(u *sim.User) sim.Outcome {
		outcome := sim.Outcome{Effect: timeline.Unchanged}
		for _, p := range pairs {
			stored, err := p.apply(u)
			if err != nil {
				return refused(err)
			}
			outcome.Effect = timeline.Configured
			outcome.Sets = append(outcome.Sets, stored)
		}
		return outcome
	})
	return len(s.steps)
}

// apply applies the new manifest of a pair, as kubectl does.
func (p *Pair) apply(u *sim.User) (*model.StatefulSet, *model.APIError) {
	live := u.Set(p.Key)
	if live == nil {
		wanted, err := p.New.NewApplied(p.Key.Namespace)
		if err != nil {
			return nil, err
		}
		return u.Create(wanted)
	}
	wanted, _, err := p.New.Apply(live)
	if err != nil {
		return nil, err
	}
	return u.Update(wanted)
}

// delete deletes a pod, as somebody does or a node that goes away.
func (s *script) delete(pod model.Key) {
	s.step("delete", "delete "+pod.Name, func(u *sim.User) sim.Outcome {
		if u.Pod(pod) == nil {
			return sim.Outcome{Effect: timeline.None}
		}
		if err := u.DeletePod(pod, false); err != nil {
			return refused(err)
		}
		return sim.Outcome{Effect: timeline.Deleted}
	})
}

// unready makes a pod not Ready until it is replaced.
func (s *script) unready(pod model.Key) {
	s.step("unready", fmt.Sprintf("%s stops being Ready", pod.Name), func(u *sim.User) sim.Outcome {
		if !u.UnreadyPod(pod, 0) {
			return sim.Outcome{Effect: timeline.None}
		}
		return sim.Outcome{Effect: timeline.Done}
	})
}

// block writes out the rollingUpdate block that the set does not have.
func (s *script) block(key model.Key) {
	s.step("patch", heal.BlockCommand(key), func(u *sim.User) sim.Outcome { return heal.WriteBlock(u, key) })
}
