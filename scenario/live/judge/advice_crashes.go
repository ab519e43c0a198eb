package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// crashes says of a set that is stuck only because pods crash again and again that it continues while they are Ready,
// as they were in their last runs: the controller does not know that they will crash again.
func (e *evidence) crashes(of *Set) []string {
	then := "the controller continues, although the next crash may follow."
	if of.Whole {
		then = "the StatefulSet is complete until the next crash."
	}
	var facts []string
	for _, p := range of.Back {
		facts = append(facts, cameUp(p.Name, e.Facts[p.Key()])+", "+then)
	}
	return facts
}

// cameUp says that a pod was Ready in the last run of its container, and when it can be Ready again; what happens then
// follows. The text has no full stop.
func cameUp(name string, f *dump.Facts) string {
	text := fmt.Sprintf("%s was Ready in the last run of the container, for up to %s. ", name, Whole(f.Last.Ready))
	switch {
	case f.Crashed:
		text += "If it becomes Ready in this one too"
	case f.Last.Again <= 0:
		text += "The kubelet starts the container again at any moment. If it becomes Ready then"
	default:
		text += fmt.Sprintf("The kubelet starts the container again within %s. If it becomes Ready then",
			Whole(time.Duration(f.Last.Again)))
	}
	return text
}

// likePods names the other pods of a set that are Ready with the template of a pod that does not run as it should; ""
// if none is.
func likePods(p *sim.PodState, d *dump.Dump) string {
	var ready []string
	for _, other := range d.Siblings(p) {
		if other.Ready && other.Template == p.Template {
			ready = append(ready, other.Name)
		}
	}
	if len(ready) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s Ready with the same template, so look at what differs: the node, the volumes and the name "+
		"of %s.", render.And(ready[:min(len(ready), 3)]), render.Agree(len(ready), "is", "are"), p.Name)
}

// exited says why a container does not run, or what the exit code of one means that has ended and should not have; ""
// if that says nothing.
func exited(p *dump.Pod, f *dump.Facts, d *dump.Dump) string {
	row := f.NotRun()
	switch {
	case row != nil && row.Ends != "":
		names := d.Names(p)
		names.Found = row.Found(f.ExitMessage + f.Message)
		return names.In(row.Ends)
	case f.ExitReason == "" || f.OfInit:
		return ""
	case f.Exit == 0:
		return "It ends without an error. A container of a StatefulSet has to keep running: when it ends, the kubelet " +
			"starts it again."
	case (f.Exit == 137 || f.Exit == 143) && f.ExitReason == "Error" && probed(p.Template):
		return fmt.Sprintf("Exit code %d: it was stopped from outside. Most likely its livenessProbe or startupProbe "+
			"failed, and the kubelet stopped it; %s shows that.", f.Exit,
			shell.In(p.Namespace, "describe", "pod", p.Name))
	}
	return ""
}

// probed says whether a container of a template has a probe with which the kubelet stops it.
func probed(template *model.Template) bool {
	return template != nil && template.Lifecycle != nil &&
		slices.ContainsFunc(template.Lifecycle.Containers, func(c model.ContainerSpec) bool {
			return c.Liveness != nil || c.Startup != nil
		})
}
