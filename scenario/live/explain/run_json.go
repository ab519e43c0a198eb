package explain

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Options say what to explain.
type Options struct {
	// At is the instant; nil is the end of the run. The state after the last tick at or before it is explained.
	At *time.Duration
	// Pod limits the explanation to one pod, NAME or NAMESPACE/NAME; "" means all.
	Pod string
	// Lab, if set, plays the scenario, so that fixes can be tried: its Before are the scenario's own steps.
	Lab *play.Lab
}

// Explanation holds everything that is known about an instant: the document of `sim explain -o json`.
type Explanation struct {
	// At is the instant. End says that it is the end of the run; Verdict is then how the run ends. Sets are the
	// StatefulSets that exist at the instant.
	At      Instant          `json:"at"`
	End     bool             `json:"end"`
	Verdict timeline.Verdict `json:"verdict"`
	Sets    []*Set           `json:"sets"`
}

// Set is a set at the instant.
type Set struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Replicas is spec.replicas, Serving the number of its pods that are Ready and not Terminating.
	Replicas int `json:"replicas"`
	Serving  int `json:"serving"`
	// Pods are its pods, sorted by ordinal. Waits are what the controller waits for, the oldest first; at the end of a
	// run also what else keeps the set stuck.
	Pods  []Pod   `json:"pods"`
	Waits []*Wait `json:"waits"`
	// Strangers are the pods that have the names of its pods, and that it does not own: they keep it from creating its
	// own.
	Strangers []string `json:"strangers,omitempty"`
	// Missing are its pods that do not exist. Drains are the drains that may not evict some of its pods.
	Missing []string `json:"missing,omitempty"`
	Drains  []*Drain `json:"drains,omitempty"`
	// Repeats are the writes that repeat for ever, if the run ends in a livelock.
	Repeats []string `json:"repeats,omitempty"`
	// WaysOut are fixes for a run that ends stuck, as commands that people use. Each was played after the run. Those
	// that heal it come first, the best one at the top. Tried is true if fixes were looked for: an empty list then
	// means that there are none.
	WaysOut []WayOut `json:"waysOut,omitempty"`
	Tried   bool     `json:"tried,omitempty"`
	// Untried says why no fixes were looked for, or not all.
	Untried string `json:"untried,omitempty"`
	// Prevents is the change that keeps the set from a livelock if it is made before the last step; it was played.
	Prevents string `json:"prevents,omitempty"`
	// Ends says that the same change also ends a livelock that has begun; it was played with calls that take some time.
	Ends bool `json:"endsLivelock,omitempty"`
}

// Pod is a pod at the instant.
type Pod struct {
	// Name is the name of the pod, State a state of docs/timeline.md.
	Name  string `json:"name"`
	State string `json:"state"`
	// Since is when it entered its State; in a dump it is negative. Template is the N of @N in texts, Image the images
	// of its containers. Outdated says that it was not created from the current template, Ready that it is Ready.
	Since    Instant `json:"since"`
	Template int     `json:"template"`
	Image    string  `json:"image"`
	Outdated bool    `json:"outdated"`
	Ready    bool    `json:"ready"`
	// Shown is the status that kubectl shows instead of the phase, for example CrashLoopBackOff; Restarts counts the
	// restarts of the containers.
	Shown    string `json:"shown,omitempty"`
	Restarts int    `json:"restarts,omitempty"`
	// Held says that the controller waits for this pod.
	Held bool `json:"held"`
	// Warning is the last warning about a pod that is not Ready, as kubectl get events has it.
	Warning string `json:"warning,omitempty"`
	// KeptFrom says of a pod that no node takes why each node of a dump does not.
	KeptFrom []placement.Kept `json:"keptFrom,omitempty"`
}

// podOf describes a pod of a set, but for its times. Waits say whether it is held.
func podOf(pod *timeline.Pod, set *model.StatefulSet, waits []*Wait) Pod {
	return Pod{
		Name: pod.Name, State: pod.State.String(), Template: pod.Template, Image: pod.Image, Ready: pod.Ready,
		Outdated: pod.Template != set.Spec.Template.ID, Shown: pod.Shown, Restarts: pod.Restarts,
		Held: slices.ContainsFunc(waits, func(w *Wait) bool { return w.Object == pod.Name }),
	}
}

// String describes the pod in a line.
func (p *Pod) String() string {
	text := fmt.Sprintf("%s: %s since %s, @%d %s", p.Name, p.State, clock(p.Since), p.Template, p.Image)
	if p.Shown != "" {
		text += ", in " + p.Shown
	}
	if p.Restarts > 0 {
		text += fmt.Sprintf(", restarts: %d", p.Restarts)
	}
	if p.Outdated {
		text += ", from an old template"
	}
	if p.Held {
		text += "; the controller waits for it"
	}
	if p.Warning != "" {
		text += ". The last warning about it: " + p.Warning
	}
	return text
}
