package simtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// watch is the answer to a watch: the server's output is cut into events, and each waits at the turnstile before
// the client may read it. The server sees it as an http.ResponseWriter.
type watch struct {
	gate   *gate
	name   string
	header http.Header
	// begun is closed when code is known.
	begun chan struct{}
	code  int

	mu sync.Mutex
	// written is the start of an event, and events are the waiting ones. ended is true when no more will come.
	written []byte
	events  [][]byte
	ended   bool
	// more is filled when something of these has changed.
	more chan struct{}
}

// body is the client's end of a watch. Closing it ends the watch.
type body struct {
	*io.PipeReader
	cancel context.CancelFunc
}

// Close ends the watch.
func (b *body) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// watch lets the server answer a watch on a goroutine of its own, and returns the answer once the server has
// started it.
func (g *gate) watch(r *http.Request, cancel context.CancelFunc) (*http.Response, error) {
	g.mu.Lock()
	g.watches++
	name := fmt.Sprintf("to watch %d of %s", g.watches, r.URL.Path)
	g.mu.Unlock()
	w := &watch{gate: g, name: name, header: http.Header{}, begun: make(chan struct{}), more: make(chan struct{}, 1)}
	from, to := io.Pipe()
	go func() {
		g.server.ServeHTTP(w, r)
		w.end()
	}()
	go w.deliver(r.Context(), to)
	<-w.begun
	return &http.Response{StatusCode: w.code, Status: http.StatusText(w.code), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: w.header, Body: &body{from, cancel}, ContentLength: -1, Request: r}, nil
}

// deliver hands on the events, each when the turnstile lets it through.
func (w *watch) deliver(ctx context.Context, to *io.PipeWriter) {
	for {
		event, more := w.next(ctx)
		if !more {
			to.CloseWithError(ctx.Err())
			return
		}
		t := w.gate.queue(nameOf(event)+" "+w.name, "")
		select {
		case <-t.pass:
			to.Write(event)
		case <-ctx.Done():
			w.gate.leave(t)
		}
	}
}

// next returns the next event, and false if there is none any more.
func (w *watch) next(ctx context.Context) ([]byte, bool) {
	for ctx.Err() == nil {
		w.mu.Lock()
		ended := w.ended
		if len(w.events) > 0 {
			event := w.events[0]
			w.events = w.events[1:]
			w.mu.Unlock()
			return event, true
		}
		w.mu.Unlock()
		if ended {
			return nil, false
		}
		select {
		case <-w.more:
		case <-ctx.Done():
		}
	}
	return nil, false
}

// nameOf names an event in the log.
func nameOf(event []byte) string {
	var e struct {
		Type   string
		Object metav1.PartialObjectMetadata
	}
	if json.Unmarshal(event, &e) != nil {
		return "an answer"
	}
	o := &e.Object
	return strings.TrimSpace(fmt.Sprintf("%s %s %s/%s@%s", e.Type, o.Kind, o.Namespace, o.Name, o.ResourceVersion))
}

// Header makes it a http.ResponseWriter.
func (w *watch) Header() http.Header { return w.header }

// WriteHeader starts the answer.
func (w *watch) WriteHeader(code int) {
	w.code = code
	close(w.begun)
}

// Flush does nothing: the output waits at the turnstile.
func (w *watch) Flush() {}

// Write takes the output of the server.
func (w *watch) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written = append(w.written, data...)
	for at := bytes.IndexByte(w.written, '\n'); at >= 0; at = bytes.IndexByte(w.written, '\n') {
		w.events = append(w.events, bytes.Clone(w.written[:at+1]))
		w.written = w.written[at+1:]
	}
	w.stir()
	return len(data), nil
}

// end reports that the server writes no more.
func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.stir()
}

func (w *watch) stir() {
	select {
	case w.more <- struct{}{}:
	default:
	}
}
