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
	left []T
	size int
}

// Next returns a zero value that nobody else has.
func (s *Slab[T]) Next() *T {
	if len(s.left) == 0 {
		if s.Most == 0 {
			s.Most = most
		}
		s.size = min(s.Most, max(4, 2*s.size))
		s.left = make([]T, s.size)
	}
	value := &s.left[0]
	s.left = s.left[1:]
	return value
}
