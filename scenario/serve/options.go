package serve

import (
	"mime"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// optionsError is the error of the options that a write has in its query, in a real API server's words: it looks at them
// before the body. Those of a deletion are in its body too, and are looked at where that is read.
func optionsError(q *request) error {
	dry, by, strictness := q.query["dryRun"], q.query.Get("fieldManager"), q.query.Get("fieldValidation")
	switch q.http.Method {
	case http.MethodPost:
		return wrongOptions("CreateOptions", validation.ValidateCreateOptions(
			&metav1.CreateOptions{DryRun: dry, FieldManager: by, FieldValidation: strictness}))
	case http.MethodPut:
		return wrongOptions("UpdateOptions", validation.ValidateUpdateOptions(
			&metav1.UpdateOptions{DryRun: dry, FieldManager: by, FieldValidation: strictness}))
	case http.MethodPatch:
		o := &metav1.PatchOptions{DryRun: dry, FieldManager: by, FieldValidation: strictness}
		if q.query.Has("force") {
			force := q.asks("force")
			o.Force = &force
		}
		form, _, _ := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
		return wrongOptions("PatchOptions", validation.ValidatePatchOptions(o, types.PatchType(form)))
	}
	return nil
}

// wrongOptions is the error of options of a kind.
func wrongOptions(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
}

// asks reports whether a parameter of the query is set, as apimachinery reads it (runtime/conversion.go,
// Convert_Slice_string_To_bool): every value is true but "0" and "false".
func (q *request) asks(name string) bool {
	values := q.query[name]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}
