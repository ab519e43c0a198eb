package symptom

import (
	"time"
)

// CrashLoop is the reason of a container that waits for its next run.
const CrashLoop = "CrashLoopBackOff"

var (
	// hasRun are the reasons of containers that have run (kubelet, containerd, CRI-O and docker), and Ends those of them
	// of a container that has ended with a failure, and is started again.
	hasRun = OneOf{CrashLoop, "Error", "Completed", "OOMKilled", "DeadlineExceeded", "ContainerStatusUnknown", "Evicted",
		"Unknown", "seccomp killed"}
	Ends = OneOf{CrashLoop, "Error", "OOMKilled"}
)

// NotMade reports whether a container does not run for this reason because it cannot be made or started: every reason
// that is none of an image, and of no container that has run. Its earlier runs do not show that it starts again.
func NotMade(reason string) bool {
	return reason != "" && !hasRun.Has(reason) && !imageReasons.Has(reason)
}

// Container returns why a container does not run that cannot be made, or that has ended; Nothing if its image is missing,
// or if its reason and message do not say it.
func Container(reason, message string) *Row {
	switch {
	case NotMade(reason):
		return containers.row(reason, message)
	case hasRun.Has(reason):
		return crashes.row(reason, message)
	}
	return Nothing
}

// Of returns what the reason and the message of a container show, whatever family it is of.
func Of(reason, message string) *Row {
	if image := Image(reason, message, "", ""); !image.None() {
		return image
	}
	return Container(reason, message)
}

const (
	manager = "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime/kuberuntime_container.go"
	runc    = "runc, libcontainer; crun"
	// OrFix is the other way to edit a template.
	OrFix = ". Or fix the manifest and apply it instead"
)

// otherProcessor is in both tables: the runtime says it, or the shell of a container.
var otherProcessor = Row{Name: "other processor", Source: "execve(2)", Words: words("exec format error"),
	OfNode: true, Ends: "The image is for another processor than that of {node}, or its command is no program: kubectl " +
		"get node {node} -L kubernetes.io/arch shows the architecture."}

var containers = Family{
	{Name: "not answered", Source: manager, Words: unreached, Within: patience,
		Does: uncreated.Does, Needs: uncreated.Needs},
	{Name: "name reserved", Source: "containerd and CRI-O, internal/registrar", Words: words("name.* is reserved for"),
		Within: patience, OfPod: true, Does: uncreated.Does, Needs: uncreated.Needs,
		Ends: "The runtime of {node} has not finished an earlier attempt to create this container, and keeps its name. The " +
			"container of a new pod has another name. If that fails too, the runtime of the node has to be restarted."},
	{Name: "subPath gone", Source: runc, Words: words(`volume-subpaths(?s:.*)no such file or directory`),
		Certain: true, OfPod: true,
		Ends: "It mounts a file by subPath, and its ConfigMap, Secret or volume has changed since the pod began: the " +
			"kubelet mounts the old file again, which is gone. A new pod mounts the new one."},
	{Name: "mount broken", Source: manager + "; " + runc, OfNode: true, Outside: true,
		Words: words(`(?is)transport endpoint is not connected|stale (nfs )?file handle|` +
			`mount source path \W?/var/lib/kubelet/|stat \W?/var/lib/kubelet/pods/|` +
			`/var/lib/kubelet/(pods|plugins)/\S+.{0,200}(input/output error|host is down)`),
		Sentence: "the mount of a volume of {pod} on node {node} is broken",
		Ends: "The mount of its volume on {node} is broken, and neither image, command nor template is at fault. A new pod gets " +
			"a mount of its own, most safely on another node. Or repair the mount there: unmount it, or restart the driver of " +
			"the volume."},
	{Name: "no seccomp profile", Source: "containerd and CRI-O; the kubelet's folder seccomp", OfNode: true,
		Words: words(`cannot load seccomp profile \W?([^\s":]+)`),
		Ends: "The seccomp profile {found}, which the template names, is not on {node}. When it is there, the kubelet starts the " +
			"container by itself. Or let {pod} run on a node that has it.", Does: uncreated.Does, Needs: uncreated.Needs},
	otherProcessor.surely(),
	{Name: "never started", Source: runc, Certain: true, Ends: startless,
		Words: words(`(?i)executable file not found|exec: .*(no such file|permission denied)|` +
			`unable to find (user|group)`)},
	uncreated.when(`(?i)no command specified|runAsNonRoot|non-numeric user|breaks non-root policy|` +
		`no such file or directory|not a directory|is a directory|permission denied|` +
		`(secret|configmap) "[^"]*" not found|couldn't find key|references non-existent`).surely(),
	{Name: "not started", Source: runc, Reasons: []string{"StartError", "ContainerCannotRun"}, Ends: startless},
	uncreated,
	{Name: "not made for another reason", Source: manager, Words: words(""), Within: patience},
}

// Unseen is the name of the row of containers that have ended unseen: with their node, their runtime or their sandbox.
const Unseen = "ended unseen"

const startless = "It has not run at all: the node cannot start its command. Either the image lacks it, or command, args " +
	"or workingDir of the template are wrong."

var uncreated = Row{Name: "not made", Source: manager, Within: patience,
	Reasons: []string{"CreateContainerConfigError", "CreateContainerError"}, Does: "let the containers of %s be created",
	Needs: "the edit corrects what the container refers to" + OrFix +
		". Or create what is missing: then the kubelet starts the container by itself"}

var crashes = Family{
	{Name: "out of memory", Source: "containerd, CRI-O and docker", Reasons: []string{"OOMKilled"},
		Words:    words("OOMKilled"),
		Sentence: "container {container} of {pod} uses more memory than its limit",
		Ends:     "OOMKilled: it has used more memory than its limit. It needs a higher limit, or has to use less.",
		Does:     "give the pods of %s more memory", Needs: "the edit raises the memory limit of %s far enough" + OrFix},
	{Name: "kernel setting", Source: "Elasticsearch, Redis and others", OfNode: true,
		Words: words(`\b((?:vm|fs|net|kernel)\.[a-z0-9_.-]+)\b.{0,40}\btoo low|` +
			`too low.{0,40}?\b((?:vm|fs)\.[a-z0-9_-]+)`),
		Ends: "The kernel of {node} is set differently: {found} has to be raised there, with sysctl or where the nodes are " +
			"configured. A new pod helps only if it comes to another node: kubectl cordon {node}"},
	otherProcessor,
	{Name: Unseen, Source: "kubelet 1.29 to 1.38, pkg/kubelet/kuberuntime; containerd", OfNode: true, Outside: true,
		Reasons: []string{"Unknown"}, Sentence: "the containers of {pod} have ended with node {node} or its runtime, and its " +
			"kubelet does not start them again",
		Ends: "Its containers have ended when {node} or its runtime was restarted, and have not been started again: look at the " +
			"network plug-in (CNI), the container runtime and the kubelet of {node}. The template ran there before."},
}

// What a pod lacks so that its containers start: a Secret or a ConfigMap, a key of one, or LacksItem, a key that a volume
// of one asks for and that its object, which the message does not name, lacks. VolumeIn names the volume.
var (
	absentObject = words(`(secret|configmap) "([^"]+)" not found`)
	absentKey    = words(`couldn't find key (\S+) in (ConfigMap|Secret) [^/ ]+/(\S+)`)
	LacksItem    = words(`references non-existent \w+ key: (\S+)`)
)

// Lacks returns the kind and the name of the Secret or the ConfigMap that a kubelet does not find; "" if it finds all.
func Lacks(message string) (kind, name string) {
	if found := absentObject().FindStringSubmatch(message); found != nil {
		return map[string]string{"secret": "Secret", "configmap": "ConfigMap"}[found[1]], found[2]
	}
	return "", ""
}

// LacksKey returns the key that a kubelet does not find, and the ConfigMap or Secret that should have it; "" for none.
func LacksKey(message string) (key, of string) {
	if found := absentKey().FindStringSubmatch(message); found != nil {
		return found[1], found[2] + " " + found[3]
	}
	return "", ""
}

var backOff = words(`^back-off (\S+) restarting failed container`)

// BackOff returns how long the kubelet waits after the end of a run, by the container's message; false if it is not said.
func BackOff(message string) (time.Duration, bool) {
	found := backOff().FindStringSubmatch(message)
	if found == nil {
		return 0, false
	}
	// What is no duration is no wait that is known.
	wait, _ := time.ParseDuration(found[1])
	return wait, true
}

// StoppedBy reports whether an exit code and its reason are those of a container that was stopped from outside.
func StoppedBy(code int, reason string) bool {
	return (code == 137 || code == 143) && reason == "Error"
}
