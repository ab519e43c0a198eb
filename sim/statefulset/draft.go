package statefulset

import (
	"maps"

	"github.com/statefulsim/statefulsim/model"
)

// A draft is the pod that stands at the position of a replica that is missing. It has no phase, is not terminating, and
// takes part in all later phases of the sync, created or not: what the API server made of it is only seen by the next.

// draftsAtCurrent returns the number of the lowest positions at which new pods get the current revision; above it
// they get the update revision. With a rollingUpdate block this is the partition. Without one, a rolling update uses
// status.currentReplicas as it was when the sync began: the lower pods of an unfinished rollout come back at the old
// revision. The other strategies always create at the update revision. The result may be greater than the number of
// replicas (upstream: newVersionedStatefulSetPod).
func (s *sync) draftsAtCurrent() int {
	strategy := &s.set.Spec.Strategy
	switch {
	case strategy.RollingUpdate != nil:
		return int(strategy.RollingUpdate.Partition)
	case strategy.Type == model.RollingUpdateStrategy:
		return int(s.set.Status.Current)
	}
	return 0
}

// draftRevisionOf returns the revision of the draft at a position.
func (s *sync) draftRevisionOf(i int) *model.Revision {
	if i < s.draftsAtCurrent() {
		return s.current
	}
	return s.update
}

// oldDrafts returns the number of the lowest positions at which a draft is outdated as soon as it is made; 0 if no
// rollout is under way. In a Parallel set of 1.37 such drafts are what makes the hot loop (updateBrokenFirst).
func (s *sync) oldDrafts() int {
	if s.current.Name == s.update.Name {
		return 0
	}
	return s.draftsAtCurrent()
}

// draft makes the pod for a position. Only the template comes from the revision: volumes of claims, service name and
// labels of the identity are as the set's spec is at this sync. The caller puts the pod back into drafts when its
// call has returned: the API server makes a copy of what it stores.
func (s *sync) draft(i int) *model.Pod {
	revision, ordinal := s.draftRevisionOf(i), s.ordinal(i)
	var pod *model.Pod
	if last := len(s.drafts) - 1; last >= 0 {
		pod, s.drafts = s.drafts[last], s.drafts[:last]
	} else {
		pod = &model.Pod{}
	}
	*pod = model.Pod{Template: revision.Template}
	pod.Namespace, pod.Name = s.set.Namespace, s.names.at(s.set, i)
	pod.Labels = s.labels.of(revision)
	s.label(pod, ordinal)
	pod.Owners = s.owners()
	pod.Hostname, pod.Subdomain = pod.Name, s.set.Spec.ServiceName
	pod.Volumes = s.volumes(ordinal, revision.Template.Volumes)
	return pod
}

// label gives a pod the labels of its identity. The pod must have a label map of its own, and its name.
func (s *sync) label(pod *model.Pod, ordinal int) {
	pod.Labels[model.LabelPodName] = pod.Name
	if s.profile.PodIndex {
		pod.Labels[model.LabelPodIndex] = s.names.at(s.set, ordinal-s.set.Start())[len(s.set.Name)+1:]
	}
}

// volumes returns a volume for each claim template, and those of others whose names no claim template has: a claim
// template hides a volume of the same name. The order is that of the templates, then that of others. The slice is
// new.
func (s *sync) volumes(ordinal int, others []model.Volume) []model.Volume {
	templates := s.set.Spec.ClaimTemplates
	volumes := make([]model.Volume, 0, len(templates)+len(others))
	for i := range templates {
		if s.claimTemplate(templates[i].Name) == &templates[i] {
			claim := model.ClaimName(s.set, &templates[i], ordinal)
			volumes = append(volumes, model.Volume{Name: templates[i].Name, Claim: claim})
		}
	}
	for _, volume := range others {
		if s.claimTemplate(volume.Name) == nil {
			volumes = append(volumes, volume)
		}
	}
	return volumes
}

// owners returns the owner reference of everything that the set creates for itself: one entry, with controller. All
// objects share the slice, which is never written, so that the store can compare owners by pointer.
func (s *sync) owners() []model.Owner {
	owner := model.Owner{Kind: model.KindStatefulSet, Name: s.set.Name, UID: s.set.UID, Controller: true}
	if len(s.owned) == 0 || s.owned[0] != owner {
		s.owned = []model.Owner{owner}
	}
	return s.owned
}

// podNames keeps the names of pods that sets have created, so that none is put together twice. It only grows: by the
// greatest number of replicas of each set and start.
type podNames struct {
	// last are the names that were asked for last, by position, "" where none was asked for; of says whose they are: a
	// sync asks for many names of one set. others are the names of the other sets; nil until names of a second set are
	// asked for.
	last   []string
	of     namesOf
	others map[namesOf][]string
}

// namesOf says whose names they are. Names are kept by position, so the start belongs to the key. The namespace does
// not: it is not part of a pod's name.
type namesOf struct {
	set   string
	start int
}

// at returns the name of the pod at a position of a set; O(1) if it was asked for before.
func (n *podNames) at(set *model.StatefulSet, i int) string {
	if of := (namesOf{set.Name, set.Start()}); n.of != of {
		if n.last != nil {
			n.put()
		}
		n.of, n.last = of, n.others[of]
	}
	if i >= len(n.last) {
		n.last = append(n.last, make([]string, max(i+1, int(set.Spec.Replicas))-len(n.last))...)
	}
	if n.last[i] == "" {
		n.last[i] = set.PodName(set.Start() + i)
	}
	return n.last[i]
}

// put lays the last names aside.
func (n *podNames) put() {
	if n.others == nil {
		n.others = map[namesOf][]string{}
	}
	n.others[n.of] = n.last
}

// labels are those that the pods of one revision have in common, as a map that is copied for each pod: that costs half
// of what it costs to fill a map. It has those of one revision at a time: of a rollout, drafts of one revision mostly
// follow each other.
type labels struct {
	// template and revision say of what common is; common is nil until labels are asked for, and is never handed out.
	template *model.Template
	revision string
	common   map[string]string
}

// of returns the labels of a template and of a revision's pods, with room for the labels of an identity. The map
// belongs to the caller, who sets those (label).
func (l *labels) of(revision *model.Revision) map[string]string {
	if l.template != revision.Template || l.revision != revision.Name {
		l.template, l.revision = revision.Template, revision.Name
		l.common = clone(revision.Template.Labels, 3)
		l.common[model.LabelRevision] = revision.Name
	}
	return maps.Clone(l.common)
}

// clone copies labels and leaves room for more. A nil map gives an empty one.
func clone(labels map[string]string, more int) map[string]string {
	copied := make(map[string]string, len(labels)+more)
	maps.Copy(copied, labels)
	return copied
}
