// Package sweep plays a scenario with many seeds and sums up what came of it: how long it took, how many pods served at
// least, how it ended, and which seeds were worst. Sums of parts are the sum of the whole, in any order.
package sweep
