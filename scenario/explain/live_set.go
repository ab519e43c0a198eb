package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// set describes a set that was judged, without ways out.
func (v *view) set(of *judge.Set) *LiveSet {
	s := &LiveSet{
		Namespace: of.Key.Namespace, Name: of.Key.Name, of: *of, Judgement: of.Judgement,
		Replicas: int(of.Now.Spec.Spec.Replicas), Serving: of.Now.Serving(),
		AtRest: of.State == judge.AtRest, GoesOn: of.State == judge.Continues,
		StuckOn: of.StuckOn, Assumes: of.Assumes, Provided: of.Provided,
		Why: of.Why, Next: of.Next.Pods, NextClaims: of.Next.Claims, Takes: Instant(of.Takes),
	}
	if of.Unseen {
		s.Serving, s.Pods, s.Waits = int(of.Now.Spec.Status.Ready), []Pod{}, []*Wait{}
		s.Unknown, s.Why = of.Why, ""
		return s
	}
	if of.State == judge.Unknown {
		s.Unknown = of.Why
	}
	s.doubtful = s.GoesOn && v.Guessed && len(s.Next) > 0
	if of.Early != nil {
		s.TooEarly = of.Early.Again
	}
	s.Pace, s.guessed = v.pace(of)
	s.Waits = v.waits(of)
	s.Pods = v.pods(of, s.Waits)
	s.Facts = v.facts(of, s)
	if s.AtRest {
		s.old = strings.Trim(outdated(s.Pods, of.Now.Spec)+"; "+v.Stale(of.Now.Spec), "; ")
	}
	s.AtRisk = withCommands(of.Key, v.risks(of))
	return s
}

// pods lists the pods of a set as the dump has them.
func (v *view) pods(of *judge.Set, waits []*Wait) []Pod {
	var pods []Pod
	for pod := range of.Now.Pods.All {
		p := Pod{
			Name: pod.Name, State: pod.State.String(), Template: pod.Template, Image: pod.Image, Ready: pod.Ready,
			Outdated: pod.Template != of.Now.Spec.Spec.Template.ID, Shown: pod.Shown, Restarts: pod.Restarts,
			Held: holds(waits, pod.Name),
		}
		if facts := v.Facts[model.Key{Namespace: of.Key.Namespace, Name: pod.Name}]; facts != nil {
			p.Since = Instant(facts.Since)
			p.Shown, p.Restarts = cmp.Or(p.Shown, facts.Waiting), facts.Restarts
		}
		pods = append(pods, p)
	}
	return pods
}

// facts says in sentences what the dump shows of a set that is not at rest, the most telling first.
func (v *view) facts(of *judge.Set, s *LiveSet) []string {
	set := of.Now.Spec
	switch {
	case set.Terminating() && len(of.Causes) > 0 && of.Causes[0].Name == "set-finalizer":
		return []string{of.Why + ". Only whoever has set it should remove it, when its work is done.",
			"Until then the controller creates, replaces and deletes no pods. After that the StatefulSet is gone, and its " +
				"pods with it, unless it was deleted with --cascade=orphan."}
	case of.Asleep != "":
		return append([]string{of.Why + "."}, keptClaims(model.Key{Namespace: set.Namespace, Name: of.StuckOn}, v.Dump)...)
	case of.Plays && len(of.Stuck) > 0:
		return v.stuckFacts(of, s)
	case of.Plays:
		return nil
	case s.Stuck():
		return append(contradictions(of), v.goingFacts(of, s)...)
	case s.GoesOn:
		return v.goingFacts(of, s)
	case s.AtRest:
		return contradictions(of)
	}
	return nil
}

// contradictions says what the dump shows against what the run shows.
func contradictions(of *judge.Set) []string {
	var list []string
	for _, c := range of.Causes {
		list = append(list, "The cause: "+c.Sentence+".")
		for _, text := range c.Evidence {
			list = append(list, "Evidence: "+text)
		}
		if c.Name == "controller-idle" {
			list = append(list, "To see whether it works: "+
				command.In("kube-system", "get", "lease", "kube-controller-manager"))
		}
	}
	return list
}

// stuckFacts says what the dump shows of what a set is stuck for, and what else holds it up.
func (v *view) stuckFacts(of *judge.Set, s *LiveSet) []string {
	set := of.Now.Spec
	facts := v.shows(of)
	for _, name := range strangers(of.Now) {
		facts = append(facts, isStranger(name)+".")
	}
	first := min(1, len(facts))
	if of.Early != nil && of.Early.Shown != "" {
		facts = slices.Insert(facts, first, render.Capital(of.Early.Shown)+".")
	}
	facts = slices.Insert(facts, first, v.crashes(of)...)
	facts = slices.Insert(facts, min(1, len(facts)), v.shares(of)...)
	return slices.Concat(facts, v.besides(of, s), v.owned(set), v.service(of), v.named(of), v.operator(of.Key),
		contradictions(&judge.Set{Judgement: judge.Judgement{Causes: slices.DeleteFunc(slices.Clone(of.Causes),
			func(c judge.Cause) bool { return c.Name != "service-hides-pods" })}}))
}

// goingFacts says what the dump shows of a set that continues, and that may still hold it up.
func (v *view) goingFacts(of *judge.Set, s *LiveSet) []string {
	facts := slices.Concat(ended(of.Now, v.Dump), slow(of.Now, v.Dump))
	for _, name := range strangers(of.Now) {
		if slices.Contains(s.Next, name+" Pending") {
			facts = append(facts, isStranger(name)+": when it is gone, the StatefulSet creates its own.")
		}
	}
	if v.Guessed && len(s.Next) > 0 {
		facts = append(facts, "The dump does not show when it was taken, and it may be old: its newest time is taken for "+
			"now. With its nodes, or with --now TIME, more can be said.")
	}
	return append(facts, v.warnings(s)...)
}

// shows says what the dump shows of the first thing that a set is stuck for.
func (v *view) shows(of *judge.Set) []string {
	stuck, namespace := &of.Stuck[0], of.Key.Namespace
	facts := factsOf(of.StuckOn, namespace, v.Dump)
	p, code := v.Pod(model.Key{Namespace: namespace, Name: of.StuckOn}), stuck.Why.Code
	switch {
	case p == nil:
	case p.Phase == model.Succeeded && code == model.WaitingForReady:
		facts = append(facts, "This version of Kubernetes never replaces a pod that has Succeeded: "+
			"1.27.9, 1.28.5, 1.29 and later do.")
	case !p.Terminating() && code == model.WaitingForTermination:
		facts = append(facts, of.StuckOn+" is about to be evicted from its node, and then stays Terminating.")
	}
	if of.Causes[0].Name == "namespace-deleted" {
		facts = append(facts, "The namespace "+namespace+" is being deleted, and the StatefulSet with it.")
	}
	if strings.Contains(stuck.Error, dump.OnlyEvents) {
		facts = append(facts, "To see what refuses it: "+command.In(namespace, "describe", "statefulset", of.Key.Name))
	}
	return facts
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

// wait returns something that a set is stuck for, with what ends it in a world at the end of a run.
func (v *view) wait(set model.Key, stuck *timeline.Stuck, end *timeline.Fold) *Wait {
	w := newWait(stuck.Why, stuck.Since)
	w.Error = stuck.Error
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
