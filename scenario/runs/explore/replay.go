package explore

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/sim/checks/search"
)

// Again plays one run again and reports what it breaks, each class once, in the order of the breaches. It is what `sim
// explore --replay` prints. The error is of type search.Diverged if the tape does not fit this scenario: it answers a
// question that the run does not ask; and search.ErrCut if the run was interrupted. A run that breaks nothing returns
// nil and no error.
func (x *Explorer) Again(tape []search.Deviation) ([]*Found, error) {
	_, breaches, err := x.Replay(tape)
	if err != nil {
		return nil, err
	}
	var found []*Found
	seen := map[string]bool{}
	for i := range breaches {
		class := breaches[i].Class()
		if seen[class] {
			continue
		}
		seen[class] = true
		told, err := x.Tell(search.Found{Finding: search.Finding{Class: class}, Tape: tape, Runs: 1})
		if err != nil {
			return nil, err
		}
		found = append(found, told)
	}
	return found, nil
}

// Comment returns the story of a finding as the head of its scenario: lines of YAML that begin with # and end with a
// line break. Sentences of a story have no line breaks, so each stays a comment.
func (f *Found) Comment() string {
	return fmt.Sprintf("# %s on %s: %s\n#\n# %s\n", f.Promise, f.Kubernetes, f.Says, strings.Join(f.Story, "\n# "))
}
