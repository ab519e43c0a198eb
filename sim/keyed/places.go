package keyed

import "github.com/statefulsim/statefulsim/model"

// places is a hash table of the indices of a map's entries, with open addressing: an entry is at its home or behind
// it, without a gap between them. A Go map, which hashes any kind of key and cannot ask the entries, costs three
// times as much.
type places struct {
	// slots hold an index plus 1, or 0 if they are free. Their number is a power of two, or 0.
	slots []int32
}

// home returns the slot that a key should have. It is FNV-1a over the name, the same in every run; keys that differ in
// the namespace alone are neighbours.
func (p *places) home(key model.Key) int {
	hash := uint64(14695981039346656037)
	for i := range len(key.Name) {
		hash = (hash ^ uint64(key.Name[i])) * 1099511628211
	}
	return int((hash ^ hash>>32) & uint64(len(p.slots)-1))
}

// next returns the slot behind another one.
func (p *places) next(at int) int { return (at + 1) & (len(p.slots) - 1) }

// add puts an index into the first free slot from its home on. There must be a free slot.
func (p *places) add(home, i int) {
	for p.slots[home] != 0 {
		home = p.next(home)
	}
	p.slots[home] = int32(i + 1)
}

// slotOf returns the slot of an index, which must have one.
func (p *places) slotOf(home, i int) int {
	for p.slots[home] != int32(i+1) {
		home = p.next(home)
	}
	return home
}

// between says whether a slot lies on the way from home to a third slot, with both ends; the table is a ring.
func (p *places) between(home, slot, at int) bool {
	mask := len(p.slots) - 1
	return (slot-home)&mask <= (at-home)&mask
}
