package expect

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// entry is a pattern for changes of a pod's state: [NAMESPACE/]POD[@N | =IMAGE] STATE. Each part is a glob; one that
// is "" was not given and matches all, except state, which is always there, and pod, which is "*" then. At most one of
// template and image is given. text is the entry as it was written.
type entry struct {
	text                                   string
	namespace, pod, template, image, state string
}

// matches reports whether the event is a change of state that the entry means. A pod made by hand has the number 0.
func (e *entry) matches(event *timeline.Event) bool {
	return event.Kind == timeline.KindPod && glob.Match(e.state, event.State.String()) && glob.Match(e.pod, event.Pod) &&
		(e.template == "" || glob.Match(e.template, strconv.Itoa(event.Template))) &&
		(e.image == "" || glob.Match(e.image, event.Image)) &&
		(e.namespace == "" || glob.Match(e.namespace, event.Set.Namespace))
}

// enters reports whether the entry can match a change to that state.
func (e *entry) enters(state timeline.State) bool { return glob.Match(e.state, state.String()) }

// entryForm explains an entry in messages.
const entryForm = `an entry is [NAMESPACE/]POD[@N | =IMAGE] STATE, for example "web-2@1 Ready"`

// parseEntry reads an entry. The error says what is wrong and what would be right, separated by ": ". The state
// comes after the last space, since an image may contain anything else.
func parseEntry(text string) (*entry, error) {
	pattern, state, found := cutLast(strings.TrimSpace(text), " ")
	if !found || strings.ContainsAny(strings.TrimSpace(pattern), " \t") {
		if slices.Contains(timeline.StateNames(), text) {
			return nil, fmt.Errorf(`the entry has no pod: write "* %[1]s" for any pod, or a pod, as in "web-2 %[1]s"`, text)
		}
		if !strings.Contains(text, " ") {
			return nil, errors.New("the entry has no state: " + entryForm)
		}
		return nil, errors.New("the entry has too many parts: " + entryForm)
	}
	e := &entry{text: text, pod: strings.TrimSpace(pattern), state: state}
	e.split()
	if e.pod == "" {
		e.pod = "*"
	}
	return e, e.check()
}

// cutLast cuts a text at the last sep.
func cutLast(text, sep string) (before, after string, found bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// split splits the pod's part. The first @ or = ends the pod's name, so an image may contain either (app@sha256:…); a
// slash before it ends the namespace.
func (e *entry) split() {
	if at := strings.IndexAny(e.pod, "@="); at >= 0 {
		rest := e.pod[at+1:]
		if e.pod[at] == '@' {
			e.template = rest
		} else {
			e.image = rest
		}
		if rest == "" {
			e.template, e.image = e.pod[at:], ""
		}
		e.pod = e.pod[:at]
	}
	if namespace, pod, found := strings.Cut(e.pod, "/"); found {
		e.namespace, e.pod = namespace, pod
	}
}

// otherStates are words that people use for a state although the nearest name would be the wrong one.
var otherStates = map[string]string{
	"NotReady": "Unready", "Unhealthy": "Unready", "Healthy": "Ready", "Available": "Ready", "Created": "Pending",
	"Deleted": "Gone", "Removed": "Gone", "Deleting": "Terminating", "Crashed": "Failed", "Completed": "Succeeded",
}

// check refuses an entry that could never match: a bad glob, a template that is not a number, a state that does not
// exist.
func (e *entry) check() error {
	for _, pattern := range []string{e.namespace, e.pod, e.template, e.image, e.state} {
		if err := strict.Glob(pattern); err != nil {
			return fmt.Errorf("%s in %q", err, pattern)
		}
	}
	if e.template != "" && !strings.ContainsAny(e.template, "*?[") {
		if n, err := strconv.Atoi(e.template); err != nil || n < 1 || strconv.Itoa(n) != e.template {
			return fmt.Errorf("%q is neither a template nor an image: write @N with the number of a template from 1, or =IMAGE",
				e.template)
		}
	}
	if strings.Contains(e.pod, "/") {
		return fmt.Errorf("the pod's name %q has a slash: %s", e.pod, entryForm)
	}
	if !slices.ContainsFunc(timeline.StateNames(), func(name string) bool { return glob.Match(e.state, name) }) {
		return fmt.Errorf("%q is not a state: %s", e.state,
			strict.DidYouMean(cmp.Or(otherStates[e.state], e.state), timeline.StateNames()))
	}
	return nil
}

// entry reads an entry from a node; nil if something is wrong with it, which is noted.
func (c *compiler) entry(n *yaml.Node) *entry {
	text, ok := c.reader.String(n, "an entry")
	if !ok {
		return nil
	}
	e, err := parseEntry(text)
	if err != nil {
		what, want, _ := strings.Cut(err.Error(), ": ")
		c.reader.Problem(n, what, want)
		return nil
	}
	return e
}

// textFor renders a change of state in the form of an entry, with the namespace and the image if that has them, so
// that both can be compared line by line. A nil entry is any.
func textFor(like *entry, e *timeline.Event) string {
	if like == nil {
		return e.Brief()
	}
	text := e.Pod
	if like.namespace != "" {
		text = e.Set.Namespace + "/" + text
	}
	if like.image != "" {
		text += "=" + e.Image
	} else if e.Template != 0 {
		text += "@" + strconv.Itoa(e.Template)
	}
	return text + " " + e.State.String()
}

// inSet reports whether an event belongs to the set, or to any if it is zero.
func inSet(e *timeline.Event, set model.Key) bool { return set == (model.Key{}) || e.Set == set }

// ParseEntry reads an entry that is not in an expectation, for example "web-1@2 Running". It returns a function
// that reports whether an event matches it. The error says what is wrong and what would be right, separated by ":
// ".
func ParseEntry(text string) (func(*timeline.Event) bool, error) {
	e, err := parseEntry(text)
	if err != nil {
		return nil, err
	}
	return e.matches, nil
}
