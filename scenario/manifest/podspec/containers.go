package podspec

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// containers checks the containers. Names are unique among containers and init containers; initContainers checks those.
func (v *validator) containers(path *field.Path) {
	if len(v.spec.Containers) == 0 {
		v.add(field.Required(path, ""))
		return
	}
	names := sets.New[string]()
	for i := range v.spec.Containers {
		c, at := &v.spec.Containers[i], path.Index(i)
		v.container(c, at)
		if names.Has(c.Name) {
			v.add(field.Duplicate(at.Child("name"), c.Name))
		}
		names.Insert(c.Name)
		v.lifecycleAndProbes(c, at)
		v.restarts(c, at)
	}
	v.hostPorts(v.spec.Containers, path)
}

// restarts checks the rules for restarting a container that has ended.
func (v *validator) restarts(c *corev1.Container, path *field.Path) {
	switch {
	case c.RestartPolicy != nil:
		if !slices.Contains(restartPolicies, *c.RestartPolicy) {
			v.add(field.NotSupported(path.Child("restartPolicy"), *c.RestartPolicy, restartPolicies))
		}
	case len(c.RestartPolicyRules) > 0:
		v.add(field.Required(path.Child("restartPolicy"), "must specify restartPolicy when restart rules are used"))
	}
	rules := path.Child("restartPolicyRules")
	if n := len(c.RestartPolicyRules); n > 20 {
		v.add(field.TooMany(rules, n, 20))
	}
	for i := range c.RestartPolicyRules {
		v.restartRule(&c.RestartPolicyRules[i], rules.Index(i))
	}
}

// restartRule checks a rule for exit codes.
func (v *validator) restartRule(rule *corev1.ContainerRestartRule, path *field.Path) {
	actions := []corev1.ContainerRestartRuleAction{
		corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers,
	}
	if !slices.Contains(actions, rule.Action) {
		v.add(field.NotSupported(path.Child("action"), rule.Action, actions))
	}
	codes, at := rule.ExitCodes, path.Child("exitCodes")
	if codes == nil {
		v.add(field.Required(at, "must be specified"))
		return
	}
	operators := []corev1.ContainerRestartRuleOnExitCodesOperator{
		corev1.ContainerRestartRuleOnExitCodesOpIn, corev1.ContainerRestartRuleOnExitCodesOpNotIn,
	}
	if !slices.Contains(operators, codes.Operator) {
		v.add(field.NotSupported(at.Child("operator"), codes.Operator, operators))
	}
	if n := len(codes.Values); n > 255 {
		v.add(field.TooMany(at.Child("values"), n, 255))
	}
}

// restartPolicies are the restart policies of a single container.
var restartPolicies = []corev1.ContainerRestartPolicy{
	corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure,
}

// initContainers checks the init containers. Only one with restartPolicy Always (a sidecar) has probes and hooks. Host
// ports are checked for each by itself, since most do not run at the same time.
func (v *validator) initContainers(path *field.Path) {
	names := sets.New[string]()
	for i := range v.spec.Containers {
		names.Insert(v.spec.Containers[i].Name)
	}
	for i := range v.spec.InitContainers {
		c, at := &v.spec.InitContainers[i], path.Index(i)
		v.container(c, at)
		v.initRestarts(c, at)
		if names.Has(c.Name) {
			v.add(field.Duplicate(at.Child("name"), c.Name))
		} else if c.Name != "" {
			names.Insert(c.Name)
		}
		v.hostPorts(v.spec.InitContainers[i:i+1], path)
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			v.lifecycleAndProbes(c, at)
		} else {
			v.notForInit(c, at)
		}
	}
}

// initRestarts is restarts for an init container: without a policy its rules are not looked at.
func (v *validator) initRestarts(c *corev1.Container, path *field.Path) {
	if c.RestartPolicy == nil && len(c.RestartPolicyRules) > 0 {
		v.add(field.Required(path.Child("restartPolicy"), "must specify restartPolicy when restart rules are used"))
		return
	}
	v.restarts(c, path)
}

// notForInit notes what an init container that ends cannot have: probes and hooks.
func (v *validator) notForInit(c *corev1.Container, path *field.Path) {
	for _, f := range []struct {
		given bool
		name  string
	}{
		{c.Lifecycle != nil, "lifecycle"}, {c.LivenessProbe != nil, "livenessProbe"},
		{c.ReadinessProbe != nil, "readinessProbe"}, {c.StartupProbe != nil, "startupProbe"},
	} {
		if f.given {
			v.add(field.Forbidden(path.Child(f.name), "may not be set for init containers without restartPolicy=Always"))
		}
	}
}

// container checks what containers and init containers have in common.
func (v *validator) container(c *corev1.Container, path *field.Path) {
	if v.required(path.Child("name"), c.Name) {
		v.invalid(path.Child("name"), c.Name, validation.IsDNS1123Label(c.Name))
	}
	v.required(path.Child("image"), c.Image)
	oneOf(v, path.Child("terminationMessagePolicy"), c.TerminationMessagePolicy,
		corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)
	v.ports(c.Ports, path.Child("ports"))
	v.env(c.Env, path.Child("env"))
	v.envFrom(c.EnvFrom, path.Child("envFrom"))
	v.mounts(c, path.Child("volumeMounts"))
	v.devices(c, path.Child("volumeDevices"))
	oneOf(v, path.Child("imagePullPolicy"), c.ImagePullPolicy,
		corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)
	v.resources(&c.Resources, path.Child("resources"))
	v.resizePolicy(c.ResizePolicy, path.Child("resizePolicy"))
	v.security(c.SecurityContext, path.Child("securityContext"))
}

// ports checks the ports of one container: names are unique in it, numbers need not be.
func (v *validator) ports(ports []corev1.ContainerPort, path *field.Path) {
	names := sets.New[string]()
	for i, port := range ports {
		at := path.Index(i)
		if port.Name != "" {
			// The real code counts on in the index of the port for each reason, but has made its path before.
			if reasons := validation.IsValidPortName(port.Name); len(reasons) > 0 {
				v.invalid(at.Child("name"), port.Name, reasons)
			} else if names.Has(port.Name) {
				v.add(field.Duplicate(at.Child("name"), port.Name))
			}
			names.Insert(port.Name)
		}
		if port.ContainerPort == 0 {
			v.add(field.Required(at.Child("containerPort"), ""))
		} else {
			v.invalid(at.Child("containerPort"), port.ContainerPort, validation.IsValidPortNum(int(port.ContainerPort)))
		}
		if port.HostPort != 0 {
			v.invalid(at.Child("hostPort"), port.HostPort, validation.IsValidPortNum(int(port.HostPort)))
		}
		oneOf(v, at.Child("protocol"), port.Protocol, corev1.ProtocolSCTP, corev1.ProtocolTCP, corev1.ProtocolUDP)
	}
}

// hostPorts checks that no two of the containers take the same port of the node, for a protocol and an address.
func (v *validator) hostPorts(containers []corev1.Container, path *field.Path) {
	taken := sets.New[string]()
	for i := range containers {
		for j, port := range containers[i].Ports {
			if port.HostPort == 0 {
				continue
			}
			text := fmt.Sprintf("%s/%s/%d", port.Protocol, port.HostIP, port.HostPort)
			if taken.Has(text) {
				v.add(field.Duplicate(path.Index(i).Child("ports").Index(j).Child("hostPort"), text))
			}
			taken.Insert(text)
		}
	}
}
