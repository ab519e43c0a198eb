package statefulset

import (
	"slices"
	"strconv"
	"strings"
)

// Range is a range of versions with the same behaviour.
type Range struct {
	// Text names the versions: "1.24 to 1.34", "1.35.0 to 1.35.3", "1.28.11+" (that patch and the later ones of its
	// minor), "from 1.37".
	Text string
	// Value is the value that holds in the range.
	Value string
}

// Ranges groups the versions by a value. Neighbours with the same value share a range, and the ranges are in the
// order of the versions and cover all of them. value is called for each level with its default gates.
func Ranges(value func(Profile) string) []Range {
	var ranges []Range
	for first := 0; first < len(profiles); {
		last := first
		for last+1 < len(profiles) && value(profiles[last+1]) == value(profiles[first]) {
			last++
		}
		ranges = append(ranges, Range{rangeText(first, last), value(profiles[first])})
		first = last + 1
	}
	return ranges
}

// Where names the versions that have the difference by default: "1.35.0 to 1.35.3, from 1.37".
func (d Difference) Where() string { return where(d.On) }

// Where names versions as ranges, as Difference.Where does. They are names that Versions returns.
func Where(versions []string) string {
	return where(func(p Profile) bool { return slices.Contains(versions, p.Version()) })
}

// where returns the ranges of versions that have something, as text; "" if none has.
func where(has func(Profile) bool) string {
	var texts []string
	for _, r := range Ranges(func(p Profile) string { return strconv.FormatBool(has(p)) }) {
		if r.Value == "true" {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, ", ")
}

// rangeText names the versions from one level up to another. A range that does not start with the first patch of a
// minor names the patch, and so does one that ends before the last.
func rangeText(first, last int) string {
	begins, ends := levels[first].patch == 0, last+1 == len(levels) || levels[last+1].minor != levels[last].minor
	from, to := minorName(first), minorName(last)
	if !begins {
		from = profiles[first].Since()
	}
	if !ends {
		to += "." + strconv.Itoa(levels[last+1].patch-1)
	}
	switch oneMinor := levels[first].minor == levels[last].minor; {
	case last+1 == len(levels):
		return "from " + from
	case oneMinor && begins && ends:
		return from
	case oneMinor && ends:
		return from + "+"
	case oneMinor && begins:
		from += ".0"
	}
	if from == to {
		return from
	}
	return from + " to " + to
}

// minorName returns the minor version of the level at an index: 1.35.
func minorName(level int) string { return "1." + strconv.Itoa(levels[level].minor) }
