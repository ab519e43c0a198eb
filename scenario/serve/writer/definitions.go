package writer

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// defines checks a CustomResourceDefinition that is written, and fills in the fields that its controller sets.
func (g *Writer) defines(w *Write) error {
	f := w.fields
	kind := kinds.Defined(f)
	var errs field.ErrorList
	need := func(text string, path ...string) {
		if text == "" {
			errs = append(errs, field.Required(field.NewPath(path[0], path[1:]...), ""))
		}
	}
	need(kind.Group, "spec", "group")
	need(kind.Resource, "spec", "names", "plural")
	need(kind.Kind, "spec", "names", "kind")
	need(kind.Version+sometimes(len(f.List("spec", "versions")) > 0), "spec", "versions")
	for i, version := range f.List("spec", "versions") {
		if version.Map("schema", "openAPIV3Schema") == nil {
			errs = append(errs, field.Required(field.NewPath("spec", "versions").Index(i).Child("schema",
				"openAPIV3Schema"), ""))
		}
		if version.Is("storage") && version.Map("subresources", "scale") != nil && kind.Scaled == nil {
			need("", "spec", "versions", "subresources", "scale", "specReplicasPath")
		}
	}
	if scope := f.Text("spec", "scope"); scope != "Namespaced" && scope != "Cluster" {
		errs = append(errs, field.NotSupported(field.NewPath("spec", "scope"), scope, []string{"Cluster", "Namespaced"}))
	}
	if name := w.Key.Name; name != kind.Resource+"."+kind.Group {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), name,
			`must be spec.names.plural+"."+spec.group`))
	}
	if taken := kinds.Catalog(nil).Find(kind.Group, kind.Version, kind.Resource); taken != nil {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "names", "plural"),
			"the API server has this resource itself"))
	}
	errs = append(errs, wrongSchemas(f)...)
	if len(errs) > 0 {
		return refuse.Invalid(kinds.Definition, w.Key.Name, errs)
	}
	names := f.Map("spec", "names")
	names["singular"] = kind.Singular
	if names.Text("listKind") == "" {
		names["listKind"] = kind.Kind + "List"
	}
	status, now := maps.Clone(f.Map("status")), g.Cluster.Instant().Format(time.RFC3339)
	if status.List("conditions") == nil {
		condition := func(word, reason, message string) any {
			return map[string]any{"type": word, "status": "True", "reason": reason, "message": message,
				"lastTransitionTime": now}
		}
		status = kinds.Fields{"conditions": []any{condition("NamesAccepted", "NoConflicts", "no conflicts found"),
			condition("Established", "InitialNamesAccepted", "the initial names have been accepted")}}
	}
	status["acceptedNames"], status["storedVersions"] = map[string]any(names), []any{kind.Version}
	f["status"] = map[string]any(status)
	return nil
}

// sometimes is a text if something is so.
func sometimes(is bool) string {
	if is {
		return "is"
	}
	return ""
}

// wrongSchemas returns what is wrong with the versions of a definition and their schemas. A real API server keeps the
// schema of all versions in one place if it is the same.
func wrongSchemas(f kinds.Fields) (errs field.ErrorList) {
	versions, stored := f.List("spec", "versions"), 0
	for i, version := range versions {
		if version.Is("storage") {
			stored++
		}
		path := field.NewPath("spec", "validation", "openAPIV3Schema")
		of := version.Map("schema", "openAPIV3Schema")
		if !reflect.DeepEqual(of, versions[0].Map("schema", "openAPIV3Schema")) {
			path = field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
		} else if i > 0 {
			continue
		}
		if of != nil {
			errs = append(errs, schema.Wrong(of, path)...)
		}
	}
	if stored != 1 && len(versions) > 0 {
		list, _, _ := unstructured.NestedSlice(f, "spec", "versions")
		errs = append(errs, field.Invalid(field.NewPath("spec", "versions"), list,
			"must have exactly one version marked as storage version"))
	}
	return errs
}

// metaFields are the fields of metadata.
var metaFields = map[string]bool{"name": true, "generateName": true, "namespace": true, "selfLink": true, "uid": true,
	"resourceVersion": true, "generation": true, "creationTimestamp": true, "deletionTimestamp": true,
	"deletionGracePeriodSeconds": true, "labels": true, "annotations": true, "ownerReferences": true,
	"finalizers": true, "managedFields": true}

// structural takes a custom resource through the schema of its kind.
func (g *Writer) structural(w *Write) error {
	c := schema.Custom{Room: request.Largest, Work: request.MostCompared}
	w.fields = runtime.DeepCopyJSON(w.fields)
	meta := w.fields.Map("metadata")
	for _, name := range slices.Sorted(maps.Keys(meta)) {
		if !metaFields[name] {
			delete(meta, name)
			c.Unknown = append(c.Unknown, "metadata."+name)
		}
	}
	c.Take(w.fields, w.q.Kind.Schema)
	var old map[string]any
	if w.old != nil {
		old = w.old.Fields
	}
	c.Judge(g.Rules, w.fields, old, w.q.Kind.Schema)
	switch {
	case c.Room < 0:
		return request.TooLarge("with the defaults of its schema the object is larger than %d", request.Largest)
	case c.Work < 0:
		return request.TooLarge("the enumerations and patterns of its schema take more than %d comparisons", request.MostCompared)
	}
	var strict []error
	for _, name := range c.Unknown {
		strict = append(strict, fmt.Errorf("unknown field %q", name))
	}
	if err := w.q.Strictly(strict); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", w.q.Kind.Kind,
			w.q.Kind.Version, w.q.Kind.Kind, err))
	}
	if len(c.Wrong) > 0 {
		return refuse.Invalid(w.q.Kind, w.Key.Name, c.Wrong)
	}
	return nil
}
