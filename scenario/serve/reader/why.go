package reader

import (
	"cmp"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Why explains the state of an object.
type Why struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// Waits are what the controller of the object's set waits for: for a set all waits, for a pod the ones about
	// it.
	Waits []Reason `json:"waits"`
	// Last are the last changes of the object with their reasons, the newest first.
	Last []Reason `json:"last"`
}

// Reason is a wait, or a change, of an object with its reason in words. Code is the reason in one word, if it has one.
type Reason struct {
	// At is the instant of the change in seconds; a wait has none.
	At       float64 `json:"at,omitempty"`
	What     string  `json:"what,omitempty"`
	Code     string  `json:"code,omitempty"`
	Sentence string  `json:"sentence"`
}

// mostReasons is how many changes of an object are told.
const mostReasons = 5

// Why explains the state of the object. kind is a word that kubectl knows it by.
func (r *Reader) Why(word string, key model.Key) (*Why, error) {
	kind := r.Cluster.Defined.Named(word)
	if kind == nil {
		return nil, apierrors.NewBadRequest("the server knows no kind " + word)
	}
	if !kind.Namespaced {
		key.Namespace = ""
	}
	o := r.Cluster.Objects.Get(kind, key)
	w := &Why{Kind: kind.Kind, Namespace: key.Namespace, Name: key.Name, Waits: []Reason{}, Last: r.changes(kind, key)}
	if o == nil && len(w.Last) == 0 {
		return nil, refuse.NotFound(kind, key.Name)
	}
	set := key
	if kind == kinds.Pod && o != nil {
		for _, owner := range o.Fields.List("metadata", "ownerReferences") {
			set.Name = owner.Text("name")
		}
	}
	for _, wait := range r.Cluster.World.Waits(set) {
		if kind == kinds.StatefulSet || kind == kinds.Pod && wait.Object == key.Name {
			w.Waits = append(w.Waits, Reason{Code: string(wait.Code), Sentence: wait.Sentence()})
		}
	}
	return w, nil
}

// changes returns the last changes of an object, the newest first.
func (r *Reader) changes(kind *kinds.Kind, key model.Key) []Reason {
	list := []Reason{}
	for _, e := range slices.Backward(r.Cluster.World.Events()) {
		what := about(&e, kind, key)
		if what == "" || len(list) == mostReasons {
			continue
		}
		code := string(e.Why.Code)
		sentence := e.Message
		if code == "" {
			code = e.Reason
		} else if sentence == "" {
			sentence = e.Why.Sentence()
		}
		list = append(list, Reason{At: float64(e.T) / 1e9, What: what, Code: code, Sentence: sentence})
	}
	return list
}

// about returns what an event says about an object, "" if it is about something else.
func about(e *timeline.Event, kind *kinds.Kind, key model.Key) string {
	here := e.Set.Namespace == key.Namespace
	switch {
	case e.Kind == timeline.KindPod && kind == kinds.Pod && here && e.Pod == key.Name:
		return e.State.String()
	case e.Kind == timeline.KindContainer && kind == kinds.Pod && here && e.Pod == key.Name:
		return e.Containers.Shown
	case e.Kind == timeline.KindClaim && kind == kinds.Claim && here && e.Claim.Name == key.Name:
		return e.Claim.Phase
	case e.Kind == timeline.KindRevision && kind == kinds.Revision && here && e.Rev.Name == key.Name:
		return "revision " + strconv.FormatInt(e.Rev.Number, 10)
	case e.Kind == timeline.KindNode && kind == kinds.Node && e.Node == key.Name:
		return e.Reason
	case e.Kind == timeline.KindStep && touches(e.Step, kind, key):
		return e.Step.Does
	}
	return ""
}

// touches reports whether a step changed or removed the set.
func touches(step *timeline.Step, kind *kinds.Kind, key model.Key) bool {
	return kind == kinds.StatefulSet && (slices.Contains(step.Removed, key) ||
		slices.ContainsFunc(step.Sets, func(set *model.StatefulSet) bool { return set.Key() == key }))
}

// Lines returns the answer as lines to be read. clock renders an instant.
func (w *Why) Lines(clock func(seconds float64) string) []string {
	var lines []string
	for _, r := range w.Waits {
		lines = append(lines, "waits: "+r.Sentence)
	}
	for _, r := range w.Last {
		line := clock(r.At) + "  " + r.What
		if says := cmp.Or(r.Sentence, r.Code); says != "" && says != r.What {
			line += ": " + says
		}
		lines = append(lines, line)
	}
	return lines
}
