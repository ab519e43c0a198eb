package statefulset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// level is a version that introduces a difference. It is built from another level, usually the previous one; if a
// fix was backported to older minors, the next minor is built from the first patch.
type level struct {
	// version is the level's name, as Lookup takes it: MINOR for the last level of a minor, MINOR.PATCH for the others.
	// It is unique.
	version string
	// minor and patch are the first version of the level: it holds until the next one of the same minor.
	minor, patch int
	// from names the level that it is built from, which is earlier in the list; "" for the first.
	from string
	// change turns the profile of from into the level's; nil if they are the same.
	change func(*Profile)
	// gates are the feature gates whose state changes. Their defaults are in change.
	gates []gateChange
	// preRelease is the exact pre-release version that a level was compared with, if its minor is not released yet;
	// "" otherwise. Such a level is only played on request, and comes after all released ones.
	preRelease string
}

// levels are in the order of versions, minor and patch. Lookup and Ranges rely on that.
var levels = []level{
	{version: "1.16", minor: 16,
		change: func(p *Profile) {
			p.HashLabel = true
			p.NullTimestamps = true
			p.CountFailedDelete = true
		}},
	{version: "1.22", minor: 22, from: "1.16",
		change: func(p *Profile) {
			p.TruncateOnError = true
			p.RecheckRevisions = true
			p.OrphanRevisions = true
			p.TerminatingClaims = true
			p.AvailableReplicas = true
			p.MinReadySecondsField = true
		},
		gates: []gateChange{{"StatefulSetMinReadySeconds", gateKnown}}},
	{version: "1.24.0", minor: 24, from: "1.22",
		change: func(p *Profile) {
			p.MinReadySeconds = true
			p.MaxUnavailableField = true
			p.RetentionField = true
			p.MutableInOrder = true
			p.NameConflicts = true
		},
		gates: []gateChange{{"MaxUnavailableStatefulSet", gateKnown}, {"StatefulSetAutoDeletePVC", gateKnown}}},
	{version: "1.24", minor: 24, patch: 10, from: "1.24.0",
		change: func(p *Profile) { p.StatusOnError = true }},
	{version: "1.25", minor: 25, from: "1.24",
		change: func(p *Profile) { p.BudgetAtLeastOne = true },
		gates:  []gateChange{{"StatefulSetMinReadySeconds", gateLocked}}},
	{version: "1.26.0", minor: 26, from: "1.25",
		change: func(p *Profile) { p.OrdinalsField = true },
		gates:  []gateChange{{"StatefulSetStartOrdinal", gateKnown}}},
	{version: "1.26", minor: 26, patch: 7, from: "1.26.0",
		change: func(p *Profile) { p.SlowStart = true }},
	{version: "1.27.0", minor: 27, from: "1.26.0",
		change: func(p *Profile) {
			p.StartOrdinal = true
			p.Retention = true
			p.PendingClaims = true
			p.UpdateIgnoresNotFound = true
			p.LabelName = true
			p.CountFailedDelete = false
		},
		gates: []gateChange{{"StatefulSetMinReadySeconds", gateGone}}},
	{version: "1.27.4", minor: 27, patch: 4, from: "1.27.0",
		change: func(p *Profile) { p.SlowStart = true }},
	{version: "1.27.8", minor: 27, patch: 8, from: "1.27.4",
		change: func(p *Profile) { p.CompleteBySpec = true }},
	{version: "1.27", minor: 27, patch: 9, from: "1.27.8",
		change: func(p *Profile) { p.RestartSucceeded = true }},
	{version: "1.28.0", minor: 28, from: "1.27.4",
		change: func(p *Profile) { p.PodIndex = true },
		gates:  []gateChange{{"PodIndexLabel", gateKnown}}},
	{version: "1.28.4", minor: 28, patch: 4, from: "1.28.0",
		change: func(p *Profile) { p.CompleteBySpec = true }},
	{version: "1.28.5", minor: 28, patch: 5, from: "1.28.4",
		change: func(p *Profile) { p.RestartSucceeded = true }},
	{version: "1.28", minor: 28, patch: 11, from: "1.28.5",
		change: func(p *Profile) { p.NextSync = true }},
	{version: "1.29.0", minor: 29, from: "1.28.0",
		change: func(p *Profile) {
			p.CompleteBySpec = true
			p.RestartSucceeded = true
		}},
	{version: "1.29", minor: 29, patch: 6, from: "1.29.0",
		change: func(p *Profile) { p.NextSync = true }},
	{version: "1.30.0", minor: 30, from: "1.29.0"},
	{version: "1.30", minor: 30, patch: 2, from: "1.30.0",
		change: func(p *Profile) { p.NextSync = true }},
	{version: "1.31", minor: 31, from: "1.30",
		change: func(p *Profile) { p.ControllerRefs = true },
		gates:  []gateChange{{"StatefulSetStartOrdinal", gateLocked}}},
	{version: "1.32", minor: 32, from: "1.31",
		gates: []gateChange{{"StatefulSetAutoDeletePVC", gateLocked}, {"PodIndexLabel", gateLocked}}},
	{version: "1.33", minor: 33, from: "1.32",
		change: func(p *Profile) {
			p.MutableHistoryLimit = true
			p.LabelService = true
		}},
	{version: "1.34.0", minor: 34, from: "1.33",
		change: func(p *Profile) {
			p.Availability = true
			p.CheckClaims = true
			p.JSONValues = true
			p.NullTimestamps = false
		},
		gates: []gateChange{{"StatefulSetStartOrdinal", gateGone}}},
	{version: "1.34", minor: 34, patch: 2, from: "1.34.0",
		change: func(p *Profile) {
			p.SemanticRevisions = true
			p.HashLabel = false
		},
		gates: []gateChange{{"StatefulSetSemanticRevisionComparison", gateKnown}}},
	{version: "1.35.0", minor: 35, from: "1.34",
		change: func(p *Profile) {
			p.MaxUnavailable = true
			p.CapitalEvents = true
		},
		gates: []gateChange{{"StatefulSetAutoDeletePVC", gateGone}, {"PodIndexLabel", gateGone}}},
	{version: "1.35.1", minor: 35, patch: 1, from: "1.35.0",
		change: func(p *Profile) { p.ExactRequeue = true }},
	{version: "1.35", minor: 35, patch: 4, from: "1.35.1",
		change: func(p *Profile) { p.MaxUnavailable = false }},
	{version: "1.36", minor: 36, from: "1.35",
		change: func(p *Profile) {
			p.DeleteIgnoresNotFound = true
			p.StaleGuard = true
		},
		gates: []gateChange{{"StaleControllerConsistencyStatefulSet", gateKnown}}},
	{version: "1.37.0", minor: 37, from: "1.36",
		change: func(p *Profile) {
			p.MaxUnavailable = true
			p.BrokenFirst = true
			p.CompleteAnyStrategy = true
			p.KeepConditions = true
			p.KnowsRecreate = true
			p.FieldErrors = true
			p.OwnPlaces = true
		},
		gates: []gateChange{{"StatefulSetRecreateStrategy", gateKnown}}},
	{version: "1.37", minor: 37, patch: 1, from: "1.37.0",
		change: func(p *Profile) { p.RestoreSpec = true }},
	{version: "1.38", minor: 38, from: "1.37", preRelease: "v1.38.0-beta.0",
		change: func(p *Profile) {
			p.BudgetFromPartition = true
			p.PercentFromPartition = true
			p.CondemnedFirst = true
			p.Recreate = true
			p.ExactNames = true
			p.Declarative = true
		}},
}

// profiles has a profile for each level, at the same index.
var profiles = build(levels)

// build makes the profiles, each from an earlier one.
func build(levels []level) []Profile {
	built := make([]Profile, len(levels))
	for i := range levels {
		l := &levels[i]
		if from := indexOfLevel(l.from); from >= 0 {
			built[i] = built[from]
		}
		if l.change != nil {
			l.change(&built[i])
		}
		built[i].level = l
	}
	return built
}

// indexOfLevel returns the index of a version among the levels, which it must name exactly; -1 if there is none.
func indexOfLevel(version string) int {
	return slices.IndexFunc(levels, func(l level) bool { return l.version == version })
}

// Lookup returns the profile of a Kubernetes version: MINOR ("1.35") is its newest patch, MINOR.PATCH ("1.35.2") that
// very patch, and the empty text the newest version that is out. Text around it, as a cluster reports it, is ignored; see
// Release. A patch that is higher than any known one behaves as the last known. A minor between two known ones is
// refused. An error names the versions that are known.
func Lookup(version string) (Profile, error) {
	if version == "" {
		return profiles[newest()], nil
	}
	minor, patch, ok := parseVersion(Release(version))
	found := -1
	for i := range levels {
		if ok && levels[i].minor == minor && (patch < 0 || levels[i].patch <= patch) {
			found = i
		}
	}
	if found < 0 {
		return Profile{}, fmt.Errorf("no Kubernetes version %q: sim knows %s, each also with a patch, for example 1.35.2",
			version, strings.Join(minors(), ", "))
	}
	return profiles[found], nil
}

// newest returns the index of the newest level that is out.
func newest() int {
	last := len(levels) - 1
	for levels[last].preRelease != "" {
		last--
	}
	return last
}

// Release returns the release of Kubernetes that a cluster names, 1.33.4 of v1.33.4-gke.100 or v1.33.4+k3s1:
// distributions add a suffix, and kubectl version a v.
func Release(version string) string {
	if rest, found := strings.CutPrefix(version, "v1."); found {
		version = "1." + rest
	}
	if end := strings.IndexAny(version, "-+"); end > 0 {
		version = version[:end]
	}
	return version
}

// parseVersion reads 1.MINOR or 1.MINOR.PATCH; a patch is below 100, since no minor version has had a hundred. The
// patch is -1 if there is none.
func parseVersion(version string) (minor, patch int, ok bool) {
	rest, ok := strings.CutPrefix(version, "1.")
	if !ok {
		return 0, 0, false
	}
	minorText, patchText, hasPatch := strings.Cut(rest, ".")
	if minor, ok = parseNumber(minorText); !ok || !hasPatch {
		return minor, -1, ok
	}
	patch, ok = parseNumber(patchText)
	return minor, patch, ok && patch < 100
}

// parseNumber reads a number as versions have it: of at most three digits, and without a leading zero.
func parseNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil && n < 1000 && strconv.FormatUint(n, 10) == text
}

// minors lists the minor versions.
func minors() []string {
	var names []string
	for i := range levels {
		if i == 0 || levels[i].minor != levels[i-1].minor {
			names = append(names, "1."+strconv.Itoa(levels[i].minor))
		}
	}
	return names
}

// Versions lists the versions that behave differently, oldest first, in the form that Lookup takes. MINOR.PATCH is
// the first patch of its kind; MINOR is the newest patches of the minor.
func Versions() []string {
	names := make([]string, len(levels))
	for i := range levels {
		names[i] = levels[i].version
	}
	return names
}

// Version returns the version as text: the entry of Versions that behaves like the profile.
func (p Profile) Version() string {
	if p.level == nil {
		return ""
	}
	return p.level.version
}

// FirstRelease returns the first release that behaves as the profile does, MINOR.PATCH.
func (p Profile) FirstRelease() string { return fmt.Sprintf("1.%d.%d", p.level.minor, p.level.patch) }

// PreRelease returns the exact version of Kubernetes that the profile was compared with, such as v1.38.0-beta.0, if
// its minor version is not released yet, and "" otherwise. The behaviour of a pre-release may change until the
// release.
func (p Profile) PreRelease() string {
	if p.level == nil {
		return ""
	}
	return p.level.preRelease
}

// Title returns the version for people, who are told if it is not out yet.
func (p Profile) Title() string { return model.VersionTitle(p.Version(), p.PreRelease()) }

// Title returns a version as it was written, as Profile.Title has it. One that no profile covers stays as it is.
func Title(version string) string {
	p, err := Lookup(version)
	if err != nil || version == "" {
		return version
	}
	return model.VersionTitle(version, p.PreRelease())
}

// Unreleased returns the pre-release of a version in Versions that is not released yet.
func Unreleased(version string) model.PreRelease {
	p, err := Lookup(version)
	if err != nil || p.PreRelease() == "" {
		return model.PreRelease{}
	}
	return model.PreRelease{PreRelease: true, Proven: p.PreRelease()}
}

// Released returns Versions without those that are not out yet.
func Released() []string { return Versions()[:newest()+1] }
