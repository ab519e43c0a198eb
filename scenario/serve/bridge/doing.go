package bridge

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Doing is the step of a scenario that does the same to the world as a request: its key, its words and the step
// itself. It is nil if no step does the same.
type Doing struct {
	Verb, Does string
	Step       map[string]any
	// Effect is the effect of a success, "" if it follows from what changed.
	Effect timeline.Effect
}

// Did is what a request did to the world, and when. Line is the line of the request in the session, none for a
// manifest that the session begins with.
type Did struct {
	Doing
	At      time.Duration
	Refused string
	Line    int
}

// Other returns what no step does.
func Other(verb string, kind *kinds.Kind, key model.Key) Doing {
	return Doing{Verb: "request", Does: does(verb, kind, key)}
}

// Within adds the namespace of an object to a step, unless the step has that namespace by default.
func Within(key model.Key, step map[string]any) map[string]any {
	if key.Namespace != "" && key.Namespace != "default" {
		step["namespace"] = key.Namespace
	}
	return step
}

// OutOfService reports whether a node has the taint out-of-service.
func OutOfService(node kinds.Fields) bool {
	return slices.ContainsFunc(node.List("spec", "taints"), func(t kinds.Fields) bool { return t.Text("key") == taintOut })
}

// deletes returns what a deletion does.
func deletes(o *objects.Object, how Deletion) Doing {
	name := o.Key.Name
	d := Other("delete", o.Kind, o.Key)
	d.Effect = timeline.Deleted
	step := func(kind, words string) {
		d.Verb, d.Does, d.Step = "delete", words, Within(o.Key, map[string]any{"delete": kind + "/" + name})
	}
	switch o.Kind {
	case kinds.StatefulSet:
		step("statefulset", "delete the StatefulSet "+name)
		switch how.Cascade {
		case sim.Foreground:
			d.Does, d.Step["cascade"] = d.Does+" after its pods", "foreground"
		case sim.Orphan:
			d.Does, d.Step["cascade"] = d.Does+" and leave its pods", "orphan"
		}
	case kinds.Pod:
		switch {
		case how.Grace == nil:
			step("pod", "delete "+name)
		case *how.Grace == 0:
			step("pod", "force the deletion of "+name)
			d.Step["force"] = true
		case *how.Grace > 0:
			step("pod", fmt.Sprintf("delete %s within %s", name, how.Grace))
			d.Step["gracePeriodSeconds"] = int64((*how.Grace + time.Second - 1) / time.Second)
		}
	case kinds.Claim:
		step("pvc", "delete the claim "+name)
	case kinds.Service:
		step("service", "delete the Service "+name)
	case kinds.Budget:
		step("poddisruptionbudget", "delete the PodDisruptionBudget "+name)
	case kinds.Revision:
		step("controllerrevision", "delete the ControllerRevision "+name)
	case kinds.Node:
		step("node", "delete the node "+name)
		d.Effect = timeline.Done
	}
	return d
}
