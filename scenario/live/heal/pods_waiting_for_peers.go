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
