package heal

import (
	"cmp"
	"slices"
)

// The risks by which fixes are ordered: what must be certain before they are used.
const (
	riskless = iota
	// assuming is what a person can find out.
	assuming
	// harmful is what can do harm otherwise.
	harmful
	// unlikely is what is unlikely to be the cause at all.
	unlikely
	risks
)

// risk is the risk of an attempt with this danger. danger is that of the attempt and of its run together.
func (a *attempt) risk(danger string) int {
	switch {
	case a.last:
		return unlikely
	case danger != "":
		return harmful
	case a.needs != "":
		return assuming
	}
	return riskless
}

// ordered returns the ways in their order, without those that only do more than a better one, and those that are
// unlikely to be needed if another one heals.
func ordered(list []Way) []Way {
	slices.SortFunc(list, better)
	likely := len(list) > 0 && list[0].Heals && list[0].risk < unlikely
	var kept []Way
	for _, way := range list {
		if likely && way.Heals && way.risk == unlikely || slices.ContainsFunc(kept, way.doesMore) {
			continue
		}
		kept = append(kept, way)
	}
	return kept
}

// better orders fixes. Those that heal the set come first, then those that relieve it: those that assume nothing, then
// those that assume something, then those that can do harm; among these, those that relieve more pods, those that no
// operator reverts, those that take back no change that is wanted, those that hope for nothing, those with more
// serving pods on the way, then the milder ones. The order is total, because no two have one place.
func better(a, b Way) int {
	return cmp.Or(-compare(a.Heals, b.Heals), -compare(a.Relieves, b.Relieves), cmp.Compare(a.risk, b.risk),
		compare(a.Danger != "", b.Danger != ""), cmp.Compare(b.ServesAfter, a.ServesAfter),
		compare(a.reverted, b.reverted), compare(a.unwanted, b.unwanted),
		compare(a.hopes, b.hopes), cmp.Compare(b.Fewest, a.Fewest), cmp.Compare(a.place, b.place))
}

// compare orders false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// doesMore says whether a fix does everything that another one does, which brings back as many pods, and something else
// too. What it does more may be that it does not have to wait for a pod that crashes.
func (w *Way) doesMore(other Way) bool {
	if w.beyond != "" && w.beyond == other.What && other.Heals {
		return true
	}
	noLess := other.Heals && (w.Heals || w.Relieves) || other.Relieves && w.Relieves && other.ServesAfter >= w.ServesAfter
	return noLess && !w.apart && other.hopes == w.hopes && len(w.Commands) >= len(other.Commands) &&
		!slices.ContainsFunc(other.Commands, func(c string) bool { return !slices.Contains(w.Commands, c) })
}
