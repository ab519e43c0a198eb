package mcp

import (
	"fmt"
	"regexp"
	"runtime"
	"time"

	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/change/advise"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// part is what all tools take: which part of the answer is wanted.
type part struct {
	Part string `json:"part,omitempty" jsonschema:"a JSON pointer into the answer, such as /sets/0: return only this part"`
	From int    `json:"from,omitempty" jsonschema:"with a part that is a list: begin at this index"`
}

// place is what the tools take that may read a live cluster.
type place struct {
	Live      bool   `json:"live,omitempty" jsonschema:"read the live cluster of kubectl's context; only if sim mcp was started with --live"`
	Context   string `json:"context,omitempty" jsonschema:"with live: the kubectl context"`
	Namespace string `json:"namespace,omitempty" jsonschema:"the namespace of the StatefulSets"`
}

// times are how long pods take.
type times struct {
	Start string `json:"start,omitempty" jsonschema:"how long containers take to start, such as 5s"`
	Ready string `json:"ready,omitempty" jsonschema:"how long pods then take to become Ready, such as 20s"`
	Stop  string `json:"stop,omitempty" jsonschema:"how long pods take to stop, such as 3s"`
}

type explainInput struct {
	Dump       string   `json:"dump,omitempty" jsonschema:"what kubectl get statefulsets,pods,pvc,nodes,events -A -o yaml prints, as text; or the path of a file or folder below a root; or a scenario"`
	Pod        string   `json:"pod,omitempty" jsonschema:"explain only this pod"`
	Now        string   `json:"now,omitempty" jsonschema:"when the dump was taken, such as 2026-01-31T12:00:00Z"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Gate       []string `json:"gate,omitempty" jsonschema:"deploy tools that wait, such as helm-4 or argo-cd"`
	times
	place
	part
}

type planInput struct {
	Old        string   `json:"old,omitempty" jsonschema:"the current state: a manifest, or a dump of the cluster, as text or as a path below a root"`
	New        string   `json:"new" jsonschema:"the new manifest, as text or as a path below a root"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Require    []string `json:"require,omitempty" jsonschema:"requirements that must hold, such as minReady >= 3"`
	Quorum     int      `json:"quorum,omitempty" jsonschema:"the fewest pods that must serve"`
	Gate       []string `json:"gate,omitempty" jsonschema:"deploy tools that wait, such as helm-4 or argo-cd (default: all)"`
	times
	place
	part
}

type adviseInput struct {
	Old        string   `json:"old" jsonschema:"a manifest, or a dump of the cluster, as text or as a path below a root"`
	New        string   `json:"new,omitempty" jsonschema:"the new manifest, if old is the current state"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Require    []string `json:"require,omitempty" jsonschema:"accept only settings with which this holds, such as minReady >= 4"`
	Within     string   `json:"within,omitempty" jsonschema:"the longest that a rollout may take, such as 10m"`
	Canary     bool     `json:"canary,omitempty" jsonschema:"look for a rollout in stages"`
	times
	part
}

type runInput struct {
	Scenario   string   `json:"scenario" jsonschema:"a scenario, as text or as a path below a root"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Seed       *uint64  `json:"seed,omitempty" jsonschema:"the seed of random times"`
	Gate       []string `json:"gate,omitempty" jsonschema:"deploy tools that wait, such as helm-4 or argo-cd"`
	part
}

type testInput struct {
	Scenarios  []string `json:"scenarios" jsonschema:"scenarios with expectations, each as text or as the path of a file or folder below a root"`
	Run        string   `json:"run,omitempty" jsonschema:"a regular expression: play only the scenarios whose names match"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	part
}

type upgradeInput struct {
	Manifests []string `json:"manifests,omitempty" jsonschema:"manifests or dumps, each as text or as the path of a file or folder below a root"`
	From      string   `json:"from,omitempty" jsonschema:"the current Kubernetes version (default: that of the nodes in a dump)"`
	To        string   `json:"to" jsonschema:"the new Kubernetes version, such as 1.38"`
	OnlyWorse bool     `json:"onlyWorse,omitempty" jsonschema:"return only what changes for the worse"`
	place
	part
}

type versionsInput struct {
	From string `json:"from,omitempty" jsonschema:"with to: what differs between these two versions"`
	To   string `json:"to,omitempty" jsonschema:"see from"`
	part
}

type atlasInput struct {
	Trap string `json:"trap,omitempty" jsonschema:"the name of a known trap; all if not given"`
	part
}

// addTools adds a tool for each command. docs/json.md describes what each returns, under the title.
func (s *server) addTools(on *protocol.Server) {
	add(s, on, tool[explainInput]{
		name: "explain", section: "An explanation: sim explain -o json",
		about:  "Explain why a StatefulSet is stuck, slow or waiting, and which commands fix it (verified by simulation).",
		inputs: func(in *explainInput) []*string { return []*string{&in.Dump} },
		part:   func(in *explainInput) part { return in.part },
		answer: func(c *call, in *explainInput) error {
			o := &command.Explain{Call: c.Call, Pod: in.Pod, Taken: in.Now, Gates: in.Gate, Times: in.times.flags()}
			o.World.Kubernetes = in.Kubernetes
			var err error
			if o.Cluster, o.Args, err = s.source(c, in.place, in.Dump); err != nil {
				return err
			}
			return o.Answer()
		},
	})
	add(s, on, tool[planInput]{
		name: "plan", section: "A plan: sim plan -o json",
		about:  "Show what a change of a manifest will do to running StatefulSets: which pods restart, when, what may go wrong.",
		inputs: func(in *planInput) []*string { return []*string{&in.Old, &in.New} },
		part:   func(in *planInput) part { return in.part },
		answer: func(c *call, in *planInput) error {
			o := &command.Plan{Call: c.Call, Require: in.Require, Quorum: in.Quorum, Runs: command.UsualRuns,
				Seed: command.UsualSeed, Gates: in.Gate, Times: in.times.flags(), Namespace: in.Namespace, Sources: command.Sources{Release: command.UsualRelease}}
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
			o := &command.Advise{Call: c.Call, Version: in.Kubernetes, Require: in.Require, Within: within,
				Canary: in.Canary, Draws: advise.UsualDraws, Times: in.times.flags()}
			if o.Args = []string{in.Old}; in.New != "" {
				o.Args = append(o.Args, in.New)
			}
			return o.Answer()
		},
	})
	add(s, on, tool[upgradeInput]{
		name: "upgrade", section: "An upgrade: sim upgrade -o json",
		about:  "Find the StatefulSets that behave differently on another Kubernetes version, and what to do before.",
		inputs: func(in *upgradeInput) []*string { return each(in.Manifests) },
		part:   func(in *upgradeInput) part { return in.part },
		answer: func(c *call, in *upgradeInput) error {
			o := &command.Upgrade{Call: c.Call}
			if o.From, o.To = in.From, in.To; in.OnlyWorse {
				o.Only = command.OnlyWorse
			}
			var err error
			if o.Cluster, o.Args, err = s.source(c, in.place, in.Manifests...); err != nil {
				return err
			}
			return o.Answer()
		},
	})
	s.addPlayed(on)
	s.addKnown(on)
}

// addPlayed adds the tools that play scenarios.
func (s *server) addPlayed(on *protocol.Server) {
	add(s, on, tool[runInput]{
		name: "run", section: "A run: sim run -o json",
		about:  "Play a scenario on a virtual clock: every event, with the reason for every wait.",
		inputs: func(in *runInput) []*string { return []*string{&in.Scenario} },
		part:   func(in *runInput) part { return in.part },
		answer: func(c *call, in *runInput) error {
			o := &command.Run{Call: c.Call, Gates: in.Gate}
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
			o := &command.Test{Call: c.Call, Timeout: time.Minute}
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

// addKnown adds the tools that tell what is known without any input.
func (s *server) addKnown(on *protocol.Server) {
	add(s, on, tool[versionsInput]{
		name: "versions", section: "Versions: sim versions -o json",
		about: "List the Kubernetes versions that sim plays, or what differs for StatefulSets between two of them.",
		part:  func(in *versionsInput) part { return in.part },
		answer: func(c *call, in *versionsInput) error {
			o := &command.Versions{Call: c.Call}
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
			o := &command.Atlas{Call: c.Call}
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

// flags returns the times as flags of a command.
func (t times) flags() command.Times {
	return command.Times{Start: t.Start, Ready: t.Ready, Stop: t.Stop}
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

// source returns where a tool reads: a live cluster, or what was given.
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

// common is what all commands are asked with.
func common(console *command.Console) command.Call {
	call := command.Call{Console: console, Output: "json", Workers: runtime.GOMAXPROCS(0)}
	call.World.Limits = strict.DefaultLimits()
	return call
}

// title says what a tool returns.
func title(section string) string {
	if section == "" {
		return "The public JSON of the command."
	}
	return fmt.Sprintf("The public JSON of the command: docs/json.md, %q.", section)
}
