package statefulsettest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Server is a model.Calls that accepts everything, or what Refuse lets through, and writes each call down as a line.
// It keeps what it is given only as far as a sync could notice: created claims turn up in the view, revisions can be
// read back. Nothing takes time, and branches run in their order.
type Server struct {
	// View gets the claims that are created.
	View *View
	// Refuse is asked about each call, counted from 0, and may give the error of its reply; nil refuses nothing.
	Refuse func(n int, call model.Call) *model.APIError
	// Live is the set as the API server has it; nil is the View's.
	Live *model.StatefulSet
	// Stored are the revisions that the API server has, known to the cache or not.
	Stored []*model.Revision

	// Calls are the calls that were made, in their order, with copies of their objects: a controller uses its own again.
	Calls []model.Call
	// Log has a line for each call: what it does, to which object, and how it was refused. The calls of a fork are
	// indented.
	Log []string
	// Events are the events that were recorded, as REASON: MESSAGE.
	Events []string

	forked bool
}

// Do answers one call.
func (s *Server) Do(call model.Call) model.Reply {
	n := len(s.Calls)
	call = copied(call)
	s.Calls = append(s.Calls, call)
	line := describe(call)
	if s.forked {
		line = "  " + line
	}
	if err := s.refuse(n, call); err != nil {
		s.Log = append(s.Log, line+": "+err.Reason.String())
		return model.Reply{Err: err}
	}
	s.Log = append(s.Log, line)
	return s.reply(call)
}

// copied returns a call with copies of the objects that a controller uses again.
func copied(call model.Call) model.Call {
	if call.Pod != nil {
		pod := *call.Pod
		call.Pod = &pod
	}
	if call.Set != nil {
		set := *call.Set
		call.Set = &set
	}
	return call
}

// refuse returns the error of a call: Refuse's, or what an API server with the Stored revisions says.
func (s *Server) refuse(n int, call model.Call) *model.APIError {
	if s.Refuse != nil {
		if err := s.Refuse(n, call); err != nil {
			return err
		}
	}
	stored := s.stored(call.Key)
	switch {
	case call.Kind == model.KindRevision && call.Verb == model.Create && stored != nil:
		return Error(model.AlreadyExists)
	case call.Kind == model.KindRevision && call.Verb == model.Get && stored == nil:
		return Error(model.NotFound)
	}
	return nil
}

// stored returns the revision with a key, nil if there is none. It is the server's own.
func (s *Server) stored(key model.Key) *model.Revision {
	i := slices.IndexFunc(s.Stored, func(r *model.Revision) bool { return r.Key() == key })
	if i < 0 {
		return nil
	}
	return s.Stored[i]
}

// reply answers a call that does not fail with the API server's reply.
func (s *Server) reply(call model.Call) model.Reply {
	switch {
	case call.Kind == model.KindRevision && call.Verb == model.Get:
		return model.Reply{Revision: s.stored(call.Key)}
	case call.Kind == model.KindClaim && s.View != nil:
		s.View.AddClaim(call.Claim)
	case call.Kind == model.KindStatefulSet && call.Verb == model.Get:
		return model.Reply{Set: s.live()}
	case call.Kind == model.KindRevision && call.Verb == model.Adopt:
		return model.Reply{Revision: s.adopted(&call)}
	}
	return model.Reply{Pod: call.Pod, Claim: call.Claim, Revision: call.Revision, Set: call.Set}
}

// live returns the set as a GET finds it: Live or, if that is nil, the view's set; nil if neither exists.
func (s *Server) live() *model.StatefulSet {
	if s.Live == nil && s.View != nil {
		return s.View.Set()
	}
	return s.Live
}

// adopted returns a copy of a revision of the view with its new owner, nil if the view has none of the name.
func (s *Server) adopted(call *model.Call) *model.Revision {
	for _, revision := range s.View.Revisions() {
		if revision.Name == call.Key.Name {
			adopted := *revision
			adopted.Owners = append(slices.Clone(revision.Owners), call.Owner)
			return &adopted
		}
	}
	return nil
}

// Fork runs the branches one after the other.
func (s *Server) Fork(n int, branch func(i int)) {
	s.Log = append(s.Log, fmt.Sprintf("fork %d", n))
	s.forked = true
	for i := range n {
		branch(i)
	}
	s.forked = false
}

// Record writes an event down.
func (s *Server) Record(event model.K8sEvent) {
	s.Events = append(s.Events, event.Reason+": "+event.Message)
}

// Error returns an API error of that reason, whose message is the reason's name.
func Error(reason model.ErrorReason) *model.APIError {
	return &model.APIError{Reason: reason, Message: reason.String()}
}

// describe renders a call as a line.
func describe(call model.Call) string {
	line := call.Verb.String() + " " + call.Key.Name
	switch {
	case call.Pod != nil:
		return line + " @" + call.Pod.Template.Data
	case call.Claim != nil && call.Verb == model.Update:
		return line + " of " + describeOwners(call.Claim.Owners)
	case call.Revision != nil:
		return line + fmt.Sprintf(" #%d", call.Revision.Number)
	case call.Set != nil:
		s := &call.Set.Status
		return line + fmt.Sprintf(" replicas=%d ready=%d available=%d current=%d updated=%d",
			s.Replicas, s.Ready, s.Available, s.Current, s.Updated)
	case call.Verb == model.Delete && call.Why.Code != "":
		return line + " (" + string(call.Why.Code) + ")"
	}
	return line
}

// describeOwners renders owners as KIND/NAME, with a ! after the controller.
func describeOwners(owners []model.Owner) string {
	if len(owners) == 0 {
		return "nobody"
	}
	texts := make([]string, len(owners))
	for i, owner := range owners {
		texts[i] = owner.Kind.String() + "/" + owner.Name
		if owner.Controller {
			texts[i] += "!"
		}
	}
	return strings.Join(texts, ",")
}
