package statefulset

import (
	"maps"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
)

// A draft is the pod at the position of a missing replica. It has no phase, is not terminating, and takes part in
// all later phases of the sync, created or not: only the next sync sees what the API server made of it.

// draftsAtCurrent returns how many of the lowest positions get new pods at the current revision; above it they get
// the update revision. With a rollingUpdate block this is the partition. Without one, a rolling update uses
// status.currentReplicas from the start of the sync: the lower pods of an unfinished rollout come back at the old
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

// oldDrafts returns the number of the lowest positions whose drafts are outdated from the start; 0 if no rollout is
// under way. In a Parallel set of 1.37 such drafts cause the hot loop (updateBrokenFirst).
func (s *sync) oldDrafts() int {
	if s.current.Name == s.update.Name {
		return 0
	}
	return s.draftsAtCurrent()
}

// draft makes the pod for a position. Only the template comes from the revision: volumes of claims, service name
// and identity labels come from the set's spec at this sync. Other data in the revision count only in versions that
// restore the whole set from it, and there the pods show only the name.
func (s *sync) draft(i int) *model.Pod {
	revision, ordinal, set := s.draftRevisionOf(i), s.ordinal(i), s.set
	if revision.SetName != "" && !s.profile.RestoreSpec {
		renamed := *set
		renamed.Name = revision.SetName
		set = &renamed
	}
	pod := &model.Pod{Template: revision.Template}
	pod.Namespace, pod.Name = set.Namespace, set.PodName(ordinal)
	pod.Labels = clone(revision.Template.Labels, 3)
	pod.Labels[model.LabelRevision] = revision.Name
	s.label(pod, ordinal)
	pod.Owners = ownerOf(set)
	pod.Hostname, pod.Subdomain = pod.Name, set.Spec.ServiceName
	pod.Volumes = s.volumes(set, ordinal, revision.Template.Volumes)
	return pod
}

// label gives a pod the labels of its identity. The pod must have a label map of its own, and its name.
func (s *sync) label(pod *model.Pod, ordinal int) {
	pod.Labels[model.LabelPodName] = pod.Name
	if s.profile.PodIndex {
		pod.Labels[model.LabelPodIndex] = strconv.Itoa(ordinal)
	}
}

// volumes returns a volume for each claim template, and then the others, except those with the name of a claim
// template, which takes precedence. The claims are named after the set given. The slice is new.
func (s *sync) volumes(set *model.StatefulSet, ordinal int, others []model.Volume) []model.Volume {
	templates := s.set.Spec.ClaimTemplates
	volumes := make([]model.Volume, 0, len(templates)+len(others))
	for i := range templates {
		if s.claimTemplate(templates[i].Name) == &templates[i] {
			claim := model.ClaimName(set, &templates[i], ordinal)
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

// owners returns the owner reference of everything that the set creates for itself: one entry, with controller.
func (s *sync) owners() []model.Owner { return ownerOf(s.set) }

func ownerOf(set *model.StatefulSet) []model.Owner {
	return []model.Owner{{Kind: model.KindStatefulSet, Name: set.Name, UID: set.UID, Controller: true}}
}

// clone copies labels and leaves room for more. A nil map gives an empty one.
func clone(labels map[string]string, more int) map[string]string {
	copied := make(map[string]string, len(labels)+more)
	maps.Copy(copied, labels)
	return copied
}
