package bridge

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// voice is a component that reports on an object, as an event of the API.
type voice struct {
	kind            *kinds.Kind
	key             model.Key
	from            string
	warning         bool
	reason, message string
}

// shown is an event that the API shows, and since when.
type shown struct {
	voice voice
	name  model.Key
	at    model.Time
}

// voices are the events to be recorded at the fixed point, and those that are shown, the oldest first. heard is the number
// of the timeline's events whose reports are among them.
type voices struct {
	heard   int
	pending []voice
	shown   []shown
}

// lasts is how long an event is kept, as in a real cluster.
const lasts = model.Time(time.Hour)

// of notes the reports of the scheduler and the kubelet about a changed pod.
func (v *voices) of(c *Cluster, change *sim.Change) {
	v.hear(c)
	pod, old := change.Pod, change.OldPod
	if old == nil || pod.Node == "" {
		return
	}
	say := func(from, reason, format string, args ...any) {
		v.pending = append(v.pending, voice{kind: kinds.Pod, key: pod.Key(), from: from, reason: reason,
			message: fmt.Sprintf(format, args...)})
	}
	if old.Node == "" {
		say("default-scheduler", "Scheduled", "Successfully assigned %s to %s", pod.Key(), pod.Node)
	}
	for _, one := range containersOf(pod) {
		switch {
		case old.Phase == model.Pending && pod.Phase == model.Running:
			say("kubelet", "Pulled", "Container image %q already present on machine and can be accessed by the pod", one.Image)
			say("kubelet", "Created", "Container created")
			say("kubelet", "Started", "Container started")
		case !old.Terminating() && pod.Terminating() && pod.Phase == model.Running:
			say("kubelet", "Killing", "Stopping container %s", one.Name)
		}
	}
}

// hear notes the events of the timeline that were not noted before.
func (v *voices) hear(c *Cluster) {
	fresh, all := c.since(v.heard)
	for i := range fresh {
		if e := &fresh[i]; e.Kind == timeline.KindK8sEvent {
			v.pending = append(v.pending, voiceOf(e))
		}
	}
	v.heard = all
}

func containersOf(pod *model.Pod) []model.Container {
	if pod.Template == nil {
		return nil
	}
	return pod.Template.Containers
}

// sources are the components that report as the actors of the timeline.
var sources = map[timeline.Actor]string{timeline.Controller: "statefulset-controller",
	timeline.Scheduler: "default-scheduler",
	timeline.Kubelet:   "kubelet", timeline.APIServer: "controllermanager"}

// voiceOf returns an event of the timeline that the cluster has reported: about a pod, or else about its set.
func voiceOf(e *timeline.Event) voice {
	v := voice{kind: kinds.StatefulSet, key: e.Set, from: sources[e.Actor], warning: e.Warning, reason: e.Reason,
		message: e.Message}
	if e.Pod != "" && e.Actor != timeline.Controller {
		v.kind, v.key = kinds.Pod, model.Key{Namespace: e.Set.Namespace, Name: e.Pod}
	}
	return v
}

// speak records the reports. A repeated event is counted, and old events are deleted.
func (v *voices) speak(c *Cluster) {
	for _, one := range v.pending {
		v.record(c, one)
	}
	v.pending = nil
	gone := 0
	for gone < len(v.shown) && c.World.Now()-v.shown[gone].at > lasts {
		c.Objects.Delete(kinds.Event, v.shown[gone].name, c.User.DrawVersion())
		gone++
	}
	v.shown = v.shown[gone:]
}

func (v *voices) record(c *Cluster, one voice) {
	now := c.Instant().Format(time.RFC3339)
	for i := len(v.shown) - 1; i >= max(0, len(v.shown)-100); i-- {
		old := c.Objects.Get(kinds.Event, v.shown[i].name)
		if old == nil || v.shown[i].voice != one {
			continue
		}
		fields := kinds.Clone(old.Fields)
		fields["count"], fields["lastTimestamp"] = fields.Number("count")+1, now
		c.Put(kinds.Event, fields)
		return
	}
	name := model.Key{Namespace: one.key.Namespace, Name: fmt.Sprintf("%s.%016x", one.key.Name, c.User.Version())}
	word, uid := "Normal", ""
	if one.warning {
		word = "Warning"
	}
	if o := c.Objects.Get(one.kind, one.key); o != nil {
		uid = o.UID()
	}
	c.Add(kinds.Event, kinds.Fields{
		"metadata": map[string]any{"namespace": name.Namespace, "name": name.Name},
		"involvedObject": map[string]any{"apiVersion": one.kind.APIVersion(), "kind": one.kind.Kind, "namespace": one.key.Namespace,
			"name": one.key.Name, "uid": uid},
		"reason": one.reason, "message": one.message, "type": word, "count": int64(1), "firstTimestamp": now,
		"lastTimestamp": now,
		"source":        map[string]any{"component": one.from}, "reportingComponent": one.from, "reportingInstance": "",
	})
	v.shown = append(v.shown, shown{one, name, c.World.Now()})
}
