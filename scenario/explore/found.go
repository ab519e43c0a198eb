package explore

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	search "github.com/statefulsim/statefulsim/sim/explore"
	"github.com/statefulsim/statefulsim/sim/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Found is a trap that the search has found: `found[]` of `sim explore -o json`.
type Found struct {
	// Promise is the promise that the run breaks, Rule the rule by which the controller acted; "" if it did not act.
	// Class identifies the trap: findings of one class are the same trap.
	Promise string `json:"promise"`
	Rule    string `json:"rule,omitempty"`
	Class   string `json:"class"`
	// File is the file that was explored, Kubernetes the version.
	File       string `json:"file"`
	Kubernetes string `json:"kubernetes"`
	// Deviations is the number of choices in which the run differs from the plain run, Runs how many runs were made
	// until it was found. Random is true if only the random search found it.
	Deviations int  `json:"deviations"`
	Runs       int  `json:"runs"`
	Random     bool `json:"random,omitempty"`
	// Token plays the run again; it is "" if the run is too long for one. Tape is the run itself.
	Token string             `json:"token,omitempty"`
	Tape  []search.Deviation `json:"tape"`
	// Known is the name of the waiver for this trap on this version; "" if there is none.
	Known string `json:"known,omitempty"`
	// Says describes what went wrong, Story how it happened.
	Says  string   `json:"says"`
	Story []string `json:"story"`
	// Scenario is a plain scenario that shows it; "" if no plain scenario can.
	Scenario string `json:"scenario,omitempty"`

	// Events are the events of the run in the story, Breach is the broken promise.
	Events []timeline.Event `json:"-"`
	Breach promise.Breach   `json:"-"`
}

// Tell turns a result of the search into what people can read: the story of the run, and a scenario that plays it.
func (x *Explorer) Tell(f search.Found) (*Found, error) {
	events, breaches, err := x.Replay(f.Tape)
	if err != nil {
		return nil, err
	}
	breach := breaches[slices.IndexFunc(breaches, func(b promise.Breach) bool { return b.Class() == f.Class })]
	out := &Found{
		Promise: string(breach.Promise), Rule: string(breach.Rule), Class: f.Class, File: x.Name(),
		Kubernetes: x.Kubernetes(),
		Deviations: len(f.Tape), Runs: f.Runs, Random: f.Random, Tape: f.Tape, Token: search.Token(x.Digest(), f.Tape),
		Says: breach.Says, Events: events, Breach: breach,
	}
	text, err := x.Scenario(f.Tape)
	if err != nil {
		return nil, err
	}
	if first, _ := x.breaks(text, f.Class); first != nil {
		text = x.Simpler(text, f.Class)
		out.Scenario = string(text)
		simple, run := x.breaks(text, f.Class)
		out.Events, out.Breach, out.Says = run, *simple, simple.Says
	}
	if w := promise.WaiverOf(&out.Breach, out.Kubernetes); w != nil {
		out.Known = w.Name
	}
	out.Story = append(x.regimeOf(f.Tape), story(out.Events, &out.Breach)...)
	return out, nil
}

// regimeOf returns the regime of a run in words. It is the first choice of a run.
func (x *Explorer) regimeOf(tape []search.Deviation) []string {
	if len(x.regimes) == 0 || len(tape) == 0 || tape[0].At > 0 {
		return nil
	}
	regime := *x.block.Regimes[tape[0].Answer-1]
	regime.Style = yaml.FlowStyle
	return []string{"all run long: " + strings.TrimSpace(string(written(&regime)))}
}
