package timeline

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Entry is an event with all its fields side by side, as the code that records it writes it; see Event for what
// they mean. It is a value to be filled in and packed, and is not kept. At most one of the pointers from Run on is
// set.
type Entry struct {
	T             model.Time
	Kind          Kind
	Actor         Actor
	State         State
	Bare, Warning bool
	Passing       bool

	Set         model.Key
	Pod         string
	UID         model.UID
	Nth         int
	Template    int
	Revision    int64
	Image, Node string
	IP          string

	Why             model.Why
	Reason, Message string
	Containers      *model.Containers

	Run       *Run
	Step      *Step
	Wait      *Wait
	Status    *model.Status
	Rev       *Rev
	Claim     *Claim
	Fault     *Fault
	DNS       *DNS
	Owned     *Owned
	Result    *Result
	NodeState *Node
	Process   *Process
	Budget    *Budget
}

// Event returns the entry as an event that shares nothing with others. It allocates each part; a run uses a Packer.
func (e Entry) Event() Event {
	origin, cause, rare := e.origin(), e.cause(), e.rare()
	event, subject := e.bare(), e.subject(&origin)
	event.Subject, event.Cause = &subject, &cause
	event.Detail = &Detail{Wait: e.Wait, Status: e.Status, Rare: &rare}
	return event
}

// New is Event for a caller that wants a pointer.
func (e Entry) New() *Event {
	event := e.Event()
	return &event
}

// bare returns the event without what it points at.
func (e *Entry) bare() Event {
	return Event{
		T: e.T, Kind: e.Kind, Actor: e.Actor, State: e.State, Bare: e.Bare, Warning: e.Warning, Passing: e.Passing,
	}
}

// origin, subject, cause and rare return the parts of the event that the entry describes, as values: the caller decides
// where they are kept.
func (e *Entry) origin() Origin {
	return Origin{Set: e.Set, Template: e.Template, Revision: e.Revision, Image: e.Image}
}

// subject takes the origin as it is, so that several subjects may share it.
func (e *Entry) subject(o *Origin) Subject {
	return Subject{Origin: o, Pod: e.Pod, UID: e.UID, Nth: e.Nth, Node: e.Node, IP: e.IP}
}

// cause returns why it happened.
func (e *Entry) cause() Cause {
	return Cause{Why: e.Why, Reason: e.Reason, Message: e.Message, Containers: e.Containers}
}

// rare returns what only events of rare kinds have; Wait and Status are in the Detail itself.
func (e *Entry) rare() Rare {
	return Rare{
		Run: e.Run, Step: e.Step, Rev: e.Rev, Claim: e.Claim, Fault: e.Fault, DNS: e.DNS, Owned: e.Owned,
		Result: e.Result, NodeState: e.NodeState, Process: e.Process, Budget: e.Budget,
	}
}

// Events without a subject, cause or detail point at these. They are never changed.
var (
	noSubject = &Subject{Origin: &Origin{}}
	noCause   = &Cause{}
	noRare    = &Rare{}
	noDetail  = &Detail{Rare: noRare}
)

// Packer turns entries into events that share their equal parts, as far as these are found without a search: it
// compares with the event given as like, and with the last one of a kind. Events that it has returned never change.
// The zero value is ready to use. One Packer belongs to one timeline.
type Packer struct {
	subjects keyed.Slab[Subject]
	origins  origins
	causes   keyed.Slab[Cause]
	waits    keyed.Slab[waitDetail]
	statuses keyed.Slab[statusDetail]
	// set is the last subject without a pod, plain the last one with nothing but its set, wait the subject of the
	// last wait, status the cause of the last status; nil if there was none.
	set, plain *Subject
	wait       *Subject
	status     *Cause
	// draft is the cause that Draft returns; nil if an event has kept the last one.
	draft *Cause
	// plainOf is the set of plain.
	plainOf model.Key
}

// Left returns a packer with the memory of one whose events are no longer held.
func (p *Packer) Left() Packer {
	return Packer{
		subjects: p.subjects.Left(), causes: p.causes.Left(), waits: p.waits.Left(), statuses: p.statuses.Left(),
		origins: origins{fresh: p.origins.fresh.Left()},
	}
}

// waitDetail and statusDetail are details with what they point at.
type waitDetail struct {
	Detail
	wait Wait
}

type statusDetail struct {
	Detail
	status model.Status
}

// Like is an event that the next one is likely to resemble: the two share their equal parts. It may be the zero
// value, and a bad guess costs a comparison, never a wrong event.
type Like struct {
	Subject *Subject
	Cause   *Cause
}

// Like returns the parts that a later event may share with this one.
func (e *Event) Like() Like { return Like{e.Subject, e.Cause} }

// Pack makes an event of an entry, which stays the caller's. Kinds that are frequent in a run and have nothing of
// their own share one detail.
func (p *Packer) Pack(e *Entry, like Like) Event {
	p.origins.next = e.origin()
	event, subject, cause := e.bare(), e.subject(&p.origins.next), e.cause()
	p.Share(&event, &subject, &cause, like)
	switch e.Kind {
	case KindPod, KindContainer, KindK8sEvent, KindSync:
	case KindWait, KindStatus:
		if e.Wait != nil || e.Status != nil {
			event.Detail = &Detail{Wait: e.Wait, Status: e.Status, Rare: noRare}
		}
	default:
		both := &struct {
			Detail
			rare Rare
		}{Detail{Wait: e.Wait, Status: e.Status}, e.rare()}
		both.Detail.Rare = &both.rare
		event.Detail = &both.Detail
	}
	return event
}

// Share gives an event a subject and a cause. The event keeps copies, unless equal ones exist already, so the caller
// may use s and c again. It is Pack for a caller that has the parts of an event and no Entry, and sets the detail to
// none.
func (p *Packer) Share(event *Event, s *Subject, c *Cause, like Like) {
	event.Subject, event.Detail = p.subject(event.Kind, s, like.Subject), noDetail
	event.Cause = p.cause(event.Kind, c, like.Cause)
}

// Draft returns an empty cause for the next event. If it is given to Share, the event keeps it without a copy. It is
// valid until the next call of Draft or Share.
func (p *Packer) Draft() *Cause {
	if p.draft == nil {
		p.draft = p.causes.Next()
	}
	*p.draft = Cause{}
	return p.draft
}

// Set returns the subject of an event that is about a set alone, to be shared by Share. It must not be changed.
func (p *Packer) Set(key model.Key) *Subject {
	if p.plain == nil || !p.plainOf.Shares(key) && p.plainOf != key {
		p.plain, p.plainOf = p.subjects.Next(), key
		p.plain.Origin = p.origins.kept(&Origin{Set: key})
	}
	return p.plain
}

// Wait returns the detail of a wait's event.
func (p *Packer) Wait(w Wait) *Detail {
	d := p.waits.Next()
	d.wait = w
	d.Detail = Detail{Wait: &d.wait, Rare: noRare}
	return &d.Detail
}

// Status returns the detail of a status's event. It is a copy of the status.
func (p *Packer) Status(s *model.Status) *Detail {
	d := p.statuses.Next()
	d.status = *s
	d.Detail = Detail{Status: &d.status, Rare: noRare}
	return &d.Detail
}

// subject returns a subject that is equal to s and that events may keep.
func (p *Packer) subject(of Kind, s, like *Subject) *Subject {
	if like == s || like != nil && like.is(s) {
		return like
	}
	ofSet := s.Pod == "" && s.UID == 0
	switch {
	case ofSet && p.set != nil && p.set.is(s):
		return p.set
	case ofSet && noSubject.is(s):
		return noSubject
	}
	if of == KindWait && p.wait != nil && p.wait.is(s) {
		return p.wait
	}
	kept := p.subjects.Next()
	*kept = *s
	if like != nil && like.Origin.is(s.Origin) {
		kept.Origin = like.Origin
	} else {
		kept.Origin = p.origins.kept(s.Origin)
	}
	switch {
	case ofSet:
		p.set = kept
	case of == KindWait:
		p.wait = kept
	}
	return kept
}

// is reports whether two subjects are equal.
func (s *Subject) is(other *Subject) bool {
	return s.UID == other.UID && s.Nth == other.Nth && model.SameText(s.Pod, other.Pod) &&
		model.SameText(s.Node, other.Node) && model.SameText(s.IP, other.IP) && s.Origin.is(other.Origin)
}

// is reports whether two origins are equal.
func (o *Origin) is(other *Origin) bool {
	return o == other || o.Template == other.Template && o.Revision == other.Revision &&
		model.SameText(o.Image, other.Image) && (o.Set.Shares(other.Set) || o.Set == other.Set)
}

// is reports whether two causes are equal.
func (c *Cause) is(other *Cause) bool {
	return c.Containers == other.Containers && c.Why.Is(&other.Why) && model.SameText(c.Reason, other.Reason) &&
		model.SameText(c.Message, other.Message)
}

// origins are the last origins that were met, in no order: a run has few at a time.
type origins struct {
	last  [4]*Origin
	at    int
	fresh keyed.Slab[Origin]
	// next is memory for the origin of the next event.
	next Origin
}

// kept returns an origin that is equal to o and never changes.
func (l *origins) kept(o *Origin) *Origin {
	for _, last := range l.last {
		if last != nil && last.is(o) {
			return last
		}
	}
	kept := l.fresh.Next()
	*kept = *o
	l.last[l.at] = kept
	l.at = (l.at + 1) % len(l.last)
	return kept
}

// cause returns a cause that is equal to c and that events may keep.
func (p *Packer) cause(of Kind, c, like *Cause) *Cause {
	switch {
	case like == c:
		return like
	case c.Why.Code == "" && c.Reason == "" && c.is(noCause):
		return noCause
	case like != nil && len(like.Why.Code) == len(c.Why.Code) && like.is(c):
		return like
	case of == KindStatus && p.status != nil && p.status.is(c):
		return p.status
	}
	kept := c
	if c == p.draft {
		p.draft = nil
	} else {
		kept = p.causes.Next()
		*kept = *c
	}
	if of == KindStatus {
		p.status = kept
	}
	return kept
}
