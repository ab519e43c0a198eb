// Package sweep plays a scenario with many seeds and sums up the results: how long it took, how many pods served at
// least, how it ended, and which seeds were worst.
//
// A Sum is a monoid: adding runs in any order, in any number of parts, and merging the parts in any order gives the
// same Sum, byte for byte in JSON. So shards can be played on different machines.
//
// The command line calls it, for `sim sweep` and `sim merge`; it reads no files and prints no errors. A Sum holds no
// run: its size does not grow with the number of runs, only with that of the distinct durations, sets and verdicts.
package sweep
