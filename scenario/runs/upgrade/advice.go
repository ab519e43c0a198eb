package upgrade

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// held returns the reason of a stuck set that holds something back, if there is one. A Parallel set waits for all of
// its pods at once (model.RuleParallel), which says less than what the update waits for. The list must not be empty: a
// stuck result always has at least one set.
func held(stuck []timeline.Stuck) model.Why {
	for _, s := range stuck {
		if s.Why.Rule != model.RuleParallel {
			return s.Why
		}
	}
	return stuck[0].Why
}

// podWrites returns the writes, without their reasons, that are not status updates. The writes are those that a
// livelock repeats; a controller that never converges also writes the status each time, which explains nothing.
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

// worse says whether the set is worse off under the later version: it settles under the earlier one only; or fewer of
// its pods serve on the way, and fewer than an update that takes down as many as it may leaves; or the upgrade alone
// deletes pods.
func (r *Row) worse() bool {
	a, b := &r.Outcomes[0], &r.Outcomes[1]
	switch {
	case a.verdict == timeline.Settled && b.verdict != timeline.Settled:
		return true
	case r.kind.Across:
		return b.Deleted > a.Deleted
	}
	return b.FewestServing < a.FewestServing && b.FewestServing < r.promised
}

// advice tries what is known to help a set that is worse off, and says it only if it does. The empty rollingUpdate
// block is played, under the same two versions; that minReadySeconds should change in a step of its own follows from
// the case itself, and is not played. It returns "" where nothing is known.
func (r *Row) advice(p *player) string {
	switch {
	case !r.IsWorse:
		return ""
	case r.Outcomes[1].verdict == timeline.Livelock && play.LacksBlock(p.set):
		written := *p.set
		written.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
		by, h := p.stage.player(&written), &hop{from: r.From, to: r.To}
		events := by.whole(r.kind, h, r.To, by.wholeOf(r.kind, h, r.To))
		if events[len(events)-1].Result.Verdict == timeline.Settled {
			return "add rollingUpdate: {partition: 0} under updateStrategy: with it the StatefulSet settles"
		}
	case r.kind.Name == "young" || r.kind.Name == "together":
		return "let minReadySeconds pass before the image changes, and change minReadySeconds in a step of its own: a pod " +
			"that has been Ready for less counts as broken"
	}
	return ""
}
