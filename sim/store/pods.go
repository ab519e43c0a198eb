package store

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// CreatePod stores a copy of the draft as a new pod: Pending, not Ready and not bound, with a new UID. It fails with
// Invalid, or as podExists says while a pod of this name exists, even if that one is terminating. The draft stays the
// caller's, but the copy shares its maps and slices, which must not change afterwards.
func (w Writer) CreatePod(draft *model.Pod) (*model.Pod, *model.APIError) {
	key := draft.Key()
	if problems := validatePod(draft, w.rules); len(problems) > 0 {
		return nil, invalid(model.KindPod, key.Name, problems)
	}
	if holder := w.pods.Get(key); holder != nil {
		return nil, w.podExists(holder)
	}
	pod := w.copyOf(draft)
	w.stamp(&pod.Meta)
	pod.Phase, pod.Ready, pod.ReadySince, pod.Node = model.Pending, false, 0, ""
	w.putPod(nil, pod)
	return pod, nil
}

// podExists returns the refusal of a pod whose name is taken. The controller gives its pods a generateName in
// addition to their name, so the API server takes the name for one that it generated itself. Users create pods
// without one.
func (w Writer) podExists(holder *model.Pod) *model.APIError {
	switch {
	case w.by.Actor != timeline.Controller:
		return alreadyExists(model.KindPod, holder.Name, &holder.Meta)
	case !w.rules.NameConflicts:
		return &model.APIError{Reason: model.ServerTimeout, Message: tryAgain}
	}
	err := alreadyExists(model.KindPod, holder.Name, &holder.Meta)
	err.Message += notUnique
	return err
}

const (
	// notUnique is the API server's addition if an existing object already has a generateName.
	notUnique = ", the server was not able to generate a unique name for the object"
	// tryAgain is its message before 1.23 instead.
	tryAgain = "The POST operation against Pod could not be completed at this time, please try again."
)

// copyOf returns a copy of a pod, which becomes another version of it. It may reuse the memory of a released
// version.
func (s *Store) copyOf(of *model.Pod) *model.Pod {
	pod := s.versions.pods.Next()
	*pod = *of
	return pod
}

// fixedPodSpec is the API's message about an update that changes the volumes of a pod.
const fixedPodSpec = "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`," +
	"`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing " +
	"tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// UpdatePod replaces the parts of a pod that an update may change: its labels, annotations and owners. The status
// stays, whatever is sent. Its volumes may not change, although the StatefulSet controller tries; that is Invalid.
// The version and the uid of the write are preconditions.
func (w Writer) UpdatePod(write *model.Pod) (*model.Pod, *model.APIError) {
	key := write.Key()
	old := w.pods.Get(key)
	if old == nil {
		return nil, notFound(model.KindPod, key.Name)
	}
	if err := check(model.KindPod, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	if !slices.Equal(write.Volumes, old.Volumes) {
		return nil, invalid(model.KindPod, key.Name, []string{fixedPodSpec})
	}
	pod := *old
	pod.Labels, pod.Annotations, pod.Owners = write.Labels, write.Annotations, write.Owners
	if sameWrite(&pod, old) {
		return old, nil
	}
	return w.replacePod(old, &pod), nil
}

// ChangePod writes the report of a scheduler or a kubelet about a pod. edit changes a copy and must not keep it; it
// must replace maps, slices and Containers, not write into them. Nothing is validated, and there are no
// preconditions. ChangePod does nothing if there is no such pod; otherwise it always makes a new version, even if
// edit changes nothing.
func (w Writer) ChangePod(key model.Key, edit func(*model.Pod)) {
	old := w.pods.Get(key)
	if old == nil {
		return
	}
	pod := w.copyOf(old)
	edit(pod)
	w.replacePod(old, pod)
}

// DeletePod asks for a pod's deletion. A pod that is bound and has not ended gets its grace period; any other, and
// one without a grace period, is removed at once, and so is every pod with force. The watches see it terminate
// before they see it removed. The grace period of a terminating pod is never extended, and only force shortens it.
// uid is a precondition unless it is 0.
func (w Writer) DeletePod(key model.Key, uid model.UID, force bool) *model.APIError {
	return w.deletePod(key, uid, force, graceOf)
}

// DeletePodWithin is DeletePod with the grace period of a request in the place of the pod's own; 0 is by force.
func (w Writer) DeletePodWithin(key model.Key, uid model.UID, grace time.Duration) *model.APIError {
	return w.deletePod(key, uid, grace == 0, func(*model.Pod) time.Duration { return grace })
}

// deletePod is DeletePod; grace returns the grace period that the pod gets.
func (w Writer) deletePod(
	key model.Key, uid model.UID, force bool, graceOf func(*model.Pod) time.Duration,
) *model.APIError {
	old := w.pods.Get(key)
	if old == nil {
		return notFound(model.KindPod, key.Name)
	}
	if err := checkUID(model.KindPod, uid, &old.Meta); err != nil {
		return err
	}
	grace := graceOf(old)
	atOnce := force || grace == 0 || old.Node == "" || old.Finished()
	switch {
	case !old.Terminating():
		w.terminate(old, model.Deletion{At: w.now(), Grace: grace})
	case !atOnce && grace < old.Deletion.Grace:
		// A deletion that is under way accepts a shorter grace period, counted from the start of the deletion
		// (rest.BeforeDelete).
		w.terminate(old, model.Deletion{At: old.Deletion.At, Grace: grace})
	}
	if atOnce {
		w.RemovePod(key)
	}
	return nil
}

// terminate gives a pod its deletion.
func (w Writer) terminate(old *model.Pod, deletion model.Deletion) {
	pod := w.copyOf(old)
	pod.Deletion = w.deletions.Next()
	*pod.Deletion = deletion
	w.replacePod(old, pod)
}

// RemovePod removes a pod permanently, as its kubelet does when its containers have stopped. The pod must exist. A
// pod with a finalizer stays, with no grace period left, until that is taken away: by LetPodGo if it is deleted in
// the foreground, else by FreePod. Its kubelet has then written that its containers have ended.
func (w Writer) RemovePod(key model.Key) {
	old := w.pods.Get(key)
	if len(old.Finalizers) > 0 {
		if old.Deletion.Grace > 0 {
			pod := *old
			pod.Deletion = &model.Deletion{At: old.Deletion.At}
			if pod.Node != "" && !InForeground(&old.Meta) {
				pod.Phase, pod.Ready = model.Failed, false
			}
			w.replacePod(old, &pod)
		}
		return
	}
	w.pods.Delete(key)
	w.use(old, -1)
	w.version++
	change := w.write(model.KindPod, model.Deleted)
	change.OldPod = old
	w.tell(change)
	w.versions.retirePod(old)
}

// HoldPod makes a pod that is about to be deleted wait for the claims that it owns, as the garbage collector does
// with a pod whose own owner is deleted in the foreground. It must come before DeletePod.
func (w Writer) HoldPod(key model.Key) {
	old := w.pods.Get(key)
	pod := *old
	pod.Finalizers = append(slices.Clone(old.Finalizers), FinalizerForeground)
	w.replacePod(old, &pod)
}

// LetPodGo removes the finalizer of HoldPod. It must exist. If it is terminating and has stopped, it is removed.
func (w Writer) LetPodGo(key model.Key) {
	old := w.pods.Get(key)
	pod := *old
	pod.Finalizers = slices.DeleteFunc(slices.Clone(old.Finalizers), isCascade)
	w.replacePod(old, &pod)
	if old.Terminating() && old.Deletion.Grace == 0 {
		w.RemovePod(key)
	}
}

// FreePod removes all finalizers of a pod, as a user with kubectl patch does. If the pod is terminating and its
// containers have stopped, or never ran, it is removed.
func (w Writer) FreePod(key model.Key) { w.FinalizePod(key, nil) }

// FinalizePod gives a pod other finalizers. If none is left it is removed as by FreePod.
func (w Writer) FinalizePod(key model.Key, finalizers []string) {
	old := w.pods.Get(key)
	pod := *old
	pod.Finalizers = slices.Clone(finalizers)
	w.replacePod(old, &pod)
	if len(finalizers) == 0 && old.Terminating() && (old.Deletion.Grace == 0 || old.Node == "" || old.Finished()) {
		w.RemovePod(key)
	}
}

// InForeground reports whether an object's deletion waits for its dependents.
func InForeground(meta *model.Meta) bool {
	return slices.Contains(meta.Finalizers, FinalizerForeground)
}

// defaultGrace is terminationGracePeriodSeconds if a pod says nothing.
const defaultGrace = 30 * time.Second

// graceOf returns the grace period that a deletion gives a pod: the period of its template, which may be 0, or the
// default for a pod without a template.
func graceOf(pod *model.Pod) time.Duration {
	if pod.Template == nil {
		return defaultGrace
	}
	return pod.Template.Grace
}

// replacePod stores another version of a pod, with a new resource version.
func (w Writer) replacePod(old, pod *model.Pod) *model.Pod {
	w.touch(&pod.Meta)
	w.putPod(old, pod)
	return pod
}

// putPod stores a version of a pod and notifies the watches. Afterwards old may be written over at the next Release.
func (w Writer) putPod(old, pod *model.Pod) {
	w.pods.Put(pod.Key(), pod)
	if old == nil || old.Node != pod.Node {
		w.use(old, -1)
		w.use(pod, 1)
	}
	change := w.write(model.KindPod, changeType(old == nil))
	change.OldPod, change.Pod = old, pod
	w.tell(change)
	w.versions.retirePod(old)
}

// changeType returns Added or Modified; removals are handled elsewhere.
func changeType(isNew bool) model.ChangeType {
	if isNew {
		return model.Added
	}
	return model.Modified
}
