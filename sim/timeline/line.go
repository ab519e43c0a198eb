package timeline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// AppendJSON appends the event as one JSON object, without a line end, and returns the extended slice. The order of
// the fields is fixed, so equal events give equal bytes: digests and golden files rely on that. The message of an
// event whose Why has a code and that has no message of its own is the reason's sentence. A result without a digest
// has none in its line.
func AppendJSON(dst []byte, e *Event) []byte {
	c, entry := codec{b: append(dst, '{')}, e.entry()
	c.event(&entry)
	return append(c.b, '}')
}

// entry returns the event with all its fields side by side.
func (e *Event) entry() Entry {
	return Entry{
		T: e.T, Kind: e.Kind, Actor: e.Actor, State: e.State, Bare: e.Bare, Warning: e.Warning, Passing: e.Passing,
		Set: e.Set, Pod: e.Pod, UID: e.UID, Nth: e.Nth, Template: e.Template, Revision: e.Revision, Image: e.Image,
		Node: e.Node, IP: e.IP, Why: e.Why, Reason: e.Reason, Message: e.Message, Containers: e.Containers,
		Run: e.Run, Step: e.Step, Wait: e.Wait, Status: e.Status, Rev: e.Rev, Claim: e.Claim, Fault: e.Fault, DNS: e.DNS,
		Owned: e.Owned, Result: e.Result, NodeState: e.NodeState, Process: e.Process, Budget: e.Budget,
	}
}

// part returns what only events of one kind have, and makes it if it is missing but should be there: Fold.Apply follows
// the pointer, so a line without it must not crash it.
func part[T any](of **T, there bool) *T {
	if *of == nil && there {
		*of = new(T)
	}
	return *of
}

// event visits the fields of a line. On reading, an unknown kind or actor becomes the zero one, for timelines of
// later versions; for an unknown kind only the time is read. An unknown state or change is an error: a fold without
// it would be wrong from there on.
func (c *codec) event(e *Entry) {
	switch {
	case c.reads && len(c.find("event")) <= len(`""`):
		c.err = fmt.Errorf("event is missing: one of %s", strings.Join(kindNames[1:], ", "))
		return
	case c.reads && c.find("t") == nil:
		c.miss("t")
		return
	}
	seconds(c, "t", &e.T)
	if word(c, "event", &e.Kind, kindNames[:]); e.Kind == 0 {
		return
	}
	word(c, "actor", &e.Actor, actorNames[:])
	text(c, "pod", &e.Pod)
	if is := word(c, "state", &e.State, stateNames[:]); is != "" && e.State == NoState {
		c.fail("state", fmt.Errorf("%q is none of %s", is, strings.Join(StateNames(), ", ")))
	}
	template, revision := &e.Template, &e.Revision
	if e.Kind == KindRevision {
		rev := part(&e.Rev, true)
		template, revision = &rev.Template, &rev.Number
	}
	number(c, "template", template)
	number(c, "revision", revision)
	text(c, "image", &e.Image)
	text(c, "node", &e.Node)
	if e.Kind != KindDNS {
		text(c, "ip", &e.IP)
	}
	reason, message := e.reason(), e.message()
	text(c, "reason", &reason)
	text(c, "message", &message)
	text(c, "statefulset", &e.Set.Name)
	text(c, "namespace", &e.Set.Namespace)
	if e.Kind == KindResult {
		text(c, "verdict", &part(&e.Result, true).Verdict)
	}
	c.uid("uid", &e.UID)
	number(c, "nth", &e.Nth)
	c.mark("bare", &e.Bare)
	c.rule(&e.Why)
	c.mark("ready", &e.Why.Ready)
	c.mark("passing", &e.Passing)
	if c.reads {
		e.because(reason, message)
	}
	// Restarts is written even if it is 0: that is how a reader knows that the event has containers.
	if of := part(&e.Containers, c.reads && c.find("restarts") != nil); of != nil {
		c.containers(of)
	}
	c.own(e)
}

// reason returns the event's word for why it happened.
func (e *Entry) reason() string {
	if e.Why.Code != "" {
		return string(e.Why.Code)
	}
	return e.Reason
}

// message returns the event's sentence for why it happened.
func (e *Entry) message() string {
	if e.Message == "" && e.Why.Code != "" {
		return e.Why.Sentence()
	}
	return e.Message
}

// because reads a reason as one of the model's codes if it is one, and as a text otherwise. A message that equals
// the reason's own sentence is left out, so that it is rendered from the reason again.
func (e *Entry) because(reason, message string) {
	if e.Why.Code = codeOf(reason); e.Why.Code == "" {
		e.Reason = reason
	}
	if e.Why.Code == "" || message != e.Why.Sentence() {
		e.Message = message
	}
}

// codeOf returns a code of the model, "" if it has no such code.
func codeOf(reason string) model.Code {
	if slices.Contains(model.Codes, model.Code(reason)) {
		return model.Code(reason)
	}
	return ""
}

// rule visits the fields of a reason other than its code.
func (c *codec) rule(why *model.Why) {
	text(c, "rule", &why.Rule)
	text(c, "object", &why.Object)
	number(c, "have", &why.Have)
	number(c, "want", &why.Want)
}

// containers visits the kubelet's report about a pod's containers.
func (c *codec) containers(of *model.Containers) {
	text(c, "container", &of.Name)
	text(c, "shown", &of.Shown)
	always(c, "restarts", &of.Restarts)
	number(c, "readyContainers", &of.Ready)
	number(c, "containers", &of.All)
}

// changeNames are the names of model.ChangeType in the format, by its numbers.
var changeNames = []string{"", "added", "modified", "deleted"}

// own visits the fields that only the entry's kind has. Two kinds may lack them, and Fold.Apply gives that a
// meaning: the status of a set that was deleted, and a node event about all nodes.
func (c *codec) own(e *Entry) {
	switch e.Kind {
	case KindRun:
		c.run(part(&e.Run, true))
	case KindStep:
		c.step(part(&e.Step, true))
	case KindFault:
		c.fault(part(&e.Fault, true))
	case KindWait:
		wait := part(&e.Wait, true)
		c.truth("ended", &wait.Ended)
		seconds(c, "since", &wait.Since)
	case KindProcess:
		process := part(&e.Process, true)
		c.truth("ended", &process.Ended)
		seconds(c, "since", &process.Since)
	case KindRevision:
		change(c, &e.Rev.Type, changeNames)
		text(c, "name", &e.Rev.Name)
		text(c, "changeCause", &e.Rev.Cause)
	case KindClaim:
		claim := part(&e.Claim, true)
		change(c, &claim.Type, changeNames)
		text(c, "claim", &claim.Name)
		text(c, "phase", &claim.Phase)
		c.texts("owners", &claim.Owners)
	case KindOwner:
		owned := part(&e.Owned, true)
		change(c, &owned.Change, ownerChangeNames[:])
		text(c, "name", &owned.Revision)
	case KindDNS:
		c.dns(part(&e.DNS, true), e.Set.Namespace)
	case KindK8sEvent:
		c.either("type", &e.Warning, "Warning", "Normal")
	case KindStatus:
		if status := part(&e.Status, c.reads && c.find("status") != nil); status != nil {
			c.status("status", status)
		} else if c.reads && e.Reason != ReasonDeleted {
			c.miss("status")
		}
	case KindNode:
		if node := part(&e.NodeState, c.reads && c.find("nodeState") != nil); node != nil {
			c.node(node)
		}
	case KindBudget:
		c.budget(part(&e.Budget, true))
	case KindResult:
		c.result(e.Result)
	}
}

// miss notes that a field is missing that has to be there.
func (c *codec) miss(name string) {
	if c.err == nil {
		c.err = fmt.Errorf("%s is missing", name)
	}
}

// run visits the header. A gate that is off is written too, because it matters that it was set. An unknown version
// or gate is kept as it is.
func (c *codec) run(r *Run) {
	always(c, "format", &r.Format)
	text(c, "sim", &r.Sim)
	text(c, "scenario", &r.Scenario)
	text(c, "kubernetes", &r.Kubernetes)
	text(c, "preRelease", &r.PreRelease)
	c.gates("featureGates", &r.Gates)
	c.seed("seed", &r.Seed)
	text(c, "digest", &r.Digest)
	c.span("until", &r.Until)
	c.span("dnsTTL", &r.DNSTTL)
}

// gates are written and read in the order of their names.
func (c *codec) gates(name string, gates *[]Gate) {
	if c.reads {
		on := decoded[map[string]bool](c, name)
		for _, gate := range slices.Sorted(maps.Keys(on)) {
			*gates = append(*gates, Gate{gate, on[gate]})
		}
	} else if len(*gates) > 0 && c.open(name) {
		for i := range *gates {
			c.truth((*gates)[i].Name, &(*gates)[i].On)
		}
		c.end()
	}
}

// seed is a number of more bits than an int has.
func (c *codec) seed(name string, seed *uint64) {
	if c.reads {
		*seed = decoded[uint64](c, name)
		return
	}
	c.key(name)
	c.b = strconv.AppendUint(c.b, *seed, 10)
}

// step visits a step. refusal is the API server's, and refused is what the scenario expects of it.
func (c *codec) step(s *Step) {
	always(c, "step", &s.Number)
	text(c, "name", &s.Name)
	text(c, "verb", &s.Verb)
	text(c, "does", &s.Does)
	text(c, "trigger", &s.Trigger)
	c.span("delay", &s.Delay)
	text(c, "effect", &s.Effect)
	text(c, "refusal", &s.Refusal)
	text(c, "cause", &s.Cause)
	text(c, "refused", &s.ExpectedRefusal)
	c.changes(&s.Sets, &s.Removed)
}

// fault visits a fault, with its changes to sets as for a step.
func (c *codec) fault(f *Fault) {
	number(c, "fault", &f.Number)
	text(c, "name", &f.Name)
	text(c, "verb", &f.Verb)
	text(c, "does", &f.Does)
	text(c, "trigger", &f.Trigger)
	text(c, "effect", &f.Effect)
	text(c, "refusal", &f.Refusal)
	c.changes(&f.Sets, &f.Removed)
}

// result visits the result, except its verdict, which comes first.
func (c *codec) result(r *Result) {
	n := list(c, "stuck", &r.Stuck)
	for i := range n {
		if c.element(i) {
			c.stuck(&r.Stuck[i])
			c.end()
		}
	}
	c.endList(n)
	c.texts("repeats", &r.Repeats)
	c.texts("warnings", &r.Warnings)
	text(c, "digest", &r.Digest)
	always(c, "events", &r.Events)
	always(c, "syncs", &r.Syncs)
}

// stuck visits a stuck set. Its message is the sentence of the reason, which is not read back.
func (c *codec) stuck(s *Stuck) {
	text(c, "statefulset", &s.Set.Name)
	text(c, "namespace", &s.Set.Namespace)
	text(c, "reason", &s.Why.Code)
	if c.reads {
		s.Why.Code = codeOf(string(s.Why.Code))
	} else if s.Why.Code != "" {
		message := s.Why.Sentence()
		text(c, "message", &message)
	}
	c.rule(&s.Why)
	seconds(c, "since", &s.Since)
	text(c, "error", &s.Error)
}

// dns visits a change of the DNS. The names follow from the rest, and are written for readers who do not know the
// rules.
func (c *codec) dns(d *DNS, namespace string) {
	change(c, &d.Type, changeNames)
	text(c, "service", &d.Service)
	text(c, "ip", &d.IP)
	text(c, "hostname", &d.Hostname)
	c.texts("ports", &d.Ports)
	if !c.reads {
		names := d.Names(namespace)
		c.texts("names", &names)
	}
}

// node visits the whole state of a node, including false values.
func (c *codec) node(n *Node) {
	if c.open("nodeState") {
		text(c, "zone", &n.Zone)
		c.truth("up", &n.Up)
		c.truth("ready", &n.Ready)
		c.truth("cordoned", &n.Cordoned)
		c.truth("outOfService", &n.OutOfService)
		c.truth("unreachable", &n.Unreachable)
		c.truth("deleted", &n.Deleted)
		c.end()
	}
}

// budget visits the status of a budget with the API's names, including zeros.
func (c *codec) budget(b *Budget) {
	if !c.open("budget") {
		c.miss("budget")
		return
	}
	text(c, "namespace", &b.Namespace)
	text(c, "name", &b.Name)
	always(c, "disruptionsAllowed", &b.Allowed)
	always(c, "currentHealthy", &b.Healthy)
	always(c, "desiredHealthy", &b.Desired)
	always(c, "expectedPods", &b.Expected)
	c.end()
}
