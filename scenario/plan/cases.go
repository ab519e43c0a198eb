package plan

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Case is something that may go wrong on the way, and what comes of it: it was played.
type Case struct {
	Name string `json:"name"`
	// Asks is the question, Answer what came of it.
	Asks   string `json:"asks"`
	Answer string `json:"answer"`
	// Fewest is the least number of serving pods on the way, and at its end.
	Fewest int `json:"fewest"`
	// Trap says that the set does not come out of it by itself.
	Trap bool `json:"trap"`
	// Commands are what heals it, where something is needed and known; they were played as well. Reverts says that one of
	// them reverts the template, and has to be done in Git too where that is where it comes from. Takes is how long they
	// take.
	Commands []string `json:"commands,omitempty"`
	Reverts  bool     `json:"reverts,omitempty"`
	// Prevents says that the commands have to come before the change: they keep it from happening.
	Prevents bool `json:"prevents,omitempty"`
	// Events is the run, with the commands as its last steps where there are any.
	Events []timeline.Event `json:"-"`
}

// subject is a set that things go wrong with.
type subject struct {
	world *world
	pair  *Pair
	// main is what happens where nothing goes wrong, and last the set at the end of it.
	main *facts
	last *model.StatefulSet
	// rolls says that pods get a new template.
	rolls bool
}

// question is a case before it is played.
type question struct {
	name string
	asks func(*subject) string
	fits func(*subject) bool
	// wrong changes how pods behave; before and after write what happens before and after the change.
	wrong  func(*subject, *world)
	before func(*subject, *script)
	after  func(*subject, *script)
	answer func(*subject, *facts) string
}

// CaseNames lists what may be shown: the change itself, and all that may go wrong with it.
func CaseNames() []string {
	list := []string{Rollout}
	for _, q := range questions {
		list = append(list, q.name)
	}
	return list
}

// Rollout is the name of the run in which nothing goes wrong.
const Rollout = "rollout"

// slowness is how long a slow pod takes longer.
const slowness = time.Hour

var questions = []question{
	{
		name:   "broken",
		asks:   func(*subject) string { return "the new revision never becomes Ready" },
		fits:   func(s *subject) bool { return s.rolls },
		wrong:  (*subject).breaks,
		answer: answerBroken,
	},
	{
		name: "slow",
		asks: func(s *subject) string { return s.main.moves[0].Pod + " takes an hour longer to become Ready" },
		fits: func(s *subject) bool { return s.rolls && len(s.main.of("replaced")) > 1 },
		wrong: func(s *subject, w *world) {
			_, ordinal := model.SplitPodName(s.main.moves[0].Pod)
			match := kubelet.Match{Ordinal: &ordinal, Template: s.last.Spec.Template.ID}
			w.wrong(s.pair.Key, match, func(t *kubelet.Times) {
				t.Ready = kubelet.Constant(typical(t.Ready) + slowness)
			})
		},
		answer: answerSlow,
	},
	{
		name: "unready",
		asks: func(s *subject) string { return s.low() + " is not Ready when the change comes" },
		fits: func(s *subject) bool { return s.low() != "" },
		before: func(s *subject, script *script) {
			script.unready(model.Key{Namespace: s.pair.Key.Namespace, Name: s.low()})
			script.after(time.Second)
		},
		answer: answerUnready,
	},
	{
		name: "restart",
		asks: func(s *subject) string {
			text := s.first() + " is deleted (a node goes away) in the middle"
			if s.last.Partition() > 0 {
				text = s.first() + ", below the partition, is deleted (a node goes away) in the middle"
			}
			return text
		},
		fits: func(s *subject) bool { return s.rolls && s.last.Spec.Replicas > 1 && s.first() != s.main.moves[0].Pod },
		after: func(s *subject, script *script) {
			m := s.main.moves[0]
			script.after(time.Duration(m.Down + max(0, m.Back-m.Down)/2))
			script.delete(model.Key{Namespace: s.pair.Key.Namespace, Name: s.first()})
		},
		answer: answerRestart,
	},
}

// breaks lets no pod of the new template become Ready.
func (s *subject) breaks(w *world) {
	w.wrong(s.pair.Key, kubelet.Match{Template: s.last.Spec.Template.ID}, func(t *kubelet.Times) {
		t.Ready, t.Reason = kubelet.Never, "CrashLoopBackOff"
	})
}

// first is the set's lowest pod.
func (s *subject) first() string { return s.last.PodName(s.last.Start()) }

// low is the lowest pod that both the old and the new set have, where it is not the first one that the change touches.
func (s *subject) low() string {
	if len(s.main.moves) == 0 || s.main.before < 2 || s.last.Spec.Replicas < 2 || s.first() == s.main.moves[0].Pod {
		return ""
	}
	return s.first()
}

// steps writes the case, with the rollingUpdate block written out first or not. It returns the number of the step that
// is the change.
func (s *subject) steps(q *question, block bool) (steps []sim.Step, change int) {
	pairs := []*Pair{s.pair}
	var script script
	script.before(pairs)
	if block {
		script.block(s.pair.Key)
	}
	if q.before != nil {
		q.before(s, &script)
	}
	script.change(pairs)
	change = len(script.steps)
	if q.after != nil {
		q.after(s, &script)
	}
	return script.steps, change
}

// answers plays a case and says what comes of it.
func (s *subject) answers(q *question) *Case {
	w := *s.world
	w.pairs, w.rules = []*Pair{s.pair}, nil
	if q.wrong != nil {
		q.wrong(s, &w)
	}
	steps, change := s.steps(q, false)
	events := w.play(steps)
	f := gather(events, s.pair.Key, change)
	c := &Case{Name: q.name, Asks: q.asks(s), Answer: q.answer(s, f), Fewest: min(f.fewest, f.serving), Events: events}
	switch f.verdict {
	case timeline.Livelock:
		c.Trap = true
		s.prevent(q, &w, c)
	case timeline.IsStuck:
		c.Trap = true
		s.heal(&w, c, steps)
	}
	return c
}

// heal looks for the commands that lead out.
func (s *subject) heal(w *world, c *Case, steps []sim.Step) {
	cure := heal.Find(c.Events, s.pair.Key, func(more []sim.Step) []timeline.Event {
		return w.play(append(steps[:len(steps):len(steps)], more...))
	})
	if cure == nil {
		c.Answer += ". None of the ways out that were tried heals it"
		return
	}
	c.Commands, c.Reverts, c.Events = cure.Commands, cure.Reverts, cure.Events
	switch {
	case !cure.Reverts:
		c.Answer += ". Deleting the pod heals it"
	case len(cure.Commands) == 1:
		c.Answer += ". Reverting heals it"
	default:
		c.Answer += ". Reverting alone does not heal it: the broken pod must be deleted too"
	}
}

// prevent looks for what keeps a set out of a livelock.
func (s *subject) prevent(q *question, w *world, c *Case) {
	if !heal.LacksBlock(s.last) {
		return
	}
	steps, change := s.steps(q, true)
	events := w.play(steps)
	f := gather(events, s.pair.Key, change)
	if f.verdict == timeline.Livelock {
		return
	}
	c.Commands, c.Prevents = []string{heal.BlockCommand(s.pair.Key)}, true
	c.Answer += ". The set has no rollingUpdate block; with one written out before the change, " + f.ending()
}

func answerBroken(_ *subject, f *facts) string {
	updated := 0
	for _, pod := range f.last.Pods {
		if pod.Serving() && pod.Template == f.last.Spec.Spec.Template.ID {
			updated++
		}
	}
	return fmt.Sprintf("%s; %d of %d still serve, %d of them updated", f.ending(), f.serving, f.replicas, updated)
}

func answerSlow(s *subject, f *facts) string {
	slow := s.main.moves[0].Pod
	var others []Move
	for _, m := range f.of("replaced") {
		back := backOf(f, slow)
		if m.Pod != slow && (back == never || m.Down < back) {
			others = append(others, m)
		}
	}
	text := "nothing else moves until it is; nothing gives up, for a StatefulSet has no deadline"
	if len(others) > 0 {
		text = "the others go on meanwhile: " + names(others)
	}
	text = fmt.Sprintf("%s; at least %d of %d serve", text, f.fewest, f.replicas)
	if f.verdict != timeline.Settled {
		text += "; " + f.ending()
	}
	return text
}

func backOf(f *facts, pod string) Seconds {
	for _, m := range f.moves {
		if m.Pod == pod {
			return m.Back
		}
	}
	return never
}

func answerUnready(_ *subject, f *facts) string {
	text := f.ending()
	if len(f.moves) == 0 {
		text += "; no pod is touched"
	}
	return fmt.Sprintf("%s; at least %d of %d serve", text, f.fewest, f.replicas)
}

func answerRestart(s *subject, f *facts) string {
	text := "it does not come back"
	for _, pod := range f.last.Pods {
		if pod.Name != s.first() {
			continue
		}
		text = "it comes back at the old revision"
		if pod.Template == s.last.Spec.Template.ID {
			text = "it comes back at the new revision"
		}
	}
	if f.verdict == timeline.Livelock {
		return fmt.Sprintf("%s; at least %d of %d serve", f.ending(), f.fewest, f.replicas)
	}
	return fmt.Sprintf("%s; at least %d of %d serve; %s", text, f.fewest, f.replicas, f.ending())
}
