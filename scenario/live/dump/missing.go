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
)

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
// created them. It is for a set whose claims nobody deletes in a scale-down: something refuses the claim, unless the
// pod has only just gone.
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

// lacks matches the pods that refer to the Secret or the ConfigMap that a pending pod lacks: none of them starts. A
// template that the dump does not have is taken for a repaired one. It is nil if the pod lacks none, or if its template
// does not name it.
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
