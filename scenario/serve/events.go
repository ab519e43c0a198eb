package serve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// An event is served in two groups: as it is stored, and as events.k8s.io has it, where some fields have other names.

// eventNames are the names that fields of an event have in events.k8s.io, by those with which they are stored.
var eventNames = map[string]string{"involvedObject": "regarding", "message": "note", "source": "deprecatedSource",
	"firstTimestamp": "deprecatedFirstTimestamp", "lastTimestamp": "deprecatedLastTimestamp",
	"count": "deprecatedCount", "reportingComponent": "reportingController"}

// newEvent returns a stored event as events.k8s.io has it.
func newEvent(stored kinds.Fields) kinds.Fields {
	fields := kinds.Fields{}
	for name, v := range maps.All(stored) { // In any order.
		if other, renamed := eventNames[name]; renamed {
			name = other
		}
		fields[name] = v
	}
	for _, name := range []string{"deprecatedFirstTimestamp", "deprecatedLastTimestamp", "eventTime"} {
		if fields.Text(name) == "" {
			fields[name] = nil
		}
	}
	for _, name := range []string{"reportingController", "reportingInstance"} {
		if fields.Text(name) == "" {
			delete(fields, name)
		}
	}
	if fields.Map("deprecatedSource") == nil {
		fields["deprecatedSource"] = map[string]any{}
	}
	fields["apiVersion"] = kinds.NewEvent.APIVersion()
	return fields
}

// storedEvent returns an event of events.k8s.io as it is stored.
func storedEvent(sent kinds.Fields) kinds.Fields {
	fields := maps.Clone(sent)
	for _, stored := range sorted(eventNames) {
		if v, given := fields[eventNames[stored]]; given {
			delete(fields, eventNames[stored])
			fields[stored] = v
		}
	}
	fields["apiVersion"] = kinds.Event.APIVersion()
	return fields
}

// newEventLabel returns the stored field that a field of a selector in events.k8s.io means, "" for none.
func newEventLabel(label string) string {
	first, rest, _ := strings.Cut(label, ".")
	switch {
	case first == "regarding" && slices.Contains(strings.Fields("kind namespace name uid apiVersion resourceVersion fieldPath"),
		rest):
		return "involvedObject." + rest
	case label == "reportingController":
		return "reportingComponent"
	case slices.Contains([]string{"reason", "type", "metadata.name", "metadata.namespace"}, label):
		return label
	}
	return ""
}

// seen returns the kind as which a request's objects are shown: its own, unless they are stored as another.
func (q *request) seen() *kinds.Kind {
	if q.shown != nil {
		return q.shown
	}
	return q.kind
}

// wrongEvent returns what is wrong with a new event.
func wrongEvent(q *request, f kinds.Fields) field.ErrorList {
	errs := wrongReport(q, f)
	if q.shown == nil {
		return errs
	}
	if f.Text("eventTime") == "" {
		errs = append(errs, field.Required(field.NewPath("eventTime"), ""))
	}
	if kind := f.Text("type"); kind != "Normal" && kind != "Warning" {
		errs = append(errs, field.Invalid(field.NewPath("type"), "", "has invalid value: "+kind))
	}
	for _, name := range []string{"firstTimestamp", "lastTimestamp", "count"} {
		if text := f.Text(name); text != "" && text != "0" {
			errs = append(errs, field.Invalid(field.NewPath(name), "", "needs to be unset"))
		}
	}
	if f.Text("source", "component")+f.Text("source", "host") != "" {
		errs = append(errs, field.Invalid(field.NewPath("source"), "", "needs to be unset"))
	}
	return errs
}

// wrongReport returns what is wrong with an event in either group.
func wrongReport(q *request, f kinds.Fields) (errs field.ErrorList) {
	about, in := f.Text("involvedObject", "namespace"), q.namespace
	path := field.NewPath("involvedObject", "namespace")
	if f.Text("eventTime") == "" {
		if about == "" && in != "default" || about != "" && about != in {
			errs = append(errs, field.Invalid(path, about, "does not match event.namespace"))
		}
		return errs
	}
	if about == "" && in != "default" && in != "kube-system" {
		errs = append(errs, field.Invalid(path, about, "does not match event.namespace"))
	}
	reporter := "reportingComponent"
	if q.shown != nil {
		reporter = "reportingController"
	}
	who := f.Text("reportingComponent")
	if who == "" {
		errs = append(errs, field.Required(field.NewPath(reporter), ""))
	}
	for _, wrong := range validation.IsQualifiedName(who) {
		errs = append(errs, field.Invalid(field.NewPath(reporter), who, wrong))
	}
	for _, part := range []struct {
		name string
		most int
	}{{"reportingInstance", 128}, {"action", 128}, {"reason", 128}} {
		switch text := f.Text(part.name); {
		case text == "":
			errs = append(errs, field.Required(field.NewPath(part.name), ""))
		case len(text) > part.most:
			errs = append(errs, field.Invalid(field.NewPath(part.name), "",
				fmt.Sprintf("can have at most %d characters", part.most)))
		}
	}
	if len(f.Text("message")) > 1024 {
		errs = append(errs, field.Invalid(field.NewPath("message"), "", "can have at most 1024 characters"))
	}
	return errs
}
