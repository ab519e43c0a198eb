package manifest

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// modelLifecycle reads from a pod's spec, with its defaults filled in, what a kubelet needs to start its containers,
// to probe them and to stop them. The containers are in the order of the spec, which is that in which init containers
// run.
func modelLifecycle(spec *corev1.PodSpec) *model.Lifecycle {
	l := &model.Lifecycle{}
	for i := range spec.InitContainers {
		l.Init = append(l.Init, modelContainer(&spec.InitContainers[i]))
	}
	for i := range spec.Containers {
		l.Containers = append(l.Containers, modelContainer(&spec.Containers[i]))
	}
	return l
}

// modelContainer reads one container. A sidecar is an init container with restartPolicy Always.
func modelContainer(c *corev1.Container) model.ContainerSpec {
	m := model.ContainerSpec{
		Name:      c.Name,
		Sidecar:   c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways,
		Startup:   modelProbe(c.StartupProbe),
		Readiness: modelProbe(c.ReadinessProbe),
		Liveness:  modelProbe(c.LivenessProbe),
	}
	if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
		m.PreStop = modelPreStop(c.Lifecycle.PreStop)
	}
	return m
}

// modelProbe reads when a probe runs and how many results count; nil if there is none. What it asks is not simulated.
// The period is at least a second, as the kubelet has it. A nil Grace means that of the pod.
func modelProbe(p *corev1.Probe) *model.Probe {
	if p == nil {
		return nil
	}
	m := &model.Probe{
		InitialDelay: seconds(p.InitialDelaySeconds),
		Period:       max(seconds(p.PeriodSeconds), time.Second),
		Successes:    int(p.SuccessThreshold),
		Failures:     int(p.FailureThreshold),
	}
	if p.TerminationGracePeriodSeconds != nil {
		own := grace(*p.TerminationGracePeriodSeconds)
		m.Grace = &own
	}
	return m
}

// seconds returns a number of seconds, at least 0.
func seconds(n int32) time.Duration { return time.Duration(max(n, 0)) * time.Second }

// sleepCommand is a command that only sleeps, which is how many hooks wait for the endpoints to be taken out of
// service.
var sleepCommand = lazy.Regexp(`^(?:(?:/bin/)?(?:ba|da)?sh -e?c )?(?:/bin/)?sleep ([0-9]{1,6})s?;?$`)

// modelPreStop reads the time that a hook takes. A manifest only says it for a sleep; Known is false for any other
// hook.
func modelPreStop(hook *corev1.LifecycleHandler) *model.PreStop {
	if hook.Sleep != nil {
		return &model.PreStop{Takes: grace(max(hook.Sleep.Seconds, 0)), Known: true}
	}
	if hook.Exec != nil {
		if m := sleepCommand().FindStringSubmatch(strings.Join(hook.Exec.Command, " ")); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			return &model.PreStop{Takes: time.Duration(n) * time.Second, Known: true}
		}
	}
	return &model.PreStop{}
}
