package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// scaleAndBack returns the attempts that remove the sick pods and all above them by scaling down, and scale up again.
// There are none if pod 0 is sick, because the set would be empty in between.
func scaleAndBack(x *situation) []attempt {
	set := x.set
	if len(x.down) == 0 {
		return nil
	}
	below := int32(set.OrdinalOf(x.down[0].Name) - set.Start())
	if below <= 0 || below >= set.Spec.Replicas {
		return nil
	}
	away := play.Script{play.Scale(set.Key(), below), play.WaitGone(x.down)}
	back := play.Scale(set.Key(), set.Spec.Replicas)
	var list []attempt
	if set.Spec.PodManagement == model.OrderedReady {
		list = []attempt{{what: fmt.Sprintf("scaling to %d and back", below), script: away.Then(back), last: x.untimely()}}
	}
	// Pods that repel each other go on to do so when their template no longer does.
	repels := strings.Contains(set.Spec.Template.Data, `"podAntiAffinity"`) ||
		strings.Contains(set.Spec.Template.Data, `"hostPort"`)
	if repels && set.Spec.Strategy.Type == model.RollingUpdateStrategy && x.unplaced == len(x.down) {
		repair, needs := repaired(x)
		list = append(list, attempt{
			what:   fmt.Sprintf("scaling to %d, fixing the template, and scaling back when all pods have it", below),
			script: away.Then(repair...).Then(play.RolloutStatus(set.Key()), back), needs: needs,
		})
	}
	return list
}

// doWithout returns the attempt that takes away the highest pods, which find no node, where the set has other pods that
// are down: Parallel updates from the top, and these wait for a pod that nobody may need now.
func doWithout(x *situation) []attempt {
	set := x.set
	var homeless []model.Key
	for i := int(set.Spec.Replicas) - 1; i > 0; i-- {
		key := x.named(i)
		if p := x.pod(key); p == nil || p.Node != "" || !slices.Contains(x.down, key) {
			break
		}
		homeless = append(homeless, key)
	}
	left := set.Spec.Replicas - int32(len(homeless))
	if len(homeless) == 0 || len(homeless) == len(x.down) || len(x.shown().Sets[set.Key()].Scalers) > 0 {
		return nil
	}
	slices.Reverse(homeless)
	return []attempt{{
		what: fmt.Sprintf("scaling to %d", left), part: true, script: play.Script{play.Scale(set.Key(), left)},
		needs: fmt.Sprintf("%d replicas are enough until a node has room for %s", left, names(homeless)),
		later: "Set the replicas in Git too, or the next apply brings " + names(homeless) + " back",
	}}
}

// deletePlaced returns the attempt that deletes only those pods that have a node, where others have none: what these wait
// for, no deletion brings, and the room that a deleted pod leaves may go to one of them.
func deletePlaced(x *situation) []attempt {
	placed := placedDown(x)
	if len(placed) == 0 || len(placed) == len(x.down) {
		return nil
	}
	return []attempt{{what: "deleting " + names(placed), part: true, script: deletePods(placed, false)}}
}

// placedDown returns the pods that are down and have a node.
func placedDown(x *situation) []model.Key {
	return slices.DeleteFunc(slices.Clone(x.down), func(key model.Key) bool {
		p := x.pod(key)
		return p == nil || p.Node == ""
	})
}

// moveOrdinalsBack returns the attempt that takes back a change of ordinals.start while pods below it still run: the
// pods that it asks for do not come up, and those that it takes away serve.
func moveOrdinalsBack(x *situation) []attempt {
	set := x.set
	if set.Spec.Ordinals == nil || len(x.down) == 0 {
		return nil
	}
	start := set.Start()
	for _, p := range x.given.State.Pods {
		if ordinal := set.OrdinalOf(p.Name); ordinal >= 0 && x.owns(&p) {
			start = min(start, ordinal)
		}
	}
	if start == set.Start() {
		return nil
	}
	patch := fmt.Sprintf(`{"spec":{"ordinals":{"start":%d}}}`, start)
	return []attempt{{what: fmt.Sprintf("moving ordinals.start back to %d", start),
		later: "Set ordinals.start in Git too, or the next apply brings it back",
		script: play.Script{play.Patch(set.Key(), patch, func(set *model.StatefulSet) {
			set.Spec.Ordinals = &model.Ordinals{Start: int32(start)}
		})}}}
}

// lowerPartition returns the attempt that lets a rollout reach the lowest pod that is down or refused, and that comes
// back from the old revision for ever: that may be what does not work any more. A set without a rollingUpdate block
// gets one, since its pods come from the old revision as long as status.currentReplicas counts them.
func lowerPartition(x *situation) []attempt {
	lowest, down := -1, []model.Key(nil)
	for i := range int(x.set.Spec.Replicas) {
		sick := slices.Contains(x.down, x.named(i))
		if !fromCurrent(x.set, i) || !sick && (x.refusal == "" || x.pod(x.named(i)) != nil) {
			continue
		}
		if lowest < 0 {
			lowest = i
		}
		if sick {
			down = append(down, x.named(i))
		}
	}
	if lowest < 0 || len(x.going) > 0 {
		return nil
	}
	a := attempt{what: fmt.Sprintf("lowering the partition to %d", lowest), apart: true,
		script: play.Script{play.Partition(x.set, int32(lowest))},
		needs:  names(down) + " may get the new template, although the partition keeps it at the old one",
		later:  "Set the partition in Git too, or the next apply undoes it"}
	if x.set.Spec.Strategy.RollingUpdate == nil {
		a.what = fmt.Sprintf("adding a rollingUpdate block with the partition %d", lowest)
	}
	if len(down) == 0 {
		a.needs = "pods of the new template are admitted, and that " + x.named(lowest).Name + " may get it before its turn"
		a.lab = admitting(x, false)
	}
	if len(x.down) == 0 {
		return []attempt{a}
	}
	with := a.deleting(x.down)
	with.beyond, with.lab = a.what, a.lab
	return []attempt{a, with}
}

// findPeers returns the attempts for pods that may need each other to become Ready: OrderedReady starts no peers after
// all were lost, and a Service may hide those that are not Ready.
func findPeers(x *situation) []attempt {
	ordered, parallel := x.set.Spec.PodManagement == model.OrderedReady, inParallel(x)
	switch {
	case x.set.Spec.Replicas < 2 || len(x.down) == 0 || x.unresolved():
		return nil
	case x.given.Quorum == nil && ordered:
		return []attempt{parallel}
	case x.given.Quorum == nil || 2*x.serving > int(x.set.Spec.Replicas) || !runs(x.pod(x.down[0])):
		return nil
	}
	parallel.lab, parallel.needs = x.given.Quorum, names(x.down[:1])+" is not Ready because it waits for its peers, as "+
		"the members of a quorum do"
	hiding, alone := hidingService(x), ordered && lacksPeers(x)
	switch {
	case hiding == nil && alone:
		return []attempt{parallel}
	case hiding == nil:
		return nil
	}
	publish := publishing(x, hiding)
	publish.hopes, publish.needs = true, names(x.down[:1])+" is not Ready because it does not find its peers in the DNS"
	if alone {
		parallel.later = publish.later
		return []attempt{parallel.behind(publish.what+", and ", publish.script)}
	}
	return []attempt{publish}
}

// publishNames returns the attempt for pods of which the last warning says that their own names are not found in the DNS:
// it replaces no pod, and a new pod has no name there either.
func publishNames(x *situation) []attempt {
	hiding := hidingService(x)
	if hiding == nil || !x.unresolved() {
		return nil
	}
	publish := publishing(x, hiding)
	publish.needs = names(x.down[:1]) + " needs its name in the DNS, as the last warning says"
	return []attempt{publish}
}

// publishing returns the attempt that lets a Service show the pods that are not Ready.
func publishing(x *situation, service *model.Service) attempt {
	return attempt{what: "letting the Service " + service.Name + " publish pods that are not Ready",
		script: play.Script{play.Publish(service.Key())}, lab: x.freed(x.down),
		later: "Set publishNotReadyAddresses in Git too, or the next apply undoes it"}
}

// unresolved reports whether the last warning about each pod that is down says that its name is not found in the DNS.
func (x *situation) unresolved() bool {
	return len(x.down) > 0 && !slices.ContainsFunc(x.down, func(key model.Key) bool {
		says := x.facts(key).Event
		return !symptom.Unresolved.In(says) || !strings.Contains(says, key.Name+"."+x.set.Spec.ServiceName)
	})
}

// untimely reports whether the last warning about each pod that is down says that its readinessProbe takes too long: new
// pods have the same trouble.
func (x *situation) untimely() bool {
	return len(x.down) > 0 && !slices.ContainsFunc(x.down, func(key model.Key) bool {
		return !symptom.Untimely.In(x.facts(key).Event)
	})
}

func inParallel(x *situation) attempt {
	return attempt{what: "recreating the StatefulSet with Parallel", script: play.InParallel(x.given.Key),
		danger: reasons.OrphanDanger(x.given.Key)}
}

// hidingService returns the headless Service by which the pods of the set find each other, if it hides those that are
// not Ready; nil if there is none. Its pods never find peers that wait for the same.
func hidingService(x *situation) *model.Service {
	for _, service := range slices.Concat(x.shown().State.Services, x.given.State.Services) {
		if service.Namespace == x.set.Namespace && service.Name == x.set.Spec.ServiceName && service.Headless &&
			!service.PublishNotReady && service.Selects(x.set.Spec.Template.Labels) {
			return service
		}
	}
	return nil
}

// lacksPeers reports whether a pod of the set does not exist, or has ended: Parallel starts no others.
func lacksPeers(x *situation) bool {
	return slices.ContainsFunc(x.set.PodKeys(), func(key model.Key) bool {
		p := x.pod(key)
		return p == nil || p.Finished()
	})
}

// runs says whether the containers of a pod run, as those of a member that waits for its peers do.
func runs(p *sim.PodState) bool {
	return p != nil && p.Phase == model.Running && (p.Containers == nil || p.Containers.Shown == "")
}

// startOthers returns the attempts that start the pods above one that does not serve, without it: OrderedReady lets
// them wait. They do not make the set whole. If that pod crashes, nobody knows whether the others will too.
func startOthers(x *situation) []attempt {
	if x.set.Spec.PodManagement != model.OrderedReady || !lacksPeers(x) || x.serving == int(x.set.Spec.Replicas) {
		return nil
	}
	parallel := inParallel(x)
	parallel.part = true
	list := append(beginAbove(x), parallel)
	const others = "the other pods become Ready"
	for i := range list {
		list[i].needs = list[i].needsToo(others)
	}
	crashes := func(key model.Key) bool {
		p := x.pod(key)
		return p != nil && !runs(p) && (p.Phase == model.Running || p.Containers != nil && p.Containers.Restarts > 0)
	}
	if !slices.ContainsFunc(x.down, crashes) {
		return list
	}
	for _, a := range slices.Clone(list) {
		a.lab, a.needs = alone(x, x.down), strings.Replace(a.needs, others, others+", unlike "+names(x.down), 1)
		list = append(list, a)
	}
	return list
}

// beginAbove returns the attempt that lets the set begin above its lowest pods, which do not serve.
func beginAbove(x *situation) []attempt {
	lowest := 0
	for p := x.pod(x.named(0)); p != nil && lowest < int(x.set.Spec.Replicas); p = x.pod(x.named(lowest)) {
		if p.Serving() {
			return nil
		}
		lowest++
	}
	if lowest == 0 || lowest >= int(x.set.Spec.Replicas) {
		return nil
	}
	start, replicas := int32(x.set.Start()+lowest), x.set.Spec.Replicas-int32(lowest)
	const patch = `{"spec":{"ordinals":{"start":%d},"replicas":%d}}`
	back := play.Patch(x.given.Key, fmt.Sprintf(patch, x.set.Start(), x.set.Spec.Replicas), nil)
	begin := play.Patch(x.given.Key, fmt.Sprintf(patch, start, replicas), func(set *model.StatefulSet) {
		set.Spec.Ordinals, set.Spec.Replicas = &model.Ordinals{Start: start}, replicas
	})
	begin.Acts |= play.WritesReplicas
	return []attempt{{
		what: "letting the StatefulSet begin with " + x.named(lowest).Name, part: true, script: play.Script{begin},
		needs: "nobody needs " + x.named(0).Name + " by its name meanwhile",
		later: "When " + x.named(0).Name + " can start again, go back (" + back.Kubectl + ")",
	}}
}

// alone returns the laboratory in which what fails in these pods fails in no other.
func alone(x *situation, pods []model.Key) *play.Lab {
	lab := *x.given.Lab
	rules := slices.Clone(lab.World.Kubelet.Rules)
	for i := range rules {
		fails := rules[i].Match.That
		if fails == nil {
			continue
		}
		rules[i].Match.That = func(pod *model.Pod) bool { return slices.Contains(pods, pod.Key()) && fails(pod) }
	}
	lab.World.Kubelet.Rules = rules
	return &lab
}
