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

// version finds the profile that the scenario, or an option, asks for, with its feature gates; by default it is the
// version of the dump's nodes, if the simulator knows it, and else the newest. After a problem the profile is the
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
	// Mistakes in the mapping were noted when it was read.
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

// asked notes a problem with something that is in the file at a node or, if the node is nil, came from an option
// and has no place.
func (l *loader) asked(n *yaml.Node, err error) {
	if n == nil {
		l.r.Problems = append(l.r.Problems, strict.Problem{File: l.r.File, What: err.Error()})
		return
	}
	l.r.Problem(n, err.Error(), "")
}

// upgradeControlPlane reads a step that replaces the control plane, or one component, by another version. The
// scenario's feature gates are carried over, except those that the new version does not have or has locked, since
// an administrator would have to remove them from the flags. The kubelets keep their version, as on nodes that are
// upgraded later.
func (s *step) upgradeControlPlane() *action {
	at, component := s.value, (*release.Component)(nil)
	if at.Kind == yaml.MappingNode {
		m := s.r.Map(at, "upgradeControlPlane", "to", "component")
		if !m.Need("to") {
			return nil
		}
		at = m.Value("to")
		if component = s.component(m); component == nil && m.Has("component") {
			return nil
		}
	}
	version, ok := s.r.String(at, "upgradeControlPlane")
	if !ok {
		return nil
	}
	profile, err := statefulset.Lookup(version)
	if err != nil {
		s.r.Problem(at, err.Error(), "")
		return nil
	}
	if version == "" {
		s.r.Problem(at, "upgradeControlPlane is "+strict.Describe(at), "write a version, like \"1.36\"")
		return nil
	}
	if !s.supports(at, component, version) {
		return nil
	}
	gates := map[string]bool{}
	for _, gate := range s.scenario.Gates {
		gates[gate.Name] = gate.On
	}
	return upgrade(component, version, profile.WithKnown(gates))
}

// component reads which component is upgraded; nil if all of the control plane is, or after a problem.
func (s *step) component(m *strict.Map) *release.Component {
	name := m.String("component")
	if name == "" {
		return nil
	}
	var names []string
	for i := range release.Components {
		if release.Components[i].Name == name {
			return &release.Components[i]
		}
		names = append(names, release.Components[i].Name)
	}
	s.r.Problem(m.Value("component"), "there is no component "+strict.Shorten(name), strict.DidYouMean(name, names))
	return nil
}

// supports notes a problem if the upgrade of a component leads to versions that Kubernetes' skew policy forbids. An
// upgrade of the whole control plane may skip versions: it stands for several upgrades in sequence. Steps that are
// not played in the order of the file, as in sim explore or in a fault, are not checked.
func (s *step) supports(at *yaml.Node, component *release.Component, version string) bool {
	if s.skew == nil {
		return true
	}
	if component == nil {
		s.skew[0], s.skew[1], s.skew[2] = version, version, version
		return true
	}
	next := *s.skew
	for i := range release.Components {
		if &release.Components[i] == component {
			next[i] = version
		}
	}
	if rule, right := next.Breaks(); rule != "" {
		s.r.Problem(at, rule, right)
		return false
	}
	*s.skew = next
	return true
}

// upgrade returns the action that upgrades a component, or the control plane if it is nil.
func upgrade(component *release.Component, version string, profile statefulset.Profile) *action {
	title := statefulset.Title(version)
	if component == nil {
		return &action{does: "upgrade the control plane to " + title, act: func(u *sim.User) sim.Outcome {
			u.ReplaceControlPlane(release.Parts(profile))
			return sim.Outcome{Effect: timeline.Done}
		}}
	}
	return &action{does: "upgrade " + component.Binary + " to " + title, act: func(u *sim.User) sim.Outcome {
		u.ReplacePart(component.Part, release.Parts(profile))
		return sim.Outcome{Effect: timeline.Done}
	}}
}
