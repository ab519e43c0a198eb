package versus

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// drawRun draws a run with few different events at few instants, so that two of them often have something in common.
func drawRun(t *rapid.T) []timeline.Event {
	var run []timeline.Event
	at, steps := 0, 0
	for range rapid.IntRange(0, 12).Draw(t, "events") {
		at += rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "later")
		name := rapid.SampledFrom([]string{"web-0", "web-1"}).Draw(t, "pod")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			run = append(run, pod(at, name, 1, timeline.Pending))
		case 1:
			run = append(run, says(at, model.Status{Ready: int32(rapid.IntRange(0, 1).Draw(t, "ready")), UpdateRevision: name}))
		case 2:
			run = append(run, revision(at, model.Added, name))
		case 3:
			steps++
			refusal := rapid.SampledFrom([]string{"", "no"}).Draw(t, "refusal")
			run = append(run, timeline.Entry{
				T: seconds(at), Kind: timeline.KindStep, Step: &timeline.Step{Number: steps, Refusal: refusal},
			}.Event())
		}
	}
	return run
}

// TestCommon: what two runs begin with alike is passed over, and where they diverge is the same as without that.
func TestCommon(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		head := drawRun(rt)
		var runs [2][]timeline.Event
		for i := range runs {
			tail := drawRun(rt)
			runs[i] = append(head[:len(head):len(head)], tail...)
			for j := len(head); j < len(runs[i]) && len(head) > 0; j++ {
				runs[i][j].T += head[len(head)-1].T
			}
		}
		n := common(runs[0], runs[1])
		require.LessOrEqual(rt, n, min(len(runs[0]), len(runs[1])))
		found := Find(runs[0], runs[1])
		for level := Pods; level <= Words; level++ {
			whole := part(Moments(runs[0]), Moments(runs[1]), level)
			if whole == nil {
				continue
			}
			whole.fill(runs[0], runs[1])
			require.Equal(rt, whole, found)
			return
		}
		require.Nil(rt, found)
	})
	same := []timeline.Event{pod(1, "web-0", 1, timeline.Pending), pod(5, "web-0", 1, timeline.Ready)}
	require.Equal(t, 1, common(same, same), "all but the last moment")
}
