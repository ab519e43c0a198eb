package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
)

// magic is how an object in protobuf begins.
var magic = []byte("k8s\x00")

// body reads the body of a request as JSON, or the object in it if it is protobuf: into is then filled, and the JSON
// nil.
func body(r *http.Request, into any) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, largest+1))
	switch {
	case err != nil:
		return nil, apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	case len(data) > largest:
		return nil, tooLarge("limit is %d", largest)
	case bytes.HasPrefix(data, magic):
		return nil, unpack(data[len(magic):], into)
	case strings.Contains(r.Header.Get("Content-Type"), "yaml"):
		if data, err = fromYAML(data); err != nil {
			return nil, err
		}
	}
	return data, affordable(data)
}

// unpack decodes the object in an envelope of protobuf.
func unpack(data []byte, into any) error {
	var envelope runtime.Unknown
	message, is := into.(interface{ Unmarshal([]byte) error })
	if !is {
		return apierrors.NewBadRequest("this cannot be sent as protobuf")
	}
	err := envelope.Unmarshal(data)
	if err == nil {
		if countOf(envelope.Raw, reflect.TypeOf(into)) > mostValues {
			return tooLarge("the body has more than %d values", mostValues)
		}
		err = message.Unmarshal(envelope.Raw)
	}
	if err != nil {
		return apierrors.NewBadRequest("the protobuf cannot be decoded: " + err.Error())
	}
	return nil
}

// options reads the options in the body of a request, such as DeleteOptions; an empty body leaves them empty.
func options(r *http.Request, into any) error {
	data, err := body(r, into)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return apierrors.NewBadRequest("the body cannot be decoded: " + err.Error())
	}
	return nil
}

// object reads the object that a request sends. Unknown and doubled fields are an error, a warning or nothing, as the
// request asks.
func (q *request) object() (any, error) {
	typed := q.kind.Empty()
	data, err := body(q.http, typed)
	if err != nil || data == nil {
		return typed, err
	}
	unknown, err := q.decode(data, typed)
	if err != nil {
		return nil, err
	}
	return typed, q.strictly(unknown)
}

// decode decodes JSON into an object of the request's kind, and returns what is unknown or doubled in it.
func (q *request) decode(data []byte, typed any) (unknown []error, err error) {
	var said metav1.TypeMeta
	if json.Unmarshal(data, &said) == nil && said.Kind != "" && said.Kind != q.kind.Kind {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: converting (%s) to (%s): "+
			"unknown conversion", said.Kind, q.kind.Version, q.kind.Kind, said.Kind, q.kind.Kind))
	}
	unknown, err = kjson.UnmarshalStrict(data, typed)
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", q.kind.Kind,
			q.kind.Version, q.kind.Kind, err))
	}
	return unknown, nil
}

// strictly answers unknown and doubled fields as the request asks.
func (q *request) strictly(strict []error) error {
	if q.unknown = len(strict) > 0; !q.unknown {
		return nil
	}
	switch q.query.Get("fieldValidation") {
	case metav1.FieldValidationIgnore:
	case metav1.FieldValidationStrict:
		return apierrors.NewBadRequest(runtime.NewStrictDecodingError(strict).Error())
	default:
		for _, wrong := range strict {
			q.warn(wrong.Error())
		}
	}
	return nil
}

// warn adds a warning to the answer.
func (q *request) warn(text string) {
	q.w.Header().Add("Warning", fmt.Sprintf("299 - %q", text))
}

// fieldsOf returns a typed object as JSON has it.
func fieldsOf(typed any) kinds.Fields { return project.Fields(typed) }

// typedOf returns fields as an object of a kind's Go type.
func typedOf(kind *kinds.Kind, fields kinds.Fields) (any, error) {
	typed := kind.Empty()
	data, err := json.Marshal(fields)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, typed)
	}
	return typed, err
}
