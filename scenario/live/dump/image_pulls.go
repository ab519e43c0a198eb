package dump

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// NoImage returns what is wrong with the image that a container of the pod waits for; nil if it waits for none.
func (f *Facts) NoImage() *symptom.Row {
	return symptom.Image(f.Waiting, f.Message, f.Event, f.PullSecret)
}

// Names are what sentences about a pod name.
func (d *Dump) Names(p *Pod) symptom.Names {
	f := d.Facts[p.Key()]
	names := symptom.Names{Pod: p.Name, Node: p.Node, Namespace: p.Namespace, Container: f.Container,
		Image: f.Image, Secret: f.PullSecret,
		Platform: shell.Kubectl("get", "node", p.Node, "--show-labels")}
	for i := range d.State.Nodes {
		if n := &d.State.Nodes[i]; n.Name == p.Node && n.Labels[corev1.LabelArchStable] != "" {
			names.Platform = n.Labels[corev1.LabelOSStable] + "/" + n.Labels[corev1.LabelArchStable]
		}
	}
	return names
}

// pull matches the pods with an image that cannot be pulled: all of them, those on one node or, if another pod has
// pulled it, only this one. An image that admission has added is one that another pod has pulled (broken). What the
// registry refuses, or does not have, no new pod pulls any more.
func (s *stays) pull(p *sim.PodState, f *Facts, image *symptom.Row) (match behaviour.Match, of behaviour.Whose) {
	if !image.Refused && !image.OfNode && (f.Added || s.hasPulled(f.Image)) {
		return behaviour.Match{That: only(p.Pod)}, ofSet(p)
	}
	if image.OfNode {
		match.Node = p.Node
	}
	match.That, of = s.withImageOf(p, f)
	return match, of
}

// withImageOf matches the pods with the image that a pod waits for. If its template names another image, admission has
// replaced that, as webhooks for registry mirrors do: then it matches the pods of the same template, since theirs is
// replaced too. If its template has no such container, it matches all new pods of the set.
func (s *stays) withImageOf(p *sim.PodState, f *Facts) (func(*model.Pod) bool, behaviour.Whose) {
	switch {
	case f.Added:
		return s.newOf(p), ofSet(p)
	case f.Replaced != "":
		return s.alike(p), ofSet(p)
	}
	named := has(f.Image)
	return func(pod *model.Pod) bool { return f.Image == "" || named(pod.Template) }, behaviour.Whose{Word: f.Image}
}

// hasPulled says whether a pod of the dump runs with an image. The answer is kept, since many pods may wait for one.
func (s *stays) hasPulled(image string) bool {
	if is, known := s.pulled[image]; known {
		return is
	}
	if s.pulled == nil {
		s.pulled = map[string]bool{}
	}
	named := has(image)
	s.pulled[image] = slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return p.Phase == model.Running && s.Facts[p.Key()].Waiting == "" && named(p.Template)
	})
	return s.pulled[image]
}

// has returns what says whether a container of a template has the image. A world asks each rule for a pod, and a large
// dump has a rule for each image that cannot be pulled: so the spec, which costs more to find, is only looked at where
// the text has it.
func has(image string) func(*model.Template) bool {
	field := `"image":"` + image + `"`
	return func(template *model.Template) bool {
		return template != nil && (slices.ContainsFunc(template.Containers, func(c model.Container) bool {
			return c.Image == image
		}) || strings.Contains(template.Data, field) && strings.Contains(specOf(template), field))
	}
}
