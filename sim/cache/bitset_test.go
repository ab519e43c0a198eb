package cache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestABitsetAgainstAList asks sets with slots at the borders of words and chunks, and far from each other, everything
// that a column asks. They are filled, or made slot by slot, and then emptied from one of their ends or at random.
func TestABitsetAgainstAList(t *testing.T) {
	borders := []int{0, 1, 62, 63, 64, 65, 127, 128, 1000, 1022, 1023, 1024, 1025, 1087, 1088, 2047, 2048, 2049, 3071, 3072, 5000, 6143, 6144}
	random := rand.New(rand.NewPCG(1, 2))
	for _, filled := range []int{0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 2500} {
		for order := range 3 {
			var b bitset
			by, in := newHand(&pieces{}, true), make([]bool, 7000)
			b.fill(&by, filled)
			for slot := range filled {
				in[slot] = true
			}
			for _, slot := range borders {
				if !in[slot] && random.IntN(3) > 0 {
					b.add(&by, slot)
					in[slot] = true
				}
			}
			requireSame(t, &b, in, borders)
			for left := members(in); len(left) > 0; left = members(in) {
				drop := left[:min(len(left), 300)]
				switch order {
				case 1:
					drop = left[max(0, len(left)-300):]
				case 2:
					random.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
					drop = left[:min(len(left), 300)]
				}
				if len(left) < 10 {
					drop = left[:1]
				}
				for _, slot := range drop {
					b.drop(&by, slot)
					in[slot] = false
				}
				requireSame(t, &b, in, borders)
			}
		}
	}
}

func members(in []bool) (list []int) {
	for slot, is := range in {
		if is {
			list = append(list, slot)
		}
	}
	return list
}

// requireSame compares a set with a list that says of each slot whether it is in it.
func requireSame(t *testing.T, b *bitset, in []bool, borders []int) {
	t.Helper()
	list := members(in)
	if len(list) != b.count {
		require.Len(t, list, b.count)
	}
	next, lower, absent := make([]int, len(in)+1), make([]int, len(in)+1), []int{}
	next[len(in)] = len(in)
	for slot := len(in) - 1; slot >= 0; slot-- {
		if next[slot] = next[slot+1]; in[slot] {
			next[slot] = slot
		}
	}
	last := -1
	for slot, is := range in {
		if lower[slot] = last; is {
			last = slot
		} else {
			absent = append(absent, slot)
		}
	}
	lower[len(in)] = last
	for _, at := range borders {
		for _, end := range borders {
			if at < end && b.first(at, end) != min(end, next[at]) {
				require.Equal(t, min(end, next[at]), b.first(at, end), "the first from %d below %d of %d", at, end, len(list))
			}
			if end < at && b.last(at, end-1) != max(end-1, lower[at]) {
				require.Equal(t, max(end-1, lower[at]), b.last(at, end-1), "the last below %d above %d of %d", at, end-1, len(list))
			}
		}
		require.Equal(t, at-len(absentBelow(absent, at)), b.below(at), "how many are below %d", at)
		if at < len(absent) {
			require.Equal(t, absent[at], b.absent(at), "the one after %d of those that are not there", at)
		}
	}
	require.Equal(t, -1, b.last(0, -1))
}

func absentBelow(absent []int, slot int) []int {
	for i, other := range absent {
		if other >= slot {
			return absent[:i]
		}
	}
	return absent
}
