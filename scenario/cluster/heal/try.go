package heal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// tried plays an attempt, which must have a deed. If something still happens in the cluster, the attempt begins when
// that is over. Its steps are named by their commands.
func (x *situation) tried(a *attempt, place int) Way {
	pasted := x.played(a)
	lost := lostClaims(x, pasted)
	danger := a.dangerWith(lost)
	end := End(pasted.Events)
	used, heals := *a, pasted.Hangs == "" && healed(x, pasted.Events, end)
	undoes := slices.ContainsFunc(a.script, func(d play.Deed) bool { return d.Verb == "undo" })
	awaits := ""
	if heals {
		awaits = awaitsCrashing(x.given.Key, pasted)
		used.needs = a.needsToo(awaits)
	}
	if heals && undoes && x.given.Around.Historyless {
		used.needs = used.needsToo("the revision before the newest one is that of the old pods (" +
			command.In(x.set.Namespace, "rollout", "history", "statefulset/"+x.set.Name) + ")")
	}
	way := Way{Events: pasted.Events, risk: used.risk(danger), place: place, hopes: a.hopes || awaits != "",
		apart: a.apart, beyond: a.beyond}
	way.Way = reasons.Way{
		What: a.what, Commands: pasted.Commands, Danger: danger, Needs: used.needs, Later: a.later, Loses: lost,
		Heals:    heals,
		Deleted:  play.Deleted(pasted.Events, x.given.Key, pasted.First),
		Replicas: int(x.set.Spec.Replicas),
		Reverts:  undoes,
	}
	if way.reverted = x.given.Reverted != "" && writesSet(way.Commands); way.reverted {
		// What is reverted in Git does not reach the set but by the operator.
		way.Later, way.Reverts = x.given.Reverted, false
	}
	way.unwanted = x.given.Wanted && writesSet(way.Commands)
	if pasted.Hangs == "" && !heals {
		way.Unblocks = x.drained() != nil && evicted(x, end)
		relieve(x, &way, end)
	}
	way.Fewest, way.Takes = play.Cost(pasted.Events, x.given.Key, pasted.First)
	if a.lab != nil {
		// What is assumed there holds from the beginning, and begins with the commands.
		way.Fewest = min(way.Fewest, x.serving)
	}
	way.Besides = besides(x, &way)
	return way
}

func (x *situation) played(a *attempt) *play.Pasted {
	script := slices.Clone(a.script)
	for i := range script {
		if script[i].Kubectl != "" {
			script[i].Does = ""
		}
	}
	switch {
	case x.given.Asleep:
		script[0].When = sim.When{Trigger: sim.At}
	case a.lab != nil:
		// In another world the set would not wait for the commands.
		script[0].When = sim.When{Trigger: sim.After}
	}
	return cmp.Or(a.lab, x.lab).Paste(x.given.Before, script)
}

// setWrites are in the commands that change the spec of a set, or make it anew.
var setWrites = []string{" set image statefulset/", " edit statefulset/", " rollout undo statefulset/",
	" patch statefulset ", " scale statefulset/", "kubectl replace --force "}

// writesSet says whether one of some commands changes the spec of a set.
func writesSet(commands []string) bool {
	return slices.ContainsFunc(commands, func(command string) bool {
		return slices.ContainsFunc(setWrites, func(write string) bool { return strings.Contains(command, write) })
	})
}

// healed says whether the set is whole at the end of a run, with all the replicas that it has now, or, if it is being
// deleted, gone; or, if a drain waits, that its pod has left the node.
func healed(x *situation, events []timeline.Event, end *timeline.Fold) bool {
	set := end.Set(x.given.Key)
	switch {
	case x.set.Terminating() && len(x.given.Again) == 0:
		return set == nil
	case set == nil || set.Spec.Spec.Replicas < x.set.Spec.Replicas:
		return false
	case x.drained() != nil:
		return evicted(x, end) && whole(events, end, x.given.Key, model.DrainBlocked)
	}
	return whole(events, end, x.given.Key)
}

// relieve notes of a way that does not heal that more of the replicas serve at its end than without it. A way that
// deletes data for that is none: it has to heal.
func relieve(x *situation, way *Way, fold *timeline.Fold) {
	end := fold.Set(x.given.Key)
	if x.set.Terminating() || end == nil || len(way.Loses) > 0 || !goesOn(way.Events) ||
		min(end.Serving(), way.Replicas) <= x.serving {
		return
	}
	way.Relieves, way.ServesAfter = true, end.Serving()
	for _, key := range x.set.PodKeys() {
		if !end.Pods.Any(func(p *timeline.Pod) bool { return p.Name == key.Name && p.Serving() }) {
			way.Stays = append(way.Stays, key.Name)
		}
	}
}

// evicted says whether the pod that a drain waits for is on another node at the end of a run. It does not look at the
// drain itself: kubectl asks for the pod by name, and may ask for ever for a pod that is on another node. A drain must
// wait.
func evicted(x *situation, end *timeline.Fold) bool {
	name := x.drained().Why.Object
	was := x.pod(model.Key{Namespace: x.given.Key.Namespace, Name: name})
	pod := end.Pod(x.given.Key, name)
	return was != nil && (pod == nil || pod.Node != was.Node)
}

// awaitsCrashing says of commands that leave crash loops alone which pods have to be Ready between two crashes before
// the controller goes on; "" if there are none. Nobody knows whether they will be, nor whether several are at once.
func awaitsCrashing(key model.Key, pasted *play.Pasted) string {
	begin := play.StepAt(pasted.Events, pasted.First)
	if begin < 0 {
		return ""
	}
	set := End(pasted.Events[:begin]).Set(key)
	if set == nil {
		return ""
	}
	var names []string
	for pod := range set.Pods.All {
		if pod.Restarts > 0 && slices.ContainsFunc(pasted.Events[begin:], func(e timeline.Event) bool {
			return e.Kind == timeline.KindPod && e.UID == pod.UID && e.State == timeline.Ready
		}) {
			names = append(names, pod.Name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is Ready for a moment when its container starts again"
	}
	return render.List(names, mostAwaited) + " are all Ready at one moment between their crashes"
}

// mostAwaited is the number of pods that are named in a condition.
const mostAwaited = 3

// Unsure says what a fix takes for granted of the pods that it brings, since the state before it does not show it: that
// a new pod becomes Ready where the old one of the same template does not, and that a template works of which no pod is
// Ready. What a fix itself says about its template is left to it. now is the set before the fix; nil if there is no
// dump of it.
func (w *Way) Unsure(set model.Key, now *timeline.Set) string {
	if !w.Heals || w.Needs != "" || now == nil {
		return ""
	}
	end := End(w.Events).Set(set)
	if end == nil {
		return ""
	}
	var parts []string
	if again := w.again(now); len(again) > 0 {
		parts = append(parts, "the new "+render.And(again)+render.Agree(len(again), " becomes Ready, unlike the old one",
			" become Ready, unlike the old ones"))
	}
	if claims := w.claimsAgain(set); len(claims) > 0 {
		parts = append(parts, "the new PVC"+render.Agree(len(claims), " ", "s ")+render.And(claims)+
			render.Agree(len(claims), " gets a volume, unlike the old one", " get volumes, unlike the old ones"))
	}
	if end.Pods.Any(func(p *timeline.Pod) bool { return !Works(now, p.Template) }) {
		parts = append(parts, "the template of the new pods works: no pod with it is Ready in the dump")
	}
	return strings.Join(parts, ", and that ")
}

// Works says whether a pod of a set shows that a template works.
func Works(now *timeline.Set, template int) bool {
	return now.Pods.Any(func(p *timeline.Pod) bool { return p.Template == template && p.Ready })
}

// claimsAgain returns the claims that have no volume, and that the way creates again.
func (w *Way) claimsAgain(set model.Key) []string {
	var waiting, gone, again []string
	for i := range w.Events {
		e := &w.Events[i]
		if e.Kind != timeline.KindClaim || e.Set != set {
			continue
		}
		name := e.Claim.Name
		switch {
		case e.Actor == timeline.Dump && e.Claim.Phase == model.ClaimPending.String():
			waiting = append(waiting, name)
		case e.Claim.Type == model.Deleted && slices.Contains(waiting, name):
			gone = append(gone, name)
		case e.Claim.Type == model.Added && slices.Contains(gone, name) && !slices.Contains(again, name):
			again = append(again, name)
		}
	}
	return again
}

// again returns the pods that do not become Ready although they have a node, and that the way creates again from the
// same template.
func (w *Way) again(now *timeline.Set) []string {
	var names []string
	for p := range now.Pods.All {
		if p.Ready || p.Terminating || p.Silent || p.Node == "" {
			continue
		}
		if slices.ContainsFunc(w.Events, func(e timeline.Event) bool {
			return e.Kind == timeline.KindPod && e.Set == now.Key && e.Pod == p.Name && e.State == timeline.Pending &&
				e.UID != p.UID && e.Template == p.Template
		}) {
			names = append(names, p.Name)
		}
	}
	return names
}
