package model

import "time"

// Lifecycle holds what a kubelet reads from a template to start, probe and stop the containers of a pod.
type Lifecycle struct {
	// Init are the init containers in their order, sidecars among them. Containers are the others.
	Init, Containers []ContainerSpec
}

// ContainerSpec is a container as its kubelet sees it.
type ContainerSpec struct {
	Name string
	// Sidecar marks an init container with restartPolicy Always (KEP-753): it stays while the others run.
	Sidecar bool
	// Startup, Readiness and Liveness are nil if the container has no such probe.
	Startup, Readiness, Liveness *Probe
	// PreStop is the hook that runs before the container gets its stop signal; nil if there is none.
	PreStop *PreStop
}

// Probe says when a container is probed, and how many results in a row count. What the probe does is not modelled.
type Probe struct {
	InitialDelay, Period time.Duration
	// Successes and Failures are successThreshold and failureThreshold.
	Successes, Failures int
	// Grace is the probe's own terminationGracePeriodSeconds; nil if it has none.
	Grace *time.Duration
}

// PreStop is a preStop hook. Known means that the manifest says how long it takes, as a sleep does.
type PreStop struct {
	Takes time.Duration
	Known bool
}
