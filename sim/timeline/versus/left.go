package versus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Compare is Find, and continues: it also looks at what the runs leave behind and, if the statuses differ first, at
// the fields that differ later. It is nil only if there are no differences at all. Neither run may be empty.
func Compare(a, b []timeline.Event) *Parting {
	p, left := Find(a, b), Left(a, b)
	if p == nil && left[0] == left[1] {
		return nil
	}
	if p == nil {
		p = &Parting{Level: Objects, T: max(a[len(a)-1].T, b[len(b)-1].T)}
	}
	p.Left = left
	if p.Level == Status {
		p.Later = later(a, b, p.T)
	}
	return p
}

// Left returns what each of two runs has at its end and the other has not: the revisions of a set, by their number,
// and claims. Both are "" if they have the same. It names at most mostActs things. It folds both timelines.
func Left(a, b []timeline.Event) (left [2]string) {
	ends := [2]*objects{objectsOf(a), objectsOf(b)}
	var list [2][]string
	for _, set := range keys(ends[0].revisions, ends[1].revisions) {
		counts := [2]int{ends[0].revisions[set], ends[1].revisions[set]}
		for i, n := range counts {
			if counts[0] != counts[1] {
				list[i] = append(list[i], fmt.Sprintf("%d ControllerRevisions of %s", n, set.Name))
			}
		}
	}
	for _, claim := range keys(ends[0].claims, ends[1].claims) {
		for i := range ends {
			mine, others := ends[i].claims[claim], ends[1-i].claims[claim]
			switch {
			case mine == others:
			case mine == "":
				list[i] = append(list[i], "no claim "+claim.Name)
			case others == "":
				list[i] = append(list[i], "the claim "+claim.Name)
			default:
				list[i] = append(list[i], "the claim "+claim.Name+" "+mine)
			}
		}
	}
	for i := range list {
		if more := len(list[i]) - mostActs; more > 0 {
			list[i] = append(list[i][:mostActs], fmt.Sprintf("%d more", more))
		}
		left[i] = strings.Join(list[i], ", ")
	}
	return left
}

// objects are the claims that exist at the end of a run, and how many revisions each set has.
type objects struct {
	// revisions has every set that the run has had, also with 0 revisions.
	revisions map[model.Key]int
	// claims has the phase and the owners of each claim, as one text that is compared and shown.
	claims map[model.Key]string
}

// objectsOf folds a timeline and returns the objects at its end.
func objectsOf(events []timeline.Event) *objects {
	world := timeline.EndOf(events)
	o := &objects{revisions: map[model.Key]int{}, claims: map[model.Key]string{}}
	for _, set := range world.Known() {
		o.revisions[set.Key] = len(set.History())
	}
	for _, c := range world.Claims() {
		phase := c.Phase
		if c.Terminating {
			phase = timeline.PhaseTerminating
		}
		o.claims[model.Key{Namespace: c.Set.Namespace, Name: c.Name}] =
			strings.TrimSuffix(phase+", of "+strings.Join(c.Owners, " and "), ", of ")
	}
	return o
}

// keys are the keys of either of two maps, in their order.
func keys[V any](a, b map[model.Key]V) []model.Key {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.SortedFunc(maps.Keys(all), model.Key.Compare)
}

// later lists the status fields that differ after an instant but not yet at it, for two runs that differ in the
// status alone. It costs O(moments with a status x events), so it is for runs that a person looks at.
func later(a, b []timeline.Event, since model.Time) []string {
	var list []string
	first := differing(statuses(a, since), statuses(b, since))
	for _, m := range slices.Concat(Moments(a), Moments(b)) {
		if m.T <= since || len(m.Statuses) == 0 {
			continue
		}
		for _, field := range differing(statuses(a, m.T), statuses(b, m.T)) {
			if !slices.Contains(first, field) && !slices.Contains(list, field) {
				list = append(list, field)
			}
		}
	}
	slices.Sort(list)
	return list
}

// differing names the fields in which the statuses of the same sets differ.
func differing(a, b []Said) []string {
	var list []string
	for _, e := range a {
		for _, o := range b {
			if e.Set == o.Set && e.status != o.status {
				for _, field := range strings.Split(fields(e, o), ", ") {
					name, _, _ := strings.Cut(field, " ")
					list = append(list, name)
				}
			}
		}
	}
	return list
}
