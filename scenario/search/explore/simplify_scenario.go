package explore

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"
)

// most is the number of plain scenarios that are played to make one shorter. It bounds the time for one finding; the
// text that has been reached by then is good enough.
const most = 200

// Simpler simplifies a plain scenario that breaks a promise, as long as the class of the breach stays the same: fewer
// steps, fewer replicas, fewer fields, fewer times. The text must break the class. Each text on the way has been
// played, so the result does too. The same text gives the same result.
func (x *Explorer) Simpler(text []byte, class string) []byte {
	text = x.shorter(text, class)
	for i := range len(stepsOf(text)) {
		if x.interrupted() {
			break
		}
		next := x.settled(text, i)
		if next == nil {
			continue
		}
		if broken, _ := x.breaks(next, class); broken {
			text = next
		}
	}
	return text
}

// interrupted says whether the user wants the end.
func (x *Explorer) interrupted() bool { return x.Interrupted != nil && x.Interrupted() }

// settled returns a text in which a step of the plain run waits until all has settled, instead of acting at a time,
// and all later steps keep their distance from it; nil if that cannot be: the step has no time, it deviates (then its
// time is the point of the story), the text is refused, or a later step would act before the beginning. It plays the
// text once to learn when the step acts then.
func (x *Explorer) settled(text []byte, number int) []byte {
	doc := parsed(text)
	steps := value(doc.Content[0], "steps").Content
	step := steps[number]
	at, ok := timeOf(step)
	if !ok || deviation(step) != "" {
		return nil
	}
	remove(step, "at")
	_, acted := x.breaks(written(doc), "")
	if len(acted) <= number {
		return nil
	}
	by := acted[number].Sub(0) - at
	for _, later := range steps[number+1:] {
		if at, ok := timeOf(later); ok {
			if at += by; at < 0 {
				return nil
			}
			set(later, "at", plain(at.String()))
		}
	}
	return written(doc)
}

// timeOf returns the time at which a step acts, counted from the beginning; false if it has none.
func timeOf(step *yaml.Node) (time.Duration, bool) {
	n := value(step, "at")
	if n == nil {
		return 0, false
	}
	at, err := time.ParseDuration(n.Value)
	return at, err == nil
}

// parsed parses a text that has been played. It panics if it cannot, because a scenario was read from it before.
func parsed(text []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		panic(fmt.Sprintf("explore: a scenario that was played cannot be read: %v", err))
	}
	return &doc
}

// stepsOf returns the steps of a text that has been played, in a tree of their own.
func stepsOf(text []byte) []*yaml.Node { return value(parsed(text).Content[0], "steps").Content }

// shorter makes a text shorter, an edit at a time: it takes the first edit that keeps the breach, and begins again
// with the text that results. It ends when no edit keeps it, after `most` plays, or when the user interrupts.
func (x *Explorer) shorter(text []byte, class string) []byte {
	for tries, again := 0, true; again; {
		again = false
		for next := range variants(text) {
			if tries++; tries > most || x.interrupted() {
				return text
			}
			if broken, _ := x.breaks(next, class); broken {
				text, again = next, true
				break
			}
		}
	}
	return text
}

// variants yields the texts that are simpler by one edit; edits that remove more come first. Each is made in a tree of
// its own. Texts that the edit does not change are left out, and a text may be one that cannot be played.
func variants(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for i := 0; ; i++ {
			var doc yaml.Node
			if yaml.Unmarshal(text, &doc) != nil {
				return
			}
			e := &editor{at: i}
			e.scenario(doc.Content[0])
			if e.at >= 0 {
				return
			}
			if next := written(&doc); !bytes.Equal(next, text) && !yield(next) {
				return
			}
		}
	}
}

// editor makes one of the possible edits of a text, the one with the number at, by walking over all of them. The walk
// need not know how many there are: at is counted down at each, and is -1 after the one that was made. If it is not,
// the number was too large.
type editor struct{ at int }

// may makes the edit if it is the chosen one. At most one edit is made in a walk, because at is below 0 afterwards, so
// the walk never sees a list that it has shortened before.
func (e *editor) may(edit func()) {
	if e.at == 0 {
		edit()
	}
	if e.at >= 0 {
		e.at--
	}
}

// scenario walks over the edits of a scenario: steps from the last to the second, blocks, fields of the sets, and
// namespaces that say nothing. The first step stays, because without it there is mostly nothing.
func (e *editor) scenario(root *yaml.Node) {
	steps := value(root, "steps")
	for i := len(steps.Content) - 1; i > 0; i-- {
		e.may(func() { steps.Content = slices.Delete(steps.Content, i, i+1) })
	}
	for i := 0; i < len(root.Content); i += 2 {
		key := root.Content[i].Value
		if key != "steps" && key != "kubernetes" {
			e.may(func() { remove(root, key) })
		}
	}
	for _, step := range steps.Content {
		if create := value(step, "create"); create != nil && create.Kind == yaml.MappingNode {
			e.set(create)
		}
		if namespace := value(step, "namespace"); namespace != nil && namespace.Value == "default" {
			e.may(func() { remove(step, "namespace") })
		}
	}
}

// kept are the fields of a set that are never removed: it is not valid without them, or replicas are halved instead.
var kept = []string{"name", "replicas", "image", "namespace"}

// set walks over the edits of a set: without a field, with half of the replicas, with one fewer.
func (e *editor) set(create *yaml.Node) {
	for i := 0; i < len(create.Content); i += 2 {
		key := create.Content[i].Value
		if !slices.Contains(kept, key) {
			e.may(func() { remove(create, key) })
		}
	}
	replicas := value(create, "replicas")
	if replicas == nil {
		return
	}
	if n, err := strconv.Atoi(replicas.Value); err == nil && n > 1 {
		e.may(func() { replicas.Value = strconv.Itoa(n / 2) })
		e.may(func() { replicas.Value = strconv.Itoa(n - 1) })
	}
}
