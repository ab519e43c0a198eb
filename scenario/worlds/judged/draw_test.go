package judged_test

import "pgregory.net/rapid"

// draw draws one world. The first of several answers is the dull one, so that a shrunk world is a dull one but for what
// matters.
type draw struct{ t *rapid.T }

// rare says yes once in so many times.
func (d *draw) rare(what string, in int) bool { return d.number(what, 0, in-1) == in-1 }

func (d *draw) number(what string, low, high int) int {
	return rapid.IntRange(low, high).Draw(d.t, what)
}

// pick chooses one of the values, as likely as often as it is there.
func pick[T any](d *draw, what string, of ...T) T { return rapid.SampledFrom(of).Draw(d.t, what) }

func (d *draw) pick(what string, of ...string) string { return pick(d, what, of...) }
