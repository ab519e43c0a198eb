package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// shared returns the causes that several stuck sets have in common, those of the most sets first. A set counts for the
// first of its causes.
func shared(sets []*LiveSet) []Cause {
	var causes []Cause
	places := map[string]int{}
	for _, s := range sets {
		if !s.Stuck() || len(s.Judgement.Causes) == 0 {
			continue
		}
		what := s.Judgement.Causes[0].Sentence
		place, known := places[what]
		if !known {
			place = len(causes)
			places[what] = place
			causes = append(causes, Cause{What: what})
		}
		causes[place].Sets = append(causes[place].Sets, s.Key().String())
	}
	causes = slices.DeleteFunc(causes, func(c Cause) bool { return len(c.Sets) < 2 })
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(len(b.Sets), len(a.Sets)) })
	return causes
}

// mostInCommon is the number of sets of a cause that are named in text.
const mostInCommon = 4

// InCommon says of each of the causes how many sets it keeps stuck, and which.
func (l *Live) InCommon() []string {
	var sentences []string
	for _, c := range l.Causes {
		sentences = append(sentences, fmt.Sprintf("%s are stuck for one reason: %s (%s).",
			render.Count(len(c.Sets), "set"), c.What, render.List(c.Sets, mostInCommon)))
	}
	return sentences
}
