package advise

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
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
	// lost is the number of pods that have the bad version in the end, down that of those that the old version does not
	// serve with then: they have the bad one, or are gone. stops is the time after which no more get it; none if all have.
	lost, down int
	stops      *time.Duration
	way        way
}

// way is the way back from a bad version: how long it takes until all pods serve again, none if they never do, and the
// commands.
type way struct {
	takes    *time.Duration
	commands []string
}

// down is the number of pods that bad versions take out of service, together.
func (t *trial) down() int {
	n := 0
	for i := range t.bad {
		n += t.bad[i].down
	}
	return n
}

// worst is the kind of bad version that takes the most pods out of service, of equals the one that takes longest to come
// back from.
func (t *trial) worst() *price {
	return slices.MaxFunc(pointers(t.bad), func(a, b *price) int {
		if a.down != b.down {
			return a.down - b.down
		}
		return cmp.Compare(longer(a.way.takes), longer(b.way.takes))
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
	for _, b := range s.bads() {
		t.bad = append(t.bad, s.price(lab, script, b))
		t.runs++
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

// price plays a bad version.
func (s *subject) price(lab *play.Lab, script play.Script, b bad) price {
	events := s.worse(lab, b).Run(script)
	p := price{bad: b}
	pods, last := taken(events, s.key)
	p.lost = len(pods)
	all := int(s.wanted.Spec.Replicas)
	if p.lost < all {
		p.stops = &last
	}
	p.down = all - len(podsOf(events, s.key, func(p *timeline.Pod) bool {
		return p.Template == 1 && p.Ready && !p.Terminating
	}))
	return p
}

// A run with a bad version has at most so many events, with some more for each pod: pods that crash again and again keep
// the controllers of some versions busy for ever, and all is said long before that.
const (
	badEvents       = 20_000
	badEventsOfAPod = 1_000
)

// worse returns a laboratory in which the new version is bad.
func (s *subject) worse(lab *play.Lab, b bad) *play.Lab {
	times := s.usual
	b.as(&times)
	lab = with(lab, []behaviour.Rule{{
		Match: behaviour.Match{Template: 2}, Times: times,
		Of: behaviour.Whose{Namespace: s.key.Namespace, Set: s.key.Name},
	}})
	lab.World.MaxEvents = min(lab.World.MaxEvents, badEvents+badEventsOfAPod*int(s.wanted.Spec.Replicas))
	return lab
}

// podsOf returns the pods of a set at the end of a run of which something holds, from the highest ordinal down.
func podsOf(events []timeline.Event, key model.Key, holds func(*timeline.Pod) bool) (list []model.Key) {
	timeline.EndOf(events).Set(key).Pods.Any(func(p *timeline.Pod) bool {
		if holds(p) {
			list = append(list, model.Key{Namespace: key.Namespace, Name: p.Name})
		}
		return false
	})
	fromTheTop(list)
	return list
}

// fromTheTop sorts pods of a set, the highest ordinal first.
func fromTheTop(list []model.Key) {
	slices.SortFunc(list, func(a, b model.Key) int {
		_, i := model.SplitPodName(a.Name)
		_, j := model.SplitPodName(b.Name)
		return cmp.Compare(j, i)
	})
}

// priced finds the ways back from each kind of bad version. It is done for the settings that are shown.
func (s *subject) priced(t *trial) {
	if !t.ends {
		return
	}
	lab, script := s.lab(&t.setting), s.rollout(&t.setting)
	for i := range t.bad {
		t.bad[i].way = s.back(s.worse(lab, t.bad[i].bad), script, t)
	}
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

// back is the quickest way back from a bad version: a revert of the template and, if that is quicker, the deletion of the
// new pods that are not Ready, which may wait for a restart otherwise. The others that have the bad version are only
// deleted too if nothing else helps, or if no fewer pods serve for that.
func (s *subject) back(lab *play.Lab, script play.Script, t *trial) (best way) {
	events := lab.Run(script)
	t.runs++
	pods, _ := taken(events, s.key)
	if len(pods) == 0 {
		return way{}
	}
	fromTheTop(pods)
	broken := podsOf(events, s.key, func(p *timeline.Pod) bool { return p.Template == 2 && !p.Ready })
	script = script[:acted(events, len(script))]
	least := 0
	for _, deleted := range [][]model.Key{nil, broken, pods} {
		deeds, commands := play.Script{play.Undo(s.key)}, []string{play.Undo(s.key).Kubectl}
		if len(deleted) > 0 {
			deeds = deeds.Then(play.DeletePods(deleted, false).Promptly())
			commands = append(commands, s.deletion(deleted))
		}
		events := lab.Run(script.Then(deeds...))
		t.runs++
		fewest, takes := play.Cost(events, s.key, len(script)+1)
		if s.reverted(events) && (best.takes == nil || takes < *best.takes && fewest >= least) {
			best, least = way{&takes, commands}, fewest
		}
		if len(deleted) == len(pods) {
			break
		}
	}
	return best
}

// mostNamed is the number of pods up to which a command names each.
const mostNamed = 10

// deletion is the command that deletes pods, which go from the highest ordinal down.
func (s *subject) deletion(pods []model.Key) string {
	if len(pods) <= mostNamed {
		return shell.DeletePods(s.key.Namespace, false, play.NamesOf(pods)...)
	}
	command := shell.In(s.key.Namespace, "delete", "pod")
	for first := 0; first < len(pods); {
		_, high := model.SplitPodName(pods[first].Name)
		low, next := high, first+1
		for ; next < len(pods); next++ {
			if _, ordinal := model.SplitPodName(pods[next].Name); ordinal != low-1 {
				break
			}
			low--
		}
		command += " $(" + shell.Line("seq", "-f", s.key.Name+"-%.0f", fmt.Sprint(low), fmt.Sprint(high)) + ")"
		first = next
	}
	return command
}

// reverted reports whether the set is whole at the end of a run, and no pod has the new version.
func (s *subject) reverted(events []timeline.Event) bool {
	set := timeline.EndOf(events).Set(s.key)
	return heal.Whole(events, s.key) && !set.Pods.Any(func(p *timeline.Pod) bool { return p.Template == 2 })
}
