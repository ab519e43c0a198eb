package cache

import "math/bits"

// bitset is a set of slots. It has two levels: chunks of 16 words, and in each chunk bits that say which of its
// words are not empty. A question looks at a few words of one chunk, and at one word of each chunk that is empty.
// Like a column it may share its chunks with a copy, so every change names its hand.
type bitset struct {
	// count is the number of slots in the set, the sum over its chunks. A nil chunk is empty.
	count  int
	chunks []*chunk
	// low and high bound the chunks that have a slot: none before low has one, and none after high. So the first
	// and the last of a hundred thousand slots are found without looking at each chunk that has become empty. They
	// have no meaning while count is 0.
	low, high int
	// mark is the mark of the slice of chunks; each chunk has its own. See pieces.
	mark mark
}

// chunk holds 1,024 neighbouring slots.
type chunk struct {
	// mark identifies the hand that may change the chunk, count is the number of its slots.
	mark  mark
	count int
	// filled has bit i set exactly if words[i] is not 0.
	filled uint64
	words  [chunkWords]uint64
}

const (
	// wordSlots is the number of slots in a word, chunkSlots that in a chunk.
	wordSlots  = 64
	chunkWords = 16
	chunkSlots = chunkWords * wordSlots
)

// own returns the chunk of a slot for writing: the chunk itself if it is not shared, else a copy in its place.
func (b *bitset) own(by *hand, slot int) *chunk {
	at := slot / chunkSlots
	if b.mark != by.mark {
		if !by.alone() {
			b.chunks = by.pieces.chunkLists.another(by, b.chunks)
		}
		b.mark = by.mark
	}
	if b.chunks == nil && at == 0 {
		c := b.firstChunk()
		c.mark = by.mark
		return c
	}
	for at >= len(b.chunks) {
		b.chunks = append(b.chunks, nil)
	}
	c := b.chunks[at]
	switch {
	case c == nil:
		c = &chunk{}
	case c.mark == by.mark:
		return c
	case !by.alone():
		c = by.pieces.chunks.another(by, c)
	}
	c.mark, b.chunks[at] = by.mark, c
	return c
}

// firstChunk starts the list of chunks. Most sets have one chunk, so it is made together with the list.
func (b *bitset) firstChunk() *chunk {
	first := &struct {
		chunk
		list [1]*chunk
	}{}
	first.list[0] = &first.chunk
	b.chunks = first.list[:]
	return &first.chunk
}

// fill puts the slots below n into an empty set that has never had a slot; O(n/64).
func (b *bitset) fill(by *hand, n int) {
	for from := 0; from < n; from += chunkSlots {
		c := &chunk{mark: by.mark, count: min(chunkSlots, n-from)}
		words := (c.count + wordSlots - 1) / wordSlots
		for word := range words {
			c.words[word] = ^uint64(0)
		}
		if rest := c.count % wordSlots; rest > 0 {
			c.words[words-1] = 1<<rest - 1
		}
		c.filled = ^uint64(0) >> (wordSlots - words)
		b.chunks = append(b.chunks, c)
	}
	b.count, b.mark, b.low, b.high = n, by.mark, 0, len(b.chunks)-1
}

// add puts a slot in that is not in the set; O(1). A slot that is in it would be counted twice.
func (b *bitset) add(by *hand, slot int) {
	c, word := b.own(by, slot), slot%chunkSlots/wordSlots
	c.words[word] |= 1 << (slot % wordSlots)
	c.filled |= 1 << word
	c.count++
	if at := slot / chunkSlots; b.count == 0 {
		b.low, b.high = at, at
	} else {
		b.low, b.high = min(b.low, at), max(b.high, at)
	}
	b.count++
}

// drop takes a slot out that is in the set; O(1).
func (b *bitset) drop(by *hand, slot int) {
	c, word := b.own(by, slot), slot%chunkSlots/wordSlots
	if c.words[word] &^= 1 << (slot % wordSlots); c.words[word] == 0 {
		c.filled &^= 1 << word
	}
	c.count--
	b.count--
	if c.count == 0 && b.count > 0 {
		b.shrink()
	}
}

// shrink moves the bounds past the chunks without a slot. There is one that has some.
func (b *bitset) shrink() {
	for c := b.chunks[b.low]; c == nil || c.count == 0; c = b.chunks[b.low] {
		b.low++
	}
	for c := b.chunks[b.high]; c == nil || c.count == 0; c = b.chunks[b.high] {
		b.high--
	}
}

// first returns the lowest slot >= from in the set that is lower than below, or below.
func (b *bitset) first(from, below int) int {
	for at := max(from/chunkSlots, b.low); at <= b.high && at*chunkSlots < below; at++ {
		if c := b.chunks[at]; c != nil && c.filled != 0 {
			if slot := c.first(max(0, from-at*chunkSlots)); slot >= 0 {
				return min(below, at*chunkSlots+slot)
			}
		}
	}
	return below
}

// first returns the lowest slot of the chunk >= from, or -1.
func (c *chunk) first(from int) int {
	word := from / wordSlots
	if rest := c.words[word] >> (from % wordSlots); rest != 0 {
		return from + bits.TrailingZeros64(rest)
	}
	// A shift by 64 gives 0.
	rest := c.filled >> (word + 1) << (word + 1)
	if rest == 0 {
		return -1
	}
	word = bits.TrailingZeros64(rest)
	return word*wordSlots + bits.TrailingZeros64(c.words[word])
}

// last returns the highest slot < below in the set that is higher than above, or above.
func (b *bitset) last(below, above int) int {
	for at := min((below-1)/chunkSlots, b.high); below > 0 && at >= b.low && (at+1)*chunkSlots > above; at-- {
		if c := b.chunks[at]; c != nil && c.filled != 0 {
			if slot := c.last(min(chunkSlots, below-at*chunkSlots)); slot >= 0 {
				return max(above, at*chunkSlots+slot)
			}
		}
	}
	return above
}

// last returns the highest slot of the chunk < below, or -1.
func (c *chunk) last(below int) int {
	word := (below - 1) / wordSlots
	if rest := c.words[word] << (wordSlots - 1 - (below-1)%wordSlots); rest != 0 {
		return below - 1 - bits.LeadingZeros64(rest)
	}
	rest := c.filled & (1<<word - 1)
	if rest == 0 {
		return -1
	}
	word = bits.Len64(rest) - 1
	return word*wordSlots + bits.Len64(c.words[word]) - 1
}

// below counts the slots of the set that are lower than the slot; O(slots/1024).
func (b *bitset) below(slot int) int {
	n := 0
	for at, c := range b.chunks {
		if c == nil {
			continue
		}
		rest := slot - at*chunkSlots
		if rest >= chunkSlots {
			n += c.count
			continue
		}
		for word := 0; word < len(c.words) && rest > 0; word++ {
			bit := c.words[word]
			if rest < wordSlots {
				bit &= 1<<rest - 1
			}
			n += bits.OnesCount64(bit)
			rest -= wordSlots
		}
		return n
	}
	return n
}

// absent returns the n-th slot, from 0, that is not in the set; O(slots/1024).
func (b *bitset) absent(n int) int {
	at := 0
	for ; at < len(b.chunks); at++ {
		lacks := chunkSlots
		if c := b.chunks[at]; c != nil {
			lacks -= c.count
		}
		if n < lacks {
			break
		}
		n -= lacks
	}
	if at == len(b.chunks) || b.chunks[at] == nil {
		return at*chunkSlots + n
	}
	words := &b.chunks[at].words
	for word, in := range words {
		lacks := wordSlots - bits.OnesCount64(in)
		if n < lacks {
			return at*chunkSlots + word*wordSlots + nthZero(in, n)
		}
		n -= lacks
	}
	return (at+1)*chunkSlots + n
}

// nthZero returns the n-th bit, from 0, that is 0.
func nthZero(word uint64, n int) int {
	for zeros := ^word; ; zeros &= zeros - 1 {
		if n == 0 {
			return bits.TrailingZeros64(zeros)
		}
		n--
	}
}
