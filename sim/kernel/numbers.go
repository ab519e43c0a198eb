package kernel

// numbers replaces numbers of which only matters which of them are equal, by the order in which they first came. That
// makes a fingerprint independent of how far the counters of a world are. The zero value is empty.
type numbers struct {
	count int64
	// low has the places of the numbers below lowest, by the number itself; if it is of this round. others has the rest.
	low    []ordered
	round  uint32
	others map[uint64]int64
}

// ordered is the place of a number in the order, in a round. A round is one print; a reset clears nothing.
type ordered struct {
	round uint32
	at    int32
}

// lowest is the first number that is looked up by a hash. A world counts from 1; a dump may have any.
const lowest = 1 << 13

// reset forgets all numbers.
func (n *numbers) reset() {
	n.count = 0
	clear(n.others)
	if n.round++; n.round == 0 {
		clear(n.low)
		n.round = 1
	}
}

// order returns the place of a number, counted from 1; that of 0, which means no object, is 0. The first call for a
// number decides its place.
func (n *numbers) order(v uint64) int64 {
	if v == 0 {
		return 0
	}
	if v >= lowest {
		return n.orderOf(v)
	}
	for v >= uint64(len(n.low)) {
		n.low = append(n.low, ordered{})
	}
	o := &n.low[v]
	if o.round != n.round {
		n.count++
		*o = ordered{n.round, int32(n.count)}
	}
	return int64(o.at)
}

// orderOf is order for a number that is not low.
func (n *numbers) orderOf(v uint64) int64 {
	at, known := n.others[v]
	if !known {
		if n.others == nil {
			n.others = map[uint64]int64{}
		}
		n.count++
		at = n.count
		n.others[v] = at
	}
	return at
}
