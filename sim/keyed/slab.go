package keyed

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

// more begins a new piece, twice as long as the last one up to Most. Values of the last piece keep it in memory.
func (s *Slab[T]) more() {
	if s.Most == 0 {
		s.Most = most
	}
	s.piece, s.used = make([]T, min(s.Most, max(4, 2*len(s.piece)))), 0
}

// Used returns the values of the last piece that are handed out.
func (s *Slab[T]) Used() []T { return s.piece[:s.used] }

// Left returns a slab with the memory of one of whose values nobody holds any: its last piece, which is the longest.
func (s *Slab[T]) Left() Slab[T] {
	clear(s.piece[:s.used])
	return Slab[T]{Most: s.Most, piece: s.piece}
}

// Pool is a Slab that is given back what nobody holds any more, in two steps: a value is retired when it has been
// replaced, and those who still look at it do so until the retired values are released together. The zero value is
// ready to use.
type Pool[T any] struct {
	Slab[T]
	retired, free []*T
}

// Next returns a value that nobody else has. It may hold what it held before: the caller writes over all of it.
func (p *Pool[T]) Next() *T {
	last := len(p.free) - 1
	if last < 0 {
		return p.Slab.Next()
	}
	value := p.free[last]
	p.free = p.free[:last]
	return value
}

// Retire says that a value has been replaced. It stays as it is until Release.
func (p *Pool[T]) Retire(value *T) {
	if p.retired == nil {
		p.retired = make([]*T, 0, roomAtFirst)
	}
	p.retired = append(p.retired, value)
}

// roomAtFirst is the number of retired values for which there is room at first.
const roomAtFirst = 16

// Retired returns the number of values that Release would give back.
func (p *Pool[T]) Retired() int { return len(p.retired) }

// Release says that nobody holds a retired value any more: Next returns them again.
func (p *Pool[T]) Release() {
	if len(p.free) == 0 {
		p.free, p.retired = p.retired, p.free
		return
	}
	p.free = append(p.free, p.retired...)
	p.retired = p.retired[:0]
}

// Forget lets go of the retired values: they are never used again. It returns them.
func (p *Pool[T]) Forget() []*T {
	retired := p.retired
	p.retired = nil
	return retired
}
