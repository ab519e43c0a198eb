package mcp

import "github.com/statefulsim/statefulsim/cmd/sim/command"

// part is the common argument of all tools: the wanted part of the answer.
type part struct {
	Part string `json:"part,omitempty" jsonschema:"return only this part: a JSON pointer such as /sets/0"`
	From int    `json:"from,omitempty" jsonschema:"with a part that is a list: begin at this index"`
}

// place is the arguments of the tools that may read a live cluster.
type place struct {
	Live      bool   `json:"live,omitempty" jsonschema:"read the live cluster; needs sim mcp --live"`
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
	Dump       string   `json:"dump,omitempty" jsonschema:"a dump of the cluster (kubectl get), or a scenario: text, or a path"`
	Pod        string   `json:"pod,omitempty" jsonschema:"explain only this pod"`
	Now        string   `json:"now,omitempty" jsonschema:"when the dump was taken, such as 2026-01-31T12:00:00Z"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Gate       []string `json:"gate,omitempty" jsonschema:"deploy tools that wait, such as helm-4"`
	times
	place
	part
}

type planInput struct {
	Old        string   `json:"old,omitempty" jsonschema:"the current manifest, or a dump of the cluster: text, or a path"`
	New        string   `json:"new" jsonschema:"the new manifest: text, or a path"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Require    []string `json:"require,omitempty" jsonschema:"requirements that must hold, such as minReady >= 3"`
	Quorum     int      `json:"quorum,omitempty" jsonschema:"the fewest pods that must serve"`
	Gate       []string `json:"gate,omitempty" jsonschema:"deploy tools that wait, such as helm-4; default all"`
	times
	place
	part
}

type adviseInput struct {
	Old        string   `json:"old" jsonschema:"a manifest, or a dump of the cluster: text, or a path"`
	New        string   `json:"new,omitempty" jsonschema:"the new manifest, if old is the current state"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Require    []string `json:"require,omitempty" jsonschema:"accept only settings with which this holds: minReady >= 4"`
	Within     string   `json:"within,omitempty" jsonschema:"the longest that a rollout may take, such as 10m"`
	Canary     bool     `json:"canary,omitempty" jsonschema:"look for a rollout in stages"`
	times
	part
}

type runInput struct {
	Scenario   string   `json:"scenario" jsonschema:"a scenario: text, or a path"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	Seed       *uint64  `json:"seed,omitempty" jsonschema:"the seed of random times"`
	Gate       []string `json:"gate,omitempty" jsonschema:"deploy tools that wait, such as helm-4"`
	part
}

type testInput struct {
	Scenarios  []string `json:"scenarios" jsonschema:"scenarios with expectations: texts, or paths of files or folders"`
	Run        string   `json:"run,omitempty" jsonschema:"a regular expression: play only the scenarios whose names match"`
	Kubernetes string   `json:"kubernetes,omitempty" jsonschema:"the Kubernetes version, such as 1.37"`
	part
}

type upgradeInput struct {
	Manifests []string `json:"manifests,omitempty" jsonschema:"manifests or dumps: texts, or paths of files or folders"`
	From      string   `json:"from,omitempty" jsonschema:"the current Kubernetes version; default that of a dump"`
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

// flags returns the times as flags of a command.
func (t times) flags() command.Times {
	return command.Times{Start: t.Start, Ready: t.Ready, Stop: t.Stop}
}
