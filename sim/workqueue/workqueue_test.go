package workqueue_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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
	q.Done(a)
	q.Add(a)
	require.Equal(t, b, q.Get())
	require.Equal(t, a, q.Get())
	require.Zero(t, q.Len())
	require.Equal(t, 2, q.Busy())
}

func TestWhatIsAddedWhileItIsWorkedOnRunsOnceMore(t *testing.T) {
	a, b := model.Key{Name: "a"}, model.Key{Name: "b"}
	var q workqueue.Queue
	q.Add(a)
	q.Get()
	q.Add(a)
	q.Add(b)
	q.Add(a)
	require.Equal(t, 1, q.Len(), "a is being worked on, and nobody else gets it")
	q.Done(a)
	require.Equal(t, b, q.Get())
	require.Equal(t, a, q.Get())
	q.Done(a)
	q.Done(b)
	require.Zero(t, q.Len()+q.Busy(), "three additions have made one more run")
}

// TestOneBucketForAllKeys fails many keys in one instant: the first hundred are retried by their own delay, each later
// one a tenth of a second after the one before it.
func TestOneBucketForAllKeys(t *testing.T) {
	var q workqueue.Queue
	key := func(i int) model.Key { return model.Key{Name: strconv.Itoa(i)} }
	for i := range 100 {
		require.Equal(t, 5*time.Millisecond, q.Fail(key(i), 0))
	}
	for i := range 20 {
		require.Equal(t, time.Duration(i+1)*100*time.Millisecond, q.Fail(key(100+i), 0))
	}
	require.Equal(t, 1100*time.Millisecond, q.Fail(key(120), model.Time(time.Second)), "ten have come back, and 21 are owed")
	require.Equal(t, 5*time.Millisecond, q.Fail(key(121), model.Time(time.Hour)), "never more than a hundred are saved up")
	require.Equal(t, 5*time.Millisecond<<4, last(func() time.Duration { return q.Fail(key(1), model.Time(time.Hour)) }, 4))
}

func last(do func() time.Duration, times int) (d time.Duration) {
	for range times {
		d = do()
	}
	return d
}

// TestTheBucketAgainstASimpleOne compares the bucket with one that counts its tokens in small steps.
func TestTheBucketAgainstASimpleOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const interval = 10
		burst := rapid.IntRange(1, 5).Draw(t, "burst")
		bucket := workqueue.NewBucket(interval, burst)
		// tokens are counted in parts of 1/interval.
		tokens, now := burst*interval, model.Time(0)
		for range rapid.IntRange(1, 50).Draw(t, "calls") {
			d := rapid.IntRange(0, 40).Draw(t, "after")
			now, tokens = now+model.Time(d), min(tokens+d, burst*interval)
			tokens -= interval
			require.Equal(t, time.Duration(max(0, -tokens)), bucket.Take(now))
		}
	})
}

func TestRetriesAreDelayedMoreAndMore(t *testing.T) {
	key := model.Key{Name: "a"}
	var q workqueue.Queue
	var delays []time.Duration
	now := model.Time(0)
	for range 4 {
		delays = append(delays, q.Fail(key, now))
	}
	require.Equal(t, []time.Duration{5e6, 10e6, 20e6, 40e6}, delays)
	for range 100 {
		now = now.Add(time.Second)
		delays = append(delays, q.Fail(key, now))
	}
	require.Equal(t, 1000*time.Second, delays[len(delays)-1])
	q.Forget(key)
	require.Equal(t, 5*time.Millisecond, q.Fail(key, now))
}
