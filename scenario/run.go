package scenario

import (
	"slices"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// RunOptions change how a scenario is played. The zero value plays it as it says.
type RunOptions struct {
	// Sim is the version of the simulator, for the header of the timeline. It changes nothing else.
	Sim string
	// Chooser answers what is not determined; nil draws timings and chances by the scenario's seed, and answers anything
	// else with 0. One Chooser serves one run, because it has a position.
	Chooser choose.Chooser
	// Watch, Interrupted and Exhausted are the fields of sim.Config. The last two are also called while
	// expectations are judged.
	Watch       func(*sim.World)
	Interrupted func() bool
	Exhausted   func() string
	// Written and NoHistory are the fields of sim.Config; see Scenario.NeedsHistory.
	Written   func([]timeline.Event)
	NoHistory bool
}

// Outcome is the result of a run.
type Outcome struct {
	// Timeline is the whole record, from the header to the result; without a history these two, and the steps between.
	// It is never empty.
	Timeline []timeline.Event
	// Result is the result in its last event.
	Result timeline.Result
	// Verdicts are the results of the expectations, in the order of the file. After them come the refusals that
	// steps expect, and a failure for each step that came too late for its time.
	Verdicts []expect.Verdict
}

// Failed returns the verdicts of the expectations that did not hold.
func (o *Outcome) Failed() []expect.Verdict {
	held := func(v expect.Verdict) bool { return v.Outcome != expect.Failed }
	return slices.DeleteFunc(slices.Clone(o.Verdicts), held)
}

// Held reports whether all expectations held, and the run settled, or ended as one of them says: a stuck run fails
// a test unless the test expects that. It decides the exit code of sim test.
func (o *Outcome) Held() bool {
	return len(o.Failed()) == 0 && expect.Expected(o.Verdicts, o.Timeline)
}

// Config returns the world of the scenario, for callers that change it before they play. Slices and maps in it
// belong to the scenario: replace them, but do not change them. Each call makes a controller of its own.
func (s *Scenario) Config(o RunOptions) sim.Config {
	chooser := o.Chooser
	if chooser == nil {
		chooser = choose.Seeded(s.Seed)
	}
	config := release.Config(s.Profile, sim.Config{
		Kubelet:    s.Kubelet,
		Cluster:    s.Cluster,
		NodeFilter: placement.New,
		DNSDelay:   s.DNSDelay,
		Machinery:  s.Machinery,
		Faults:     s.Faults,
		Volumes:    s.Volumes,
		Collector:  s.Collector,
		Chooser:    chooser,
		Until:      s.Until,
		MaxEvents:  s.MaxEvents,
		Header: timeline.Run{
			Format:     timeline.FormatVersion,
			Sim:        o.Sim,
			Scenario:   s.Name,
			Kubernetes: s.Profile.Version(),
			PreRelease: s.Profile.PreRelease(),
			Gates:      s.Gates,
			Seed:       s.Seed,
			Digest:     s.Digest,
			Until:      s.Until,
			DNSTTL:     s.DNSTTL,
		},
		Watch:       o.Watch,
		Interrupted: o.Interrupted,
		Exhausted:   o.Exhausted,
		Written:     o.Written,
		NoHistory:   o.NoHistory,
		MaxReplicas: s.MaxReplicas,
		MaxCost:     s.MaxCost,
		Cycles:      !s.UntilGiven,
	})
	if s.Start != nil {
		// Pods that were Ready between two crashes become Ready again; without any, this is Begin itself.
		config, _ = s.Start.BetweenCrashes(s.Start.Begin(config), "")
	}
	return config
}

// Run plays the scenario and judges its expectations on the timeline. It does not change the scenario, and the same
// options give the same outcome, byte for byte.
func (s *Scenario) Run(o RunOptions) *Outcome {
	var outline []timeline.Event
	if o.NoHistory {
		o.Written = outlining(&outline, o.Written)
	}
	config := s.Config(o)
	if !o.NoHistory {
		config.Remarks = s.Idle
	}
	world := sim.New(config)
	events := world.Run(s.Steps)
	if o.NoHistory {
		events = outline
	}
	return &Outcome{
		Timeline: events,
		Result:   *events[len(events)-1].Result,
		Verdicts: expect.JudgeUntil(slices.Concat(s.Expectations, s.carried), events, s.guard(o, world.Spent())),
	}
}

// NeedsHistory returns the first expectation that is judged on the whole timeline, so that the scenario cannot be
// run without a history; nil if there is none. The expectations of a step about itself need only the steps.
func (s *Scenario) NeedsHistory() *expect.Expectation {
	if len(s.Expectations) == 0 {
		return nil
	}
	return s.Expectations[0]
}

// outlining keeps of the events that it hands on the header, the steps and the result.
func outlining(outline *[]timeline.Event, written func([]timeline.Event)) func([]timeline.Event) {
	return func(events []timeline.Event) {
		for i := range events {
			switch events[i].Kind {
			case timeline.KindRun, timeline.KindStep, timeline.KindResult:
				*outline = append(*outline, events[i])
			}
		}
		if written != nil {
			written(events)
		}
	}
}

// guard limits the cost of judging: the work of all conditions together, including what the readiness conditions
// have spent, and the time and memory of the command.
func (s *Scenario) guard(o RunOptions, spent int64) expect.Guard {
	return expect.Guard{Cost: s.MaxCost, Spent: spent, Stop: func() string {
		switch {
		case o.Interrupted != nil && o.Interrupted():
			return "the run was interrupted"
		case o.Exhausted != nil:
			return o.Exhausted()
		}
		return ""
	}}
}
