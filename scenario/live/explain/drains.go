package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Drain is a drain of a node that is refused the eviction of pods. The controller has no part in it, and may wait for
// nothing.
type Drain struct {
	// Node is the node that is drained.
	Node string `json:"node"`
	// Pods are those that it may not evict; Since is when the first eviction was refused.
	Pods  []string `json:"pods"`
	Since Instant  `json:"since"`
	// Budgets are the PodDisruptionBudgets that refuse it. If the last refusals are not known, they are all budgets of
	// the namespace that allow no disruption: one of them is the reason.
	Budgets []string `json:"budgets,omitempty"`
	// GaveUp is the instant at which kubectl gave up, or ended with an error; 0 if it still tries.
	GaveUp Instant `json:"gaveUp,omitempty"`

	// full is true if all pods of the budgets are healthy, so that none becomes it. several is the first pod that more
	// than one budget selects, "" if there is none.
	full    bool
	several string
}

// drains lists the drains that wait for pods of a set at the moment. A drain whose pods have all left the node waits
// for none, and is not in the list.
func (m *moment) drains(set *timeline.Set) []*Drain {
	var list []*Drain
	for i := range m.events[:m.cut] {
		e := &m.events[i]
		switch {
		case e.Kind == timeline.KindPod && e.Set == set.Key &&
			(e.State == timeline.Gone || e.State == timeline.Terminating):
			list = left(list, e.Pod)
		case e.Kind != timeline.KindNode:
		case e.Why.Code == model.DrainBlocked && set.Pods.Any(func(p *timeline.Pod) bool { return p.Name == e.Why.Object }):
			list = refused(list, e)
		case e.Reason == timeline.ReasonDrainGivenUp:
			for _, d := range list {
				if d.Node == e.Node && d.GaveUp == 0 {
					d.GaveUp = Instant(e.T)
				}
			}
		}
	}
	for _, d := range list {
		// Before the end of the run nobody knows which budgets select the pods.
		var refusals []timeline.Stuck
		for _, stuck := range m.stuck(set.Key) {
			if slices.Contains(d.Pods, stuck.Why.Object) {
				refusals = append(refusals, stuck)
			}
		}
		budgets := refusing(m.fold, set.Key.Namespace, refusals)
		d.full = spent(budgets)
		for _, b := range budgets {
			d.Budgets = append(d.Budgets,
				fmt.Sprintf("%s (%d of %d healthy, %d wanted)", b.Name, b.Healthy, b.Expected, b.Desired))
		}
	}
	return list
}

var named = lazy.Regexp(`The disruption budget (\S+) `)

// refusing returns the budgets of a namespace that allow no disruption: those that the API server names when it refuses
// evictions, or all if it names none.
func refusing(fold *timeline.Fold, namespace string, refusals []timeline.Stuck) []*timeline.Budget {
	var names []string
	for i := range refusals {
		if found := named().FindStringSubmatch(refusals[i].Error); found != nil {
			names = append(names, found[1])
		}
	}
	var list []*timeline.Budget
	for _, key := range fold.Budgets() {
		b := fold.Budget(key)
		if b.Namespace == namespace && b.Allowed == 0 && (len(names) == 0 || slices.Contains(names, b.Name)) {
			list = append(list, b)
		}
	}
	return list
}

// spent says whether budgets that allow no disruption want as many healthy pods as there are: then it is no help that
// a pod becomes healthy.
func spent(budgets []*timeline.Budget) bool {
	return len(budgets) > 0 && !slices.ContainsFunc(budgets, func(b *timeline.Budget) bool {
		return b.Healthy < b.Expected
	})
}

// refusalOf says why a pod cannot be evicted, and what ends that: several budgets select it, and then a drain ends with
// this error; or they want all the pods that there are; or some of their pods are sick.
func refusalOf(why model.Why, several, full bool, sick ...string) (sentence, release string) {
	sentence, release = why.Sentence(), reasons.Release(why, reasons.World{})
	if row := symptom.Eviction(several, full, len(sick) > 0); !row.None() {
		names := symptom.Names{"pod": why.Object, "found": render.List(sick, 3), "is": render.Agree(len(sick), "is", "are")}
		sentence, release = cmp.Or(names.In(row.Sentence), sentence), names.In(row.Ends)
	}
	return sentence, release
}

// refused returns some drains when one of them, or another one, is refused the eviction of a pod.
func refused(list []*Drain, e *timeline.Event) []*Drain {
	at := slices.IndexFunc(list, func(d *Drain) bool { return d.Node == e.Node && d.GaveUp == 0 })
	if at < 0 {
		at, list = len(list), append(list, &Drain{Node: e.Node, Since: Instant(e.T)})
	}
	d := list[at]
	if !slices.Contains(d.Pods, e.Why.Object) {
		d.Pods = append(d.Pods, e.Why.Object)
	}
	if symptom.SeveralBudgets.In(e.Message) && d.several == "" {
		d.several = e.Why.Object
	}
	return list
}

func left(list []*Drain, pod string) []*Drain {
	for _, d := range list {
		d.Pods = slices.DeleteFunc(d.Pods, func(name string) bool { return name == pod })
	}
	return slices.DeleteFunc(list, func(d *Drain) bool { return len(d.Pods) == 0 })
}

// items say for each pod that the drain waits for what holds it up and, below the last, what ends that.
func (d *Drain) items() []doc.Item {
	end := ""
	switch {
	case d.GaveUp > 0 && d.several != "":
		end = "; kubectl ended with this error at " + clock(d.GaveUp)
	case d.GaveUp > 0:
		end = "; kubectl gave up at " + clock(d.GaveUp)
	}
	var items []doc.Item
	for _, pod := range d.Pods {
		why := model.Why{Code: model.DrainBlocked, Object: pod}
		refusal, _ := refusalOf(why, pod == d.several, d.full)
		if pod != d.several {
			refusal = reasons.Named(why)
		}
		items = append(items, doc.Line(fmt.Sprintf("The drain of %s has been blocked since %s: %s%s", d.Node, clock(d.Since),
			refusal, end)))
	}
	last := &items[len(items)-1]
	for _, b := range d.Budgets {
		last.Items = append(last.Items, doc.Line("A PodDisruptionBudget that allows no disruption: "+b+"."))
	}
	why := model.Why{Code: model.DrainBlocked, Object: cmp.Or(d.several, d.Pods[len(d.Pods)-1])}
	_, release := refusalOf(why, d.several != "", d.full)
	last.Items = append(last.Items, doc.Line(ends(&Wait{Release: release})))
	return items
}

// rehearsal is a drain and the run in which it is played from the dump.
type rehearsal struct {
	play.Deed
	*judge.Run
	// node is the node that is drained, and is what shows that: "is cordoned".
	node, is string
}

// blocked returns what is said at its end of the pods of a set that it may not evict.
func (r *rehearsal) blocked(set model.Key) []timeline.Stuck {
	return slices.DeleteFunc(r.StuckOf(set), func(stuck timeline.Stuck) bool {
		return stuck.Why.Code != model.DrainBlocked
	})
}

// drains plays drains of the nodes that are cordoned, or about to be removed by an autoscaler, and are Ready and in use:
// a dump does not show that somebody drains them, but what would hold such a drain up. There are none without a budget,
// or a set that may hold it up.
func (v *view) drains(sets []*judge.Set) []rehearsal {
	holds := func(of *judge.Set) bool {
		return !of.Unseen && (of.State == judge.AtRest || of.State == judge.Stuck || of.State == judge.TooEarly)
	}
	if len(v.State.Budgets) == 0 || !slices.ContainsFunc(sets, holds) {
		return nil
	}
	var list []rehearsal
	for i := range v.State.Nodes {
		n := &v.State.Nodes[i]
		used := slices.ContainsFunc(v.State.Pods, func(p sim.PodState) bool { return p.Node == n.Name })
		is := "is cordoned"
		if slices.ContainsFunc(n.Taints, leavesNode) {
			is = "is about to be removed"
		} else if !n.Cordoned {
			continue
		}
		if n.NotReady || !used {
			continue
		}
		drain := play.Deed{
			Verb: "drain", Does: "drain " + n.Name, When: sim.When{Trigger: sim.At},
			Act: func(u *sim.User) sim.Outcome {
				u.Drain(n.Name, 0, true)
				return sim.Outcome{Effect: timeline.Done}
			},
		}
		list = append(list, rehearsal{drain, judge.RunOf(v.lab.Run(play.Script{drain}), v.Index), n.Name, is})
	}
	return list
}

// leavesNode reports whether an autoscaler has given a node a taint to drain and to remove it.
func leavesNode(taint sim.Taint) bool {
	return symptom.Taint(taint.Key).Name == symptom.Leaving && taint.Effect == "NoSchedule"
}

// hold is that a drain does not end because of a pod of a set that is at rest: what is said of it, and the run.
type hold struct {
	rehearsal
	pod, why string
	wait     *Wait
}

// hold returns what holds up the first of some drains that a set at rest does not let end; nil if none does.
func (v *view) hold(of *judge.Set, drains []rehearsal) *hold {
	for _, drain := range drains {
		all := drain.blocked(of.Key)
		if len(all) == 0 {
			continue
		}
		several := symptom.SeveralBudgets.In(all[0].Error)
		budgets := refusing(drain.End, of.Key.Namespace, all[:1])
		full, sick := spent(budgets), []string(nil)
		for _, b := range budgets {
			sick = append(sick, v.unhealthy(of, b.Name)...)
		}
		h := &hold{rehearsal: drain, pod: all[0].Why.Object, wait: v.wait(of.Key, &all[0], drain.End)}
		sentence, release := refusalOf(all[0].Why, several, full, sick...)
		if several || full || len(sick) > 0 {
			h.wait.Sentence, h.wait.Release = sentence, release
		}
		// Nobody waits yet: the dump shows no drain.
		h.wait.Since = 0
		does := "does not end"
		if several {
			does = "fails"
		}
		h.why = fmt.Sprintf("the StatefulSet is at rest; what %s is to %s: %s", does, drain.Does, sentence)
		return h
	}
	return nil
}

// holdsUp says of a set that is stuck that a drain cannot finish for that reason: a budget wants the pods that do not
// serve, and so it lets no other one go.
func (v *view) holdsUp(of *judge.Set, drain rehearsal) []string {
	begins, all, pods := "The node "+drain.node+" "+drain.is+", and a drain of it cannot finish: ", drain.blocked(of.Key),
		[]string(nil)
	for _, stuck := range all {
		if symptom.SeveralBudgets.In(stuck.Error) {
			sentence, _ := refusalOf(stuck.Why, true, false)
			return []string{begins + sentence + "."}
		}
		pods = append(pods, stuck.Why.Object)
	}
	list := refusing(drain.End, of.Key.Namespace, all)
	if len(pods) == 0 || len(list) == 0 {
		return nil
	}
	b := list[0]
	fact := fmt.Sprintf("the PodDisruptionBudget %s allows no eviction of %s (%d of %d healthy, %d wanted)",
		b.Name, render.List(pods, 3), b.Healthy, b.Expected, b.Desired)
	switch sick := v.unhealthy(of, b.Name); {
	case b.Desired >= b.Expected:
		fact += ". It wants all its pods, so it never allows one"
	case len(sick) > 0:
		fact += fmt.Sprintf(" while %s %s not Ready. The drain goes on when %[1]s %[2]s Ready", render.List(sick, 3),
			render.Agree(len(sick), "is", "are"))
		if slices.ContainsFunc(pods, func(pod string) bool { return slices.Contains(sick, pod) }) {
			fact += ". With unhealthyPodEvictionPolicy: AlwaysAllow in the budget, it evicts those that are not Ready now"
		}
	}
	return []string{begins + fact + "."}
}

// unhealthy returns the pods that a budget of the set's namespace is for and that do not serve, whoever owns them, and
// those of the set that do not exist.
func (v *view) unhealthy(of *judge.Set, budget string) (names []string) {
	set := of.Now.Spec
	at := slices.IndexFunc(v.State.Budgets, func(b *model.Budget) bool {
		return b.Name == budget && b.Covers(set.Namespace, set.Spec.Template.Labels)
	})
	if at < 0 {
		return nil
	}
	for _, key := range set.PodKeys() {
		if v.Pod(key) == nil {
			names = append(names, key.Name)
		}
	}
	for i := range v.State.Pods {
		if p := &v.State.Pods[i]; v.State.Budgets[at].Covers(p.Namespace, p.Labels) && !p.Serving() && !p.Finished() {
			names = append(names, p.Name)
		}
	}
	return names
}
