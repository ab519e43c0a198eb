package dump

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Facts has what a dump shows of a pod in addition to the model's pod, by what it is about.
type Facts struct {
	// Since when the pod is as it is, and how it has ended.

	// Since is the time at which it entered its current state: its deletion, the last change of its readiness, its
	// binding, or its creation; the latest of them, at or before 0.
	Since model.Time
	// Deadline is the end of its grace period, if it is being deleted. evicted is true if the taint manager has deleted
	// it.
	Deadline model.Time
	evicted  bool
	// Status is what the status of a pod that has ended says: "Evicted: The node was low on resource: memory."; else
	// "".
	Status string
	// Recreated is how often the controller has created the pod again since it had failed, in Within; 0 if no event
	// says so.
	Recreated int
	Within    time.Duration
	// Unreported is true if its phase is Unknown: its kubelet does not report it.
	Unreported bool
	// Unbegun is true if the kubelet of its node has not begun with it.
	Unbegun bool

	// Which container does not run, and why.

	// Waiting is the reason why a container does not run (ImagePullBackOff), "" if all run or have not started yet;
	// Message is its message, Container and Image are that container's, the image as the spec names it. Restarts counts
	// those of all containers.
	Waiting, Message, Container, Image string
	Restarts                           int
	// Added is true if the template of the pod has no such container: admission has added it. Replaced is the image
	// that the template names for it, if admission has replaced that; else "".
	Added    bool
	Replaced string
	// Runs is the image of a container of a Ready pod whose template names another one, Instead, for it; else "". Resized
	// is true if it has other resources than its template, and Resize says which resize of it is pending.
	Runs, Instead string
	Resized       bool
	Resize        string
	// OfInit is true if that container is an init container, OfSidecar if it is one that goes on running beside the
	// others.
	OfInit, OfSidecar bool
	// Crashed is true if that container runs, between two crashes, and Waiting is why it has ended the last time.
	Crashed bool
	// Ended says how its last run has ended, if it waits for the next one: "OOMKilled, exit code 137". ExitReason,
	// ExitMessage and Exit are the reason, the message and the exit code of its last end; "" if it has not ended.
	Ended, ExitReason, ExitMessage string
	Exit                           int
	// Last is the last run of that container, if it is not an init container and has been restarted before.
	Last *LastRun

	// For what a pod waits whose containers run.

	// Lost is true if the pod was Ready before and is not Ready now.
	Lost bool
	// Init is the init container that runs and for which the others wait, "" for none. Sidecar is true if it has
	// restartPolicy: Always, so that the others wait only until it has started.
	Init    string
	Sidecar bool
	// Unstarted is the container that runs and whose startupProbe has not succeeded yet, "" for none. Unready are the
	// containers that run and are not ready, of a pod with several.
	Unstarted string
	Unready   []string
	// Gate is the message of the condition Ready if only a readiness gate keeps the pod from being Ready, else "".
	Gate string

	// How it stands with the scheduler.

	// Unschedulable is the scheduler's message, "" if the pod has none.
	Unschedulable string
	// Scheduler is the name of the scheduler that the pod asks for, Scheduled is true if one has looked at the pod.
	Scheduler string
	Scheduled bool
	// Nominated is the node on which the scheduler has made room for the pod, "" if there is none.
	Nominated string

	// What others say of it.

	// Event is the last warning event about the pod, "" if the dump has none.
	Event string
	// PullSecret is the Secret for images that does not exist, in parentheses; "" if no event names one.
	PullSecret string
	// Preempted is when the pod that had this name before it was preempted; 0 if no event says so.
	Preempted model.Time
	// Cured is true if a change brings what it lacks; see Given.
	Cured bool
	// Owner is its controller if that is no StatefulSet, nil if it has none.
	Owner *Owner
}
