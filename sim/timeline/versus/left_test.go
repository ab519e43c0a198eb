package versus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func revision(t int, how model.ChangeType, name string) timeline.Event {
	return timeline.Entry{
		T: seconds(t), Kind: timeline.KindRevision, Set: web, Rev: &timeline.Rev{Type: how, Name: name},
	}.Event()
}

func claim(t int, how model.ChangeType, name, phase string, owners ...string) timeline.Event {
	return timeline.Entry{
		T: seconds(t), Kind: timeline.KindClaim, Set: web,
		Claim: &timeline.Claim{Type: how, Name: name, Phase: phase, Owners: owners},
	}.Event()
}

func says(t int, s model.Status) timeline.Event {
	return timeline.Entry{T: seconds(t), Kind: timeline.KindStatus, Set: web, Status: &s}.Event()
}

// TestCompare: a comparison goes on after the first difference: what is left at the end counts, and so do the fields of
// the status that differ later.
func TestCompare(t *testing.T) {
	pods := []timeline.Event{pod(1, "web-0", 1, timeline.Pending), pod(9, "web-0", 1, timeline.Ready)}
	with := func(events ...timeline.Event) []timeline.Event { return append(append(pods[:1:1], events...), pods[1]) }
	added, deleted := model.Added, model.Deleted
	two := with(revision(2, added, "a"), revision(3, added, "b"), claim(4, added, "data", "Pending"))
	cases := []struct {
		name  string
		a, b  []timeline.Event
		level Level
		left  [2]string
		later []string
	}{
		{"revisions", two, with(append(two[1:4:4], revision(8, deleted, "a"))...), Objects,
			[2]string{"2 ControllerRevisions of web", "1 ControllerRevisions of web"}, nil},
		{"a claim", two, two[:3], Pods, [2]string{"the claim data", "no claim data"}, nil},
		{"its phase and its owners", two, with(append(two[1:4:4], claim(5, model.Modified, "data", "Bound", "Pod/web-0"))...), Objects,
			[2]string{"the claim data Pending", "the claim data Bound, of Pod/web-0"}, nil},
		{"many", two, append(two[:4:4], claim(5, added, "b", "Bound"), claim(5, added, "c", "Bound"), claim(5, added, "d", "Bound"),
			claim(5, added, "e", "Bound"), claim(5, added, "f", "Bound"), pods[1]), Objects,
			[2]string{"no claim b, no claim c, no claim d, no claim e, 1 more",
				"the claim b, the claim c, the claim d, the claim e, 1 more"}, nil},
		{"the status, and more of it later",
			with(says(2, model.Status{Available: 0}), says(4, model.Status{Available: 0, Updated: 1})),
			with(says(2, model.Status{Available: 1}), says(4, model.Status{Available: 1, Updated: 2})),
			Status, [2]string{}, []string{"status.updatedReplicas"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := Compare(c.a, c.b)
			require.NotNil(t, p)
			require.Equal(t, c.level, p.Level)
			require.Equal(t, c.left, p.Left)
			require.Equal(t, c.later, p.Later)
			require.Nil(t, Compare(c.a, c.a))
			require.Equal(t, [][]int{{0, 2}, {1}}, Groups([][]timeline.Event{c.a, c.b, c.a}))
		})
	}
}
