package explore

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// foreground ends what a step says of a deletion that waits for what the set owns. It must be what
// the step's Does ends with.
const foreground = " after its pods"

// done says what a step did, and who did it: you (the reader), a pod, or the cluster. It reads the verb and the text
// that the step has in each report, so it needs no knowledge of its parameters. A verb without a case is something
// that you do.
func done(e *timeline.Event) string {
	s := e.Step
	verb, rest, _ := strings.Cut(s.Does, " ")
	switch {
	case s.Verb == "delete" && e.Pod != "":
		return "you delete pod " + rest
	case s.Verb == "delete" && strings.HasSuffix(rest, foreground):
		return "you delete " + strings.TrimSuffix(rest, foreground) + " with --cascade=foreground"
	case s.Verb == "restart":
		return "you restart " + rest + " with kubectl rollout restart"
	case s.Verb == "start":
		return "the cluster is as in " + strings.TrimPrefix(rest, "with ")
	case s.Verb == "watch":
		return "from now on " + s.Does + "; what was before has arrived in time"
	case verb == "the":
		return s.Does
	case s.Verb == "unready":
		pod, how, _ := strings.Cut(rest, " ")
		return pod + " becomes " + how
	case s.Verb == "fail" && verb == "fail":
		pod, reason, _ := strings.Cut(rest, ", ")
		return pod + " fails: " + reason
	case s.Verb == "crash":
		what, how, _ := strings.Cut(rest, ", ")
		return strings.TrimRight(what+" crashes, "+how, ", ")
	case s.Verb == "hang":
		return "the kubelet forgets " + strings.TrimPrefix(rest, "the kubelet forget ")
	}
	return "you " + s.Does
}

// nouns are the verbs that change a set, as nouns that can stand behind "before".
var nouns = map[string]string{
	"setImage": "the new image", "undo": "the undo", "restart": "the restart", "scale": "the scaling",
}

// noun returns what a step did to a set or a pod as a noun, "" if it did something else. A change by patch or apply
// has no name of its own, and is the last change.
func noun(e *timeline.Event) string {
	_, rest, _ := strings.Cut(e.Step.Does, " ")
	switch noun := nouns[e.Step.Verb]; {
	case noun != "":
		return noun
	case e.Step.Verb == "delete":
		return "the deletion of " + strings.TrimSuffix(rest, foreground)
	case len(e.Step.Sets) > 0:
		return "the last change"
	}
	return ""
}

// changes says what a step makes of a set: all that matters of a new one; of one that is there, which of its pods are
// on their way, and which are outdated now. It must be called before the fold has seen the step, so that the fold
// still has the set as it was.
func (w *teller) changes(wanted *model.StatefulSet) string {
	set := w.world.Set(wanted.Key())
	if set == nil || set.Spec == nil {
		return ": " + render.Shape(wanted) + ", image " + wanted.Spec.Template.Image()
	}
	says := ""
	name := func(rest string, is func(*timeline.Pod) bool) {
		const most = 3
		names := namesOf(set, is)
		text := render.List(names, most)
		if len(names) <= most+1 {
			text = render.And(names)
		}
		if len(names) > 0 {
			says += fmt.Sprintf("; %s %s %s", text, render.Agree(len(names), "is", "are"), rest)
		}
	}
	name("being deleted", func(p *timeline.Pod) bool { return p.Terminating })
	name("Ready, but not yet for minReadySeconds", func(p *timeline.Pod) bool {
		return p.Serving() && !set.IsAvailable(p, w.world.T)
	})
	if id := wanted.Spec.Template.ID; set.Spec.Spec.Template.ID != id {
		old := func(p *timeline.Pod) bool { return p.Template != id && !p.Terminating }
		if n := len(namesOf(set, old)); n > 1 && n == set.Pods.Len() {
			return says + "; all pods are at an old revision now"
		}
		name("at an old revision now", old)
	}
	return says
}

// namesOf returns the names of the pods of a set for which is holds, in the order of the set.
func namesOf(set *timeline.Set, is func(*timeline.Pod) bool) []string {
	var names []string
	for p := range set.Pods.All {
		if is(p) {
			names = append(names, p.Name)
		}
	}
	return names
}
