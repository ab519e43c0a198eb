package dump

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
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

// has returns what says whether a container of a template has the image. Worlds ask that of each pod for each image that
// cannot be pulled: so the spec, which costs more to find, is only looked at where the text has it.
func has(image string) func(*model.Template) bool {
	field := `"image":"` + image + `"`
	return func(template *model.Template) bool {
		return template != nil && (slices.ContainsFunc(template.Containers, func(c model.Container) bool {
			return c.Image == image
		}) || strings.Contains(template.Data, field) && strings.Contains(specOf(template), field))
	}
}

// If an admission plugin refuses a pod, only events show it, and dumps rarely have events. But the status of the set
// shows it too: it counts the pods that the controller has seen. If it counts exactly the existing pods, and nothing
// keeps the controller from creating another one, the controller has tried and failed.

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
		if s.Hidden(set) || s.hasNamesake(set, pod.Name) || s.Sets[set.Key()].FailedCreate != "" {
			return s.Hidden(set) || s.hasNamesake(set, pod.Name)
		}
		// Without claims in the dump, those of the pod are taken to be there, unless the set is one that deletes them. The
		// controller creates no pod before an old claim of it is gone.
		known := !s.Claimless || deletesClaims(set)
		return !s.upToDate(set) || known && s.unclaimed(set, pod.Name) != "" ||
			slices.ContainsFunc(set.Spec.ClaimTemplates, func(template model.ClaimTemplate) bool {
				claim := s.Claim(model.Key{Namespace: set.Namespace, Name: template.Name + "-" + pod.Name})
				return claim != nil && claim.Terminating()
			})
	})
}

// deletesClaims reports whether the claims of a set are deleted in a scale-down.
func deletesClaims(set *model.StatefulSet) bool {
	return set.Spec.Retention != nil && set.Spec.Retention.DeleteWhenScaled
}

// hasNamesake reports whether another pod has the ordinal of a missing pod, as web-01 has that of web-1. Controllers up
// to 1.37 take it for the missing one and create none, and the dump may show what such a controller has left.
func (s *stays) hasNamesake(set *model.StatefulSet, missing string) bool {
	ordinal := set.OrdinalOf(missing)
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return p.Name != missing && set.OrdinalOf(p.Name) == ordinal && set.Claims(p.Pod)
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

// Asleep returns the pod that a set lacks, and its claim, if the controller has seen all existing pods and has not
// tried to create them. This happens if the claim of the previous pod was deleted with that pod after the controller
// last looked: the controller does not watch claims, so nothing wakes it. Only claims that are deleted in a scale-down
// can cause it.
func (d *Dump) Asleep(set *model.StatefulSet) (pod, claim string) {
	if !deletesClaims(set) {
		return "", ""
	}
	return d.lacking(set)
}

// Uncreated returns the pod that a set lacks, and its claim, if the controller has seen all existing pods and has not
// created them. Nobody deletes claims in a scale-down: something refuses the claim, unless the pod has only just gone.
func (d *Dump) Uncreated(set *model.StatefulSet) (pod, claim string) {
	if d.Claimless || deletesClaims(set) {
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
	for _, key := range set.PodKeys() {
		switch p := d.Pod(key); {
		case p == nil:
			return key.Name, d.unclaimed(set, key.Name)
		case !p.Ready && set.Spec.PodManagement == model.OrderedReady:
			return "", ""
		}
	}
	return "", ""
}

// upToDate says whether a set's status counts exactly the pods that exist.
func (s *stays) upToDate(set *model.StatefulSet) bool {
	pods := s.PodsOf(set)
	all := len(pods)
	ready := len(slices.DeleteFunc(pods, func(p *Pod) bool { return !p.Ready || p.Phase != model.Running }))
	return set.Status.ObservedGeneration == set.Generation && int(set.Status.Replicas) == all && int(set.Status.Ready) == ready
}

// Lacks returns the kind and the name of the Secret or the ConfigMap that the kubelet needs to start a pod; "" if none.
func (f *Facts) Lacks() (kind, name string) { return symptom.Lacks(cmp.Or(f.Message, f.Event)) }

// LacksKey returns the key that the kubelet needs to start a pod, and the ConfigMap or the Secret that should have it,
// "ConfigMap scripts"; "" if none. Of a volume, the kubelet names only the volume: the template says which object it is.
func (d *Dump) LacksKey(p *Pod) (key, of string) {
	f := d.Facts[p.Key()]
	if key, of = symptom.LacksKey(f.Message); key != "" {
		return key, of
	}
	var spec corev1.PodSpec
	key = symptom.LacksItem.Found(f.Event)
	if key == "" || json.Unmarshal([]byte(cmp.Or(specOf(p.Template), "{}")), &spec) != nil {
		return "", ""
	}
	at := slices.IndexFunc(spec.Volumes, func(v corev1.Volume) bool { return v.Name == symptom.VolumeIn.Found(f.Event) })
	if at >= 0 {
		of = holderOf(&spec.Volumes[at], key)
	}
	if of == "" {
		return "", ""
	}
	return key, of
}

// holderOf returns the ConfigMap or the Secret of which a volume shows a key; "" if there is none.
func holderOf(v *corev1.Volume, key string) string {
	asks := func(item corev1.KeyToPath) bool { return item.Key == key }
	switch {
	case v.ConfigMap != nil:
		return "ConfigMap " + v.ConfigMap.Name
	case v.Secret != nil:
		return "Secret " + v.Secret.SecretName
	case v.Projected == nil:
		return ""
	}
	for _, source := range v.Projected.Sources {
		if from := source.ConfigMap; from != nil && slices.ContainsFunc(from.Items, asks) {
			return "ConfigMap " + from.Name
		}
		if from := source.Secret; from != nil && slices.ContainsFunc(from.Items, asks) {
			return "Secret " + from.Name
		}
	}
	return ""
}

// lacks matches the pods that refer to the Secret or the ConfigMap that a pending pod lacks: none starts. A template that
// the dump does not have is taken for a repaired one. It is nil if the pod lacks none that its template names.
func (s *stays) lacks(p *sim.PodState, f *Facts) func(*model.Pod) bool {
	_, name := f.Lacks()
	quoted := strconv.Quote(name)
	if name == "" || p.Phase != model.Pending || p.Node == "" || !strings.Contains(specOf(p.Template), quoted) {
		return nil
	}
	own, known := specOf(p.Template), s.revisedSpecs()
	return func(pod *model.Pod) bool {
		if pod.Namespace != p.Namespace {
			return false
		}
		spec := specOf(pod.Template)
		return strings.Contains(spec, quoted) && (spec == own || known[spec])
	}
}

// revisedSpecs returns the specs of all revisions.
func (s *stays) revisedSpecs() map[string]bool {
	if s.revised == nil {
		for _, revision := range s.State.Revisions {
			keyed.Put(&s.revised, specOf(revision.Template), true)
		}
	}
	return s.revised
}

// lacking returns the name of the object that a pod lacks, if lacks goes by that alone: the template of the pod is that
// of a revision, and has the name without what JSON escapes.
func (s *stays) lacking(p *sim.PodState, f *Facts) string {
	_, name := f.Lacks()
	if strconv.Quote(name) != `"`+name+`"` || !s.revisedSpecs()[specOf(p.Template)] {
		return ""
	}
	return name
}

// Unfound returns the claim that a pod without a node names and that does not exist; "" if there is none. owned is true
// if a claim template makes it, so that it is the controller's to create.
func (d *Dump) Unfound(p *Pod) (claim string, owned bool) {
	claim = symptom.UnfoundClaim.Found(d.Facts[p.Key()].Unschedulable)
	if claim == "" || p.Node != "" || p.Terminating() || d.Claim(model.Key{Namespace: p.Namespace, Name: claim}) != nil {
		return "", false
	}
	return claim, slices.ContainsFunc(d.State.Sets, func(set *model.StatefulSet) bool {
		return owns(set, p.Pod) && ReplicaOf(set, claim) >= 0 && ReplicaOf(set, claim) == set.OrdinalOf(p.Name)
	})
}
