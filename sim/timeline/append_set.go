package timeline

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// appendSet appends what the fold and a reader need of a set: its identity and its spec. Labels, annotations and
// owners of the set itself are not part of the timeline.
func appendSet(o *object, set *model.StatefulSet) {
	o.comma()
	o.open()
	o.text("namespace", set.Namespace)
	o.text("name", set.Name)
	if set.UID != 0 {
		o.text("uid", set.UID.String())
	}
	o.number("generation", set.Generation)
	if set.Spec.Template != nil {
		o.number("template", int64(set.Spec.Template.ID))
	}
	o.key("spec")
	appendSpec(o, &set.Spec)
	o.close()
}

// AppendSpec appends a spec as JSON with Kubernetes' own field names and returns the extended slice. Templates and
// claims are written as their Data has them, so equal specs give equal bytes.
func AppendSpec(dst []byte, s *model.Spec) []byte {
	o := object{dst}
	appendSpec(&o, s)
	return o.b
}

// AppendStatus appends a status as JSON with Kubernetes' own field names, zeros included, and returns the extended
// slice. Instants are seconds of virtual time.
func AppendStatus(dst []byte, s *model.Status) []byte {
	o := object{dst}
	appendStatus(&o, s)
	return o.b
}

// appendSpec appends a spec as the API server has stored it: fields that it has dropped are missing, and a
// rollingUpdate block is there exactly if the set has one.
func appendSpec(o *object, s *model.Spec) {
	o.open()
	o.always("replicas", int64(s.Replicas))
	o.raw("selector", s.Selector.Data)
	if s.Template != nil {
		o.raw("template", s.Template.Data)
	}
	appendClaimTemplates(o, s.ClaimTemplates)
	o.text("serviceName", s.ServiceName)
	o.text("podManagementPolicy", s.PodManagement.String())
	o.key("updateStrategy")
	appendStrategy(o, &s.Strategy)
	o.always("revisionHistoryLimit", int64(s.RevisionHistoryLimit))
	o.number("minReadySeconds", int64(s.MinReadySeconds))
	if s.Retention != nil {
		o.key("persistentVolumeClaimRetentionPolicy")
		o.open()
		o.text("whenDeleted", retention(s.Retention.DeleteWithSet))
		o.text("whenScaled", retention(s.Retention.DeleteWhenScaled))
		o.close()
	}
	if s.Ordinals != nil {
		o.key("ordinals")
		o.open()
		o.always("start", int64(s.Ordinals.Start))
		o.close()
	}
	o.close()
}

// retention is a whenDeleted or whenScaled in the API's word.
func retention(remove bool) string {
	if remove {
		return "Delete"
	}
	return "Retain"
}

// appendStrategy appends a strategy. maxUnavailable is a number or a text with a percent sign, as in the API.
func appendStrategy(o *object, s *model.Strategy) {
	o.open()
	o.text("type", s.Type.String())
	if r := s.RollingUpdate; r != nil {
		o.key("rollingUpdate")
		o.open()
		o.always("partition", int64(r.Partition))
		if v := r.MaxUnavailable; v != nil && v.Percent {
			o.text("maxUnavailable", v.String())
		} else if v != nil {
			o.always("maxUnavailable", int64(v.Value))
		}
		o.close()
	}
	o.close()
}

// appendClaimTemplates appends the claim templates in their order, or nothing if there are none.
func appendClaimTemplates(o *object, templates []model.ClaimTemplate) {
	if len(templates) == 0 {
		return
	}
	o.key("volumeClaimTemplates")
	o.b = append(o.b, '[')
	for i := range templates {
		t := &templates[i]
		o.comma()
		o.open()
		o.key("metadata")
		o.open()
		o.text("name", t.Name)
		o.words("labels", t.Labels)
		o.words("annotations", t.Annotations)
		o.close()
		o.raw("spec", t.Data)
		o.close()
	}
	o.b = append(o.b, ']')
}

// words appends a map of strings in the order of its keys, unless it is empty.
func (o *object) words(name string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	o.key(name)
	o.open()
	for _, k := range slices.Sorted(maps.Keys(values)) {
		o.comma()
		o.b = append(appendString(o.b, k), ':')
		o.b = appendString(o.b, values[k])
	}
	o.close()
}

// appendStatus appends a status. The counts are written if they are 0, too: a count that falls to 0 is news.
func appendStatus(o *object, s *model.Status) {
	o.open()
	o.always("observedGeneration", s.ObservedGeneration)
	o.always("replicas", int64(s.Replicas))
	o.always("readyReplicas", int64(s.Ready))
	o.always("availableReplicas", int64(s.Available))
	o.always("currentReplicas", int64(s.Current))
	o.always("updatedReplicas", int64(s.Updated))
	o.text("currentRevision", s.CurrentRevision)
	o.text("updateRevision", s.UpdateRevision)
	o.number("collisionCount", int64(s.CollisionCount))
	if len(s.Conditions) > 0 {
		o.key("conditions")
		o.b = append(o.b, '[')
		for i := range s.Conditions {
			appendCondition(o, &s.Conditions[i])
		}
		o.b = append(o.b, ']')
	}
	o.close()
}

// appendCondition appends a condition of the status as an element of a list.
func appendCondition(o *object, c *model.Condition) {
	o.comma()
	o.open()
	o.text("type", c.Type)
	if c.True {
		o.text("status", "True")
	} else {
		o.text("status", "False")
	}
	o.text("reason", c.Reason)
	o.text("message", c.Message)
	o.seconds("lastTransitionTime", c.Since)
	o.close()
}
