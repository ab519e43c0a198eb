package explore_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// trapped is a scenario in which the search finds something at once.
const trapped = `kubernetes: "1.27"
steps:
  - create: {name: web, replicas: 3, image: "a:1", podManagementPolicy: Parallel, minReadySeconds: 5}
  - setImage: {image: "a:2"}
`

// interruptedAfter explores trapped, and interrupts when the search has asked so often. The report is nil if that was
// before there was anything to explore. It also returns how often it was asked.
func interruptedAfter(t *testing.T, after int, giveUp func() bool) (*explore.Report, int) {
	asked := 0
	source := &explore.Source{Name: "web.yaml", Data: []byte(trapped), GiveUp: giveUp}
	source.Interrupted = func() bool { asked++; return asked > after }
	x, err := explore.New(source)
	if errors.Is(err, search.ErrCut) {
		return nil, asked
	}
	require.NoError(t, err)
	part, err := x.Explore(explore.Settings{Deviations: 2, Runs: 500, Random: 50, Seed: 1, Stop: source.Interrupted})
	require.NoError(t, err, "interrupted after %d questions", after)
	return explore.NewReport([]*explore.Part{part}), asked
}

// TestInterruptedAnywhere: wherever a search is interrupted, also in the middle of a run or while a finding is
// described, what it had found is told. A finding is one of the whole search, and its story ends with the breach of its
// class.
func TestInterruptedAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	whole, questions := interruptedAfter(t, math.MaxInt, nil)
	require.NotEmpty(t, whole.Found)
	require.False(t, whole.Searched.Stopped)
	told := 0
	for after := 0; after < questions; after += 1 + questions/40 {
		r, _ := interruptedAfter(t, after, nil)
		if r == nil {
			continue
		}
		for _, f := range r.Found {
			told++
			require.NotEmpty(t, f.Story)
			require.Equal(t, f.Class, f.Breaks[len(f.Breaks)-1])
			require.NotEmpty(t, f.Events)
		}
	}
	require.Greater(t, told, 5)
}

// TestGivenUp: a finding for whose story there is no time is told in the words of the search, and reports with it can
// be printed and merged.
func TestGivenUp(t *testing.T) {
	whole, questions := interruptedAfter(t, math.MaxInt, nil)
	r, _ := interruptedAfter(t, questions*3/4, func() bool { return true })
	require.NotEmpty(t, r.Found)
	f := r.Found[0]
	require.Equal(t, whole.Found[0].Promise, f.Promise)
	require.NotEmpty(t, f.Says)
	require.NotEmpty(t, f.Token)
	require.Empty(t, f.Scenario)
	require.Equal(t, []string{
		"the search was interrupted before this run was described: play it again to see what happens",
	}, f.Story)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	var read explore.Report
	require.NoError(t, json.Unmarshal(data, &read))
	_, err = explore.Merge([]*explore.Report{&read})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, explore.Text(&text, r, render.Style{}, func(*explore.Found) string { return "sim explore" }))
	require.Contains(t, text.String(), "the search was interrupted before this run was described")
	require.Contains(t, text.String(), "it was stopped before it was complete")
}
