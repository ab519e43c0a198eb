package scenario

import (
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// version finds the profile that the scenario, or an option, asks for, with its feature gates; the newest version if
// none is asked for. After a problem the profile is the zero value, and nothing is played.
func (l *loader) version(m *strict.Map) {
	text, at := m.String("kubernetes"), m.Value("kubernetes")
	if at != nil && text == "" && at.ShortTag() == "!!str" {
		l.r.Problem(at, "kubernetes is empty", "leave it out for the newest version")
	}
	if l.options.Kubernetes != "" {
		text, at = l.options.Kubernetes, nil
	}
	gates := l.gates(m)
	profile, err := statefulset.Lookup(text)
	if err != nil {
		l.asked(at, err)
		return
	}
	profile, err = profile.WithGates(gates)
	if err != nil {
		l.asked(m.Key("featureGates"), err)
		return
	}
	l.scenario.Kubernetes, l.scenario.Profile = text, profile
	if text == "" {
		l.scenario.Kubernetes = profile.Version()
	}
}

// asked notes a problem with something that stands in the file at a node, or, if the node is nil, was asked for by an
// option and has no place.
func (l *loader) asked(n *yaml.Node, err error) {
	if n == nil {
		l.r.Problems = append(l.r.Problems, strict.Problem{File: l.r.File, What: err.Error()})
		return
	}
	l.r.Problem(n, err.Error(), "")
}
