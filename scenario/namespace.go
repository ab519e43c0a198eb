package scenario

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// taken is a name in a step that was resolved to a set in another namespace than the step's. That holds only if no
// later step or fault gives the name to a set in a further namespace: then the name must have its namespace.
type taken struct {
	// names are the names that the set may have: a claim data-my-web-0 may be of my-web and of web.
	names []string
	// at, what and want are the problem if the name turns out to belong to several sets.
	at         *yaml.Node
	what, want string
}

// elsewhere finds the namespace that a step without one means by something of a set that its own namespace does not
// have: the only one with a set with one of the names. If there are none or several, or the step names its
// namespace, it notes the problem, and returns false.
func (s *step) elsewhere(t taken) (string, bool) {
	namespaces := s.census.namespaces(t.names)
	if s.m.Has("namespace") || len(namespaces) != 1 {
		s.r.Problem(t.at, t.what, t.want)
		return "", false
	}
	s.taken = append(s.taken, t)
	return namespaces[0], true
}

// stillClear notes a problem for each name that was clear at its step, but belongs to several sets of the run.
func (l *loader) stillClear() {
	for _, t := range l.taken {
		if len(l.census.namespaces(t.names)) > 1 {
			l.r.Problem(t.at, t.what, t.want)
		}
	}
}

// namespaces lists the namespaces that have a set of one of the names, in the order of the steps.
func (c *census) namespaces(names []string) []string {
	var namespaces []string
	for _, name := range names {
		for _, key := range c.byName[name] {
			if !slices.Contains(namespaces, key.Namespace) {
				namespaces = append(namespaces, key.Namespace)
			}
		}
	}
	return namespaces
}

// addNamespace is the advice for a name that only sets of other namespaces have.
func addNamespace(namespaces []string) string {
	if len(namespaces) == 1 {
		return "it is in the namespace " + namespaces[0] + ": add namespace: " + namespaces[0]
	}
	return "it is in the namespaces " + strict.List(namespaces) + ": add namespace: " +
		strings.Join(namespaces, " or namespace: ")
}

// refusedAsMissing reports whether the step expects kubectl's answer for a missing set.
func (s *step) refusedAsMissing(key model.Key) bool {
	answer := strings.ToLower(unreadable(notFound(key)).Message)
	return s.refused && strings.Contains(answer, strings.ToLower(s.out.Refused))
}
