// Package conformance holds the simulator's StatefulSet controller against Kubernetes' own: its tests make random
// states for single syncs and random worlds for whole runs, play them with any model.Controller, and say where two of
// them differ.
//
// The files real_*_test.go have the build tag real: they put Kubernetes' own control code behind model.Controller.
// `.ci/tasks/conformance` runs them once for each module file in the folder versions, which names its Kubernetes, and
// with a tag of that name, since the Go API of the control code has changed four times. With the tag apiserver, which
// `.ci/tasks/refusals` gives, they compare the API server too; that takes long to compile. All other files know nothing
// of Kubernetes' code: `make test` plays their recordings. It is a module of its own, so that the main one asks for no
// code of Kubernetes' controller.
package conformance
