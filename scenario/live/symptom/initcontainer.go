package symptom

var inits = Family{
	{Name: "init-not-ended", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime/kuberuntime_container.go",
		Reasons: []string{Initializing}, Sentence: "the init container {init} of {pod} has not ended",
		Ends: "Its init container {init} runs, and until it has ended no other container starts. To see its log: {see}"},
	{Name: "sidecar", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime/kuberuntime_container.go",
		Sentence: "the init container {init} of {pod} has not ended",
		Ends: "Its sidecar {init} runs, but its startupProbe has not succeeded: until it does, no other container starts. To " +
			"see its log: {see}"},
	{Name: "waits for the next pod", Source: "statefulset controller, OrderedReady",
		Ends: "If it waits for {next}, that never ends: OrderedReady creates {next} only when {pod} is Ready. Parallel, " +
			"which only a new StatefulSet can have, creates all at once."},
}

// Begins are the reasons of a container that has simply not started yet.
var Begins = OneOf{Creating, Initializing}

// Creating is the reason of a container that is not made yet, Initializing that of one that waits for init containers.
const Creating, Initializing = "ContainerCreating", "PodInitializing"
