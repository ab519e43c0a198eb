package simtest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// gate is the turnstile: it carries the requests of clients to the server, one at a time, and the events of their
// watches back. One goroutine, run, lets waiting requests and events through, and lets time pass.
type gate struct {
	server  *serve.Server
	chooser choose.Chooser
	begun   time.Time

	mu sync.Mutex
	// fresh has arrived since the turnstile last looked, in any order; waiting has been seen, the oldest first.
	fresh, waiting []*ticket
	// watches counts those that were opened, for their names.
	watches int
	// still are the callers that wait until all is quiet.
	still  []chan struct{}
	log    strings.Builder
	closed bool
	// stirs is filled when run has something to look at.
	stirs chan struct{}
}

// ticket is a request or a watch event that waits. Two tickets with one name and one body may be taken for each other.
type ticket struct {
	name, body string
	pass       chan struct{}
}

func newGate(server *serve.Server, chooser choose.Chooser, begun time.Time) *gate {
	return &gate{server: server, chooser: chooser, begun: begun, stirs: make(chan struct{}, 1)}
}

// run lets waiting tickets through until the context is done.
func (g *gate) run(ctx context.Context) {
	defer g.close()
	for ctx.Err() == nil {
		synctest.Wait()
		due, open := g.server.Due()
		switch {
		case open && due == 0:
			g.server.Turn()
		case g.release() || g.wakeOne():
		default:
			g.sleep(ctx, due, open)
		}
	}
}

// sleep returns when something may have come, or is due.
func (g *gate) sleep(ctx context.Context, due time.Duration, open bool) {
	var timer <-chan time.Time
	if open {
		t := time.NewTimer(due)
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-ctx.Done():
	case <-g.stirs:
	case <-timer:
	}
}

// release lets one ticket through, and reports whether there was any. Tickets that come at the same instant have no
// order of their own, so they are ordered by name.
func (g *gate) release() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	slices.SortStableFunc(g.fresh, func(a, b *ticket) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.body, b.body))
	})
	g.waiting, g.fresh = append(g.waiting, g.fresh...), nil
	n := len(g.waiting)
	if n == 0 {
		return false
	}
	at := 0
	if n > 1 {
		at = g.chooser.Choose(choose.Tie, n)
	}
	next := g.waiting[at]
	g.waiting = slices.Delete(g.waiting, at, at+1)
	fmt.Fprintf(&g.log, "%s  %d of %d  %s\n", time.Since(g.begun), at+1, n, next.name)
	close(next.pass)
	return true
}

// quiet returns when nothing waits at the turnstile, and nothing is due at this instant.
func (g *gate) quiet() {
	wait := make(chan struct{})
	g.mu.Lock()
	if g.closed {
		close(wait)
	}
	g.still = append(g.still, wait)
	g.mu.Unlock()
	g.stir()
	<-wait
}

// wakeOne wakes one caller that waits until all is quiet, and reports whether there was any.
func (g *gate) wakeOne() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.still) == 0 {
		return false
	}
	close(g.still[0])
	g.still = g.still[1:]
	return true
}

func (g *gate) stir() {
	select {
	case g.stirs <- struct{}{}:
	default:
	}
}

// close releases everything that waits: order does not matter after the end of a test.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for _, t := range append(g.waiting, g.fresh...) {
		close(t.pass)
	}
	for _, wait := range g.still {
		close(wait)
	}
	g.waiting, g.fresh, g.still = nil, nil, nil
}

func (g *gate) told() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.log.String()
}

// queue puts a ticket into the queue.
func (g *gate) queue(name, body string) *ticket {
	t := &ticket{name, body, make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		close(t.pass)
		return t
	}
	g.fresh = append(g.fresh, t)
	g.stir()
	return t
}

// leave takes a ticket out of the queue.
func (g *gate) leave(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	other := func(o *ticket) bool { return o == t }
	g.fresh, g.waiting = slices.DeleteFunc(g.fresh, other), slices.DeleteFunc(g.waiting, other)
}

// RoundTrip makes it a http.RoundTripper: the request waits for its turn, and is served.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		if r.Body.Close(); err != nil {
			return nil, err
		}
	}
	// client-go draws how long a watch lasts; here none ends on its own.
	query := r.URL.Query()
	watch := query.Get("watch") == "true" || query.Get("watch") == "1"
	if query.Del("timeoutSeconds"); watch {
		query.Del("timeout")
	}
	name := r.Method + " " + r.URL.Path
	if q := query.Encode(); q != "" {
		name += "?" + q
	}
	t := g.queue(name, string(body))
	select {
	case <-t.pass:
	case <-r.Context().Done():
		g.leave(t)
		return nil, r.Context().Err()
	}
	ctx, cancel := context.WithCancel(r.Context())
	served := r.Clone(ctx)
	served.URL.RawQuery, served.Body = query.Encode(), io.NopCloser(bytes.NewReader(body))
	served.RequestURI = served.URL.RequestURI()
	if watch {
		return g.watch(served, cancel)
	}
	defer cancel()
	w := httptest.NewRecorder()
	g.server.ServeHTTP(w, served)
	answer := w.Result()
	answer.Request = r
	return answer, nil
}
