package scenario

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// patchPod reads a kubectl patch of a pod: a merge patch of its labels, annotations, finalizers and owners.
func (s *step) patchPod() *action {
	m := s.r.Map(s.value, "patch", "pod", "metadata")
	key, ok := s.podOf(m)
	ok = m.Need("metadata") && ok
	patch := manifest.ReadPodPatch(s.r, s.value)
	if patch == nil || !ok {
		return nil
	}
	labels, removed := patch.Labels()
	s.labelling(condition.Labelling{Pod: key, Labels: labels, Removed: removed})
	return &action{does: "patch the pod " + key.Name, act: func(u *sim.User) sim.Outcome {
		pod := u.Pod(key)
		if pod == nil {
			return s.absent(nothing(u, key), fmt.Sprintf("Error from server (NotFound): pods %q not found", key.Name))
		}
		before, meta := u.Version(), patch.Meta(&pod.Meta)
		if err := u.MarkPod(key, sim.MarksOf(&meta)); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: since(u, before), Pod: key}
	}}
}

// since returns what has become of a step that may have written nothing.
func since(u *sim.User, version uint64) timeline.Effect {
	if u.Version() == version {
		return timeline.Unchanged
	}
	return timeline.Configured
}

// patchClaim reads a kubectl patch of a claim: a merge patch of its spec, labels, annotations, finalizers and owners.
func (s *step) patchClaim(of string) *action {
	m := s.r.Map(s.value, "patch", of, "metadata", "spec")
	key, ok := s.claim(m.Value(of), m.String(of))
	if !m.Has("metadata") && !m.Has("spec") {
		s.r.Problem(m.Node, "the patch changes nothing", "give it spec or metadata")
		return nil
	}
	patch := manifest.ReadClaimPatch(s.r, s.value)
	if patch == nil || !ok {
		return nil
	}
	classes := s.census.classes
	return &action{does: "patch the claim " + key.Name, act: func(u *sim.User) sim.Outcome {
		claim := u.Claim(key)
		if claim == nil {
			return s.absent(sim.Outcome{Effect: timeline.None, Claim: key,
				Warning: fmt.Sprintf("it did nothing: there is no claim %s at %ss", key.Name, u.Now().Seconds())},
				fmt.Sprintf("persistentvolumeclaims %q not found", key.Name))
		}
		before := u.Version()
		if err := patchedClaim(u, claim, patch, classes); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: since(u, before), Claim: key}
	}}
}

// patchedClaim changes the spec of a claim, then its metadata.
func patchedClaim(u *sim.User, claim *model.Claim, patch *manifest.ObjectPatch, classes manifest.Classes) *model.APIError {
	changed, problems := patch.Claim(claim)
	if err := classes.Forbids(claim, changed); err != nil && len(problems) == 0 {
		return err
	}
	if changed != claim || len(problems) > 0 {
		if _, err := u.ChangeClaim(changed, problems); err != nil {
			return err
		}
	}
	meta := patch.Meta(&u.Claim(claim.Key()).Meta)
	return u.MarkClaim(claim.Key(), sim.MarksOf(&meta))
}

// patchStatus reads what a client writes into the subresource status of a set: the whole status, and labels and annotations.
func (s *step) patchStatus() *action {
	m := s.r.Map(s.value, "patch", "statefulset", "subresource", "status", "metadata")
	m.OneOf("subresource", "status")
	key, ok := s.set(m)
	ok = m.Need("subresource") && ok
	if ok = m.Need("status") && ok; !ok {
		return nil
	}
	status, read := manifest.ReadStatus(s.r, m.Value("status"))
	marks := manifest.ReadPodPatch(s.r, s.value)
	if !read || marks == nil {
		return nil
	}
	return &action{does: "write the status of " + key.Name, act: func(u *sim.User) sim.Outcome {
		live := u.Set(key)
		if live == nil {
			return refusal(unreadable(notFound(key)))
		}
		meta := marks.Meta(&live.Meta)
		if err := u.WriteStatus(key, manifest.ServedStatus(&status, u.Now()), meta.Labels, meta.Annotations); err != nil {
			return refusal(err)
		}
		stored := u.Set(key)
		if stored.ResourceVersion == live.ResourceVersion {
			return sim.Outcome{Effect: timeline.Unchanged}
		}
		return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
	}}
}

// deleteRevision returns the action that deletes a ControllerRevision. The controller writes it again if it needs it.
func (s *step) deleteRevision(name string) *action {
	key := s.key(name)
	return &action{does: "delete the ControllerRevision " + name, act: func(u *sim.User) sim.Outcome {
		if err := u.DeleteRevision(key); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}

// patched returns the object that a patch names: the key of its kind, "" for a set.
func patched(m *strict.Map) string {
	for _, key := range []string{"pod", "pvc", "claim"} {
		if m.Has(key) {
			return key
		}
	}
	return ""
}
