package scenario

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// create reads the short form of a StatefulSet, or real manifests for kubectl create. It returns nil if there is a
// problem, and then the census is lost. The short form is completed to a manifest (manifest.Short), so that both take
// the same way from here.
func (s *step) create() *action {
	if s.value.Kind != yaml.MappingNode || isManifest(s.value) {
		return s.manifests("create", creating())
	}
	m := s.r.Map(s.value, "create")
	if m.Has("template") {
		s.r.Problem(m.Key("template"), "the short form has no template", "write image instead, or apply a real manifest")
		s.census.lost = true
		return nil
	}
	if named, given := m.Need("name"), m.Need("image"); !named || !given {
		manifest.CheckShort(s.r, s.value)
		s.census.lost = true
		return nil
	}
	s.checkImage(m.Value("image"), m.String("image"))
	set := manifest.Short(s.r, s.value)
	if set == nil {
		s.census.lost = true
		return nil
	}
	s.expanded[s.value] = []*yaml.Node{node(set.Given)}
	return s.setsAction([]*manifest.Set{set}, creating())
}

// isManifest reports whether a mapping is an object of Kubernetes and not the short form. One of kind and
// apiVersion is enough: a manifest that lacks the other gets a message about that.
func isManifest(n *yaml.Node) bool {
	m := strict.Reader{}
	object := m.Map(n, "")
	return object.Has("kind") || object.Has("apiVersion")
}

// operation is the operation of a step on one StatefulSet of a manifest, in the namespace of the step unless the
// manifest names one. It runs in the world, once for each time that the step is played, and must not change the set,
// which all runs share.
type operation func(u *sim.User, set *manifest.Set, namespace string) sim.Outcome

// creating returns what kubectl create does: an existing set is refused with AlreadyExists. A sweep creates the same
// set in thousands of runs.
func creating() operation {
	made := modelled((*manifest.Set).New)
	return func(u *sim.User, set *manifest.Set, namespace string) sim.Outcome {
		wanted, err := made(set, namespace)
		if err != nil {
			return refusal(err)
		}
		return created(u, wanted)
	}
}

// modelled returns a function that turns a set of one step into the model's once, for all runs.
func modelled(made func(*manifest.Set, string) (*model.StatefulSet, *model.APIError)) func(*manifest.Set, string) (
	*model.StatefulSet, *model.APIError) {
	type result struct {
		set *model.StatefulSet
		err *model.APIError
	}
	var known lazy.Memo[*manifest.Set, result]
	return func(set *manifest.Set, namespace string) (*model.StatefulSet, *model.APIError) {
		of := known.Get(set, func() (r result) {
			r.set, r.err = made(set, namespace)
			return r
		})
		return of.set, of.err
	}
}

// created creates the set in the cluster.
func created(u *sim.User, wanted *model.StatefulSet) sim.Outcome {
	stored, err := u.Create(wanted)
	if err != nil {
		return refusal(err)
	}
	return sim.Outcome{Effect: timeline.Created, Sets: []*model.StatefulSet{stored}}
}

// applying returns what kubectl apply does on the client's side: a three-way merge of the last-applied
// configuration, the live set and the manifest. A set that was not made by apply has no last-applied annotation, so
// the first apply removes nothing from it; the outcome warns of that, as kubectl does.
func applying() operation {
	made := modelled((*manifest.Set).NewApplied)
	return func(u *sim.User, set *manifest.Set, namespace string) sim.Outcome {
		live := u.Set(model.Key{Namespace: set.Namespace(namespace), Name: set.Object.Name})
		if live != nil {
			return applied(u, set, live)
		}
		wanted, err := made(set, namespace)
		if err != nil {
			return refusal(err)
		}
		return created(u, wanted)
	}
}

// applied applies a manifest to a live set.
func applied(u *sim.User, set *manifest.Set, live *model.StatefulSet) sim.Outcome {
	wanted, changed, err := set.Apply(live)
	if err != nil {
		return refusal(err)
	}
	if !changed {
		return sim.Outcome{Effect: timeline.Unchanged}
	}
	outcome := update(u, live, wanted)
	if live.Annotations[manifest.LastApplied] == "" && outcome.Err == nil {
		outcome.Warning = fmt.Sprintf("%s was not made by apply: this first apply removes nothing from it", live.Key())
	}
	return outcome
}

// replaceSet does what kubectl replace does: the manifest takes the place of the live set, which must exist.
func replaceSet(u *sim.User, set *manifest.Set, namespace string) sim.Outcome {
	key := model.Key{Namespace: set.Namespace(namespace), Name: set.Object.Name}
	live := u.Set(key)
	if live == nil {
		return refusal(notFound(key))
	}
	wanted, err := set.Replace(live)
	if err != nil {
		return refusal(err)
	}
	return update(u, live, wanted)
}

// setsAction applies an operation to each set, in the order of the manifests. Like kubectl it continues after a
// refusal; the first refusal is the result of the step. Budgets, claims and Services come first, because sets and pods
// may need them. The overrides of the options change the sets here, before they are checked.
func (s *step) setsAction(sets []*manifest.Set, do operation) *action {
	s.warnTwice(sets)
	for _, set := range sets {
		for _, patch := range s.overrides {
			set.Override(s.r, patch)
		}
		s.checkSet(set)
	}
	namespace, verb, budgets, claims, classes := s.namespace, s.verb, s.budgets, s.claims, s.census.classes
	return &action{does: s.verb + " " + s.objectNames(sets), act: func(u *sim.User) sim.Outcome {
		total := sim.Outcome{Effect: timeline.None}
		for _, budget := range budgets {
			total = joinOutcomes(total, putBudget(u, verb, budget, namespace))
		}
		for _, claim := range claims {
			total = joinOutcomes(total, putClaim(u, verb, claim, namespace, classes))
		}
		for _, service := range s.services {
			total = joinOutcomes(total, s.putService(u, service))
		}
		for _, set := range sets {
			total = joinOutcomes(total, do(u, set, namespace))
		}
		return total
	}}
}

// warnTwice warns of a set that the manifests of one step have twice. That is legal: kubectl takes one after the
// other, and the last one wins.
func (s *step) warnTwice(sets []*manifest.Set) {
	seen := map[model.Key]bool{}
	for _, set := range sets {
		key := model.Key{Namespace: set.Namespace(s.namespace), Name: set.Object.Name}
		if seen[key] {
			s.warnings = append(s.warnings, strict.Problem{
				File: set.File, Line: set.Node.Line, Column: set.Node.Column,
				What: fmt.Sprintf("the StatefulSet %s occurs twice", key), Want: "each is taken, one after the other",
			})
		}
		seen[key] = true
	}
}

// checkSet checks what can be known of a set of a manifest before the run, and adds the set to the census. The limits
// of the options hold even for a step that expects to be refused, because they protect the simulator; the rules of the
// API server do not.
func (s *step) checkSet(set *manifest.Set) {
	key := model.Key{Namespace: set.Namespace(s.namespace), Name: set.Object.Name}
	if s.verb == "replace" && s.census.missing(key) && !s.refused {
		s.r.Problem(s.value, fmt.Sprintf("there is no StatefulSet %s to replace at this step", key),
			s.census.nearest(key.Name))
	}
	if s.m.Has("namespace") && key.Namespace != s.namespace {
		s.r.Problem(s.m.Value("namespace"), fmt.Sprintf("namespace is %s, but the manifest of %s names %s",
			s.namespace, key.Name, key.Namespace), "leave one of them out")
	}
	set.CheckLimits(s.r)
	s.warnDropped(set)
	if !s.refused {
		set.Check(s.r)
		if s.scenario.Profile.CheckClaims {
			set.CheckPods(s.r)
		}
	}
	s.census.made(key, set)
}

// objectNames names what is simulated of a step's manifests, for the description of the step: its sets or, if it has
// none, the Services, budgets and claims.
func (s *step) objectNames(sets []*manifest.Set) string {
	var names []string
	for _, set := range sets {
		names = append(names, set.Object.Name)
	}
	if len(names) == 0 {
		// With a set, its Services need no mention: their changes show in the answers of the DNS.
		for _, service := range s.services {
			names = append(names, "the Service "+service.Name())
		}
		for _, budget := range s.budgets {
			names = append(names, "the PodDisruptionBudget "+budget.Name)
		}
		for _, claim := range s.claims {
			names = append(names, "the claim "+claim.Name)
		}
	}
	if len(names) == 0 {
		return "nothing that is simulated"
	}
	return strict.List(names)
}

// effectRank orders effects by how much a user wants to hear of them: a step of several objects has the highest.
var effectRank = map[timeline.Effect]int{
	timeline.None: 0, timeline.Unchanged: 1, timeline.Configured: 2, timeline.Created: 3, timeline.Refused: 4,
}

// joinOutcomes combines what two objects of one step have done: the more important effect, the first error, the first
// warning, and all sets.
func joinOutcomes(a, b sim.Outcome) sim.Outcome {
	if effectRank[b.Effect] > effectRank[a.Effect] {
		a.Effect = b.Effect
	}
	if a.Err == nil {
		a.Err = b.Err
	}
	if a.Warning == "" {
		a.Warning = b.Warning
	}
	a.Sets = append(a.Sets, b.Sets...)
	return a
}
