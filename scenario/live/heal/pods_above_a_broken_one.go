package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
)

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
