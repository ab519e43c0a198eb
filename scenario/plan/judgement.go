package plan

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/recording"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// judgements says how the sets of a dump stand before the change, in the very world in which sim explain looks at them:
// one state has one judgement.
func (in *Input) judgements(o *Options, profile statefulset.Profile) map[model.Key]*judge.Set {
	given := behaviour.Times{
		Stop: o.Times[recording.Stop], Start: o.Times[recording.Start], Ready: o.Times[recording.Ready],
	}
	config := in.state.Begin(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), MaxEvents: o.Limits.OrDefault().Events,
		Interrupted: o.Interrupted, Kubelet: behaviour.Behaviour{Default: given},
		Header: timeline.Run{Sim: o.Sim, Scenario: in.state.State.From},
	})
	sets, _ := judge.Of(in.state.Dump, &play.Lab{Profile: profile, World: recording.Observed(config, o.Recordings, given)})
	return judge.ByKey(sets)
}

// begins returns the state with which the change begins: that of the dump, with what NEW brings; nil without a dump.
func (in *Input) begins() *dump.Index {
	if in.given != nil {
		return in.given
	}
	return in.state
}

// before returns how a set stands before the change; nil if no dump shows its pods.
func (e *edit) before() *judge.Judgement {
	if e.judged == nil {
		return nil
	}
	return &e.judged.Judgement
}

// early says that it is too early to say whether a set is stuck; "" if it is not.
func (e *edit) early() string {
	if e.judged == nil || e.judged.State != judge.TooEarly {
		return ""
	}
	return "it is too early to say whether it is stuck: " + strings.TrimSuffix(e.judged.Early.Again, ".")
}

// young says whether a run is stuck on a pod of which it is too early to say that it does not become Ready.
func (e *edit) young(f *facts) bool {
	return e.early() != "" && f.stuck != nil && slices.ContainsFunc(e.judged.Early.Pods, func(p *dump.Pod) bool {
		return p.Name == f.stuck.Why.Object
	})
}

// then returns how the change leaves a set. Where it is too early to say how the set stands, it is so behind a change
// that waits for the same pods.
func (e *edit) then(f *facts) *judge.Judgement {
	if e.judged == nil || e.young(f) {
		return e.before()
	}
	return f.judgement(e)
}

// judgement says how a run of the change leaves the set.
func (f *facts) judgement(e *edit) *judge.Judgement {
	set := judge.Object{Kind: "StatefulSet", Group: "apps", Namespace: e.pair.Key.Namespace, Name: e.pair.Key.Name}
	j := &judge.Judgement{State: judge.Stuck, Blockers: []judge.Object{}, Causes: []judge.Cause{}}
	switch {
	case f.completes() && f.provided != "":
		j.State, j.Until = judge.Continues, judge.Seconds(f.end.Sub(f.begin))
	case f.completes():
		j.State = judge.AtRest
	case f.stuck != nil:
		j.Blockers = append(j.Blockers, set)
		j.Causes = append(j.Causes, judge.Cause{Name: "waits", Sentence: f.stuck.Why.Sentence(), Evidence: []string{}})
	case f.verdict == timeline.Livelock:
		j.Certain, j.Blockers = true, append(j.Blockers, set)
		j.Causes = append(j.Causes, judge.Cause{Name: "hot-loop", Sentence: f.ending(), Evidence: []string{}, Certain: true})
	default:
		j.State = judge.Unknown
	}
	return j
}

// Invalid says whether something is wrong with one of the sets that NEW has, which no version of Kubernetes takes: the
// input is wrong then, although the other sets were planned.
func (plan *Plan) Invalid() bool {
	return slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.unreadable })
}
