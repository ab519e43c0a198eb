package advise

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// trial is what was played of a setting.
type trial struct {
	setting
	// ends says whether each run of the rollout completes; wrong why not, in a few words.
	ends  bool
	wrong string
	// p50 and p95 are percentiles of how long it takes. fewest is the fewest pods that serve in any run, below the
	// longest time for which fewer serve than should.
	p50, p95, below time.Duration
	fewest          int
	// bad is what each kind of bad version costs, in the order of bads.
	bad []price
	// runs counts what was played.
	runs int
}

// price is what a bad version costs.
type price struct {
	bad
	// lost is the number of pods that have the bad version in the end. stops is the time after which no more get it; none
	// if all have. back is the time from there, after a revert, until all pods serve again; none if they never do.
	lost        int
	stops, back *time.Duration
}

// lost is the number of pods that bad versions take, together.
func (t *trial) lost() int {
	n := 0
	for i := range t.bad {
		n += t.bad[i].lost
	}
	return n
}

// worst is the kind of bad version that takes the most pods, of equals the one that takes longest to come back from.
func (t *trial) worst() *price {
	return slices.MaxFunc(pointers(t.bad), func(a, b *price) int {
		if a.lost != b.lost {
			return a.lost - b.lost
		}
		return int(longer(a.back) - longer(b.back))
	})
}

// longer is a time, where none is longer than all others.
func longer(d *time.Duration) time.Duration {
	if d == nil {
		return play.Patience
	}
	return *d
}

func pointers(list []price) []*price {
	var all []*price
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}

// changeStep is the number of the step that is the change: the first creates the set.
const changeStep = 2

// try plays a setting.
func (s *subject) try(as setting) *trial {
	t := &trial{setting: as, ends: true, fewest: int(s.wanted.Spec.Replicas)}
	lab, script := s.lab(&as), s.rollout(&as)
	var took []time.Duration
	for _, rules := range s.draws {
		events := with(lab, rules).Run(script)
		t.runs++
		if wrong := s.unfinished(events, len(script)); wrong != "" {
			t.ends, t.wrong = false, wrong
			return t
		}
		fewest, takes := play.Cost(events, s.key, changeStep)
		t.fewest, took = min(t.fewest, fewest), append(took, takes)
		t.below = max(t.below, play.Below(events, s.key, changeStep, s.keep.pods))
	}
	slices.Sort(took)
	t.p50, t.p95 = percentile(took, 50), percentile(took, 95)
	for _, b := range bads {
		t.bad = append(t.bad, s.price(lab, script, b))
		t.runs += 2
	}
	return t
}

// with returns a laboratory with rules for the pods.
func with(lab *play.Lab, rules []behaviour.Rule) *play.Lab {
	as := *lab
	as.World.Kubelet.Rules = rules
	return &as
}

// percentile is the time that so many of a hundred runs do not exceed. took is in ascending order.
func percentile(took []time.Duration, percent int) time.Duration {
	return took[(len(took)*percent+99)/100-1]
}

// unfinished says why a rollout does not complete; "" if it does.
func (s *subject) unfinished(events []timeline.Event, steps int) string {
	verdict, stuck := events[len(events)-1].Result.Of(s.key)
	switch {
	case play.StepAt(events, changeStep) < 0:
		return "the set does not come to rest before the change"
	case verdict == timeline.Livelock:
		return "the controller deletes and creates pods for ever"
	case stuck != nil:
		return "it gets stuck: " + stuck.Why.Sentence()
	case verdict != timeline.Settled, play.StepAt(events, steps) < 0:
		return "it does not complete"
	}
	return ""
}

// price plays a bad version, and the way back.
func (s *subject) price(lab *play.Lab, script play.Script, b bad) price {
	times := s.usual
	b.as(&times)
	lab = with(lab, []behaviour.Rule{{
		Match: behaviour.Match{Template: 2}, Times: times,
		Of: behaviour.Whose{Namespace: s.key.Namespace, Set: s.key.Name},
	}})
	events := lab.Run(script)
	p := price{bad: b}
	pods, last := taken(events, s.key)
	p.lost = len(pods)
	if all := int(s.wanted.Spec.Replicas); p.lost < all {
		p.stops = &last
	}
	played := script[:acted(events, len(script))]
	p.back = s.back(lab, played, pods)
	return p
}

// acted is the number of steps that have acted.
func acted(events []timeline.Event, steps int) int {
	for steps > 0 && play.StepAt(events, steps) < 0 {
		steps--
	}
	return steps
}

// taken returns the pods that have the new version, and when the last of them got it, after the change.
func taken(events []timeline.Event, key model.Key) (pods []model.Key, last time.Duration) {
	begin := play.StepAt(events, changeStep)
	if begin < 0 {
		return nil, 0
	}
	for i := begin; i < len(events); i++ {
		e := &events[i]
		if e.Kind != timeline.KindPod || e.Set != key || e.State != timeline.Pending || e.Template != 2 {
			continue
		}
		if pod := (model.Key{Namespace: key.Namespace, Name: e.Pod}); !slices.Contains(pods, pod) {
			pods, last = append(pods, pod), e.T.Sub(events[begin].T)
		}
	}
	return pods, last
}

// back is the time from a revert of the template until all pods serve again. If the revert is not enough, the pods of
// the bad version are deleted too. It is nil if that does not help either.
func (s *subject) back(lab *play.Lab, script play.Script, pods []model.Key) *time.Duration {
	revert := script.Then(play.Undo(s.key))
	if len(pods) == 0 {
		return nil
	}
	for _, way := range []play.Script{revert, revert.Then(play.DeletePods(pods, false).Promptly())} {
		events := lab.Run(way)
		if s.reverted(events) {
			_, takes := play.Cost(events, s.key, len(script)+1)
			return &takes
		}
	}
	return nil
}

// reverted reports whether the set is whole at the end of a run, and no pod has the new version.
func (s *subject) reverted(events []timeline.Event) bool {
	set := timeline.EndOf(events).Set(s.key)
	return heal.Whole(events, s.key) && !set.Pods.Any(func(p *timeline.Pod) bool { return p.Template == 2 })
}
