package report

import (
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// dns describes a change of the DNS answers. Names are printed as a pod of the namespace would write them.
func (s *story) dns(event *timeline.Event) string {
	d := event.DNS
	if event.Pod == "" {
		return s.service(event)
	}
	names := []string{d.Service}
	if len(s.cast.sets) > 1 && s.cast.namespaces {
		names[0] += "." + event.Set.Namespace
	}
	if d.Hostname != "" {
		names = append(names, d.Hostname+"."+d.Service)
	}
	name, lead := "names: "+render.And(names)+" ", render.Agree(len(names), "leads to ", "lead to ")
	switch d.Type {
	case model.Deleted:
		return name + "no longer " + lead + event.Pod
	case model.Modified:
		return name + lead + event.Pod + " at " + d.IP + " now"
	}
	return name + lead + event.Pod + " at " + d.IP
}

// service words a change of the answers for a Service as a whole.
func (s *story) service(event *timeline.Event) string {
	d := event.DNS
	text := "names: the Service " + d.Service
	switch {
	case d.Type == model.Deleted:
		return text + " and all names below it are gone"
	case d.IP != "":
		text += " answers with its own address " + d.IP
	default:
		text += " answers with the addresses of its pods"
	}
	if len(d.Ports) > 0 {
		text += "; SRV records: " + strings.Join(d.Ports, ", ")
	}
	return text
}

// address returns the address of a running pod, in a run that has addresses.
func address(event *timeline.Event) string {
	if event.IP == "" {
		return ""
	}
	text := " at " + event.IP
	if event.Node != "" {
		text += " on " + event.Node
	}
	if event.Nth > 1 {
		text += ", life " + strconv.Itoa(event.Nth)
	}
	return text
}
