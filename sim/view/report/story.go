package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// story turns a timeline into lines, instant by instant. It remembers what the reader already knows: a rule is
// explained at the first wait because of it, and a status is printed when it says something new.
type story struct {
	cast *cast
	// part is the part of the run that is told; the rest is only folded, so that what is told is right.
	part *Part
	// told are the rules that have been explained, by code and rule.
	told map[told]bool
	// glances are the counts of each set that were printed last; the zero value if none was.
	glances map[model.Key]glance
	// errors are the long messages that have been printed.
	errors map[errorKey]*toldError
	// fold is the state before the current event.
	fold timeline.Fold
	// lines are the lines of the current instant. The slice is used again for the next one: who gets it must not keep it.
	lines []line
	// said counts the lines of each text in the instant, dropped the lines that were not repeated; gap is the index of
	// the line that says so, if dropped is not 0.
	said         map[line]int
	dropped, gap int
}

// line is one line of the story: actor, text, and tone.
type line struct {
	actor timeline.Actor
	text  string
	tone  render.Tone
	// apart asks for an empty line above.
	apart bool
}

// told is a reason for waiting whose rule was explained. It does not include the object: a rule is explained once
// per run.
type told struct {
	code model.Code
	rule model.Rule
}

// errorKey is a message about a set or a pod, which comes again where what failed is tried again.
type errorKey struct {
	kind    timeline.Kind
	set     model.Key
	pod     string
	reason  string
	message string
}

// toldError says when a message was printed in full, and how often it has come since.
type toldError struct {
	first model.Time
	times int
}

// longMessage is the length above which a message is printed in full only once.
const longMessage = 80

// message returns the message of an event or, if it is long and was printed before, how often it has come.
func (s *story) message(event *timeline.Event) string {
	if render.Width(event.Message) < longMessage {
		return event.Message
	}
	key := errorKey{event.Kind, event.Set, event.Pod, event.Reason, event.Message}
	before := s.errors[key]
	if before == nil {
		s.errors[key] = &toldError{first: event.T, times: 1}
		return event.Message
	}
	before.times++
	return fmt.Sprintf("as at %s (%d times)", render.Clock(before.first), before.times)
}

// tell calls yield for each instant of the run's part with something worth a line. The lines belong to the story,
// and are overwritten after the call.
func tell(run *Run, c *cast, yield func(t model.Time, lines []line)) {
	s := newStory(c)
	s.part = &run.Part
	s.each(run.Events, yield)
}

// each tells events instant by instant.
func (s *story) each(events []timeline.Event, yield func(t model.Time, lines []line)) {
	for len(events) > 0 {
		n := 1
		for n < len(events) && events[n].T == events[0].T {
			n++
		}
		s.instant(events[:n])
		if len(s.lines) > 0 {
			yield(events[0].T, s.lines)
		}
		events = events[n:]
	}
}

// instant words events of one instant, all of them or those up to a step. The fold is one event behind while an
// event is worded, so that the story can compare with the state before.
func (s *story) instant(events []timeline.Event) {
	s.lines, s.dropped = s.lines[:0], 0
	clear(s.said)
	for i := range events {
		if s.part.Has(&events[i]) {
			s.event(&events[i], passing(events, i))
		}
		s.fold.Apply(&events[i])
	}
	if s.dropped > 0 {
		s.lines[s.gap].text = "and " + render.Count(s.dropped, "more line") + " like these at this instant"
	}
}

// passing reports whether an event is a status that the next one of the same instant replaces. A step acts at a
// fixed point of the controller, so the last status before it is printed.
func passing(events []timeline.Event, i int) bool {
	if events[i].Status == nil {
		return false
	}
	for _, later := range events[i+1:] {
		switch {
		case later.Step != nil:
			return false
		case later.Status != nil && later.Set == events[i].Set:
			return true
		}
	}
	return false
}

// event words an event, if it is worth a line. An event that a later one of the same instant repeats has none: the
// sync that caused a change, for example, if the controller records an event about it.
func (s *story) event(event *timeline.Event, passing bool) {
	switch event.Kind {
	case timeline.KindPod:
		s.say(event, podTones[event.State], s.pod(event))
	case timeline.KindContainer:
		s.say(event, containerTone(event), s.container(event))
	case timeline.KindStep:
		s.step(event)
	case timeline.KindWait:
		s.wait(event)
	case timeline.KindStatus:
		if !passing {
			s.status(event)
		}
	case timeline.KindRevision:
		s.say(event, render.Dim, s.revision(event))
	case timeline.KindClaim:
		s.say(event, render.Dim, s.claim(event))
	case timeline.KindOwner:
		s.say(event, render.Plain, s.owner(event))
	case timeline.KindFault:
		s.fault(event)
	case timeline.KindDNS:
		s.say(event, render.Dim, s.dns(event))
	case timeline.KindSync:
		if event.Pod != "" && event.Why.Code != "" {
			s.say(event, render.Plain, s.cast.of(event.Set, event.Pod)+" is repaired: "+because(event))
			break
		}
		s.say(event, render.Warn, s.other(event))
	case timeline.KindNode, timeline.KindProcess:
		text := event.Message
		if text == "" && event.NodeState != nil && nodeThing(event).Text != "Ready" {
			text = event.Node + ": " + nodeThing(event).Text // It comes from a dump.
		}
		if text != "" {
			s.say(event, clusterTone(event), text)
		}
	case timeline.KindK8sEvent:
		// The changes of the pods already show what succeeds, and what a second attempt has overtaken.
		if event.Warning && !event.Passing {
			s.say(event, render.Warn, s.other(event))
		}
	}
}

// enough is the number of times that one line is printed in an instant. A livelock has no end.
const enough = 2

// say adds a line, unless the instant has the same one already. The first line counts the dropped ones.
func (s *story) say(event *timeline.Event, t render.Tone, text string) {
	l := line{actor: event.Actor, text: text, tone: t}
	if s.said[l]++; s.said[l] > enough {
		if s.dropped++; s.dropped == 1 {
			s.gap, l.text = len(s.lines), ""
			s.lines = append(s.lines, l)
		}
		return
	}
	s.lines = append(s.lines, l)
}

// podTones are the colours of a pod's states; most have none.
var podTones = map[timeline.State]render.Tone{timeline.Failed: render.Bad, timeline.Unready: render.Warn}

// pod words a new state of a pod, with the template when it is created or deleted, and a new reason.
func (s *story) pod(event *timeline.Event) string {
	var b strings.Builder
	b.WriteString(s.cast.of(event.Set, event.Pod) + " " + event.State.String())
	switch event.State {
	case timeline.Pending:
		if event.Template > 0 {
			b.WriteString(" @" + strconv.Itoa(event.Template))
		}
		if event.Image != "" {
			b.WriteString(" " + event.Image)
		}
	case timeline.Running:
		b.WriteString(address(event))
	case timeline.Terminating:
		if event.Template > 0 {
			b.WriteString(" @" + strconv.Itoa(event.Template))
		}
	case timeline.Gone:
		// The reason was printed at the start of its deletion.
		return b.String()
	}
	if why := because(event); why != "" {
		b.WriteString(": " + why)
	}
	return b.String()
}

// container describes the state of a pod's containers.
func (s *story) container(event *timeline.Event) string {
	text := s.cast.of(event.Set, event.Pod)
	if event.Reason != "" {
		text += " " + event.Reason
	}
	if event.Message != "" {
		text += ": " + event.Message
	}
	if c := event.Containers; c != nil && c.Shown == "" && c.Restarts > 0 {
		text += " (" + render.Count(c.Restarts, "restart") + ")"
	}
	return text
}

// containerTone returns the colour of a change of containers: the colour of a problem if the event gives a reason.
func containerTone(event *timeline.Event) render.Tone {
	if event.Reason != "" {
		return render.Warn
	}
	return render.Plain
}

// because returns the reason of an event in words. A sentence about the event's pod does not name it again. That a
// pod does not exist yet is the reason for its creation, but next to its new state it would be confusing.
func because(event *timeline.Event) string {
	if event.Why.Code == model.CodeCreate {
		return "created, since it was missing"
	}
	if event.Why.Code != "" {
		sentence := event.Why.Sentence()
		if rest, itself := strings.CutPrefix(sentence, event.Pod+" "); itself && event.Pod != "" {
			return "it " + rest
		}
		return sentence
	}
	return reason(event.Reason, event.Message)
}

// reason joins a reason and its message.
func reason(reason, message string) string {
	if reason != "" && message != "" {
		return reason + ": " + message
	}
	return reason + message
}

// wait words the start of a wait, and its end if it took time. A set at rest waits for nothing, and its end is not
// news; neither does Parallel wait for a pod.
func (s *story) wait(event *timeline.Event) {
	switch lasted := event.T.Sub(event.Wait.Since); {
	case !event.Wait.Ended:
		s.say(event, render.Warn, s.begins(event))
	case lasted > 0 && !event.Why.Code.Resting() && event.Why.Rule != model.RuleParallel:
		s.say(event, render.Dim, "waited "+render.Clock(lasted)+s.forWhat(event))
	}
}

// forWhat says what a wait that is over was for, in as few words as possible.
func (s *story) forWhat(event *timeline.Event) string {
	switch {
	case event.Why.Code == model.BudgetSpent:
		return " for maxUnavailable"
	case event.Why.Object != "":
		return " for " + s.cast.of(event.Set, event.Why.Object)
	}
	return ": " + event.Why.Sentence()
}

// begins describes the start of a wait. The sentence of a rule is printed once; later only its name appears.
func (s *story) begins(event *timeline.Event) string {
	set := ""
	if len(s.cast.sets) > 1 {
		set = s.cast.set(event.Set)
	}
	if event.Why.Rule == model.RuleParallel {
		return strings.TrimPrefix(set+": ", ": ") + reasons.Incomplete(event.Why)
	}
	verb := strings.TrimPrefix(set+" waits: ", " ")
	if event.Why.Code.Resting() {
		verb = strings.TrimPrefix(set+" rests: ", " ")
	}
	sentence := event.Why.Sentence()
	key := told{event.Why.Code, event.Why.Rule}
	if fact, _, ruled := strings.Cut(sentence, "; "); ruled && s.told[key] && event.Why.Rule != model.RuleNone {
		return verb + fact + " (" + string(event.Why.Rule) + ")"
	}
	s.told[key] = true
	return verb + reasons.Told(event.Why)
}

// revision words a change of the history: a template that comes back keeps its revision, and gets a new number.
func (s *story) revision(event *timeline.Event) string {
	revision := event.Rev
	template := "@" + strconv.Itoa(revision.Template)
	number := strconv.FormatInt(revision.Number, 10)
	text := s.cast.set(event.Set)
	switch revision.Type {
	case model.Added:
		text += ": revision " + number + " is " + template
	case model.Modified:
		text += ": " + template + " is revision " + number + " now"
	case model.Deleted:
		text += ": revision " + number + " (" + template + ") is removed"
	}
	// The line of a new revision says already that the template is new.
	if event.Why.Code != "" && event.Why.Code != model.CodeNewRevision {
		text += " (" + event.Why.Sentence() + ")"
	}
	return text
}

// ownerWords are the changes of owners as the story tells them.
var ownerWords = map[timeline.OwnerChange]string{
	timeline.Adopted: "adopted", timeline.Released: "released", timeline.LeftBehind: "left behind",
}

// owner words a change of the owner of a pod or a revision.
func (s *story) owner(event *timeline.Event) string {
	text := s.cast.of(event.Set, event.Pod)
	if event.Pod == "" {
		text = s.cast.set(event.Set) + ": revision " + strconv.FormatInt(event.Revision, 10) +
			" (@" + strconv.Itoa(event.Template) + ")"
	}
	text += " is " + ownerWords[event.Owned.Change]
	if why := because(event); why != "" && event.Pod != "" {
		text += ": " + why
	}
	return text
}

// claim words a change of a claim: of its phase or of its owners, whichever differs from before.
func (s *story) claim(event *timeline.Event) string {
	name := "claim " + s.cast.of(event.Set, event.Claim.Name)
	owners, before := strings.Join(event.Claim.Owners, " and "), ""
	if claim := s.fold.Claim(event.Set.Namespace, event.Claim.Name); claim != nil {
		before = strings.Join(claim.Owners, " and ")
	}
	switch {
	case event.Claim.Type == model.Deleted:
		return name + " is gone"
	case owners == before:
		return name + " " + event.Claim.Phase
	case owners == "":
		return name + " belongs to nobody now"
	}
	return name + " belongs to " + owners + " now"
}

// other words an event by its kind, its reason and its message. The controller's events are about the StatefulSet,
// if their message names the pod; all others are about the pod. A complaint of the kubelet is not the reason of an
// event in a cluster, so it is printed as it is.
func (s *story) other(event *timeline.Event) string {
	text := otherKinds[event.Kind]
	if event.Actor == timeline.Kubelet && strings.HasPrefix(event.Message, event.Pod+" does not become") {
		return strings.Replace(event.Message, event.Pod, s.cast.of(event.Set, event.Pod), 1) + ": " + event.Reason
	}
	if event.Pod != "" && (event.Actor != timeline.Controller || !strings.Contains(event.Message, event.Pod)) {
		text += " of " + s.cast.of(event.Set, event.Pod)
	} else if event.Set.Name != "" {
		text += " of " + s.cast.set(event.Set)
	}
	if event.Reason != "" {
		text += ": " + event.Reason
	}
	if event.Message != "" {
		text += ": " + s.message(event)
	}
	return text
}

// clusterTone returns the colour of a change of a node or of a process: two processes with one identity are bad.
func clusterTone(event *timeline.Event) render.Tone {
	switch {
	case event.Reason == timeline.ReasonTwins && !event.Process.Ended:
		return render.Bad
	case event.Process != nil && event.Process.Ended:
		return render.Plain
	}
	return render.Warn
}

// otherKinds are the words for events that have no own.
var otherKinds = map[timeline.Kind]string{
	timeline.KindSync:     "sync",
	timeline.KindK8sEvent: "warning event",
}
