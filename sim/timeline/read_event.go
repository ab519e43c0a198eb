package timeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// line is one line as in the file: the fields of all kinds of event. Some names mean different things in different
// kinds; decode decides by the kind. The embedded structs only group fields: JSON has all of them side by side, so no
// two fields may have one JSON name. AppendJSON writes the same names. The names of a DNS event are not read, since
// they follow from its other fields.
type line struct {
	// T is nil if the line has no time, which is an error; 0 is a time like any other.
	T           *seconds `json:"t"`
	Event       string   `json:"event"`
	Actor       string   `json:"actor"`
	Pod         string   `json:"pod"`
	State       string   `json:"state"`
	Template    int      `json:"template"`
	Revision    int64    `json:"revision"`
	Image       string   `json:"image"`
	Node        string   `json:"node"`
	Message     string   `json:"message"`
	StatefulSet string   `json:"statefulset"`
	Namespace   string   `json:"namespace"`
	Verdict     Verdict  `json:"verdict"`
	UID         string   `json:"uid"`
	Nth         int      `json:"nth"`
	Bare        bool     `json:"bare"`
	whyLine
	runLine
	stepLine
	resultLine
	containersLine
	dnsLine

	// Status and Budget are required by their kinds, except for the status that says that its set is deleted. A node
	// event without NodeState is about all nodes together.
	NodeState *nodeLine   `json:"nodeState"`
	Budget    *budgetLine `json:"budget"`

	// Ended and Since are those of a wait or of a process. Change is a model.ChangeType for revisions, claims and the
	// DNS, and an OwnerChange for owner events. Name is that of a step, a fault or a revision. Digest is that of the
	// scenario in the header, and that of the whole run in the result.
	Ended   bool        `json:"ended"`
	Passing bool        `json:"passing"`
	Since   seconds     `json:"since"`
	Status  *statusLine `json:"status"`
	Change  string      `json:"change"`
	Claim   string      `json:"claim"`
	Phase   string      `json:"phase"`
	Fault   int         `json:"fault"`
	Owners  []string    `json:"owners"`
	Type    string      `json:"type"`
	Name    string      `json:"name"`
	Cause   string      `json:"changeCause"`
	Digest  string      `json:"digest"`
}

// whyLine are the fields of a model.Why. Reason holds its code, or the free reason of an event that has none: a code
// that this version does not know is read as a free reason, and keeps its message.
type whyLine struct {
	Reason string `json:"reason"`
	Rule   string `json:"rule"`
	Object string `json:"object"`
	Have   int32  `json:"have"`
	Want   int32  `json:"want"`
	Ready  bool   `json:"ready"`
}

// runLine are the fields of the header. Gates is read as a map and kept in the order of its keys, which is the order
// in which it is written.
type runLine struct {
	Format     int             `json:"format"`
	Sim        string          `json:"sim"`
	Scenario   string          `json:"scenario"`
	Kubernetes string          `json:"kubernetes"`
	Gates      map[string]bool `json:"featureGates"`
	Seed       uint64          `json:"seed"`
	Until      seconds         `json:"until"`
	DNSTTL     seconds         `json:"dnsTTL"`
}

// stepLine are the fields of a step; a fault shares those that it has. Behind is the cause of a step's refusal, which
// is not the Cause of line: that is the change-cause of a revision. Sets are whole sets after the change. Refused is
// the refusal that the scenario expects.
type stepLine struct {
	Step    int       `json:"step"`
	Verb    string    `json:"verb"`
	Does    string    `json:"does"`
	Trigger string    `json:"trigger"`
	Delay   seconds   `json:"delay"`
	Effect  Effect    `json:"effect"`
	Refusal string    `json:"refusal"`
	Behind  string    `json:"cause"`
	Refused string    `json:"refused"`
	Sets    []setLine `json:"sets"`
	Removed []string  `json:"removed"`
}

// resultLine are the fields of the result, except for its verdict and its digest, which are in line.
type resultLine struct {
	Stuck    []stuckLine `json:"stuck"`
	Repeats  []string    `json:"repeats"`
	Warnings []string    `json:"warnings"`
	Events   int         `json:"events"`
	Syncs    int         `json:"syncs"`
}

// containersLine are the fields of an event about a pod whose containers are known. Restarts is a pointer because 0
// is written too, see appendContainers.
type containersLine struct {
	Container       string `json:"container"`
	Shown           string `json:"shown"`
	Restarts        *int   `json:"restarts"`
	ReadyContainers int    `json:"readyContainers"`
	Containers      int    `json:"containers"`
}

// decode returns nil if the line says nothing of a pod's containers, which is so if it has no restarts.
func (l *containersLine) decode() *model.Containers {
	if l.Restarts == nil {
		return nil
	}
	return &model.Containers{
		Name: l.Container, Shown: l.Shown, Restarts: *l.Restarts, Ready: l.ReadyContainers, All: l.Containers,
	}
}

// stuckLine is an element of stuck: a set that waits, and for what. Its message is not read, since it is rendered from
// the reason.
type stuckLine struct {
	StatefulSet string `json:"statefulset"`
	Namespace   string `json:"namespace"`
	whyLine
	Since seconds `json:"since"`
	Error string  `json:"error"`
}

// decode makes an entry of the line. Fields that a kind does not have are ignored. A kind or an actor that is not known
// becomes the zero one, for timelines of later versions; of a kind that is not known only the time is read. A state or
// a change that is not known is an error: a fold without it would be wrong from there on.
func (l *line) decode() (Entry, error) {
	e := Entry{
		Kind: Kind(nameOf(kindNames[:], l.Event)), Actor: Actor(nameOf(actorNames[:], l.Actor)),
		Set: model.Key{Namespace: l.Namespace, Name: l.StatefulSet}, Pod: l.Pod, Nth: l.Nth,
		Template: l.Template, Revision: l.Revision, Image: l.Image, Node: l.Node, Bare: l.Bare, Passing: l.Passing,
	}
	if l.Event == "" {
		return e, fmt.Errorf("event is missing: one of %s", strings.Join(kindNames[1:], ", "))
	}
	if l.T == nil {
		return e, fmt.Errorf("t is missing")
	}
	e.T = l.T.time()
	if e.Kind == 0 {
		return e, nil
	}
	if e.State = State(nameOf(stateNames[:], l.State)); e.State == NoState && l.State != "" {
		return e, fmt.Errorf("state: %q is none of %s", l.State, strings.Join(StateNames(), ", "))
	}
	var err error
	if e.Kind == KindPod || e.Kind == KindOwner {
		e.IP = l.IP
	}
	if e.UID, err = parseUID(l.UID); err != nil {
		return e, err
	}
	l.decodeWhy(&e)
	e.Containers = l.containersLine.decode()
	return e, l.decodeOwn(&e)
}

// decodeWhy takes a reason that is one of the model's codes as such, and any other as a text. A message that is the
// reason's own sentence is left out, so that it is rendered from the reason again.
func (l *line) decodeWhy(e *Entry) {
	e.Why = l.why()
	if e.Why.Code == "" {
		e.Reason = l.Reason
	}
	if e.Why.Code == "" || l.Message != e.Why.Sentence() {
		e.Message = l.Message
	}
}

// why returns the reason as the model has it. Its code is empty if Reason is none of model.Codes.
func (l *whyLine) why() model.Why {
	why := model.Why{Object: l.Object, Rule: model.Rule(l.Rule), Have: l.Have, Want: l.Want, Ready: l.Ready}
	if slices.Contains(model.Codes, model.Code(l.Reason)) {
		why.Code = model.Code(l.Reason)
	}
	return why
}

// decodeOwn reads what only the entry's kind has. It sets the pointer that Fold.Apply follows for that kind, or fails,
// so that a line with fields missing cannot crash a reader. Two kinds may go without theirs, and Apply gives that a
// meaning: the status of a set that was deleted, and a node event about all nodes.
func (l *line) decodeOwn(e *Entry) (err error) {
	switch e.Kind {
	case KindRun:
		e.Run = l.decodeRun()
	case KindStep:
		e.Step, err = l.decodeStep()
	case KindWait:
		e.Wait = &Wait{Ended: l.Ended, Since: l.Since.time()}
	case KindFault:
		e.Fault, err = l.decodeFault()
	case KindStatus:
		switch {
		case l.Status != nil:
			e.Status = l.Status.decode()
		case l.Reason != ReasonDeleted:
			return fmt.Errorf("status is missing")
		}
	case KindRevision:
		e.Rev = &Rev{Name: l.Name, Number: l.Revision, Template: l.Template, Cause: l.Cause}
		// The names template and revision are those of the revision here, not those of a pod.
		e.Template, e.Revision = 0, 0
		e.Rev.Type, err = l.change()
	case KindClaim:
		e.Claim = &Claim{Name: l.Claim, Phase: l.Phase, Owners: l.Owners}
		e.Claim.Type, err = l.change()
	case KindOwner:
		e.Owned = &Owned{Revision: l.Name}
		e.Owned.Change, err = changeOf[OwnerChange](ownerChangeNames[1:], l.Change)
	case KindDNS:
		e.DNS, err = l.decodeDNS()
	case KindK8sEvent:
		e.Warning = l.Type == eventType(true)
	case KindNode:
		e.NodeState = (*Node)(l.NodeState)
	case KindProcess:
		e.Process = &Process{Ended: l.Ended, Since: l.Since.time()}
	case KindBudget:
		if l.Budget == nil {
			return fmt.Errorf("budget is missing")
		}
		e.Budget = (*Budget)(l.Budget)
	case KindResult:
		e.Result = l.decodeResult()
	}
	return err
}

// change returns the type of a change.
func (l *line) change() (model.ChangeType, error) {
	return changeOf[model.ChangeType](changeNames[1:], l.Change)
}

// changeOf returns the number of a word, from 1 on. A word that is not known is an error, as a state is.
func changeOf[T ~uint8](names []string, word string) (T, error) {
	at := slices.Index(names, word)
	if at < 0 {
		return 0, fmt.Errorf("change: %q is none of %s", word, strings.Join(names, ", "))
	}
	return T(at + 1), nil
}

// decodeRun reads the header. A version or a gate that this program does not know is kept as it is.
func (l *line) decodeRun() *Run {
	run := &Run{Format: l.Format, Sim: l.Sim, Scenario: l.Scenario, Kubernetes: l.Kubernetes, Seed: l.Seed,
		Digest: l.Digest, Until: l.Until.duration(),
		DNSTTL: l.DNSTTL.duration()}
	for _, name := range slices.Sorted(maps.Keys(l.Gates)) {
		run.Gates = append(run.Gates, Gate{name, l.Gates[name]})
	}
	return run
}

// decodeStep reads a step. The error names the field of a set that cannot be read.
func (l *line) decodeStep() (*Step, error) {
	step := &Step{Number: l.Step, Name: l.Name, Verb: l.Verb, Does: l.Does, Trigger: l.Trigger,
		Delay: l.Delay.duration(), Effect: l.Effect, Refusal: l.Refusal, ExpectedRefusal: l.Refused, Cause: l.Behind}
	var err error
	step.Sets, step.Removed, err = l.decodeChanges()
	return step, err
}

// decodeFault reads a fault.
func (l *line) decodeFault() (*Fault, error) {
	fault := &Fault{Number: l.Fault, Name: l.Name, Verb: l.Verb, Does: l.Does, Trigger: l.Trigger, Effect: l.Effect,
		Refusal: l.Refusal}
	var err error
	fault.Sets, fault.Removed, err = l.decodeChanges()
	return fault, err
}

// decodeChanges reads what a step or a fault has done to sets.
func (l *line) decodeChanges() (sets []*model.StatefulSet, removed []model.Key, err error) {
	for i := range l.Sets {
		set, err := l.Sets[i].decode()
		if err != nil {
			return nil, nil, fmt.Errorf("sets: %w", err)
		}
		sets = append(sets, set)
	}
	for _, text := range l.Removed {
		key, err := parseKey(text)
		if err != nil {
			return nil, nil, fmt.Errorf("removed: %w", err)
		}
		removed = append(removed, key)
	}
	return sets, removed, nil
}

// decodeResult reads the result. The messages of what is stuck follow from their reasons.
func (l *line) decodeResult() *Result {
	result := &Result{Verdict: l.Verdict, Repeats: l.Repeats, Warnings: l.Warnings, Digest: l.Digest,
		Events: l.Events, Syncs: l.Syncs}
	for i := range l.Stuck {
		s := &l.Stuck[i]
		result.Stuck = append(result.Stuck, Stuck{
			Set: model.Key{Namespace: s.Namespace, Name: s.StatefulSet}, Why: s.why(), Since: s.Since.time(), Error: s.Error})
	}
	return result
}

// decode reads a status, see AppendStatus.
func (l *statusLine) decode() *model.Status {
	s := &model.Status{ObservedGeneration: l.ObservedGeneration, Replicas: l.Replicas, Ready: l.Ready,
		Available: l.Available, Current: l.Current, Updated: l.Updated, CurrentRevision: l.CurrentRevision,
		UpdateRevision: l.UpdateRevision, CollisionCount: l.CollisionCount}
	for _, c := range l.Conditions {
		s.Conditions = append(s.Conditions, model.Condition{Type: c.Type, True: c.Status == "True", Reason: c.Reason,
			Message: c.Message, Since: c.Since.time()})
	}
	return s
}

// statusLine is a status with Kubernetes' own field names, as appendStatus writes it. A field that is missing is 0,
// and a condition whose status is not True is read as False: the format has no other.
type statusLine struct {
	ObservedGeneration int64  `json:"observedGeneration"`
	Replicas           int32  `json:"replicas"`
	Ready              int32  `json:"readyReplicas"`
	Available          int32  `json:"availableReplicas"`
	Current            int32  `json:"currentReplicas"`
	Updated            int32  `json:"updatedReplicas"`
	CurrentRevision    string `json:"currentRevision"`
	UpdateRevision     string `json:"updateRevision"`
	CollisionCount     int32  `json:"collisionCount"`
	Conditions         []struct {
		Type    string  `json:"type"`
		Status  string  `json:"status"`
		Reason  string  `json:"reason"`
		Message string  `json:"message"`
		Since   seconds `json:"lastTransitionTime"`
	} `json:"conditions"`
}

// canonical returns JSON as in the line, "" for none. It changes no byte: AppendJSON has written canonical JSON, and
// templates and selectors are compared by it.
func canonical(raw json.RawMessage) string {
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}
