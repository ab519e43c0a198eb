package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// findPeers returns the attempts for pods that may need each other to become Ready: OrderedReady starts no peers after
// all were lost, and a Service may hide those that are not Ready.
func findPeers(x *situation) []attempt {
	ordered, parallel := x.set.Spec.PodManagement == model.OrderedReady, inParallel(x)
	switch {
	case x.set.Spec.Replicas < 2 || len(x.down) == 0 || x.given.Around.Unresolved(x.down):
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
	if len(x.down) == 0 || hiding == nil || !x.given.Around.Unresolved(x.down) {
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

// Unresolved reports whether the last warning about each of some pods says that its name is not found in the DNS.
func (a *Around) Unresolved(pods []model.Key) bool {
	return len(pods) > 0 && !slices.ContainsFunc(pods, func(key model.Key) bool { return !a.Unready[key].Unresolved })
}

func inParallel(x *situation) attempt {
	return attempt{what: "recreating the StatefulSet with Parallel", script: play.InParallel(x.given.Key),
		danger: reasons.OrphanDanger(x.given.Key)}
}

// hidingService returns the headless Service by which the pods of the set find each other, if it hides those that are
// not Ready; nil if there is none. Its pods never find peers that wait for the same.
func hidingService(x *situation) *model.Service {
	for _, service := range slices.Concat(x.given.Around.Services, x.given.State.Services) {
		if service.Namespace == x.set.Namespace && service.Name == x.set.Spec.ServiceName && service.Headless &&
			!service.PublishNotReady && service.Selects(x.set.Spec.Template.Labels) {
			return service
		}
	}
	return nil
}

// lacksPeers says whether a pod of the set does not run because it does not exist, or has ended: Parallel starts no
// others.
func lacksPeers(x *situation) bool {
	for _, key := range x.set.PodKeys() {
		if p := x.pod(key); p == nil || p.Finished() {
			return true
		}
	}
	return false
}

// runs says whether the containers of a pod run, as those of a member that waits for its peers do.
func runs(p *sim.PodState) bool {
	return p != nil && p.Phase == model.Running && (p.Containers == nil || p.Containers.Shown == "")
}

// InQuorum returns a laboratory in which a pod is Ready as soon as another pod of its set runs, and nothing else keeps
// it from that.
func InQuorum(lab *play.Lab) *play.Lab {
	quorum := *lab
	quorum.World.Kubelet.Rules, quorum.World.Kubelet.Sets = nil, nil
	// A pod that needs one peer has the simplest quorum.
	quorum.World.Kubelet.Default.When = &behaviour.Condition{
		Text: "another pod of the set runs", Shared: true,
		Holds: func(world *timeline.Fold, set model.Key, _ string, _ behaviour.Pay) (bool, error) {
			running := 0
			if s := world.Set(set); s != nil {
				for pod := range s.Pods.All {
					if pod.Phase == model.Running && !pod.Terminating {
						running++
					}
				}
			}
			return running > 1, nil
		},
	}
	return &quorum
}
