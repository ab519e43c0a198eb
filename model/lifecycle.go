package model

import "time"

// Lifecycle is what a kubelet reads from a template to start the containers of a pod, to probe them and to stop them.
type Lifecycle struct {
	// Init are the init containers in their order, sidecars among them. Containers are the others.
	Init, Containers []ContainerSpec
}

// ContainerSpec is a container as its kubelet sees it.
type ContainerSpec struct {
	Name string
	// Sidecar marks an init container with restartPolicy Always (KEP-753): it stays while the others run.
	Sidecar bool
	// Startup, Readiness and Liveness are nil where the container has no such probe.
	Startup, Readiness, Liveness *Probe
	// PreStop is the hook that runs before the container is told to stop, nil where there is none.
	PreStop *PreStop
}

// Probe is when a container is probed and what many results in a row mean. What the probe does is not looked at.
type Probe struct {
	InitialDelay, Period time.Duration
	// Successes and Failures are successThreshold and failureThreshold.
	Successes, Failures int
	// Grace is the probe's own terminationGracePeriodSeconds, nil where it has none.
	Grace *time.Duration
}

// PreStop is a preStop hook. Known says that the manifest tells how long it takes: a sleep does.
type PreStop struct {
	Takes time.Duration
	Known bool
}
