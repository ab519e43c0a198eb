package gate

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// KStatus is kstatus alone: what its function Compute says of a set, whoever asks. Its two copies,
// sigs.k8s.io/cli-utils and github.com/fluxcd/cli-utils, have the same rule; they differ in what they make of pods.
var KStatus = &Gate{
	Name: "kstatus", Version: "0.37.2", From: "0.37", Proven: true,
	Source: "sigs.k8s.io/cli-utils v0.37.2 and github.com/fluxcd/cli-utils v1.2.2, pkg/kstatus/status, stsConditions",
	Read:   kstatus, Gone: kstatusGone, Error: kstatusError,
	Looks: Looks{SetOnly: true},
}

// current and terminating make a verdict of kstatus.
func current(format string, args ...any) Verdict {
	return Verdict{State: Done, Status: "Current", Words: fmt.Sprintf(format, args...)}
}

func pending(format string, args ...any) Verdict {
	return Verdict{State: InProgress, Status: "InProgress", Words: fmt.Sprintf(format, args...)}
}

// kstatus leaves the generation out where status.observedGeneration is absent, as it is until the controller has seen
// the set. It knows two conditions, which the controller of Kubernetes never sets.
func kstatus(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	switch observed := status.ObservedGeneration; {
	case s.Spec.Terminating():
		return Verdict{State: InProgress, Status: "Terminating", Words: "Resource scheduled for deletion"}
	case observed != 0 && observed != s.Spec.Generation:
		return pending("StatefulSet generation is %d, but latest observed generation is %d", s.Spec.Generation, observed)
	}
	for _, c := range status.Conditions {
		switch {
		case c.True && c.Type == "Reconciling":
			return pending("%s", c.Message)
		case c.True && c.Type == "Stalled":
			return Verdict{State: Failed, Status: "Failed", Words: c.Message}
		}
	}
	switch {
	case spec.Strategy.Type == model.OnDeleteStrategy:
		return current("StatefulSet is using the ondelete update strategy")
	case spec.Replicas > status.Replicas:
		return pending("Replicas: %d/%d", status.Replicas, spec.Replicas)
	case spec.Replicas > status.Ready:
		return pending("Ready: %d/%d", status.Ready, spec.Replicas)
	case status.Replicas > spec.Replicas:
		return pending("Pending termination: %d", status.Replicas-spec.Replicas)
	}
	if block := spec.Strategy.RollingUpdate; block != nil {
		if expected := spec.Replicas - block.Partition; status.Updated < expected {
			return pending("updated: %d/%d", status.Updated, expected)
		}
		return current("Partition rollout complete. updated: %d", status.Updated)
	}
	switch {
	case spec.Replicas > status.Current:
		return pending("current: %d/%d", status.Current, spec.Replicas)
	case status.CurrentRevision != status.UpdateRevision:
		return pending("Waiting for updated revision to match current")
	}
	return current("All replicas scheduled as expected. Replicas: %d", status.Replicas)
}

// kstatusWithPods is the rule of a tool that looks at the pods, too: a pod in a crash loop fails a set that is in
// progress.
func kstatusWithPods(s *timeline.Set) Verdict {
	v := kstatus(s)
	if v.Status != "InProgress" {
		return v
	}
	looping := 0
	for p := range s.Pods.All {
		if p.Phase == model.Running && !p.Ready && !p.Terminating && p.Shown == "CrashLoopBackOff" {
			looping++
		}
	}
	if looping == 0 {
		return v
	}
	return Verdict{State: Failed, Status: "Failed", Words: fmt.Sprintf("%d pods have failed", looping)}
}

// kstatusGone waits: that there is no set is a state like any other.
func kstatusGone(model.Key) Verdict {
	return Verdict{State: InProgress, Status: "NotFound", Words: "Resource not found"}
}

// kstatusError is the error of Helm 4, which others word alike.
func kstatusError(key model.Key, v Verdict) string {
	return fmt.Sprintf("resource StatefulSet/%s not ready. status: %s, message: %s", key, v.Status, v.Words)
}
