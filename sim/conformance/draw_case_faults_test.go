package conformance

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
)

// DrawManagedCase makes a random world for the whole real controller. In half of them calls fail, and in a third the
// caches lag; in half nothing happens at the same instant except a reason.
func DrawManagedCase(t *rapid.T, kubernetes string) *Case {
	c := DrawCase(t, kubernetes)
	d := draw{t}
	if d.chance(2) {
		c = c.AtOddTimes()
	}
	if d.chance(2) {
		c.Refused = drawRefusals(d)
	}
	profile := must(c.Profile())
	// Before 1.27 the real code writes the owners of claims into its own cache, ahead of any watch.
	writesIntoCache := profile.Retention && !profile.PendingClaims
	if d.chance(3) && !writesIntoCache {
		c.APIServer = &APIServer{Watch: pick(d, "20ms", "3ms", "700ms")}
		if c.Refused == nil {
			// A refusal takes no time, and one call of a batch that is ahead of the others sees other caches.
			c.APIServer.Write = pick(d, "", "2ms", "30ms")
		}
	}
	if c.APIServer != nil {
		c.untilGone()
		if !profile.ExactRequeue && c.asksForMinReadySeconds() {
			// Before 1.35.1 the real code reads the clock anew in the middle of a sync; the world has one instant for
			// each.
			c.APIServer.Write = ""
		}
	}
	if c.APIServer != nil || !profile.ExactRequeue {
		c.keepMinReadySeconds()
	}
	if c.Refused != nil || c.APIServer != nil {
		c.oneClaim()
	}
	return c
}

// untilGone ends a case with the first deletion of the set. While caches lag the real controller goes on to count the
// failures of a set that is gone, and to wait for what it has written for it; in the world a set that is gone is
// forgotten at once, so that one of its name may be synced earlier.
func (c *Case) untilGone() {
	for i := range c.Steps {
		if c.Steps[i].Cascade != "" {
			c.Steps = c.Steps[:i+1]
			return
		}
	}
}

// oneClaim leaves each set one claim template: the real code creates the claims of a pod in the order of a map, so that
// there is nothing to agree in when one of them fails, or each takes time.
func (c *Case) oneClaim() {
	for i := range c.Steps {
		if list, given := c.Steps[i].Create["volumeClaimTemplates"].([]any); given {
			c.Steps[i].Create["volumeClaimTemplates"] = list[:1]
		}
	}
}

// keepMinReadySeconds takes changes of minReadySeconds out of a case: the world goes by the set itself when it tells
// that a pod has become available, a controller whose cache lags by the set as it was, and one before 1.35.1 by the
// syncs that it has asked for by then.
func (c *Case) keepMinReadySeconds() {
	for i := range c.Steps {
		if patch := c.Steps[i].Patch; patch != nil {
			delete(patch.Spec, "minReadySeconds")
		}
	}
}

func (c *Case) asksForMinReadySeconds() bool {
	return slices.ContainsFunc(c.Steps, func(s Step) bool { return s.Create["minReadySeconds"] != nil })
}

// refusals are the reasons for which calls fail in a run.
var refusals = []model.ErrorReason{
	model.InternalError, model.Timeout, model.Forbidden, model.TooManyRequests, model.NotFound, model.Invalid,
	model.AlreadyExists, model.Conflict,
}

func drawRefusals(d draw) []Fault {
	var list []Fault
	for _, on := range []string{
		"create pod", "delete pod", "create claim", "update set", "create revision", "delete revision",
	} {
		if !d.chance(3) {
			continue
		}
		fault := Fault{Reason: pick(d, refusals...), Times: d.between(1, 4)}
		switch on {
		case "create pod", "delete pod":
			fault.On = fmt.Sprintf("%s %s-%d", on, setName, d.below(6))
		case "create claim":
			fault.On = fmt.Sprintf("%s data-%s-%d", on, setName, d.below(6))
		default:
			fault.On = on + " *"
		}
		list = append(list, fault)
	}
	return list
}
