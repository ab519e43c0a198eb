package placement

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// Undecided lists the requirements of some sets' templates that are not decided, each sentence once with the names
// of its sets, in the order of appearance.
func Undecided(cluster *sim.Cluster, sets []*model.StatefulSet) []string {
	filter := New(cluster)
	var said []string
	names := map[string][]string{}
	for _, set := range sets {
		for _, what := range filter.Undecided(set.Spec.Template) {
			if !slices.Contains(said, what) {
				said = append(said, what)
			}
			names[what] = append(names[what], set.Name)
		}
	}
	for i, what := range said {
		said[i] = sim.Few(names[what]) + ": " + what
	}
	return said
}
