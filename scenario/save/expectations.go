package save

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Expectations returns what a run did as expectations, YAML of one or several lines each. steps are all of the
// scenario, by which the expectations name them. The order is that of the sets, and for each: order, fewest serving,
// end. Time O(expectations tried × events).
func Expectations(events []timeline.Event, steps []expect.Step) []string {
	w := &writer{events: events, env: expect.EnvOf(events)}
	w.env.Steps = steps
	for _, key := range w.env.Sets {
		if len(w.env.Sets) > 1 {
			w.only = "\nfor: " + scalar(key.String())
		}
		w.order(key)
		w.serving(key)
		w.ending(key)
	}
	w.only = ""
	w.cluster()
	return w.list
}

// writer collects the expectations that hold.
type writer struct {
	events []timeline.Event
	env    expect.Env
	// only limits an expectation to a set, if there are several: a line "for: …" to append.
	only string
	// list are the expectations so far, each once.
	list []string
}

// add adds an expectation if it holds, and says whether it does. So the callers can try the strongest first.
func (w *writer) add(format string, args ...any) bool {
	text := fmt.Sprintf(format, args...) + w.only
	if !w.holds(text) {
		return false
	}
	if !slices.Contains(w.list, text) {
		w.list = append(w.list, text)
	}
	return true
}

// holds judges an expectation on the run. One that was not judged, since nothing of the kind happened, does not hold;
// neither does one that cannot be compiled, because a name is not unique, say.
func (w *writer) holds(text string) bool {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte("- "+strings.ReplaceAll(text, "\n", "\n  ")), &doc); err != nil {
		panic(fmt.Sprintf("save: %q is no YAML: %v", text, err))
	}
	compiled, problems := expect.Compile(doc.Content[0], w.env)
	if len(problems) > 0 {
		return false
	}
	verdict := expect.Judge(compiled, w.events)[0]
	return verdict.Outcome == expect.Held && verdict.Detail == ""
}

// reference returns the name by which an expectation refers to a step: its name, its verb if no other step has it, or
// its number.
func (w *writer) reference(step *timeline.Step) string {
	only := func(is func(expect.Step) bool) bool {
		n := 0
		for _, s := range w.env.Steps {
			if is(s) {
				n++
			}
		}
		return n == 1
	}
	switch {
	case step.Name != "" && only(func(s expect.Step) bool { return s.Name == step.Name }):
		return scalar(step.Name)
	case only(func(s expect.Step) bool { return s.Verb == step.Verb || s.Name == step.Verb }):
		return step.Verb
	}
	return strconv.Itoa(step.Number)
}

// plain is a text that needs no quotes.
var plain = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_./-]*( [a-zA-Z0-9_./-]+)*$`)

// scalar returns a text as a value of a flow mapping.
func scalar(text string) string {
	var v any
	if plain.MatchString(text) && yaml.Unmarshal([]byte(text), &v) == nil {
		if _, is := v.(string); is {
			return text
		}
	}
	return strconv.Quote(text)
}

// serving writes the fewest pods that serve, from when the set was complete for the first time: the largest bound that
// holds. Nothing is written if no pod need serve.
func (w *writer) serving(key model.Key) {
	most := 0
	for f := range timeline.Ticks(w.events) {
		if set := f.Set(key); set != nil {
			most = max(most, set.Serving())
		}
	}
	for low := most; low > 0; low-- {
		if w.add("always: \"serving >= %d\"", low) {
			return
		}
	}
}

// patience are times within which something completes: the shortest that is long enough is written.
var patience = []string{"10s", "30s", "1m", "2m", "5m", "10m", "30m", "1h", "2h", "6h", "24h", "168h", "720h"}

// within adds an expectation with the shortest of the usual limits that holds, and with more lines.
func (w *writer) within(kind, more string) {
	for _, d := range patience {
		if w.add("%s: {within: %s}%s", kind, d, more) {
			return
		}
	}
}

// exactly adds that a set completes in no more whole seconds than it took: where probes say when pods are Ready, a
// change of them shows in nothing else.
func (w *writer) exactly(more string) {
	holds := func(seconds int) bool {
		return w.holds(fmt.Sprintf("completes: {within: %ds}", seconds) + more + w.only)
	}
	most := int(w.events[len(w.events)-1].T/model.Time(time.Second)) + 1
	if holds(most) {
		seconds := sort.Search(most, func(s int) bool { return s > 0 && holds(s) })
		w.add("completes: {within: %s}%s", time.Duration(seconds)*time.Second, more)
	}
}

// early adds that no pod is Ready sooner after its creation than the first was: without their probes pods are Ready as
// soon as they run, in the same order.
func (w *writer) early(key model.Key, more string) {
	youngest := model.Time(math.MaxInt64)
	for f := range timeline.Ticks(w.events) {
		if set := f.Set(key); set != nil {
			for p := range set.Pods.All {
				if p.Ready {
					youngest = min(youngest, f.T-p.Created)
				}
			}
		}
	}
	if seconds := youngest / model.Time(time.Second); seconds > 0 {
		w.add("always: \"pods.all(p, !p.ready || p.age >= %d)\"%s", seconds, more)
	}
}

// ending writes how the run ends for a set, and the state of the set then, as one condition of the parts that hold.
func (w *writer) ending(key model.Key) {
	var last timeline.Fold
	for i := range w.events {
		last.Apply(&w.events[i])
	}
	set := last.Set(key)
	result := w.events[len(w.events)-1].Result
	probed := set != nil && expect.Probed(set.Spec)
	switch complete := set != nil && set.Complete(last.T); {
	case complete && probed:
		w.exactly(recorded(set.Spec))
	case complete:
		w.within("completes", recorded(set.Spec))
	}
	if probed {
		w.early(key, recorded(set.Spec))
	}
	if result != nil {
		for _, stuck := range result.Stuck {
			pod := "'*'"
			if stuck.Why.Object != "" {
				pod = scalar(stuck.Why.Object)
			}
			if stuck.Set == key && w.add("stuck: {pod: %s, reason: %s}", pod, stuck.Why.Code) {
				break
			}
		}
	}
	var parts []string
	named := slices.ContainsFunc(w.env.Steps, func(s expect.Step) bool {
		return s.Verb == "create" || s.Verb == "setImage"
	})
	for _, part := range state(set, &last, end{alone: len(w.env.Sets) == 1, named: named}) {
		if w.holds(fmt.Sprintf("check: {at: settled, that: %q}", part) + w.only) {
			parts = append(parts, part)
		}
	}
	if len(parts) > 0 {
		w.add("check: {at: settled, that: %q}", strings.Join(parts, " && "))
	}
}

// end is what a run is like in which a set is judged at the end: alone says that it has no other set, so that all
// claims are its own, also those that it has left behind; named that the scenario itself names images, where those of
// a manifest may change with every release.
type end struct{ alone, named bool }

// state returns conditions about a set in the end, nil if it is gone.
func state(set *timeline.Set, last *timeline.Fold, run end) []string {
	if set == nil {
		return nil
	}
	outdated := 0
	for p := range set.Pods.All {
		if p.Template != set.Spec.Spec.Template.ID {
			outdated++
		}
	}
	parts := []string{fmt.Sprintf("serving == %d", set.Serving()), fmt.Sprintf("outdated == %d", outdated)}
	if run.named && set.Pods.Len() > 0 {
		image := set.Pods.First().Image
		quotable := !strings.ContainsAny(image, `'\`)
		if quotable && !set.Pods.Any(func(p *timeline.Pod) bool { return p.Image != image }) {
			parts = append(parts, fmt.Sprintf("pods.all(p, p.image == '%s')", image))
		}
	}
	own := 0
	for _, claim := range last.Claims() {
		if claim.Set == set.Spec.Key() {
			own++
		}
	}
	switch claims := len(last.Claims()); {
	case run.alone && claims > 0:
		parts = append(parts, fmt.Sprintf("claims.size() == %d", claims))
	case own > 0:
		parts = append(parts, fmt.Sprintf("claims.filter(c, c.namespace == '%s' && c.statefulset == '%s').size() == %d",
			set.Spec.Namespace, set.Spec.Name, own))
	}
	return parts
}

// cluster writes what belongs to no single set: drains that end, budgets that are respected, and an end that is not at
// rest. It comes last, because a stuck set has said already how the run ends.
func (w *writer) cluster() {
	drains := slices.ContainsFunc(w.env.Steps, func(s expect.Step) bool { return s.Verb == "drain" })
	if drains {
		w.within("drained", "")
	}
	var last timeline.Fold
	for i := range w.events {
		last.Apply(&w.events[i])
	}
	for _, key := range last.Budgets() {
		w.add("budget: %s", scalar(key.String()))
	}
	result := w.events[len(w.events)-1].Result
	told := slices.ContainsFunc(w.list, func(text string) bool { return strings.HasPrefix(text, "stuck: ") })
	if result != nil && result.Verdict != timeline.Settled && !told {
		w.add("ends: %s", result.Verdict)
	}
}
