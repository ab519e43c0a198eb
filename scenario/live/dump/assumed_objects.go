package dump

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// assumeKinds says what is assumed because whole kinds are missing; it adds the claims of pods if the dump has none.
func (c *converter) assumeKinds() {
	c.assumePods()
	claims, but := 0, ""
	for i := range c.State.Pods {
		pod := c.State.Pods[i].Pod
		for _, volume := range pod.Volumes {
			switch {
			case volume.Claim == "" || len(c.claims) > 0:
			case symptom.UnfoundClaim.Found(c.Facts[pod.Key()].Unschedulable) == volume.Claim:
				but = ", but for those that the scheduler does not find"
			default:
				claims++
				c.addClaim(pod.Namespace, volume.Claim)
			}
		}
	}
	if claims > 0 {
		c.assume("There are no PersistentVolumeClaims in the dump. Assumed: those that the pods use exist and are Bound%s.",
			but)
	}
	for _, quota := range c.quotas {
		if !c.Refuses(kindQuota, model.Key{Namespace: cmp.Or(quota.Namespace, "default"), Name: quota.Name}) {
			c.assume("%s", manifest.Unmodelled(kindQuota, quota.Name))
		}
	}
	c.Nodeless, c.Claimless = len(c.nodes) == 0, len(c.claims) == 0
	if c.Nodeless {
		c.assume("There are no Nodes in the dump. Assumed: all are Ready, except where a pod shows otherwise.")
	}
}

// assumePods names the sets whose pods are missing although their statuses count some.
func (c *converter) assumePods() {
	var hidden []*model.StatefulSet
	for _, set := range c.State.Sets {
		if c.Hidden(set) {
			hidden = append(hidden, set)
		}
	}
	switch {
	case len(hidden) == 0:
	case len(c.raw.pods) == 0:
		c.assume("There are no Pods in the dump, but the statuses count some: only what the statuses say is known. "+
			"Dump them too: %s", Command)
	default:
		c.assume("The pods of %s are not in the dump, but the statuses count some: only what the statuses say is known.",
			c.named(hidden))
	}
}

// named names sets, with their namespaces where the dump has sets of several.
func (c *converter) named(sets []*model.StatefulSet) string {
	several := slices.ContainsFunc(c.State.Sets, func(s *model.StatefulSet) bool {
		return s.Namespace != c.State.Sets[0].Namespace
	})
	names := make([]string, len(sets))
	for i, set := range sets {
		if names[i] = set.Name; several {
			names[i] = set.Key().String()
		}
	}
	return sim.Few(names)
}

// addClaim adds a claim that is Bound, unless it is there.
func (c *converter) addClaim(namespace, name string) {
	if key := kindClaim + "/" + namespace + "/" + name; c.uids[key] == 0 {
		c.keepClaim(&model.Claim{
			Meta: model.Meta{Namespace: namespace, Name: name, UID: c.uid(key)}, Phase: model.ClaimBound,
		})
	}
}

// assumeHistories adds the revisions that statuses and pods name and the dump does not have: the newest with the set's
// template, any other with the template of its pods.
func (c *converter) assumeHistories() {
	var without []*model.StatefulSet
	of, with := map[model.Key][]*corev1.Pod{}, map[model.Key][]*corev1.Pod{}
	for _, object := range c.pods {
		if name := setOf(&object.ObjectMeta); name != "" {
			set := model.Key{Namespace: object.Namespace, Name: name}
			of[set] = append(of[set], object)
		}
		revision := model.Key{Namespace: object.Namespace, Name: object.Labels[model.LabelRevision]}
		with[revision] = append(with[revision], object)
	}
	for _, set := range c.State.Sets {
		names := []string{set.Status.CurrentRevision, set.Status.UpdateRevision}
		for _, object := range of[set.Key()] {
			names = append(names, object.Labels[model.LabelRevision])
		}
		var missing []string
		for _, name := range names {
			there := c.revisionNames[model.Key{Namespace: set.Namespace, Name: name}]
			if name != "" && !there && !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
		for i, name := range missing {
			c.addRevision(set, name, int64(i+1), with[model.Key{Namespace: set.Namespace, Name: name}])
		}
		if len(missing) > 0 {
			without = append(without, set)
			note(c.Sets, set.Key(), func(f *SetFacts) { f.Historyless = true })
		}
	}
	if len(without) > 0 {
		c.assume("The ControllerRevisions of %s are not in the dump. Assumed: those that %s pods name.", c.named(without),
			render.Agree(len(without), "its status and its", "their statuses and their"))
	}
}

// addRevision adds a revision that is not in the dump: with the set's template, if it is the update revision, whose number
// is above all others, or with that of a pod that has it; pods are those. One of which nothing is known is left out.
func (c *converter) addRevision(set *model.StatefulSet, name string, number int64, pods []*corev1.Pod) {
	key := model.Key{Namespace: set.Namespace, Name: name}
	template := c.templates[key]
	if name == set.Status.UpdateRevision {
		number = 1_000_000
	}
	if template == nil && len(pods) > 0 {
		pod := &model.Pod{Meta: c.meta(kindPod, &pods[0].ObjectMeta)}
		c.template(pod, pods[0])
		template = pod.Template
	}
	if template == nil {
		return
	}
	c.templates[key], c.revisionNames[key] = template, true
	c.State.Revisions = append(c.State.Revisions, &model.Revision{
		Meta: model.Meta{
			Namespace: key.Namespace, Name: name, UID: c.uid(kindRevision + "/" + key.Namespace + "/" + name),
			Labels: set.Spec.Template.Labels, Created: set.Created,
			Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: set.Name, UID: set.UID, Controller: true}},
		},
		Number: number, Template: template,
	})
}

// Command is the command that prints all kinds that a dump may have.
const Command = "kubectl get sts,pods,pvc,pv,controllerrevisions,pdb,svc,nodes,sc,ns -o yaml"

// assume adds a sentence about what is assumed, once.
func (d *Dump) assume(format string, args ...any) {
	sentence := fmt.Sprintf(format, args...)
	if !slices.Contains(d.Assumed, sentence) {
		d.Assumed = append(d.Assumed, sentence)
	}
}

// assumeBudgets says which budgets have a status that does not fit the dump. Evictions go by the status; a world counts
// the pods itself, as the disruption controller does at each of their changes. It must come before the pods of other
// owners are left out, which count as well.
func (c *converter) assumeBudgets() {
	pods := map[string][]*corev1.Pod{}
	for _, pod := range c.pods {
		pods[pod.Namespace] = append(pods[pod.Namespace], pod)
	}
	for _, object := range c.budgets {
		status := &object.Status
		healthy, pods := countOf(object, pods[cmp.Or(object.Namespace, metav1.NamespaceDefault)])
		switch {
		case status.ObservedGeneration < object.Generation:
			c.assume("The status of the PodDisruptionBudget %s is not that of its newest spec. Assumed: the disruption "+
				"controller looks at it at once. Until it does, every eviction of its pods is refused.", object.Name)
		case status.ObservedGeneration > 0 && pods > 0 && int(status.CurrentHealthy) != healthy:
			c.assume("The PodDisruptionBudget %s says that %d of %d pods are healthy, but in the dump %d of %d are. Assumed: "+
				"the dump is right. If it has all of the pods, that status is out of date: until the disruption controller counts "+
				"again, evictions follow the status, which allows %d.", object.Name, status.CurrentHealthy,
				status.ExpectedPods, healthy, pods, status.DisruptionsAllowed)
		}
	}
}

// countOf counts the pods of a budget among those of its namespace as the disruption controller does: those that are
// Ready and not Terminating, and whose eviction has not just been granted, are healthy.
func countOf(object *policyv1.PodDisruptionBudget, among []*corev1.Pod) (healthy, pods int) {
	budget := manifest.LiveBudget(object)
	for _, pod := range among {
		if !budget.Covers(pod.Namespace, pod.Labels) {
			continue
		}
		pods++
		_, evicted := object.Status.DisruptedPods[pod.Name]
		if is(pod, corev1.PodReady) && !evicted && pod.DeletionTimestamp == nil {
			healthy++
		}
	}
	return healthy, pods
}
