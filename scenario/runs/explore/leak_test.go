package explore_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/runs/explore"
	"github.com/statefulsim/statefulsim/sim/checks/search"
)

// TestRunsLeaveNothing searches where calls take time: runs that end early, because another one was there before, leave
// no sync behind that waits for an answer, and no coroutine.
func TestRunsLeaveNothing(t *testing.T) {
	x, err := explore.New(&explore.Source{Name: "web.yaml", Data: []byte(`apiserver: {write: 100ms, watch: 50ms}
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
`)})
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	search.Search(search.Options{Subject: x.Subject, Open: x.Open, Deviations: 2, Runs: 300, Seed: 1})
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}
