package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// keepClaim notes a claim of the step's manifests; nil is one that could not be read.
func (s *step) keepClaim(claim *model.Claim) {
	if claim != nil {
		s.claims = append(s.claims, claim)
		s.census.claims[model.Key{Namespace: cmp.Or(claim.Namespace, s.namespace), Name: claim.Name}] = true
	}
}

// putClaim creates, applies or replaces a claim. For an existing claim only the spec counts: its labels and
// annotations matter to no StatefulSet.
func putClaim(u *sim.User, verb string, claim *model.Claim, namespace string, classes manifest.Classes) sim.Outcome {
	wanted := *claim
	wanted.Namespace = cmp.Or(claim.Namespace, namespace)
	live := u.Claim(wanted.Key())
	switch {
	case live != nil && verb == "create":
		return refusal(&model.APIError{Reason: model.AlreadyExists,
			Message: fmt.Sprintf("persistentvolumeclaims %q already exists", wanted.Name)})
	case live == nil && verb == "replace":
		return refusal(&model.APIError{Reason: model.NotFound,
			Message: fmt.Sprintf("persistentvolumeclaims %q not found", wanted.Name)})
	case live != nil:
		changed, problems := manifest.ChangeClaim(live, &wanted, verb == "replace")
		if err := classes.Forbids(live, changed); err != nil && len(problems) == 0 {
			return refusal(err)
		}
		stored, err := u.ChangeClaim(changed, problems)
		if err != nil {
			return refusal(err)
		}
		if stored.ResourceVersion == live.ResourceVersion {
			return sim.Outcome{Effect: timeline.Unchanged}
		}
		return sim.Outcome{Effect: timeline.Configured}
	}
	if err := u.CreateClaim(&wanted); err != nil {
		return refusal(err)
	}
	return sim.Outcome{Effect: timeline.Created}
}

// claim finds the claim with a name: it must be TEMPLATE-SET-ORDINAL of a known set, or a claim that a manifest
// names. The template's name is not checked, since it may come from a set that is deleted by now.
func (s *step) claim(n *yaml.Node, name string) (model.Key, bool) {
	if s.census.claims[s.key(name)] {
		return s.key(name), true
	}
	prefix, ordinal := model.SplitPodName(name)
	if ordinal < 0 || !strings.Contains(prefix, "-") {
		s.r.Problem(n, fmt.Sprintf("%q is not the name of a claim of a StatefulSet", strict.Shorten(name)),
			"write TEMPLATE-SET-ORDINAL, like data-web-0")
		return model.Key{}, false
	}
	sets := setsOfClaim(prefix)
	if s.census.lost || slices.Contains(s.census.namespaces(sets), s.namespace) {
		return s.key(name), true
	}
	what := fmt.Sprintf("the claim %s belongs to no StatefulSet of the namespace %s", strict.Shorten(name), s.namespace)
	namespace, ok := s.elsewhere(taken{sets, n, what, s.census.nearest("")})
	return model.Key{Namespace: namespace, Name: name}, ok
}

// setsOfClaim lists the names that the set of a claim may have. prefix is the claim's name without its ordinal.
func setsOfClaim(prefix string) []string {
	var sets []string
	for _, rest, found := strings.Cut(prefix, "-"); found; _, rest, found = strings.Cut(rest, "-") {
		sets = append(sets, rest)
	}
	return sets
}

// awaitedClaim finds the claim that a command waits for as claim does, but no name is a problem: waiting for a claim
// that never comes ends with the timeout.
func (s *step) awaitedClaim(n *yaml.Node, name string) model.Key {
	prefix, _ := model.SplitPodName(name)
	namespaces := s.census.namespaces(setsOfClaim(prefix))
	if s.m.Has("namespace") || s.census.lost || s.census.claims[s.key(name)] || len(namespaces) != 1 {
		return s.key(name)
	}
	key, _ := s.claim(n, name)
	return key
}

// deleteClaim returns the action that deletes a claim. With force it also takes the finalizers away,
// kubernetes.io/pvc-protection among them: the claim is then deleted although a pod uses it. at is the place of the
// name.
func (s *step) deleteClaim(at *yaml.Node, name string, force bool) *action {
	key, ok := s.claim(at, name)
	if !ok {
		return nil
	}
	does := "delete the claim " + name
	if force {
		does += " and take its finalizers away"
	}
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		if u.Claim(key) == nil {
			warning := fmt.Sprintf("it did nothing: there is no claim %s at %ss", name, u.Now().Seconds())
			none := sim.Outcome{Effect: timeline.None, Warning: warning, Claim: key}
			return s.absent(none, fmt.Sprintf("persistentvolumeclaims %q not found", name))
		}
		if err := u.DeleteClaim(key, force); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: timeline.Deleted, Claim: key}
	}}
}
