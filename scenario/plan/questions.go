package plan

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// question is a case before it is played.
type question struct {
	name string
	asks func(*subject) string
	fits func(*subject) bool
	// underWay says that the set's last rollout has not ended when the change comes.
	underWay bool
	// wrong changes how pods behave; before and after write what happens before and after the change.
	wrong  func(*subject, *world)
	before func(*subject, *script)
	after  func(*subject, *script)
	answer func(*subject, *facts) string
}

// CaseNames lists the change itself, and all that may go wrong with it.
func CaseNames() []string {
	list := []string{Rollout}
	for _, q := range questions {
		list = append(list, q.name)
	}
	return list
}

// ShowNames lists the runs that may be shown.
func ShowNames() []string { return append(CaseNames(), Instead) }

// Rollout is the name of the run in which nothing goes wrong.
const Rollout = "rollout"

// slowness is how long a slow pod takes longer.
const slowness = time.Hour

var questions = []question{
	{
		name: "broken",
		asks: func(s *subject) string {
			if s.replaces {
				return "the new revision never becomes Ready"
			}
			return s.first() + " is deleted to get the new revision, and that never becomes Ready"
		},
		fits:   func(s *subject) bool { return s.replaces || s.byHand() },
		wrong:  (*subject).breaks,
		after:  (*subject).deleteByHand,
		answer: answerBroken,
	},
	{
		name: "slow",
		asks: func(s *subject) string { return s.top().Pod + " takes an hour longer to become Ready" },
		fits: func(s *subject) bool { return s.replaces && len(s.main.of("replaced")) > 1 },
		wrong: func(s *subject, w *world) {
			w.wrong(s.pair.Key, s.renewed(s.top().Pod), func(t *behaviour.Times) {
				t.Ready = behaviour.Constant(typical(t.Ready) + slowness)
			})
		},
		answer: answerSlow,
	},
	{
		name: "unready",
		asks: func(s *subject) string { return s.first() + " is not Ready when the change comes" },
		fits: func(s *subject) bool {
			return s.top() != nil && s.main.before > 1 && s.last.Spec.Replicas > 1 && s.first() != s.top().Pod
		},
		before: func(s *subject, script *script) {
			script.unready(model.Key{Namespace: s.pair.Key.Namespace, Name: s.first()})
			script.after(time.Second)
		},
		answer: answerUnready,
	},
	{
		name: "restart",
		asks: func(s *subject) string {
			pod, when := s.first(), "in the middle"
			if s.last.Partition() > s.last.Start() {
				pod += ", below the partition,"
			}
			if !s.replaces {
				when = "afterwards"
			}
			return pod + " is deleted (a node goes away) " + when
		},
		fits: func(s *subject) bool {
			if !s.replaces {
				return s.rolls() && s.main.before > 0 && s.last.Spec.Replicas > 0
			}
			return s.last.Spec.Replicas > 1 && s.first() != s.top().Pod
		},
		after: func(s *subject, script *script) {
			if s.replaces {
				m := s.top()
				script.after(time.Duration(m.Down + max(0, m.Back-m.Down)/2))
			}
			script.delete(model.Key{Namespace: s.pair.Key.Namespace, Name: s.first()})
		},
		answer: answerRestart,
	},
	{
		name: "stalled",
		asks: func(s *subject) string {
			return fmt.Sprintf("the rollout of the dump, with %d of %d pods updated, has stalled, because its revision does "+
				"not become Ready", s.pair.status.Updated, s.pair.status.Replicas)
		},
		fits: func(s *subject) bool {
			now := s.pair.status
			return s.rolls() && now.behind() > 0 && now.Ready < now.Replicas
		},
		underWay: true,
		wrong: func(s *subject, w *world) {
			// The template before is @1 of the run, that of the dump is @2.
			w.wrong(s.pair.Key, behaviour.Match{Template: 2}, neverReady)
		},
		answer: answerUnready,
	},
}

func neverReady(t *behaviour.Times) { t.Ready, t.Reason = behaviour.Never, "CrashLoopBackOff" }

// breaks lets no pod that the change brings become Ready. Those that have the same template already are.
func (s *subject) breaks(w *world) {
	if w.unfinished[s.pair.Key] == nil {
		w.wrong(s.pair.Key, behaviour.Match{Template: s.last.Spec.Template.ID}, neverReady)
		return
	}
	for _, m := range s.main.of("replaced") {
		w.wrong(s.pair.Key, s.renewed(m.Pod), neverReady)
	}
}

// renewed matches a pod once it has the new template.
func (s *subject) renewed(pod string) behaviour.Match {
	_, ordinal := model.SplitPodName(pod)
	return behaviour.Match{Ordinal: &ordinal, Template: s.last.Spec.Template.ID}
}

// byHand says whether the new template comes only to pods that somebody deletes.
func (s *subject) byHand() bool {
	spec := &s.last.Spec
	return s.rolls() && spec.Strategy.Type == model.OnDeleteStrategy && s.main.before > 0 && spec.Replicas > 0
}

// deleteByHand deletes a pod where that is how it gets the new template.
func (s *subject) deleteByHand(script *script) {
	if !s.replaces {
		script.delete(model.Key{Namespace: s.pair.Key.Namespace, Name: s.first()})
	}
}

// first is the set's lowest pod.
func (s *subject) first() string { return s.last.PodName(s.last.Start()) }

// top is the first pod that is replaced, or else the first that the change touches; nil where it touches none.
func (s *subject) top() *Move {
	if replaced := s.main.of("replaced"); len(replaced) > 0 {
		return &replaced[0]
	}
	if len(s.main.moves) > 0 {
		return &s.main.moves[0]
	}
	return nil
}

func answerBroken(_ *subject, f *facts) string {
	updated := 0
	for _, pod := range f.last.Pods {
		if pod.Serving() && pod.Template == f.last.Spec.Spec.Template.ID {
			updated++
		}
	}
	of := max(f.replicas, f.serving)
	return fmt.Sprintf("%s; %d of %d still serve, %d of them updated", f.ending(), f.serving, of, updated)
}

func answerSlow(s *subject, f *facts) string {
	slow := s.top().Pod
	var others []Move
	for _, m := range f.of("replaced") {
		back := backOf(f, slow)
		if m.Pod != slow && (back == never || m.Down < back) {
			others = append(others, m)
		}
	}
	text := "nothing else moves until it is, and there is no timeout: StatefulSets have no " +
		"progressDeadlineSeconds"
	if len(others) > 0 {
		text = "the others go on meanwhile: " + names(others)
	}
	text = fmt.Sprintf("%s; %s", text, f.serve())
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
	return fmt.Sprintf("%s; %s", text, f.serve())
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
		return fmt.Sprintf("%s; %s", f.ending(), f.serve())
	}
	return fmt.Sprintf("%s; %s; %s", text, f.serve(), f.ending())
}
