// Package request reads what clients ask of the API server: the kind, the form, the limits, and the effect of their
// bodies, patches and configurations on an object. It answers only errors, and stores nothing.
package request

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// Request is a request for objects: their kind and their place.
type Request struct {
	HTTP     *http.Request
	Response http.ResponseWriter
	Query    url.Values
	Kind     *kinds.Kind
	// Namespace is "" for all of them, name for all objects; sub is the subresource.
	Namespace, Name, Subresource string
	// Sent is the object that it sends, decoded; nil if it sends none, or one of another kind than its own.
	Sent any
	// Patch is the patch that it sends, nil for any other request.
	Patch []byte
	// Unknown is true if it has fields that its kind does not have.
	Unknown bool
	// Owned are the managers of the object's fields, if the request applies it.
	Owned []any
	// Shown is the kind as which the objects are sent and shown, if it is not the one as which they are stored.
	Shown *kinds.Kind
	// Form is the form of the answer.
	Form Form
	// applied is the namespace that the object says it is in that the request applies.
	applied string
}

func (q *Request) Key() model.Key { return model.Key{Namespace: q.Namespace, Name: q.Name} }

// Ref names the object of the request.
func (q *Request) Ref() bridge.Ref { return bridge.Ref{Kind: q.Kind, Key: q.Key()} }

// Dry reports whether the request is a dry run.
func (q *Request) Dry() bool { return slices.Contains(q.Query["dryRun"], metav1.DryRunAll) }

// Verb is the request's act as a kubectl verb.
func (q *Request) Verb() string {
	switch {
	case q.Subresource == "scale" || q.Subresource == "status":
		return q.Subresource
	case q.Owned != nil:
		return "apply"
	case q.HTTP.Method == http.MethodPatch:
		return "patch"
	}
	return "replace"
}

// Send answers with a value as JSON.
func Send(w http.ResponseWriter, code int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		code, data = http.StatusInternalServerError, []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write(append(data, '\n'))
}

// Watched makes a watch of a request by its path as it was before there was a parameter for it.
func (q *Request) Watched() error {
	if q.Subresource != "" {
		return refuse.NotServed()
	}
	q.Query.Set("watch", "true")
	if q.Name == "" {
		return nil
	}
	if given, err := fields.ParseSelector(q.Query.Get("fieldSelector")); err == nil {
		if name, exact := given.RequiresExactMatch("metadata.name"); exact && name != q.Name {
			return apierrors.NewBadRequest("fieldSelector metadata.name doesn't match requested name")
		}
	}
	q.Query.Set("fieldSelector", "metadata.name="+q.Name)
	q.Name = ""
	return nil
}
