package request

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// Matches returns whether an object is among those that the request selects.
func (q *Request) Matches() (func(*objects.Object) bool, error) {
	byLabels, err := labels.Parse(q.Query.Get("labelSelector"))
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	byFields, err := fields.ParseSelector(q.Query.Get("fieldSelector"))
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	needs := byFields.Requirements()
	for i, need := range needs {
		if q.Shown == kinds.NewEvent {
			if needs[i].Field = newEventLabel(need.Field); needs[i].Field != "" {
				continue
			}
			return nil, apierrors.NewBadRequest("field label not supported: " + need.Field)
		}
		if !q.selectable(need.Field) {
			return nil, apierrors.NewBadRequest(q.unselectable(need.Field))
		}
	}
	return func(o *objects.Object) bool {
		if !byLabels.Empty() && !byLabels.Matches(o.Labels()) {
			return false
		}
		for _, need := range needs {
			text := o.Fields.Text(strings.Split(need.Field, ".")...)
			switch need.Field {
			case "status.successful":
				text = strconv.FormatInt(o.Fields.Number("status", "succeeded"), 10)
			case "status.replicas":
				text = strconv.FormatInt(o.Fields.Number("status", "replicas"), 10)
			case "status.podIPs":
				text = ""
				for _, address := range o.Fields.List("status", "podIPs") {
					text = cmp.Or(text, address.Text("ip"))
				}
			}
			if text == "" && (need.Field == "spec.unschedulable" || need.Field == "spec.hostNetwork") {
				text = "false"
			}
			if (text == need.Value) != (need.Operator != "!=") {
				return false
			}
		}
		return true
	}, nil
}

// selectable reports whether objects can be selected by a field: a few fields work for all kinds, and each kind has
// its own.
func (q *Request) selectable(field string) bool {
	if field == "metadata.name" || field == "metadata.namespace" && (q.Kind.Namespaced || ownFields()[q.Kind] == "") {
		return true
	}
	return slices.Contains(strings.Fields(ownFields()[q.Kind]), field) || slices.Contains(q.Kind.Selectable, field)
}

// ownFields are the selectable fields of each kind.
func ownFields() map[*kinds.Kind]string {
	return map[*kinds.Kind]string{
		kinds.Pod: "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork " +
			"status.phase status.podIP status.podIPs status.nominatedNodeName",
		kinds.Event: "involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid " +
			"involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason " +
			"reportingComponent source type",
		kinds.Node: "spec.unschedulable", kinds.Secret: "type", kinds.Namespace: "status.phase",
		kinds.Service: "spec.clusterIP spec.type", kinds.Job: "status.successful",
		kinds.ReplicationController: "status.replicas",
	}
}

// unselectable words that objects of the kind cannot be selected by a field.
func (q *Request) unselectable(field string) string {
	switch {
	case q.Kind.Kind == "Job":
		return fmt.Sprintf("field label %q not supported for Job", field)
	case ownFields()[q.Kind] != "" || q.Kind.Schema != nil:
		return "field label not supported: " + field
	}
	return fmt.Sprintf("%q is not a known field selector: only \"metadata.name\", \"metadata.namespace\"", field)
}
