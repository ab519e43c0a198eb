// Package plan predicts what a change of StatefulSets will do. It plays the current objects and the new ones in a
// simulated cluster, and then the cases that may go wrong.
//
// Read pairs the StatefulSets of two streams (manifests, or a dump of a live cluster). Input.Plan lets the simulated
// API server take each change as kubectl apply would send it, plays the change, the cases of package whatif, and the
// ways around refusals and out of stuck states, and returns a Plan: plain data with a JSON form. Text, Markdown and
// the page of sim plan are drawn from that.
//
// What is not known is said and not guessed: a duration whose stages nobody gives is a formula, a set whose pods the
// dump does not show is Untrusted. Sets that are alike are played once (share.go), and sets that share a
// PodDisruptionBudget in one world. The result does not depend on the number of workers.
//
// Invariants: an Input and Options are only read; a set of the plan is about one pair; and every number in it comes
// from a run that was played, or is said to be assumed. The command line calls it.
package plan
