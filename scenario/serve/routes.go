package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// request is a request for objects: of which kind, and where.
type request struct {
	http  *http.Request
	w     http.ResponseWriter
	query url.Values
	kind  *kinds.Kind
	// namespace is "" for all of them, name for all objects; sub is the subresource.
	namespace, name, sub string
	// sent is the object that it sends, decoded; nil if it sends none, or one of another kind than its own.
	sent any
	// patch is the patch that it sends, nil for any other request.
	patch []byte
	// unknown says that it gives fields that its kind does not have.
	unknown bool
	// owned are the managers of the object's fields, where the request applies it.
	owned []any
	// shown is the kind as which the objects are sent and shown, if it is not the one as which they are stored.
	shown *kinds.Kind
	// form is in what form the answer is wanted.
	form form
	// applied is the namespace that the object says it is in that the request applies.
	applied string
}

func (q *request) key() model.Key { return model.Key{Namespace: q.namespace, Name: q.name} }

// ref names the object of the request.
func (q *request) ref() bridge.Ref { return bridge.Ref{Kind: q.kind, Key: q.key()} }

// dry says whether the request only asks what would be.
func (q *request) dry() bool { return slices.Contains(q.query["dryRun"], metav1.DryRunAll) }

// verb is what the request does, in a word of kubectl.
func (q *request) verb() string {
	switch {
	case q.sub == "scale" || q.sub == "status":
		return q.sub
	case q.owned != nil:
		return "apply"
	case q.http.Method == http.MethodPatch:
		return "patch"
	}
	return "replace"
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/"+recording.Control+"/") {
		// Whoever looks at the clock does not keep it from going on.
		s.pace.begin()
		defer s.pace.done()
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
func sendRefusal(w http.ResponseWriter, err error) { refuseAs(w, mediaJSON, err) }

// refusalForm returns the media type in which a client wants an error.
func refusalForm(r *http.Request) string {
	for _, c := range clauses(r.Header.Get("Accept")) {
		if slices.Contains(media, c.media) && c.params["as"] == "" {
			return c.media
		}
	}
	return mediaJSON
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
	sendAs(w, int(status.ErrStatus.Code), name, status.ErrStatus)
}

// survive answers a client whose request has met a panic, and tells whoever runs the server. It has to be deferred.
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

// send answers with a value as JSON.
func send(w http.ResponseWriter, code int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		code, data = http.StatusInternalServerError, []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(append(data, '\n'))
}

// serve finds out what a request is for.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch parts[0] {
	case "version":
		send(w, http.StatusOK, s.reader.version())
		return nil
	case "healthz", "livez", "readyz":
		w.Write([]byte("ok"))
		return nil
	case "openapi":
		return serveOpenAPI(w, r, s.catalog(), parts[1:])
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
		return discover(w, r, s.catalog(), parts)
	}
	q, err := s.parse(w, r, parts[1:])
	if err != nil || q == nil {
		return err
	}
	if err := optionsError(q); err != nil {
		return err
	}
	return s.answer(q)
}

// parse reads the path of a request for objects: GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME[/SUBRESOURCE]]. It
// answers itself, and returns nil, where a client asks for its rights.
func (s *Server) parse(w http.ResponseWriter, r *http.Request, parts []string) (*request, error) {
	group, version, rest := parts[0], parts[1], parts[2:]
	if group == "authorization.k8s.io" || group == "authentication.k8s.io" {
		return nil, review(w, r, kinds.JoinGroup(group, version), rest)
	}
	q := &request{http: r, w: w, query: r.URL.Query(), form: form{media: mediaJSON}}
	old := rest[0] == "watch" && len(rest) > 1 && r.Method == http.MethodGet
	if old {
		rest = rest[1:]
	}
	if len(rest) >= 3 && rest[0] == "namespaces" && rest[2] != "status" && rest[2] != "finalize" {
		q.namespace, rest = rest[1], rest[2:]
	}
	if group == "" && r.Method == http.MethodGet && len(rest) == 1 && rest[0] == "componentstatuses" {
		q.warn("v1 ComponentStatus is deprecated in v1.19+")
		send(w, http.StatusOK, corev1.ComponentStatusList{TypeMeta: metav1.TypeMeta{APIVersion: "v1",
			Kind: "ComponentStatusList"}, Items: []corev1.ComponentStatus{}})
		return nil, nil
	}
	all := s.catalog()
	if q.kind = all.Find(group, version, rest[0]); group+"/"+version == "/v1" && q.namespace != "" &&
		slices.Equal(rest, []string{"bindings"}) {
		q.kind, q.sub = kinds.Pod, "binding"
	}
	if q.kind == nil && versionsOf(all, group) == nil {
		http.NotFound(w, r)
		return nil, nil
	}
	if q.kind == nil || len(rest) > 3 && rest[2] != "proxy" || q.kind.Namespaced != (q.namespace != "") && (len(rest) > 1 ||
		!q.kind.Namespaced) {
		return nil, refuse.NotServed()
	}
	if len(rest) > 1 {
		q.name = rest[1]
	}
	if len(rest) > 2 {
		if q.sub = rest[2]; !q.kind.Has(q.sub) {
			return nil, refuse.NotServed()
		}
	}
	if old {
		if err := q.watched(); err != nil {
			return nil, err
		}
	}
	if q.kind == kinds.Endpoints {
		q.warn("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice")
	}
	if q.kind == kinds.NewEvent {
		q.shown, q.kind = q.kind, kinds.Event
	}
	if q.kind.Idle && !s.config.Uncontrolled && r.Method != http.MethodGet {
		q.warn(fmt.Sprintf("%s are stored, and nobody in this simulated cluster acts on them", q.kind.Plural()))
	}
	return q, nil
}

// watched makes a watch of a request by its path as it was before there was a parameter for it.
func (q *request) watched() error {
	if q.sub != "" {
		return refuse.NotServed()
	}
	q.query.Set("watch", "true")
	if q.name == "" {
		return nil
	}
	if given, err := fields.ParseSelector(q.query.Get("fieldSelector")); err == nil {
		if name, exact := given.RequiresExactMatch("metadata.name"); exact && name != q.name {
			return apierrors.NewBadRequest("fieldSelector metadata.name doesn't match requested name")
		}
	}
	q.query.Set("fieldSelector", "metadata.name="+q.name)
	q.name = ""
	return nil
}

// answer answers a request for objects by its method.
func (s *Server) answer(q *request) error {
	placed := q.namespace != "" || !q.kind.Namespaced // All namespaces together can only be read.
	watch := q.http.Method == http.MethodGet && q.name == "" && q.asks("watch")
	if err := q.negotiate(); err != nil && !watch && q.sub != "exec" && q.sub != "log" && whys[q.sub] == "" {
		return err
	}
	switch method := q.http.Method; {
	case whys[q.sub] != "":
		return refuse.With(http.StatusNotImplemented, "NotImplemented", whys[q.sub])
	case q.sub == "exec" && (method == http.MethodGet || method == http.MethodPost):
		return s.exec(q)
	case q.sub == "log" && method == http.MethodGet:
		return s.reader.log(q)
	case q.sub == "binding" && method == http.MethodPost:
		return s.bind(q)
	case q.sub == "token" && method == http.MethodPost:
		return s.token(q)
	case method == http.MethodGet && unread[q.sub] || method == http.MethodPatch && q.sub == "finalize",
		q.sub == "binding" && q.name == "":
	case watch:
		return s.watching.watch(q)
	case method == http.MethodGet && q.name == "":
		return s.reader.list(q)
	case method == http.MethodGet:
		return s.reader.get(q)
	case method == http.MethodPost && q.sub == "eviction":
		return s.evict(q)
	case method == http.MethodPost && q.name == "" && placed:
		return s.posted(q)
	case method == http.MethodPut && q.name != "":
		return s.putted(q)
	case method == http.MethodPatch && q.name != "":
		return s.patched(q)
	case method == http.MethodDelete && q.name != "" && q.sub == "":
		return s.deleted(q)
	case method == http.MethodDelete && q.name == "" && placed && q.kind != kinds.Namespace:
		return s.deletedAll(q)
	}
	if q.kind.Schema == nil {
		return refuse.With(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed,
			"the server does not allow this method on the requested resource")
	}
	return apierrors.NewMethodNotSupported(refuse.Resource(q.kind), strings.ToLower(q.http.Method))
}

// unread are the subresources that cannot be read.
var unread = map[string]bool{"binding": true, "eviction": true, "finalize": true, "token": true}

// nameCheck returns what finds out what is wrong with the name of an object, or with the beginning of one.
func nameCheck(kind *kinds.Kind) func(name string, prefix bool) []string {
	switch {
	case kind == kinds.Budget || kind == kinds.Event || kind.Group == "rbac.authorization.k8s.io":
		// Only what would not fit into a path is refused.
		return func(name string, _ bool) []string { return content.IsPathSegmentName(name) }
	case kind == kinds.StatefulSet:
		// The names of sets are a matter of the version.
		return func(string, bool) []string { return nil }
	case kind == kinds.Namespace || kind == kinds.Service:
		return apivalidation.NameIsDNSLabel
	}
	return apivalidation.NameIsDNSSubdomain
}

// validName says what is wrong with the name of an object, which begins with a text that the client gave for it.
func validName(kind *kinds.Kind, name, generated string) error {
	path, check := field.NewPath("metadata"), nameCheck(kind)
	if name == "" {
		return refuse.Invalid(kind, name, field.ErrorList{field.Required(path.Child("name"), "name or generateName is required")})
	}
	var errs field.ErrorList
	if generated != "" {
		for _, wrong := range check(generated, true) {
			errs = append(errs, field.Invalid(path.Child("generateName"), generated, wrong))
		}
	}
	for _, wrong := range check(name, false) {
		errs = append(errs, field.Invalid(path.Child("name"), name, wrong))
	}
	if len(errs) > 0 {
		return refuse.Invalid(kind, name, errs)
	}
	return nil
}

// sorted returns the names of fields in their order.
func sorted[V any, M ~map[string]V](fields M) []string { return slices.Sorted(maps.Keys(fields)) }

// changing is locked for a request that changes what is there.
func (s *Server) changing(q *request, do func(old *objects.Object) (*objects.Object, error)) (*objects.Object, error) {
	return s.locked(q, func() (*objects.Object, error) {
		old := s.cluster.Objects.Get(q.kind, q.key())
		if old == nil {
			return nil, refuse.NotFound(q.kind, q.name)
		}
		return do(old)
	})
}

// locked brings the world to the instant of a request that changes something, does it there, and lets the watches know.
func (s *Server) locked(q *request, do func() (*objects.Object, error)) (*objects.Object, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pace.catchUp()
	if err := s.pace.leaves(q.http); err != nil {
		return nil, err
	}
	s.keep(q.http)
	o, err := do()
	s.cluster.Work()
	s.cluster.EndForeground()
	if q.kind == kinds.Definition {
		s.cluster.Redefine()
	}
	if q.kind.Schema != nil || q.kind == kinds.Definition {
		s.cluster.EndDefinitions()
	}
	if o != nil {
		o.JSON()
	}
	s.cluster.Halfway = false
	s.changed.Broadcast()
	return o, err
}
