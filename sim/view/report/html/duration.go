package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// wait is a wait of the controller that ended, from one instant to another, and what it was for. A chain has none that
// overlap. to is after from, and why points into the event about its end.
type wait struct {
	code     model.Code
	from, to model.Time
	why      *model.Why
}

// criticalPath returns the waits that followed one another from the last step until nothing changed any more, and
// the time between them without a wait. There are none if the run did not settle, or has several sets, whose waits
// overlap.
func criticalPath(run *report.Run, figures *report.Figures) (chain []wait, idle time.Duration) {
	if figures.LastStep == nil || *figures.LastStep == 0 || len(figures.Sets) != 1 {
		return nil, 0
	}
	begin := lastStep(run.Events)
	return chainOf(waitsSince(run.Events, begin), begin, begin.Add(*figures.LastStep))
}

// spent describes where the time since the last step was spent: the critical path, summed up by the codes of its
// waits.
func spent(run *report.Run, figures *report.Figures) string {
	chain, idle := criticalPath(run, figures)
	if len(chain) == 0 {
		return ""
	}
	return fmt.Sprintf("Where the last %s go: %s", render.Clock(*figures.LastStep),
		strings.Join(summed(chain, idle), ", "))
}

// mostPath is the most waits for which the critical path is drawn.
const mostPath = 1000

// path adds the critical path to the data: the lanes along which it leads, as long as there is something waited for.
func (g *gatherer) path(run *report.Run, figures *report.Figures) {
	chain, _ := criticalPath(run, figures)
	if len(chain) == 0 || len(chain) > mostPath || len(g.run.Sets) != 1 {
		return
	}
	set, times := &g.run.Sets[0], stopTimes(run)
	for _, w := range chain {
		pod := slices.IndexFunc(set.Pods, func(pod podData) bool { return pod.Name == render.Visible(w.why.Object) })
		set.Path = append(set.Path, stopOf(times, w.from), stopOf(times, w.to), pod, g.words.add(report.Short(*w.why)))
	}
}

// lastStep returns the instant of the last step, 0 if there is none. A step at 0 is told from none nowhere.
func lastStep(events []timeline.Event) (t model.Time) {
	for i := range events {
		if events[i].Kind == timeline.KindStep {
			t = events[i].T
		}
	}
	return t
}

// waitsSince returns the waits that ended after an instant, in the order in which they ended.
func waitsSince(events []timeline.Event, begin model.Time) []wait {
	var waits []wait
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindWait && e.Wait.Ended && e.T > begin && !e.Why.Code.Resting() {
			waits = append(waits, wait{e.Why.Code, max(e.Wait.Since, begin), e.T, &e.Why})
		}
	}
	return waits
}

// chainOf returns the chain of waits from one instant to another: at each instant the running wait that lasts
// longest, the first of several. Idle is the time without a wait. O(waits × log waits).
func chainOf(waits []wait, begin, end model.Time) (chain []wait, idle time.Duration) {
	begun := make([]int, len(waits))
	for i := range begun {
		begun[i] = i
	}
	slices.SortStableFunc(begun, func(a, b int) int { return cmp.Compare(waits[a].from, waits[b].from) })
	// longest is the longest-lasting of the started waits, which are no longer in begun.
	longest := -1
	for at := begin; at < end; {
		for ; len(begun) > 0 && waits[begun[0]].from <= at; begun = begun[1:] {
			if w := begun[0]; longest < 0 || cmp.Or(cmp.Compare(waits[w].to, waits[longest].to), longest-w) > 0 {
				longest = w
			}
		}
		next := wait{from: end, to: end}
		if longest >= 0 && waits[longest].to > at {
			next = waits[longest]
		} else if len(begun) > 0 && waits[begun[0]].from < end {
			next = waits[begun[0]]
		}
		idle += max(0, next.from.Sub(at))
		if next.code != "" {
			next.from = max(next.from, at)
			chain = append(chain, next)
		}
		at = next.to
	}
	return chain, idle
}

// spentWords are the typical waits of rollouts, in words for readers who do not know the codes.
var spentWords = map[model.Code]string{
	model.WaitingForReady: "until Ready", model.WaitingForTermination: "until gone", model.WaitingForPodGone: "until gone",
	model.WaitingForAvailable: "for minReadySeconds",
}

// summed sums the waits of each code up: "WaitingForReady 3 × 3s = 9s".
func summed(chain []wait, idle time.Duration) []string {
	var codes []string
	lasting := map[string][]time.Duration{}
	for _, w := range chain {
		code := cmp.Or(spentWords[w.code], string(w.code))
		if w.why != nil && w.why.Rule == model.RuleParallel {
			// Parallel waits for no pod: the pod that is Ready last takes the time.
			code = "until " + w.why.Object + " is Ready"
			if w.code == model.WaitingForTermination {
				code = "until " + w.why.Object + " is gone"
			}
		}
		if lasting[code] == nil {
			codes = append(codes, code)
		}
		lasting[code] = append(lasting[code], w.to.Sub(w.from))
	}
	var texts []string
	for _, code := range codes {
		texts = append(texts, code+" "+product(lasting[code]))
	}
	if idle > 0 {
		texts = append(texts, "no wait "+render.Clock(idle))
	}
	return texts
}

// product words the sum of some durations, and of how many; there must be one.
func product(each []time.Duration) string {
	sum, same := time.Duration(0), true
	for _, d := range each {
		sum += d
		same = same && d == each[0]
	}
	switch {
	case len(each) == 1:
		return render.Clock(sum)
	case same:
		return fmt.Sprintf("%d × %s = %s", len(each), render.Clock(each[0]), render.Clock(sum))
	}
	return fmt.Sprintf("%s in %d waits", render.Clock(sum), len(each))
}
