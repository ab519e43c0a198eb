package explain

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// stuckFor is a set of the namespace a that is stuck for a cause.
func stuckFor(name, cause string) *DumpedSet {
	return &DumpedSet{Namespace: "a", Name: name, Judgement: judge.Judgement{
		State: judge.Stuck, Causes: []judge.Cause{{Name: "x", Sentence: cause}},
	}}
}

// TestSharedCausesInOrder: the cause of the most sets comes first, its sets in the order of the explanation, and a set
// that is not stuck has none.
func TestSharedCausesInOrder(t *testing.T) {
	var sets []*DumpedSet
	for i, cause := range []string{"x", "y", "y", "z", "x", "y"} {
		sets = append(sets, stuckFor(cause+strconv.Itoa(i), cause))
	}
	sets[5].State = judge.Continues
	sets = append(sets, stuckFor("web", "x"))
	require.Equal(t, []Cause{
		{What: "x", Sets: []string{"a/x0", "a/x4", "a/web"}},
		{What: "y", Sets: []string{"a/y1", "a/y2"}},
	}, shared(sets))
}

// TestSharedCausesComeFirst: the text names what helps several sets before it comes to the sets.
func TestSharedCausesComeFirst(t *testing.T) {
	dumped := &Dumped{Causes: []Cause{{What: "no", Sets: []string{"a/b", "c/d"}}}, Sets: []*DumpedSet{{AtRest: true, Judgement: judge.Judgement{State: judge.AtRest}}}}
	var text strings.Builder
	require.NoError(t, dumped.Document().Text(&text, render.Style{}))
	require.Equal(t, "  - 2 sets are stuck for one reason: no (a/b, c/d).", strings.Split(text.String(), "\n")[1])
}
