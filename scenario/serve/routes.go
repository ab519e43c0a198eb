package serve

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/discovery"
	"github.com/statefulsim/statefulsim/scenario/serve/request"

	corev1 "k8s.io/api/core/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/"+recording.Control+"/") {
		// Requests for the clock do not keep it from moving.
		s.pace.Begin()
		defer s.pace.Done()
	}
	defer s.survive(w)
	if !changes(r) {
		s.answerTo(w, r)
		return
	}
	answer := &answered{header: w.Header(), code: http.StatusOK}
	s.turns.take(r, func() { s.answerTo(answer, r) })
	w.WriteHeader(answer.code)
	_, _ = w.Write(answer.body.Bytes())
}

// answerTo answers a request, and records it if it changes something.
func (s *Server) answerTo(w http.ResponseWriter, r *http.Request) {
	if s.config.Record != nil && r.Method != http.MethodGet {
		r.Body = &kept{from: r.Body}
	}
	if err := s.serve(w, r); err != nil {
		refuseAs(w, refusalForm(r), err)
	}
}

// sendRefusal answers with an error.
func sendRefusal(w http.ResponseWriter, err error) { refuseAs(w, request.MediaJSON, err) }

// refusalForm returns the media type that a client wants for an error.
func refusalForm(r *http.Request) string {
	for _, c := range request.Clauses(r.Header.Get("Accept")) {
		if slices.Contains(request.Media, c.Media) && c.Params["as"] == "" {
			return c.Media
		}
	}
	return request.MediaJSON
}

// refuseAs answers with an error in a media type.
func refuseAs(w http.ResponseWriter, name string, err error) {
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	status.ErrStatus.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	if status.ErrStatus.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "1")
	}
	request.SendAs(w, int(status.ErrStatus.Code), name, status.ErrStatus)
}

// survive answers a client whose request caused a panic, and tells the caller of the server. It has to be deferred.
func (s *Server) survive(w http.ResponseWriter) {
	value := recover()
	if value == nil {
		return
	}
	stack := string(debug.Stack())
	s.mu.Lock()
	mine, whole := s.begun && s.config.Panicked != nil && value != http.ErrAbortHandler, !s.cluster.Halfway
	s.mu.Unlock()
	if !mine {
		panic(value)
	}
	s.config.Panicked(value, stack, whole)
	sendRefusal(w, apierrors.NewInternalError(fmt.Errorf("this is a bug in sim: %v", value)))
}

// serve dispatches a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch parts[0] {
	case "version":
		request.Send(w, http.StatusOK, s.reader.Version())
		return nil
	case "healthz", "livez", "readyz":
		w.Write([]byte("ok"))
		return nil
	case "openapi":
		return discovery.ServeOpenAPI(w, r, s.catalog(), parts[1:])
	case recording.Control:
		return s.control(w, r, parts[1:])
	case "api":
		parts = slices.Insert(parts, 1, "")
	case "apis":
	default:
		http.NotFound(w, r)
		return nil
	}
	if len(parts) < 4 {
		return discovery.Discover(w, r, s.catalog(), parts)
	}
	q, err := s.parse(w, r, parts[1:])
	if err != nil || q == nil {
		return err
	}
	if err := request.OptionsError(q); err != nil {
		return err
	}
	return s.answer(q)
}

// parse reads the path of a request for objects:
// GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME[/SUBRESOURCE]]. If a client asks for its own rights, it
// answers directly and returns nil.
func (s *Server) parse(w http.ResponseWriter, r *http.Request, parts []string) (*request.Request, error) {
	group, version, rest := parts[0], parts[1], parts[2:]
	if group == "authorization.k8s.io" || group == "authentication.k8s.io" {
		return nil, review(w, r, kinds.JoinGroup(group, version), rest)
	}
	q := &request.Request{HTTP: r, Response: w, Query: r.URL.Query(), Form: request.Form{Media: request.MediaJSON}}
	old := rest[0] == "watch" && len(rest) > 1 && r.Method == http.MethodGet
	if old {
		rest = rest[1:]
	}
	if len(rest) >= 3 && rest[0] == "namespaces" && rest[2] != "status" && rest[2] != "finalize" {
		q.Namespace, rest = rest[1], rest[2:]
	}
	if group == "" && r.Method == http.MethodGet && len(rest) == 1 && rest[0] == "componentstatuses" {
		q.Warn("v1 ComponentStatus is deprecated in v1.19+")
		request.Send(w, http.StatusOK, corev1.ComponentStatusList{TypeMeta: metav1.TypeMeta{APIVersion: "v1",
			Kind: "ComponentStatusList"}, Items: []corev1.ComponentStatus{}})
		return nil, nil
	}
	all := s.catalog()
	if q.Kind = all.Find(group, version, rest[0]); group+"/"+version == "/v1" && q.Namespace != "" &&
		slices.Equal(rest, []string{"bindings"}) {
		q.Kind, q.Subresource = kinds.Pod, "binding"
	}
	if q.Kind == nil && discovery.VersionsOf(all, group) == nil {
		http.NotFound(w, r)
		return nil, nil
	}
	if q.Kind == nil || len(rest) > 3 && rest[2] != "proxy" || q.Kind.Namespaced != (q.Namespace != "") && (len(rest) > 1 ||
		!q.Kind.Namespaced) {
		return nil, refuse.NotServed()
	}
	if len(rest) > 1 {
		q.Name = rest[1]
	}
	if len(rest) > 2 {
		if q.Subresource = rest[2]; !q.Kind.Has(q.Subresource) {
			return nil, refuse.NotServed()
		}
	}
	if old {
		if err := q.Watched(); err != nil {
			return nil, err
		}
	}
	if q.Kind == kinds.Endpoints {
		q.Warn("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
	}
	if q.Kind == kinds.NewEvent {
		q.Shown, q.Kind = q.Kind, kinds.Event
	}
	if q.Kind.Idle && !s.config.Uncontrolled && r.Method != http.MethodGet {
		q.Warn(fmt.Sprintf("%s are stored, and nobody in this simulated cluster acts on them", q.Kind.Plural()))
	}
	return q, nil
}

// answer answers a request for objects by its method.
func (s *Server) answer(q *request.Request) error {
	placed := q.Namespace != "" || !q.Kind.Namespaced // All namespaces together can only be read.
	watch := q.HTTP.Method == http.MethodGet && q.Name == "" && q.Asks("watch")
	streams := watch || q.Subresource == "exec" || q.Subresource == "log"
	if err := q.Negotiate(); err != nil && !streams && whys[q.Subresource] == "" {
		return err
	}
	switch method := q.HTTP.Method; {
	case whys[q.Subresource] != "":
		return refuse.With(http.StatusNotImplemented, "NotImplemented", whys[q.Subresource])
	case q.Subresource == "exec" && (method == http.MethodGet || method == http.MethodPost):
		return s.exec(q)
	case q.Subresource == "log" && method == http.MethodGet:
		return s.reader.Log(q)
	case q.Subresource == "binding" && method == http.MethodPost:
		return s.bind(q)
	case q.Subresource == "token" && method == http.MethodPost:
		return s.token(q)
	case method == http.MethodGet && unread[q.Subresource] || method == http.MethodPatch && q.Subresource == "finalize",
		q.Subresource == "binding" && q.Name == "":
	case watch:
		return s.watching.Watch(q)
	case method == http.MethodGet && q.Name == "":
		return s.reader.List(q)
	case method == http.MethodGet:
		return s.reader.Get(q)
	case method == http.MethodPost && q.Subresource == "eviction":
		return s.evict(q)
	case method == http.MethodPost && q.Name == "" && placed:
		return s.posted(q)
	case method == http.MethodPut && q.Name != "":
		return s.putted(q)
	case method == http.MethodPatch && q.Name != "":
		return s.patched(q)
	case method == http.MethodDelete && q.Name != "" && q.Subresource == "":
		return s.deleted(q)
	case method == http.MethodDelete && q.Name == "" && placed && q.Kind != kinds.Namespace:
		return s.deletedAll(q)
	}
	if q.Kind.Schema == nil {
		return refuse.With(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed,
			"the server does not allow this method on the requested resource")
	}
	return apierrors.NewMethodNotSupported(refuse.Resource(q.Kind), strings.ToLower(q.HTTP.Method))
}

// unread are the subresources that cannot be read.
var unread = map[string]bool{"binding": true, "eviction": true, "finalize": true, "token": true}

// changing is locked for a request that changes existing objects.
func (s *Server) changing(q *request.Request, do func(old *objects.Object) (*objects.Object, error)) (
	*objects.Object, error,
) {
	return s.locked(q, func() (*objects.Object, error) {
		old := s.cluster.Objects.Get(q.Kind, q.Key())
		if old == nil {
			return nil, refuse.NotFound(q.Kind, q.Name)
		}
		return do(old)
	})
}

// locked brings the world to the instant of a request that changes something, does it there, and lets the watches know.
func (s *Server) locked(q *request.Request, do func() (*objects.Object, error)) (*objects.Object, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pace.CatchUp()
	if err := s.pace.Leaves(q.HTTP); err != nil {
		return nil, err
	}
	s.keep(q.HTTP)
	o, err := do()
	s.cluster.Work()
	s.cluster.EndForeground()
	if q.Kind == kinds.Definition {
		s.cluster.Redefine()
	}
	if q.Kind.Schema != nil || q.Kind == kinds.Definition {
		s.cluster.EndDefinitions()
	}
	if o != nil {
		o.JSON()
	}
	s.cluster.Halfway = false
	s.changed.Broadcast()
	return o, err
}

// catalog returns the kinds that are served now.
func (s *Server) catalog() kinds.Catalog {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cluster.Defined
}
