// Code generated from k8s.io/apimachinery/pkg/util/validation/field of k8s.io/apimachinery v0.37.2; DO NOT EDIT.

/*
Copyright 2014 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

/*
Copyright 2015 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Package field is the part of k8s.io/apimachinery/pkg/util/validation/field that sim uses.
package field

import (
	"bytes"
	"encoding/json"
	"fmt"
	utilerrors "github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/errors"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/sets"
	"strconv"
	"strings"
)

type Error struct {
	Type                        ErrorType
	Field                       string
	BadValue                    interface{}
	Detail                      string
	Origin                      string
	CoveredByDeclarative        bool
	FromImperative              bool
	ShortCircuit                bool
	ShortCircuitedInDeclarative bool
	ValidationStabilityLevel    ValidationStabilityLevel
}

type ValidationStabilityLevel int

const (
	stabilityLevelUnknown ValidationStabilityLevel = iota
	stabilityLevelAlpha
	stabilityLevelBeta
)

func (v ValidationStabilityLevel) String() string {
	switch v {
	case stabilityLevelAlpha:
		return "alpha"
	case stabilityLevelBeta:
		return "beta"
	default:
		return "unknown"
	}
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s", e.Field, e.ErrorBody())
}

type OmitValueType struct{}

var omitValue = OmitValueType{}

func (e *Error) ErrorBody() string {
	var s string
	switch e.Type {
	case ErrorTypeRequired, ErrorTypeForbidden, ErrorTypeTooLong, ErrorTypeTooShort, ErrorTypeInternal:
		s = e.Type.String()
	case ErrorTypeInvalid, ErrorTypeTypeInvalid, ErrorTypeNotSupported,
		ErrorTypeNotFound, ErrorTypeDuplicate, ErrorTypeTooMany, ErrorTypeTooFew:
		if e.BadValue == omitValue {
			s = e.Type.String()
			break
		}
		switch t := e.BadValue.(type) {
		case int64, int32, float64, float32, bool:
			s = fmt.Sprintf("%s: %v", e.Type, t)
		case string:
			s = fmt.Sprintf("%s: %q", e.Type, t)
		default:
			valstr := ""
			jb, err := json.Marshal(e.BadValue)
			if err == nil {
				valstr = string(jb)
			} else if stringer, ok := e.BadValue.(fmt.Stringer); ok {
				valstr = stringer.String()
			} else {
				valstr = fmt.Sprintf("%#v", e.BadValue)
			}
			s = fmt.Sprintf("%s: %s", e.Type, valstr)
		}
	default:
		internal := InternalError(nil, fmt.Errorf("unhandled error code: %s: please report this", e.Type))
		s = internal.ErrorBody()
	}
	if len(e.Detail) != 0 {
		s += fmt.Sprintf(": %s", e.Detail)
	}
	return s
}

func (e *Error) WithOrigin(o string) *Error {
	e.Origin = o
	return e
}

type ErrorType string

const ErrorTypeNotFound ErrorType = "FieldValueNotFound"

const ErrorTypeRequired ErrorType = "FieldValueRequired"

const ErrorTypeDuplicate ErrorType = "FieldValueDuplicate"

const ErrorTypeInvalid ErrorType = "FieldValueInvalid"

const ErrorTypeNotSupported ErrorType = "FieldValueNotSupported"

const ErrorTypeForbidden ErrorType = "FieldValueForbidden"

const ErrorTypeTooLong ErrorType = "FieldValueTooLong"

const ErrorTypeTooMany ErrorType = "FieldValueTooMany"

const ErrorTypeTooFew ErrorType = "FieldValueTooFew"

const ErrorTypeInternal ErrorType = "InternalError"

const ErrorTypeTypeInvalid ErrorType = "FieldValueTypeInvalid"

const ErrorTypeTooShort ErrorType = "FieldValueTooShort"

func (t ErrorType) String() string {
	switch t {
	case ErrorTypeNotFound:
		return "Not found"
	case ErrorTypeRequired:
		return "Required value"
	case ErrorTypeDuplicate:
		return "Duplicate value"
	case ErrorTypeInvalid:
		return "Invalid value"
	case ErrorTypeNotSupported:
		return "Unsupported value"
	case ErrorTypeForbidden:
		return "Forbidden"
	case ErrorTypeTooLong:
		return "Too long"
	case ErrorTypeTooMany:
		return "Too many"
	case ErrorTypeTooFew:
		return "Too few"
	case ErrorTypeInternal:
		return "Internal error"
	case ErrorTypeTypeInvalid:
		return "Invalid value"
	case ErrorTypeTooShort:
		return "Too short"
	default:
		return fmt.Sprintf("<unknown error %q>", string(t))
	}
}

func NotFound(field *Path, value interface{}) *Error {
	return &Error{
		Type:     ErrorTypeNotFound,
		Field:    field.String(),
		BadValue: value,
	}
}

func Required(field *Path, detail string) *Error {
	return &Error{
		Type:     ErrorTypeRequired,
		Field:    field.String(),
		Detail:   detail,
		BadValue: "",
	}
}

func Duplicate(field *Path, value interface{}) *Error {
	return &Error{
		Type:     ErrorTypeDuplicate,
		Field:    field.String(),
		BadValue: value,
	}
}

func Invalid(field *Path, value interface{}, detail string) *Error {
	return &Error{
		Type:     ErrorTypeInvalid,
		Field:    field.String(),
		BadValue: value,
		Detail:   detail,
	}
}

func NotSupported[T ~string](field *Path, value interface{}, validValues []T) *Error {
	detail := ""
	if len(validValues) > 0 {
		quotedValues := make([]string, len(validValues))
		for i, v := range validValues {
			quotedValues[i] = strconv.Quote(fmt.Sprint(v))
		}
		detail = "supported values: " + strings.Join(quotedValues, ", ")
	}
	return &Error{
		Type:     ErrorTypeNotSupported,
		Field:    field.String(),
		BadValue: value,
		Detail:   detail,
	}
}

func Forbidden(field *Path, detail string) *Error {
	return &Error{
		Type:     ErrorTypeForbidden,
		Field:    field.String(),
		Detail:   detail,
		BadValue: "",
	}
}

func TooLong(field *Path, _ interface{}, maxLength int) *Error {
	var msg string
	if maxLength >= 0 {
		bs := "bytes"
		if maxLength == 1 {
			bs = "byte"
		}
		msg = fmt.Sprintf("may not be more than %d %s", maxLength, bs)
	} else {
		msg = "value is too long"
	}
	return &Error{
		Type:     ErrorTypeTooLong,
		Field:    field.String(),
		BadValue: "<value omitted>",
		Detail:   msg,
	}
}

func InternalError(field *Path, err error) *Error {
	return &Error{
		Type:     ErrorTypeInternal,
		Field:    field.String(),
		BadValue: err,
		Detail:   err.Error(),
	}
}

type ErrorList []*Error

func (list ErrorList) WithOrigin(origin string) ErrorList {
	for _, err := range list {
		err.Origin = origin
	}
	return list
}

func (list ErrorList) ToAggregate() utilerrors.Aggregate {
	if len(list) == 0 {
		return nil
	}
	errs := make([]error, 0, len(list))
	errorMsgs := sets.NewString()
	for _, err := range list {
		msg := fmt.Sprintf("%v", err)
		if errorMsgs.Has(msg) {
			continue
		}
		errorMsgs.Insert(msg)
		errs = append(errs, err)
	}
	return utilerrors.NewAggregate(errs)
}

type pathOptions struct {
	path *Path
}

type PathOption func(o *pathOptions)

func WithPath(p *Path) PathOption {
	return func(o *pathOptions) {
		o.path = p
	}
}

func ToPath(opts ...PathOption) *Path {
	c := &pathOptions{}
	for _, opt := range opts {
		opt(c)
	}
	return c.path
}

type Path struct {
	name   string
	index  string
	parent *Path
}

func NewPath(name string, moreNames ...string) *Path {
	r := &Path{name: name, parent: nil}
	for _, anotherName := range moreNames {
		r = &Path{name: anotherName, parent: r}
	}
	return r
}

func (p *Path) Root() *Path {
	for ; p.parent != nil; p = p.parent {
	}
	return p
}

func (p *Path) Child(name string, moreNames ...string) *Path {
	r := NewPath(name, moreNames...)
	r.Root().parent = p
	return r
}

func (p *Path) Index(index int) *Path {
	return &Path{index: strconv.Itoa(index), parent: p}
}

func (p *Path) Key(key string) *Path {
	return &Path{index: key, parent: p}
}

func (p *Path) String() string {
	if p == nil {
		return "<nil>"
	}
	elems := []*Path{}
	for ; p != nil; p = p.parent {
		elems = append(elems, p)
	}
	buf := bytes.NewBuffer(nil)
	for i := range elems {
		p := elems[len(elems)-1-i]
		if p.parent != nil && len(p.name) > 0 {
			buf.WriteString(".")
		}
		if len(p.name) > 0 {
			buf.WriteString(p.name)
		} else {
			fmt.Fprintf(buf, "[%s]", p.index)
		}
	}
	return buf.String()
}
