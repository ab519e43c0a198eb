package workqueue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

func TestAKeyWaitsOnceAndTheOldestIsServedFirst(t *testing.T) {
	a, b := model.Key{Name: "a"}, model.Key{Name: "b"}
	var q workqueue.Queue
	for _, key := range []model.Key{a, b, a, b, a} {
		q.Add(key)
	}
	require.Equal(t, 2, q.Len())
	require.Equal(t, a, q.Get())
	q.Add(a)
	require.Equal(t, b, q.Get())
	require.Equal(t, a, q.Get())
	require.Zero(t, q.Len())
}

func TestRetriesAreDelayedMoreAndMore(t *testing.T) {
	key := model.Key{Name: "a"}
	var q workqueue.Queue
	var delays []time.Duration
	for range 4 {
		delays = append(delays, q.Fail(key))
	}
	require.Equal(t, []time.Duration{5e6, 10e6, 20e6, 40e6}, delays)
	for range 100 {
		delays = append(delays, q.Fail(key))
	}
	require.Equal(t, 1000*time.Second, delays[len(delays)-1])
	q.Forget(key)
	require.Equal(t, 5*time.Millisecond, q.Fail(key))
}
