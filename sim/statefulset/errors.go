package statefulset

import "strings"

// aggregate is several errors of one batch or one pod. Its text is the one that Kubernetes gives such errors, because
// it stands in events. It is never empty where it is used as an error: orNil turns an empty one into nil.
type aggregate []error

// Error returns the text of the only error, or all texts in brackets.
func (a aggregate) Error() string {
	if len(a) == 1 {
		return a[0].Error()
	}
	texts := make([]string, len(a))
	for i, err := range a {
		texts[i] = err.Error()
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// Unwrap returns the errors.
func (a aggregate) Unwrap() []error { return a }

// orNil returns the errors as one, or nil without any: an empty aggregate in an error would not be nil.
func (a aggregate) orNil() error {
	if len(a) == 0 {
		return nil
	}
	return a
}

// join returns both errors as one, or the one that is not nil. The text has them in this order.
func join(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return aggregate{a, b}
}
