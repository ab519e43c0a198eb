package conformance

import "pgregory.net/rapid"

// draw is where all chance of the generators comes from. 0 is always the dull answer, so that a failing example
// shrinks to a plain one.
type draw struct{ t *rapid.T }

// maxBelow is the greatest bound that below takes.
const maxBelow = 128

// ranges are generators of 0..n, made once.
var ranges = func() (made [maxBelow]*rapid.Generator[int]) {
	for n := range made {
		made[n] = rapid.IntRange(0, n)
	}
	return made
}()

// below draws a number in [0,n).
func (d draw) below(n int) int { return ranges[n-1].Draw(d.t, "") }

// between draws a number in [low,high].
func (d draw) between(low, high int) int { return low + d.below(high-low+1) }

// chance is true once in n times.
func (d draw) chance(n int) bool { return d.below(n) == n-1 && n > 1 }

// pick draws one of the options, of which the first is the dull one.
func pick[T any](d draw, options ...T) T { return options[d.below(len(options))] }
