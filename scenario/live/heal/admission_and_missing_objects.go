package heal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// alike says whether pods of the set are refused although a dump shows Ready pods with the same spec.
func alike(x *situation) bool {
	if x.refusal == "" {
		return false
	}
	pod := &model.Pod{Template: x.set.Spec.Template}
	pod.Namespace, pod.Name = x.set.Namespace, x.named(0).Name
	err := x.given.Lab.World.Admit(pod)
	return err != nil && err.Alike
}

// admitting returns the laboratory in which all pods are admitted, or all but those with templates that are refused.
func admitting(x *situation, all bool) *play.Lab {
	lab, refuses := *x.given.Lab, x.given.Lab.World.Admit
	lab.World.Admit = func(pod *model.Pod) *model.APIError {
		is := func(t *model.Template) bool { return t.Data == pod.Template.Data }
		if all || !slices.ContainsFunc(x.refused, is) {
			return nil
		}
		return refuses(pod)
	}
	return &lab
}

// admitPods returns the attempts that change what refuses the pods, outside of the set. The controller tries again by
// itself, after up to a quarter of an hour; the annotation makes it try at once. They are played in a world that
// admits all pods. If pods with the same spec run, it is hardly the template, so these attempts come before those that
// change it, and else behind them.
func admitPods(x *situation) []attempt {
	set, message, row := x.set, x.refusal, symptom.Refusal(x.refusal)
	if message == "" || row.Certain && !alike(x) {
		return nil
	}
	a := attempt{what: "annotating the StatefulSet once its pods are admitted", lab: admitting(x, true),
		needs: "whatever refuses the pods is changed first", hopes: !alike(x) && anyReady(x)}
	var of dump.SpecParts
	if len(x.refused) > 0 {
		of = dump.PartsOf(x.refused[0])
	}
	class := of.PriorityClassName
	switch {
	case class != "" && strings.Contains(message, "PriorityClass"):
		a.what = "creating the PriorityClass " + class
		a.needs = "there is no such PriorityClass (kubectl get priorityclass; kubectl describe shows the refusal)"
		a.script = play.Script{create("PriorityClass", set.Namespace, class)}
	case reasons.OfStore(message):
		a.needs = "etcd, in which the API server stores all objects, takes writes again. Until then it refuses every " +
			"command that changes something. No change of the StatefulSet helps"
	case !row.None():
		names := symptom.Names{"namespace": set.Namespace, "account": cmp.Or(of.ServiceAccountName, "default"),
			"things": "pods", "others": " free as much", "found": row.Found(message)}
		if symptom.ClaimRefused.In(message) {
			names["things"], names["others"] = "PVCs", ", which nobody needs, are deleted"
		}
		a.what, a.needs = cmp.Or(names.In(row.Does), a.what), names.In(row.Needs)
		switch row.Kind {
		case "ResourceQuota":
			a.script = play.Script{{Verb: "edit", Acts: play.EasesQuota,
				Kubectl: shell.In(set.Namespace, "edit", "resourcequota", names["found"])}}
		case "ServiceAccount", "RuntimeClass":
			a.script = play.Script{create(row.Kind, set.Namespace, names["found"])}
		}
	case alike(x) && dump.Guessed(message):
		a.needs = "whatever refuses the pods is changed first: most likely a ResourceQuota (" +
			shell.In(set.Namespace, "describe", "resourcequota") + "), or a webhook"
	}
	list := []attempt{a}
	if guessed(message) && !symptom.ClaimRefused.In(message) {
		list = append(list, createSuspects(x)...)
	}
	for i := range list {
		list[i].script = list[i].script.Then(play.Annotate(set.Key(), touched, "yes"))
	}
	return append(list, otherClass(x)...)
}

// otherClass returns the attempts that give the PVCs of a set another storage class, where something else than a quota
// refuses them. The API server lets nobody edit that, so it is another StatefulSet.
func otherClass(x *situation) []attempt {
	row := symptom.Refusal(x.refusal)
	if !symptom.ClaimRefused.In(x.refusal) || row.Kind == "ResourceQuota" || len(x.given.State.Pods) > 0 && anyReady(x) {
		return nil
	}
	var list []attempt
	var classes []string
	for i := range x.set.Spec.ClaimTemplates {
		from := play.ClassOf(&x.set.Spec.ClaimTemplates[i])
		if from == "" || slices.Contains(classes, from) {
			continue
		}
		classes = append(classes, from)
		list = append(list, attempt{what: "recreating the StatefulSet with another storage class", lab: admitting(x, true),
			script: play.WithClass(x.set.Key(), from, "CLASS"), danger: reasons.OrphanDanger(x.set.Key()),
			needs: "CLASS is a StorageClass with which the PVCs are admitted, unlike " + from})
	}
	return list
}

// guessed says whether nobody can tell from a refusal for which part of a template pods are refused.
func guessed(refusal string) bool {
	row := symptom.Refusal(refusal)
	return refusal != "" && !strings.Contains(refusal, "PriorityClass") && row.Kind == "" && !row.Certain
}

// createSuspects returns the attempts that create what the refused pods name and only some revisions of the set do:
// where nobody says why pods are refused, that may be what was deleted with an old revision, or never created for a new
// one.
func createSuspects(x *situation) []attempt {
	var list []attempt
	for _, kind := range []string{"ServiceAccount", "PriorityClass", "RuntimeClass"} {
		for _, template := range x.refused {
			name := dump.PartsOf(template).Named(kind)
			if name == "" || name == "default" || !slices.ContainsFunc(x.revisions(), func(r *model.Revision) bool {
				return dump.PartsOf(r.Template).Named(kind) != name
			}) {
				continue
			}
			list = append(list, attempt{what: "creating the " + kind + " " + name, lab: admitting(x, true), apart: true,
				script: play.Script{create(kind, x.set.Namespace, name)},
				needs: fmt.Sprintf("there is no such %s (%s)", kind,
					shell.In(x.set.Namespace, "get", strings.ToLower(kind), name))})
		}
	}
	return list
}

// createMissing returns the attempts that create the objects for which pods wait: the kubelet starts the pods then.
func createMissing(x *situation) []attempt {
	var list []attempt
	add := func(a attempt, deed play.Deed) {
		if !slices.ContainsFunc(list, func(other attempt) bool { return other.what == a.what }) {
			a.script = play.Script{deed}
			list = append(list, a)
		}
	}
	namespace := x.set.Namespace
	for _, p := range x.unready() {
		if !slices.Contains(x.down, p.Key()) {
			continue
		}
		if kind, name := x.facts(p.Key()).Lacks(); name != "" {
			add(attempt{what: "creating the " + kind + " " + name, lab: x.freed(x.down),
				needs: "it has what the pods read (KEY=VALUE, once for each key), and that nothing else was to create it"},
				create(kind, namespace, name))
		}
		if key, of := x.shown().LacksKey(p); key != "" {
			kind, name, _ := strings.Cut(of, " ")
			add(attempt{what: fmt.Sprintf("adding the key %s to the %s", key, of), lab: x.freed(x.down),
				needs: "the value is what the pods read. Add it in Git too, or the next apply undoes it"},
				play.Deed{Verb: "edit", Kubectl: shell.In(namespace, "edit", strings.ToLower(kind), name)})
		}
		if claim, owned := x.shown().Unfound(p); claim != "" && !owned {
			add(attempt{what: "creating the PVC " + claim, needs: "an empty volume of SIZE is right, or the PVC gets the " +
				"volumeName of the one with the data; and that nothing else was to create it",
				lab: withClaim(x.freed(x.down), model.Key{Namespace: namespace, Name: claim})},
				create("PersistentVolumeClaim", namespace, claim))
		}
	}
	return list
}

// withClaim returns the laboratory in which a claim exists, and has a volume.
func withClaim(of *play.Lab, claim model.Key) *play.Lab {
	const another = model.UID(1) << 40 // No object of a dump has it: their UIDs are counted.
	return begun(of, func(start *sim.State) {
		start.Claims = append(slices.Clone(start.Claims), &model.Claim{Phase: model.ClaimBound,
			Meta: model.Meta{Namespace: claim.Namespace, Name: claim.Name, UID: another + model.UID(len(start.Claims))}})
	})
}

func create(kind, namespace, name string) play.Deed {
	does := shell.In(namespace, "create", strings.ToLower(kind), name)
	switch kind {
	case "Secret":
		does = shell.In(namespace, "create", "secret", "generic", name, "--from-literal=KEY=VALUE")
	case "ConfigMap":
		does = shell.In(namespace, "create", "configmap", name, "--from-literal=KEY=VALUE")
	case "PersistentVolumeClaim":
		claim := fmt.Sprintf(`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":%s},"spec":{`+
			`"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"SIZE"}}}}`, shell.JSON(name))
		does = shell.Pipe(shell.Line("echo", claim), shell.In(namespace, "create", "-f", "-"))
	case "PriorityClass":
		does = shell.Kubectl("create", "priorityclass", name, "--value=0")
	case "RuntimeClass":
		class := fmt.Sprintf(`{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":%s},`+
			`"handler":"HANDLER"}`, shell.JSON(name))
		does = shell.Pipe(shell.Line("echo", class), shell.Kubectl("create", "-f", "-"))
	}
	return play.Deed{Verb: "create", Kubectl: does}
}
