package heal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/lazy"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// refusal returns the message with which pods of the set cannot be created, as a dump shows or suggests it; "" if they
// can, or in a scenario.
func (s *Stuck) refusal() string {
	stuck := s.Events[len(s.Events)-1].Result.Stuck
	at := slices.IndexFunc(stuck, func(one timeline.Stuck) bool {
		return one.Set == s.Key && one.Why.Code == model.SyncError
	})
	if at < 0 || s.Lab.World.Admit == nil {
		return ""
	}
	return stuck[at].Error
}

// alike says whether pods of the set are refused although a dump shows Ready pods with the same spec.
func (s *Stuck) alike(set *model.StatefulSet) bool {
	if s.refusal() == "" {
		return false
	}
	pod := &model.Pod{Template: set.Spec.Template}
	pod.Namespace, pod.Name = set.Namespace, set.PodName(set.Start())
	err := s.Lab.World.Admit(pod)
	return err != nil && err.Alike
}

// admitting returns the laboratory in which all pods are admitted.
func (s *Stuck) admitting() *play.Lab {
	lab := *s.Lab
	lab.World.Admit = nil
	return &lab
}

// admittingOther returns the laboratory in which pods with another template than that of the set are admitted.
func (s *Stuck) admittingOther(set *model.StatefulSet) *play.Lab {
	lab, refuses, now := *s.Lab, s.Lab.World.Admit, set.Spec.Template.Data
	lab.World.Admit = func(pod *model.Pod) *model.APIError {
		if pod.Template.Data != now {
			return nil
		}
		return refuses(pod)
	}
	return &lab
}

// The messages of admission plugins, and the names in them.
var (
	quota   = lazy.Regexp(`exceeded quota: ([^,]+),`)
	account = lazy.Regexp(`serviceaccount "([^"]+)" not found`)
	webhook = lazy.Regexp(`failed calling webhook "([^"]+)"`)
	denied  = lazy.Regexp(`admission webhook "([^"]+)" denied`)
	profile = lazy.Regexp(`violates PodSecurity "([^":]+)`)
)

// ofAdmission returns the attempt that changes what refuses the pods, outside of the set. The controller tries again by
// itself, after up to a quarter of an hour; the annotation makes it try at once. It is played in a world that admits
// all pods.
func (s *Stuck) ofAdmission(set *model.StatefulSet) []attempt {
	message := s.refusal()
	if message == "" || invalid(message) {
		return nil
	}
	a := attempt{what: "annotating the StatefulSet once its pods are admitted", lab: s.admitting(),
		needs: "whatever refuses the pods is changed first"}
	class := specOf(set.Spec.Template).PriorityClassName
	switch name := func(found func() *regexp.Regexp) string { return nameIn(found(), message) }; {
	case class != "" && strings.Contains(message, "PriorityClass"):
		a.what = "creating the PriorityClass " + class
		a.needs = "there is no such PriorityClass (kubectl get priorityclass; kubectl describe shows the refusal)"
		a.script = play.Script{{Verb: "create", Kubectl: command.Kubectl("create", "priorityclass", class, "--value=0")}}
	case name(quota) != "":
		a.what = "raising the ResourceQuota " + name(quota)
		a.needs = "it then allows what the pods request, or that other pods of the namespace free as much"
		if ofClaim(message) {
			a.needs = "it then allows what the PVCs request, or that other PVCs of the namespace, which nobody needs, are " +
				"deleted"
		}
		a.script = play.Script{{Verb: "edit",
			Kubectl: command.In(set.Namespace, "edit", "resourcequota", name(quota))}}
	case name(account) != "":
		a.what = "creating the ServiceAccount " + name(account)
		a.needs = "nothing else should have created it, such as the chart of the StatefulSet"
		a.script = play.Script{{Verb: "create",
			Kubectl: command.In(set.Namespace, "create", "serviceaccount", name(account))}}
	case name(webhook) != "":
		a.needs = "the webhook " + name(webhook) + " answers again (kubectl get mutatingwebhookconfigurations," +
			"validatingwebhookconfigurations shows its Service). No change of the StatefulSet helps"
	case name(denied) != "":
		a.needs = "the policy behind the webhook " + name(denied) + " is changed first, and admits the pods"
	case s.alike(set):
		a.needs = "whatever refuses the pods is changed first: most likely a ResourceQuota (" +
			command.In(set.Namespace, "describe", "resourcequota") + "), or a webhook"
	case name(profile) != "":
		a.needs = "the label pod-security.kubernetes.io/enforce of the namespace, " + name(profile) + ", is changed first"
	}
	a.script = a.script.Then(play.Annotate(set.Key(), touched, "yes"))
	return []attempt{a}
}

// nameIn returns the first name that a pattern finds, "" if it finds none.
func nameIn(pattern *regexp.Regexp, message string) string {
	if found := pattern.FindStringSubmatch(message); found != nil {
		return found[1]
	}
	return ""
}

// NamespaceGoes is in the message of the API server that refuses to create an object in a namespace that is being
// deleted: nothing lets it be created.
const NamespaceGoes = "because it is being terminated"

// ofClaim says whether a refusal is about a PVC, which no change of the pod template alters.
func ofClaim(refusal string) bool { return strings.HasPrefix(refusal, "create Claim ") }

// guessed says whether nobody can tell from a refusal for which part of a template pods are refused.
func guessed(refusal string) bool {
	return refusal != "" && !strings.Contains(refusal, "PriorityClass") && !quota().MatchString(refusal) &&
		!account().MatchString(refusal) && !invalid(refusal)
}

// invalid says whether the API server refuses the pods themselves: nothing outside of the template lets them be
// created.
func invalid(refusal string) bool { return strings.Contains(refusal, " is invalid: ") }
