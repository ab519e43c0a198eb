package session

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"time"

	"golang.org/x/net/netutil"
)

// What strangers and clients may take of a session: before the token is checked a connection has little time and room,
// and behind it there is a bound for all clients together.
const (
	// headerTime is how long a client may take for its TLS handshake, and for the header of a request; idleTime is how
	// long a connection may stay without a request. mostHeader bounds the header in bytes.
	headerTime, idleTime, mostHeader = 10 * time.Second, 2 * time.Minute, 64 << 10
	// mostConnections may be open: others wait until one is closed.
	mostConnections = 2_000
	// mostRequests may be under way, and mostWatches besides. What comes then is told to come again.
	mostRequests, mostWatches = 200, 1_500
	// readTime is how long a watch may leave what it was sent unread.
	readTime = time.Minute
)

// server returns what serves the requests of clients who have the token.
func (d *door) server(ctx context.Context, h http.Handler) *http.Server {
	return &http.Server{
		Handler: d.guard(bounded(h)), TLSConfig: d.tls,
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: mostHeader,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // It would say which clients hang up.
	}
}

// few lets only so many connections in at once.
func few(l net.Listener) net.Listener { return netutil.LimitListener(l, mostConnections) }

// bounded lets only so many requests be under way at once.
func bounded(h http.Handler) http.Handler {
	requests, watches := make(chan bool, mostRequests), make(chan bool, mostWatches)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		under := requests
		if watch := r.URL.Query()["watch"]; slices.Contains(watch, "true") || slices.Contains(watch, "1") {
			under, w = watches, &watching{w, http.NewResponseController(w)}
		}
		select {
		case under <- true:
			defer func() { <-under }()
			h.ServeHTTP(w, r)
		default:
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, "TooManyRequests", "Too many requests, please try again later.")
		}
	})
}

// watching is the answer to a watch, which ends if nobody reads it.
type watching struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write writes, as long as the client reads.
func (w *watching) Write(data []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(readTime))
	return w.ResponseWriter.Write(data)
}

// Flush sends what was written.
func (w *watching) Flush() { _ = w.control.Flush() }
