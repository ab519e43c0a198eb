package kubelet

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// AddRule makes pods behave as a rule says from now on. It takes precedence over all other rules, and replaces a
// rule of the same name. It holds for a time, or permanently if that is 0. A pod that does not run yet starts again
// under the rule, as if its kubelet tried again at once. A running pod stops as the rule says; its other times were
// drawn before.
func (k *Kubelets) AddRule(rule behaviour.Named, d time.Duration) {
	k.RemoveRule(rule.Name)
	k.behaviour.Added = append(slices.Clone(k.behaviour.Added), rule)
	k.reconsider(&rule.Rule)
	if d > 0 {
		at := k.kernel.Now() + model.Time(d)
		k.expiring = append(k.expiring, expiry{rule.Name, k.kernel.At(at, kernel.ByKubelet, ruleEvent(rule.Name))})
	}
}

// RemoveRule takes back the rule of that name, or all that were added if it is "". It reports whether there was one.
func (k *Kubelets) RemoveRule(name string) bool {
	var kept, gone []behaviour.Named
	for _, rule := range k.behaviour.Added {
		if name == "" || rule.Name == name {
			gone = append(gone, rule)
		} else {
			kept = append(kept, rule)
		}
	}
	k.behaviour.Added = kept
	for _, rule := range gone {
		k.expiring = slices.DeleteFunc(k.expiring, func(e expiry) bool {
			if e.name == rule.Name {
				k.kernel.Cancel(e.timer)
			}
			return e.name == rule.Name
		})
		k.reconsider(&rule.Rule)
	}
	return len(gone) > 0
}

// expiry is the timer of a rule that holds for a time.
type expiry struct {
	name  string
	timer *kernel.Timer
}

// ruleEvent is the event of the end of a rule.
func ruleEvent(name string) kernel.Event {
	return kernel.Event{Room: kernel.Kubelet, Kind: uint8(ruleEnds), Key: model.Key{Name: name}}
}

// reconsider looks up the times again of the pods that match a rule, which was just added or removed.
func (k *Kubelets) reconsider(rule *behaviour.Rule) {
	for _, pod := range k.store.Pods() {
		l := k.lives[pod.UID]
		if pod.Node == "" || pod.Terminating() || pod.Finished() || l.hung || !rule.Matches(subject(pod, l)) {
			continue
		}
		l.times = k.timesOf(pod, l)
		if pod.Phase == model.Pending && l.starting {
			k.unwatch(l)
			k.cancelAll(l)
			k.unshow(l)
			l.main, l.manifest, l.gate = nil, nil, nil
			k.bound(l, pod)
		}
	}
}

// unshow takes back what kubectl shows of containers that do not start, since the kubelet tries them again.
func (k *Kubelets) unshow(l *life) {
	containers := []*container{l.main}
	if l.manifest != nil {
		containers = l.manifest.main
	}
	for _, c := range containers {
		if c != nil && c.word != "" {
			k.show(l, c, "", "the kubelet tries again")
		}
	}
}
