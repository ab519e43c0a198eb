// Package dump reads what kubectl prints of a live cluster (`kubectl get statefulsets,pods,... -o yaml`) as the state
// that a world can begin with, and prints a state as kubectl would.
//
// It reads YAML or JSON, Lists or single objects, in any number of files, with any kinds left out. Objects of a live
// cluster have been accepted by an API server, so nothing is validated; unknown kinds and fields are ignored, because
// the server may be newer. The instant 0 of the state is the time of the dump, so everything in it has happened at or
// before 0.
//
// A dump does not show all that follows from it: why a pod is not Ready, or why a pod is missing that nothing holds
// back. lasting_failures.go and missing_pods.go say what is concluded, and from what; what is assumed because a kind is
// missing is in Dump.Assumed, in sentences for the user. Whatever is not known is assumed to be healthy, unless an
// object shows otherwise.
//
// Invariants: every uid in a state is above 0, and no two objects share one; each pod of the state has Facts; objects
// of one kind are in the order of kubectl, by namespace, name and ordinal, so nothing depends on how a dump was put
// together. A Dump does not change after Read, and neither does what is made of it: parts and worlds share its objects.
//
// Package explain asks a dump what it shows; packages scenario, plan and upgrade play worlds that begin with it. Print
// is for tests, which read again what a world has come to. This package plays a world itself only to find out what the
// scheduler and the controller would do at once.
package dump
