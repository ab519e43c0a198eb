package work

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// AtOnce returns a function that does several things at once, and shows how many are done, unless bar is nil. It
// returns when all are done. work is called once for each number below n, by several goroutines, in no order; it must
// not print. The caller's goroutine shows it.
func AtOnce(workers int, bar *Progress) func(n int, work func(i int)) {
	return func(n int, work func(i int)) {
		done := 0
		Must(InOrder(n, workers, func(i int) struct{} {
			work(i)
			return struct{}{}
		}, func(struct{}) error {
			done++
			bar.Count(done, n)
			return nil
		}))
	}
}

// Progress shows on a terminal how long something has been running, and how far it is: a line on standard error,
// once a second. Elsewhere it writes nothing. Several goroutines may report to it; the clock affects nothing else.
type Progress struct {
	on    io.Writer
	what  string
	begun time.Time
	mutex sync.Mutex
	told  time.Duration
}

// NewProgress starts to show progress on standard error, if that is a terminal.
func NewProgress(on io.Writer, terminal bool, what string) *Progress {
	if !terminal {
		on = nil
	}
	return &Progress{on: on, what: what, begun: time.Now()}
}

// Show is called now and then. far says how far it is, after the time; nil says nothing.
func (p *Progress) Show(far func() string) {
	if p == nil || p.on == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if took := time.Since(p.begun).Truncate(time.Second); took > p.told {
		text := p.what + ": " + render.Clock(took)
		if p.told = took; far != nil {
			text += far()
		}
		render.Steer(p.on, "\r\x1b[K")
		fmt.Fprintf(p.on, "%s (Ctrl-C ends it)", text)
	}
}

// Count shows how many of all are done.
func (p *Progress) Count(done, all int) {
	p.Show(func() string { return fmt.Sprintf(", %d of %d", done, all) })
}

// Clear removes what was shown.
func (p *Progress) Clear() {
	if p == nil {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.told > 0 {
		render.Steer(p.on, "\r\x1b[K")
	}
}
