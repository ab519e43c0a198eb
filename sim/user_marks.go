package sim

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
)

// Protection is the finalizer that the API server gives each claim.
const Protection = store.FinalizerProtection

// Marks are the metadata of a pod or a claim that a client may change, with their new values.
type Marks struct {
	Labels, Annotations map[string]string
	Owners              []model.Owner
	Finalizers          []string
}

// MarksOf returns the metadata of an object that a client may change.
func MarksOf(meta *model.Meta) Marks {
	return Marks{meta.Labels, meta.Annotations, meta.Owners, meta.Finalizers}
}

// InvalidPod returns the API server's refusal of a pod with these problems.
func InvalidPod(name string, problems []string) *model.APIError {
	return store.InvalidPod(name, problems)
}

// MarkPod gives a pod other metadata. A pod that only its finalizers held is gone without them. The pod must exist.
func (u *User) MarkPod(key model.Key, marks Marks) *model.APIError {
	changed := *u.Pod(key)
	changed.ResourceVersion = 0
	changed.Labels, changed.Annotations, changed.Owners = marks.Labels, marks.Annotations, marks.Owners
	if !slices.Equal(marks.Finalizers, changed.Finalizers) {
		u.write().FinalizePod(key, marks.Finalizers)
		if u.Pod(key) == nil {
			return nil
		}
		changed.Finalizers = marks.Finalizers
	}
	_, err := u.write().UpdatePod(&changed)
	return err
}

// MarkClaim gives a claim other metadata. The API server puts the finalizer back on a claim that is not being
// deleted; a claim that is being deleted is gone without finalizers. The claim must exist.
func (u *User) MarkClaim(key model.Key, marks Marks) *model.APIError {
	changed := *u.Claim(key)
	changed.ResourceVersion = 0
	changed.Labels, changed.Annotations, changed.Owners = marks.Labels, marks.Annotations, marks.Owners
	stays := changed.Deletion == nil
	if changed.Finalizers = marks.Finalizers; stays && !slices.Contains(changed.Finalizers, store.FinalizerProtection) {
		changed.Finalizers = append([]string{store.FinalizerProtection}, changed.Finalizers...)
	}
	if _, err := u.write().UpdateClaim(&changed); err != nil || len(marks.Finalizers) > 0 || stays {
		return err
	}
	return u.DeleteClaim(key, true)
}

// WriteStatus replaces the status of a set as a client of the subresource status does, which changes labels and annotations
// too. The set must exist.
func (u *User) WriteStatus(key model.Key, status model.Status, labels, annotations map[string]string) *model.APIError {
	set := *u.Set(key)
	set.ResourceVersion, set.Status = 0, status
	if _, err := u.write().UpdateSetStatus(&set); err != nil {
		return err
	}
	changed := *u.Set(key)
	if maps.Equal(changed.Labels, labels) && maps.Equal(changed.Annotations, annotations) {
		return nil
	}
	changed.ResourceVersion = 0
	changed.Labels, changed.Annotations = labels, annotations
	_, err := u.Update(&changed)
	return err
}
