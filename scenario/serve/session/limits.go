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

// The limits for strangers and for clients. Before the token is checked, a connection has little time and memory;
// after that, one limit holds for all clients together.
const (
	// headerTime is how long a client may take for its TLS handshake, and for the header of a request; idleTime is how
	// long a connection may stay without a request. mostHeader bounds the header in bytes.
	headerTime, idleTime, mostHeader = 10 * time.Second, 2 * time.Minute, 64 << 10
	// mostConnections may be open: others wait until one is closed.
	mostConnections = 2_000
	// mostRequests may run at the same time, and mostWatches in addition. Further requests are told to try again.
	mostRequests, mostWatches = 200, 1_500
	// readTime is how long a client may leave the output of its watch unread.
	readTime = time.Minute
)

// server returns the HTTP server for clients with the token.
func (d *door) server(ctx context.Context, h http.Handler) *http.Server {
	return &http.Server{
		Handler: d.guard(bounded(h)), TLSConfig: d.tls,
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: mostHeader,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // It would report the clients that disconnect.
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

// watching is the answer to a watch, which ends if its client does not read it.
type watching struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Write writes, as long as the client reads.
func (w *watching) Write(data []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(readTime))
	return w.ResponseWriter.Write(data)
}

// Flush sends the output so far.
func (w *watching) Flush() { _ = w.control.Flush() }
