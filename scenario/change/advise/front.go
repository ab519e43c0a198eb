package advise

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// most is the number of settings that an answer shows, with today's.
const most = 5

// standing is what counts of a setting, each so that more is better: how quick a rollout is, how many pods serve, how few
// a bad version takes out of service, whether a live set can be given it, and how often somebody has to do something in a
// rollout.
func (t *trial) standing(today *setting) [5]int64 {
	remade := int64(0)
	if t.policy != today.policy {
		remade = 1
	}
	return [5]int64{-int64(t.p95), int64(t.fewest), -int64(t.down()), -remade, -int64(t.byHand())}
}

// byHand is how often somebody, or a pipeline, has to do something in a rollout.
func (t *trial) byHand() int {
	if t.onDelete {
		return 1
	}
	return max(0, len(t.stages)-1)
}

// beats reports whether a setting is at least as good as another in all that counts, and better in one. Of equals the one
// with fewer changes wins.
func (t *trial) beats(other *trial, today *setting) bool {
	if !t.ends || !other.ends {
		return t.ends && !other.ends
	}
	of, than := t.standing(today), other.standing(today)
	for i := range of {
		if of[i] < than[i] {
			return false
		}
	}
	return of != than || t.changes(today) < other.changes(today)
}

// frontOf returns the settings that keep the limits and that no other such setting beats, the quickest first. Of equals
// with as many changes the first one stays. O(trials × front).
func frontOf(trials []*trial, l *limits, today *setting) []*trial {
	var front []*trial
	for _, t := range trials {
		if len(l.fails(t)) > 0 || slices.ContainsFunc(front, func(other *trial) bool { return other.goesBefore(t, today) }) {
			continue
		}
		front = slices.DeleteFunc(front, func(other *trial) bool { return t.beats(other, today) })
		front = append(front, t)
	}
	slices.SortStableFunc(front, func(a, b *trial) int { return cmp.Compare(a.p95, b.p95) })
	return front
}

// goesBefore reports whether a setting beats another one, or is as good with as many changes.
func (t *trial) goesBefore(other *trial, today *setting) bool {
	return t.beats(other, today) || t.standing(today) == other.standing(today) && t.changes(today) == other.changes(today)
}

// shown picks the settings of a front that are shown: today's, or the one that beats it with the fewest changes; the
// quickest; of those that a live set can be given the quickest, and the one that loses least to bad versions without
// leaving fewer pods serving than today's; kept, if it is among them, which nil is not; and then those that are furthest
// from all that are picked, those first that take no longer than all of these. They stay in their order.
func shown(front []*trial, now, kept *trial, replicas int, risky func(*trial) bool) []*trial {
	today := &now.setting
	at, room := slices.IndexFunc(front, func(t *trial) bool { return t.same(today) }), most
	if at < 0 {
		// Today's is shown all the same.
		room--
	}
	if len(front) <= room {
		return front
	}
	mutable := slices.DeleteFunc(slices.Clone(front), func(t *trial) bool { return t.policy != today.policy })
	var picked []*trial
	pick := func(t *trial) {
		if t != nil && len(picked) < room && !slices.Contains(picked, t) {
			picked = append(picked, t)
		}
	}
	if at >= 0 {
		pick(front[at])
	} else {
		pick(slices.MinFunc(front, func(a, b *trial) int {
			return cmp.Or(cmp.Compare(beaten(b, now), beaten(a, now)), cmp.Compare(a.changes(today), b.changes(today)))
		}))
	}
	pick(front[0])
	if len(mutable) > 0 {
		pick(mutable[0])
		pick(leastLost(slices.DeleteFunc(slices.Clone(mutable), func(t *trial) bool {
			return at >= 0 && t.fewest < front[at].fewest
		})))
	}
	if slices.Contains(front, kept) {
		pick(kept)
	}
	for _, from := range [][]*trial{between(front, picked), front} {
		for range from {
			pick(slices.MaxFunc(from, func(a, b *trial) int {
				return cmp.Compare(nearest(a, picked, replicas, today, risky(a)), nearest(b, picked, replicas, today, risky(b)))
			}))
		}
	}
	return slices.DeleteFunc(slices.Clone(front), func(t *trial) bool { return !slices.Contains(picked, t) })
}

// between returns the settings of a front that take at most as long as one that is picked.
func between(front, picked []*trial) []*trial {
	longest := slices.MaxFunc(picked, func(a, b *trial) int { return cmp.Compare(a.p95, b.p95) }).p95
	return slices.DeleteFunc(slices.Clone(front), func(t *trial) bool { return t.p95 > longest })
}

// beaten is 1 if a setting beats today's, 0 if not.
func beaten(t, now *trial) int {
	if t.beats(now, &now.setting) {
		return 1
	}
	return 0
}

// leastLost is the setting that loses the fewest pods to bad versions, the quickest of equals; nil of none.
func leastLost(list []*trial) *trial {
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *trial) int { return cmp.Compare(a.down(), b.down()) })
}

// nearest is the distance of a setting from the nearest that is picked. Durations count by their ratio, and pods by their
// part of the set, so that a setting in the middle is far from both ends in a large set as in a small one. What needs the
// set to be made anew counts half, and so does what is risky.
func nearest(t *trial, picked []*trial, replicas int, today *setting, risky bool) float64 {
	const pods = 5
	least := math.Inf(1)
	for _, other := range picked {
		of := math.Abs(math.Log(float64(t.p95+time.Second)) - math.Log(float64(other.p95+time.Second)))
		of += (math.Abs(float64(t.fewest-other.fewest)) + math.Abs(float64(t.down()-other.down()))) * pods / float64(replicas)
		least = min(least, of)
	}
	for _, half := range []bool{t.policy != today.policy, risky} {
		if half {
			least /= 2
		}
	}
	return least
}
