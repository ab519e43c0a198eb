package upgrade

import (
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// VersionTable returns the table of the differences between versions, and of the feature gates by version.
func VersionTable() *report.VersionTable {
	released := statefulset.Released()
	table := &report.VersionTable{
		Versions: statefulset.Versions(), Default: released[len(released)-1],
		PreReleases: preReleases(statefulset.Versions()...),
	}
	for _, d := range statefulset.Differences {
		table.Differences = append(table.Differences, report.DifferenceRow{
			Name: d.Name, Of: d.Of.String(), Sentence: d.Sentence(), Where: d.Where(), Links: d.Links,
		})
	}
	for _, gate := range statefulset.AllGates() {
		row := report.GateRow{Name: gate}
		for _, r := range statefulset.Ranges(func(p statefulset.Profile) string { return gateState(p, gate) }) {
			row.States = append(row.States, report.GateState{Versions: r.Text, State: r.Value})
		}
		table.Gates = append(table.Gates, row)
	}
	return table
}

// preReleases returns those of the versions that are not out yet.
func preReleases(versions ...string) (list []report.PreRelease) {
	for _, version := range versions {
		if profile, err := statefulset.Lookup(version); err == nil && profile.PreRelease() != "" {
			list = append(list, report.PreRelease{Version: version, Proven: profile.PreRelease()})
		}
	}
	return list
}

// gateState says what a version does with a gate: it does not know it, or it is on or off, perhaps locked.
func gateState(p statefulset.Profile, gate string) string {
	state := "off"
	if p.Gate(gate) {
		state = "on"
	}
	switch {
	case !p.Knows(gate):
		return report.GateUnknown
	case p.Locked(gate):
		return "locked " + state
	}
	return state
}

// VersionChanges lists what one version does differently from another. from may be the newer one; then the changes are
// taken back. Lists are never nil, so that JSON has lists. The differences are in the order of statefulset.Differences,
// the gates in that of their names.
func VersionChanges(from, to string) (*report.VersionChanges, error) {
	a, err := statefulset.Lookup(from)
	if err != nil {
		return nil, err
	}
	b, err := statefulset.Lookup(to)
	if err != nil {
		return nil, err
	}
	changes := &report.VersionChanges{
		From: from, To: to, PreReleases: preReleases(from, to),
		Differences: []report.VersionCause{}, Gates: []report.GateChange{}, API: []string{},
	}
	for _, d := range statefulset.Differences {
		if d.On(a) != d.On(b) {
			changes.Differences = append(changes.Differences, report.VersionCause{
				Name: d.Name, On: d.On(b), Sentence: d.Change(d.On(b)), Links: d.Links,
			})
		}
	}
	for _, gate := range statefulset.AllGates() {
		if before, now := gateState(a, gate), gateState(b, gate); before != now {
			changes.Gates = append(changes.Gates, report.GateChange{Name: gate, From: before, To: now})
		}
	}
	changes.API = append(changes.API, statefulset.APIChanges(a, b)...)
	return changes, nil
}
