package behaviour

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// annotationPrefix begins the annotations with which a pod template says how its pods behave.
const annotationPrefix = "statefulsim.dev/"

// annotations are those that take a time, by their names without the prefix, each with the time that it gives. fail
// takes a reason: containers do not start, and kubectl shows it.
var annotations = map[string]func(*Times) *Delay{
	"start-after": func(t *Times) *Delay { return &t.Start },
	"ready-after": func(t *Times) *Delay { return &t.Ready },
	"stop-after":  func(t *Times) *Delay { return &t.Stop },
}

// annotationNames are the names of annotations.
var annotationNames = slices.Sorted(maps.Keys(annotations))

// failAnnotation is the one that takes a reason.
const failAnnotation = annotationPrefix + "fail"

// mayBeAnnotated reports whether a template has the word with which annotations of the simulator begin.
func mayBeAnnotated(template *model.Template) bool {
	return template != nil && strings.Contains(template.Data, `"`+annotationPrefix)
}

// annotated returns the times that the annotations of a template give to its pods; is is false if it has none. A value
// that cannot be read does not count.
func annotated(template *model.Template) (times Times, is bool) {
	var read struct {
		Metadata struct{ Annotations map[string]string }
	}
	if json.Unmarshal([]byte(template.Data), &read) != nil {
		return Times{}, false
	}
	for _, name := range annotationNames {
		if delay := delayOf(read.Metadata.Annotations[annotationPrefix+name]); delay != nil {
			*annotations[name](&times), is = delay, true
		}
	}
	switch reason := read.Metadata.Annotations[failAnnotation]; {
	case IsPullFailure(reason):
		times.Pull, is = &Pull{Fails: -1}, true
	case reason != "":
		times.Start, times.Reason, is = Never, reason, true
	}
	return times, is
}

// IsPullFailure reports whether a reason that kubectl shows means that no attempt to pull an image succeeds.
func IsPullFailure(reason string) bool {
	return reason == "ImagePullBackOff" || reason == "ErrImagePull"
}

// delayOf reads the value of an annotation; nil if it is none.
func delayOf(text string) Delay {
	if text == Never.String() {
		return Never
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return Constant(d)
	}
	return nil
}

// WrongAnnotations says what is wrong with the annotations of a template that are for the simulator: names that mean
// nothing, and values that cannot be read. They have no effect.
func WrongAnnotations(of map[string]string) (wrong []string) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		rest, ours := strings.CutPrefix(name, annotationPrefix)
		switch {
		case !ours, name == failAnnotation:
		case annotations[rest] == nil:
			wrong = append(wrong, fmt.Sprintf("%s has no effect: write one of %s%s or fail", name, annotationPrefix,
				strings.Join(annotationNames, ", ")))
		case delayOf(of[name]) == nil:
			wrong = append(wrong, fmt.Sprintf("%s is %q, which has no effect: write a duration like 30s, or never", name, of[name]))
		}
	}
	return wrong
}
