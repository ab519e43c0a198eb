package advise

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// most is the number of settings that an answer shows.
const most = 5

// beats reports whether a setting is at least as good as another in all that counts, and better in one: how long a
// rollout takes, how many pods serve, how many a bad version takes, and whether a live set can be given it. Of equals the
// one with fewer changes wins.
func (t *trial) beats(other *trial, today *setting) bool {
	if !t.ends || !other.ends {
		return t.ends && !other.ends
	}
	order := []int{
		cmp.Compare(other.p95, t.p95), cmp.Compare(t.fewest, other.fewest), cmp.Compare(other.lost(), t.lost()),
		cmp.Compare(other.remakes(today), t.remakes(today)),
	}
	if slices.Min(order) < 0 {
		return false
	}
	return slices.Max(order) > 0 || t.changes(today) < other.changes(today)
}

// frontOf returns the settings that keep the limits and that no other such setting beats, the quickest first. Of equals
// with as many changes the first one stays. O(trials × front).
func frontOf(trials []*trial, l *limits, today *setting) []*trial {
	var front []*trial
	for _, t := range trials {
		if len(l.fails(t)) > 0 || slices.ContainsFunc(front, func(other *trial) bool {
			return other.beats(t, today) || other.equals(t)
		}) {
			continue
		}
		front = slices.DeleteFunc(front, func(other *trial) bool { return t.beats(other, today) })
		front = append(front, t)
	}
	slices.SortStableFunc(front, func(a, b *trial) int { return cmp.Compare(a.p95, b.p95) })
	return front
}

// remakes is 1 if the set must be made anew for a setting, 0 if not.
func (t *trial) remakes(today *setting) int {
	if t.policy != today.policy {
		return 1
	}
	return 0
}

// equals reports whether two settings come to the same.
func (t *trial) equals(other *trial) bool {
	return t.p95 == other.p95 && t.fewest == other.fewest && t.lost() == other.lost()
}

// shown picks the settings of a front that are shown: today's, the quickest, then, of those that a live set can be given,
// the one that loses least to bad versions, the one that leaves most serving, and those that are furthest from all that
// are picked. What needs a new set comes last. They stay in their order.
func shown(front []*trial, today *setting) []*trial {
	if len(front) <= most {
		return front
	}
	mutable := slices.DeleteFunc(slices.Clone(front), func(t *trial) bool { return t.policy != today.policy })
	picked := map[*trial]bool{}
	pick := func(t *trial) {
		if t != nil && len(picked) < most {
			picked[t] = true
		}
	}
	at := slices.IndexFunc(front, func(t *trial) bool { return t.same(today) })
	if at >= 0 {
		pick(front[at])
	}
	pick(front[0])
	if len(mutable) > 0 {
		pick(mutable[0])
		pick(slices.MinFunc(mutable, func(a, b *trial) int { return cmp.Compare(a.lost(), b.lost()) }))
		pick(slices.MaxFunc(mutable, func(a, b *trial) int { return cmp.Compare(a.fewest, b.fewest) }))
	}
	for _, from := range [][]*trial{mutable, front} {
		for range from {
			pick(slices.MaxFunc(from, func(a, b *trial) int {
				return cmp.Compare(nearest(a, picked), nearest(b, picked))
			}))
		}
	}
	return slices.DeleteFunc(slices.Clone(front), func(t *trial) bool { return !picked[t] })
}

// nearest is the distance of a setting from the nearest that is picked. Durations count by their ratio.
func nearest(t *trial, picked map[*trial]bool) float64 {
	least := math.Inf(1)
	for other := range picked {
		of := math.Abs(math.Log(float64(t.p95+time.Second)) - math.Log(float64(other.p95+time.Second)))
		of += math.Abs(float64(t.fewest-other.fewest)) + math.Abs(float64(t.lost()-other.lost()))
		least = min(least, of)
	}
	return least
}
