package symptom

// ByGates is the reason of the condition Ready of a pod whose containers are ready and whose readiness gates are not all
// True, and ByContainers that of a pod of which the kubelet says that a container is not ready. The node controller
// gives none.
const ByGates, ByContainers = "ReadinessGatesNotReady", "ContainersNotReady"

var (
	// UnsetGate finds the readiness gate that nobody has set in the message of the condition Ready.
	UnsetGate = words(`corresponding condition of pod readiness gate "([^"]+)" does not exist`)
	// ProbeFails are in a warning about a readinessProbe that fails, and Untimely in one about one that takes too long.
	ProbeFails = words("^Unhealthy: Readiness")
	Untimely   = words("(?is)^Unhealthy: Readiness.*(timed out|timeout|deadline exceeded)")
	// Unanswered are in a warning about a probe for which the kubelet stops a container.
	Unanswered = words("^Unhealthy: (Liveness|Startup) probe (failed|errored)")
	// Unresolved are in a warning about a pod that does not find a name in the DNS.
	Unresolved = words(`(?i)can't resolve|cannot resolve|could not resolve|no such host|NXDOMAIN|bad address|` +
		`name or service not known|server can't find|name resolution|lookup `)
)

const prober = "kubelet 1.29 to 1.38, pkg/kubelet/prober"

// StoppedByProbe returns the probe for which the kubelet stops a container, by an event about its pod: "liveness" or
// "startup"; "" if the event says something else.
func StoppedByProbe(reason, message string) string {
	if reason != "Killing" {
		return ""
	}
	return Unalive.Found(message)
}

// What an edit of the template does about pods that run and are not Ready. A %s in what it needs stands for the container.
var (
	// Unstarted is about a container that a probe stops before it has started.
	Unstarted = Row{Name: "startupProbe has not succeeded", Source: prober, Ends: "The startupProbe of {container} has not " +
		"succeeded. After failureThreshold failures, the kubelet stops the container and starts it again.",
		Does: "let the containers of %s start", Needs: "the edit gives %s enough time to start (failureThreshold × " +
			"periodSeconds of its startupProbe), or corrects why it does not answer" + OrFix}
	// Unalive is about a container that the kubelet stops for a probe again and again.
	Unalive = Row{Name: "stopped for a probe", Source: "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime",
		Words:    words("failed (liveness|startup) probe, will be restarted"),
		Sentence: "the {found}Probe of container {container} of {pod} fails, and the kubelet stops the container again and again",
		Ends:     "Its {found}Probe fails, and the kubelet stops the container{times}{says}.", Does: "let the containers of %s run",
		Needs: "the edit gives the probe of %s that fails more time (timeoutSeconds, failureThreshold, or a startupProbe while it " +
			"starts), or corrects why it does not answer" + OrFix}
	// Slow is about a readinessProbe that takes longer than it may.
	Slow = Row{Name: "readinessProbe takes too long", Source: prober, Ends: "The probe itself takes longer than its " +
		"timeoutSeconds, so nothing shows that the application is at fault: most often the probe needs more time, or the " +
		"container more CPU. A new pod most likely has the same trouble.",
		Does: "let the readinessProbe of %s end in time", Needs: "the edit gives the readinessProbe of %s more time " +
			"(timeoutSeconds), or the container more CPU" + OrFix}
	Unprobed = Row{Name: "readinessProbe fails", Source: prober, Words: ProbeFails,
		Does: "let the pods of %s become Ready", Needs: "the edit corrects why the readinessProbe of %s fails" + OrFix + ". Or " +
			"the application gets what the last warning is about: then the StatefulSet continues by itself"}
	// Ungated is about a pod that runs, and whose readiness gates may be what keeps it from being Ready.
	Ungated = Row{Name: "readiness-gate", Source: "kubelet 1.29 to 1.38, pkg/kubelet/status/generate.go",
		Reasons: []string{ByGates}, Sentence: "a readiness gate of {pod} is not True", Ends: "Its containers are ready. Its " +
			"condition Ready says: {says}. Whoever sets that condition has to set it to True.",
		Does: "let the pods of %s become Ready", Needs: "the edit removes the readiness gate that is not True, or corrects " +
			"what keeps the containers from being ready. Or let whoever sets the gate set it to True: then the StatefulSet " +
			"continues by itself"}
)

var unready = Family{
	{Name: "gate that nobody has set", Source: Ungated.Source, Sentence: Ungated.Sentence, Ends: Ungated.Ends,
		Words: UnsetGate},
	Ungated, Unstarted, Unprobed, Unalive, Slow,
	{Name: "stopped from outside", Source: "SIGKILL and SIGTERM", Ends: "Exit code {code}: it was stopped from outside. Most " +
		"likely its livenessProbe or startupProbe failed, and the kubelet stopped it; {see} shows that."},
	{Name: "ended well", Source: "exit(2)", Ends: "It ends without an error. A container of a StatefulSet has to keep " +
		"running: when it ends, the kubelet starts it again."},
	{Name: "lost", Source: "kubelet, the time of the condition Ready", Sentence: "{pod} was Ready before, and is not Ready now",
		Ends: "It was Ready before. Assumed: it does not become Ready again, but a new pod with its name does."},
	{Name: "not-ready", Source: "kubelet, the condition Ready", Reasons: []string{ByContainers},
		Sentence: "{pod} {is} Running{long}, and is not Ready", Ends: "Assumed: it does not become Ready, since no pod with the " +
			"same spec is Ready. If it only needs more time, the StatefulSet continues when it is Ready."},
	{Name: "overdue", Source: "other pods of the dump", Ends: "Assumed: it does not become Ready, since it has been running " +
		"for many times as long as the other pods took, but a new pod with its name does."},
	{Name: "flaps", Source: prober, Needs: "{pod} stays Ready: it has been Running for {long}, and Ready only for the last " +
		"{since}{says}"},
}
