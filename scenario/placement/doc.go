// Package placement decides which nodes take a pod, from the requirements of its template and what is known about
// the nodes, like the filter plugins of the real scheduler (NodeUnschedulable, TaintToleration, NodeAffinity,
// NodePorts, NodeResourcesFit, VolumeBinding, PodTopologySpread and InterPodAffinity). Labels, node affinity,
// tolerations and the sums of requests are matched by Kubernetes' own packages.
//
// It reads manifests once (Of), and the nodes of a world once (New); Filter.Fit then answers for one pod which nodes
// refuse it and why, in the scheduler's words. It keeps no state between two answers.
//
// Rule for missing information: a scenario often says little about its nodes. An unknown label, resource or
// namespace refuses nothing, and Undecided names it, so that a reader knows what a result is worth.
//
// Package scenario gives New to the worlds of scenarios, and package dump gives them the New of a Memory; package
// manifest reads constraints with Of; packages dump and plan ask which sets and nodes concern each other (Concern,
// Crowd, Without). Invariants: a Filter and Constraints do not change, so worlds may share them, and every answer
// follows from its arguments alone.
package placement
