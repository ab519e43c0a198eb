package heal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// freeClaims returns the attempts for a set that waits for a claim that is not removed, or that gets no volume.
func freeClaims(x *situation) []attempt {
	set := x.set
	var free, recreate play.Script
	var going, waiting []string
	used := func(claim string) bool {
		return slices.ContainsFunc(x.blocking, func(o obstacle) bool { return o.has == thePVC+claim })
	}
	for _, claim := range x.end.Claims() {
		name := model.Key{Namespace: set.Namespace, Name: claim.Name}
		switch {
		case claim.Set != set.Key():
		case claim.Terminating && used(claim.Name):
			// Nobody pulls a volume from under a pod that uses it: the pod has to go first.
		case claim.Terminating:
			free, going = append(free, play.DeleteClaim(name, true)), append(going, claim.Name)
		case claim.Phase == model.ClaimPending.String() && x.awaited(claim.Name):
			recreate, waiting = append(recreate, play.DeleteClaim(name, false)), append(waiting, claim.Name)
		}
	}
	var list []attempt
	if x.stuckFor(model.ClaimTerminating) >= 0 && len(free) > 0 {
		list = append(list, attempt{what: "removing the finalizers of " + strings.Join(going, ", "), script: free,
			danger: reasons.VolumeDanger(going)})
	}
	list = append(list, newVolumes(x)...)
	if len(recreate) == 0 {
		return list
	}
	what, remove := strings.Join(waiting, ", "), recreate.Then(deletePods(x.down, false)...)
	if len(x.down) > 0 {
		what += " and " + names(x.down)
	}
	driverless := driverless(x)
	if list = append(list, driverless...); len(driverless) == 0 {
		list = append(list, attempt{what: "deleting " + what, script: remove})
	}
	for _, from := range doubtfulClasses(x) {
		a := attempt{last: len(driverless) > 0, what: "recreating the StatefulSet with a storage class, the PVC and the pod",
			danger: reasons.OrphanDanger(set.Key())}
		class := "CLASS"
		if given := provided(x.given.State.Claims); len(given) > 0 {
			class = given[0]
		} else {
			a.needs = "CLASS is a StorageClass of the cluster (kubectl get storageclass)"
		}
		if from != "" {
			a.what = "recreating the StatefulSet with another storage class, the PVC and the pod"
			a.needs = "the storage class " + from + " does not exist, or gives no volumes, and " + class +
				" is a StorageClass of the cluster that does (kubectl get storageclass)"
		}
		a.script = play.WithClass(set.Key(), from, class).Then(remove...)
		list = append(list, a)
	}
	if slices.ContainsFunc(waiting, func(name string) bool {
		return x.shown().Claims[model.Key{Namespace: set.Namespace, Name: name}].Lost
	}) {
		list = append(list, attempt{what: "pausing the rollout with a partition and deleting " + what,
			script: append(play.Script{play.Hold(set)}, remove...), later: "Set the partition in Git too, or the next apply undoes it"})
	}
	return list
}

// driverless returns the attempts for PVCs for which the scheduler has chosen a node without the driver of their volumes:
// a new pod gets another node only if its PVC, which has no volume yet, goes too, and the node takes no pods.
func driverless(x *situation) []attempt {
	var list []attempt
	for _, p := range x.unready() {
		for _, claim := range x.shown().ClaimsOf(p.Pod) {
			says := x.shown().Claims[claim.Key()].Failed
			if row := symptom.Claim(says); row.Name == symptom.NoDriver && x.shown().Waits(claim) {
				node := row.Found(says)
				list = append(list, attempt{what: fmt.Sprintf("cordoning %s and deleting %s and %s", node, claim.Name, p.Name),
					script: play.Script{play.Cordon(node), play.DeleteClaim(claim.Key(), false), play.DeletePods([]model.Key{p.Key()}, false)},
					lab:    x.bound(claim.Key()), needs: "the driver of the volumes runs on another node that " + p.Name + " may use",
					later: "Uncordon when the driver runs there (" + play.Uncordon([]string{node}).Kubectl + ")"})
			}
		}
	}
	return list
}

// bound returns the laboratory in which some claims get their volumes at once, and what waits for them goes on.
func (x *situation) bound(claims ...model.Key) *play.Lab {
	lab := x.freed(x.down)
	bound := sim.ClaimRule{Times: sim.ClaimTimes{Bind: behaviour.Constant(0)}}
	bound.Match.That = func(claim *model.Claim) bool { return slices.Contains(claims, claim.Key()) }
	lab.World.Volumes.Rules = append([]sim.ClaimRule{bound}, lab.World.Volumes.Rules...)
	return lab
}

// rebind returns the attempt that gives volumes with the data of earlier PVCs to the PVCs of the same names.
func rebind(x *situation) []attempt {
	var script play.Script
	var volumes []string
	var claims []model.Key
	for _, p := range x.unready() {
		for _, claim := range x.shown().ClaimsOf(p.Pod) {
			if volume := x.shown().Claims[claim.Key()].Released; volume != "" && x.shown().Waits(claim) {
				script = append(script, play.Deed{Verb: "patch", Kubectl: shell.FreeVolume(volume)})
				volumes, claims = append(volumes, volume), append(claims, claim.Key())
			}
		}
	}
	return []attempt{{what: "giving " + strings.Join(volumes, ", ") + " to " + strings.Join(play.NamesOf(claims), ", "),
		script: script, lab: x.bound(claims...), frees: true, needs: "the data of the earlier PVC is what the pod is to have"}}
}

// awaited reports whether a pod at the end of the run uses a claim. A Pending claim of a pod that does not exist holds
// nothing up: the controller makes it before the pod, and it may get its volume only when its pod has a node.
func (x *situation) awaited(claim string) bool {
	return slices.ContainsFunc(x.set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
		return slices.ContainsFunc(slices.Concat(x.down, x.going, x.held), func(pod model.Key) bool {
			return t.Name+"-"+pod.Name == claim
		})
	})
}

// newVolumes returns the attempt for pods whose volumes can only be used on nodes that are gone: new volumes, with
// nothing in them. There is none as long as a node is cordoned, which may be the one.
func newVolumes(x *situation) []attempt {
	if len(x.cordoned) > 0 {
		return nil
	}
	var script play.Script
	var claims []string
	var pods []model.Key
	for i := range x.given.State.Pods {
		p := &x.given.State.Pods[i]
		if p.Node != "" || !slices.Contains(x.down, p.Key()) {
			continue
		}
		its := 0
		for _, claim := range x.given.State.Claims {
			if claim.Namespace == p.Namespace && claim.Reach != "" && claim.Phase == model.ClaimBound && uses(p, claim.Name) {
				script, claims = append(script, play.DeleteClaim(claim.Key(), false)), append(claims, claim.Name)
				its++
			}
		}
		if its > 0 {
			pods = append(pods, p.Key())
		}
	}
	if len(claims) == 0 {
		return nil
	}
	return []attempt{{what: "deleting " + strings.Join(claims, ", ") + " and " + names(pods),
		script: script.Then(deletePods(pods, false)...), danger: reasons.VolumeDanger(claims)}}
}

// doubtfulClasses returns the storage classes of the claim templates that may be wrong: "" if one names no class, so
// that a cluster without a default class provides none, and those of which no claim has a volume.
func doubtfulClasses(x *situation) []string {
	var list []string
	for i := range x.set.Spec.ClaimTemplates {
		t := &x.set.Spec.ClaimTemplates[i]
		class := play.ClassOf(t)
		switch {
		case class == "" && !play.Classless(t), slices.Contains(list, class):
		case class == "" || !slices.Contains(provided(x.given.State.Claims), class) && x.otherClassHelps(class):
			list = append(list, class)
		}
	}
	return list
}

// otherClassHelps reports whether PVCs of a class may get volumes with another one: what keeps them does not lie outside of
// the class, and the dump does not show only classes with the same provisioner and the same parameters.
func (x *situation) otherClassHelps(class string) bool {
	d := x.shown()
	from := d.Classes[class]
	other := from == nil || slices.ContainsFunc(slices.Sorted(maps.Keys(d.Classes)), func(name string) bool {
		c := d.Classes[name]
		return c.Provisioner != from.Provisioner || !maps.Equal(c.Parameters, from.Parameters)
	})
	return other && !slices.ContainsFunc(d.State.Claims, func(claim *model.Claim) bool {
		return dump.ClassOf(claim) == class && symptom.Claim(d.Claims[claim.Key()].Failed).Outside
	})
}

// provided returns the storage classes that have given claims their volumes.
func provided(claims []*model.Claim) []string {
	var list []string
	for _, claim := range claims {
		class := dump.ClassOf(claim)
		if class != "" && claim.Phase == model.ClaimBound && !slices.Contains(list, class) {
			list = append(list, class)
		}
	}
	return list
}

// obstacle is a pod not of the set that has what one of it needs: its name, a PVC for one pod only, or a port of a node.
type obstacle struct {
	pod model.Key
	// has is what it has, in words. bare is true if no controller makes another one, named if it has a name of the set's pods.
	has         string
	bare, named bool
}

// thePVC begins what an obstacle has, if that is a claim.
const thePVC = "the PVC "

// obstruct notes the pods that are in the way of the set: those that are being deleted are like its own that are. Of
// another namespace are only those that have a port of a node.
func (x *situation) obstruct(silent map[string]bool) {
	for i := range x.given.State.Pods {
		p := &x.given.State.Pods[i]
		own := p.Namespace == x.set.Namespace
		if x.owns(p) {
			continue
		}
		named := own && wants(x.set, p.Name)
		left := x.end.Pod(x.given.Key, p.Name)
		switch has := obstructs(x, p); {
		case has == "" || named && left != nil && left.UID != p.UID:
		case p.Terminating() && own:
			x.stops(p.Key(), p.Node, silent)
		case !p.Terminating():
			x.blocking = append(x.blocking, obstacle{p.Key(), has, p.Controller() == nil, named})
		}
	}
}

func wants(set *model.StatefulSet, pod string) bool {
	index := set.OrdinalOf(pod) - set.Start()
	return set.OrdinalOf(pod) >= 0 && index >= 0 && index < int(set.Spec.Replicas)
}

// obstructs says what a pod that does not belong to the set has that a pod of the set needs; "" if there is nothing.
func obstructs(x *situation, p *sim.PodState) string {
	own := p.Namespace == x.set.Namespace
	switch {
	case own && wants(x.set, p.Name):
		return "the name"
	case p.Finished():
		return ""
	}
	for _, claim := range x.end.Claims() {
		if own && claim.Set == x.given.Key && claim.Terminating && uses(p, claim.Name) {
			return thePVC + claim.Name
		}
	}
	for _, key := range x.down {
		down := x.pod(key)
		if down == nil {
			continue
		}
		for _, v := range down.Volumes {
			if own && v.Claim != "" && uses(p, v.Claim) && excludes(x, p, down, v.Claim) {
				return thePVC + v.Claim
			}
		}
		if down.Node == "" && p.Node != "" && slices.ContainsFunc(placement.Ports(p.Pod), func(port int32) bool {
			return slices.Contains(placement.Ports(down.Pod), port)
		}) {
			return "the port of " + p.Node
		}
	}
	return ""
}

func uses(p *sim.PodState, claim string) bool {
	return slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim == claim })
}

// excludes says whether a pod that has a claim keeps another one from it: only one pod may use the claim, and the other
// one has no node; or only one node may, and the other one is on another, where its containers do not start.
func excludes(x *situation, p, down *sim.PodState, claim string) bool {
	if down.Node == "" {
		return slices.ContainsFunc(x.given.State.Claims, func(c *model.Claim) bool {
			return c.Namespace == p.Namespace && c.Name == claim && strings.Contains(c.Data, `"ReadWriteOncePod"`)
		})
	}
	return x.shown().Attached(down.Key()) && p.Node != "" && p.Node != down.Node
}

// clearTheWay returns the attempts that delete the pods that have what the set needs, or let the set adopt them.
func clearTheWay(x *situation) []attempt {
	var namesakes, others []model.Key
	what, bare := "", true
	for _, o := range x.blocking {
		if o.named {
			namesakes, bare = append(namesakes, o.pod), bare && o.bare
		} else if !slices.Contains(others, o.pod) {
			others, what = append(others, o.pod), o.has
		}
	}
	list := withNames(x, namesakes, bare)
	if len(others) > 0 {
		a := attempt{what: "deleting " + x.names(others) + ", which has " + what, frees: true,
			danger: "only if nobody needs " + x.names(others)}
		for begin, end := 0, 0; begin < len(others); begin = end {
			// One command deletes pods of one namespace.
			for end < len(others) && others[end].Namespace == others[begin].Namespace {
				end++
			}
			a.script = append(a.script, deletePods(others[begin:end], false)...)
		}
		owned := slices.DeleteFunc(slices.Clone(others), func(key model.Key) bool { return x.pod(key).Controller() == nil })
		if len(owned) > 0 {
			a.needs = "the controller of " + x.names(owned) + " does not create another one"
		}
		if strings.HasPrefix(what, thePVC) {
			a.lab = x.freed(x.down)
		}
		list = append(list, a)
	}
	return list
}

// names lists pods for a sentence, those of other namespaces with these.
func (x *situation) names(pods []model.Key) string {
	var list []string
	for _, key := range pods {
		name := key.String()
		if key.Namespace == x.set.Namespace {
			name = key.Name
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// withNames returns the attempts for pods that have the names of pods of the set.
func withNames(x *situation, pods []model.Key, bare bool) []attempt {
	if len(pods) == 0 {
		return nil
	}
	danger := "only if nobody needs " + names(pods)
	if services := emptied(x, pods, x.set.Spec.Template.Labels, true); services != "" {
		danger += ". And do it " + services
	}
	list := []attempt{{script: deletePods(pods, false), danger: danger,
		what: fmt.Sprintf("deleting %s, which %s not belong to the StatefulSet", names(pods),
			render.Agree(len(pods), "does", "do"))}}
	labels := map[string]string{}
	for _, need := range x.set.Spec.Selector.Needs {
		if need.Op == model.OpEquals && len(need.Values) == 1 {
			labels[need.Label] = need.Values[0]
		}
	}
	if bare && len(labels) > 0 {
		list = append(list, attempt{script: play.Script{play.Label(pods, labels)}, danger: emptied(x, pods, labels, false),
			what: fmt.Sprintf("labelling %s so that the StatefulSet adopts %s", names(pods),
				render.Agree(len(pods), "it", "them")),
			needs: names(pods) + " belonged to this StatefulSet before, and only the labels differ"})
	}
	return list
}
