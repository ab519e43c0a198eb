package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSetsOf: each set that waits is named once, in the order in which they are found, and a hundred thousand of them
// take no minute.
func TestSetsOf(t *testing.T) {
	var stuck []timeline.Stuck
	var want []model.Key
	for i := range 100_000 {
		set := model.Key{Namespace: "default", Name: fmt.Sprintf("a-set-with-a-long-name-%d", i)}
		stuck = append(stuck, timeline.Stuck{Set: set}, timeline.Stuck{Set: set})
		want = append(want, set)
	}
	begin := time.Now()
	require.Equal(t, want, setsOf(stuck))
	require.Less(t, time.Since(begin), 5*time.Second)
}
