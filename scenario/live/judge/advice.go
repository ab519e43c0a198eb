package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// factsOf says in sentences what the dump shows of a judged set, and what ends its causes, the most telling first.
func factsOf(e *evidence, of *Set) []string {
	switch {
	case of.Unseen, of.State == Unknown:
		return nil
	case len(of.Stuck) > 0:
		return append(stuckFacts(e, of), advice(of)...)
	case of.Plays, of.Asleep != "", of.State == AtRest:
		return advice(of)
	}
	return append(advice(of), goingFacts(e, of)...)
}

// advice returns what is said of the causes of a set, and what ends them.
func advice(of *Set) []string {
	var list []string
	for i := range of.Causes {
		list = append(list, of.Causes[i].advice...)
	}
	return list
}

// advising returns the cause with what ends it, in sentences.
func (c *Cause) advising(sentences ...string) *Cause {
	c.advice = append(c.advice, sentences...)
	return c
}

// told returns the cause with sentences that say it and its evidence: those of a cause that the run does not show.
func (c *Cause) told() *Cause {
	list := []string{"The cause: " + c.Sentence + "."}
	for _, text := range c.Evidence {
		list = append(list, "Evidence: "+text)
	}
	c.advice = append(list, c.advice...)
	return c
}

// stuckFacts says what the dump shows of what a set is stuck for, and what else holds it up.
func stuckFacts(e *evidence, of *Set) []string {
	facts := e.firstFacts(of)
	for _, name := range Strangers(of.Now) {
		facts = append(facts, IsStranger(name)+".")
	}
	first := min(1, len(facts))
	if of.Early != nil && of.Early.Shown != "" {
		facts = slices.Insert(facts, first, render.Capital(of.Early.Shown)+".")
	}
	if of.Early != nil && e.Timeless {
		facts = append(facts, noClock)
	}
	facts = slices.Insert(facts, first, e.crashes(of)...)
	facts = slices.Insert(facts, min(1, len(facts)), e.shares(of)...)
	facts = slices.Concat(facts, e.besides(of), e.owned(), e.service(of))
	if c := e.madeAgain(); c != nil {
		facts = append(facts, c.advice...)
	}
	return append(facts, e.operator()...)
}

// noClock is said of a dump that does not show when it was taken, if that matters.
const noClock = "The dump does not show when it was taken, and it may be old: its newest time is taken for now. With its " +
	"nodes, or with --now \"$(date -u +%FT%TZ)\" as soon as it is taken, more can be said."

// goingFacts says what the dump shows of a set that continues, and that may still hold it up.
func goingFacts(e *evidence, of *Set) []string {
	facts := slices.Concat(ended(of.Now, e.Dump), slow(of.Now, e.Dump))
	for _, name := range Strangers(of.Now) {
		p := e.Pod(model.Key{Namespace: e.key.Namespace, Name: name})
		goes := p != nil && p.Terminating() || e.spec.Terminating()
		if p != nil && !goes && p.Controller() == nil && e.spec.Spec.Selector.Matches(p.Labels) {
			facts = append(facts, name+" exists, and has no owner yet: the StatefulSet adopts it.")
		} else if slices.Contains(of.Next.Pods, name+" Pending") {
			facts = append(facts, IsStranger(name)+": when it is gone, the StatefulSet creates its own.")
		}
	}
	if e.Guessed && len(of.Next.Pods) > 0 {
		facts = append(facts, noClock)
	}
	return append(facts, e.warnings(of)...)
}

// firstFacts says what the dump shows of the first thing that a set is stuck for.
func (e *evidence) firstFacts(of *Set) []string {
	stuck := &of.Stuck[0]
	facts := shownOf(of.StuckOn, e.key.Namespace, e.Dump)
	switch p := e.pod(of.StuckOn); {
	case p == nil && stuck.Why.Code == model.SyncError && e.spec.Spec.PodManagement == model.Parallel:
		missing := slices.DeleteFunc(e.spec.PodKeys(), func(key model.Key) bool { return e.Pod(key) != nil })
		facts[0] = render.List(play.NamesOf(missing), 8) + render.Agree(len(missing), " does not exist.", " do not exist.")
	case p == nil:
	case p.Node == "":
		facts = append(facts, e.unexplained(p)...)
	case p.Phase == model.Succeeded && stuck.Why.Code == model.WaitingForReady:
		facts = append(facts, symptom.Named("succeeded").Ends)
	case !p.Terminating() && stuck.Why.Code == model.WaitingForTermination:
		facts = append(facts, of.StuckOn+" is about to be evicted from its node, and then stays Terminating.")
	}
	if strings.Contains(stuck.Error, dump.OnlyEvents) {
		facts = append(facts, "To see what refuses it: "+shell.In(e.key.Namespace, "describe", "statefulset", e.key.Name))
	}
	return facts
}

// besides names the pods that a stuck set does not wait for yet and that do not run either: they hold it up next.
func (e *evidence) besides(of *Set) []string {
	var whys, list []string
	pods := map[string][]string{}
	for p := range of.Now.Pods.All {
		f := e.facts(p.Name)
		waited := p.Name == of.StuckOn ||
			slices.ContainsFunc(of.Stuck, func(s timeline.Stuck) bool { return s.Why.Object == p.Name })
		if f == nil || f.Waiting == "" || waited {
			continue
		}
		if pods[f.Waiting] == nil {
			whys = append(whys, f.Waiting)
		}
		pods[f.Waiting] = append(pods[f.Waiting], p.Name)
	}
	for _, why := range whys {
		names := pods[why]
		list = append(list, fmt.Sprintf("%s %s not serve either: %s.", render.List(names, 3),
			render.Agree(len(names), "does", "do"), why))
	}
	return list
}

// owned names the pods of other controllers that have names of a set's own pods.
func (e *evidence) owned() []string {
	var list []string
	for _, key := range e.spec.PodKeys() {
		if f := e.Facts[key]; f != nil && f.Owner != nil {
			list = append(list, fmt.Sprintf("%s exists, and belongs to the %s.", key.Name, f.Owner))
		}
	}
	return list
}

// service names the Service that the pods of a stuck set may look for, if the dump suggests that it does not exist.
func (e *evidence) service(of *Set) []string {
	p := e.pod(of.StuckOn)
	if p == nil || p.Phase != model.Running || p.Terminating() || !e.ServiceMissing(e.spec) {
		return nil
	}
	name := e.spec.Spec.ServiceName
	return []string{fmt.Sprintf("The Service %[1]s, which serviceName names, is not in the dump, but "+
		"others are. Without it, names like %[2]s.%[1]s do not resolve, and a pod that looks for its peers does not become "+
		"Ready. If it does not exist (%[3]s), create it: headless, with the selector of the "+
		"StatefulSet.", name, p.Name, shell.In(e.key.Namespace, "get", "service", name))}
}

// madeAgain: others of its name were there before a set, within the time of the events, so somebody deletes and creates
// it again and again: its pods never get far. It is nil if there were few.
func (e *evidence) madeAgain() *Cause {
	const often = 3
	f := e.Sets[e.key]
	if f.Remade < often {
		return nil
	}
	row, names := symptom.Named("made-again"), symptom.Names{"set": e.key.Name, "times": strconv.Itoa(f.Remade),
		"who": "somebody", "see": "Look at what creates it."}
	if f.Owner != nil {
		names["who"], names["see"] = "most likely the operator of the "+f.Owner.String(),
			"Look at the log of that operator, or stop it."
	}
	names["found"] = render.Capital(names["who"])
	return (&Cause{Name: row.Name, Sentence: names.In(row.Sentence)}).at(objectOf(e.spec)).advising(names.In(row.Ends))
}

// operator names the operator that writes the spec of a set.
func (e *evidence) operator() []string {
	owner := e.Sets[e.key].Owner
	if owner == nil {
		return nil
	}
	return []string{fmt.Sprintf("The StatefulSet belongs to the %s, and its operator may undo changes of the "+
		"StatefulSet: make a lasting change in the %[1]s.", owner)}
}

// Strangers returns the pods that have the names of a set's pods, and that it does not own.
func Strangers(set *timeline.Set) []string {
	var names []string
	for _, key := range set.Spec.PodKeys() {
		if set.Bare.Any(func(pod *timeline.Pod) bool { return pod.Name == key.Name }) {
			names = append(names, key.Name)
		}
	}
	return names
}

// IsStranger says of a pod that has the name of one of a set's pods that it is not the set's.
func IsStranger(name string) string { return name + " exists, but does not belong to the StatefulSet" }

// slow says of the pods of a set that they are taken to stop at the end of their grace periods only.
func slow(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		p := d.Pod(model.Key{Namespace: set.Key.Namespace, Name: pod.Name})
		if p != nil && d.Slow(p) {
			is, long := dump.Lasting(p.Deletion.At, true)
			list = append(list, fmt.Sprintf("%s %s Terminating%s. Assumed: it stops at the end of its grace period, %s.", p.Name,
				is, long, Whole(p.Deletion.Grace)))
			if anyContainer(p.Template, func(c model.ContainerSpec) bool { return c.PreStop != nil }) {
				list = append(list, fmt.Sprintf("A preStop hook of %s runs before its containers get their stop signal: what it "+
					"waits for may be what takes so long. Its events and its log say more (%s).", p.Name,
					shell.In(p.Namespace, "describe", "pod", p.Name)))
			}
		}
	}
	return list
}

// anyContainer reports whether something holds for a container of a template.
func anyContainer(template *model.Template, is func(model.ContainerSpec) bool) bool {
	return template != nil && template.Lifecycle != nil && slices.ContainsFunc(template.Lifecycle.Containers, is)
}

// ended says of the pods of a set that have ended what their status says, such as why they were evicted.
func ended(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		f := d.Facts[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}]
		if f != nil && f.Status != "" {
			list = append(list, fmt.Sprintf("%s has ended. Its status says: %s", pod.Name, dump.OneLine(f.Status)))
		}
	}
	return list
}

// warnings says of the pods that a set waits for, and that are not Ready, what the last warning about them is, and what
// the kubelet of a node says that is not Ready: that the set should continue does not show that nothing is wrong.
func (e *evidence) warnings(of *Set) []string {
	var list []string
	for _, w := range of.Waits {
		p, f := e.pod(w.Why.Object), e.facts(w.Why.Object)
		if p == nil || f == nil || p.Ready || p.Finished() {
			continue
		}
		if says := "The last warning about " + p.Name + ": " + f.Event; f.Event != "" && !slices.Contains(list, says) {
			list = append(list, says)
		}
		if says := e.Nodes[p.Node].NotReady; says != "" {
			list = append(list, fmt.Sprintf("%s, the node of %s, is not Ready. The kubelet there says: %s",
				p.Node, p.Name, says))
		}
	}
	return list
}

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
