package expect

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Step has the names that a reference to a step may use. The verb is the step's key in the scenario: setImage.
type Step struct {
	// Number counts from 1.
	Number int
	// Name is "" if the step has none.
	Name string
	Verb string
}

// String renders the step as a candidate of a message.
func (s Step) String() string {
	text := strconv.Itoa(s.Number) + " (" + s.Verb
	if s.Name != "" {
		text += ", " + s.Name
	}
	return text + ")"
}

// step reads a reference to a step: its name, its number, or its verb if only one step has it. It returns 0 if there
// is no reference, or if it is wrong, which is a problem. `what` is the key for messages.
func (c *compiler) step(n *yaml.Node, what string) int {
	if n == nil {
		return 0
	}
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		c.reader.Problem(n, what+" is "+strict.Describe(n), "write the name, the number or the kind of a step")
		return 0
	}
	found := c.named(n.Value)
	switch len(found) {
	case 1:
		return found[0].Number
	case 0:
		c.reader.Problem(n, fmt.Sprintf("there is no step %s", n.Value), c.candidates(n.Value, c.env.Steps))
	default:
		c.reader.Problem(n, fmt.Sprintf("%s is more than one step", n.Value), c.candidates("", found))
	}
	return 0
}

// named returns the steps that a reference may mean: a name wins over a number, and that over a verb.
func (c *compiler) named(ref string) []Step {
	for _, is := range []func(Step) bool{
		func(s Step) bool { return s.Name == ref },
		func(s Step) bool { return strconv.Itoa(s.Number) == ref },
		func(s Step) bool { return s.Verb == ref },
	} {
		var found []Step
		for _, s := range c.env.Steps {
			if is(s) {
				found = append(found, s)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// maxCandidates is the number of steps that a message lists.
const maxCandidates = 20

// candidates lists steps for a message, at most maxCandidates, with the nearest name to ref if it is not "".
func (c *compiler) candidates(ref string, steps []Step) string {
	if len(steps) == 0 {
		return "the scenario has no steps"
	}
	var words, list []string
	for i, s := range steps {
		words = append(words, s.Name, s.Verb)
		if i < maxCandidates {
			list = append(list, s.String())
		}
	}
	if len(steps) > maxCandidates {
		list = append(list, "…")
	}
	want := "the steps are " + strings.Join(list, ", ")
	if len(steps) == 1 {
		want = "the only step is " + list[0]
	}
	if ref == "" {
		want = "write the name or the number of one of " + strings.Join(list, ", ")
	} else if near := strict.Nearest(ref, words); near != "" {
		want = "did you mean " + near + "? T" + want[1:]
	}
	return want
}
