package serve_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAttacked lets attackers ask whatever they like, and holds each session to what may be held. No request is answered
// with 500 (but where a real server does so: for a field that there is not in what is applied, and for a pod with two budgets), takes longer than seconds or allocates more than 256 MiB, unless it lets time pass; at the end no goroutine is left, no file has
// come, and the replay of what was recorded has the same timeline, byte for byte. Every third session has three clients
// at once. ATTACKS is how many requests there are, SEED which.
func TestAttacked(t *testing.T) {
	attacks, seed := 2_000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("ATTACKS")); err == nil {
		attacks = n
	}
	if n, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Chdir(t.TempDir())
	done, begun := 0, time.Now()
	for session := uint64(0); done < attacks && !t.Failed(); session++ {
		done += attackedSession(t, seed, session)
		if session%500 == 499 {
			fmt.Printf("%d requests in %s\n", done, time.Since(begun).Round(time.Second))
		}
	}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, files)
	t.Logf("%d requests in %s", done, time.Since(begun).Round(time.Second))
}

// The bounds of one request.
const (
	longestAsked = 10 * time.Second
	mostAsked    = 256 << 20
)

// attackedSession attacks one session, and returns how many requests it had.
func attackedSession(t *testing.T, seed, number uint64) int {
	b, err := recording.Read(nil, scenario.Options{Kubernetes: "1.37"}, "test")
	require.NoError(t, err)
	// In every fourth session no controller acts.
	config := func(c *serve.Config) { c.World, c.Uncontrolled = b.Config.World, number%4 == 3 }
	before := runtime.NumGoroutine()
	s := begin(t, config)
	first := rand.New(rand.NewPCG(seed, number))
	clients := 1 + 2*int(number%3/2)
	requests := 0
	var all sync.WaitGroup
	var mu sync.Mutex
	for client := range clients {
		a := &attacker{Rand: rand.New(rand.NewPCG(seed, number<<8|uint64(client))), s: s, alone: clients == 1}
		asked := 10 + first.IntN(80)
		a.answered = func(what string, code int, took time.Duration, allocated uint64) {
			mu.Lock()
			defer mu.Unlock()
			requests++
			realToo := strings.Contains(what, formApply) || strings.Contains(what, "/eviction") ||
				code == http.StatusNotImplemented || code == http.StatusGatewayTimeout
			alone := clients == 1 && !strings.Contains(what, "/clock/")
			if code >= 500 && !realToo || alone && (took > longestAsked || allocated > mostAsked) {
				t.Errorf("seed %d, session %d: %s: %d in %s, %d bytes", seed, number, what, code, took, allocated)
			}
		}
		all.Go(func() {
			for range asked {
				a.attack()
			}
		})
	}
	all.Wait()
	events := timelineOf(s.End())
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before, "seed %d, session %d: goroutines", seed, number)
	replayed(t, config, s.recorded, events, fmt.Sprintf("seed %d, session %d", seed, number))
	return requests
}

// replayed holds a timeline to that of the replay of its recording, which is read again from its text.
func replayed(t *testing.T, config func(*serve.Config), recorded []recording.Recorded, events, name string) {
	text := line(t, recording.Header{Format: 1, Sim: "test"})
	for _, q := range recorded {
		text += line(t, q)
	}
	read, err := recording.ReadSession("session.jsonl", []byte(text))
	require.NoError(t, err, name)
	again := begin(t, config)
	require.NoError(t, again.Replay("session.jsonl", read.Requests), name)
	var other []timeline.Event = again.End()
	if events != timelineOf(other) {
		require.Equal(t, events, timelineOf(other), "%s:\n%s", name, text)
	}
}

// allocated returns how many bytes were allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
