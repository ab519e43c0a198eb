package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// waysOut returns the ways for a set in their JSON form, in the same order. It is nil for none. They share the events
// and the commands.
func waysOut(list []heal.Way, of before) []WayOut {
	var ways []WayOut
	for i := range list {
		way := WayOut{Way: list[i].Way, Takes: Instant(list[i].Takes), Events: list[i].Events, of: of}
		if of.set != nil {
			way.About = "about" // The times of live pods are not known exactly.
		}
		way.Replaces, way.Removes = leaves(&way.Way, way.Events, of.key)
		way.Needs = cmp.Or(way.Needs, list[i].Unsure(of.key, of.set))
		way.WhyNot = way.bringsBack()
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
	shown := f.healing[:min(len(f.healing), mostWays)]
	for i := range shown {
		healing = append(healing, shown[i].numbered(i))
	}
	healing = append(healing, waits(shown)...)
	for i := range f.reliefs[:min(len(f.reliefs), mostReliefs)] {
		relieving = append(relieving, f.reliefs[i].numbered(len(shown)+i))
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

// waits are the commands to wait with after the fixes that are shown, one item for all that wait alike.
func waits(shown []WayOut) []doc.Item {
	var lists [][]string
	after := map[string][]string{}
	for i, way := range shown {
		if len(way.Wait) == 0 {
			continue
		}
		key := strings.Join(way.Wait, "\n")
		if after[key] == nil {
			lists = append(lists, way.Wait)
		}
		after[key] = append(after[key], strconv.Itoa(i+1))
	}
	var items []doc.Item
	for _, list := range lists {
		head := "Then wait with:"
		if of := after[strings.Join(list, "\n")]; len(of) < len(shown) {
			head = "After " + render.And(of) + ", wait with:"
		}
		then := doc.Line(head)
		then.Commands = doc.All(list)
		items = append(items, then)
	}
	return items
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
	reasons.Way
	// Takes is the time until the last change. The fields of a way out come before it.
	Takes Instant `json:"takes"`
	// Replaces are the pods that go and come back, in the order in which they go; Removes are those that do not come
	// back.
	Replaces []string `json:"replaces,omitempty"`
	Removes  []string `json:"removes,omitempty"`
	// Wait are commands that wait rightly for it, one after the other, if there are any.
	Wait []string `json:"wait,omitempty"`
	// WhyNot says why it does not heal, if that is known and not obvious.
	WhyNot string `json:"whyNot,omitempty"`
	// Events is the run in which it was tried.
	Events []timeline.Event `json:"-"`

	// of is the set before it.
	of before
}

// before is what matters of a set before a way is used: how many pods serve, and whether it is being deleted. set is
// the set of a dump; nil in a scenario, where it is known how long pods take and which become Ready.
type before struct {
	key     model.Key
	serving int
	going   bool
	set     *timeline.Set
}

// Useless says whether a way that people try does not heal the set, and no assumption would change that: it is worth
// naming, so that nobody tries it, all the more so if it deletes data.
func (w *WayOut) Useless() bool {
	return !w.Heals && !w.Unblocks && !w.Relieves && w.Needs == "" && (w.Danger == "" || len(w.Loses) > 0)
}

// bringsBack says of an undo that does not help that it brings back the template which a pod still has and which does
// not become Ready, although the StatefulSet asks for another one already; "" if that is not so.
func (w *WayOut) bringsBack() string {
	now := w.of.set
	if !w.Reverts || w.Heals || now == nil {
		return ""
	}
	end := timeline.EndOf(w.Events).Set(w.of.key)
	if end == nil {
		return ""
	}
	asked, back := now.Spec.Spec.Template, end.Spec.Spec.Template
	for p := range now.Pods.All {
		if p.Ready || p.Template != back.ID || p.Template == asked.ID || heal.Works(now, p.Template) {
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

// item says what the way does and what it costs, and below that what must be true before it is used, and its commands.
func (w *WayOut) item(lead string) doc.Item {
	item := doc.Line(lead + render.Capital(w.What) + ": " + w.Costs())
	for _, text := range w.Conditions() {
		condition := doc.Line(text)
		if strings.HasPrefix(text, "DANGER") {
			condition = condition.Bad()
		}
		item.Items = append(item.Items, condition)
	}
	item.Commands, item.Run = doc.All(w.Commands), w.RunName()
	return item
}

// numbered is the item with its number in a list, which begins with 0 here.
func (w *WayOut) numbered(i int) doc.Item {
	item := w.item("")
	item.Name = doc.Of(fmt.Sprintf("%d.", i+1))
	return item
}

// RunName is the name of the run in which the way was tried.
func (w *WayOut) RunName() string { return w.of.key.String() + ": " + w.What }
