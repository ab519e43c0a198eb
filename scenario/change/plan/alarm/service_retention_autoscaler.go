package alarm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// fields names the fields that a refusal is about. Where none of them is one that cannot be changed it says why.
func (s *Subject) fields() string {
	var paths []string
	for _, c := range s.Fixed {
		if !slices.Contains(paths, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	if len(paths) > 0 {
		return ": " + render.List(paths, 3) + " cannot be changed; leave " +
			render.Agree(len(paths), "the field as it was", "the fields as they were")
	}
	if _, why, found := strings.Cut(s.Message, " is invalid: "); found {
		return ": " + run.Message(why)
	}
	return ""
}

func (s *Subject) ofFields(alarms []Alarm) []Alarm {
	live, wanted := &s.Live.Spec, &s.Wanted.Spec
	if live.ServiceName != wanted.ServiceName {
		text := names(s.Live.PodName(s.Live.Start()), live.ServiceName, wanted.ServiceName)
		service := model.Key{Namespace: s.Key().Namespace, Name: wanted.ServiceName}
		if service.Name != "" && s.Input.LacksService(service) {
			text += "; and NEW has no Service " + service.Name + ", without which no name resolves"
		}
		alarms = s.add(alarms, TrapNames, "%s", text)
	}
	if live.Selector.Data != wanted.Selector.Data {
		alarms = s.add(alarms, TrapSelector, "the selector changes: a set that is created again finds only pods that have "+
			"the new labels")
	}
	if text := s.claims(); text != "" {
		alarms = s.add(alarms, TrapClaims, "%s", text)
	}
	if s.Rolls() {
		alarms = s.ofMounts(alarms)
	}
	was, is := retention(live), retention(wanted)
	if len(wanted.ClaimTemplates) > 0 && is.DeleteWithSet && !was.DeleteWithSet {
		alarms = s.add(alarms, TrapRetention, "whenDeleted becomes Delete: from now on deleting the set deletes its volumes")
	}
	if len(wanted.ClaimTemplates) > 0 && is.DeleteWhenScaled && !was.DeleteWhenScaled &&
		(s.Run == nil || len(s.scaledAway()) == 0) {
		alarms = s.add(alarms, TrapRetention, "whenScaled becomes Delete: from now on a scale-down deletes the volumes of "+
			"the removed pods")
	}
	return alarms
}

// retention returns the retention policy of a spec; without one nothing is deleted.
func retention(spec *model.Spec) model.Retention { return *cmp.Or(spec.Retention, &model.Retention{}) }

// names says which names of the pods stop resolving. A set without a serviceName gives its pods none.
func names(pod, was, is string) string {
	text := fmt.Sprintf("serviceName goes from %q to %q: ", was, is)
	switch "" {
	case was:
		return text + fmt.Sprintf("%s.%s does not resolve before the pod is created again", pod, is)
	case is:
		return text + fmt.Sprintf("%s.%s resolves until the pod is created again, and from then on the pod has no name", pod,
			was)
	}
	return text + fmt.Sprintf("%s.%s does not resolve before the pod is created again, and then %s.%s no longer does",
		pod, is, pod, was)
}

// ofScaler adds the alarm about an autoscaler: the manifest and it undo each other's number of replicas.
func (s *Subject) ofScaler(alarms []Alarm, scaler string) []Alarm {
	if s.Live == nil || s.Wanted == nil {
		return alarms
	}
	spec, _ := s.Pair.New.Given["spec"].(map[string]any)
	was, is, given := s.Live.Spec.Replicas, s.Wanted.Spec.Replicas, spec["replicas"] != nil
	switch {
	case was != is && given:
		return s.add(alarms, TrapAutoscaler, "the %s sets the number of replicas too, and most likely brings it back "+
			"from %d to %d: leave spec.replicas out of the manifest", scaler, is, was)
	case was != is:
		return s.add(alarms, TrapAutoscaler, "the new manifest leaves spec.replicas out, as it should with the %s, but this "+
			"apply removes what the last one has set, and the API server fills in %d: the %[1]s most likely brings it back "+
			"to %[3]d", scaler, is, was)
	case given && !s.Pair.Live:
		alarms = s.add(alarms, TrapAutoscaler, "the %s sets the number of replicas too, and this apply sets it back to %d: "+
			"leave spec.replicas out of the manifest", scaler, is)
		gave, _ := s.Pair.Old.Given["spec"].(map[string]any)
		return known(alarms, gave["replicas"] != nil && slices.Contains(s.Input.OldScalers[s.Pair.Key], scaler))
	}
	return alarms
}
