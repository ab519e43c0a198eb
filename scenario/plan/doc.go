// Package plan foresees what a change of StatefulSets will do: it plays the objects that run now and those to come in a
// simulated cluster, and then what may go wrong on the way.
package plan
