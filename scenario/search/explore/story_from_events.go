package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// A story has at most this many asides, the last ones, and at most this many lines with reasons, the first ones.
const (
	// mostAsides and mostReasons keep a story to about a screen: the last asides, because they explain the breach, and
	// the first reasons, because later ones mostly repeat them.
	mostAsides  = 12
	mostReasons = 8
)

// teller writes a story while it follows the run, event by event.
type teller struct {
	told
	// world is the state before the event that the teller is at; world.Index is the index of that event.
	world timeline.Fold
	// lines are the lines so far, in the order in which they happened. Lines are settled but for the last.
	lines []line
	// ended counts the breaches that the story has, steps the steps that it has seen, reasons the lines with a reason.
	ended, steps, reasons int
	// repeats is true if a line with a reason would have come twice, until the next breach says so. counted is true if
	// status.currentReplicas was a reason.
	repeats, counted bool
	// why is the reason of the last line that gives one; the next line with the same reason is shorter.
	why string
	// waits is the set that waits for a claim, if any; change is the last step that has changed something.
	waits  model.Key
	change change
}

// change is a step, as a noun, and how many events were before it. The zero value is no change: its noun is "".
type change struct {
	event int
	noun  string
}

// line is a line of a story that is being written.
type line struct {
	Line
	// set is the set that the line is about; the zero value means the only one, if there is one.
	set model.Key
	// aside says that a long story leaves it out. An aside may be about several objects and has no Says before it is
	// printed: it is made of says, names and rest. says is "" if nobody does it, so that rest is a state.
	aside      bool
	names      []string
	says, rest string
	// settled says that Serving is known. act is what the controller did and why, if the line gives a reason; two lines
	// of one instant with the same act are a loop.
	settled bool
	act     string
}

// add adds a line, and settles those before it.
func (w *teller) add(l line) {
	w.settle()
	w.lines = append(w.lines, l)
}

// settle notes how many pods serve after the last line. It is called before the state moves past the instant of that
// line, so the number is that at the end of the instant, or before the next line in it.
func (w *teller) settle() {
	if n := len(w.lines); n > 0 && !w.lines[n-1].settled {
		w.lines[n-1].settled = true
		w.lines[n-1].Serving = w.serving(w.lines[n-1].set)
	}
}

// serving says how many pods of a set serve now, or of the only set if the key has no name; "" without such a set.
func (w *teller) serving(key model.Key) string {
	sets := w.world.Sets()
	if key.Name == "" && len(sets) == 1 {
		key = sets[0].Key
	}
	set := w.world.Set(key)
	if set == nil || set.Spec == nil {
		return ""
	}
	return servingOf(set, len(sets))
}

// servingOf says how many pods of a set serve, of spec.replicas; with its name if there are several sets.
func servingOf(set *timeline.Set, of int) string {
	says := fmt.Sprintf("%d of %d", set.Serving(), set.Spec.Spec.Replicas)
	if of > 1 {
		says = set.Key.Name + " " + says
	}
	return says
}

// see adds what there is to say about an event, and then follows the run past it. What it adds is worded with the
// state before the event. Kinds of events that people cannot use in a story (syncs, status, events of Kubernetes) add
// nothing.
func (w *teller) see(e *timeline.Event) {
	if e.T > w.world.T {
		w.settle()
	}
	switch e.Kind {
	case timeline.KindStep:
		if w.steps++; w.steps == 2 {
			w.skipBeginning()
		}
		w.step(e)
	case timeline.KindFault:
		if e.Fault != nil {
			w.fault(e)
		}
	case timeline.KindPod:
		w.pod(e)
	case timeline.KindClaim:
		w.claim(e)
	case timeline.KindWait:
		w.wait(e)
	}
	w.world.Apply(e)
}

// skipBeginning leaves out how the pods came to serve, if they all do before the first change. It is called at the
// second step; the first one creates the sets.
func (w *teller) skipBeginning() {
	for _, set := range w.world.Sets() {
		if set.Serving() < int(set.Spec.Spec.Replicas) {
			return
		}
	}
	w.lines = slices.DeleteFunc(w.lines, func(l line) bool { return l.aside })
}

// breaks adds a line for each promise that is broken up to an event and has none yet. If reasons have begun to repeat,
// a line before it says that the controller is in a loop.
func (w *teller) breaks(event int) {
	for ; w.ended < len(w.breaches) && w.breaches[w.ended].Event <= event; w.ended++ {
		b := &w.breaches[w.ended]
		if w.repeats {
			says := "the controller repeats this without end"
			if w.counted {
				says += ": the missing pod uses up maxUnavailable, so no other pod is replaced, and status.currentReplicas " +
					"does not fall to 0"
			}
			w.add(line{Line: Line{At: b.At.Clock(), Says: says}, set: b.Set})
			w.repeats = false
		}
		w.add(line{Line: Line{At: b.At.Clock(), Says: b.Says, Breaks: string(b.Promise)}, set: b.Set})
	}
}

// step adds what somebody did, and how the set changes by it. A step of a set that waits for a claim also wakes its
// controller, which nothing else would.
func (w *teller) step(e *timeline.Event) {
	says, deviates, set := done(e), w.told.steps[e.Step.Number], e.Set
	if noun := noun(e); noun != "" {
		w.change = change{event: w.world.Index, noun: noun}
	}
	if deviates == early {
		says += ", " + early
	}
	if w.waits != (model.Key{}) && w.waits == e.Set {
		says += "; this makes the controller sync again"
		w.waits = model.Key{}
	}
	if e.Step.Verb != "start" && len(e.Step.Sets) == 1 {
		set = e.Step.Sets[0].Key()
		says += w.changes(e.Step.Sets[0])
	}
	w.add(line{Line: Line{At: e.T.Clock(), Says: says, Deviates: deviates}, set: set})
}

// fault adds what went wrong. A fault of the scenario's own is no deviation.
func (w *teller) fault(e *timeline.Event) {
	says := e.Fault.Does
	if call, answer, ok := strings.Cut(says, ": "); ok {
		says = "the controller's call to " + call + " is " + answer
	}
	l := line{Line: Line{At: e.T.Clock(), Says: says}, set: e.Set}
	if e.Fault.Number > w.ownFaults {
		l.Deviates = added
	}
	w.add(l)
}

// pod adds what happens to a pod: who creates and deletes it, that it serves, and that it is gone.
func (w *teller) pod(e *timeline.Event) {
	acts := e.State == timeline.Terminating || e.State == timeline.Pending
	switch {
	case acts && e.Actor == timeline.Controller:
		w.acts(e)
	case e.State == timeline.Terminating && e.Actor != timeline.User:
		w.aside(e, "", e.Pod, " being deleted")
	case e.State == timeline.Ready:
		w.aside(e, "", e.Pod, " Ready")
	case e.State == timeline.Gone:
		w.aside(e, "", e.Pod, gone)
	}
}

// acts adds what the controller does with a pod, with the reason where that matters: it leads to a breach, or was
// decided on what is no longer so. Otherwise it is an aside.
func (w *teller) acts(e *timeline.Event) {
	w.comes(e)
	if decided := w.decided(e); decided != "" || w.leads(w.world.Index) {
		w.reason(e, decided)
		return
	}
	w.aside(e, "the controller "+doing(e.State)+" ", e.Pod, w.revision(e))
}

// doing returns the verb for the state that the controller has brought a pod to.
func doing(s timeline.State) string {
	if s == timeline.Terminating {
		return "deletes"
	}
	return "creates"
}

// updated says whether a pod is at the update revision.
func (w *teller) updated(e *timeline.Event) bool {
	set := w.world.Set(e.Set)
	return set != nil && set.Spec != nil && e.Template == set.Spec.Spec.Template.ID
}

// revision says at which revision a pod is created, and by which rule, if that is not the update revision: below a
// partition, or below status.currentReplicas if the set has no updateStrategy.rollingUpdate. Everything else gets the
// update revision.
func (w *teller) revision(e *timeline.Event) string {
	set := w.world.Set(e.Set)
	if e.State != timeline.Pending || set == nil || set.Spec == nil || w.updated(e) {
		return ""
	}
	says := " at the old revision"
	switch t := set.Template(e.Template); {
	case t == nil:
	case t.Image() == set.Spec.Spec.Template.Image():
		says += " (its image is the same)"
	default:
		says += " (" + t.Image() + ")"
	}
	switch spec := &set.Spec.Spec; {
	case spec.Strategy.Type != model.RollingUpdateStrategy:
	case spec.Strategy.RollingUpdate == nil:
		w.counted = true
		says += fmt.Sprintf(", because without updateStrategy.rollingUpdate ordinals below status.currentReplicas (%d) are "+
			"created at it", max(set.Status.Current, 1))
	case set.Spec.Partition() > 0:
		says += fmt.Sprintf(", because of partition %d", set.Spec.Partition())
	}
	return says
}

// reason adds what the controller does with a pod, why, and on what it decided that, if that is no longer so. The same
// act for the same reason in one instant is not written again, but counts as a repetition; after mostReasons lines no
// more are added.
func (w *teller) reason(e *timeline.Event, decided string) {
	act := "the controller " + doing(e.State) + " " + e.Pod
	says, why := act+w.revision(e), ""
	if e.Why.Code != model.CodeCreate {
		why = strings.TrimPrefix(e.Why.Sentence(), e.Pod)
	}
	switch {
	case why == "":
	case decided != "" && e.Why.Code == model.CodeUpdateRevision:
		says += " for the update"
	case why == w.why:
		says += ", for the same reason"
	default:
		says += ": " + e.Pod + why + w.unseen(e)
	}
	l := line{Line: Line{At: e.T.Clock(), Says: says + decided}, set: e.Set, act: act + why}
	switch {
	case slices.ContainsFunc(w.lines, func(m line) bool { return m.At == l.At && m.act == l.act }):
		w.repeats = true
	case w.reasons < mostReasons:
		w.reasons++
		w.why = why
		w.add(l)
	}
}

// unseen names a pod that a rolling update does not look at, though it is down: one below the pod that it deletes. It
// returns "" for any other rule.
func (w *teller) unseen(e *timeline.Event) string {
	set := w.world.Set(e.Set)
	if e.Why.Rule != model.RuleRollingUpdate || set == nil || set.Spec == nil {
		return ""
	}
	for p := range set.Pods.All {
		if p.Ordinal < set.Spec.OrdinalOf(e.Pod) && !p.Serving() {
			return fmt.Sprintf("; %s, below it, is down too, but this does not count", p.Name)
		}
	}
	return ""
}

// wait adds that the controller waits for a claim. It does not notice the end of such a wait by itself: it watches no
// claims. If the claim was deleted in the same instant after the sync had looked at it, the line stands before the
// deletion, in the order in which a reader understands it.
func (w *teller) wait(e *timeline.Event) {
	if code := e.Why.Code; !e.Wait.Ended && (code == model.StaleClaim || code == model.ClaimTerminating) {
		w.waits = e.Set
		l := line{Line: Line{At: e.T.Clock(), Says: "the controller waits: " + e.Why.Sentence()}, set: e.Set}
		if at := w.deletion(e); at >= 0 {
			l.Says = "the controller sees PVC " + e.Why.Object + " still there, and waits until it is deleted; nothing will " +
				"wake it"
			l.settled, l.Serving = true, w.lines[at].Serving
			w.lines = slices.Insert(w.lines, at, l)
			return
		}
		w.add(l)
	}
}

// deletion returns the index of the line in which the claim of an event is deleted at the same instant, which a sync
// that began before it has not seen; -1 if there is none.
func (w *teller) deletion(e *timeline.Event) int {
	return slices.IndexFunc(w.lines, func(l line) bool {
		return l.At == e.T.Clock() && l.says == collects && slices.Contains(l.names, "PVC "+e.Why.Object)
	})
}

// collects begins the aside about what the garbage collector does. Lines are compared with it.
const collects = "the garbage collector deletes "

// claim adds what happens to a claim: that it is created, that it will be deleted with a pod, and that it is. What the
// user does with a claim is told by the step.
func (w *teller) claim(e *timeline.Event) {
	known := w.world.Claim(e.Set.Namespace, e.Claim.Name)
	going := known != nil && known.Terminating
	switch c := e.Claim; {
	case going && c.Type == model.Deleted:
		if e.T > w.world.T || w.waits == e.Set {
			w.aside(e, "", "PVC "+c.Name, gone)
		}
	case !going && (c.Phase == timeline.PhaseTerminating || c.Type == model.Deleted) && e.Actor != timeline.User:
		w.aside(e, collects, "PVC "+c.Name, "")
	case e.Actor == timeline.Controller && c.Type == model.Added:
		w.aside(e, "the controller creates ", "PVC "+c.Name, "")
	case e.Actor == timeline.Controller && len(c.Owners) > 0:
		w.aside(e, "the controller makes "+strings.ReplaceAll(render.And(c.Owners), "Pod/", "")+" the owner of ",
			"PVC "+c.Name, ", which will be deleted with the pod")
	}
}
