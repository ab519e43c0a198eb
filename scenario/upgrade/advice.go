package upgrade

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// of returns what plays a case under any version.
func (p *player) of(c *Case) Play {
	return func(profile statefulset.Profile, until time.Duration) []timeline.Event {
		return p.play(c, profile, until)
	}
}

// Ending says how a run ended, in words: "settles after 23s".
func Ending(events []timeline.Event) string {
	last := events[len(events)-1]
	switch last.Result.Verdict {
	case timeline.Settled:
		return fmt.Sprintf("settles after %s", since(events, last.T))
	case timeline.IsStuck:
		stuck := held(last.Result.Stuck)
		return fmt.Sprintf("gets stuck: %s (%s)", stuck.Sentence(), stuck.Code)
	case timeline.Livelock:
		return "never converges, and keeps repeating: " + strings.Join(podWrites(last.Result.Repeats), ", ")
	}
	return fmt.Sprintf("ends as %s", last.Result.Verdict)
}

// held is the reason of a stuck set that holds something back, where there is one.
func held(stuck []timeline.Stuck) model.Why {
	for _, s := range stuck {
		if s.Why.Rule != model.RuleParallel {
			return s.Why
		}
	}
	return stuck[0].Why
}

// podWrites are those of the writes that are not the status's, without their reasons.
func podWrites(writes []string) []string {
	var pods []string
	for _, write := range writes {
		if !strings.HasPrefix(write, "status ") {
			write, _, _ = strings.Cut(write, ": ")
			pods = append(pods, write)
		}
	}
	return pods
}

// since is the time from the second step, the first after the set was created, to an instant.
func since(events []timeline.Event, t model.Time) time.Duration {
	for i := range events {
		if step := events[i].Step; step != nil && step.Number == 2 {
			return t.Sub(events[i].T)
		}
	}
	return time.Duration(t)
}

// Worse says whether the later version is worse for the set: it settles under the earlier one only.
func (r *Row) Worse() bool {
	return r.verdict(0) == timeline.Settled && r.verdict(1) != timeline.Settled
}

func (r *Row) verdict(side int) timeline.Verdict {
	run := r.Runs[side]
	return run[len(run)-1].Result.Verdict
}

// advice tries what is known to keep a set out of the hot loop, and tells it only if it does.
func (r *Row) advice(p *player) string {
	if r.verdict(1) != timeline.Livelock || p.set.Spec.Strategy.RollingUpdate != nil {
		return ""
	}
	written := *p
	set := *p.set
	set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
	written.set = &set
	events := written.play(r.Case, r.To, 0)
	if events[len(events)-1].Result.Verdict != timeline.Settled {
		return ""
	}
	return "add rollingUpdate: {partition: 0} under updateStrategy: with it the StatefulSet settles"
}
