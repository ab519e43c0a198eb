package scenario

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// resize reads a step that gives a container of a pod other resources while it runs, as kubectl patch with
// --subresource resize does. The pod keeps them until it is deleted: a new pod has the resources of its template.
func (s *step) resize() *action {
	m := s.mapping(s.value, "resize", []string{"pod", "container", "requests", "limits"}, nil)
	key, ok := s.podOf(m)
	container := m.String("container")
	wanted := &corev1.ResourceRequirements{Requests: s.amounts(m, "requests"), Limits: s.amounts(m, "limits")}
	if !m.Has("requests") && !m.Has("limits") {
		s.r.Problem(m.Node, "resize has no resources", "write requests, limits or both, such as requests: {cpu: 500m}")
	}
	if !ok {
		return nil
	}
	does := "resize " + key.Name + amountWords("requests", wanted.Requests) + amountWords("limits", wanted.Limits)
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		pod := u.Pod(key)
		if pod == nil {
			return s.absent(nothing(u, key), fmt.Sprintf("Error from server (NotFound): pods %q not found", key.Name))
		}
		if pod.Template == nil || pod.Template.Data == "" {
			return nothing(u, key)
		}
		template, restarts, problems := manifest.Resized(pod.Template, container, wanted)
		if err := u.ResizePod(key, template, container, restarts, problems); err != nil {
			return play.Refused(err)
		}
		return sim.Outcome{Effect: timeline.Done, Pod: key}
	}}
}

// amounts reads the amounts of resources that a resize may change.
func (s *step) amounts(m *strict.Map, of string) corev1.ResourceList {
	given := m.Map(of, "cpu", "memory")
	list := corev1.ResourceList{}
	for _, name := range given.Keys() {
		at := given.Value(name)
		amount, err := resource.ParseQuantity(at.Value)
		if err != nil {
			s.r.Problem(at, fmt.Sprintf("%s.%s is %s", of, name, strict.Describe(at)),
				"write an amount, such as 500m of cpu or 1Gi of memory")
			continue
		}
		list[corev1.ResourceName(name)] = amount
	}
	return list
}

// amountWords says what a pod gets.
func amountWords(of string, amounts corev1.ResourceList) string {
	var words []string
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if amount, given := amounts[name]; given {
			words = append(words, string(name)+" "+amount.String())
		}
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + of + " " + strings.Join(words, ", ")
}
