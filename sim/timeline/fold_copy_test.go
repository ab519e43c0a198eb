package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestFoldCopy copies a fold in the middle of a run: the copy goes on as the fold would have, and the fold stays as it
// is.
func TestFoldCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var whole, first timeline.Fold
		before := rapid.IntRange(0, 20).Draw(t, "before")
		for range before {
			e := drawCluster(t, whole.T)
			whole.Apply(&e)
			first.Apply(&e)
		}
		left := described(&first)
		copied := first.Copy()
		for range rapid.IntRange(0, 20).Draw(t, "after") {
			e := drawCluster(t, whole.T)
			whole.Apply(&e)
			copied.Apply(&e)
			require.Equal(t, described(&whole), described(&copied))
		}
		require.Equal(t, left, described(&first))
	})
}

// drawCluster draws a change of a pod, of a set, of a claim or of a node.
func drawCluster(t *rapid.T, now model.Time) timeline.Event {
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 5:
		return timeline.Entry{T: now, Kind: timeline.KindNode, Node: "node-1", NodeState: &timeline.Node{
			Up: rapid.Bool().Draw(t, "up"),
		}}.Event()
	case 6:
		return timeline.Entry{T: now, Kind: timeline.KindNode, Reason: timeline.ReasonAllNodesDown}.Event()
	case 0:
		return timeline.Entry{T: now, Kind: timeline.KindClaim, Set: web, Claim: &timeline.Claim{
			Type: rapid.SampledFrom([]model.ChangeType{model.Added, model.Modified, model.Deleted}).Draw(t, "change"),
			Name: "data-web-0", Phase: "Bound",
		}}.Event()
	case 1:
		return timeline.Entry{T: now, Kind: timeline.KindStatus, Set: web, Status: &model.Status{
			Replicas: rapid.Int32Range(0, 3).Draw(t, "replicas"),
		}}.Event()
	default:
		return drawChange(t, now)
	}
}

// described is all that a fold says of its sets.
func described(f *timeline.Fold) string {
	var b strings.Builder
	fmt.Fprintln(&b, f.T, f.Index)
	for _, set := range f.Sets() {
		fmt.Fprintln(&b, set.Key, set.Status, set.Spec.Spec.Template.ID, set.Ready(), set.SpecChanges, set.PodChanges)
		for p := range set.Pods.All {
			fmt.Fprintf(&b, "%+v\n", *p)
		}
	}
	if node := f.Node("node-1"); node != nil {
		fmt.Fprintf(&b, "%+v\n", *node)
	}
	for _, c := range f.Claims() {
		fmt.Fprintf(&b, "%+v\n", *c)
	}
	return b.String()
}
