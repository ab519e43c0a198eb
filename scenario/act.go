package scenario

import (
	"slices"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// Acting is the context of a step that is read alone: the nodes of the cluster, and whether its kubelet follows the
// probes of the manifests. Verbs are the verbs that the step may have.
type Acting struct {
	Cluster sim.Cluster
	Probed  bool
	Verbs   []string
	Limits  strict.Limits
}

// ReadStep reads one step for a cluster that runs already, without a time and without what earlier steps tell: that an
// object does not exist shows when the step acts. name is what messages call the text. The error is strict.Problems.
func ReadStep(name string, text []byte, a Acting) (*sim.Step, error) {
	l := newLoader(name, nil, Options{Limits: a.Limits})
	l.census.lost, l.census.anyPod, l.probed, l.scenario.Cluster = true, true, a.Probed, a.Cluster
	docs, problems := strict.Parse(name, text, a.Limits)
	root, problems := strict.One(name, docs, problems)
	if err := problems.Err(); err != nil || root == nil {
		return nil, err
	}
	m := l.r.Map(root, "a step")
	for _, key := range m.Keys() {
		if !slices.Contains(a.Verbs, key) && key != "namespace" && key != "name" {
			l.r.Problem(m.Key(key), strict.Shorten(key)+" is not a step that can be done by hand",
				"it must be one of "+strict.List(a.Verbs))
		}
	}
	if l.err() != nil {
		return nil, l.err()
	}
	step := l.step(1, root)
	if err := l.err(); err != nil {
		return nil, err
	}
	return step, nil
}
