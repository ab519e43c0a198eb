package work

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// QuietWriter drops what is written after the reader has gone, as in `| head`: the command then ends with its own
// exit code, and no error is printed. Any other write error stays an error. Several goroutines may write: one write
// comes after the other.
type QuietWriter struct {
	W    io.Writer
	lock sync.Mutex
	gone bool
	// written is true if something was written since Busy was last asked.
	written atomic.Bool
	// err is the first write error other than a missing reader: cobra's help does not keep errors.
	err error
}

// Write writes, unless the reader has gone. Then it reports that everything was written.
func (q *QuietWriter) Write(p []byte) (int, error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if q.gone {
		return len(p), nil
	}
	n, err := q.writeAll(p)
	if readerGone(err) {
		q.gone = true
		return len(p), nil
	}
	if q.err == nil {
		q.err = err
	}
	return n, err
}

// pieceSize is the size in bytes of one write, so that Busy is called while a long text is written.
const pieceSize = 1 << 16

// writeAll writes all, or as far as the first error.
func (q *QuietWriter) writeAll(p []byte) (n int, err error) {
	for piece := range slices.Chunk(p, pieceSize) {
		wrote, err := q.W.Write(piece)
		n += wrote
		if err != nil {
			return n, err
		}
		q.written.Store(true)
	}
	return n, nil
}

// Busy reports whether something was written since it was last asked. It does not wait for a write that is under
// way.
func (q *QuietWriter) Busy() bool { return q.written.Swap(false) }

// Err is the first write error other than a missing reader.
func (q *QuietWriter) Err() error { return q.err }

// Stopped is a signal that ended a context.
type Stopped struct{ Signal os.Signal }

// Error names the signal.
func (s Stopped) Error() string { return s.Signal.String() }

// UntilSignal returns a context that ends with the first Ctrl-C or SIGTERM, so that a run ends with its results so
// far. A second one ends the process. The returned function releases the signals.
func UntilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	stop := func() { signal.Stop(signals) }
	go func() {
		first := <-signals
		stop()
		cancel(Stopped{first})
	}()
	return ctx, stop
}
