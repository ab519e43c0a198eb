package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

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
