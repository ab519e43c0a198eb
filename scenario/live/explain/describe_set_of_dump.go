package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// document describes a set that was judged, without its ways out. drains are what would hold up the drains of cordoned
// nodes.
func (v *view) document(of *judge.Set, drains []rehearsal) *DumpedSet {
	atRest, goesOn := of.State == judge.AtRest, of.State == judge.Continues
	s := DumpedSet{
		Namespace: of.Key.Namespace, Name: of.Key.Name, of: *of, Judgement: of.Judgement,
		Replicas: int(of.Now.Spec.Spec.Replicas), Serving: of.Now.Serving(), AtRest: atRest, GoesOn: goesOn,
		StuckOn: of.StuckOn, Assumes: of.Assumes, Provided: of.Provided, Why: of.Why, Facts: of.Facts,
		Next: of.Next.Pods, NextClaims: of.Next.Claims, Takes: Instant(of.Takes),
		doubtful: goesOn && v.Guessed && len(of.Next.Pods) > 0,
	}
	if of.State == judge.Unknown {
		s.Unknown = of.Why
	}
	if of.Unseen {
		s.Serving, s.Pods, s.Waits, s.Why = int(of.Now.Spec.Status.Ready), []Pod{}, []*Wait{}, ""
		return &s
	}
	if of.Early != nil {
		s.TooEarly = of.Early.Again
	}
	s.Pace, s.guessed = v.pace(of)
	s.Waits = v.waits(of)
	s.Pods = v.pods(of, s.Waits)
	s.AtRisk = withCommands(of.Key, v.risks(of))
	if !atRest {
		s.below = below(s.Pods, of.Now.Spec)
	}
	switch {
	case atRest:
		s.old = strings.Trim(outdated(s.Pods, of.Now.Spec)+"; "+stale(v.Dump, of.Now.Spec), "; ")
		if s.held = v.hold(of, drains); s.held != nil {
			s.StuckOn, s.Why, s.Waits = s.held.pod, s.held.why, append(s.Waits, s.held.wait)
		}
	case s.Stuck():
		for _, drain := range drains {
			s.Facts = append(slices.Clip(s.Facts), v.holdsUp(of, drain)...)
		}
	}
	return &s
}

// stale says of a set whose pods have been as they are for some time that its status counts others; "" if it does not.
func stale(d *dump.Dump, set *model.StatefulSet) string {
	ready := int32(0)
	for _, p := range d.PodsOf(set) {
		if d.Facts[p.Key()].Since.Add(time.Minute) >= 0 {
			return ""
		}
		if p.Ready {
			ready++
		}
	}
	if set.Status.ObservedGeneration == 0 || set.Status.Ready == ready {
		return ""
	}
	return fmt.Sprintf("its status still counts %d Ready: kube-controller-manager has not looked at it since (kubectl -n "+
		"kube-system get lease kube-controller-manager)", set.Status.Ready)
}

func (v *view) pods(of *judge.Set, waits []*Wait) []Pod {
	var pods []Pod
	for pod := range of.Now.Pods.All {
		p, key := podOf(pod, of.Now.Spec, waits), model.Key{Namespace: of.Key.Namespace, Name: pod.Name}
		if facts := v.Facts[key]; facts != nil {
			p.Since = Instant(facts.Since)
			p.Shown, p.Restarts, p.KeptFrom = cmp.Or(p.Shown, facts.Waiting), facts.Restarts, v.KeptFrom(v.Pod(key))
		}
		pods = append(pods, p)
	}
	return pods
}

// waits returns what the controller waits for: of a set that is stuck until the end of the run, with what ends it in
// the world there; of one that continues, at the instant of the dump.
func (v *view) waits(of *judge.Set) []*Wait {
	list := []*Wait{}
	switch {
	case of.Asleep != "":
		why := model.Why{Code: model.StaleClaim, Object: of.Asleep}
		w := newWait(why, 0)
		w.Release = reasons.Release(why, reasons.World{})
		return append(list, w)
	case of.Plays:
		for i := range of.Stuck {
			list = append(list, v.wait(of.Key, &of.Stuck[i], v.run.End))
		}
	case of.State == judge.Continues && v.run.Now != nil:
		for _, wait := range of.Waits {
			w := newWait(wait.Why, wait.Since)
			world := reasons.At(v.run.Now, of.Key, w.Object, false)
			v.seen(of.Key, w, &world)
			w.Release = reasons.Release(w.why, world)
			list = append(list, w)
		}
	}
	return list
}

// below says how many pods of a set the partition leaves at an old template; "" if it leaves none.
func below(pods []Pod, set *model.StatefulSet) string {
	n, block := 0, set.Spec.Strategy.RollingUpdate
	for i := range pods {
		index := set.OrdinalOf(pods[i].Name) - set.Start()
		if pods[i].Outdated && block != nil && index < int(block.Partition) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Partition %d: the update leaves %s below it at an old template.", block.Partition,
		render.Count(n, "pod"))
}

// outdated says how many pods of a set at rest have an old revision, and what keeps them there; "" if none has.
func outdated(pods []Pod, set *model.StatefulSet) string {
	n := 0
	for i := range pods {
		if pods[i].Outdated {
			n++
		}
	}
	verb := render.Agree(n, "is", "are")
	switch block := set.Spec.Strategy.RollingUpdate; {
	case n == 0:
		return ""
	case set.Spec.Strategy.Type == model.OnDeleteStrategy:
		return fmt.Sprintf("%s %s still at an old revision (OnDelete)", render.Count(n, "pod"), verb)
	case block != nil && block.Partition > 0:
		return fmt.Sprintf("%s %s still at an old revision (partition %d)", render.Count(n, "pod"), verb, block.Partition)
	}
	return ""
}

// pace says which times the simulation takes for the pods of a set, and where they come from, and which of them are
// only assumed although the set still needs them. No dump shows how long a pod takes to stop.
func (v *view) pace(of *judge.Set) (pace string, guessed []string) {
	times, grace := judge.TimesOf(v.lab, of.Key), of.Now.Spec.Spec.Template.Grace
	list := []struct{ does, from string }{
		{"start in " + spell(times.Start), judge.Source(times.Start, v.took.Start, dump.DefaultStart)},
		{"become Ready in " + spell(times.Ready), judge.Source(times.Ready, v.took.Ready, dump.DefaultReady)},
		{"stop in " + spell(times.Stop), judge.Source(times.Stop, nil, dump.DefaultStop)},
	}
	if list[2].from == judge.Assumed && grace > 0 {
		list[2].from += "; at most their grace period, " + judge.Whole(grace)
	}
	var groups, does []string
	for i, one := range list {
		if strings.HasPrefix(one.from, judge.Assumed) && v.comes(of, stages[i]) {
			guessed = append(guessed, one.does)
		}
		does = append(does, one.does)
		if i+1 == len(list) || list[i+1].from != one.from {
			groups, does = append(groups, fmt.Sprintf("%s (%s)", render.And(does), one.from)), nil
		}
	}
	return "pods " + strings.Join(groups, "; "), guessed
}

// stages are the states in which the stages of a pod's life end: it starts, becomes Ready, and stops.
var stages = [...]timeline.State{timeline.Running, timeline.Ready, timeline.Gone}

// comes says whether a pod of the set is to enter a state. One that is slow to stop is told by itself.
func (v *view) comes(of *judge.Set, state timeline.State) bool {
	return slices.ContainsFunc(of.Next.Pods, func(next string) bool {
		name, is := strings.CutSuffix(next, " "+state.String())
		p := v.Pod(model.Key{Namespace: of.Key.Namespace, Name: name})
		return is && (state != timeline.Gone || p == nil || !v.Slow(p))
	})
}

// spell renders a time, or the distribution that it is drawn from.
func spell(delay behaviour.Delay) string {
	if constant, is := delay.(behaviour.Constant); is {
		return judge.Whole(time.Duration(constant))
	}
	return delay.String()
}

// wait returns something that a set is stuck for, with what ends it in a world at the end of a run.
func (v *view) wait(set model.Key, stuck *timeline.Stuck, end *timeline.Fold) *Wait {
	w := newWait(stuck.Why, stuck.Since)
	w.Error = stuck.Error
	if refused := v.Sets[set].Refused; w.Code == model.SyncError && w.Since == 0 {
		w.Since = Instant(refused)
	}
	world := reasons.At(end, set, stuck.Why.Object, true)
	v.seen(set, w, &world)
	w.Release, w.down = reasons.Release(stuck.Why, world), down(&world)
	return w
}

// seen adds to a wait what the dump shows of the pod that it is for: since when, and its finalizers.
func (v *view) seen(set model.Key, w *Wait, world *reasons.World) {
	key := model.Key{Namespace: set.Namespace, Name: w.Object}
	facts := v.Facts[key]
	if facts == nil || w.Since > 0 {
		return
	}
	world.Over = facts.Over
	if p := v.Pod(key); w.Code == model.WaitingForTermination && p != nil && !p.Terminating() {
		// The controller deletes it only after the dump.
		return
	}
	w.Since = Instant(facts.Since)
	world.Shown = cmp.Or(world.Shown, facts.Waiting)
	if p := v.Pod(key); facts.Crashed || p.Finished() {
		// Its container runs, and may become ready, or the controller replaces the pod.
		world.Shown = ""
	}
	world.Finalizers = finalizers(v.State, key)
}
