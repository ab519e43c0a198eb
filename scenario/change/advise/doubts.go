package advise

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// capped is a delay that ends at some time.
type capped struct {
	behaviour.Delay
	at time.Duration
}

// Draw draws the delay, and cuts it off.
func (c capped) Draw(chooser choose.Chooser) (ns int64, never bool) {
	ns, never = c.Delay.Draw(chooser)
	if never || time.Duration(ns) > c.at {
		return int64(c.at), false
	}
	return ns, false
}

// lookedAt is how many draws tell whether a stop may be longer than the grace period.
const lookedAt = 1000

// killed lets pods that take longer to stop than their grace period be killed at its end, and says so.
func (s *subject) killed() {
	timing, grace := s.timings[recording.Stop], s.given.Spec.Template.Grace
	chooser, longest := choose.Seeded(seed), time.Duration(0)
	never := false
	for range lookedAt {
		ns, forever := timing.Delay.Draw(chooser)
		longest, never = max(longest, time.Duration(ns)), never || forever
	}
	if longest <= grace && !never {
		return
	}
	as := *timing
	if as.Delay = behaviour.Delay(capped{timing.Delay, grace}); !timing.Varies() {
		as.Delay = behaviour.Constant(grace)
	}
	s.timings[recording.Stop] = &as
	text := "a stop of " + timing.Shown()
	if timing.Varies() {
		text = "a stop of up to " + render.Brief(longest.Round(time.Second))
	}
	s.alarms = append(s.alarms, fmt.Sprintf("%s is longer than the grace period of %s: killed then, whatever its preStop hook "+
		"has not done. A longer terminationGracePeriodSeconds lets it end", text, render.Brief(grace)))
}

// alwaysReady reports whether nothing but a crash keeps a pod that runs from being Ready.
func alwaysReady(set *model.StatefulSet) bool {
	started := slices.ContainsFunc(set.Spec.Template.Lifecycle.Containers, func(c model.ContainerSpec) bool {
		return c.Startup != nil
	})
	return run.Unprobed(set.Spec.Template) && !started && alarm.Gated(set) == ""
}

// doubts are what else makes the figures doubtful, or lets a rollout go wrong.
func (s *subject) doubts(set *stored.Set) []string {
	var list []string
	if gated := alarm.Gated(s.wanted); gated != "" {
		list = append(list, gated)
	}
	if run.Unprobed(s.wanted.Spec.Template) {
		text := alarm.Unprobed + ". Nothing stops a version that runs and does not work"
		if s.unprobed {
			text += `; "never becomes Ready" does not apply`
		}
		list = append(list, text)
	}
	version := s.frame.Profile.Version()
	if today := s.today(); s.ignores && today.policy == model.Parallel && today.minReady > 0 {
		list = append(list, fmt.Sprintf("Kubernetes %s ignores minReadySeconds %d in a rollout of a Parallel set: the next pod "+
			"goes as soon as the last one is Ready. OrderedReady waits for it; so does Parallel from 1.34", version,
			today.minReady))
	}
	if statesPartition(set.Pair) {
		list = append(list, "the manifest states updateStrategy.rollingUpdate.partition: each kubectl apply of it sets the "+
			"partition back, and ends a canary at its first stage. Take the field out of the manifest, or write the partition "+
			"of each stage into it")
	}
	return list
}

// lastApplied is the annotation in which kubectl apply keeps what it applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// statesPartition reports whether the manifest with which the set is deployed has a partition. A dump has one that the API
// server has filled in.
func statesPartition(p *pair.Pair) bool {
	from := p.New
	if from == nil || p.Same && p.Live {
		return p.Old != nil && strings.Contains(p.Old.Object.Annotations[lastApplied], `"partition":`)
	}
	spec, _ := from.Given["spec"].(map[string]any)
	strategy, _ := spec["updateStrategy"].(map[string]any)
	block, _ := strategy["rollingUpdate"].(map[string]any)
	return block["partition"] != nil
}

// notes say what is assumed of a set, and who else writes it.
func (s *subject) notes(set *stored.Set, o *Options) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if o.Assumed {
		list = append(list, release.VersionsOf(s.frame.Profile, release.Cluster{}).AssumedOf("the input"))
	}
	list = append(list, set.Dropped(s.frame.Profile.Version())...)
	if set.Part != nil && !set.Resting {
		add("In the dump it is not at rest (%s). The advice is for a set at rest.", set.Now)
	}
	if set.Given != nil && (set.Wanted == nil || !set.Rolls()) {
		list = append(list, unrolled(set)+"The change that was played is a new image.")
	}
	if slices.ContainsFunc(set.Timings[:], func(t *times.Timing) bool { return t.MayBeLonger() || t.MayBeShorter() }) {
		add("The times are not known exactly: give --stop, --start and --ready, or a recording.")
	}
	for _, scaler := range s.frame.Input.Scalers[s.key] {
		add("The %s sets the number of replicas. The partition of a canary counts from %d of them: what it adds in a "+
			"rollout has the new version.", scaler, s.wanted.Spec.Replicas)
	}
	if owner := set.Pair.Operator; owner != nil {
		add("The set belongs to %s: its operator writes it, and may undo a setting, or the partition of a canary.", owner)
	}
	return list
}

// unrolled says that a change is no rollout, with a blank at its end; "" if nothing changes.
func unrolled(set *stored.Set) string {
	switch {
	case set.Wanted == nil:
		return ""
	case set.Scales():
		return fmt.Sprintf("The change only scales from %d to %d: that is no rollout. ", set.Live.Spec.Replicas,
			set.Wanted.Spec.Replicas)
	}
	return "The change leaves the template as it is: that is no rollout. "
}
