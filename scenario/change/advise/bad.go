package advise

import (
	"time"

	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// The names of the ways in which a new version can be bad.
const (
	never   = "never"
	crashes = "crashes"
	later   = "later"
)

// bad is a way in which a new version can be bad.
type bad struct {
	name, says string
	// as changes the times of the pods of the new version.
	as func(*behaviour.Times)
}

// A new version that crashes does so a minute after its start; one that is bad only under load serves for five minutes.
const (
	crashAfter = time.Minute
	loadAfter  = 5 * time.Minute
)

// bads are the ways, in the order in which a reader expects them.
var bads = []bad{
	{never, "never becomes Ready", func(t *behaviour.Times) { t.Ready, t.Reason = behaviour.Never, "CrashLoopBackOff" }},
	{crashes, "crashes a minute after its start", func(t *behaviour.Times) { t.Crash = behaviour.Constant(crashAfter) }},
	{later, "serves for five minutes and then crashes, as under load",
		func(t *behaviour.Times) { t.Crash = behaviour.Constant(loadAfter) }},
}

// bads are the ways in which the new version of the set can be bad. Without a probe, a pod that runs is Ready.
func (s *subject) bads() []bad {
	if s.unprobed {
		return bads[1:]
	}
	return bads
}
