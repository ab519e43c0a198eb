// Package plan predicts what a change of StatefulSets will do. It plays the current objects and the new ones in a
// simulated cluster, and then the cases that may go wrong.
package plan
