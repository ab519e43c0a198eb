package scenario

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// version finds the profile that the scenario, or an option, asks for, with its feature gates; if none is asked for,
// that of the nodes of the dump, if the simulator knows it, and else the newest. After a problem the profile is the
// zero value, and nothing is played.
func (l *loader) version(m *strict.Map) {
	text, at := m.String("kubernetes"), m.Value("kubernetes")
	if at != nil && text == "" && at.ShortTag() == "!!str" {
		l.r.Problem(at, "kubernetes is empty", "leave it out for the newest version")
	}
	if l.options.Kubernetes != "" {
		text, at = l.options.Kubernetes, nil
	} else if d := l.scenario.Start; d != nil && text == "" {
		text = d.Version()
	}
	gates := l.gates(m)
	profile, err := statefulset.Lookup(text)
	if err != nil {
		l.asked(at, err)
		return
	}
	profile, fits := l.withGates(profile, gates, m)
	if !fits {
		return
	}
	l.scenario.Kubernetes, l.scenario.Profile = text, profile
	if text == "" {
		l.scenario.Kubernetes = profile.Version()
	}
}

// withGates sets feature gates, and notes a problem with each that the version does not have, or has locked. One that
// an option sets has no place in the file.
func (l *loader) withGates(p statefulset.Profile, gates map[string]bool, m *strict.Map) (statefulset.Profile, bool) {
	fits := true
	// What is wrong with the mapping has been noted when it was read.
	named := (&strict.Reader{}).Map(m.Value("featureGates"), "featureGates")
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		with, err := p.WithGates(map[string]bool{name: gates[name]})
		if err != nil {
			at := named.Key(name)
			if _, asked := l.options.Gates[name]; asked {
				at = nil
			}
			l.asked(at, err)
			fits = false
			continue
		}
		p = with
	}
	return p, fits
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

// upgradeControlPlane reads a step that replaces the API server and the controller by those of another version. The
// scenario's feature gates go with it, except those that the version does not have or has locked, as an administrator
// would have to remove them from the flags. The kubelets keep their version, as on nodes that are upgraded later.
func (s *step) upgradeControlPlane() *action {
	version, ok := s.r.String(s.value, "upgradeControlPlane")
	if !ok {
		return nil
	}
	profile, err := statefulset.Lookup(version)
	if err != nil {
		s.r.Problem(s.value, err.Error(), "")
		return nil
	}
	if version == "" {
		s.r.Problem(s.value, "upgradeControlPlane is "+strict.Describe(s.value), "write a version, like \"1.36\"")
		return nil
	}
	gates := map[string]bool{}
	for _, gate := range s.scenario.Gates {
		gates[gate.Name] = gate.On
	}
	profile = profile.WithKnown(gates)
	return &action{does: "upgrade the control plane to " + version, act: func(u *sim.User) sim.Outcome {
		u.ReplaceControlPlane(release.Parts(profile))
		return sim.Outcome{Effect: timeline.Done}
	}}
}
