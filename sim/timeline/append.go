package timeline

import (
	"strconv"

	"github.com/statefulsim/statefulsim/model"
)

// AppendJSON appends the event as one JSON object, without a line end, and returns the extended slice. The order of
// the fields is fixed, so equal events give equal bytes: digests and golden files rely on that. The message of an
// event whose Why has a code and that has no message of its own is the reason's sentence. A result without a digest
// has none in its line.
func AppendJSON(dst []byte, e *Event) []byte {
	o := object{dst}
	o.b = append(o.b, '{')
	appendHead(&o, e)
	o.text("statefulset", e.Set.Name)
	o.text("namespace", e.Set.Namespace)
	if e.Result != nil {
		o.text("verdict", string(e.Result.Verdict))
	}
	if e.UID != 0 {
		o.text("uid", e.UID.String())
	}
	o.number("nth", int64(e.Nth))
	if e.Bare {
		o.boolean("bare", true)
	}
	o.text("rule", string(e.Why.Rule))
	o.text("object", e.Why.Object)
	o.number("have", int64(e.Why.Have))
	o.number("want", int64(e.Why.Want))
	if e.Why.Ready {
		o.boolean("ready", true)
	}
	if e.Passing {
		o.boolean("passing", true)
	}
	if e.Containers != nil {
		appendContainers(&o, e.Containers)
	}
	appendOwn(&o, e)
	o.close()
	return o.b
}

// appendHead appends the fields that the format names first.
func appendHead(o *object, e *Event) {
	o.seconds("t", e.T)
	o.text("event", e.Kind.String())
	o.text("actor", e.Actor.String())
	o.text("pod", e.Pod)
	o.text("state", e.State.String())
	template, revision := e.Template, e.Revision
	if e.Rev != nil {
		template, revision = e.Rev.Template, e.Rev.Number
	}
	o.number("template", int64(template))
	o.number("revision", revision)
	o.text("image", e.Image)
	o.text("node", e.Node)
	if e.DNS == nil {
		o.text("ip", e.IP)
	}
	o.text("reason", e.reason())
	o.text("message", e.message())
}

// reason returns the event's word for why it happened.
func (e *Event) reason() string {
	if e.Why.Code != "" {
		return string(e.Why.Code)
	}
	return e.Reason
}

// message returns the event's sentence for why it happened.
func (e *Event) message() string {
	if e.Message == "" && e.Why.Code != "" {
		return e.Why.Sentence()
	}
	return e.Message
}

// appendOwn appends the fields that only some kinds of event have. At most one case holds for an event; see Detail.
func appendOwn(o *object, e *Event) {
	switch {
	case e.Run != nil:
		appendRun(o, e.Run)
	case e.Step != nil:
		appendStep(o, e.Step)
	case e.Fault != nil:
		appendFault(o, e.Fault)
	case e.Wait != nil:
		o.boolean("ended", e.Wait.Ended)
		o.seconds("since", e.Wait.Since)
	case e.Status != nil:
		o.key("status")
		appendStatus(o, e.Status)
	case e.Rev != nil:
		o.text("change", changeNames[e.Rev.Type])
		o.text("name", e.Rev.Name)
		o.text("changeCause", e.Rev.Cause)
	case e.Claim != nil:
		o.text("change", changeNames[e.Claim.Type])
		o.text("claim", e.Claim.Name)
		o.text("phase", e.Claim.Phase)
		o.texts("owners", e.Claim.Owners)
	case e.Owned != nil:
		o.text("change", e.Owned.Change.String())
		o.text("name", e.Owned.Revision)
	case e.DNS != nil:
		appendDNS(o, e)
	case e.Kind == KindK8sEvent:
		o.text("type", eventType(e.Warning))
	case e.NodeState != nil:
		appendNode(o, e.NodeState)
	case e.Process != nil:
		o.boolean("ended", e.Process.Ended)
		o.seconds("since", e.Process.Since)
	case e.Budget != nil:
		appendBudget(o, e.Budget)
	case e.Result != nil:
		appendResult(o, e.Result)
	}
}

// appendContainers writes restarts even if it is 0: that is how a reader knows that the event has containers.
func appendContainers(o *object, c *model.Containers) {
	o.text("container", c.Name)
	o.text("shown", c.Shown)
	o.always("restarts", int64(c.Restarts))
	o.number("readyContainers", int64(c.Ready))
	o.number("containers", int64(c.All))
}

// changeNames are the names of model.ChangeType in the format, by its numbers.
var changeNames = [...]string{"", "added", "modified", "deleted"}

// eventType is the type of a Kubernetes event, as the API has it.
func eventType(warning bool) string {
	if warning {
		return "Warning"
	}
	return "Normal"
}

// appendRun appends the header. A gate that is off is written too: that it is set is what counts.
func appendRun(o *object, r *Run) {
	o.always("format", int64(r.Format))
	o.text("sim", r.Sim)
	o.text("scenario", r.Scenario)
	o.text("kubernetes", r.Kubernetes)
	if len(r.Gates) > 0 {
		o.key("featureGates")
		o.open()
		for _, gate := range r.Gates {
			o.comma()
			o.b = append(appendString(o.b, gate.Name), ':')
			o.b = strconv.AppendBool(o.b, gate.On)
		}
		o.close()
	}
	o.key("seed")
	o.b = strconv.AppendUint(o.b, r.Seed, 10)
	o.text("digest", r.Digest)
	if r.Until != 0 {
		o.seconds("until", model.Time(r.Until))
	}
	if r.DNSTTL != 0 {
		o.seconds("dnsTTL", model.Time(r.DNSTTL))
	}
}

// appendStep appends a step. The refusal is that of the API server, and refused what the scenario expects of it.
func appendStep(o *object, s *Step) {
	o.always("step", int64(s.Number))
	o.text("name", s.Name)
	o.text("verb", s.Verb)
	o.text("does", s.Does)
	o.text("trigger", s.Trigger)
	if s.Delay != 0 {
		o.seconds("delay", model.Time(s.Delay))
	}
	o.text("effect", string(s.Effect))
	o.text("refusal", s.Refusal)
	o.text("cause", s.Cause)
	o.text("refused", s.ExpectedRefusal)
	appendChanges(o, s.Sets, s.Removed)
}

// appendFault appends a fault, with what it has done to sets as a step has.
func appendFault(o *object, f *Fault) {
	o.number("fault", int64(f.Number))
	o.text("name", f.Name)
	o.text("verb", f.Verb)
	o.text("does", f.Does)
	o.text("trigger", f.Trigger)
	o.text("effect", string(f.Effect))
	o.text("refusal", f.Refusal)
	appendChanges(o, f.Sets, f.Removed)
}

// appendChanges appends what a step or a fault has done to sets: those that it has created or changed, whole, and the
// keys of those that it has removed.
func appendChanges(o *object, sets []*model.StatefulSet, removed []model.Key) {
	if len(sets) > 0 {
		o.key("sets")
		o.b = append(o.b, '[')
		for _, set := range sets {
			appendSet(o, set)
		}
		o.b = append(o.b, ']')
	}
	if len(removed) > 0 {
		o.key("removed")
		o.b = append(o.b, '[')
		for _, key := range removed {
			o.comma()
			o.b = appendString(o.b, key.String())
		}
		o.b = append(o.b, ']')
	}
}

// appendResult appends the result, but for its verdict, which stands before.
func appendResult(o *object, r *Result) {
	if len(r.Stuck) > 0 {
		o.key("stuck")
		o.b = append(o.b, '[')
		for i := range r.Stuck {
			appendStuck(o, &r.Stuck[i])
		}
		o.b = append(o.b, ']')
	}
	o.texts("repeats", r.Repeats)
	o.texts("warnings", r.Warnings)
	o.text("digest", r.Digest)
	o.always("events", int64(r.Events))
	o.always("syncs", int64(r.Syncs))
}

// appendStuck appends a set that is stuck. Its message is the sentence of the reason, which is not read back.
func appendStuck(o *object, s *Stuck) {
	o.comma()
	o.open()
	o.text("statefulset", s.Set.Name)
	o.text("namespace", s.Set.Namespace)
	o.text("reason", string(s.Why.Code))
	if s.Why.Code != "" {
		o.text("message", s.Why.Sentence())
	}
	o.text("rule", string(s.Why.Rule))
	o.text("object", s.Why.Object)
	o.number("have", int64(s.Why.Have))
	o.number("want", int64(s.Why.Want))
	o.seconds("since", s.Since)
	o.text("error", s.Error)
	o.close()
}
