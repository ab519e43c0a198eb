package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

var (
	// triggers are the triggers of a fault, which has exactly one. Only a write may trigger writeActions.
	triggers     = []string{"at", "write", "pod"}
	writeActions = []string{"error", "loseAnswer"}
	// faultKeys are the keys that every fault may have in addition to its trigger and its action.
	faultKeys = []string{"name", "namespace", "chance", "times", "message", "cascade", "force", "gracePeriodSeconds"}

	// writeVerbs and writeKinds are the meanings of the names in a file; nil matches all. An update in a file
	// includes changes of owners, which are separate verbs here. The lists of names are in the order of messages.
	writeKeys  = []string{"verb", "kind", "name", "namespace", "nth"}
	writeVerbs = map[string][]model.Verb{
		"create": {model.Create}, "update": {model.Update, model.Adopt, model.Release}, "delete": {model.Delete},
		"status": {model.UpdateStatus}, "any": nil,
	}
	writeVerbNames = []string{"create", "update", "delete", "status", "any"}
	writeKinds     = map[string][]model.Kind{
		"pod": {model.KindPod}, "claim": {model.KindClaim}, "revision": {model.KindRevision},
		"statefulset": {model.KindStatefulSet}, "any": nil,
	}
	writeKindNames = []string{"pod", "claim", "revision", "statefulset", "any"}

	// apiErrors are the answers of the API server that a file may ask for.
	apiErrors = []model.ErrorReason{
		model.Conflict, model.Timeout, model.InternalError, model.Forbidden, model.TooManyRequests, model.NotFound,
		model.AlreadyExists, model.Invalid,
	}
)

// faults reads the faults. They are numbered from 1 in the order of the file, even if one of them cannot be read.
func (l *loader) faults(m *strict.Map) {
	for i, item := range m.List("faults") {
		l.scenario.FaultLines = append(l.scenario.FaultLines, item.Line)
		if f := l.fault(i+1, item); f != nil {
			l.scenario.Faults = append(l.scenario.Faults, *f)
		}
	}
}

// fault reads one fault: a trigger and its action, which is one of the verbs of a step or one of the actions that
// only a write has. It returns nil if there is a problem. Steps and faults share their reading, so a fault's verb
// is checked against everything that the steps create, whatever its instant is.
func (l *loader) fault(number int, n *yaml.Node) *sim.Fault {
	before := len(l.r.Problems)
	m := l.mapping(n, "a fault", slices.Concat(triggers, writeActions, verbs, faultKeys), reservedSteps)
	if m == nil {
		return nil
	}
	s := &step{loader: l, m: m, namespace: "default", fault: number}
	if m.Has("namespace") {
		s.namespace = m.String("namespace")
	}
	f := &sim.Fault{Number: number, Name: m.String("name"), Times: 1}
	s.trigger(f)
	s.often(f)
	s.harm(f)
	if len(l.r.Problems) > before {
		return nil
	}
	return f
}

// one finds the one key of several that a fault has, "" if it has none or two. If there is none an unknown key is most
// likely meant for it, and has its message already.
func (s *step) one(keys []string, missing, doubled string) string {
	found := ""
	for _, key := range s.m.Keys() {
		if !slices.Contains(keys, key) {
			continue
		}
		if found != "" {
			s.r.Problem(s.m.Key(key), fmt.Sprintf("the fault has both %s and %s", found, key), doubled)
			return ""
		}
		found = key
	}
	unknown := func(key string) bool {
		return !slices.Contains(slices.Concat(triggers, writeActions, verbs, faultKeys), key)
	}
	if found == "" && !slices.ContainsFunc(s.m.Keys(), unknown) {
		s.r.Problem(s.m.Node, missing, "give it one of "+strict.List(keys))
	}
	return found
}

// trigger reads what sets the fault off, and its description in the timeline.
func (s *step) trigger(f *sim.Fault) {
	switch s.one(triggers, "the fault has no trigger", "keep one of them") {
	case "at":
		d := s.m.Duration("at")
		f.At, f.Trigger = &d, "at "+d.String()
	case "write":
		f.Write = s.write()
		f.Trigger = "at " + s.written()
	case "pod":
		matches, err := expect.ParseEntry(s.m.String("pod"))
		if err != nil {
			what, want, _ := strings.Cut(err.Error(), ": ")
			s.r.Problem(s.m.Value("pod"), what, want)
			return
		}
		f.Pod, f.Trigger = matches, "at "+s.m.String("pod")
	}
}

// written describes the writes that a fault waits for: "write no. 2 of create pod web-*".
func (s *step) written() string {
	m := s.r.Map(s.m.Value("write"), "write")
	var words []string
	for _, key := range []string{"verb", "kind", "name"} {
		if m.Has(key) && m.Value(key).Value != "any" {
			words = append(words, m.Value(key).Value)
		}
	}
	text := "any write"
	if len(words) > 0 {
		text = strings.Join(words, " ")
	}
	if m.Has("nth") {
		text += " no. " + m.Value("nth").Value
	}
	return text
}

// write reads which writes of the controller a fault is about. A key that is left out matches all; nth is 1 then.
func (s *step) write() *sim.WriteMatch {
	m := s.m.Map("write", writeKeys...)
	match := &sim.WriteMatch{Nth: 1}
	if m == nil {
		return match
	}
	match.Verbs = writeVerbs[m.OneOf("verb", writeVerbNames...)]
	match.Kinds = writeKinds[m.OneOf("kind", writeKindNames...)]
	match.Name, match.Namespace = s.pattern(m, "name"), s.pattern(m, "namespace")
	if m.Has("nth") {
		match.Nth = int(m.Int("nth", strict.Range{Min: 1, Max: math.MaxInt32}))
	}
	return match
}

// often reads how likely a fault is, and how often it happens; 0 times is always.
func (s *step) often(f *sim.Fault) {
	if s.m.Has("chance") {
		f.Chance = s.chance(s.m.Value("chance"))
	}
	n := s.m.Value("times")
	switch {
	case n == nil:
	case s.m.Has("at"):
		s.r.Problem(s.m.Key("times"), "times does not go with at", "leave it out: a fault with a time happens once")
	case n.Kind == yaml.ScalarNode && n.Value == "always":
		f.Times = 0
	default:
		f.Times = int(s.m.Int("times", strict.Range{Min: 1, Max: math.MaxInt32}))
	}
}

// chance reads a number above 0 and up to 1 as the fraction that it is, in lowest terms, so that a draw is a choice
// between as few answers as there can be. The zero value is certain. At most six decimal places are allowed, so Among
// is at most 10⁶, below the numbers that sim explore uses for its own choices.
func (s *step) chance(n *yaml.Node) sim.Chance {
	whole, places, _ := strings.Cut(n.Value, ".")
	digits, err := strconv.Atoi(whole + places)
	among := int(math.Pow10(len(places)))
	isNumber := n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!float" || n.ShortTag() == "!!int")
	if !isNumber || err != nil || len(places) > 6 || digits < 1 || digits > among {
		s.r.Problem(n, "chance is "+strict.Describe(n),
			"write a number above 0 and up to 1 with at most six places, for example 0.2")
		return sim.Chance{}
	}
	if digits == among {
		return sim.Chance{}
	}
	divisor := gcd(digits, among)
	return sim.Chance{Of: digits / divisor, Among: among / divisor}
}

// gcd returns the greatest common divisor of two positive numbers.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// harm reads what a fault does, and its description in the timeline.
func (s *step) harm(f *sim.Fault) {
	ways := slices.Concat(writeActions, verbs)
	f.Verb = s.one(ways, "the fault does nothing", "make it two faults")
	if f.Verb == "" {
		return
	}
	s.verb, s.value = f.Verb, writtenOut(f.Verb, s.m.Value(f.Verb))
	s.onlyWithDelete()
	if slices.Contains(writeActions, f.Verb) && (f.At != nil || f.Pod != nil) {
		s.r.Problem(s.m.Key(f.Verb), f.Verb+" needs a write as its trigger", "add write: {…}")
		return
	}
	if s.m.Has("message") && f.Verb != "error" {
		s.r.Problem(s.m.Key("message"), "message does not go with "+f.Verb, "it goes with error")
	}
	switch f.Verb {
	case "error":
		s.apiError(f)
	case "loseAnswer":
		if !s.m.Bool("loseAnswer") {
			s.r.Problem(s.value, "loseAnswer is "+strict.Describe(s.value), "write true")
		}
		f.LoseAnswer, f.Does = true, "made, but its answer is lost"
	default:
		if action := s.action(); action != nil {
			f.Does, f.Act = action.does, action.act
		}
	}
}

// apiError reads the answer that refuses a write. By default it has the API server's message.
func (s *step) apiError(f *sim.Fault) {
	names := make([]string, len(apiErrors))
	for i, reason := range apiErrors {
		names[i] = reason.String()
	}
	name := s.m.OneOf("error", names...)
	if at := slices.Index(names, name); at >= 0 {
		f.Error, f.Does = apiErrors[at], "answered with "+name
	}
	f.Message = s.m.String("message")
}
