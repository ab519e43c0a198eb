package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/store"
)

// cycle watches for a run that repeats itself and never settles, such as a pod that fails and is recreated forever.
// It checks the world whenever one pod that has had many lives is created again. If a fingerprint returns and
// nothing was drawn in between, the world will repeat itself, so the run has no end. It watches only one pod,
// because a fingerprint costs as much as many events.
type cycle struct {
	// pod is the pod whose creations it watches, the first that has had manyLives; empty before. born is true if it
	// was created since the last fixed point.
	pod  model.Key
	born bool
	// draws counts the answers of chance so far. A world that draws is never the same, even if its state returns.
	draws int
	// seen has the states at the creations of the pod, up to mostSeen; nil before there is a pod.
	seen map[look]round
}

// look is the state of the world, and the number of answers of chance up to there.
type look struct {
	print Fingerprint
	draws int
}

// round is the last time when the world was in this state, the interval since the time before, and the number of
// times that it came back after that interval.
type round struct {
	at    model.Time
	every model.Time
	times int
}

const (
	// manyLives is the number of lives of a pod after which the run is checked for a cycle.
	manyLives = 6
	// rounds is the number of times that the world has to come back to its state after the same interval. Anything that
	// grows from round to round by itself, for example a back-off, shows in the times of the pending events, and so in
	// the fingerprint.
	rounds = 3
	// mostSeen bounds what is remembered.
	mostSeen = 10_000
)

// counting returns the chooser of the world, which counts the answers of chance if the run is watched for cycles.
// Only timing and faults count as chance: every plain run gives other questions the same answer.
func (c *cycle) counting(config *Config) choose.Chooser {
	if !config.Cycles {
		return config.Chooser
	}
	from := config.Chooser
	if from == nil {
		from = choose.Dull
	}
	return choose.Func(func(kind choose.Kind, n int) int {
		if kind == choose.Timing || kind == choose.Fault {
			c.draws++
		}
		return from.Choose(kind, n)
	})
}

// seeBirth notes the creation of a pod. It is a watch of the store.
func (l *limits) seeBirth(change *store.Change) {
	if change.Type != model.Added {
		return
	}
	c, key := &l.cycle, change.Pod.Key()
	if c.pod == (model.Key{}) && l.world.audit.Pod(key).Nth >= manyLives {
		c.pod, c.seen = key, map[look]round{}
	}
	c.born = c.born || key == c.pod
}

// watchCycle ends a run that repeats itself, once no more steps will come. It is called at fixed points.
func (l *limits) watchCycle() {
	c, w := &l.cycle, l.world
	if !c.born {
		return
	}
	c.born = false
	if !l.last || w.Over() || len(c.seen) >= mostSeen {
		return
	}
	now := look{w.Fingerprint(), c.draws}
	before, known := c.seen[now]
	next := round{at: w.Now(), every: w.Now() - before.at, times: 1}
	if known && next.every == before.every {
		next.times = before.times + 1
	}
	c.seen[now] = next
	if known && next.times >= rounds {
		l.end(fmt.Sprintf("it repeats itself every %s, and never ends: %s; --until plays it on to an instant",
			next.every.Clock(), l.roundOf(before.at)))
	}
}

// notLast reports that steps may still come, although none seemed to: the states seen so far then do not count.
func (l *limits) notLast() {
	l.last = false
	clear(l.seen)
}

// roundOf describes what the pods have done since an instant: each state once, ordered by when it was last entered,
// for the first three pods by name. If the pods are in several namespaces, it names the namespaces.
func (l *limits) roundOf(since model.Time) string {
	var pods []model.Key
	states := map[model.Key][]string{}
	namespaces := map[string]bool{}
	for e := range l.world.history.backwards() {
		if e.T <= since {
			break
		}
		pod := model.Key{Namespace: e.Set.Namespace, Name: e.Pod}
		if slices.Contains(states[pod], e.State.String()) {
			continue
		}
		if states[pod] == nil {
			pods = append(pods, pod)
			namespaces[pod.Namespace] = true
		}
		states[pod] = append(states[pod], e.State.String())
	}
	const told = 3
	slices.SortFunc(pods, model.Key.Compare)
	text := ""
	for i, pod := range pods {
		if i == told {
			return text + fmt.Sprintf(", and %d more pods", len(pods)-told)
		}
		slices.Reverse(states[pod])
		if text += ", "; i == 0 {
			text = ""
		}
		name := pod.Name
		if len(namespaces) > 1 {
			name = pod.String()
		}
		text += name + " is " + strings.Join(states[pod], ", ")
	}
	return text
}
