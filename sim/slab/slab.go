// Package slab makes values by the dozen: one allocation for many of them.
package slab

// most is how many values are made at a time if Most is 0.
const most = 256

// Slab hands out values in pieces, which are the longer the more have been asked for. A piece is kept as long as
// anybody holds one of its values: it is for what is kept for good, or where Most bounds what one may keep alive. The
// zero value is ready to use.
type Slab[T any] struct {
	// Most is the greatest length of a piece, 256 if it is 0.
	Most int
	// piece is the last piece that was made, and used how many of its values are handed out.
	piece []T
	used  int
}

// Next returns a zero value that nobody else has.
func (s *Slab[T]) Next() *T {
	if s.used == len(s.piece) {
		s.more()
	}
	value := &s.piece[s.used]
	s.used++
	return value
}

// more begins a new piece, twice as long as the last one up to Most. Whoever holds values of the last piece keeps it in
// memory.
func (s *Slab[T]) more() {
	if s.Most == 0 {
		s.Most = most
	}
	s.piece, s.used = make([]T, min(s.Most, max(4, 2*len(s.piece)))), 0
}
