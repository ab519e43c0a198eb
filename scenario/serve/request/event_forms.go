package request

import (
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// eventNames maps the stored names of event fields to their names in events.k8s.io.
var eventNames = map[string]string{"involvedObject": "regarding", "message": "note", "source": "deprecatedSource",
	"firstTimestamp": "deprecatedFirstTimestamp", "lastTimestamp": "deprecatedLastTimestamp",
	"count": "deprecatedCount", "reportingComponent": "reportingController"}

// NewEventOf returns a stored event as events.k8s.io has it.
func NewEventOf(stored kinds.Fields) kinds.Fields {
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
	for _, stored := range slices.Sorted(maps.Keys(eventNames)) {
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

// Seen returns the kind as which a request's objects are shown: its own, unless they are stored as another.
func (q *Request) Seen() *kinds.Kind {
	if q.Shown != nil {
		return q.Shown
	}
	return q.Kind
}
