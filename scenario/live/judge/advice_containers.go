package judge

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// lastRun says how it has ended, or its container in its last run.
func (x *shown) lastRun() {
	p, f, d := x.p, x.f, x.d
	if f.Status != "" {
		x.add("Its status says: %s", dump.OneLine(f.Status))
	}
	if f.Message != "" {
		x.add("The kubelet says: %s", dump.OneLine(f.Message))
	}
	if f.Ended != "" {
		x.add("Its last run has ended: %s.", f.Ended)
	}
	if f.ExitMessage != "" && f.ExitMessage != f.Message {
		x.add("Its message at the end: %s", dump.OneLine(f.ExitMessage))
	}
	x.list = append(x.list, space(p, d)...)
	if text := exited(p, f, d); text != "" {
		x.add("%s", text)
	}
}

// logs says where to look why its containers do not become ready.
func (x *shown) logs() {
	p, f, d := x.p, x.f, x.d
	if f.Unstarted != "" && !p.Ready {
		x.add("%s", symptom.Names{"container": f.Unstarted}.In(symptom.Unstarted.Ends))
	}
	if f.Waiting == "" && p.Phase == model.Running && !p.Ready && symptom.Untimely.In(f.Event) {
		x.add("%s", symptom.Slow.Ends)
	}
	if f.Waiting == "" && p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && f.Gate == "" {
		logs := []string{"logs", p.Name}
		if len(f.Unready) > 0 {
			logs = append(logs, "-c", f.Unready[0])
			x.add("Its %s %s not ready.", render.Agree(len(f.Unready), "container ", "containers ")+render.And(f.Unready),
				render.Agree(len(f.Unready), "is", "are"))
		}
		x.add("To see its log: %s", shell.In(p.Namespace, logs...))
	}
	if f.Waiting == symptom.CrashLoop || f.Crashed {
		x.add("To see the log of its last container: %s",
			shell.In(p.Namespace, "logs", p.Name, "-c", f.Container, "--previous"))
	}
	switch text := likePods(p, d); {
	case f.Waiting == "" || p.Terminating() || f.NotRun().OfPod:
	case !f.NoImage().None() && text == "":
	case text != "":
		x.add("%s", text)
	case f.Lost && !f.Comes() && !f.OfInit && p.ReadySince.Sub(p.Created) > time.Hour:
		x.add("It was Ready with the same template until %s ago, so look at what it uses besides: ConfigMaps, Secrets, "+
			"volumes, other services.", dump.Age(p.ReadySince))
	}
}

// admitted says what admission has done to the container that does not run, what ends that its image cannot be pulled,
// and what the last warning about it was.
func (x *shown) admitted() {
	p, f := x.p, x.f
	switch {
	case f.Added:
		x.add("The template has no container %s: admission adds it (a mutating webhook, for example that of a service "+
			"mesh). No change of the StatefulSet repairs it. When it is repaired there, delete %s: the new pod gets the "+
			"new container.", f.Container, p.Name)
	case f.Replaced != "":
		x.add("The template names the image %s. Admission has replaced it by %s (a mutating webhook, for example that of a "+
			"registry mirror), or somebody has edited the pod.", f.Replaced, f.Image)
	}
	if image := f.NoImage(); image.Ends != "" {
		x.add("%s", x.d.Say(p, image, image.Ends))
	}
	if f.Event != "" && (!p.Ready || p.Terminating()) {
		x.add("The last warning about it: %s", f.Event)
	}
}

// missing says what lacks outside of it so that its containers start.
func (x *shown) missing() {
	p, f := x.p, x.f
	starts := p.Phase == model.Pending && !p.Terminating()
	if kind, name := f.Lacks(); name != "" && starts {
		x.add("When the %s %s exists in the namespace %s, the kubelet starts the pod by itself.", kind, name, p.Namespace)
	}
	if key, of := x.d.LacksKey(p); key != "" && starts {
		x.add("When the %s of the namespace %s has the key %s, the kubelet starts the pod by itself.", of, p.Namespace, key)
	}
	if claim := x.d.PathGone(p); claim != nil {
		x.add("%s", x.d.Names(p).With(pathNames(claim, x.d)).In(symptom.Named("path gone").Ends))
	} else if row := f.NotStarted(); !row.None() && row.Within < symptom.Day && starts && !x.d.Attached(p.Key()) {
		x.add("%s", x.d.Say(p, row, row.Ends))
	}
}

// crashes says of a set that is stuck only because pods crash again and again that it continues while they are Ready,
// as they were in their last runs: the controller does not know that they will crash again.
func (e *evidence) crashes(of *Set) []string {
	then := "the controller continues, although the next crash may follow."
	if of.Whole {
		then = "the StatefulSet is complete until the next crash."
	}
	var facts []string
	for _, p := range of.Back {
		f := e.Facts[p.Key()]
		when := "If it becomes Ready in this one too"
		switch {
		case f.Crashed:
		case f.Last.Again <= 0:
			when = "The kubelet starts the container again at any moment. If it becomes Ready then"
		default:
			when = fmt.Sprintf("The kubelet starts the container again within %s. If it becomes Ready then",
				Whole(time.Duration(f.Last.Again)))
		}
		facts = append(facts, fmt.Sprintf("%s was Ready in the last run of the container, for up to %s. %s, %s", p.Name,
			Whole(f.Last.Ready), when, then))
	}
	return facts
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
	case row.Ends != "":
		return d.Say(p, row, row.Ends)
	case f.ExitReason == "" || f.OfInit:
		return ""
	case f.Stopped != "":
		return stoppedByProbe(p, f, d)
	case f.Exit == 0:
		return symptom.Named("ended well").Ends
	case symptom.StoppedBy(f.Exit, f.ExitReason) && anyContainer(p.Template, func(c model.ContainerSpec) bool {
		return c.Liveness != nil || c.Startup != nil
	}):
		return d.Names(p).With(symptom.Names{"code": strconv.Itoa(f.Exit)}).In(symptom.Named("stopped from outside").Ends)
	}
	return ""
}

// stoppedByProbe says for which probe the kubelet stops a container, how often, and what the probe says.
func stoppedByProbe(p *dump.Pod, f *dump.Facts, d *dump.Dump) string {
	names := symptom.Names{"found": f.Stopped, "times": "", "says": ""}
	if f.Times > 1 {
		names["times"] = fmt.Sprintf(" (%d times)", f.Times)
	}
	if f.Unanswered != "" {
		names["says"] = ": " + strings.TrimRight(f.Unanswered, ". ")
	}
	return d.Names(p).With(names).In(symptom.Unalive.Ends)
}
