package command

import (
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/links"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// link is where links to the playground lead.
func (s *Console) link() links.Playground {
	return links.Playground{Address: s.Playground, Sim: Version}
}

// opens is the link that opens the plan in the playground, or "".
func (o *Plan) opens() string {
	if o.Cluster.Live {
		return ""
	}
	words := []string{"sim", "plan", "-o", "html"}
	if len(o.Versions) > 0 {
		words = append(words, "--kubernetes", strings.Join(o.Versions, ","))
	}
	plain := shell.Line(append(words, o.old, o.new)...)
	return o.link().Files(links.Opening{Mode: "plan", Kubernetes: o.Versions}, o.pageCommand(), plain,
		links.Taken{Path: o.old, As: "old.yaml"}, links.Taken{Path: o.new, As: "new.yaml"})
}

// opens is the link that opens the upgrade in the playground, or "".
func (o *Upgrade) opens() string {
	if o.Cluster.Live {
		return ""
	}
	plain := shell.Line("sim", "upgrade", "--from", o.From, "--to", o.To, "-o", "html", o.Args[0])
	return o.link().Files(links.Opening{Mode: "upgrade", Kubernetes: []string{o.From, o.To}}, o.pageCommand(), plain,
		links.Taken{Path: o.Args[0], As: "manifests.yaml"})
}

// opens is the link that opens the dump in the playground, or "". A live cluster is not opened there.
func (o *Explain) opens() string {
	if o.Cluster.Live {
		return ""
	}
	world := World{Kubernetes: o.World.Kubernetes, Limits: strict.DefaultLimits()}
	words := append([]string{"sim", "explain", "-o", "html"}, world.given()...)
	of := links.Opening{Mode: "explain", Kubernetes: strings.Fields(world.Kubernetes)}
	return o.link().Files(of, o.pageCommand(), shell.Line(append(words, o.Args[0])...),
		links.Taken{Path: o.Args[0], As: "dump.yaml"})
}

// runInPlayground is the link for a scenario, with the manifests that it names. A scenario that was played under
// other options than a version, or that reads files elsewhere, cannot be played there.
func (s *Console) runInPlayground(in source, o *World) string {
	plain := World{Kubernetes: o.Kubernetes, Several: o.Several, Limits: strict.DefaultLimits()}
	if s.Playground == "" || strings.Join(o.given(), " ") != strings.Join(plain.given(), " ") || len(o.With) > 0 {
		return ""
	}
	data, err := in.Read(o.Limits.FileSize)
	if err != nil {
		return ""
	}
	versions := o.Several
	if o.Kubernetes != "" {
		versions = []string{o.Kubernetes}
	}
	root := scenario.Folder(in.Folder(), o.rootOf(in.Path))
	return s.link().Scenario(string(data), root, versions)
}
