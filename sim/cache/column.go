package cache

import "github.com/statefulsim/statefulsim/model"

// column holds the pods of one group by slot, and answers what a sync asks of them without looking at each.
//
// Pods that are alike, in their traits and their revision, are a class: of ten thousand pods all but a few are in one
// or two. A class knows the slots of its pods as a bitset, so that a question about pods looks at a handful of
// classes. A column consists of pieces, which two columns may share: to copy one costs next to nothing, and to change
// it afterwards costs a copy of the pieces that change.
//
// A slot never moves while a column lives; positions are what a sync asks for. Each slot is a member of exactly one
// class.
type column struct {
	// size is the number of slots, with a pod or without.
	size int
	// packed is true where only slots with a pod count as positions; else each is one.
	packed bool
	// nodes have the cells, 512 in each; a node or a leaf that was never written is missing, and its cells are zero.
	nodes []*node
	// classes are the classes by their numbers; a class without pods is free for reuse. The first is the class of
	// the empty slots, which has no traits.
	classes []class
	// hand is what the column changes its pieces with.
	hand hand
	// shared is true while another column uses the same slices nodes and classes; then write copies them first.
	shared bool
}

// node holds 512 slots, leaf 16 of them.
type node struct {
	mark   mark
	leaves [nodeLeaves]*leaf
}

// leaf holds 16 slots: the least that a column copies when it changes one of them while a frozen view shares it.
type leaf struct {
	mark  mark
	cells [leafSlots]cell
}

const (
	leafSlots  = 16
	nodeLeaves = 32
	nodeSlots  = nodeLeaves * leafSlots
)

// cell is a slot: its pod, nil if it is empty, and the number of the pod's class.
type cell struct {
	pod   *model.Pod
	class int32
}

// class is the pods of a column that have the same traits and the same revision. No two classes with pods are equal.
type class struct {
	// traits are the same for all its pods, revision represents their label, and members are the slots of the pods.
	traits   model.Traits
	revision revisionID
	members  bitset
}

// empty is the class of the slots without a pod.
const empty = 0

// revisionID represents the value of a revision label within a group; see labels.
type revisionID uint32

// newColumn returns a column of so many empty slots; O(slots/64).
func newColumn(size int, packed bool, by hand) column {
	c := column{size: size, packed: packed, classes: make([]class, 1, 8), hand: by}
	c.classes[empty].members.fill(&c.hand, size)
	return c
}

// emptied returns a column of so many empty slots that takes the place of this one: the same, if it has no slot yet.
func (c *column) emptied(size int) column {
	if c.size > 0 || c.shared {
		return newColumn(size, c.packed, newHand(c.hand.pieces, c.hand.live))
	}
	c.classes[empty].members.fill(&c.hand, size)
	c.size = size
	return *c
}

// grow adds an empty slot.
func (c *column) grow() {
	c.write()
	c.classes[empty].members.add(&c.hand, c.size)
	c.size++
}

// write makes the slices nodes and classes the column's own, before they change.
func (c *column) write() {
	if !c.shared {
		return
	}
	if !c.hand.alone() {
		c.nodes = c.hand.pieces.nodeLists.another(&c.hand, c.nodes)
		c.classes = c.hand.pieces.classLists.another(&c.hand, c.classes)
	}
	c.shared = false
}

// share prepares a column for being copied: afterwards each of the two may be changed without the other, if the copy
// gets a hand of its own, which is never the live one.
func (c *column) share() { c.hand, c.shared = newHand(c.hand.pieces, c.hand.live), true }

// at returns the cell of a slot, which must not be changed; an empty slot has the zero cell.
func (c *column) at(slot int) cell {
	if n := uint(slot) / nodeSlots; n < uint(len(c.nodes)) {
		if l := c.nodes[n].leaves[uint(slot)%nodeSlots/leafSlots]; l != nil {
			return l.cells[uint(slot)%leafSlots]
		}
	}
	return cell{}
}

// own returns the cell of a slot for writing, in a node and a leaf that are not shared.
func (c *column) own(slot int) *cell {
	c.write()
	n, by := slot/nodeSlots, &c.hand
	for n >= len(c.nodes) {
		c.nodes = append(c.nodes, &node{mark: by.mark})
	}
	in := c.nodes[n]
	if in.mark != by.mark {
		if !by.alone() {
			in = by.pieces.nodes.another(by, in)
			c.nodes[n] = in
		}
		in.mark = by.mark
	}
	at := &in.leaves[slot%nodeSlots/leafSlots]
	switch {
	case *at == nil:
		*at = &leaf{}
	case (*at).mark != by.mark && !by.alone():
		*at = by.pieces.leaves.another(by, *at)
	}
	(*at).mark = by.mark
	return &(*at).cells[slot%leafSlots]
}

// put puts a pod into a slot, replacing its content.
func (c *column) put(slot int, pod *model.Pod, traits model.Traits, revision revisionID) {
	at := c.own(slot)
	at.pod = pod
	c.move(slot, at, c.classOf(traits, revision))
}

// clear empties a slot.
func (c *column) clear(slot int) {
	at := c.own(slot)
	at.pod = nil
	c.move(slot, at, empty)
}

// move moves a slot from the class of its cell to another one.
func (c *column) move(slot int, at *cell, to int32) {
	if at.class != to {
		c.classes[at.class].members.drop(&c.hand, slot)
		c.classes[to].members.add(&c.hand, slot)
		at.class = to
	}
}

// classOf returns the number of the class with these traits and this revision, which may have no pods yet. It looks
// at all classes, since there are few.
func (c *column) classOf(traits model.Traits, revision revisionID) int32 {
	free := -1
	for i := empty + 1; i < len(c.classes); i++ {
		switch k := &c.classes[i]; {
		case k.members.count == 0:
			free = i
		case k.traits == traits && k.revision == revision:
			return int32(i)
		}
	}
	if free < 0 {
		free = len(c.classes)
		c.classes = append(c.classes, class{})
	}
	c.classes[free].traits, c.classes[free].revision = traits, revision
	return int32(free)
}

// pods returns the pods in the order of their slots; O(slots).
func (c *column) pods() []*model.Pod {
	var pods []*model.Pod
	for slot := range c.size {
		if pod := c.at(slot).pod; pod != nil {
			pods = append(pods, pod)
		}
	}
	return pods
}

// with returns the column with an empty slot before one; without returns it without its empty slots; O(slots).
func (c *column) with(empty int) column {
	return c.rebuilt(func(slot int) bool { return slot == empty }, true)
}

// without returns the column without its empty slots, so that slots and positions are the same again; O(slots).
func (c *column) without() column { return c.rebuilt(func(int) bool { return false }, false) }

// rebuilt returns the column with other empty slots: some more, and all that it has or none of them.
func (c *column) rebuilt(more func(slot int) bool, keep bool) column {
	other := newColumn(0, c.packed, newHand(c.hand.pieces, c.hand.live))
	for slot := range c.size {
		if more(slot) {
			other.grow()
		}
		if in := c.at(slot); in.pod != nil || keep {
			other.grow()
			if in.pod != nil {
				k := &c.classes[in.class]
				other.put(other.size-1, in.pod, k.traits, k.revision)
			}
		}
	}
	return other
}

// traits returns the facts of the pod in a slot, 0 if there is none.
func (c *column) traits(slot int) model.Traits { return c.classes[c.at(slot).class].traits }

// len returns the number of positions.
func (c *column) len() int {
	if c.packed {
		return c.size - c.classes[empty].members.count
	}
	return c.size
}

// slot returns the slot of a position, which may be one past the last; position returns the position of a slot with
// a pod. In a column that is not packed both are the same number.
func (c *column) slot(position int) int {
	if c.packed && c.classes[empty].members.count > 0 {
		return min(c.size, c.classes[empty].members.absent(position))
	}
	return position
}

// position returns the position of a slot, which must have a pod if the column is packed.
func (c *column) position(slot int) int {
	if c.packed && c.classes[empty].members.count > 0 {
		return slot - c.classes[empty].members.below(slot)
	}
	return slot
}

// wanted is a model.Want whose revision has been looked up: a pod is as wanted if its traits are has within mask, and
// its revision fits.
type wanted struct {
	mask, has model.Traits
	revision  revisionID
	byLabel   byLabel
}

// byLabel is how a question treats the revision: it ignores it, wants one, or wants any but that one.
type byLabel uint8

const (
	anyRevision byLabel = iota
	thisRevision
	otherRevision
)

// match reports whether the pods of a class are as wanted. The class of empty slots is left out by asked before.
func (w *wanted) match(k *class) bool {
	if k.traits&w.mask != w.has {
		return false
	}
	return w.byLabel == anyRevision || (k.revision == w.revision) == (w.byLabel == thisRevision)
}

// asked reports whether a question is about the pods of a class: the wanted ones (is), or the others. An empty slot
// does not count as wanted; in a packed column it has no position, so no question is about it.
func (c *column) asked(i int, w *wanted, is bool) bool {
	k := &c.classes[i]
	return k.members.count > 0 && (i != empty || !c.packed) && w.match(k) == is
}

// first returns the lowest position >= from about which the question is, or len; last the highest < below, or -1.
// Both cost O(classes), and O(slots/1024) at worst for each.
func (c *column) first(from int, w wanted, is bool) int {
	start, found := c.slot(from), c.size
	for i := range c.classes {
		if c.asked(i, &w, is) {
			found = c.classes[i].members.first(start, found)
		}
	}
	return c.position(found)
}

// last returns the highest position < below about which the question is, or -1; see first.
func (c *column) last(below int, w wanted, is bool) int {
	end, found := c.slot(min(below, c.len())), -1
	for i := range c.classes {
		if c.asked(i, &w, is) {
			found = c.classes[i].members.last(end, found)
		}
	}
	if found < 0 {
		return -1
	}
	return c.position(found)
}

// count returns the number of pods that are as wanted; O(classes).
func (c *column) count(w wanted) int {
	n := 0
	for i := range c.classes {
		if c.asked(i, &w, true) {
			n += c.classes[i].members.count
		}
	}
	return n
}

// tally adds the pods to the counts of a status; O(classes).
func (c *column) tally(t *model.Tally, current, update revisionID) {
	for i := range c.classes {
		if k := &c.classes[i]; i != empty && k.members.count > 0 {
			t.Add(int32(k.members.count), k.traits, k.revision == current, k.revision == update)
		}
	}
}
