package mcp

import (
	"fmt"
	"regexp"
	"runtime"
	"time"

	advisecmd "github.com/statefulsim/statefulsim/cmd/sim/command/advise"
	"github.com/statefulsim/statefulsim/cmd/sim/command/atlas"
	"github.com/statefulsim/statefulsim/cmd/sim/command/explain"
	"github.com/statefulsim/statefulsim/cmd/sim/command/plan"
	"github.com/statefulsim/statefulsim/cmd/sim/command/run"
	"github.com/statefulsim/statefulsim/cmd/sim/command/test"
	"github.com/statefulsim/statefulsim/cmd/sim/command/upgrade"
	"github.com/statefulsim/statefulsim/cmd/sim/command/versions"

	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/change/advise"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// addTools adds a tool for each command. docs/json.md describes what each returns, under the title.
func (s *server) addTools(on *protocol.Server) {
	s.addExplain(on)
	s.addPlan(on)
	s.addAdvise(on)
	s.addUpgrade(on)
	s.addPlayed(on)
	s.addKnown(on)
}

func (s *server) addExplain(on *protocol.Server) {
	add(s, on, tool[explainInput]{
		name: "explain", section: "An explanation: sim explain -o json",
		about:  "Explain why a StatefulSet is stuck, slow or waiting, and which commands fix it (verified by simulation).",
		inputs: func(in *explainInput) []*string { return []*string{&in.Dump} },
		part:   func(in *explainInput) part { return in.part },
		answer: func(c *call, in *explainInput) error {
			o := &explain.Command{Call: c.Call, Pod: in.Pod, Taken: in.Now, Gates: in.Gate, Times: in.times.flags()}
			o.World.Kubernetes = in.Kubernetes
			var err error
			if o.Cluster, o.Args, err = s.source(c, in.place, in.Dump); err != nil {
				return err
			}
			return o.Answer()
		},
	})
}

func (s *server) addPlan(on *protocol.Server) {
	add(s, on, tool[planInput]{
		name: "plan", section: "A plan: sim plan -o json",
		about:  "Show what a change of a manifest will do: which pods restart, when, and what may go wrong.",
		inputs: func(in *planInput) []*string { return []*string{&in.Old, &in.New} },
		part:   func(in *planInput) part { return in.part },
		answer: func(c *call, in *planInput) error {
			o := &plan.Command{Call: c.Call, Require: in.Require, Quorum: in.Quorum, Runs: plan.UsualRuns,
				Seed: plan.UsualSeed, Gates: in.Gate, Times: in.times.flags(), Namespace: in.Namespace,
				Sources: plan.Sources{Release: plan.UsualRelease}}
			if in.Kubernetes != "" {
				o.Versions = []string{in.Kubernetes}
			}
			var err error
			if o.Cluster, o.Args, err = s.source(c, in.place, in.Old); err != nil {
				return err
			}
			o.Cluster.Asks.Namespace = ""
			o.Args = append(o.Args, in.New)
			return o.Answer()
		},
	})
}

func (s *server) addAdvise(on *protocol.Server) {
	add(s, on, tool[adviseInput]{
		name: "advise", section: "Advice: sim advise -o json",
		about:  "Find the settings with which a StatefulSet rolls best: fast, safe, and cheap if the new version is bad.",
		inputs: func(in *adviseInput) []*string { return []*string{&in.Old, &in.New} },
		part:   func(in *adviseInput) part { return in.part },
		answer: func(c *call, in *adviseInput) error {
			within, err := durationOf("within", in.Within)
			if err != nil {
				return err
			}
			o := &advisecmd.Command{Call: c.Call, Version: in.Kubernetes, Require: in.Require, Within: within,
				Canary: in.Canary, Draws: advise.UsualDraws, Times: in.times.flags()}
			if o.Args = []string{in.Old}; in.New != "" {
				o.Args = append(o.Args, in.New)
			}
			return o.Answer()
		},
	})
}

func (s *server) addUpgrade(on *protocol.Server) {
	add(s, on, tool[upgradeInput]{
		name: "upgrade", section: "An upgrade: sim upgrade -o json",
		about:  "Find the StatefulSets that behave differently on another Kubernetes version, and what to do before.",
		inputs: func(in *upgradeInput) []*string { return each(in.Manifests) },
		part:   func(in *upgradeInput) part { return in.part },
		answer: func(c *call, in *upgradeInput) error {
			o := &upgrade.Command{Call: c.Call}
			if o.From, o.To = in.From, in.To; in.OnlyWorse {
				o.Only = upgrade.OnlyWorse
			}
			var err error
			if o.Cluster, o.Args, err = s.source(c, in.place, in.Manifests...); err != nil {
				return err
			}
			return o.Answer()
		},
	})
}

// addPlayed adds the tools that play scenarios.
func (s *server) addPlayed(on *protocol.Server) {
	add(s, on, tool[runInput]{
		name: "run", section: "A run: sim run -o json",
		about:  "Play a scenario on a virtual clock: every event, with the reason for every wait.",
		inputs: func(in *runInput) []*string { return []*string{&in.Scenario} },
		part:   func(in *runInput) part { return in.part },
		answer: func(c *call, in *runInput) error {
			o := &run.Command{Call: c.Call, Gates: in.Gate}
			o.World.Kubernetes, o.World.Seed, o.Args = in.Kubernetes, in.Seed, []string{in.Scenario}
			o.World.Root = c.folder
			return o.Answer()
		},
	})
	add(s, on, tool[testInput]{
		name: "test", section: "Tests: sim test -o json",
		about:  "Play scenarios with expectations and report which hold.",
		inputs: func(in *testInput) []*string { return each(in.Scenarios) },
		part:   func(in *testInput) part { return in.part },
		answer: func(c *call, in *testInput) error {
			o := &test.Command{Call: c.Call, Timeout: time.Minute}
			o.World.Kubernetes, o.Args, o.World.Root = in.Kubernetes, in.Scenarios, c.folder
			var err error
			if in.Run != "" {
				if o.Run, err = regexp.Compile(in.Run); err != nil {
					return work.Usagef("run: %s", err)
				}
			}
			return o.Answer()
		},
	})
}

// addKnown adds the tools that need no input.
func (s *server) addKnown(on *protocol.Server) {
	add(s, on, tool[versionsInput]{
		name: "versions", section: "Versions: sim versions -o json",
		about: "List the Kubernetes versions that sim plays, or what differs for StatefulSets between two of them.",
		part:  func(in *versionsInput) part { return in.part },
		answer: func(c *call, in *versionsInput) error {
			o := &versions.Command{Call: c.Call}
			if in.From != "" || in.To != "" {
				o.Args = []string{in.From, in.To}
			}
			return o.Answer()
		},
	})
	add(s, on, tool[atlasInput]{
		name: "atlas", section: "",
		about: "Known traps of StatefulSets: what triggers each, on which versions, and the smallest scenario that shows it.",
		part:  func(in *atlasInput) part { return in.part },
		answer: func(c *call, in *atlasInput) error {
			o := &atlas.Command{Call: c.Call}
			if in.Trap != "" {
				o.Args = []string{in.Trap}
			}
			return o.Answer()
		},
	})
}

// each returns where the texts of a list are.
func each(list []string) []*string {
	var all []*string
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}

// durationOf reads a duration; "" is 0.
func durationOf(field, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, work.Usagef("%s %q: write a duration with its unit, like 5s, 90m or 1h30m", field, text)
	}
	return d, nil
}

// source returns the source of a tool's input: a live cluster, or the given input.
func (s *server) source(c *call, at place, given ...string) (command.Cluster, []string, error) {
	cluster := command.Cluster{Console: c.Console, Asks: kubectl.Question{Patience: command.UsualPatience}}
	var args []string
	for _, name := range given {
		if name != "" {
			args = append(args, name)
		}
	}
	if cluster.Asks.Namespace = at.Namespace; !at.Live {
		if len(args) == 0 {
			return cluster, nil, work.Usagef("there is nothing to read: give the text of a dump or a manifest")
		}
		return cluster, args, nil
	}
	switch {
	case !s.Live:
		return cluster, nil, work.Usagef("the live cluster may not be read: start the server with sim mcp --live")
	case len(args) > 0:
		return cluster, nil, work.Usagef("give either live or a text, not both")
	}
	cluster.Live, cluster.Asks.Context, cluster.Asks.All = true, at.Context, at.Namespace == ""
	return cluster, nil, nil
}

// common is the input that all commands share.
func common(console *command.Console) command.Call {
	call := command.Call{Console: console, Output: "json", Workers: runtime.GOMAXPROCS(0)}
	call.World.Limits = strict.DefaultLimits()
	return call
}

// title describes what a tool returns.
func title(section string) string {
	if section == "" {
		return "The public JSON of the command."
	}
	return fmt.Sprintf("The public JSON of the command: docs/json.md, %q.", section)
}
