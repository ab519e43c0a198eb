package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/expect/condition"

	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// label changes the labels of a pod, as kubectl label --overwrite does: null removes one. A pod that is not there is a
// warning, or NotFound if the step expects a refusal.
func (s *step) label() *action {
	m := s.mapping(s.value, "label", []string{"pod", "labels"}, nil)
	key, ok := s.podOf(m)
	ok = m.Need("labels") && ok
	labels, removed := s.labels(m, true)
	if !ok {
		return nil
	}
	s.labelling(condition.Labelling{Pod: key, Labels: labels, Removed: removed})
	does := "label " + key.Name + " " + strings.Join(labelWords(labels, removed), ", ")
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		switch found, changed := u.LabelPod(key, labels, removed); {
		case !found:
			return s.absent(nothing(u, key), fmt.Sprintf("Error from server (NotFound): pods %q not found", key.Name))
		case !changed:
			return sim.Outcome{Effect: timeline.Unchanged, Pod: key}
		}
		return sim.Outcome{Effect: timeline.Done, Pod: key}
	}}
}

// labelling notes what the step makes of the labels of a pod: conditions about pods that no set owns need it.
func (s *step) labelling(l condition.Labelling) {
	l.Step, l.Fault = s.out.Number, s.fault
	s.loader.labels = append(s.loader.labels, l)
}

// labels reads the labels of a step, and, if removes is true, the names of those that are null, sorted.
func (s *step) labels(m *strict.Map, removes bool) (labels map[string]string, removed []string) {
	given := m.Map("labels")
	labels = map[string]string{}
	for _, name := range given.Keys() {
		value := given.Value(name)
		if removes && value.ShortTag() == "!!null" {
			removed = append(removed, name)
			continue
		}
		if text, ok := s.r.String(value, "labels."+name); ok {
			labels[name] = text
			s.checkLabel(given.Key(name), value, name, text)
		}
	}
	if removes && given != nil && len(given.Keys()) == 0 {
		s.r.Problem(given.Node, "labels is empty", "write NAME: VALUE, or NAME: null to remove one")
	}
	slices.Sort(removed)
	return labels, removed
}

// checkLabel checks a label by the API server's own rules. at is the place of the name, valueAt the place of the
// value.
func (s *step) checkLabel(at, valueAt *yaml.Node, name, value string) {
	if errs := metav1validation.ValidateLabelName(name, field.NewPath("labels")); len(errs) > 0 {
		s.r.Problem(at, fmt.Sprintf("%q is not a valid label name", strict.Shorten(name)), errs[0].Detail)
	}
	if errs := validation.IsValidLabelValue(value); len(errs) > 0 {
		s.r.Problem(valueAt, fmt.Sprintf("%q is not a valid label value", strict.Shorten(value)), errs[0])
	}
}

// labelWords returns the labels as kubectl takes them, sorted by name: app=other, app-.
func labelWords(labels map[string]string, removed []string) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		words = append(words, name+"="+labels[name])
	}
	for _, name := range removed {
		words = append(words, name+"-")
	}
	return words
}

// createPod creates a pod that no set owns, as kubectl run does. A StatefulSet adopts it if its name and labels fit.
// The pod is built once, and the world copies it.
func (s *step) createPod() *action {
	if isManifest(s.value) {
		return s.createPodOf()
	}
	m := s.mapping(s.value, "createPod", []string{"name", "labels", "image"}, nil)
	ok := m.Need("name")
	ok = m.Need("image") && ok
	name, image := m.String("name"), m.String("image")
	s.checkImage(m.Value("image"), image)
	labels, _ := s.labels(m, false)
	if errs := validation.IsDNS1123Subdomain(name); m.Has("name") && len(errs) > 0 {
		s.r.Problem(m.Value("name"), fmt.Sprintf("%q is not a valid pod name", strict.Shorten(name)), errs[0])
	}
	if !ok {
		return nil
	}
	s.census.pods[s.key(name)] = true
	s.labelling(condition.Labelling{Pod: s.key(name), New: true, Labels: labels})
	pod := barePod(s.key(name), image, labels)
	return &action{does: "create the pod " + name, act: func(u *sim.User) sim.Outcome {
		if err := u.CreatePod(pod); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: timeline.Created, Pod: pod.Key()}
	}}
}

// defaultGrace is terminationGracePeriodSeconds where the manifest says nothing, as the API server defaults it.
const defaultGrace = 30 * time.Second

// barePod returns a pod with one container. Its template does not belong to a set, so its ID is 0.
func barePod(key model.Key, image string, labels map[string]string) *model.Pod {
	pod := &model.Pod{Template: &model.Template{
		Labels: labels, Grace: defaultGrace, Containers: []model.Container{{Name: "app", Image: image}},
	}}
	pod.Namespace, pod.Name, pod.Labels = key.Namespace, key.Name, labels
	return pod
}
