// Package stored lets an API server take the sets of a change: what it makes of each, and what it refuses.
package stored

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Options say how a change is to be predicted. They do not change while a plan is made, and several goroutines read
// them.
type Options struct {
	// Profiles are the versions of Kubernetes. The plan is for the first one; for the others it says what is different.
	Profiles []statefulset.Profile
	// Times are the times of the stages stop, start and ready; nil is not given.
	Times [recording.Stages]behaviour.Delay
	// Recordings hold the times that pods were seen to take.
	Recordings []*recording.Recording
	// Quorum is the number of serving pods that every set needs, 0 is none.
	Quorum int
	// Require are requirements on every set: "minReady >= 3".
	Require []string
	// Runs is the number of times that the change is played if times are distributions, Seed the seed of the first run.
	Runs int
	Seed uint64
	// Limits are the limits of what a file may ask for, Sim the version of the simulator.
	Limits strict.Limits
	Sim    string
	// Interrupted, if set, is called now and then; true ends the plan at once. Several goroutines may call it.
	Interrupted func() bool
	// Each does the work on several sets, perhaps at once; nil does one after the other.
	Each whatif.Each
}

// Ends says whether the user wants no more.
func (o *Options) Ends() bool { return o.Interrupted != nil && o.Interrupted() }

// Frame is what the sets of a plan for one version have in common.
type Frame struct {
	*Options
	Input   *pair.Input
	Profile statefulset.Profile
	// Judged says how the sets of a dump stand before the change; nil without a dump.
	Judged map[model.Key]*judge.Set
}

// Config returns the configuration of a world without sets.
func (f *Frame) Config() sim.Config {
	return sim.Config{
		Controller: statefulset.New(f.Profile), API: f.Profile.API(), MaxEvents: f.Limits.OrDefault().Events, Hasty: true,
		Interrupted: f.Interrupted, Header: timeline.Run{Sim: f.Sim, Scenario: "plan"},
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(0)}},
	}
}

// Lab returns a laboratory without sets.
func (f *Frame) Lab() *play.Lab { return &play.Lab{Profile: f.Profile, World: f.Config()} }
