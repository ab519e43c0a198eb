// Package scenario reads scenario files: YAML and manifests become a world, the steps that users take in it, and the
// expectations that the run is judged by. Load or Parse reads one, Run plays and judges it, Schema and Expand are for
// editors and readers of the format.
package scenario
