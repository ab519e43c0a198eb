package serve

import (
	"net/http"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// serveOpenAPI answers /openapi/v3: which groups there are, and for each kind that a patch of it checks its fields.
// kubectl asks for that before it applies an object. The schemas of the fields are not served.
func serveOpenAPI(w http.ResponseWriter, parts []string) error {
	if len(parts) == 0 || parts[0] != "v3" {
		return notServed()
	}
	if len(parts) == 1 {
		paths := map[string]any{}
		for _, group := range groups() {
			path := strings.TrimPrefix(root(group), "/")
			paths[path] = map[string]any{"serverRelativeURL": "/openapi/v3/" + path}
		}
		send(w, http.StatusOK, map[string]any{"paths": paths})
		return nil
	}
	for _, group := range groups() {
		if strings.Join(parts[1:], "/") == strings.TrimPrefix(root(group), "/") {
			send(w, http.StatusOK, openAPI(group))
			return nil
		}
	}
	return notServed()
}

// root returns the path of a group's only version.
func root(group string) string {
	if group == "" {
		return "/api/v1"
	}
	return "/apis/" + group + "/" + versionOf(group)
}

func openAPI(group string) map[string]any {
	paths := map[string]any{}
	for _, k := range of(group, versionOf(group)) {
		path := root(group)
		if k.Namespaced {
			path += "/namespaces/{namespace}"
		}
		paths[path+"/"+k.Resource+"/{name}"] = map[string]any{"patch": operation(k)}
	}
	return map[string]any{"openapi": "3.0.0", "info": map[string]any{"title": "sim serve", "version": ""}, "paths": paths}
}

func operation(k *kinds.Kind) map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{
		"parameters": []any{
			map[string]any{"name": "fieldValidation", "in": "query", "schema": text},
			map[string]any{"name": "dryRun", "in": "query", "schema": text},
		},
		"responses":                       map[string]any{"200": map[string]any{"description": "OK"}},
		"x-kubernetes-group-version-kind": map[string]any{"group": k.Group, "version": k.Version, "kind": k.Kind},
	}
}
