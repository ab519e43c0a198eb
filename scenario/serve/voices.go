package serve

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// voice is what somebody in the cluster reports of an object, as an event of the API.
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

// lasts is how long an event is kept, as in a real cluster.
const lasts = model.Time(time.Hour)

// voicesOf notes what the scheduler and the kubelet report of a pod that has changed.
func (s *Server) voicesOf(change *sim.Change) {
	s.hear()
	pod, old := change.Pod, change.OldPod
	if old == nil || pod.Node == "" {
		return
	}
	say := func(from, reason, format string, args ...any) {
		s.voices = append(s.voices, voice{kind: kinds.Pod, key: pod.Key(), from: from, reason: reason,
			message: fmt.Sprintf(format, args...)})
	}
	if old.Node == "" {
		say("default-scheduler", "Scheduled", "Successfully assigned %s to %s", pod.Key(), pod.Node)
	}
	for _, c := range containersOf(pod) {
		switch {
		case old.Phase == model.Pending && pod.Phase == model.Running:
			say("kubelet", "Pulled", "Container image %q already present on machine and can be accessed by the pod", c.Image)
			say("kubelet", "Created", "Container created")
			say("kubelet", "Started", "Container started")
		case !old.Terminating() && pod.Terminating() && pod.Phase == model.Running:
			say("kubelet", "Killing", "Stopping container %s", c.Name)
		}
	}
}

// hear notes the events of the timeline that were not noted before.
func (s *Server) hear() {
	fresh, all := s.since(s.noted)
	for i := range fresh {
		if e := &fresh[i]; e.Kind == timeline.KindK8sEvent {
			s.voices = append(s.voices, voiceOf(e))
		}
	}
	s.noted = all
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

// speak records what was reported. An event that was reported before is counted, and old ones go.
func (s *Server) speak() {
	for _, v := range s.voices {
		s.record(v)
	}
	s.voices = nil
	gone := 0
	for gone < len(s.events) && s.world.Now()-s.events[gone].at > lasts {
		s.objects.Delete(kinds.Event, s.events[gone].name, s.user.DrawVersion())
		gone++
	}
	s.events = s.events[gone:]
}

func (s *Server) record(v voice) {
	now := s.instant().Format(time.RFC3339)
	for i := len(s.events) - 1; i >= max(0, len(s.events)-100); i-- {
		old := s.objects.Get(kinds.Event, s.events[i].name)
		if old == nil || s.events[i].voice != v {
			continue
		}
		fields := kinds.Clone(old.Fields)
		fields["count"], fields["lastTimestamp"] = fields.Number("count")+1, now
		s.put(kinds.Event, fields)
		return
	}
	name := model.Key{Namespace: v.key.Namespace, Name: fmt.Sprintf("%s.%016x", v.key.Name, s.user.Version())}
	word, uid := "Normal", ""
	if v.warning {
		word = "Warning"
	}
	if o := s.objects.Get(v.kind, v.key); o != nil {
		uid = o.UID()
	}
	s.add(kinds.Event, kinds.Fields{
		"metadata": map[string]any{"namespace": name.Namespace, "name": name.Name},
		"involvedObject": map[string]any{"apiVersion": v.kind.APIVersion(), "kind": v.kind.Kind, "namespace": v.key.Namespace,
			"name": v.key.Name, "uid": uid},
		"reason": v.reason, "message": v.message, "type": word, "count": int64(1), "firstTimestamp": now,
		"lastTimestamp": now,
		"source":        map[string]any{"component": v.from}, "reportingComponent": v.from, "reportingInstance": "",
	})
	s.events = append(s.events, shown{v, name, s.world.Now()})
}
