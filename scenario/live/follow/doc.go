// Package follow compares what a rollout does with what was forecast of it.
//
// Each look at the cluster becomes a Look: how the StatefulSet stands by the one judgement, which pods it has, and the
// changes that a run which begins there has. What happened between two looks is compared with the forecast of the
// first; the forecast is made anew at each look, so that it takes its times from the pods that have come already.
//
//	dump + laboratory → Look → Followed → Line, End
//
// All of these are values: Followed.Next returns another one. The package reads no clock and asks no cluster.
package follow
