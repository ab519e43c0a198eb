package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
)

// Field is a field of a StatefulSet's spec that influences the order in which its pods change: its path and its
// value.
type Field struct{ Path, Value string }

// fields are fields by their paths: those that a recorded expectation names. Others have the values of plainFields.
type fields []Field

// plainFields are the values of the fields where a manifest has none.
var plainFields = fieldsOf(1, &model.StatefulSet{})

// plainGrace is terminationGracePeriodSeconds where a manifest has none.
const plainGrace = 30 * time.Second

// FieldsOf returns the fields of a set that decide the order, and that are not as they are without being written.
func FieldsOf(set *model.StatefulSet) []Field {
	var written []Field
	for i, f := range fieldsOf(set.Spec.Replicas, set) {
		if f != plainFields[i] {
			written = append(written, f)
		}
	}
	return written
}

// fieldsOf lists all fields that decide the order, always in this order.
func fieldsOf(replicas int32, set *model.StatefulSet) fields {
	strategy := &set.Spec.Strategy
	unavailable, lifecycle, grace := "1", &model.Lifecycle{}, plainGrace
	if template := set.Spec.Template; template != nil {
		lifecycle, grace = cmp.Or(template.Lifecycle, lifecycle), template.Grace
	}
	if block := strategy.RollingUpdate; block != nil && block.MaxUnavailable != nil {
		unavailable = block.MaxUnavailable.String()
	}
	return fields{
		{"replicas", strconv.Itoa(int(replicas))},
		{"podManagementPolicy", set.Spec.PodManagement.String()},
		{"updateStrategy.type", strategy.Type.String()},
		{"updateStrategy.rollingUpdate.partition", strconv.Itoa(set.Partition())},
		{"updateStrategy.rollingUpdate.maxUnavailable", unavailable},
		{"minReadySeconds", strconv.Itoa(int(set.Spec.MinReadySeconds))},
		{"ordinals.start", strconv.Itoa(set.Start())},
		{"readinessProbe", described(lifecycle, func(c *model.ContainerSpec) string { return probe(c.Readiness) })},
		{"startupProbe", described(lifecycle, func(c *model.ContainerSpec) string { return probe(c.Startup) })},
		{"preStop", described(lifecycle, preStop)},
		{"initContainers", described(&model.Lifecycle{Init: lifecycle.Init}, initial)},
		{"terminationGracePeriodSeconds", strconv.Itoa(int(grace / time.Second))},
	}
}

// described lists the containers that say has a text for, each with the text.
func described(lifecycle *model.Lifecycle, say func(*model.ContainerSpec) string) string {
	var parts []string
	all := slices.Concat(lifecycle.Init, lifecycle.Containers)
	for i := range all {
		if said := say(&all[i]); said != "" {
			parts = append(parts, all[i].Name+" "+said)
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "none")
}

// probe describes a probe, as far as it decides when a pod is Ready.
func probe(p *model.Probe) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("after %s every %s, %d to succeed, %d to fail", p.InitialDelay, p.Period, p.Successes, p.Failures)
}

// preStop describes how long the hook of a container takes.
func preStop(c *model.ContainerSpec) string {
	switch hook := c.PreStop; {
	case hook == nil:
		return ""
	case hook.Known:
		return "takes " + hook.Takes.String()
	}
	return "takes what preStop of the kubelet says"
}

// initial describes an init container.
func initial(c *model.ContainerSpec) string {
	if c.Sidecar {
		return "stays"
	}
	return "ends"
}

// Probed reports whether the manifest of a set says when its pods are Ready.
func Probed(set *model.StatefulSet) bool {
	for _, f := range FieldsOf(set) {
		if f.Path == "readinessProbe" || f.Path == "startupProbe" {
			return true
		}
	}
	return false
}

// recorded reads the fields that a set had when its expectation was recorded; nil if the expectation has none.
func (c *compiler) recorded(n *yaml.Node) fields {
	var paths []string
	for _, f := range plainFields {
		paths = append(paths, f.Path)
	}
	m := c.reader.Map(n, "recorded", paths...)
	if m == nil {
		return nil
	}
	was := fields{}
	for _, f := range plainFields {
		if value := m.Value(f.Path); value != nil && value.Kind == yaml.ScalarNode {
			f.Value = value.Value
		} else if value != nil {
			c.reader.String(value, f.Path)
		}
		was = append(was, f)
	}
	return was
}

// changed lists the fields that differ in the run, which most likely made the expectation fail. It is "" if none
// differs, or if the expectation was not recorded. The set is the expectation's, or the only one of the run.
func (was fields) changed(r *run, key model.Key, rule rule) string {
	if was == nil || key == (model.Key{}) && len(r.sets) != 1 {
		return ""
	}
	if key == (model.Key{}) {
		key = r.sets[0]
	}
	set := r.setAt(key, rule)
	if set == nil {
		return ""
	}
	var parts []string
	for i, now := range fieldsOf(set.Spec.Replicas, set) {
		if now != was[i] {
			parts = append(parts, now.Path+" was "+was[i].Value+" and is "+now.Value)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "since this was recorded, " + key.Name + " has changed: " + strings.Join(parts, ", ")
}

// staged is a rule about the time after a step, 0 for the whole run.
type staged interface{ stage() int }

// stage returns the step of the rules that have one.
func (o order) stage() int    { return o.during }
func (m monotone) stage() int { return m.during }
func (x exactly) stage() int  { return x.during }
func (n never) stage() int    { return n.during }
func (n counting) stage() int { return n.during }

// setAt returns a set as the step of a rule left it, or as the last step of all that wrote it did; nil if none has.
func (r *run) setAt(key model.Key, rule rule) *model.StatefulSet {
	last := len(r.events)
	if s, is := rule.(staged); is && s.stage() > 0 {
		last = r.stepAt[s.stage()]
	}
	var found *model.StatefulSet
	for _, i := range r.steps {
		if i > last {
			break
		}
		for _, set := range r.events[i].Step.Sets {
			if set.Key() == key {
				found = set
			}
		}
	}
	return found
}
