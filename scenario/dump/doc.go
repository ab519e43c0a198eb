// Package dump reads what kubectl prints of a live cluster (`kubectl get statefulsets,pods,... -o yaml`) as the state
// that a world can begin with, and prints a state as kubectl would.
//
// A dump does not show all that goes on from it: why a pod is not Ready, or why a pod is missing that nothing holds
// back. What is taken of that, and from what, stands in stays.go; what is assumed for want of a kind is said.
package dump
