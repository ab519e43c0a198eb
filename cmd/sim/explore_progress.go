package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// howFar shows on a terminal how far a search is: the time of the time that it has, the runs, the states. Several
// goroutines tell it of runs; it writes at most once a second.
type howFar struct {
	streams *streams
	begun   time.Time
	// limit is the time that the search has; 0 if it ends by its runs.
	limit time.Duration

	mutex        sync.Mutex
	runs, states int
	told         time.Duration
}

func newHowFar(s *streams, limit time.Duration) *howFar {
	return &howFar{streams: s, begun: time.Now(), limit: limit}
}

// tell counts a run and the states that it reached first.
func (h *howFar) tell(states int) {
	if !h.streams.errTerminal {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.runs++
	h.states += states
	if elapsed := time.Since(h.begun).Truncate(time.Second); elapsed > h.told {
		h.told = elapsed
		steer(h.streams.err, "\r\x1b[K")
		fmt.Fprint(h.streams.err, h.line(elapsed))
	}
}

// line is what is shown.
func (h *howFar) line(elapsed time.Duration) string {
	of := ""
	if h.limit > 0 {
		of = " of " + render.Clock(h.limit)
	}
	return fmt.Sprintf("exploring: %s%s, %s, %s (Ctrl-C ends it)", render.Clock(elapsed), of,
		render.Count(h.runs, "run"), render.Count(h.states, "state"))
}

// clear removes what was shown.
func (h *howFar) clear() {
	if h.told > 0 {
		steer(h.streams.err, "\r\x1b[K")
	}
}
