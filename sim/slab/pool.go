package slab

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
