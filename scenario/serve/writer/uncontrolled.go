package writer

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	appsv1 "k8s.io/api/apps/v1"

	corev1 "k8s.io/api/core/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
)

// prepare handles a write of an object that no controller acts on: it fills defaults into the fields and returns
// what is wrong.
func (g *Writer) prepare(w *Write) error {
	typed, err := project.Typed(w.q.Kind, w.fields)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	if w.status {
		if errs := builtin.ValidateStatus(typed); len(errs) > 0 {
			return refuse.Invalid(w.q.Kind, w.Key.Name, append(wrongMeta(w), errs...))
		}
		return nil
	}
	switch o := typed.(type) {
	case *corev1.Node, *appsv1.ControllerRevision:
		return nil
	case *corev1.PersistentVolumeClaim:
		err = g.prepareClaim(w, o)
	default:
		_, err = g.admit(w, typed)
	}
	if err != nil {
		return err
	}
	if service, is := typed.(*corev1.Service); is {
		g.furnishService(w, service)
	}
	w.fields = project.Fields(typed)
	if w.q.Kind == kinds.StatefulSet {
		set, wrong := g.wouldStore(w)
		if wrong != nil {
			return refuse.Of(wrong, w.q.Kind, w.Key.Name)
		}
		w.fields["spec"] = project.Onto(w.q.Kind, w.fields, project.Set(set, g.Config.Epoch))["spec"]
	}
	if w.old == nil {
		w.fields["status"] = firstStatus(w)
	}
	return nil
}

// prepareClaim fills in a claim, which nothing binds, and returns what is wrong with it or with its change.
func (g *Writer) prepareClaim(w *Write, claim *corev1.PersistentVolumeClaim) error {
	rules, wanted := g.Config.World.API, manifest.ServedClaim(claim)
	if w.old == nil {
		if !slices.Contains(claim.Finalizers, sim.Protection) {
			claim.Finalizers = append(claim.Finalizers, sim.Protection)
		}
		return refuse.Of(sim.WrongClaim(rules, wanted), w.q.Kind, w.Key.Name)
	}
	typed, err := project.Typed(w.q.Kind, w.old.Fields)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	was := typed.(*corev1.PersistentVolumeClaim)
	live := manifest.ServedClaim(was)
	if live.Phase = model.ClaimPending; was.Status.Phase == corev1.ClaimBound && was.Spec.VolumeName != "" {
		live.Phase, live.Unclassed = model.ClaimBound, was.Status.CurrentVolumeAttributesClassName == nil
	}
	changed, problems := manifest.ChangeClaim(live, wanted, true)
	return refuse.Of(sim.WrongChange(rules, live, changed, problems), w.q.Kind, w.Key.Name)
}

// firstStatus returns the first status of an object, whatever its client sent.
func firstStatus(w *Write) map[string]any {
	switch w.q.Kind {
	case kinds.Pod:
		return map[string]any{"phase": "Pending", "qosClass": "BestEffort"}
	case kinds.Claim:
		return map[string]any{"phase": "Pending"}
	}
	return project.Fields(w.q.Kind.New()).Map("status")
}

// Assign binds a pod to a node, which need not be there.
func (g *Writer) Assign(pod *objects.Object, node string) *objects.Object {
	fields := kinds.Fields(runtime.DeepCopyJSON(pod.Fields))
	spec, status := fields.Map("spec"), fields.Map("status")
	spec["nodeName"] = node
	conditions := []any{map[string]any{"type": "PodScheduled", "status": "True", "lastProbeTime": nil,
		"lastTransitionTime": g.Cluster.Instant().Format(time.RFC3339)}}
	for _, one := range pod.Fields.List("status", "conditions") {
		if one.Text("type") != "PodScheduled" {
			conditions = append(conditions, map[string]any(one))
		}
	}
	status["conditions"] = conditions
	return g.Cluster.Put(pod.Kind, fields)
}

// EvictStored deletes a pod for the Eviction API, if the status of its budget, which a client has written, allows it.
func (g *Writer) EvictStored(q *request.Request, pod *objects.Object, options *metav1.DeleteOptions) error {
	budget, err := g.budgetOf(pod)
	if err != nil || q.Dry() {
		return refuse.Of(err, q.Kind, q.Name)
	}
	if budget != nil {
		fields := kinds.Fields(runtime.DeepCopyJSON(budget.Fields))
		status := fields.Map("status")
		status["disruptionsAllowed"] = status.Number("disruptionsAllowed") - 1
		disrupted := status.Map("disruptedPods")
		if disrupted == nil {
			disrupted = kinds.Fields{}
			status["disruptedPods"] = map[string]any(disrupted)
		}
		disrupted[q.Name] = g.Cluster.Instant().Format(time.RFC3339)
		g.Cluster.Put(kinds.Budget, fields)
	}
	how := bridge.Deletion{Cascade: sim.Background}
	if options != nil && options.GracePeriodSeconds != nil {
		grace := model.Seconds(*options.GracePeriodSeconds)
		how.Grace = &grace
	}
	g.Cluster.Erase(pod, how)
	return nil
}

// budgetOf returns the budget whose disruption count the eviction of a pod uses up, nil for none, or why the
// eviction is refused.
func (g *Writer) budgetOf(pod *objects.Object) (*objects.Object, *model.APIError) {
	phase := pod.Fields.Text("status", "phase")
	if phase != "Running" || pod.Fields.Text("metadata", "deletionTimestamp") != "" {
		return nil, nil // As upstream, no budget is asked.
	}
	covering := slices.DeleteFunc(g.Cluster.Objects.List(kinds.Budget, pod.Key.Namespace), func(b *objects.Object) bool {
		selector, err := metav1.LabelSelectorAsSelector(objects.SelectorOf(b.Fields))
		return err != nil || !selector.Matches(labels.Set(pod.Fields.Texts("metadata", "labels")))
	})
	switch len(covering) {
	case 0:
		return nil, nil
	case 1:
	default:
		return nil, model.TwoBudgets()
	}
	b := covering[0]
	status := b.Fields.Map("status")
	counts := model.BudgetCounts{
		Name: b.Key.Name, Healthy: int32(status.Number("currentHealthy")), Desired: int32(status.Number("desiredHealthy")),
		Allowed: int32(status.Number("disruptionsAllowed")),
		Unseen:  status.Number("observedGeneration") < b.Fields.Number("metadata", "generation"),
	}
	ready := slices.ContainsFunc(pod.Fields.List("status", "conditions"), func(c kinds.Fields) bool {
		return c.Text("type") == "Ready" && c.Text("status") == "True"
	})
	switch {
	case counts.Spares(ready, b.Fields.Text("spec", "unhealthyPodEvictionPolicy") == "AlwaysAllow"):
		return nil, nil
	case counts.Allows():
		return b, nil
	}
	return nil, counts.Refusal()
}
