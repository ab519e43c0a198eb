package judge

import (
	"cmp"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// loss is that a pod of a set stopped being Ready.
type loss struct {
	at  model.Time
	set model.Key
}

// together is the time within which pods that stop being Ready most likely do so for one reason.
const together = 30 * time.Second

// lossesOf returns when the pods of a dump that run, and are not Ready, stopped being so, in order. A pod that has not
// been Ready since it was created has lost nothing, and one on a silent node has a reason of its own.
func lossesOf(d *dump.Dump) []loss {
	var list []loss
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		if owner := p.Controller(); owner != nil && lost(p, d) {
			list = append(list, loss{p.ReadySince, model.Key{Namespace: p.Namespace, Name: owner.Name}})
		}
	}
	slices.SortFunc(list, func(a, b loss) int { return cmp.Or(cmp.Compare(a.at, b.at), a.set.Compare(b.set)) })
	return list
}

// lost says whether a pod runs, and was Ready for some time before it stopped being so. One that is Ready again and
// again, between crashes, stops at many times.
func lost(p *sim.PodState, d *dump.Dump) bool {
	f := d.Facts[p.Key()]
	return p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && !f.Unreported && !f.Comes() &&
		Dated(p) && p.ReadySince > p.Created.Add(time.Minute)
}

// shares says of a pod that has stopped being Ready that pods of other sets did so at the same time: then the cause is
// most likely what they share, and not one of the sets.
func (e *evidence) shares(of *Set) []string {
	p, losses := e.pod(of.StuckOn), e.losses
	if p == nil || !lost(p, e.Dump) {
		return nil
	}
	first, _ := slices.BinarySearchFunc(losses, p.ReadySince.Add(-together), func(l loss, at model.Time) int {
		return cmp.Compare(l.at, at)
	})
	var sets []string
	for _, other := range losses[first:] {
		if other.at > p.ReadySince.Add(together) || len(sets) > mostShared {
			break
		}
		name := other.set.Name
		if other.set.Namespace != of.Key.Namespace {
			name = other.set.String()
		}
		if other.set != of.Key && !slices.Contains(sets, name) {
			sets = append(sets, name)
		}
	}
	if len(sets) > mostShared {
		sets = append(sets[:mostShared], "others")
	}
	if len(sets) == 0 {
		return nil
	}
	return []string{"Pods of " + render.And(sets) + " stopped being Ready at the same time. Look first for what they " +
		"share, such as a database, DNS, the network or a node."}
}

// mostShared is the number of other sets that are named.
const mostShared = 3
