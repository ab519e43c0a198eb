// Package upgrade says what two versions of Kubernetes do differently with the same input: with a scenario, or with the
// StatefulSets of a cluster, which are put through what happens to sets in their lives.
package upgrade
