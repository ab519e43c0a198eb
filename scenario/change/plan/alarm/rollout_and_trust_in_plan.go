package alarm

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func (s *Subject) ofRollout(alarms []Alarm) []Alarm {
	f := s.Run.Main
	alarms = s.ofScratch(s.ofVolumes(alarms))
	if lost := s.lostOrdinals(); lost != "" {
		alarms = s.add(alarms, TrapOrdinals, "%s", lost)
	}
	switch disobeyed := s.Disobeyed(s.Version); {
	case disobeyed != "":
		alarms = s.add(alarms, TrapStops, "%s", disobeyed)
	case f.Verdict == timeline.Livelock:
		alarms = s.add(alarms, TrapLoop, "%s", s.Run.Ends(s.Set))
	case !f.Completes() && !s.Run.Young(s.Set):
		alarms = s.add(alarms, TrapStops, "%s", s.Run.Ends(s.Set))
	case s.Unanswered() != "":
		alarms = s.add(alarms, TrapStops, "is stuck already, and the change does not end that: %s", s.Unanswered())
	case f.Provided != "":
		alarms = s.add(alarms, TrapNotAtRest, "%s", s.Run.Ends(s.Set))
	}
	return s.ofTrust(s.ofTimeouts(s.ofStaged(s.ofServing(alarms))))
}

// becauseYoung says why more pods are down at once than maxUnavailable says, if the reason is known.
func becauseYoung(s *stored.Set) string {
	if s.Wanted.Spec.MinReadySeconds == 0 || s.Wanted.Spec.PodManagement != model.Parallel {
		return ""
	}
	return ": a pod that has been Ready for less than minReadySeconds counts as broken. Change minReadySeconds alone, " +
		"wait for that long, and then make the change"
}

func (s *Subject) ofTrust(alarms []Alarm) []Alarm {
	switch {
	case s.Input.State != nil && s.Input.State.Going[s.Key().Namespace] != nil:
		alarms = s.add(alarms, TrapNotAtRest, "its namespace %s is being deleted: the change is lost with it, so apply it "+
			"again when the namespace is gone and created again", s.Key().Namespace)
	case s.Pair.Deleting:
		alarms = s.add(alarms, TrapNotAtRest, "somebody has deleted it: the change is lost with it, so apply it again when "+
			"the set is gone")
	case s.Early() != "":
		alarms = s.add(alarms, TrapNotAtRest, "%s", s.Early())
	case s.Doubt() != "":
		alarms = s.add(alarms, TrapNotAtRest, "do not trust this plan: %s, the dump does not show the pods, and the plan "+
			"assumes that the set is at rest", s.Doubt())
	}
	restarts := len(s.Run.Main.Moves.Of(run.Replaced))
	if restarts > 1 && run.Unprobed(s.Wanted.Spec.Template) {
		removes, back := "", ""
		if s.Live != nil && !run.Unprobed(s.Live.Spec.Template) {
			removes, back = "NEW removes the readiness probe, so ", ". Put the probe back"
		}
		alarms = s.add(alarms, TrapReady, "%s%s%s%s", removes, Unprobed, s.crashing(), back)
		alarms = known(alarms, s.Live != nil && run.Unprobed(s.Live.Spec.Template) &&
			within(containers(s.Wanted), containers(s.Live)))
	}
	if port := unnamedPort(pair.SpecOf(s.Wanted.Spec.Template)); port != "" && s.Run.Main.Moves != nil {
		alarms = s.add(alarms, TrapPort, "%s", port)
		alarms = known(alarms, s.Live != nil && unnamedPort(pair.SpecOf(s.Live.Spec.Template)) == port)
	}
	if gated := Gated(s.Wanted); restarts > 0 && gated != "" {
		alarms = s.add(alarms, TrapGate, "%s", gated)
		alarms = known(alarms, s.Live != nil && within(gates(s.Wanted), gates(s.Live)))
	}
	return alarms
}

// Unprobed is what there is to say of pods without a readiness probe.
const Unprobed = "the pods have no readiness probe: nothing waits for the application, and a pod that runs counts as serving"

// unnamedPort says which readiness probe asks for a port by a name that its container does not give to one; "" if none
// does.
func unnamedPort(spec *corev1.PodSpec) string {
	for _, c := range spec.Containers {
		p := c.ReadinessProbe
		var port intstr.IntOrString
		switch {
		case p != nil && p.HTTPGet != nil:
			port = p.HTTPGet.Port
		case p != nil && p.TCPSocket != nil:
			port = p.TCPSocket.Port
		}
		if port.Type == intstr.String && !slices.ContainsFunc(c.Ports, func(of corev1.ContainerPort) bool {
			return of.Name == port.StrVal
		}) {
			return fmt.Sprintf("the readiness probe of %s asks for the port %s, and no port of the container has that name: on a "+
				"cluster no pod becomes Ready; name a port in its ports, or write the number", c.Name, port.StrVal)
		}
	}
	return ""
}

// Gated is what there is to say of the readiness gates of a set's pods; "" if they have none.
func Gated(set *model.StatefulSet) string {
	list := gates(set)
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("the pods have readiness gates (%s): the rollout waits until somebody sets their "+
		"conditions on each new pod; assumed: that happens at once", render.List(list, 3))
}

// within says whether a list has nothing that another one lacks.
func within(list, other []string) bool {
	return !slices.ContainsFunc(list, func(name string) bool { return !slices.Contains(other, name) })
}

func containers(set *model.StatefulSet) (names []string) {
	for _, c := range pair.SpecOf(set.Spec.Template).Containers {
		names = append(names, c.Name)
	}
	return names
}

func gates(set *model.StatefulSet) (conditions []string) {
	for _, g := range pair.SpecOf(set.Spec.Template).ReadinessGates {
		conditions = append(conditions, string(g.ConditionType))
	}
	return conditions
}

func (s *Subject) crashing() string {
	for _, c := range s.Run.Cases {
		if c.Unprobed() {
			return ". If the new revision crashes, the rollout continues, and " + render.Serve(c.Fewest, s.Run.Main.Replicas)
		}
	}
	return ""
}
