package simtest

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// Exploration limits the search of Explore.
type Exploration struct {
	Options
	// Deviations is the largest number of places where a run departs from oldest-first order; all runs up to it are
	// tried, and 0 means two. Runs is the largest number of these runs, and also of the random runs that follow; 0
	// means 1,000.
	Deviations, Runs int
}

// Replay is the environment variable with the token of the one run that Explore should play again.
const Replay = "SIMTEST_REPLAY"

// Failure is a run that fails, as simple as it can be made.
type Failure struct {
	// Runs is how many runs were made until it was found, Deviations at how many places it leaves the order of age.
	Runs, Deviations int
	// Token plays it again; Detail is the report of the run, and the log of the turnstile.
	Token, Detail string
}

// Explore runs a test in many orders of requests and watch events: first oldest first, then in all orders that
// depart from that at one place, and so on, then at random. It ends with the first run that fails, made as simple
// as it can be, and says how to play it again. The body gets a testing.TB of its own and a new cluster. It must
// call functions that end it, such as FailNow, from its own goroutine. It must behave the same in the same order.
func Explore(t *testing.T, o Exploration, body func(t testing.TB, env *Env)) {
	t.Helper()
	if f := Find(t, o, body); f != nil {
		t.Errorf("run %d fails, which leaves the order of age at %d places. To play it again: %s=%s go test -run '^%s$'\n%s",
			f.Runs, f.Deviations, Replay, f.Token, t.Name(), f.Detail)
	}
}

// Find does what Explore does, and returns the run that fails, nil if there is none.
func Find(t *testing.T, o Exploration, body func(t testing.TB, env *Env)) *Failure {
	t.Helper()
	failed := false
	subject := func(r *search.Run) {
		if told := play(t, o.Options, r, body); told.failed {
			failed = true
			r.Found(search.Finding{Class: "fails", Detail: told.text.String() + "\n" + told.log})
		}
	}
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(t.Name())))
	if token := os.Getenv(Replay); token != "" {
		tape, err := search.Tape(digest, token)
		if err != nil {
			t.Fatal(err)
		}
		found, err := search.Play(subject, nil, tape)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			return &Failure{Runs: 1, Deviations: len(tape), Token: token, Detail: f.Detail}
		}
		return nil
	}
	depth, runs := cmp.Or(o.Deviations, 2), cmp.Or(o.Runs, 1000)
	for _, how := range []search.Options{
		{Deviations: depth, Runs: runs},
		{Deviations: 1, Runs: runs, Random: 100, Depth: 2 * depth},
	} {
		how.Subject, how.Seed, how.Blind, how.Anew = subject, o.Seed, true, true
		how.Stop = func() bool { return failed }
		for _, f := range search.Search(how).Found {
			return &Failure{Runs: f.Runs, Deviations: len(f.Tape), Token: search.Token(digest, f.Tape), Detail: f.Detail}
		}
	}
	return nil
}

// play plays one run in a bubble of its own.
func play(t *testing.T, o Options, chooser choose.Chooser, body func(t testing.TB, env *Env)) *recorder {
	told := &recorder{}
	synctest.Test(t, func(t *testing.T) {
		told.TB = t
		o.Chooser = chooser
		env := New(t, o)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			body(told, env)
		}()
		<-ended
		told.log = env.Log()
	})
	return told
}

// recorder is the testing.TB of a run: it keeps the reports, and does not fail the test.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	failed bool
	text   strings.Builder
	log    string
}

func (r *recorder) note(fails bool, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = r.failed || fails
	if text = strings.TrimSpace(text); text != "" {
		r.text.WriteString(text + "\n")
	}
}

// These are the methods of a testing.TB that report.
func (r *recorder) Helper()                   {}
func (r *recorder) Log(args ...any)           { r.note(false, fmt.Sprintln(args...)) }
func (r *recorder) Logf(f string, a ...any)   { r.note(false, fmt.Sprintf(f, a...)) }
func (r *recorder) Fail()                     { r.note(true, "") }
func (r *recorder) Error(args ...any)         { r.note(true, fmt.Sprintln(args...)) }
func (r *recorder) Errorf(f string, a ...any) { r.note(true, fmt.Sprintf(f, a...)) }
func (r *recorder) FailNow()                  { r.Fail(); runtime.Goexit() }
func (r *recorder) Fatal(args ...any)         { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(f string, a ...any) { r.Errorf(f, a...); runtime.Goexit() }
func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}
