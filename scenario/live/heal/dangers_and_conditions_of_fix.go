package heal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// besides returns in sentences what a way does besides what it is for: what it breaks, and who takes it back.
func besides(x *situation, way *Way) []string {
	list := append(brokenBudgets(x, way), exceededQuotas(x, way)...)
	shown := x.shown().Sets[x.set.Key()]
	if scalers := shown.Scalers; way.Acts.Any(play.WritesReplicas) && len(scalers) > 0 {
		list = append(list, fmt.Sprintf("The %s %s spec.replicas, and may scale back meanwhile.",
			strings.Join(scalers, " and the "), render.Agree(len(scalers), "writes", "write")))
	}
	undone := undoneBy(x.set, shown.Tool)
	if undone != "" && way.Acts.Any(play.WritesSet) && x.given.Reverted == "" {
		list = append(list, undone)
	}
	return list
}

// brokenBudgets says which budgets a way breaks that hold now: the deletion of a pod, unlike its eviction, asks none.
func brokenBudgets(x *situation, way *Way) []string {
	var list []string
	if x.drained() != nil {
		// These ways are about the budgets, and say so themselves.
		return nil
	}
	for _, b := range x.given.State.Budgets {
		if !b.Covers(x.set.Namespace, x.set.Spec.Template.Labels) || slices.ContainsFunc(x.given.State.Pods,
			func(p sim.PodState) bool { return b.Covers(p.Namespace, p.Labels) && !x.owns(&p) }) {
			continue
		}
		if want := int(b.Desired(x.set.Spec.Replicas)); way.Deleted > 0 && way.Fewest < want && want <= x.serving {
			list = append(list, fmt.Sprintf("The PodDisruptionBudget %s asks for %d healthy pods, and does not stop this: "+
				"only evictions ask it.", b.Name, want))
		}
	}
	return list
}

// exceededQuotas says which quotas do not admit the pods that there are on a way beyond those of now: the API server
// refuses them, which is not simulated. What raises a quota, or lets the pods ask for less, needs no such room.
func exceededQuotas(x *situation, way *Way) (list []string) {
	alive, now, most := map[model.UID]bool{}, 0, 0
	for i := range way.Events {
		e := &way.Events[i]
		if e.Kind != timeline.KindPod || e.Set != x.given.Key || e.UID == 0 {
			continue
		}
		if alive[e.UID] = true; e.State == timeline.Gone {
			delete(alive, e.UID)
		}
		if e.Actor == timeline.Dump {
			now = len(alive)
		}
		most = max(most, len(alive)-now)
	}
	for _, quota := range x.shown().RoomInQuotas(x.set) {
		if most > quota.Pods && !way.Acts.Any(play.EasesQuota) {
			list = append(list, fmt.Sprintf("This needs room for %s more at a time, and the ResourceQuota %s has room for %d "+
				"(%s): raise it first (%s).", render.Count(most, "pod"), quota.Quota, quota.Pods, quota.Given,
				shell.In(x.set.Namespace, "edit", "resourcequota", quota.Quota)))
		}
	}
	return list
}

// emptied returns the danger of giving pods labels with which a Service loses its last pod that serves: "" if none
// does. anew is true if other pods come in their place, which have these labels alone.
func emptied(x *situation, pods []model.Key, labels map[string]string, anew bool) string {
	var emptied []string
	over := func(own map[string]string) map[string]string {
		both := map[string]string{}
		if !anew {
			maps.Copy(both, own)
		}
		maps.Copy(both, labels)
		return both
	}
	for _, service := range slices.Concat(x.shown().State.Services, x.given.State.Services) {
		before, after := 0, 0
		for i := range x.given.State.Pods {
			p := &x.given.State.Pods[i]
			if p.Namespace != service.Namespace || !p.Serving() || !service.Selects(p.Labels) {
				continue
			}
			before++
			if !slices.Contains(pods, p.Key()) || service.Selects(over(p.Labels)) {
				after++
			}
		}
		if before > 0 && after == 0 {
			emptied = append(emptied, service.Name)
		}
	}
	if len(emptied) == 0 {
		return ""
	}
	return fmt.Sprintf("only if nobody needs the Service%s %s: with these labels no pod is behind %s any more",
		render.Agree(len(emptied), "", "s"), render.And(emptied), render.Agree(len(emptied), "it", "them"))
}

// dangerWith returns what must be true before an attempt does no harm: its own danger, and those that its run has
// shown, each once; "" if it can do none.
func (a *attempt) dangerWith(shown ...string) string {
	var list []string
	for _, danger := range append([]string{a.danger}, shown...) {
		if danger != "" && !slices.Contains(list, danger) {
			list = append(list, danger)
		}
	}
	return strings.Join(list, ". And do it ")
}

// behind returns what happens when some commands have begun; nil if they were not played.
func behind(pasted *play.Pasted) []timeline.Event {
	begin := play.StepAt(pasted.Events, pasted.First)
	if begin < 0 {
		return nil
	}
	return pasted.Events[begin:]
}

// interrupts returns the danger of commands that delete a pod whose init container does its work; "" if they do not.
func (x *situation) interrupts(pasted *play.Pasted) string {
	for _, e := range behind(pasted) {
		pod := model.Key{Namespace: x.set.Namespace, Name: e.Pod}
		if e.Kind != timeline.KindPod || e.Set != x.given.Key || e.State != timeline.Terminating {
			continue
		}
		if f := x.facts(pod); f.Init != "" && !f.Sidecar {
			return reasons.WorkDanger(e.Pod, f.Init)
		}
	}
	return ""
}

// lostClaims returns the claims of the set that have their volumes when the commands begin, and that these make go: a
// new pod gets an empty volume. A claim that the set's own retention policy deletes is none of them. They are in the
// order of their names, each once; nil if the commands were not played.
func lostClaims(x *situation, pasted *play.Pasted) []string {
	var names []string
	for _, e := range behind(pasted) {
		if e.Kind == timeline.KindClaim && e.Claim.Type == model.Deleted && e.Set.Namespace == x.set.Namespace &&
			!slices.Contains(names, e.Claim.Name) && keeps(x, e.Claim.Name) {
			names = append(names, e.Claim.Name)
		}
	}
	slices.Sort(names)
	return names
}

// keeps says whether a claim has a volume, and is one that a pod of the set uses or that the set has for one of its
// replicas, and not one that its policy deletes anyway.
func keeps(x *situation, name string) bool {
	bound := slices.ContainsFunc(x.given.State.Claims, func(c *model.Claim) bool {
		return c.Name == name && c.Namespace == x.set.Namespace &&
			(c.Phase == model.ClaimBound || x.shown().Claims[c.Key()].Lost)
	})
	if !bound || dump.ReplicaOf(x.set, name) >= 0 {
		return bound && !Asked(x.set, name)
	}
	return slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
		return p.Namespace == x.set.Namespace && x.set.OrdinalOf(p.Name) >= 0 && uses(&p, name)
	})
}

// Asked says whether the retention policy of a set asks for the deletion of a claim: of all that its templates make if
// it is being deleted, and of those of the replicas beyond spec.replicas.
func Asked(set *model.StatefulSet, claim string) bool {
	policy, ordinal := set.Spec.Retention, dump.ReplicaOf(set, claim)
	if policy == nil || ordinal < 0 {
		return false
	}
	beyond := ordinal < set.Start() || ordinal >= set.Start()+int(set.Spec.Replicas)
	return policy.DeleteWithSet && set.Terminating() || policy.DeleteWhenScaled && beyond
}

// awaitsCrashing says of commands that leave crash loops alone which pods have to be Ready between two crashes before
// the controller goes on; "" if there are none. Nobody knows whether they will be, nor whether several are at once.
func awaitsCrashing(key model.Key, pasted *play.Pasted) string {
	later := behind(pasted)
	set := timeline.EndOf(pasted.Events[:len(pasted.Events)-len(later)]).Set(key)
	if set == nil {
		return ""
	}
	var names []string
	for pod := range set.Pods.All {
		if pod.Restarts > 0 && slices.ContainsFunc(later, func(e timeline.Event) bool {
			return e.Kind == timeline.KindPod && e.UID == pod.UID && e.State == timeline.Ready
		}) {
			names = append(names, pod.Name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is Ready for a moment when its container starts again"
	}
	return render.List(names, mostAwaited) + " are all Ready at one moment between their crashes"
}

// mostAwaited is the number of pods that are named in a condition.
const mostAwaited = 3

// Unsure says what a fix takes for granted of the pods that it brings, since the state before it does not show it: that
// a new pod becomes Ready where the old one of the same template does not, and that a template works of which no pod is
// Ready. What a fix itself says about its template is left to it. now is the set before the fix; nil without a dump.
func (w *Way) Unsure(set model.Key, now *timeline.Set) string {
	if !w.Heals || w.Needs != "" || now == nil {
		return ""
	}
	end := timeline.EndOf(w.Events).Set(set)
	if end == nil {
		return ""
	}
	var parts []string
	if again := w.again(now); len(again) > 0 {
		parts = append(parts, "the new "+render.And(again)+render.Agree(len(again), " becomes Ready, unlike the old one",
			" become Ready, unlike the old ones"))
	}
	if claims := w.claimsAgain(set); len(claims) > 0 {
		parts = append(parts, "the new PVC"+render.Agree(len(claims), " ", "s ")+render.And(claims)+
			render.Agree(len(claims), " gets a volume, unlike the old one", " get volumes, unlike the old ones"))
	}
	if end.Pods.Any(func(p *timeline.Pod) bool { return !Works(now, p.Template) }) {
		parts = append(parts, "the template of the new pods works: no pod with it is Ready in the dump")
	}
	return strings.Join(parts, ", and that ")
}

// Works says whether a pod of a set shows that a template works.
func Works(now *timeline.Set, template int) bool {
	return now.Pods.Any(func(p *timeline.Pod) bool { return p.Template == template && p.Ready })
}

// claimsAgain returns the claims that have no volume, and that the way creates again.
func (w *Way) claimsAgain(set model.Key) []string {
	var waiting, gone, again []string
	for i := range w.Events {
		e := &w.Events[i]
		if e.Kind != timeline.KindClaim || e.Set != set {
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

// again returns the pods that have a node and do not become Ready, and that the way creates again from their template.
func (w *Way) again(now *timeline.Set) []string {
	var names []string
	for p := range now.Pods.All {
		if p.Ready || p.Terminating || p.Silent || p.Node == "" {
			continue
		}
		if slices.ContainsFunc(w.Events, func(e timeline.Event) bool {
			return e.Kind == timeline.KindPod && e.Set == now.Key && e.Pod == p.Name && e.State == timeline.Pending &&
				e.UID != p.UID && e.Template == p.Template
		}) {
			names = append(names, p.Name)
		}
	}
	return names
}

// tools are the programs that write the spec of a set again, each with the mark that it puts on the set, a label or an
// annotation: mark has the name of what the tool made the set from, where the namespace of that. says what becomes of a
// change with kubectl and how to make it last, with that name and the command. The first that fits counts: Flux and
// Argo CD leave Helm's marks too.
var tools = []struct{ mark, where, says, command string }{
	{fluxHelm + "name", fluxHelm + "namespace", "Flux takes this back when it next upgrades the HelmRelease %s: change " +
		"that one, or stop it first (%s).", "flux suspend helmrelease NAME -n NAMESPACE"},
	{fluxKustomize + "name", fluxKustomize + "namespace", "Flux takes this back at the next interval of the " +
		"Kustomization %s: change its source, or stop it first (%s).", "flux suspend kustomization NAME -n NAMESPACE"},
	{argo + "tracking-id", "", undoneByArgo, stopArgo},
	{argo + "instance", "", undoneByArgo, stopArgo},
	{helm + "name", helm + "namespace", "The next upgrade of the Helm release %s takes this back: change its values too " +
		"(%s).", "helm -n NAMESPACE get values NAME"},
}

const (
	fluxHelm      = "helm.toolkit.fluxcd.io/"
	fluxKustomize = "kustomize.toolkit.fluxcd.io/"
	helm          = "meta.helm.sh/release-"
	argo          = "argocd.argoproj.io/"
	undoneByArgo  = "Argo CD takes this back at the next sync of the application %s, and with selfHeal at once: change " +
		"Git, or stop it first (%s)."
	stopArgo = "argocd app set NAME --sync-policy none"
)

// undoneBy says of a change of the spec of a set which tool takes it back, and how to make it last; "" if no tool has
// marked the set, and none is known to have written it.
func undoneBy(set *model.StatefulSet, writer string) string {
	mark := func(name string) string { return cmp.Or(set.Labels[name], set.Annotations[name]) }
	for _, t := range tools {
		// A tracking id begins with the name of the application.
		if name, _, _ := strings.Cut(mark(t.mark), ":"); name != "" {
			words := strings.Fields(t.command)
			for i, word := range words {
				switch word {
				case "NAME":
					words[i] = name
				case "NAMESPACE":
					words[i] = cmp.Or(mark(t.where), set.Namespace)
				}
			}
			return fmt.Sprintf(t.says, name, shell.Line(words...))
		}
	}
	if writer != "" {
		return writer + " has written this StatefulSet, and takes this back when it does so again: change it there too."
	}
	return ""
}
