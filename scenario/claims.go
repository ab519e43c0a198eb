package scenario

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// claim checks a claim's name: it must be one that a known set can give.
func (s *step) claim(n *yaml.Node, name string) (model.Key, bool) {
	prefix, ordinal := model.SplitPodName(name)
	if ordinal < 0 || !strings.Contains(prefix, "-") {
		s.r.Problem(n, fmt.Sprintf("%q is not the name of a claim of a StatefulSet", strict.Shorten(name)),
			"write TEMPLATE-SET-ORDINAL, like data-web-0")
		return model.Key{}, false
	}
	ofSet := func(set model.Key) bool { return strings.HasSuffix(prefix, "-"+set.Name) }
	if !s.census.lost && !slices.ContainsFunc(s.census.byNamespace[s.namespace], ofSet) {
		s.r.Problem(n, fmt.Sprintf("the claim %s belongs to no StatefulSet of the namespace %s",
			strict.Shorten(name), s.namespace), s.census.nearest(""))
		return model.Key{}, false
	}
	return s.key(name), true
}

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
			return sim.Outcome{Effect: timeline.None, Warning: warning, Claim: key}
		}
		if err := u.DeleteClaim(key, force); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: timeline.Deleted, Claim: key}
	}}
}
