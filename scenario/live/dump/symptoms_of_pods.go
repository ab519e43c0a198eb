package dump

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// The kubelet, the runtime and the storage say in a message where a failure lies. That decides which new pods have it.

// NotRun returns why a container of the pod cannot be made, or has ended; Nothing if nothing says it.
func (f *Facts) NotRun() *symptom.Row {
	if row := symptom.Container(f.Waiting, f.Message); !row.None() && (row.Name != symptom.Unseen || !f.Crashed) {
		return row
	}
	// That a container has ended unseen once says nothing about one that has run again since.
	if row := symptom.Container(f.ExitReason, f.ExitMessage); row.Name != symptom.Unseen {
		return row
	}
	return symptom.Nothing
}

// Outside reports whether what keeps a pod from starting is such that no change of its template helps.
func (d *Dump) Outside(p *Pod) bool {
	f := d.Facts[p.Key()]
	starts := p.Phase == model.Pending && f.Waiting == ""
	return f.NotRun().Outside || starts && f.NotStarted().Outside || d.PathGone(p) != nil
}

// PathGone returns the claim of a pod whose volume is a directory that its node lacks, as the kubelet says; nil if none.
func (d *Dump) PathGone(p *Pod) *model.Claim {
	f, row := d.Facts[p.Key()], symptom.Named("path gone")
	if p.Node == "" || p.Ready || f.Waiting != "" && !symptom.NotMade(f.Waiting) {
		return nil
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		path := d.Claims[claim.Key()].Path
		for _, says := range []string{f.Message, f.Event} {
			if before, after, found := strings.Cut(says+" ", path); path != "" && found && !strings.HasSuffix(before, "/") &&
				strings.ContainsAny(after[:1], ` :"',`) && row.Words().MatchString(says) {
				return claim
			}
		}
	}
	return nil
}

// Heals says when a pod that keeps a set from continuing comes up although nobody changes the set: "when the registry
// lets web-2 pull its image"; "" if the dump shows nothing of the kind.
func (d *Dump) Heals(pod model.Key) string {
	f := d.Facts[pod]
	if f == nil {
		return ""
	}
	for _, row := range append(f.Unplaced(), f.NoImage()) {
		if row.Heals != "" {
			return symptom.Names{"pod": pod.Name}.In(row.Heals)
		}
	}
	return ""
}

// NotStarted returns why the containers of the pod are not created although it has a node; Nothing if nothing says it. That
// an image is being pulled is said last, or it is not noted.
func (f *Facts) NotStarted() *symptom.Row {
	if f.Pulls != "" {
		return symptom.Named("image-being-pulled")
	}
	return symptom.Start(f.Event)
}

// NoImage returns what is wrong with the image that a container of the pod waits for; Nothing if it waits for none.
func (f *Facts) NoImage() *symptom.Row {
	return symptom.Image(f.Waiting, f.Message, f.Event, f.PullSecret)
}

// Say returns a text of a row about a pod, with the names of what it is about.
func (d *Dump) Say(p *Pod, row *symptom.Row, text string) string {
	f := d.Facts[p.Key()]
	return d.Names(p).With(symptom.Names{"found": row.Found(f.ExitMessage + f.Message + f.Event)}).In(text)
}

// Names are what the texts of rows name that are about a pod.
func (d *Dump) Names(p *Pod) symptom.Names {
	f, platform := d.Facts[p.Key()], shell.Kubectl("get", "node", p.Node, "--show-labels")
	if n := d.Node(p.Node); n != nil && n.Labels[corev1.LabelArchStable] != "" {
		platform = n.Labels[corev1.LabelOSStable] + "/" + n.Labels[corev1.LabelArchStable]
	}
	return symptom.Names{"pod": p.Name, "node": p.Node, "namespace": p.Namespace, "container": f.Container, "image": f.Image,
		"registry": symptom.Registry(f.Image), "secret": f.PullSecret, "init": f.Init, "platform": platform,
		"says": cmp.Or(f.Pulls, OneLine(f.Unschedulable)), "see": shell.In(p.Namespace, "describe", "pod", p.Name)}
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
	if _, known := s.pulled[image]; !known {
		named := has(image)
		keyed.Put(&s.pulled, image, slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
			return p.Phase == model.Running && s.Facts[p.Key()].Waiting == "" && named(p.Template)
		}))
	}
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
