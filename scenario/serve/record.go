package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Session is a session as a recording has it: what it began with, and what clients changed. The same session gives the
// same timeline, byte for byte, at whatever speed it was recorded.
type Session struct {
	Header
	Requests []Recorded
	// Torn is the number of the last line if it was left out, since it has no end: the process was killed while it wrote
	// it. Else it is 0.
	Torn int
}

// Header is the first line of a recording: what the session began with.
type Header struct {
	// Format is 1, Sim the version that recorded it.
	Format int    `json:"session"`
	Sim    string `json:"sim"`
	// Kubernetes, Gates and Seed are those of the options; Epoch is the time that 0s was for clients.
	Kubernetes string          `json:"kubernetes,omitempty"`
	Gates      map[string]bool `json:"gates,omitempty"`
	Seed       *uint64         `json:"seed,omitempty"`
	Epoch      time.Time       `json:"epoch"`
	// Files are those that the session began with.
	Files []File `json:"files"`
}

// File is a file with which a session begins.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Recorded is a request that changed something, or was to, and the instant at which it did. One without a method is the
// end of the session.
type Recorded struct {
	At     time.Duration `json:"at"`
	Method string        `json:"method,omitempty"`
	// Path is the path with the query, Agent the client, Type the type of the body: Body if that is JSON, else Raw.
	Path  string          `json:"path,omitempty"`
	Agent string          `json:"agent,omitempty"`
	Type  string          `json:"type,omitempty"`
	Body  json.RawMessage `json:"body,omitempty"`
	Raw   []byte          `json:"raw,omitempty"`
}

// kept is a body that keeps what was read of it.
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
	q := Recorded{
		At: time.Duration(s.world.Now()), Method: r.Method, Path: r.URL.RequestURI(), Type: r.Header.Get("Content-Type"),
		Agent: r.UserAgent(),
	}
	if data := bytes.Clone(body.read.Bytes()); json.Valid(data) {
		q.Body = data
	} else {
		q.Raw = data
	}
	s.config.Record(q)
}

// Replay plays the requests of a recording, each at its instant, up to the end. Clients must not come meanwhile.
func (s *Server) Replay(requests []Recorded) error {
	for i, q := range requests {
		s.mu.Lock()
		s.line = i + 2 // The header is before.
		s.advance(model.Time(q.At), s.ended)
		s.mu.Unlock()
		if q.Method == "" {
			return nil
		}
		r, err := http.NewRequest(q.Method, q.Path, bytes.NewReader(append(q.Body, q.Raw...)))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", q.Type)
		r.Header.Set("User-Agent", q.Agent)
		s.ServeHTTP(&answered{header: http.Header{}}, r)
	}
	return nil
}

// Line returns the line of a recording for its Header, or for something Recorded.
func Line(of any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(of)
	return line.Bytes(), err
}

// IsSession reports whether a file begins as a recording of a session does.
func IsSession(begin []byte) bool { return bytes.HasPrefix(begin, []byte(`{"session":`)) }

// ReadSession reads a session. The error is strict.Problems. Instants must not go back, but where a checkpoint is
// restored. A last line that was not written to its end is left out.
func ReadSession(name string, data []byte) (*Session, error) {
	s := &Session{}
	line, last := 0, time.Duration(0)
	for text := range strings.Lines(string(data)) {
		line++
		var err error
		if line == 1 {
			if err = json.Unmarshal([]byte(text), &s.Header); err == nil && s.Format != 1 {
				err = fmt.Errorf("it does not begin with {\"session\":1")
			}
		} else {
			var q Recorded
			if err = json.Unmarshal([]byte(text), &q); err == nil && (q.At < last || q.At > longest) {
				err = fmt.Errorf("the instant %s is before the one above, or too late", q.At)
			}
			if last = q.At; strings.HasPrefix(q.Path, "/"+Control+"/restore/") {
				last = 0
			}
			s.Requests = append(s.Requests, q)
		}
		if err != nil && line > 1 && !strings.HasSuffix(text, "\n") && !json.Valid([]byte(text)) {
			s.Requests, s.Torn = s.Requests[:line-2], line
			break
		}
		if err != nil {
			p := strict.JSONProblem(name, []byte(text), 0, err)
			p.Line, p.What, p.Want = line, "this is no session: "+p.What, "a session is what sim serve --record writes"
			return nil, strict.Problems{p}
		}
	}
	if line == 0 {
		return nil, strict.Problems{{File: name, Line: 1, Column: 1, What: "the session is empty",
			Want: "a session is what sim serve --record writes"}}
	}
	return s, nil
}

// Options are the options with which the session began.
func (h *Header) Options(limits strict.Limits) scenario.Options {
	return scenario.Options{Kubernetes: h.Kubernetes, Gates: h.Gates, Seed: h.Seed, Limits: limits}
}

// Sources are the files with which it began.
func (h *Header) Sources() []Source {
	var sources []Source
	for _, file := range h.Files {
		sources = append(sources, Source{Name: file.Name, Data: []byte(file.Text)})
	}
	return sources
}
