package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// waysOut returns the ways for a set in their JSON form, in the same order. It is nil for none. They share the events
// and the commands.
func waysOut(list []heal.Way, of before) []WayOut {
	var ways []WayOut
	for i := range list {
		w := &list[i].Way
		replaced, removed := leaves(w, list[i].Events, of.key)
		way := WayOut{
			What: w.What, Commands: w.Commands, Heals: w.Heals, FewestServing: w.Fewest, PodsDeleted: w.Deleted,
			Takes: Instant(w.Takes), Danger: w.Danger, Needs: w.Needs, Reverts: w.Reverts, way: *w,
			Later: w.Later, Unblocks: w.Unblocks, Relieves: w.Relieves, ServesAfter: w.ServesAfter, Besides: w.Besides,
			Replaces: replaced, Removes: removed, of: of, Events: list[i].Events,
		}
		way.Needs = cmp.Or(way.Needs, way.unsure())
		way.way.Needs, way.WhyNot = way.Needs, way.bringsBack()
		ways = append(ways, way)
	}
	return ways
}

// mostWays is the number of fixes that are printed for people; JSON has all.
const mostWays = 5

// mostReliefs is the number of ways that bring some pods back which are printed for people.
const mostReliefs = 2

// fixes are the ways out of a set by what they do: those that heal it, those that only bring some of its pods back,
// those that only let a drain go on, and those that do nothing for it.
type fixes struct{ healing, reliefs, drains, useless []WayOut }

// fixesOf sorts the ways, each list in the order in which they came. A way that neither heals nor lets a drain go on is
// only named if people try it.
func fixesOf(ways []WayOut) fixes {
	var f fixes
	for _, way := range ways {
		if way.Heals {
			f.healing = append(f.healing, way)
		} else if way.Unblocks {
			f.drains = append(f.drains, way)
		} else if way.Relieves {
			f.reliefs = append(f.reliefs, way)
		} else if way.Useless() {
			f.useless = append(f.useless, way)
		}
	}
	return f
}

// head is the line above the fixes. provided is an assumption under which the set is stuck; "" means none.
func (f *fixes) head(provided string) string {
	switch {
	case len(f.healing) == 0 && len(f.drains) > 0:
		return "None of the tried fixes makes the StatefulSet complete: the cause itself has to be fixed."
	case len(f.healing) == 0 && len(f.reliefs) > 0:
		return "None of the tried fixes makes the StatefulSet complete, but pods come back (simulated from this state, as " +
			"printed):"
	case len(f.healing) == 0:
		return "None of the tried fixes works: the cause itself has to be fixed."
	}
	text, order, stands, dangers := "Fixes", "the safest first", "", 0
	for _, way := range f.healing {
		dangers += min(len(way.Danger), 1)
		if strings.Contains(strings.Join(way.Commands, "\n"), "=IMAGE") {
			stands = "; IMAGE stands for an image that works"
		}
	}
	switch dangers {
	case 0:
	case len(f.healing):
		order = "each with a DANGER"
	default:
		order = "those without DANGER first"
	}
	if provided != "" {
		text += " in case " + provided
	}
	return text + ", " + order + " (each simulated from this state, as printed" + stands + "):"
}

// wayItems are the fixes for a stuck set, and the names of what does not help.
func wayItems(ways []WayOut, provided string) []doc.Item {
	f := fixesOf(ways)
	var items, healing, relieving []doc.Item
	for i := range f.drains {
		items = append(items, f.drains[i].item("Lets the drain continue, but does not heal the StatefulSet (simulated). "))
	}
	for i := range f.healing[:min(len(f.healing), mostWays)] {
		healing = append(healing, f.healing[i].numbered(i))
	}
	for i := range f.reliefs[:min(len(f.reliefs), mostReliefs)] {
		relieving = append(relieving, f.reliefs[i].numbered(len(healing)+i))
	}
	if more := len(f.healing) - mostWays; more > 0 {
		healing = append(healing, doc.Line(fmt.Sprintf("(%d more with -o json)", more)))
	}
	head := f.head(provided)
	switch {
	case len(healing) > 0:
		items = append(append(items, doc.Head(head, healing...)...), doc.Head(relief, relieving...)...)
	case len(relieving) > 0:
		items = append(items, doc.Head(head, relieving...)...)
	default:
		items = append(items, doc.Line(head))
	}
	return append(items, doc.Lines(f.vain()...)...)
}

// relief is the line above the ways that bring some pods back, below those that heal.
const relief = "What brings some pods back, without healing the StatefulSet (simulated):"

// vain names the ways that people try and that do not help, and says why where that is known.
func (f *fixes) vain() []string {
	if len(f.useless) == 0 {
		return nil
	}
	var words, why []string
	for _, way := range f.useless {
		words = append(words, way.What)
		if way.WhyNot != "" && !slices.Contains(why, way.WhyNot) {
			why = append(why, way.WhyNot)
		}
	}
	return append([]string{"Not enough (simulated): " + strings.Join(words, "; ") + "."}, why...)
}

// WayOut is a way out, played as it is printed, pasted into a shell in one go.
type WayOut struct {
	// What says in words what the Commands do. Heals says whether the set is complete after them.
	What     string   `json:"what"`
	Commands []string `json:"commands"`
	Heals    bool     `json:"heals"`
	// FewestServing is the least number of pods that serve at a fixed point on the way, PodsDeleted the number of pods
	// that it deletes, and Takes the time until the last change.
	FewestServing int     `json:"fewestServing"`
	PodsDeleted   int     `json:"podsDeleted"`
	Takes         Instant `json:"takes"`
	// Replaces are the pods that go and come back, in the order in which they go; Removes are those that do not come
	// back.
	Replaces []string `json:"replaces,omitempty"`
	Removes  []string `json:"removes,omitempty"`
	// Danger says what must be true first; "" if nothing can be lost. Needs is what else is assumed.
	Danger string `json:"danger,omitempty"`
	Needs  string `json:"needs,omitempty"`
	// WhyNot says why it does not heal, if that is known and not obvious.
	WhyNot string `json:"whyNot,omitempty"`
	// Later says what remains to be done after the commands. Unblocks says that a drain continues, although the set is
	// not complete at the end.
	Later    string `json:"later,omitempty"`
	Unblocks bool   `json:"unblocks,omitempty"`
	// Relieves says that more pods serve after it than without it, although the set is not complete: ServesAfter.
	Relieves    bool `json:"relieves,omitempty"`
	ServesAfter int  `json:"servesAfter,omitempty"`
	// Besides says what it does besides what it is for: what it breaks, and who takes it back.
	Besides []string `json:"besides,omitempty"`
	// Reverts says that it reverts the template, which has to be reverted in Git too.
	Reverts bool `json:"reverts,omitempty"`
	// Events is the run in which it was tried.
	Events []timeline.Event `json:"-"`

	// way is the way as heal has it, with what else is assumed; of is the set before it.
	way reasons.Way
	of  before
}

// before is what matters of a set before a way is used: how many pods serve, and whether it is being deleted. set is
// the set of a dump; nil in a scenario, where it is known how long pods take and which become Ready. slack is how much
// longer than assumed a pod may take to stop.
type before struct {
	key     model.Key
	serving int
	going   bool
	set     *timeline.Set
	slack   time.Duration
}

// Useless says whether a way that people try does not heal the set, and no assumption would change that: it is worth
// naming, so that nobody tries it, all the more so if it deletes data.
func (w *WayOut) Useless() bool {
	return !w.Heals && !w.Unblocks && !w.Relieves && w.Needs == "" && (w.Danger == "" || len(w.way.Loses) > 0)
}

// does says whether one of the commands has one of some words.
func (w *WayOut) does(words ...string) bool {
	commands := strings.Join(w.Commands, "\n")
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(commands, word) })
}

// unsure says what a fix takes for granted of the pods that it brings, since the dump does not show it: that a new pod
// becomes Ready where the old one of the same template does not, and that a template works of which no pod is Ready.
// What a fix itself says about its template is left to it.
func (w *WayOut) unsure() string {
	now := w.of.set
	if !w.Heals || w.Needs != "" || now == nil {
		return ""
	}
	end := heal.End(w.Events).Set(w.of.key)
	if end == nil {
		return ""
	}
	var parts []string
	if again := w.again(now); len(again) > 0 {
		parts = append(parts, "the new "+render.And(again)+render.Agree(len(again), " becomes Ready, unlike the old one",
			" become Ready, unlike the old ones"))
	}
	if claims := w.claimsAgain(); len(claims) > 0 {
		parts = append(parts, "the new PVC"+render.Agree(len(claims), " ", "s ")+render.And(claims)+
			render.Agree(len(claims), " gets a volume, unlike the old one", " get volumes, unlike the old ones"))
	}
	if end.Pods.Any(func(p *timeline.Pod) bool { return !works(now, p.Template) }) {
		parts = append(parts, "the template of the new pods works: no pod with it is Ready in the dump")
	}
	return strings.Join(parts, ", and that ")
}

// works says whether a pod of the dump shows that a template works.
func works(now *timeline.Set, template int) bool {
	return now.Pods.Any(func(p *timeline.Pod) bool { return p.Template == template && p.Ready })
}

// claimsAgain returns the claims that have no volume, and that the way creates again.
func (w *WayOut) claimsAgain() []string {
	var waiting, gone, again []string
	for i := range w.Events {
		e := &w.Events[i]
		if e.Kind != timeline.KindClaim || e.Set != w.of.key {
			continue
		}
		name := e.Claim.Name
		switch {
		case e.Actor == timeline.Dump && e.Claim.Phase == model.ClaimPending.String():
			waiting = append(waiting, name)
		case e.Claim.Type == model.Deleted && slices.Contains(waiting, name):
			gone = append(gone, name)
		case e.Claim.Type == model.Added && slices.Contains(gone, name) && !slices.Contains(again, name):
			again = append(again, name)
		}
	}
	return again
}

// again returns the pods that do not become Ready although they have a node, and that the way creates again from the
// same template.
func (w *WayOut) again(now *timeline.Set) []string {
	var names []string
	for p := range now.Pods.All {
		if p.Ready || p.Terminating || p.Silent || p.Node == "" {
			continue
		}
		if slices.ContainsFunc(w.Events, func(e timeline.Event) bool {
			return e.Kind == timeline.KindPod && e.Set == w.of.key && e.Pod == p.Name && e.State == timeline.Pending &&
				e.UID != p.UID && e.Template == p.Template
		}) {
			names = append(names, p.Name)
		}
	}
	return names
}

// bringsBack says of an undo that does not help that it brings back the template which a pod still has and which does
// not become Ready, although the StatefulSet asks for another one already; "" if that is not so.
func (w *WayOut) bringsBack() string {
	now := w.of.set
	if !w.Reverts || w.Heals || now == nil {
		return ""
	}
	end := heal.End(w.Events).Set(w.of.key)
	if end == nil {
		return ""
	}
	asked, back := now.Spec.Spec.Template, end.Spec.Spec.Template
	for p := range now.Pods.All {
		if p.Ready || p.Template != back.ID || p.Template == asked.ID || works(now, p.Template) {
			continue
		}
		if back.Image() == asked.Image() {
			return p.Name + " still has the old template, and the StatefulSet already asks for another one: an undo brings " +
				"the old one back."
		}
		return fmt.Sprintf("%s still has %s, and the StatefulSet already asks for %s: an undo brings %[2]s back.",
			p.Name, p.Image, asked.Image())
	}
	return ""
}
