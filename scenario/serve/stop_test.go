package serve_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
)

// crashing lets containers crash a second after they begin, so that there are many instants in a year.
func crashing(t *testing.T) func(*serve.Config) {
	text := "name: crash\nkubelet: {crash: 1s}\nsteps: [{create: {name: unplayed, image: none}}]\n"
	crash, err := scenario.Parse("crash.yaml", []byte(text), nil, scenario.Options{Kubernetes: "1.37"})
	require.NoError(t, err)
	return func(c *serve.Config) { c.World = crash.Config(scenario.RunOptions{}) }
}

// looping is a set whose containers crash again and again.
const looping = `{"metadata":{"name":"crash"},"spec":{"replicas":3,"podManagementPolicy":"Parallel","serviceName":"crash",
	"selector":{"matchLabels":{"app":"crash"}},"template":{"metadata":{"labels":{"app":"crash"}},
	"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}`

// TestReadsWhileTheClockMoves: who reads need not wait until the clock has gone on by ten years.
func TestReadsWhileTheClockMoves(t *testing.T) {
	s := begin(t, crashing(t))
	s.must("POST", sets, looping)
	ctx, cancel := context.WithCancel(t.Context())
	moved := make(chan int)
	go func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("POST", "/sim/clock/advance?by=87600h", nil).WithContext(ctx))
		moved <- w.Code
	}()
	for last := 0.0; last < 600; {
		now := at(t, s.must("GET", "/sim/clock", ""), "at").(float64)
		require.GreaterOrEqual(t, now, last)
		last = now
		require.Len(t, at(t, s.must("GET", pods, ""), "items"), 3)
	}
	cancel()
	require.Equal(t, 503, <-moved, "the clock was still moving")
}

// TestClockStops: a client that goes away, and the end of the session, stop the clock at the next instant. The world is
// whole there: it goes on later.
func TestClockStops(t *testing.T) {
	for name, path := range map[string]string{"advance": "/sim/clock/advance?by=8760h", "settle": "/sim/clock/settle"} {
		t.Run("the client goes while it waits for "+name, func(t *testing.T) {
			s := begin(t, crashing(t))
			s.must("POST", sets, looping)
			ctx, asked := asking(3)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("POST", path, nil).WithContext(ctx))
			require.Equal(t, 503, w.Code, w.Body)
			require.Greater(t, asked(), 3)
			before := at(t, s.must("GET", "/sim/clock", ""), "at").(float64)
			require.Less(t, before, 60.0)
			s.must("POST", "/sim/clock/advance?by=1m", "")
			require.Equal(t, before+60, at(t, s.must("GET", "/sim/clock", ""), "at"))
		})
	}
	t.Run("the session ends", func(t *testing.T) {
		ended := false
		s := begin(t, func(c *serve.Config) { c.Ended = func() bool { return ended } })
		s.must("POST", sets, looping)
		s.must("POST", "/sim/clock/advance?by=1m", "")
		s.recorded, ended = nil, true
		for _, path := range []string{"/sim/clock/advance?by=8760h", "/sim/checkpoint/a", configs} {
			code, _ := s.ask("POST", path, `{"metadata":{"name":"a"}}`)
			require.Equal(t, 503, code, path)
		}
		require.Empty(t, s.recorded, "what is not served is not recorded")
		ended = false
		require.EqualValues(t, 60, at(t, s.must("GET", "/sim/clock", ""), "at"))
	})
	t.Run("a request that waited for its turn and whose client has gone", func(t *testing.T) {
		s := begin(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("DELETE", pods, nil).WithContext(ctx))
		require.Equal(t, 503, w.Code)
		require.Empty(t, s.recorded)
	})
}

// askedContext ends once it has been asked some times.
type askedContext struct {
	context.Context
	left, asked int
}

// Err says whether it has ended.
func (c *askedContext) Err() error {
	if c.asked++; c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// asking returns a context that ends once it has been asked so often, and how often it was asked.
func asking(times int) (ctx context.Context, asked func() int) {
	c := &askedContext{Context: context.Background(), left: times}
	return c, func() int { return c.asked }
}
