package discovery

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// ServeOpenAPI answers /openapi/v2 with the schemas of all kinds, and /openapi/v3 with the list of documents for
// each group and version.
func ServeOpenAPI(w http.ResponseWriter, r *http.Request, c kinds.Catalog, parts []string) error {
	path := strings.Join(parts, "/")
	switch {
	case path == "v2":
		return second(w, r)
	case path == "v3":
		paths := map[string]any{}
		for _, gv := range c.Versions() {
			path := strings.TrimPrefix(gv.Root(), "/")
			paths[path] = map[string]any{"serverRelativeURL": "/openapi/v3/" + path}
		}
		request.Send(w, http.StatusOK, map[string]any{"paths": paths})
		return nil
	}
	for _, gv := range c.Versions() {
		if path == "v3"+gv.Root() {
			list := c.In(gv)
			request.Send(w, http.StatusOK, schema.TypesOf(list).V3(published(list), operations(gv, list)))
			return nil
		}
	}
	return refuse.NotServed()
}

// second answers with the document of OpenAPI 2: as JSON, or as the protobuf that clients up to 1.28 ask for alone.
func second(w http.ResponseWriter, r *http.Request) error {
	document := schema.BuiltIn().V2(published(kinds.Catalog(nil).All()))
	if !strings.Contains(r.Header.Get("Accept"), "protobuf") {
		request.Send(w, http.StatusOK, document)
		return nil
	}
	data, err := json.Marshal(document)
	if err != nil {
		return err
	}
	parsed, err := openapi.ParseDocument(data)
	if err != nil {
		return fmt.Errorf("the schemas are no OpenAPI 2: %w", err)
	}
	if data, err = proto.Marshal(parsed); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
	_, err = w.Write(data)
	return err
}

// published are the kinds whose schemas are known.
func published(list []*kinds.Kind) []schema.Kind {
	var all []schema.Kind
	for _, k := range list {
		if name := schema.TypeName(k); name != "" {
			all = append(all, schema.Kind{Name: name, Group: k.Group, Version: k.Version, Kind: k.Kind})
		}
	}
	return all
}

// operations are the paths of kinds, each with a patch that checks its fields: kubectl asks for that before it applies
// an object, and finds there which schema a resource has.
func operations(gv kinds.GroupVersion, list []*kinds.Kind) map[string]any {
	text := map[string]any{"type": "string"}
	parameters := []any{map[string]any{"name": "fieldValidation", "in": "query", "schema": text},
		map[string]any{"name": "dryRun", "in": "query", "schema": text}}
	paths := map[string]any{}
	for _, k := range list {
		path := gv.Root()
		if k.Namespaced {
			path += "/namespaces/{namespace}"
		}
		paths[path+"/"+k.Resource+"/{name}"] = map[string]any{"patch": map[string]any{"parameters": parameters,
			"responses":                       map[string]any{"200": map[string]any{"description": "OK"}},
			"x-kubernetes-group-version-kind": map[string]any{"group": k.Group, "version": k.Version, "kind": k.Kind}}}
	}
	return paths
}
