package command

import (
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/links"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Link is where links to the playground lead.
func (s *Console) Link() links.Playground {
	return links.Playground{Address: s.Playground, Sim: Version}
}

// RunInPlayground is the link for a scenario, with the manifests that it names. A scenario that was played under
// other options than a version, or that reads files elsewhere, cannot be played there.
func (s *Console) RunInPlayground(in Source, o *World) string {
	plain := World{Kubernetes: o.Kubernetes, Several: o.Several, Limits: strict.DefaultLimits()}
	if s.Playground == "" || strings.Join(o.Given(), " ") != strings.Join(plain.Given(), " ") || len(o.With) > 0 {
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
	root := scenario.Folder(in.Folder(), o.RootOf(in.Path))
	return s.Link().Scenario(string(data), root, versions)
}
