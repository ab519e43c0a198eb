// Package recording is the file of a sim serve session: its first state, and each request that changed something.
// It also reads the files that a session begins with.
package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Control is the first part of the paths that are not part of the Kubernetes API: /sim/clock and its siblings.
const Control = "sim"

// Longest is how far a client may move the clock.
const Longest = 100 * 365 * 24 * time.Hour

// Session is a session as a recording has it: its first state, and the changes that clients made. The same session
// gives the same timeline, byte for byte, whatever its speed was.
type Session struct {
	Header
	Requests []Recorded
	// Torn is the number of the last line if it was left out, since it has no end: the process was killed while it wrote
	// it. Else it is 0.
	Torn int
}

// Header is the first line of a recording: the state that the session began with.
type Header struct {
	// Format is 1, Sim the version that recorded it.
	Format int    `json:"session"`
	Sim    string `json:"sim"`
	// Kubernetes, Gates and Seed are the options of the session; Epoch is the clients' time at 0s.
	Kubernetes string          `json:"kubernetes,omitempty"`
	Gates      map[string]bool `json:"gates,omitempty"`
	Seed       *uint64         `json:"seed,omitempty"`
	Epoch      time.Time       `json:"epoch"`
	// Controllers are those that act in the session (SetControllers), "" for all.
	Controllers string `json:"controllers,omitempty"`
	// Files are the files that the session began with.
	Files []File `json:"files"`
}

// File is a file that a session begins with.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Recorded is a request that changed something, or tried to, and its instant. A request without a method is the end
// of the session.
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

// Request returns the request that was recorded; nil for the end of the session.
func (r *Recorded) Request() (*http.Request, error) {
	path, _, _ := strings.Cut(r.Path, "?")
	switch {
	case r.Method == "":
		return nil, nil
	case r.Method == http.MethodGet && strings.HasSuffix(path, "/exec"): // Such a command may change files.
	case !slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}, r.Method):
		return nil, fmt.Errorf("%s changes nothing, or is no method", r.Method)
	}
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/"+Control+"/clock") {
		return nil, fmt.Errorf("%q is no path of a request that is recorded", r.Path)
	}
	to, err := url.ParseRequestURI(r.Path)
	if err != nil {
		return nil, fmt.Errorf("%q is no path: %w", r.Path, errors.Unwrap(err))
	}
	q, err := http.NewRequest(r.Method, to.String(), bytes.NewReader(slices.Concat(r.Body, r.Raw)))
	if err == nil {
		q.Header.Set("Content-Type", r.Type)
		q.Header.Set("User-Agent", r.Agent)
	}
	return q, err
}

// Line returns the line of a recording for its Header, or for something Recorded.
func Line(of any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(of)
	return line.Bytes(), err
}

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
			if err = json.Unmarshal([]byte(text), &q); err == nil {
				_, err = q.Request()
			}
			if err == nil && (q.At < last || q.At > Longest) {
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

// Options are the options of the session.
func (h *Header) Options(limits strict.Limits) scenario.Options {
	return scenario.Options{Kubernetes: h.Kubernetes, Gates: h.Gates, Seed: h.Seed, Limits: limits}
}

// Sources are the files of the session.
func (h *Header) Sources() []Source {
	var sources []Source
	for _, file := range h.Files {
		sources = append(sources, Source{Name: file.Name, Data: []byte(file.Text)})
	}
	return sources
}

// Begin reads the files of a session. An error in a file is reported as NAME/FILE, since the file is in the
// session; any other error is in the first line.
func (s *Session) Begin(name string, limits strict.Limits, sim string) (*Beginning, error) {
	begin, err := Read(s.Sources(), s.Options(limits), sim)
	if err != nil {
		return nil, s.Wrong(name, err)
	}
	if s.Controllers != "" {
		if err := begin.SetControllers(s.Controllers); err != nil {
			return nil, s.Wrong(name, err)
		}
	}
	for i := range begin.Manifests {
		begin.Manifests[i].Where = name + "/" + begin.Manifests[i].Where
	}
	return begin, nil
}

// Wrong places an error in what the session begins with.
func (s *Session) Wrong(name string, err error) error {
	var problems strict.Problems
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &problems):
		return strict.Problems{{File: name, Line: 1, Column: 1, What: err.Error(),
			Want: "a session is what sim serve --record writes"}}
	}
	placed := slices.Clone(problems)
	for i := range placed {
		if file := placed[i].File; slices.ContainsFunc(s.Files, func(f File) bool { return f.Name == file }) {
			placed[i].File = name + "/" + file
		} else {
			placed[i].File, placed[i].Line, placed[i].Column = name, 1, 1
		}
	}
	return placed
}
