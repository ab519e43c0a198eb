// Package conformance holds the simulator's StatefulSet controller against Kubernetes' own: it makes random states
// for single syncs and random worlds for whole runs, plays them with any model.Controller, and says where two of
// them differ.
//
// The nested modules v1_NN have the real control code, one for each version of Kubernetes; the module adapter puts it
// behind model.Controller, and its packages apiserver and manifests compare the API server. This package belongs to the
// main module and knows nothing of Kubernetes' code, so that its generators serve the tests of the main module as well.
package conformance
