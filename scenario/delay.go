package scenario

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// ParseDelay reads the time of a stage of a pod's life as a scenario's kubelet section has it: a duration like 90s, or
// a distribution like {uniform: [1s, 3s]}. The name is the flag or field that messages name. Unlike in a scenario,
// "never" is refused: a plan whose pods never become Ready would say nothing.
func ParseDelay(name, text string) (behaviour.Delay, error) {
	l := newLoader(name, nil, Options{})
	root, problems := strict.ParseOne(name, []byte(text), strict.Limits{})
	l.r.Problems = problems
	var delay behaviour.Delay
	if root != nil {
		delay = l.delay(root, name)
	}
	if err := l.err(); err != nil && (root == nil || root.ShortTag() != "!!str") {
		return nil, err
	}
	if delay == nil || delay == behaviour.Never {
		return nil, fmt.Errorf("%s: %q is not a duration: write one like 90s, or a distribution like {uniform: [1s, 3s]}",
			name, strict.Shorten(text))
	}
	return delay, nil
}
