package expect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// absent is the failure of an entry that nothing in a stretch matches: what happened that is most like it, so that a
// wrong number, a wrong name or a wrong step shows.
func (s *stretch) absent(e *entry) *failure {
	f := &failure{detail: fmt.Sprintf("%q never happens", e.text), never: true}
	instead, came := s.instead(e)
	if instead == "" {
		instead = s.run.vacuous(e)
	}
	if instead != "" {
		f.detail += "; " + instead
	}
	f.at = came
	return f
}

// instead describes what happened that the entry may have meant, with the events: the same outside of the step, the
// same pods at another template or image, or other states of these pods. It is "" if nothing is similar.
func (s *stretch) instead(e *entry) (text string, came []int) {
	if came = s.among(e, func(i int) bool { return i < s.from || s.to <= i }); len(came) > 0 {
		return fmt.Sprintf("outside of that step it happened at %s", s.run.times(came)), came
	}
	if e.template != "" || e.image != "" {
		like := *e
		like.template, like.image = "", ""
		if came = s.matching(&like); len(came) > 0 {
			s.nameLike(e, &like, came[0])
			came = s.matching(&like)
			return fmt.Sprintf("%q happened at %s", like.written(), s.run.times(came)), came
		}
	}
	like := *e
	like.state = "*"
	if came = s.matching(&like); len(came) > 0 && e.pod != "*" {
		last := came[len(came)-1]
		event := &s.run.events[last]
		return fmt.Sprintf("the last change of such a pod is %s at %s", event.Brief(), clock(event.T)), []int{last}
	}
	return "", nil
}

// nameLike gives an entry the template or the image of an event, whichever another entry has.
func (s *stretch) nameLike(e, like *entry, i int) {
	if event := &s.run.events[i]; e.image != "" {
		like.image = event.Image
	} else {
		like.template = strconv.Itoa(event.Template)
	}
}

// written renders an entry as it would be written.
func (e *entry) written() string {
	text := e.pod
	if e.namespace != "" {
		text = e.namespace + "/" + text
	}
	switch {
	case e.image != "":
		text += "=" + e.image
	case e.template != "":
		text += "@" + e.template
	}
	if strings.HasPrefix(text, "*@") || strings.HasPrefix(text, "*=") {
		text = text[1:]
	}
	return text + " " + e.state
}

// matching returns the events of the stretch that an entry matches.
func (s *stretch) matching(e *entry) []int {
	return s.among(e, func(i int) bool { return s.from <= i && i < s.to })
}

// among returns the events of the set that are in a part of the run and that an entry matches.
func (s *stretch) among(e *entry, in func(i int) bool) []int {
	var came []int
	for i := range s.run.events {
		event := &s.run.events[i]
		if in(i) && event.Kind == timeline.KindPod && inSet(event, s.set) && e.matches(event) {
			came = append(came, i)
		}
	}
	return came
}

// maxTimes is the number of instants that a sentence lists.
const maxTimes = 4

// times lists the instants of some events, each once: "13s, 31s and 49s".
func (r *run) times(came []int) string {
	var list []string
	for _, i := range came {
		if text := clock(r.events[i].T); len(list) == 0 || list[len(list)-1] != text {
			list = append(list, text)
		}
	}
	if n := len(list); n > maxTimes {
		list = append(list[:maxTimes], fmt.Sprintf("%d more times", n-maxTimes))
	}
	return joined(list)
}

// joined lists words: "a, b and c".
func joined(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}
