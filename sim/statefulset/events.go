package statefulset

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// verb is an act on a pod or a claim in the words of Kubernetes' events: title and lower start the message, done
// and failed are the reasons.
type verb struct{ title, lower, done, failed string }

var (
	creating = verb{"Create", "create", "SuccessfulCreate", "FailedCreate"}
	updating = verb{"Update", "update", "SuccessfulUpdate", "FailedUpdate"}
	deleting = verb{"Delete", "delete", "SuccessfulDelete", "FailedDelete"}
)

// word returns the verb in the form that starts a message: lower case up to 1.34.
func (s *sync) word(v *verb) string {
	if s.profile.CapitalEvents {
		return v.title
	}
	return v.lower
}

// recordPod records that something was done to a pod, or that it failed. The texts are upstream's to the letter
// (recordPodEvent).
func (s *sync) recordPod(v *verb, pod string, err error) {
	failed, how, reason := err != nil, " successful", v.done
	if failed {
		how, reason = " failed error: "+err.Error(), v.failed
	}
	s.record(failed, reason, s.word(v)+" Pod "+pod+" in StatefulSet "+s.set.Name+how)
}

// recordClaim records that a pod's claim was created, or that it failed. The set is the object of the event, as with
// pods.
func (s *sync) recordClaim(pod, claim string, err error) {
	message := s.word(&creating) + " Claim " + claim
	if err == nil {
		s.record(false, "SuccessfulCreate", message+" Pod "+pod+" in StatefulSet "+s.set.Name+" success")
		return
	}
	s.record(true, "FailedCreate",
		message+" for Pod "+pod+" in StatefulSet "+s.set.Name+" failed error: "+err.Error())
}

// record gives an event about the set to the recorder. It is not a call: it cannot fail, and takes no time.
func (s *sync) record(warning bool, reason, message string) {
	s.calls.Record(model.K8sEvent{Object: s.set.Key(), Warning: warning, Reason: reason, Message: message})
}

// aggregate is several errors of one batch or one pod. Its text is the same as in Kubernetes, because it appears in
// events. It is never empty when it is used as an error: orNil turns an empty one into nil.
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
