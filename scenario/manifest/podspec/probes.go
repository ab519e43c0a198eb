package podspec

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// lifecycleAndProbes checks the hooks and probes of a container that stays up, in upstream's order.
func (v *validator) lifecycleAndProbes(c *corev1.Container, path *field.Path) {
	if l := c.Lifecycle; l != nil {
		if l.PostStart != nil {
			v.handler(handlerOf(l.PostStart), path.Child("lifecycle", "postStart"))
		}
		if l.PreStop != nil {
			v.handler(handlerOf(l.PreStop), path.Child("lifecycle", "preStop"))
		}
	}
	v.probe(c.LivenessProbe, path.Child("livenessProbe"))
	v.once(c.LivenessProbe, path.Child("livenessProbe"))
	v.probe(c.ReadinessProbe, path.Child("readinessProbe"))
	if p := c.ReadinessProbe; p != nil && p.TerminationGracePeriodSeconds != nil {
		v.add(field.Invalid(path.Child("readinessProbe", "terminationGracePeriodSeconds"), p.TerminationGracePeriodSeconds,
			"must not be set for readinessProbes"))
	}
	v.probe(c.StartupProbe, path.Child("startupProbe"))
	v.once(c.StartupProbe, path.Child("startupProbe"))
}

// once checks a liveness or startup probe, which needs only one success.
func (v *validator) once(probe *corev1.Probe, path *field.Path) {
	if probe != nil {
		v.must(probe.SuccessThreshold == 1, path.Child("successThreshold"), probe.SuccessThreshold, "must be 1")
	}
}

// probe checks what all probes have; nil is none.
func (v *validator) probe(probe *corev1.Probe, path *field.Path) {
	if probe == nil {
		return
	}
	v.handler(handler{exec: probe.Exec, http: probe.HTTPGet, tcp: probe.TCPSocket, grpc: probe.GRPC}, path)
	v.notNegative(path.Child("initialDelaySeconds"), int64(probe.InitialDelaySeconds))
	v.notNegative(path.Child("timeoutSeconds"), int64(probe.TimeoutSeconds))
	v.notNegative(path.Child("periodSeconds"), int64(probe.PeriodSeconds))
	v.notNegative(path.Child("successThreshold"), int64(probe.SuccessThreshold))
	v.notNegative(path.Child("failureThreshold"), int64(probe.FailureThreshold))
	if grace := probe.TerminationGracePeriodSeconds; grace != nil {
		v.must(*grace > 0, path.Child("terminationGracePeriodSeconds"), *grace, "must be greater than 0")
	}
}

// handler is the action of a probe or a hook; exactly one of its fields should be set.
type handler struct {
	exec  *corev1.ExecAction
	http  *corev1.HTTPGetAction
	tcp   *corev1.TCPSocketAction
	grpc  *corev1.GRPCAction
	sleep *corev1.SleepAction
}

// handlerOf returns the action of a hook, which cannot be gRPC.
func handlerOf(h *corev1.LifecycleHandler) handler {
	return handler{exec: h.Exec, http: h.HTTPGet, tcp: h.TCPSocket, sleep: h.Sleep}
}

// handler checks that there is one action, and that action. A sleep must end within the grace period of the pod.
func (v *validator) handler(h handler, path *field.Path) {
	handlers := 0
	check := func(given bool, name string, check func(*field.Path)) {
		switch {
		case !given:
		case handlers > 0:
			v.add(field.Forbidden(path.Child(name), "may not specify more than 1 handler type"))
		default:
			handlers++
			check(path.Child(name))
		}
	}
	check(h.exec != nil, "exec", func(path *field.Path) {
		if len(h.exec.Command) == 0 {
			v.add(field.Required(path.Child("command"), ""))
		}
	})
	check(h.http != nil, "httpGet", func(path *field.Path) { v.http(h.http, path) })
	check(h.tcp != nil, "tcpSocket", func(path *field.Path) { v.port(h.tcp.Port, path.Child("port")) })
	check(h.grpc != nil, "grpc", func(path *field.Path) { v.port(intstr.FromInt32(h.grpc.Port), path.Child("port")) })
	check(h.sleep != nil, "sleep", func(path *field.Path) {
		grace := *v.spec.TerminationGracePeriodSeconds
		v.must(h.sleep.Seconds >= 0 && h.sleep.Seconds <= grace, path, h.sleep.Seconds,
			fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", grace))
	})
	if handlers == 0 {
		v.add(field.Required(path, "must specify a handler type"))
	}
}

// http checks an HTTP request.
func (v *validator) http(get *corev1.HTTPGetAction, path *field.Path) {
	v.required(path.Child("path"), get.Path)
	v.port(get.Port, path.Child("port"))
	if get.Scheme != corev1.URISchemeHTTP && get.Scheme != corev1.URISchemeHTTPS {
		known := []corev1.URIScheme{corev1.URISchemeHTTP, corev1.URISchemeHTTPS}
		v.add(field.NotSupported(path.Child("scheme"), get.Scheme, known))
	}
	for _, header := range get.HTTPHeaders {
		v.invalid(path.Child("httpHeaders"), header.Name, validation.IsHTTPHeaderName(header.Name))
	}
}

// port checks a port that is a number or the name of a container's port. As upstream, the name need not exist.
func (v *validator) port(port intstr.IntOrString, path *field.Path) {
	if port.Type == intstr.Int {
		v.invalid(path, port.IntValue(), validation.IsValidPortNum(port.IntValue()))
		return
	}
	v.invalid(path, port.StrVal, validation.IsValidPortName(port.StrVal))
}
