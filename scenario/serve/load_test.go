package serve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
)

// sample returns how much a test does: a sample in the check, and all of it with SERVE_LOAD=1, which takes hours (make
// load).
func sample(few, all int) int {
	if os.Getenv("SERVE_LOAD") == "" {
		return few
	}
	return all
}

const (
	notes = "/api/v1/namespaces/default/configmaps"
	roll  = `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"app:v%d"}]}}}}`
	merge = "application/merge-patch+json"
)

// TestNothingGrows: a session without a history holds as much after 10⁶ writes as after the first of them, and no
// goroutine is left of clients that went away. How much is held goes up and down, as the histories are cut.
func TestNothingGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	s := begin(t, func(c *serve.Config) { c.Speed, c.NoHistory = clock.Max, true })
	random := rand.New(rand.NewPCG(1, 1))
	before := runtime.NumGoroutine()
	var most [2]uint64
	n := sample(3_000, 1_000_000) // With a history, these are 12,815 events.
	const samples = 40
	for i := range samples {
		for j := range n / samples {
			s.change(random, i*n/samples+j)
			s.Turn()
		}
		s.look()
		held := living()
		most[2*i/samples] = max(most[2*i/samples], held)
		t.Logf("%d writes: %d KiB, %d goroutines", (i+1)*n/samples, held>>10, runtime.NumGoroutine())
	}
	require.Less(t, most[1], most[0]*3/2, "the heap grows")
	require.LessOrEqual(t, len(s.End()), 10_000, "the timeline grows")
	for i := 0; i < 1000 && runtime.NumGoroutine() > before; i++ {
		runtime.Gosched() // What is called when the last client goes away has a goroutine of its own.
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines are left")
}

// living returns how many bytes live.
func living() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// look watches the pods, and goes away.
func (s *session) look() {
	ctx, stop := context.WithCancel(context.Background())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", pods+"?watch=1", nil).WithContext(ctx))
	}()
	stop()
	<-gone
}

// change changes something; i numbers the changes.
func (s *session) change(random *rand.Rand, i int) {
	name := fmt.Sprintf("web-%d", random.IntN(2))
	pod, note := fmt.Sprintf("%s/%s-%d", pods, name, random.IntN(4)), fmt.Sprintf("c-%d", random.IntN(20))
	switch random.IntN(12) {
	case 0:
		s.ask("POST", sets, set(name, 3))
	case 1:
		s.ask("PATCH", sets+"/"+name, fmt.Sprintf(roll, i), "Content-Type", "application/strategic-merge-patch+json")
	case 2:
		s.ask("PATCH", sets+"/"+name+"/scale", fmt.Sprintf(`{"spec":{"replicas":%d}}`, random.IntN(5)), "Content-Type", merge)
	case 3:
		s.ask("DELETE", pod, "")
	case 4, 5:
		s.ask("PATCH", pod, fmt.Sprintf(`{"metadata":{"labels":{"x":"%d"}}}`, i), "Content-Type", merge)
	case 6, 7:
		s.ask("POST", notes, fmt.Sprintf(`{"metadata":{"name":%q},"data":{"a":"%d"}}`, note, i))
	case 8:
		s.ask("DELETE", notes+"/"+note, "")
	case 9, 10:
		s.ask("PATCH", notes+"/"+note, fmt.Sprintf(`{"data":{"a":"%d"}}`, i), "Content-Type", merge)
	case 11:
		s.ask("PATCH", sets+"/"+name, fmt.Sprintf(`{"metadata":{"annotations":{"x":"%d"}}}`, i), "Content-Type", merge)
	}
}

// podReader is a client that reads a watch of pods: it counts the events, and before each it says that it is there and waits
// until it may.
type podReader struct {
	http.ResponseWriter
	read  []byte
	lines int
	// writing has room for one.
	writing, may chan struct{}
}

// Write takes events.
func (r *podReader) Write(data []byte) (int, error) {
	select {
	case r.writing <- struct{}{}:
	default:
	}
	if r.may != nil {
		<-r.may
	}
	for _, c := range data {
		if c == '\n' {
			r.lines++
		}
	}
	r.read = append(r.read[:0], data...)
	return len(data), nil
}

// watchedBy lets clients watch the pods until the function that it returns is called.
func (s *session) watchedBy(readers []*podReader) (end func()) {
	ctx, stop := context.WithCancel(context.Background())
	gone := make(chan struct{})
	for _, r := range readers {
		r.ResponseWriter = httptest.NewRecorder()
		go func() {
			s.ServeHTTP(r, httptest.NewRequest("GET", pods+"?watch=1&resourceVersion=1", nil).WithContext(ctx))
			gone <- struct{}{}
		}()
	}
	return func() {
		stop()
		for range readers {
			<-gone
		}
	}
}

// rolled creates a set of pods and rolls it, at speed max with some watchers, and returns how many objects were
// allocated for a pod. Each watcher hears of everything.
func rolled(t *testing.T, replicas, watchers int) float64 {
	s := begin(t, func(c *serve.Config) { c.Speed = clock.Max })
	s.must("POST", sets, set("warm", 1))
	s.must("POST", "/sim/clock/settle", "")
	readers := make([]*podReader, watchers)
	for i := range readers {
		readers[i] = &podReader{}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	end := s.watchedBy(readers)
	s.must("POST", sets, set("web", replicas))
	s.play()
	s.must("PATCH", sets+"/web", fmt.Sprintf(roll, 2), "Content-Type", "application/strategic-merge-patch+json")
	s.play()
	s.must("POST", "/sim/clock/settle", "")
	end()
	runtime.ReadMemStats(&after)
	for _, r := range readers {
		// Created, scheduled, running, ready, terminating, gone, and once more up to ready.
		require.GreaterOrEqual(t, r.lines, 10*replicas)
	}
	return float64(after.Mallocs-before.Mallocs) / float64(replicas)
}

// play lets time pass until nothing is left to happen.
func (s *session) play() {
	for s.Turn() == 0 {
	}
}

// TestManyWatchedPods: pods are created and rolled with five watchers for less than twice the allocations of doing so
// with none, since each event is encoded once. With SERVE_LOAD=1 there are 1,000 pods, and less than 10 s of CPU and
// 350 MB of memory may be taken: twice and half as much again as was measured.
func TestManyWatchedPods(t *testing.T) {
	pods := sample(50, 1000)
	begun := used(t)
	with := rolled(t, pods, 5)
	cpu := used(t) - begun
	t.Logf("%d pods: %.0f allocations for a pod, %v of CPU", pods, with, cpu)
	if pods == 1000 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		require.Less(t, cpu, 10*time.Second)
		require.Less(t, m.Sys, uint64(350<<20))
	}
	require.Less(t, with, 2*rolled(t, pods, 0))
}

// used returns the CPU time of this process so far.
func used(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestASlowWatch: a client that does not read is told 410 when it is too far behind, and holds nobody up.
func TestASlowWatch(t *testing.T) {
	s := begin(t, nil)
	slow := &podReader{writing: make(chan struct{}, 1), may: make(chan struct{})}
	end := s.watchedBy([]*podReader{slow})
	s.must("POST", sets, web)
	<-slow.writing
	s.must("POST", notes, `{"metadata":{"name":"c"}}`)
	for i := range 9000 {
		s.must("PATCH", notes+"/c", fmt.Sprintf(`{"data":{"a":"%d"}}`, i), "Content-Type", merge)
	}
	close(slow.may)
	end()
	require.Contains(t, string(slow.read), `"code":410`)
}

// TestManyRequests: a request costs little. With SERVE_LOAD=1 a hundred come in each second of a minute, over TLS, at
// speed 1x, and none takes 10 ms of CPU on average, the client's included. How long they take is printed: that depends on
// what else the machine does.
func TestManyRequests(t *testing.T) {
	s := begin(t, func(c *serve.Config) { c.Speed, c.Now = 1, time.Now })
	s.must("POST", sets, set("web-0", 3))
	s.must("POST", sets, set("web-1", 3))
	random := rand.New(rand.NewPCG(2, 2))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const n = 300
	for i := range n {
		s.change(random, i)
		s.must("GET", pods, "")
	}
	runtime.ReadMemStats(&after)
	each := (after.Mallocs - before.Mallocs) / (2 * n)
	t.Logf("%d allocations for a request", each)
	require.Less(t, each, uint64(2500))
	if os.Getenv("SERVE_LOAD") == "" {
		return
	}
	cpu := used(t)
	took := s.hurried(random, 6000)
	cpu = (used(t) - cpu) / 6000
	slices.Sort(took)
	t.Log("half within", took[len(took)/2], "99 of 100 within", took[len(took)*99/100], "the slowest", took[len(took)-1],
		"each", cpu, "of CPU")
	require.Less(t, cpu, 10*time.Millisecond)
}

// hurried sends so many requests, a hundred a second, and returns how long each took.
func (s *session) hurried(random *rand.Rand, n int) []time.Duration {
	listener := httptest.NewTLSServer(s)
	defer listener.Close()
	client := listener.Client()
	took := make([]time.Duration, n)
	next := time.Now()
	for i := range took {
		next = next.Add(10 * time.Millisecond)
		time.Sleep(time.Until(next))
		begun := time.Now()
		if i%2 == 0 {
			answer, err := client.Get(listener.URL + pods)
			require.NoError(s.t, err)
			require.NoError(s.t, answer.Body.Close())
		} else {
			s.change(random, i)
		}
		took[i] = time.Since(begun)
		s.Turn()
	}
	return took
}
