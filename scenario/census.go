package scenario

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// census is what can be known before the run about the objects that the steps so far create. Steps are checked against
// it, so that a misspelled name is a problem with a line and not a refusal in the middle of a run. It only grows: a
// set that a step deletes stays known, because a later step may be meant to be refused, and deletions take time.
type census struct {
	// keys are the sets in the order in which steps create them, each once. The three maps are indexes of it, so that a
	// step is checked in O(1).
	keys        []model.Key
	byKey       map[model.Key]*known
	byNamespace map[string][]model.Key
	byName      map[string][]model.Key
	// pods are the pods that steps create by hand.
	pods map[model.Key]bool
	// claims are the claims that steps create, or that the templates of sets name.
	claims map[model.Key]bool
	// classes are the StorageClasses that steps create. A step knows the classes of earlier steps, and its own.
	classes manifest.Classes
	// lost is true if a step that creates sets could not be read, so there may be more sets. Then an unknown name
	// is not a problem: it would only repeat the first one.
	lost bool
	// anyPod is true if pods may have any name, because the pods of other controllers are not known.
	anyPod bool
}

// known is a set that a step creates, or that a dump has.
type known struct {
	// containers and inits are the names of the containers and of the init containers as the last step that writes the
	// template has left them. uncertain is true if a patch may have changed them: then no name is refused.
	containers, inits []string
	uncertain         bool
}

// newCensus returns the census of an empty cluster.
func newCensus() *census {
	return &census{
		byKey: map[model.Key]*known{}, byNamespace: map[string][]model.Key{}, byName: map[string][]model.Key{},
		pods: map[model.Key]bool{}, claims: map[model.Key]bool{},
	}
}

// made notes that a step creates a set, or changes its containers, and the claims that its templates name.
func (c *census) made(key model.Key, set *manifest.Set) {
	for _, name := range set.ClaimsNamed() {
		c.claims[model.Key{Namespace: key.Namespace, Name: name}] = true
	}
	containers, inits := set.Containers()
	if k := c.byKey[key]; k != nil {
		k.containers, k.inits = containers, inits
		return
	}
	c.add(key, &known{containers: containers, inits: inits})
}

// add notes a set that was not known. The key must be new.
func (c *census) add(key model.Key, k *known) {
	c.keys = append(c.keys, key)
	c.byKey[key] = k
	c.byNamespace[key.Namespace] = append(c.byNamespace[key.Namespace], key)
	c.byName[key.Name] = append(c.byName[key.Name], key)
}

// missing reports whether it is certain that no step has made a set of that key.
func (c *census) missing(key model.Key) bool { return c.byKey[key] == nil && !c.lost }

// nearest suggests which set may be meant by a name that no set has; "" asks for all. A set of that name in another
// namespace is the best guess.
func (c *census) nearest(name string) string {
	if len(c.keys) == 0 {
		return "no earlier step creates one"
	}
	if namespaces := c.namespaces([]string{name}); len(namespaces) > 0 {
		return addNamespace(namespaces)
	}
	return "earlier steps create " + candidates(c.keys)
}

// candidates lists keys for a message, at most twenty.
func candidates(keys []model.Key) string {
	const most = 20
	var names []string
	for _, key := range keys[:min(len(keys), most)] {
		names = append(names, key.String())
	}
	if len(keys) > most {
		names = append(names, "and more")
	}
	return strict.List(names)
}

// set finds the set that a step names, or the only one if it names none: in its namespace if it has one, else in
// all. A set that no earlier step creates is a problem, unless the step expects to be refused. It returns false,
// without a further problem, if the census is lost.
func (s *step) set(m *strict.Map) (model.Key, bool) {
	if m.Has("statefulset") {
		return s.named(m.Value("statefulset"), m.String("statefulset"))
	}
	keys := s.census.keys
	if s.m.Has("namespace") {
		keys = s.census.byNamespace[s.namespace]
	}
	switch {
	case len(keys) == 1:
		return keys[0], true
	case s.census.lost:
	case len(keys) == 0:
		s.r.Problem(s.m.Key(s.verb), "there is no StatefulSet at this step", s.census.nearest(""))
	default:
		s.r.Problem(s.m.Key(s.verb), s.verb+" does not name its statefulset", "name one of "+candidates(keys))
	}
	return model.Key{}, false
}

// named finds the set with a name, which is at n: in the step's namespace or, if the step does not name one, the
// only one with that name in another namespace. A step that expects to be refused may name a set that does not
// exist.
func (s *step) named(n *yaml.Node, name string) (model.Key, bool) {
	key := s.key(name)
	if !s.given(n, name, "web") {
		return key, false
	}
	if !s.census.missing(key) || s.refused && (len(s.census.byName[name]) == 0 || s.refusedAsMissing(key)) {
		return key, true
	}
	what := "there is no StatefulSet " + strict.Shorten(key.String()) + " at this step"
	if _, of, slash := strings.Cut(name, "/"); slash {
		s.r.Problem(n, strict.Shorten(name)+" is no name of a StatefulSet", "sim knows StatefulSets: write "+strict.Shorten(of))
		return key, false
	}
	namespace, ok := s.elsewhere(taken{[]string{name}, n, what, s.census.nearest(name)})
	return model.Key{Namespace: namespace, Name: name}, ok
}

// given reports whether a name was given, which is at n. An empty text is a problem, and a value that is not a text
// has its problem already: a step without its object must never be skipped silently.
func (s *step) given(n *yaml.Node, name, like string) bool {
	if name == "" && n.ShortTag() == "!!str" {
		s.r.Problem(n, "the name is empty", "write one like "+like)
	}
	return name != ""
}

// pod finds the pod with a name, which is at n: it must be SET-ORDINAL of a known set, or any name that an earlier
// step or a dump has given to a pod. The ordinal may be above spec.replicas: a later scale-up may create it.
func (s *step) pod(n *yaml.Node, name string) (model.Key, bool) {
	if s.census.anyPod || s.census.pods[s.key(name)] {
		return s.key(name), true
	}
	set, ordinal := model.SplitPodName(name)
	if ordinal < 0 {
		s.r.Problem(n, fmt.Sprintf("%q is not the name of a pod of a StatefulSet", strict.Shorten(name)),
			"write SET-ORDINAL, like web-0")
		return model.Key{}, false
	}
	if !s.census.missing(s.key(set)) {
		return s.key(name), true
	}
	what := fmt.Sprintf("the pod %s belongs to no StatefulSet of the namespace %s", strict.Shorten(name), s.namespace)
	namespace, ok := s.elsewhere(taken{[]string{set}, n, what, s.census.nearest(set)})
	return model.Key{Namespace: namespace, Name: name}, ok
}
