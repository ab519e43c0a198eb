package explain

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/cluster/placement"
)

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
