package dump

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// If an admission plugin refuses a pod, only events show it, and dumps rarely have events. But the status of the set
// shows it too: it counts the pods that the controller has seen. If it counts exactly the existing pods, and nothing
// keeps the controller from creating another one, the controller has tried and failed.

// admission returns the function that refuses the pods that cannot be created; nil if there are none. It refuses by
// what the message is about: when that changes in the template, the API server is asked again. The message is that of
// an event if the dump has one. The messages are those of the controller's calls, with the name of the pod that is
// refused in place of the one that the event names.
func (s *stays) admission(config sim.Config) func(*model.Pod) *model.APIError {
	refused := map[refusal]func(name string) *model.APIError{}
	var kinds []func(*model.Template) string
	var classes []string
	for _, pod := range s.tried(config) {
		if s.allowed[model.Key{Namespace: pod.Namespace, Name: ownerName(pod)}] {
			continue
		}
		class := classNameOf(pod.Template)
		guess := s.guess(pod, class)
		if message := s.FailedCreates[model.Key{Namespace: pod.Namespace, Name: ownerName(pod)}]; message != "" {
			guess = suspicion{message: message, about: s.about(message)}
		}
		if class != "" && !s.hasClass(class) {
			classes = append(classes, class)
		}
		kinds = append(kinds, guess.about)
		refused[refusal{pod.Namespace, len(kinds), guess.about(pod.Template)}] = func(name string) *model.APIError {
			message := podNamed().ReplaceAllString(guess.message, "${1}"+name+"${2}")
			return &model.APIError{Reason: model.Forbidden, Message: message, Alike: guess.alike}
		}
	}
	if len(refused)+len(s.Going) == 0 {
		return nil
	}
	return func(pod *model.Pod) *model.APIError {
		if n := s.Going[pod.Namespace]; n != nil {
			return n.refuses("pods", pod.Name)
		}
		if s.admits[pod.Key()] {
			return nil
		}
		for i, about := range kinds {
			if refuse := refused[refusal{pod.Namespace, i + 1, about(pod.Template)}]; refuse != nil {
				return refuse(pod.Name)
			}
		}
		if class := classNameOf(pod.Template); class != "" && slices.Contains(classes, class) {
			return &model.APIError{Reason: model.Forbidden,
				Message: fmt.Sprintf("pods %q is forbidden: there is no PriorityClass with the name %s", pod.Name, class)}
		}
		return nil
	}
}

// suspicion is the message with which a pod is refused, and what of its template that is about. alike is true if pods
// with the same spec run: then it is most likely a quota, or a webhook, against which no change of the template helps.
type suspicion struct {
	message string
	about   func(*model.Template) string
	alike   bool
}

// guess returns why a pod cannot be created where no event says it. class is its PriorityClass.
func (s *stays) guess(pod *model.Pod, class string) suspicion {
	switch revision := pod.Revision(); {
	case len(revision) > 63:
		return suspicion{about: s.spec, message: fmt.Sprintf("Pod %q is invalid: metadata.labels: Invalid value: %q: must "+
			"be no more than 63 characters", pod.Name, revision)}
	case class != "" && !s.hasClass(class):
		return suspicion{about: s.spec, message: fmt.Sprintf(
			"pods %q is forbidden (most likely: there is no PriorityClass with the name %s)", pod.Name, class)}
	case s.admitted(pod):
		return suspicion{alike: true, about: anyTemplate, message: fmt.Sprintf("pods %q is refused, although pods with the "+
			"same spec run (most likely a ResourceQuota is full, or an admission webhook is away)%s", pod.Name, OnlyEvents)}
	case s.asksOther(pod) != "":
		return suspicion{about: resourcesOf, message: fmt.Sprintf("pods %q is refused, most likely by a ResourceQuota or a "+
			"LimitRange, since it requests other resources than %s%s", pod.Name, s.asksOther(pod), OnlyEvents)}
	}
	return suspicion{about: s.spec, message: fmt.Sprintf(
		"pods %q is refused by a ResourceQuota, a LimitRange or an admission webhook%s", pod.Name, OnlyEvents)}
}

// OnlyEvents ends the message of a refusal whose cause a dump does not show.
const OnlyEvents = ": the events of the StatefulSet say what refuses it"

// asksOther returns a Ready pod of the set of a pod that cannot be created whose containers request something else; ""
// if there is none.
func (s *stays) asksOther(pod *model.Pod) string {
	at := slices.IndexFunc(s.State.Pods, func(p sim.PodState) bool {
		return s.beside(&p, pod) && partsOf(p.Template).resources() != partsOf(pod.Template).resources()
	})
	if at < 0 {
		return ""
	}
	return s.State.Pods[at].Name
}

// admitted says whether the set of a pod that cannot be created has a Ready pod with the same spec: then it is hardly
// the spec that is refused.
func (s *stays) admitted(pod *model.Pod) bool {
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return s.beside(&p, pod) && s.spec(p.Template) == s.spec(pod.Template)
	})
}

// beside says whether a pod of the dump is a Ready one of the set of a pod that cannot be created.
func (s *stays) beside(p *sim.PodState, pod *model.Pod) bool {
	return p.Ready && p.Namespace == pod.Namespace && p.Controller() != nil && ownerName(p.Pod) == ownerName(pod)
}

// podNamed finds the pod that the message of an admission plugin, or of the event about it, names.
var podNamed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b([Pp]ods? "|create Pod )[^" ]+("| in )`)
})

// refusal is what an admission plugin goes by: a part of the spec of a pod, and its namespace, which a quota counts.
// kind is the number of the message. part is what stays.about returns for a template that is refused.
type refusal struct {
	namespace string
	kind      int
	part      string
}

// about returns the part of a template that the refusal of an event is about; "" is the same for all pods. A quota
// goes by what the containers request, or by the number of pods. A webhook that does not answer refuses all pods.
// Anything else is about the whole spec.
func (s *stays) about(message string) func(*model.Template) string {
	switch {
	case strings.Contains(message, "failed calling webhook"), reasons.CountsPods(message), reasons.OfStore(message):
		return anyTemplate
	case strings.Contains(message, "exceeded quota"):
		return resourcesOf
	case strings.Contains(message, "error looking up service account"):
		return func(t *model.Template) string { return partsOf(t).ServiceAccountName }
	}
	return s.spec
}

func anyTemplate(*model.Template) string { return "" }

func resourcesOf(t *model.Template) string { return partsOf(t).resources() }

// specParts are the parts of a pod spec that refusals are about.
type specParts struct {
	PriorityClassName, ServiceAccountName, RuntimeClassName string
	Containers                                              []struct{ Resources json.RawMessage }
	InitContainers                                          []struct{ Resources json.RawMessage }
}

// partsOf decodes the spec of a template; it is empty if there is none.
func partsOf(template *model.Template) (parts specParts) {
	if json.Unmarshal([]byte(cmp.Or(specOf(template), "{}")), &parts) != nil {
		return specParts{}
	}
	return parts
}

// resources returns what the containers request, as text.
func (p specParts) resources() string { return fmt.Sprintf("%s %s", p.Containers, p.InitContainers) }

// tried returns the pods that the controller has tried to create without success: those that it would create at once,
// of sets whose statuses show that it has seen all existing pods. It plays the first instant of a world to find them,
// without the sets that are at rest: for those it creates nothing. The pods are copies in the order in which the
// controller would create them, several of one set in Parallel. It costs a world of the sets that are not at rest.
func (s *stays) tried(config sim.Config) []*model.Pod {
	index := s.Index()
	var moving []model.Key
	for _, set := range s.State.Sets {
		if !index.AtRest(set.Key()) {
			moving = append(moving, set.Key())
		}
	}
	if len(moving) == 0 {
		return nil
	}
	start := index.Part(moving...).State
	start.Budgets = nil
	var caught []*model.Pod
	config.Admit = func(pod *model.Pod) *model.APIError {
		// The API server uses the object again for the next pod.
		own := *pod
		caught = append(caught, &own)
		return nil
	}
	config.Start = start
	// No pod gets further in that instant: what the controller does after that, it has not tried before the dump.
	config.Kubelet = behaviour.Behaviour{Default: behaviour.Times{Start: behaviour.Never, Ready: behaviour.Never}}
	config = aside(config)
	events := sim.New(config).Run(nil)
	if events[len(events)-1].Result.Verdict == timeline.Livelock {
		// A pod that is deleted as soon as it is created is missing half of the time, and nobody refuses it.
		return nil
	}
	return slices.DeleteFunc(caught, func(pod *model.Pod) bool {
		at := slices.IndexFunc(s.State.Sets, func(set *model.StatefulSet) bool {
			return set.Namespace == pod.Namespace && set.Name == ownerName(pod)
		})
		if s.Pod(pod.Key()) != nil || at < 0 {
			return true
		}
		set := s.State.Sets[at]
		if s.FailedCreates[set.Key()] != "" {
			return s.Hidden(set)
		}
		// Without claims in the dump, those of the pod are taken to be there, unless the set is one that deletes them.
		known := !s.Claimless || set.Spec.Retention != nil && set.Spec.Retention.DeleteWhenScaled
		return s.Hidden(set) || !s.upToDate(set) || known && s.unclaimed(set, pod.Name) != "" || s.claimGoes(set, pod.Name)
	})
}

// unclaimed returns the claim that a missing pod lacks, "" for none. The controller creates the claims of a pod before
// the pod, so it has not tried to create a pod that lacks one. Nor has it if the claim is that of the previous pod of
// the name, with which it goes.
func (d *Dump) unclaimed(set *model.StatefulSet, pod string) string {
	for _, template := range set.Spec.ClaimTemplates {
		name := template.Name + "-" + pod
		claim := d.Claim(model.Key{Namespace: set.Namespace, Name: name})
		if claim == nil || slices.ContainsFunc(claim.Owners, func(owner model.Owner) bool {
			return owner.Kind == model.KindPod && owner.Name == pod
		}) {
			return name
		}
	}
	return ""
}

// claimGoes says whether a claim of a missing pod is being deleted: the controller creates no pod before it is gone.
func (d *Dump) claimGoes(set *model.StatefulSet, pod string) bool {
	return slices.ContainsFunc(set.Spec.ClaimTemplates, func(template model.ClaimTemplate) bool {
		claim := d.Claim(model.Key{Namespace: set.Namespace, Name: template.Name + "-" + pod})
		return claim != nil && claim.Terminating()
	})
}

// Asleep returns the pod that a set lacks, and its claim, if the controller has seen all existing pods and has not
// tried to create them. This happens if the claim of the previous pod was deleted with that pod after the controller
// last looked: the controller does not watch claims, so nothing wakes it. Only claims that are deleted in a scale-down
// can cause it.
func (d *Dump) Asleep(set *model.StatefulSet) (pod, claim string) {
	if r := set.Spec.Retention; r == nil || !r.DeleteWhenScaled {
		return "", ""
	}
	return d.lacking(set)
}

// Uncreated returns the pod that a set lacks, and its claim, if the controller has seen all existing pods and has not
// created them. It is for a set whose claims nobody deletes in a scale-down: something refuses the claim, unless the
// pod has only just gone.
func (d *Dump) Uncreated(set *model.StatefulSet) (pod, claim string) {
	if d.Claimless || set.Spec.Retention != nil && set.Spec.Retention.DeleteWhenScaled {
		return "", ""
	}
	return d.lacking(set)
}

// lacking returns the first pod that a set lacks and should have created, and the claim that it lacks.
func (d *Dump) lacking(set *model.StatefulSet) (pod, claim string) {
	s := stays{Dump: d}
	if d.Hidden(set) || set.Terminating() || !s.upToDate(set) {
		return "", ""
	}
	for i := range int(set.Spec.Replicas) {
		name := set.PodName(set.Start() + i)
		switch p := d.Pod(model.Key{Namespace: set.Namespace, Name: name}); {
		case p == nil:
			return name, d.unclaimed(set, name)
		case !p.Ready && set.Spec.PodManagement == model.OrderedReady:
			return "", ""
		}
	}
	return "", ""
}

// upToDate says whether a set's status counts exactly the pods that exist.
func (s *stays) upToDate(set *model.StatefulSet) bool {
	var count model.Status
	for _, p := range s.PodsOf(set) {
		count.Replicas++
		if p.Ready && p.Phase == model.Running {
			count.Ready++
		}
	}
	return set.Status.ObservedGeneration == set.Generation && set.Status.Replicas == count.Replicas &&
		set.Status.Ready == count.Ready
}

// hasClass says whether a pod of the dump has a PriorityClass, so that it exists.
func (s *stays) hasClass(class string) bool {
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool { return classNameOf(p.Template) == class })
}

// classNameOf returns the name of the PriorityClass that a template asks for, "" for none.
func classNameOf(template *model.Template) string {
	if name := partsOf(template).PriorityClassName; name != "system-cluster-critical" && name != "system-node-critical" {
		return name
	}
	return ""
}
