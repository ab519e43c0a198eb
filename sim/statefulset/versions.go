package statefulset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// level is a version from which on something is different. It is built from another level, usually the previous one;
// if a fix was picked into older minors, the next minor is built from the first patch.
type level struct {
	// version is the level's name, as Lookup takes it: MINOR for the last level of a minor, MINOR.PATCH for the others.
	// It is unique.
	version string
	// minor and patch are the first version of the level: it holds until the next one of the same minor.
	minor, patch int
	// from names the level that it is built from, which stands earlier in the list; "" for the first.
	from string
	// on and off name the differences that the level has and its from has not, and the other way round.
	on, off []string
	// gates are the feature gates whose state changes. Their defaults are in on and off.
	gates []gateChange
}

// levels are in the order of versions, minor and patch. Lookup and Ranges rely on that.
var levels = []level{
	{version: "1.16", minor: 16, on: []string{"hash-label", "null-timestamps", "count-failed-delete"}},
	{version: "1.22", minor: 22, from: "1.16",
		on: []string{"truncate-on-error", "recheck-revisions", "orphan-revisions", "terminating-claims",
			"available-replicas", "min-ready-seconds-field"},
		gates: []gateChange{{"StatefulSetMinReadySeconds", gateKnown}}},
	{version: "1.24.0", minor: 24, from: "1.22",
		on: []string{"min-ready-seconds", "max-unavailable-field", "retention-field", "mutable-in-order",
			"name-conflicts"},
		gates: []gateChange{{"MaxUnavailableStatefulSet", gateKnown}, {"StatefulSetAutoDeletePVC", gateKnown}}},
	{version: "1.24", minor: 24, patch: 10, from: "1.24.0", on: []string{"status-on-error"}},
	{version: "1.25", minor: 25, from: "1.24", on: []string{"budget-at-least-one"},
		gates: []gateChange{{"StatefulSetMinReadySeconds", gateLocked}}},
	{version: "1.26.0", minor: 26, from: "1.25", on: []string{"ordinals-field"},
		gates: []gateChange{{"StatefulSetStartOrdinal", gateKnown}}},
	{version: "1.26", minor: 26, patch: 7, from: "1.26.0", on: []string{"slow-start"}},
	{version: "1.27.0", minor: 27, from: "1.26.0",
		on:    []string{"start-ordinal", "retention", "pending-claims", "update-ignores-not-found", "label-name"},
		off:   []string{"count-failed-delete"},
		gates: []gateChange{{"StatefulSetMinReadySeconds", gateGone}}},
	{version: "1.27.4", minor: 27, patch: 4, from: "1.27.0", on: []string{"slow-start"}},
	{version: "1.27.8", minor: 27, patch: 8, from: "1.27.4", on: []string{"complete-by-spec"}},
	{version: "1.27", minor: 27, patch: 9, from: "1.27.8", on: []string{"restart-succeeded"}},
	{version: "1.28.0", minor: 28, from: "1.27.4", on: []string{"pod-index"},
		gates: []gateChange{{"PodIndexLabel", gateKnown}}},
	{version: "1.28.4", minor: 28, patch: 4, from: "1.28.0", on: []string{"complete-by-spec"}},
	{version: "1.28.5", minor: 28, patch: 5, from: "1.28.4", on: []string{"restart-succeeded"}},
	{version: "1.28", minor: 28, patch: 11, from: "1.28.5", on: []string{"next-sync"}},
	{version: "1.29.0", minor: 29, from: "1.28.0", on: []string{"complete-by-spec", "restart-succeeded"}},
	{version: "1.29", minor: 29, patch: 6, from: "1.29.0", on: []string{"next-sync"}},
	{version: "1.30.0", minor: 30, from: "1.29.0"},
	{version: "1.30", minor: 30, patch: 2, from: "1.30.0", on: []string{"next-sync"}},
	{version: "1.31", minor: 31, from: "1.30", on: []string{"controller-refs"},
		gates: []gateChange{{"StatefulSetStartOrdinal", gateLocked}}},
	{version: "1.32", minor: 32, from: "1.31",
		gates: []gateChange{{"StatefulSetAutoDeletePVC", gateLocked}, {"PodIndexLabel", gateLocked}}},
	{version: "1.33", minor: 33, from: "1.32", on: []string{"mutable-history-limit", "label-service"}},
	{version: "1.34.0", minor: 34, from: "1.33", on: []string{"availability", "check-claims", "json-values"},
		off:   []string{"hash-label", "null-timestamps"},
		gates: []gateChange{{"StatefulSetStartOrdinal", gateGone}}},
	{version: "1.34", minor: 34, patch: 2, from: "1.34.0", on: []string{"semantic-revisions"},
		gates: []gateChange{{"StatefulSetSemanticRevisionComparison", gateKnown}}},
	{version: "1.35.0", minor: 35, from: "1.34", on: []string{"max-unavailable", "capital-events"},
		gates: []gateChange{{"StatefulSetAutoDeletePVC", gateGone}, {"PodIndexLabel", gateGone}}},
	{version: "1.35.1", minor: 35, patch: 1, from: "1.35.0", on: []string{"exact-requeue"}},
	{version: "1.35", minor: 35, patch: 4, from: "1.35.1", off: []string{"max-unavailable"}},
	{version: "1.36", minor: 36, from: "1.35", on: []string{"delete-ignores-not-found", "stale-guard"},
		gates: []gateChange{{"StaleControllerConsistencyStatefulSet", gateKnown}}},
	{version: "1.37", minor: 37, from: "1.36",
		on: []string{"max-unavailable", "broken-first", "complete-any-strategy", "keep-conditions", "knows-recreate",
			"field-errors", "own-places"},
		gates: []gateChange{{"StatefulSetRecreateStrategy", gateKnown}}},
}

// profiles has a profile for each level, at the same index.
var profiles = build(levels)

// build makes the profiles. Each row names all that changes against its from, so a wrong name panics when the program
// starts.
func build(levels []level) []Profile {
	built := make([]Profile, len(levels))
	for i := range levels {
		l := &levels[i]
		if from := indexOfLevel(l.from); from >= 0 {
			built[i] = built[from]
		}
		for _, name := range l.on {
			built[i] = difference(name).With(built[i], true)
		}
		for _, name := range l.off {
			built[i] = difference(name).With(built[i], false)
		}
		built[i].level = l
	}
	return built
}

// indexOfLevel returns the index of a version among the levels, which it must name exactly; -1 if there is none.
func indexOfLevel(version string) int {
	return slices.IndexFunc(levels, func(l level) bool { return l.version == version })
}

// difference returns the difference of that name; it panics if there is none, since only the table of levels asks.
func difference(name string) Difference {
	i := slices.IndexFunc(Differences, func(d Difference) bool { return d.Name == name })
	if i < 0 {
		panic("no such difference: " + name)
	}
	return Differences[i]
}

// Lookup returns the profile of a Kubernetes version: MINOR ("1.35") is its newest patch, MINOR.PATCH ("1.35.2") that
// very patch, and the empty text the newest version. Text around it, as a cluster reports it, is ignored; see
// Release. A patch that is higher than any known one behaves as the last known. A minor between two known ones is
// refused. An error names the versions that are known.
func Lookup(version string) (Profile, error) {
	if version == "" {
		return profiles[len(profiles)-1], nil
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

// Versions lists the versions that behave differently, oldest first, each as Lookup takes it. MINOR.PATCH is the first
// patch of its kind; MINOR stands for the newest patches of the minor.
func Versions() []string {
	names := make([]string, len(levels))
	for i := range levels {
		names[i] = levels[i].version
	}
	return names
}

// Version returns the version as text: that of Versions which behaves as the profile does.
func (p Profile) Version() string {
	if p.level == nil {
		return ""
	}
	return p.level.version
}
