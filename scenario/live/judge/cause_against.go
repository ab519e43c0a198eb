package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// against returns what the dump shows against a run in which the set continues: the controller, the scheduler or a
// kubelet does not do, for a minute or more, what it does at once in the run. It is empty if nothing does.
func against(e *evidence) []Cause {
	var list []Cause
	for _, find := range []func(*evidence) *Cause{rejected, controllerIdle, schedulerIdle} {
		if c := find(e); c != nil {
			list = append(list, *c.told())
		}
	}
	return list
}

// idle is the time for which a part of the cluster has done nothing, from which on it is taken not to work.
const idle = -time.Minute

// controllerIdle: the controller has not looked at the newest spec for a minute, or has not replaced a pod that has
// ended, or has not deleted one that it deletes at once.
func controllerIdle(e *evidence) *Cause {
	seen, written := e.spec.Status.ObservedGeneration, e.Written[e.key]
	c := (&Cause{Name: "controller-idle", of: []Object{objectOf(e.spec)}}).advising("To see whether it works: " +
		shell.In("kube-system", "get", "lease", "kube-controller-manager"))
	switch {
	case seen > 0 && seen < e.spec.Generation && time.Duration(written) < idle:
		c.Sentence = fmt.Sprintf("kube-controller-manager does not work on %s: its spec was changed %s ago, and the "+
			"controller has not looked at that yet", e.key.Name, dump.Age(written))
		c.Evidence = []string{fmt.Sprintf("generation %d, observedGeneration %d", e.spec.Generation, seen)}
		return c
	case seen == 0 && e.spec.Generation > 0 && e.spec.Created < 0 && time.Duration(e.spec.Created) < idle:
		c.Sentence = fmt.Sprintf("kube-controller-manager does not work on %s: it has not looked at it since it was created "+
			"%s ago", e.key.Name, dump.Age(e.spec.Created))
		return c
	}
	for _, p := range e.PodsOf(e.spec) {
		if f := e.Facts[p.Key()]; p.Finished() && !p.Terminating() && time.Duration(f.Since) < idle {
			c.Sentence = fmt.Sprintf("kube-controller-manager does not work on %s: %s has been %s for %s, and should have been "+
				"replaced at once", e.key.Name, p.Name, p.Phase, dump.Age(f.Since))
			c.Evidence, c.of = said(f.Status), append(c.of, podObject(p.Namespace, p.Name))
			return c
		}
	}
	for _, p := range e.PodsOf(e.spec) {
		if claim := e.unfound(p); claim != "" && time.Duration(e.Facts[p.Key()].Since) < idle {
			c.Sentence = fmt.Sprintf("kube-controller-manager does not work on %s: it has to create the PVC %s of %s, which it "+
				"does at once, and the scheduler does not find it", e.key.Name, claim, p.Name)
			c.Evidence, c.of = said(e.Facts[p.Key()].Unschedulable), append(c.of, podObject(p.Namespace, p.Name))
			return c
		}
	}
	if quiet := e.quiet(); -quiet < idle && seen == e.spec.Generation {
		if due := e.due(); due != nil && due.late {
			c.Sentence = fmt.Sprintf("kube-controller-manager does not work on %s: it has to %s %s, which it does at once, and "+
				"nothing has changed for %s", e.key.Name, due.verb, due.pod, dump.Age(model.Time(-quiet)))
			c.of = append(c.of, podObject(e.key.Namespace, due.pod))
			return c
		}
	}
	return nil
}

// unfound returns the claim of a claim template that the scheduler does not find for a pod, and that is not in the dump
// either; "" if there is none, or if the dump has no claims at all. The scheduler writes that into the pod, and each
// change of a pod wakes the controller.
func (e *evidence) unfound(p *dump.Pod) string {
	if claim, owned := e.Unfound(p); owned && !e.Claimless {
		return claim
	}
	return ""
}

// schedulerIdle: no scheduler has looked at a pod for a minute.
func schedulerIdle(e *evidence) *Cause {
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		if p.Node != "" || p.Finished() || f.Scheduled || f.Scheduler == "" || time.Duration(p.Created) >= idle {
			continue
		}
		return &Cause{Name: "scheduler-idle", of: []Object{podObject(p.Namespace, p.Name)},
			Sentence: fmt.Sprintf("the scheduler %s has not looked at %s, which was created %s ago", f.Scheduler, p.Name,
				dump.Age(p.Created))}
	}
	return nil
}

// often is the number of times that the controller has created a pod again from which on the next one is likely to
// fail.
const often = 3

// blind are the reasons for which a kubelet rejects a pod and that no scheduler sees: the next pod is placed there
// again.
var blind = []string{"TopologyAffinityError", "SMTAlignmentError", "UnexpectedAdmissionError", "PodOSNotSupported",
	"SysctlForbidden", "PodOSSelectorNodeLabelDoesNotMatch", "PodFeatureUnsupported", "AppArmor", "NodeAffinity",
	"InitContainerRestartPolicyForbidden", "SupplementalGroupsPolicyNotSupported", "PodLevelResourcesNotSupported",
	"InvalidNodeInfo"}

// ofTemplate are those of them that what the template asks for decides, and not the node.
var ofTemplate = []string{"SysctlForbidden", "PodFeatureUnsupported", "AppArmor", "InitContainerRestartPolicyForbidden",
	"SupplementalGroupsPolicyNotSupported", "PodLevelResourcesNotSupported", "NodeAffinity"}

// newest says whether a pod is of a revision that is being rolled out, and a pod of the one before is Ready.
func (e *evidence) newest(p *dump.Pod) bool {
	status := &e.spec.Status
	return p.Revision() == status.UpdateRevision && slices.ContainsFunc(e.PodsOf(e.spec), func(other *dump.Pod) bool {
		return other.Ready && other.Revision() == status.CurrentRevision && other.Revision() != p.Revision()
	})
}

// failedOften returns that pods which are Ready now have failed again and again: they most likely do so again.
func failedOften(e *evidence) []Cause {
	var list []Cause
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		if f.Recreated < often || !p.Ready || p.Created.Add(time.Hour) < 0 {
			continue
		}
		c := &Cause{Name: "fails-again", of: []Object{podObject(p.Namespace, p.Name)},
			Sentence: fmt.Sprintf("%s has failed again and again: the controller has created it again %d times within %s, the "+
				"last time %s ago", p.Name, f.Recreated, dump.Age(model.Time(-f.Within)), dump.Age(p.Created))}
		list = append(list, *c.told().advising("It is Ready now, and most likely fails again. Its events say why: " +
			shell.In(p.Namespace, "describe", "pod", p.Name)))
	}
	return list
}

// rejected: a kubelet rejects the pod, and will reject the next one: for a reason that the scheduler does not see, or
// since the template names the node, so that no scheduler is asked. Or the controller has created the pod again and
// again.
func rejected(e *evidence) *Cause {
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		of := []Object{podObject(p.Namespace, p.Name)}
		if p.Node != "" {
			of = append(of, nodeObject(p.Node))
		}
		reason, _, _ := strings.Cut(f.Status, ":")
		pinned := strings.Contains(p.Template.Data, `"nodeName":`) && (strings.HasPrefix(reason, "OutOf") ||
			strings.Contains(f.Status, "Pod was rejected") || strings.Contains(f.Status, "Predicate "))
		switch {
		case p.Finished() && !p.Terminating() && (pinned || slices.Contains(blind, reason)):
			c := &Cause{Name: "rejected-by-kubelet", of: of, Evidence: said(f.Status),
				Sentence: fmt.Sprintf("the kubelet of %s rejects %s, and will reject the next one: %s", p.Node, p.Name, reason)}
			if e.newest(p) && slices.Contains(ofTemplate, reason) {
				c.advising("The pods of the template before run. Undoing the rollout ends it, since the controller replaces a " +
					"failed pod by itself: " + shell.In(p.Namespace, "rollout", "undo", "statefulset/"+e.key.Name))
			}
			return c
		case f.Recreated >= often && !p.Ready:
			return &Cause{Name: "fails-again", of: of, Evidence: said(f.Status),
				Sentence: fmt.Sprintf("%s fails again and again: the controller has created it again %d times within %s", p.Name,
					f.Recreated, dump.Age(model.Time(-f.Within)))}
		}
	}
	return nil
}
