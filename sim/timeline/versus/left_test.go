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

// TestStatusWords: each field in which two statuses differ is told of each side. A revision is named by its number, which
// it keeps when it is written again.
func TestStatusWords(t *testing.T) {
	made := []timeline.Event{revision(0, model.Added, "a"), revision(1, model.Added, "b"), revision(2, model.Modified, "a"),
		revision(2, model.Modified, "b")}
	for _, c := range []struct {
		name string
		a, b model.Status
		does [2]string
	}{
		{"replicas", model.Status{Replicas: 3}, model.Status{Replicas: 2},
			[2]string{"has status.replicas 3", "has status.replicas 2"}},
		{"ready and available", model.Status{Ready: 3, Available: 1}, model.Status{Ready: 2, Available: 2},
			[2]string{"has status.readyReplicas 3, status.availableReplicas 1", "has status.readyReplicas 2, status.availableReplicas 2"}},
		{"current and updated", model.Status{Current: 1}, model.Status{Updated: 1},
			[2]string{"has status.currentReplicas 1, status.updatedReplicas 0", "has status.currentReplicas 0, status.updatedReplicas 1"}},
		{"the current revision", model.Status{CurrentRevision: "a", UpdateRevision: "b"}, model.Status{CurrentRevision: "b", UpdateRevision: "b"},
			[2]string{"has status.currentRevision at the old revision", "has status.currentRevision at the update revision"}},
		{"the update revision", model.Status{CurrentRevision: "a", UpdateRevision: "a"}, model.Status{CurrentRevision: "a", UpdateRevision: "b"},
			[2]string{"has status.updateRevision at revision 1", "has status.updateRevision at revision 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Find(append(made[:4:4], says(3, c.a)), append(made[:4:4], says(3, c.b)))
			require.NotNil(t, p)
			require.Equal(t, c.does, p.Does())
		})
	}
	gone := timeline.Entry{T: seconds(3), Kind: timeline.KindStatus, Set: web}.Event()
	p := Find(append(made[:4:4], says(1, model.Status{Replicas: 1}), gone), append(made[:4:4], says(1, model.Status{Replicas: 1})))
	require.Equal(t, "has no set any more", p.Does()[0])
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
		{"that it is being deleted", two, with(append(two[1:4:4], claim(5, model.Modified, "data", timeline.PhaseTerminating))...), Objects,
			[2]string{"the claim data Pending", "the claim data Terminating"}, nil},
		{"many", two, append(two[:4:4], claim(5, added, "b", "Bound"), claim(5, added, "c", "Bound"), claim(5, added, "d", "Bound"),
			claim(5, added, "e", "Bound"), claim(5, added, "f", "Bound"), pods[1]), Objects,
			[2]string{"no claim b, no claim c, no claim d, no claim e, 1 more",
				"the claim b, the claim c, the claim d, the claim e, 1 more"}, nil},
		{"the status, and more of it later",
			with(says(2, model.Status{Available: 0}), says(4, model.Status{Available: 0, Updated: 1})),
			with(says(2, model.Status{Available: 1}), says(4, model.Status{Available: 1, Updated: 2})),
			Status, [2]string{}, []string{"status.updatedReplicas"}},
		{"the status, and several fields of it later",
			with(says(2, model.Status{}), says(4, model.Status{Updated: 1, Ready: 2})),
			with(says(2, model.Status{Available: 1}), says(4, model.Status{Available: 1, Updated: 2, Current: 3})),
			Status, [2]string{}, []string{"status.currentReplicas", "status.readyReplicas", "status.updatedReplicas"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := Compare(c.a, c.b)
			require.NotNil(t, p)
			require.Equal(t, c.level, p.Level)
			if p.Level == Objects {
				require.Equal(t, seconds(9), p.T, "what is left is a difference of the ends")
			}
			require.Equal(t, c.left, p.Left)
			require.Equal(t, c.later, p.Later)
			require.Nil(t, Compare(c.a, c.a))
			require.Equal(t, [][]int{{0, 2}, {1}}, Groups([][]timeline.Event{c.a, c.b, c.a}))
		})
	}
}

// TestWhatOnlyOneRunHas: a set that is left in one run only counts, and what is left differs when both runs have ended.
func TestWhatOnlyOneRunHas(t *testing.T) {
	short := []timeline.Event{step(1, 1, timeline.Created, "")}
	long := []timeline.Event{short[0], revision(4, model.Added, "a")}
	for _, runs := range [][2][]timeline.Event{{short, long}, {long, short}} {
		p := Compare(runs[0], runs[1])
		require.Equal(t, seconds(4), p.T)
		for i, run := range runs {
			require.Equal(t, []string{"", "0 ControllerRevisions of web", "1 ControllerRevisions of web"}[len(run)], p.Left[i])
		}
	}
}
