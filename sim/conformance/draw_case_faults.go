package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
)

// DrawManagedCase makes a random world for the whole real controller. Nothing in it happens at the same instant but for
// a reason, and calls fail.
func DrawManagedCase(t *rapid.T, kubernetes string) *Case {
	c := DrawCase(t, kubernetes).Skewed()
	d := draw{t}
	for i := range c.Steps {
		// The binder changes a claim before the watches have told of it, so that the real code meets a conflict when it gives
		// the claim an owner, and sleeps before it tries again.
		delete(c.Steps[i].Create, "persistentVolumeClaimRetentionPolicy")
		c.Steps[i].Delete = strings.Replace(c.Steps[i].Delete, "pvc/data-", "pod/", 1)
		if c.Steps[i].Cascade == "foreground" {
			// The collector takes the revisions at that very instant, and which sync still sees them is a matter of scheduling.
			c.Steps[i].Cascade = "orphan"
		}
	}
	switch {
	case d.chance(2):
		c.Steps = untilDeletion(c.Steps, 1)
		c.Refused = drawRefusals(d)
		pause, same := refusalPause.String(), int32(c.Steps[0].Create["replicas"].(int))
		c.Steps = slices.Insert(c.Steps, 1, Step{After: &pause, Scale: &Scale{setName, same}})
	case c.Steps[0].Create["volumeClaimTemplates"] != nil:
		c.Steps = untilDeletion(c.Steps, 1)
	default:
		c.Steps = untilDeletion(c.Steps, 2)
	}
	return c
}

// untilDeletion cuts the steps off before the n-th deletion of the set: which revisions and claims of an earlier set
// the real controller still sees hangs on how its watches are scheduled.
func untilDeletion(steps []Step, n int) []Step {
	for i := range steps {
		if steps[i].Cascade != "" {
			n--
		}
		if n == 0 {
			return steps[:i]
		}
	}
	return steps
}

// refusalPause is longer than the first step takes, and than calls fail.
const refusalPause = 5 * time.Minute

// refusals are the reasons for which calls fail in a run. Conflict is not one of them: the real code sleeps before it
// tries again, and in the world a sync takes no time.
var refusals = []model.ErrorReason{
	model.InternalError, model.Timeout, model.Forbidden, model.TooManyRequests, model.NotFound, model.Invalid,
	model.AlreadyExists,
}

func drawRefusals(d draw) []Fault {
	var list []Fault
	writes := []string{"create pod", "delete pod", "create claim", "update set", "create revision", "delete revision"}
	for _, on := range writes {
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
