package main

import (
	"strings"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/links"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// link is where links to the playground lead.
func (s *streams) link() links.Playground {
	return links.Playground{Address: s.playground, Sim: Version}
}

// opens is the link that opens the plan in the playground, or "".
func (o *planOptions) opens() string {
	if o.cluster.live {
		return ""
	}
	words := []string{"sim", "plan", "-o", "html"}
	if len(o.versions) > 0 {
		words = append(words, "--kubernetes", strings.Join(o.versions, ","))
	}
	plain := command.Line(append(words, o.old, o.new)...)
	return o.link().Files(links.Opening{Mode: "plan", Kubernetes: o.versions}, o.command(), plain,
		links.Taken{Path: o.old, As: "old.yaml"}, links.Taken{Path: o.new, As: "new.yaml"})
}

// opens is the link that opens the upgrade in the playground, or "".
func (o *upgradeOptions) opens() string {
	if o.cluster.live {
		return ""
	}
	plain := command.Line("sim", "upgrade", "--from", o.From, "--to", o.To, "-o", "html", o.files[0])
	return o.link().Files(links.Opening{Mode: "upgrade", Kubernetes: []string{o.From, o.To}}, o.pageCommand(), plain,
		links.Taken{Path: o.files[0], As: "manifests.yaml"})
}

// opens is the link that opens the dump in the playground, or "". A live cluster is not opened there.
func (o *explainOptions) opens() string {
	if o.cluster.live {
		return ""
	}
	world := worldOptions{kubernetes: o.world.kubernetes, limits: strict.DefaultLimits()}
	words := append([]string{"sim", "explain", "-o", "html"}, world.asked()...)
	of := links.Opening{Mode: "explain", Kubernetes: strings.Fields(world.kubernetes)}
	return o.link().Files(of, o.pageCommand(), command.Line(append(words, o.files[0])...),
		links.Taken{Path: o.files[0], As: "dump.yaml"})
}

// runInPlayground is the link for a scenario, with the manifests that it names. A scenario that was played under
// other options than a version, or that reads files elsewhere, cannot be played there.
func (s *streams) runInPlayground(in source, o *worldOptions) string {
	plain := worldOptions{kubernetes: o.kubernetes, several: o.several, limits: strict.DefaultLimits()}
	if s.playground == "" || strings.Join(o.asked(), " ") != strings.Join(plain.asked(), " ") || len(o.with) > 0 {
		return ""
	}
	data, err := in.Read(o.limits.FileSize)
	if err != nil {
		return ""
	}
	versions := o.several
	if o.kubernetes != "" {
		versions = []string{o.kubernetes}
	}
	root := scenario.Folder(in.Folder(), o.rootOf(in.Path))
	return s.link().Scenario(string(data), root, versions)
}
