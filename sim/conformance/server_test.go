package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Outcome is what a sync did.
type Outcome struct {
	// Calls are the calls it made, Events the events it recorded.
	Calls, Events []Line
	Err           error
	// Requeue is the delay of the sync that it asked for, or never.
	Requeue string
}

// noRequeue is the delay of a sync that is not asked for.
const noRequeue = "never"

// Line is a call or an event as text. Those of one fork, which have no order, have its number; 0 is none.
type Line struct {
	Text string
	Fork int
}

// server is the API server of a State: it writes down what it is asked, and refuses what the state's faults say.
type server struct {
	state  *State
	view   *View
	faults faults
	// stored are the revisions that there are.
	stored []*model.Revision
	// forks counts the forks, fork is the one that is running.
	forks, fork   int
	calls, events []Line
}

// Record writes an event down.
func (s *server) Record(e model.K8sEvent) {
	kind := "Normal"
	if e.Warning {
		kind = "Warning"
	}
	s.events = append(s.events, Line{kind + " " + e.Reason + " " + e.Message, s.fork})
}

// Fork runs the branches one after the other.
func (s *server) Fork(n int, branch func(int)) {
	s.forks++
	s.fork = s.forks
	for i := range n {
		if s.state.Backwards {
			i = n - 1 - i
		}
		branch(i)
	}
	s.fork = 0
}

var kindWords = map[model.Kind]string{
	model.KindPod: "pod", model.KindClaim: "claim", model.KindRevision: "revision", model.KindStatefulSet: "set",
}

// Do answers a call.
func (s *server) Do(call model.Call) model.Reply {
	s.calls = append(s.calls, Line{callText(&call), s.fork})
	fault := s.faults.meets(&call)
	if fault != nil && !fault.Lost {
		return model.Reply{Err: fault.err()}
	}
	reply := s.act(&call)
	if fault != nil {
		reply = model.Reply{Err: fault.err()}
	}
	return reply
}

// act does what a call asks for, as far as a later call could notice.
func (s *server) act(call *model.Call) model.Reply {
	switch {
	case call.Kind == model.KindRevision:
		return s.revision(call)
	case call.Claim != nil:
		s.view.AddClaim(call.Claim)
	case call.Kind == model.KindStatefulSet && call.Verb == model.Get:
		return s.state.Live.read(s.state.Set)
	case call.Verb == model.Adopt || call.Verb == model.Release:
		return model.Reply{Pod: withOwner(s.view.Latest(call.Key.Name), call)}
	}
	return model.Reply{Pod: call.Pod, Claim: call.Claim, Set: call.Set}
}

// callText renders a call: VERB KIND NAME and what it writes.
func callText(call *model.Call) string {
	text := actText(call) + " " + call.Key.Name
	if details := describe(call); details != "" {
		text += " " + details
	}
	return text
}

// actText renders the verb and the kind of a call.
func actText(call *model.Call) string {
	verb := call.Verb
	if verb == model.UpdateStatus {
		verb = model.Update
	}
	return verb.String() + " " + kindWords[call.Kind]
}

func (s *server) revision(call *model.Call) model.Reply {
	at := slices.IndexFunc(s.stored, func(r *model.Revision) bool { return r.Name == call.Key.Name })
	switch {
	case call.Verb == model.Create && at >= 0:
		return model.Reply{Err: &model.APIError{Reason: model.AlreadyExists, Message: "AlreadyExists"}}
	case call.Verb == model.Create:
		s.stored = append(s.stored, call.Revision)
	case call.Verb == model.Get && at < 0:
		return model.Reply{Err: &model.APIError{Reason: model.NotFound, Message: "NotFound"}}
	case call.Verb == model.Get:
		return model.Reply{Revision: s.stored[at]}
	case call.Verb == model.Adopt:
		adopted := *s.stored[at]
		adopted.Owners = append(slices.Clone(adopted.Owners), call.Owner)
		s.stored[at] = &adopted
		return model.Reply{Revision: &adopted}
	}
	return model.Reply{Revision: call.Revision}
}

// withOwner returns a pod as it is when it has been adopted or released.
func withOwner(pod *model.Pod, call *model.Call) *model.Pod {
	changed := *pod
	changed.Owners = slices.DeleteFunc(slices.Clone(pod.Owners), func(o model.Owner) bool {
		return o.UID == call.Owner.UID
	})
	if call.Verb == model.Adopt {
		changed.Owners = append(changed.Owners, call.Owner)
	}
	return &changed
}

// describe renders what a call writes, as far as a controller decides it.
func describe(call *model.Call) string {
	switch {
	case call.Verb == model.Adopt:
		return call.UID.String() + " " + ownersText([]model.Owner{call.Owner})
	case call.Verb == model.Release:
		return call.UID.String() + " " + call.Owner.UID.String()
	case call.Pod != nil && call.Verb == model.Update:
		return labelsText(call.Pod.Labels) + " " + volumesText(call.Pod.Volumes)
	case call.Pod != nil:
		p := call.Pod
		return fmt.Sprintf("%s %s host=%s.%s image=%s owner=%s",
			labelsText(p.Labels), volumesText(p.Volumes), p.Hostname, p.Subdomain, p.Template.Image(), p.Owners[0].UID)
	case call.Claim != nil:
		return labelsText(call.Claim.Labels) + ownersText(call.Claim.Owners)
	case call.Revision != nil:
		r := call.Revision
		return fmt.Sprintf("#%d %s %s", r.Number, labelsText(r.Labels), labelsText(r.Annotations))
	case call.Set != nil:
		return statusText(&call.Set.Status)
	}
	return ""
}

func labelsText(m map[string]string) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		texts = append(texts, name+"="+m[name])
	}
	return "{" + strings.Join(texts, ",") + "}"
}

// ownersText renders owner references, or "" if there are none.
func ownersText(owners []model.Owner) string {
	text := ""
	for _, owner := range owners {
		text += fmt.Sprintf(" %s %s %s", owner.Kind, owner.Name, owner.UID)
		if owner.Controller {
			text += " (controller)"
		}
	}
	return text
}

// volumesText renders volumes without their order, which upstream's maps do not keep.
func volumesText(volumes []model.Volume) string {
	var texts []string
	for _, v := range volumes {
		texts = append(texts, v.Name+":"+v.Claim)
	}
	slices.Sort(texts)
	return "[" + strings.Join(texts, ",") + "]"
}

func statusText(s *model.Status) string {
	text := fmt.Sprintf("generation=%d replicas=%d ready=%d available=%d current=%d updated=%d",
		s.ObservedGeneration, s.Replicas, s.Ready, s.Available, s.Current, s.Updated)
	text += fmt.Sprintf(" currentRevision=%s updateRevision=%s collisions=%d",
		s.CurrentRevision, s.UpdateRevision, s.CollisionCount)
	for _, c := range s.Conditions {
		text += fmt.Sprintf(" %s=%t(%s, %s)", c.Type, c.True, c.Reason, c.Message)
	}
	return text
}
