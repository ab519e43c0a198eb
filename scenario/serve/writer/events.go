package writer

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/request"
)

// An event is served in two groups: as it is stored, and in events.k8s.io, which has other names for some fields.

// wrongEvent returns what is wrong with a new event.
func wrongEvent(q *request.Request, f kinds.Fields) field.ErrorList {
	errs := wrongReport(q, f)
	if q.Shown == nil {
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
func wrongReport(q *request.Request, f kinds.Fields) (errs field.ErrorList) {
	about, in := f.Text("involvedObject", "namespace"), q.Namespace
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
	if q.Shown != nil {
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
