// Package placement decides which nodes take a pod, by what its template asks for and by what is known of the nodes, as
// the filter plugins of the real scheduler decide (NodeUnschedulable, TaintToleration, NodeAffinity, NodePorts,
// NodeResourcesFit, VolumeBinding, PodTopologySpread and InterPodAffinity). Labels, node affinity, tolerations and the
// sums of requests are matched by Kubernetes' own packages. What cannot be decided is named, and refuses nothing.
package placement
