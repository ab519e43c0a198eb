package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// ByHand are the arguments of the commands that break something in a session, or mend it. Each is a step of a
// scenario, and is recorded and saved as one.
type ByHand struct {
	command.Call
	Kubeconfig, Namespace string
	// For is how long it lasts; 0 means until it is undone. Reason is what kubectl shows.
	For    time.Duration
	Reason string
}

// step does a step in the session and prints its result.
func (o *ByHand) step(of map[string]any) error {
	if o.Namespace != "" && o.Namespace != "default" {
		of["namespace"] = o.Namespace
	}
	var done serve.Done
	if err := askSession(o.Ctx, o.Kubeconfig, serve.Question{Do: true, Path: "step", Body: of}, &done); err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s", clockOf(done.At), done.Does)
	if done.Warning != "" {
		text += ": " + done.Warning
	}
	_, err := fmt.Fprintln(o.Out, render.Visible(text))
	return err
}

// lasting adds how long a step lasts.
func (o *ByHand) lasting(value map[string]any) map[string]any {
	if o.For > 0 {
		value["for"] = o.For.String()
	}
	return value
}

// two returns the two words that a command takes.
func (o *ByHand) two(usage string) (what, name string, err error) {
	if len(o.Args) != 2 || o.Args[1] == "" {
		return "", "", work.Usagef("%s: write %s", strings.Join(o.Args, " "), usage)
	}
	return o.Args[0], o.Args[1], nil
}

// Fail are the arguments of `sim fail`. Crash ends the pod's container with an error, and Ready is "false" to make
// its readiness fail.
type Fail struct {
	ByHand
	Crash bool
	Ready bool
}

const failUsage = "sim fail image GLOB, or sim fail pod NAME"

// Answer lets something fail.
func (o *Fail) Answer() error {
	what, name, err := o.two(failUsage)
	if err != nil {
		return err
	}
	pod := map[string]any{"pod": name}
	if o.Reason != "" {
		pod["reason"] = o.Reason
	}
	switch {
	case what == "image":
		return o.step(map[string]any{"addRule": o.lasting(brokenImage(name, o.Reason))})
	case what != "pod":
		return work.Usagef("%s: write %s", strings.Join(o.Args, " "), failUsage)
	case !o.Ready:
		return o.step(map[string]any{"unready": o.lasting(map[string]any{"pod": name})})
	case o.For > 0:
		return work.Usagef("--for is how long an image or a pod's readiness fails: give --ready=false too")
	case o.Crash:
		return o.step(map[string]any{"crash": pod})
	}
	return o.step(map[string]any{"fail": pod})
}

// brokenImage is the rule of an image with which no container starts: it cannot be pulled, unless another reason is given.
func brokenImage(name, reason string) map[string]any {
	rule := map[string]any{"name": "image " + name, "match": map[string]any{"image": name}}
	if reason == "" || behaviour.IsPullFailure(reason) {
		rule["pull"] = "never"
	} else {
		rule["start"], rule["reason"] = "never", reason
	}
	return rule
}

// Slow are the arguments of `sim slow`: the times of the pods, "" is as before.
type Slow struct {
	ByHand
	Start, Ready, Stop string
}

// slowKinds are the objects of `sim slow`, by the key of a rule's match.
var slowKinds = []string{"pod", "image", "statefulset", "node"}

// Answer makes pods slow.
func (o *Slow) Answer() error {
	usage := "sim slow pod|image|statefulset|node GLOB --start 30s"
	what, name, err := o.two(usage)
	if err != nil {
		return err
	}
	rule := map[string]any{"name": "slow " + what + " " + name, "match": map[string]any{what: name}}
	for key, value := range map[string]string{"start": o.Start, "ready": o.Ready, "stop": o.Stop} {
		if value != "" {
			rule[key] = value
		}
	}
	if !slices.Contains(slowKinds, what) || len(rule) == 2 {
		return work.Usagef("%s: write %s, --ready or --stop", strings.Join(o.Args, " "), usage)
	}
	return o.step(map[string]any{"addRule": o.lasting(rule)})
}

// Heal are the arguments of `sim heal`.
type Heal struct{ ByHand }

// Answer takes back what sim fail, slow and node have done: to one thing, or to all images, times and nodes.
func (o *Heal) Answer() error {
	if len(o.Args) == 0 {
		if err := o.step(map[string]any{"removeRule": map[string]any{"all": true}}); err != nil {
			return err
		}
		return o.step(map[string]any{"nodeUp": "*"})
	}
	usage := "sim heal, or sim heal image GLOB, pod NAME, node NAME, or slow KIND GLOB"
	if len(o.Args) == 3 && o.Args[0] == "slow" {
		return o.step(map[string]any{"removeRule": strings.Join(o.Args, " ")})
	}
	what, name, err := o.two(usage)
	if err != nil {
		return err
	}
	switch what {
	case "image":
		return o.step(map[string]any{"removeRule": "image " + name})
	case "pod":
		return o.step(map[string]any{"recover": name})
	case "node":
		return o.step(map[string]any{"nodeUp": name})
	}
	return work.Usagef("%s: write %s", strings.Join(o.Args, " "), usage)
}

// Node are the arguments of `sim node`. Off is true if the machine is off, so that its processes are dead too.
type Node struct {
	ByHand
	Off bool
}

// Answer takes a node down, or brings it back.
func (o *Node) Answer() error {
	what, name, err := o.two("sim node down NAME, or sim node up NAME")
	switch {
	case err != nil:
		return err
	case what == "down" && o.Off:
		return o.step(map[string]any{"nodeDown": map[string]any{"node": name, "off": true}})
	case what == "down":
		return o.step(map[string]any{"nodeDown": name})
	case what == "up" && !o.Off:
		return o.step(map[string]any{"nodeUp": name})
	case what == "up":
		return work.Usagef("--off is for sim node down")
	}
	return work.Usagef("%s: write sim node down NAME, or sim node up NAME", strings.Join(o.Args, " "))
}
