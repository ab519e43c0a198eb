package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// Load creates an object of a manifest, given as JSON, at this instant: in the namespace that it names, which is made
// if it is not there. Items of a list are created one by one.
func (s *Server) Load(manifest []byte) error {
	var object kinds.Fields
	if json.Unmarshal(manifest, &object) != nil {
		return errors.New("this is no object: an object needs apiVersion and kind, both text")
	}
	for _, item := range object.List("items") {
		data, err := json.Marshal(item)
		if err == nil {
			err = s.Load(data)
		}
		if err != nil {
			return err
		}
	}
	if object["items"] != nil || len(object) == 0 {
		return nil
	}
	apiVersion, word := object.Text("apiVersion"), object.Text("kind")
	kind := s.catalog().Of(apiVersion, word)
	switch {
	case apiVersion == "" || word == "":
		return errors.New("this is no manifest: an object needs apiVersion and kind, both text")
	case kind == nil:
		return fmt.Errorf("%s %s %s is not served", apiVersion, word, object.Text("metadata", "name"))
	}
	path := kinds.GroupVersion{Group: kind.Group, Version: kind.Version}.Root()
	if kind.Namespaced {
		namespace := cmp.Or(object.Text("metadata", "namespace"), "default")
		s.settleIn(namespace)
		path += "/namespaces/" + namespace
	}
	return s.post(path+"/"+kind.Resource, manifest)
}

// settleIn makes a namespace that is not there.
func (s *Server) settleIn(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cluster.Objects.Get(kinds.Namespace, model.Key{Name: namespace}) == nil {
		s.cluster.FoundNamespace(namespace)
	}
}

// post sends a request to the server itself.
func (s *Server) post(path string, data []byte) error {
	r, err := http.NewRequest(http.MethodPost, path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	w := &answered{header: http.Header{}}
	s.ServeHTTP(w, r)
	var answer struct{ Message string }
	if w.code >= http.StatusBadRequest && json.Unmarshal(w.body.Bytes(), &answer) == nil {
		return fmt.Errorf("the API server refuses: %s", answer.Message)
	}
	return nil
}

// answered keeps the answer.
type answered struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

// Header, WriteHeader and Write make it a http.ResponseWriter.
func (a *answered) Header() http.Header { return a.header }

// WriteHeader keeps the code.
func (a *answered) WriteHeader(code int) { a.code = code }

// Write keeps the body.
func (a *answered) Write(data []byte) (int, error) { return a.body.Write(data) }
