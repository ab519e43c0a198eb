package request

import (
	"mime"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// OptionsError is the error of the options that a write has in its query, in a real API server's words: it looks at them
// before the body. Those of a deletion are in its body too, and are looked at where that is read.
func OptionsError(q *Request) error {
	if text := q.Query.Get("timeout"); text != "" {
		if _, err := time.ParseDuration(text); err != nil {
			return apierrors.NewBadRequest("invalid timeout specified in the request URL - " + err.Error())
		}
	}
	var kind string
	var errs field.ErrorList
	var err error
	switch q.HTTP.Method {
	case http.MethodPost:
		var o metav1.CreateOptions
		err = metav1.Convert_url_Values_To_v1_CreateOptions(&q.Query, &o, nil)
		kind, errs = "CreateOptions", validation.ValidateCreateOptions(&o)
	case http.MethodPut:
		var o metav1.UpdateOptions
		err = metav1.Convert_url_Values_To_v1_UpdateOptions(&q.Query, &o, nil)
		kind, errs = "UpdateOptions", validation.ValidateUpdateOptions(&o)
	case http.MethodPatch:
		var o metav1.PatchOptions
		err = metav1.Convert_url_Values_To_v1_PatchOptions(&q.Query, &o, nil)
		form, _, _ := mime.ParseMediaType(q.HTTP.Header.Get("Content-Type"))
		kind, errs = "PatchOptions", validation.ValidatePatchOptions(&o, types.PatchType(form))
	}
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return WrongOptions(kind, errs)
}

// WrongOptions is the error of options of a kind.
func WrongOptions(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind(kind).GroupKind(), "", errs)
}

// Asks reports whether a parameter of the query is set, as apimachinery reads it (runtime/conversion.go,
// Convert_Slice_string_To_bool): every value is true but "0" and "false".
func (q *Request) Asks(name string) bool {
	values := q.Query[name]
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}
