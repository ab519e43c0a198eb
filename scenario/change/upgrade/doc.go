// Package upgrade says what two versions of Kubernetes do differently with the same input: with a scenario (Pair), or
// with the StatefulSets of a cluster (Input), which are put through what happens to sets in their lives.
//
// It reads manifests, or a dump by kubectl. It produces a Report, which Text, Markdown and encoding/json
// render. Three things hold:
//
//   - Whatever it says of a case was played: a difference is one between two timelines, and its cause is a difference
//     between the versions (sim/statefulset.Differences) that makes the later timeline what it is.
//   - Sets of one shape are played once, and a run is not played again where nothing that can matter to it differs
//     between the versions (when_differences_can_matter.go). Sets of different shapes share the runs that do not show
//     what they differ in. All of that saves time only: TestMatters and TestStandIns compare the reports with those of
//     playing everything.
//   - The images of the user do not matter: the cases set stand-ins, and all pods take the same default times.
//
// Invariants: an Input is only read once ReadState has been called; a player, and a stage with its players, belongs to
// one goroutine; the report does not depend on how many there are. A case is one of package whatif, and the command
// line calls the package.
package upgrade
