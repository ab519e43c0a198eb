package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// addJobs adds the flag that says how much is done at once.
func addJobs(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "jobs", "j", runtime.GOMAXPROCS(0), "how many to play at once")
}

// checkJobs refuses a number of workers below 1.
func checkJobs(workers int) error {
	if workers < 1 {
		return usagef("-j must be at least 1")
	}
	return nil
}

// atOnce returns a function that does several things at once, and shows how many are done. It returns when all are
// done. work is called once for each number below n, by several goroutines, in no order; it must not print. The
// caller's goroutine shows it.
func atOnce(workers int, bar *progress) whatif.Each {
	return func(n int, work func(i int)) {
		done := 0
		must(inOrder(n, workers, func(i int) struct{} {
			work(i)
			return struct{}{}
		}, func(struct{}) error {
			done++
			bar.count(done, n)
			return nil
		}))
	}
}

// progress shows on a terminal how long something has gone on, and how far it is: a line on standard error, once a
// second. Elsewhere it writes nothing. Several goroutines may tell it; what the clock says decides nothing else.
type progress struct {
	streams *streams
	what    string
	begun   time.Time
	mutex   sync.Mutex
	told    time.Duration
}

func newProgress(s *streams, what string) *progress {
	return &progress{streams: s, what: what, begun: time.Now()}
}

// show is called now and then. far says how far it is, behind the time; nil says nothing.
func (p *progress) show(far func() string) {
	if !p.streams.errTerminal {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if took := time.Since(p.begun).Truncate(time.Second); took > p.told {
		text := p.what + ": " + render.Clock(took)
		if p.told = took; far != nil {
			text += far()
		}
		steer(p.streams.err, "\r\x1b[K")
		fmt.Fprintf(p.streams.err, "%s (Ctrl-C ends it)", text)
	}
}

// count shows how many of all are done.
func (p *progress) count(done, all int) {
	p.show(func() string { return fmt.Sprintf(", %d of %d", done, all) })
}

// clear removes what was shown.
func (p *progress) clear() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.told > 0 {
		steer(p.streams.err, "\r\x1b[K")
	}
}
