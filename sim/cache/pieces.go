package cache

// mark identifies the column that may change a piece: the one whose hand has the same mark. It is never given twice
// within a set.
type mark uint64

// pieces are the memory of the columns of one set and of its frozen views. A frozen view shares its pieces with the
// live column: the live column replaces them by copies when it changes them, and reuses the replaced pieces when no
// frozen view is left. Without a frozen view, it changes all its pieces in place.
type pieces struct {
	// last is the last mark that was given; frozen counts the frozen views that have a copy.
	last   mark
	frozen int
	nodes  recycled[node]
	leaves recycled[leaf]
	chunks recycled[chunk]
	// lists are the lists of nodes, of classes and of chunks.
	nodeLists  lists[*node]
	classLists lists[class]
	chunkLists lists[*chunk]
}

// thaw reports that a frozen view is not needed any more. After the last one, all replaced pieces are free.
func (p *pieces) thaw() {
	if p.frozen--; p.frozen > 0 {
		return
	}
	p.nodes.release()
	p.leaves.release()
	p.chunks.release()
	p.nodeLists.release()
	p.classLists.release()
	p.chunkLists.release()
}

// hand is what a column changes its pieces with: its mark, and whether it is the live column (live). Only the live
// one reuses pieces, since a view may be thawed at any time.
type hand struct {
	mark
	live   bool
	pieces *pieces
}

// newHand returns a hand whose mark nothing has yet.
func newHand(p *pieces, live bool) hand {
	p.last++
	return hand{p.last, live, p}
}

// alone reports whether the column shares nothing, so that a piece may be changed whatever its mark.
func (h *hand) alone() bool { return h.live && h.pieces.frozen == 0 }

// recycled are pieces of one kind: retired ones, which were replaced during the life of a frozen view that may
// still have them, and free ones, which are not in use.
type recycled[T any] struct{ retired, free []*T }

// release frees the replaced pieces: no frozen view is left that could have them.
func (r *recycled[T]) release() { r.free, r.retired = joined(r.free, r.retired) }

// joined returns the free and the retired pieces when the retired ones are free too.
func joined[P any](free, retired []P) (all, none []P) {
	switch {
	case len(retired) == 0:
		return free, retired
	case len(free) == 0:
		return retired, free
	}
	free = append(free, retired...)
	clear(retired)
	return free, retired[:0]
}

// another returns a copy of a piece, which the caller puts in its place. The caller sets its mark.
func (r *recycled[T]) another(h *hand, old *T) *T {
	last := len(r.free) - 1
	if !h.live || last < 0 {
		copied := *old
		r.retire(h, old)
		return &copied
	}
	piece := r.free[last]
	r.free = r.free[:last]
	*piece = *old
	r.retire(h, old)
	return piece
}

// retire notes that a piece was replaced. A column of a view retires none: the live one may still have the piece.
func (r *recycled[T]) retire(h *hand, old *T) {
	if h.live {
		r.retired = append(r.retired, old)
	}
}

// lists are as recycled, for lists.
type lists[T any] struct{ retired, free [][]T }

// release frees the lists that were replaced.
func (l *lists[T]) release() { l.free, l.retired = joined(l.free, l.retired) }

// another returns a copy of a list, which takes its place.
func (l *lists[T]) another(h *hand, old []T) []T {
	var piece []T
	if h.live {
		if last := len(l.free) - 1; last >= 0 {
			piece, l.free = l.free[last], l.free[:last]
		}
		if old != nil {
			l.retired = append(l.retired, old)
		}
	}
	return append(piece[:0], old...)
}
