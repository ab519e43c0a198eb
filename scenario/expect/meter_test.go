package expect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// crowd is the timeline of a set with so many pods, one of which becomes Ready at each second.
func crowd(replicas int) []timeline.Event {
	events := []timeline.Event{timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Kubernetes: "1.36.3"}}.Event(), stepEvent(0, setOf(int32(replicas)))}
	events[1].Step.Number, events[1].Step.Verb = 1, "create"
	for i := range replicas {
		events = append(events, podEvent(0, fmt.Sprintf("web-%d", i), timeline.Pending))
	}
	for i := range replicas {
		events = append(events, podEvent(model.Time(i)*1e9, fmt.Sprintf("web-%d", i), timeline.Ready))
	}
	return append(events, timeline.Entry{T: model.Time(replicas) * 1e9, Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
}

// TestJudgeUntil: judging ends where conditions cost too much together, or where nobody wants it any more, and then no
// expectation has held, whatever it is about.
func TestJudgeUntil(t *testing.T) {
	events := crowd(condition.Patience + 100)
	text := "- eventually: pods.filter(p, p.ready).size() > 1000000\n- ends: settled\n"
	list, problems := Load("f.yaml", []byte(text), strict.Limits{}, events)
	require.Empty(t, problems)
	require.Equal(t, Held, Judge(list, events)[1].Outcome)
	for want, guard := range map[string]Guard{
		"the conditions of the run cost more than 1500 together: --max-cost raises the limit": {Cost: 1500},
		"enough": {Stop: func() string { return "enough" }},
	} {
		for _, v := range JudgeUntil(list, events, guard) {
			assert.Equal(t, Failed, v.Outcome, v.Text)
			assert.Equal(t, "judging ended early: "+want, v.Detail)
		}
	}
}

// TestPodsOnceAnEvaluation: however often a condition names the pods, they are one list, so that a list of lists of them
// holds no more than its own elements.
func TestPodsOnceAnEvaluation(t *testing.T) {
	f := folded(crowd(300)...)
	e := evaluatorOf(counted(t, "pods.map(p, pods).size() > 0"))
	e.Meter = &condition.Meter{}
	allocated := testing.AllocsPerRun(1, func() {
		e.Seen = nil
		held, err := e.At(f)
		require.NoError(t, err)
		require.True(t, held)
	})
	assert.Less(t, allocated, 20*300.0)
}

// TestEndedInTheMiddle: an evaluation that walks over the pods again and again is ended in the middle, by whoever wants no
// more of it and by what conditions may cost together.
func TestEndedInTheMiddle(t *testing.T) {
	f := folded(crowd(100)...)
	for want, m := range map[string]*condition.Meter{
		"enough": {Stop: func() string { return "enough" }},
		"the conditions of the run cost more than 5000 together: --max-cost raises the limit": {Limit: 5000},
	} {
		e := evaluatorOf(counted(t, "pods.map(p, pods.filter(q, q.ready).size()).size() > 0"))
		looks := int64(0)
		m.Pays = func(cost int64) string { looks += cost; return "" }
		e.Meter = m
		_, err := e.At(f)
		require.EqualError(t, err, want)
		assert.Less(t, looks, int64(6000), "of 10,100 looks at a pod")
	}
}
