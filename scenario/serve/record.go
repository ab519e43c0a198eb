package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// kept is a body that keeps the bytes that were read.
type kept struct {
	from io.ReadCloser
	read bytes.Buffer
}

// Read reads on.
func (k *kept) Read(into []byte) (int, error) {
	n, err := k.from.Read(into)
	k.read.Write(into[:n])
	return n, err
}

// Close closes the body.
func (k *kept) Close() error { return k.from.Close() }

// keep keeps a request that is served at this instant.
func (s *Server) keep(r *http.Request) {
	body, is := r.Body.(*kept)
	if !is || !s.begun {
		return
	}
	q := recording.Recorded{
		At: time.Duration(s.cluster.World.Now()), Method: r.Method, Path: r.URL.RequestURI(), Type: r.Header.Get("Content-Type"),
		Agent: r.UserAgent(),
	}
	if data := bytes.Clone(body.read.Bytes()); json.Valid(data) {
		q.Body = data
	} else {
		q.Raw = data
	}
	s.config.Record(q)
}

// Replay plays the requests of a recording of that name, each at its instant, up to the end. Clients must not come
// meanwhile. The error is strict.Problems.
func (s *Server) Replay(name string, requests []recording.Recorded) error {
	instants := 0
	for i, q := range requests {
		s.cluster.Line = i + 2 // The header is before.
		r, err := q.Request()
		if err == nil {
			err = s.replayTo(model.Time(q.At), &instants)
		}
		if err != nil {
			return strict.Problems{{File: name, Line: s.cluster.Line, Column: 1, What: err.Error(),
				Want: "a session is what sim serve --record writes"}}
		}
		if r == nil || s.pace.Ended() {
			break
		}
		s.ServeHTTP(&answered{header: http.Header{}}, r)
	}
	return nil
}

// mostReplayed is how many instants a replay may play: fewer than this happen in a cluster with an event every
// second for a hundred days.
const mostReplayed = 10_000_000

// replayTo lets the world run up to the instant of a request. instants counts how many were played.
func (s *Server) replayTo(to model.Time, instants *int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.cluster.World.Now(); to < now {
		return fmt.Errorf("the session is at %s then, and cannot go back to %s", time.Duration(now), time.Duration(to))
	}
	most := s.config.World.MaxEvents
	events := func() bool { return most > 0 && len(s.cluster.World.Events()) > most }
	s.pace.Advance(to, func() bool {
		*instants++
		return *instants > mostReplayed || events() || s.pace.Ended()
	})
	switch {
	case *instants > mostReplayed:
		return fmt.Errorf("something has happened at more than %d instants up to here, and the session goes on", mostReplayed)
	case events():
		return fmt.Errorf("more than %d events have happened up to here, and the session goes on (--max-events)", most)
	}
	return nil
}
