// Package refuse has the answers of the API to requests that it refuses.
package refuse

import (
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// codes are the HTTP status codes for the simulated API server's reasons for refusing.
var codes = map[model.ErrorReason]int32{
	model.AlreadyExists: http.StatusConflict, model.NotFound: http.StatusNotFound, model.Conflict: http.StatusConflict,
	model.Invalid: http.StatusUnprocessableEntity, model.Forbidden: http.StatusForbidden,
	model.Timeout: http.StatusGatewayTimeout, model.TooManyRequests: http.StatusTooManyRequests,
	model.InternalError: http.StatusInternalServerError, model.ServerTimeout: http.StatusInternalServerError,
}

// Of returns a refusal of the simulated API server as it is sent; nil for none.
func Of(err *model.APIError, kind *kinds.Kind, name string) error {
	if err == nil {
		return nil
	}
	status := metav1.Status{
		Status: metav1.StatusFailure, Code: codes[err.Reason], Message: err.Message,
		Reason:  metav1.StatusReason(err.Reason.String()),
		Details: &metav1.StatusDetails{Name: name, Group: kind.Group, Kind: kind.Resource},
	}
	switch {
	case err.Reason == model.Invalid:
		status.Details.Kind, status.Details.Causes = kind.Kind, causes(err.Message)
	case err.Cause != "":
		status.Details.Causes = []metav1.StatusCause{{Type: "DisruptionBudget", Message: err.Cause}}
	}
	return &apierrors.StatusError{ErrStatus: status}
}

// complaint matches the start of one complaint in an Invalid message: a field, and what is wrong with it.
var complaint = lazy.Regexp(`(?:^|, )(<nil>|[a-zA-Z][\w.\-/\[\]]*): (Invalid value|Required value|Forbidden|` +
	`Unsupported value|Duplicate value|Too long|Too many|Internal error|Not found)`)

// causeTypes are the types of the causes by the words of a complaint.
var causeTypes = map[string]metav1.CauseType{
	"Required value": metav1.CauseTypeFieldValueRequired, "Duplicate value": metav1.CauseTypeFieldValueDuplicate,
	"Unsupported value": metav1.CauseTypeFieldValueNotSupported, "Not found": metav1.CauseTypeFieldValueNotFound,
	"Forbidden": metav1.CauseTypeForbidden, "Too long": metav1.CauseTypeTooLong, "Too many": metav1.CauseTypeTooMany,
}

// causes takes the message of an Invalid apart, since kubectl prints the causes and not the message.
func causes(message string) []metav1.StatusCause {
	_, words, found := strings.Cut(message, " is invalid: ")
	if !found {
		return nil
	}
	if strings.HasPrefix(words, "[") && strings.HasSuffix(words, "]") {
		words = words[1 : len(words)-1]
	}
	var list []metav1.StatusCause
	at := complaint().FindAllStringSubmatchIndex(words, -1)
	for i, m := range at {
		end := len(words)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		kind, known := causeTypes[words[m[4]:m[5]]]
		if !known {
			kind = metav1.CauseTypeFieldValueInvalid
		}
		list = append(list, metav1.StatusCause{Type: kind, Field: words[m[2]:m[3]], Message: words[m[4]:end]})
	}
	return list
}

// Resource names a kind in the errors of apimachinery.
func Resource(kind *kinds.Kind) schema.GroupResource {
	return schema.GroupResource{Group: kind.Group, Resource: kind.Resource}
}

// NotFound is the answer to a request for an object that is not there.
func NotFound(kind *kinds.Kind, name string) error {
	return apierrors.NewNotFound(Resource(kind), name)
}

// NotServed is the answer to a path that leads nowhere.
func NotServed() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
		Message: "the server could not find the requested resource", Details: &metav1.StatusDetails{},
	}}
}

// With returns an error with a code, a reason and a message of its own.
func With(code int32, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
	}}
}

// mostWrong is how much is said to be wrong with an object: to put the errors together takes time in their square.
const mostWrong = 100

// Invalid is the answer to an object that the API does not accept.
func Invalid(kind *kinds.Kind, name string, errs field.ErrorList) error {
	errs = errs[:min(len(errs), mostWrong)]
	return apierrors.NewInvalid(schema.GroupKind{Group: kind.Group, Kind: kind.Kind}, name, errs)
}
