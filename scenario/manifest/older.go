package manifest

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
)

// A template may have fields that an older version does not know, or whose feature gate is off there: its API
// server drops them. A revision is named after the remaining template.

// podField is a field of a type of the API, by its name in JSON, and the first minor version that keeps it without
// another feature gate than its own.
type podField struct {
	of    any
	name  string
	since int
}

// never is the version of a field that no version keeps yet.
const never = 99

// The first minor versions of changes that affect more than one field.
const (
	// hostPorts: the hostPort of a template with hostNetwork stays as it is.
	hostPorts = 28
	// procMounts: a procMount other than Default is kept.
	procMounts = 33
	// stopSignals: a lifecycle with only a stopSignal is dropped as a whole, and not only the signal, which no
	// version keeps yet.
	stopSignals = 33
	// probeGraces: a probe has a terminationGracePeriodSeconds. graceGate: so do all, and not only the readiness probe,
	// which may not have one but is overlooked.
	probeGraces, graceGate = 21, 25
	// imageKnown, imageKept: a volume may be an image. In between its gate is off.
	imageKnown, imageKept = 31, 35
	// restartRules is the one version that drops the restartPolicy of a container that is not a sidecar.
	restartRules = 34
	// restartAll: a rule may start all containers again, and a sidecar may have rules.
	restartAll = 36
	// strictIPs: an IP address has no leading zeros (gate StrictIPCIDRValidation).
	strictIPs = 36
	// sidecars: an init container may have restartPolicy Always.
	sidecars = 29
)

// olderTemplates are the forms of a template that older versions store, the oldest first: it is a model.Older.
type olderTemplates []olderTemplate

// olderTemplate is the form that the minor versions before one store.
type olderTemplate struct {
	before   int
	template *model.Template
}

// In returns the template that a minor version stores, nil if it is the newest template.
func (o olderTemplates) In(minor int) *model.Template {
	for i := range o {
		if minor < o[i].before {
			return o[i].template
		}
	}
	return nil
}

// addMistakes adds what is wrong with the pods of each older template. A field that a version drops is not wrong there.
func (o olderTemplates) addMistakes(spec *appsv1.StatefulSetSpec, path *field.Path) {
	for _, older := range o {
		kept, t := *spec, older.template
		kept.Template = *templateIn(&spec.Template, older.before-1)
		t.Wrong = worded(texts(validatePods(&kept, path, podspec.Validate)), t.Wrong)
		before := podspec.ValidateBefore
		if older.before <= strictIPs {
			before = podspec.ValidateLenient
		}
		t.WrongBefore = worded(texts(validatePods(&kept, path, before)), t.WrongBefore)
	}
}

// worded adds mistakes in an older version's words to those in the newest words, of which it leaves out those about the
// same fields.
func worded(newest, older []string) []string {
	fields := map[string]bool{}
	for _, problem := range older {
		fields[fieldOf(problem)] = true
	}
	return append(slices.DeleteFunc(newest, func(problem string) bool { return fields[fieldOf(problem)] }), older...)
}

// fieldOf returns the field that a mistake is about.
func fieldOf(problem string) string {
	field, _, _ := strings.Cut(problem, ": ")
	return field
}

// olderOf returns what older versions make of a template, nil if nothing else. of has its defaults, and newest was made
// of it. An init container with restartPolicy Always runs on where the field is dropped too.
func olderOf(of *corev1.PodTemplateSpec, newest *model.Template) model.Older {
	var older olderTemplates
	next := newest
	for _, minor := range slices.Backward(changesOf(of, newest.Data)) {
		t := plainTemplate(templateIn(of, minor-1))
		t.Wrong = texts(restartsIn(of, minor-1))
		t.WrongBefore = t.Wrong
		if minor != strictIPs && t.Data == next.Data && slices.Equal(t.Wrong, next.Wrong) {
			continue
		}
		for i := range t.Lifecycle.Init {
			t.Lifecycle.Init[i].Sidecar = newest.Lifecycle.Init[i].Sidecar
		}
		older, next = append(older, olderTemplate{minor, t}), t
	}
	if older == nil {
		return nil
	}
	slices.Reverse(older)
	return older
}

// changesOf returns the minor versions that may read a template differently, in order.
func changesOf(template *corev1.PodTemplateSpec, data string) []int {
	var minors []int
	if template.Spec.HostNetwork && strings.Contains(data, `"containerPort":`) {
		minors = append(minors, hostPorts)
	}
	if strings.Contains(data, `"procMount":`) {
		minors = append(minors, procMounts)
	}
	if strings.Contains(data, `"image":{`) {
		minors = append(minors, imageKnown)
	}
	if strings.Count(data, `"restartPolicy":`) > 1 {
		minors = append(minors, restartRules, restartRules+1, restartAll)
	}
	if strings.Contains(data, `"hostAliases":`) || strings.Contains(data, `"nameservers":`) {
		minors = append(minors, strictIPs)
	}
	if strings.Contains(data, `"stopSignal":`) {
		minors = append(minors, stopSignals, never)
	}
	if strings.Contains(data, `Probe":{`) && strings.Count(data, `"terminationGracePeriodSeconds":`) > 1 {
		minors = append(minors, probeGraces, graceGate)
	}
	for i, key := range podKeys() {
		if f := &podFields[i]; strings.Contains(data, key) && f.mayBe(template, data) {
			minors = append(minors, f.since)
		}
	}
	slices.Sort(minors)
	return slices.Compact(minors)
}

// podKeys are the podFields as their keys stand in JSON.
var podKeys = sync.OnceValue(func() []string {
	keys := make([]string, len(podFields))
	for i := range podFields {
		keys[i] = `"` + podFields[i].name + `":`
	}
	return keys
})

// mayBe reports whether a field of a template may be this one, where each template has one of its name elsewhere.
func (f *podField) mayBe(template *corev1.PodTemplateSpec, data string) bool {
	switch f.of.(type) {
	case corev1.Container:
		return f.name != "restartPolicy" || strings.Count(data, `"restartPolicy":`) > 1
	case corev1.PodSpec:
		return f.name != "resources" || template.Spec.Resources != nil
	case corev1.VolumeSource:
		// Each container has an image too, which is a text.
		return f.name != "image" || strings.Contains(data, `"image":{`)
	}
	return true
}

// templateIn returns a template as a minor version stores it.
func templateIn(template *corev1.PodTemplateSpec, minor int) *corev1.PodTemplateSpec {
	template = template.DeepCopy()
	if minor >= imageKnown && minor < imageKept {
		dropImages(&template.Spec)
	}
	drop(reflect.ValueOf(&template.Spec).Elem(), minor)
	if minor == restartRules {
		dropRestartPolicies(&template.Spec)
	}
	for _, containers := range [][]corev1.Container{template.Spec.InitContainers, template.Spec.Containers} {
		for i := range containers {
			containerIn(&containers[i], minor, template.Spec.HostNetwork)
		}
	}
	defaultPodTemplate(template)
	return template
}

// dropImages drops the volumes that are images, and their mounts, as the versions do that know them and keep none. An
// older version makes an emptyDir of each.
func dropImages(spec *corev1.PodSpec) {
	dropped := map[string]bool{}
	spec.Volumes = slices.DeleteFunc(spec.Volumes, func(v corev1.Volume) bool {
		if v.Image != nil {
			dropped[v.Name] = true
		}
		return v.Image != nil
	})
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			containers[i].VolumeMounts = slices.DeleteFunc(containers[i].VolumeMounts,
				func(m corev1.VolumeMount) bool { return dropped[m.Name] })
		}
	}
}

// dropRestartPolicies drops the restartPolicy of all containers except sidecars.
func dropRestartPolicies(spec *corev1.PodSpec) {
	for i := range spec.Containers {
		spec.Containers[i].RestartPolicy = nil
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy != corev1.ContainerRestartPolicyAlways {
			c.RestartPolicy = nil
		}
	}
}

// restartsIn returns what a minor version finds wrong with the restart policies of the containers, which the newest
// accepts: up to 1.33 only a sidecar has one, and 1.35 does not start all containers again.
func restartsIn(of *corev1.PodTemplateSpec, minor int) field.ErrorList {
	path := field.NewPath("spec")
	switch {
	case minor >= sidecars && minor < restartRules:
		return policiesBefore(&of.Spec, path)
	case minor == restartRules+1:
		return rulesBefore(&of.Spec, path)
	}
	return nil
}

// policiesBefore returns the refusals of the versions that only know sidecars.
func policiesBefore(spec *corev1.PodSpec, path *field.Path) (errs field.ErrorList) {
	for i := range spec.Containers {
		if spec.Containers[i].RestartPolicy != nil {
			errs = append(errs, field.Forbidden(path.Child("containers").Index(i).Child("restartPolicy"),
				"may not be set for non-init containers"))
		}
	}
	always := []corev1.ContainerRestartPolicy{corev1.ContainerRestartPolicyAlways}
	for i := range spec.InitContainers {
		if policy := spec.InitContainers[i].RestartPolicy; policy != nil && *policy != always[0] {
			errs = append(errs, field.NotSupported(path.Child("initContainers").Index(i).Child("restartPolicy"), *policy, always))
		}
	}
	return errs
}

// rulesBefore returns the refusals of the version whose rules start the container alone.
func rulesBefore(spec *corev1.PodSpec, path *field.Path) (errs field.ErrorList) {
	actions := []corev1.ContainerRestartRuleAction{corev1.ContainerRestartRuleActionRestart}
	check := func(c *corev1.Container, at *field.Path) {
		for i, rule := range c.RestartPolicyRules {
			if rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers {
				errs = append(errs, field.NotSupported(at.Index(i).Child("action"), rule.Action, actions))
			}
		}
	}
	for i := range spec.Containers {
		check(&spec.Containers[i], path.Child("containers").Index(i).Child("restartPolicyRules"))
	}
	for i := range spec.InitContainers {
		c, at := &spec.InitContainers[i], path.Child("initContainers").Index(i).Child("restartPolicyRules")
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways && len(c.RestartPolicyRules) > 0 {
			errs = append(errs, field.Forbidden(at,
				"restartPolicyRules are not allowed for init containers with restart policy Always"))
			continue
		}
		check(c, at)
	}
	return errs
}

// containerIn makes of a container what a minor version does, but for the fields that it drops.
func containerIn(c *corev1.Container, minor int, hostNetwork bool) {
	if hostNetwork && minor < hostPorts {
		for i := range c.Ports {
			ifZero(&c.Ports[i].HostPort, c.Ports[i].ContainerPort)
		}
	}
	if security := c.SecurityContext; security != nil && security.ProcMount != nil && minor < procMounts {
		*security.ProcMount = corev1.DefaultProcMount
	}
	if l := c.Lifecycle; l != nil && l.StopSignal != nil {
		if l.StopSignal = nil; *l == (corev1.Lifecycle{}) && minor >= stopSignals {
			c.Lifecycle = nil
		}
	}
	for _, probe := range []*corev1.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
		if probe != nil && (minor < probeGraces || minor < graceGate && probe != c.ReadinessProbe) {
			probe.TerminationGracePeriodSeconds = nil
		}
	}
}

// drop empties the fields of an object, and of those in it, that a minor version does not keep.
func drop(v reflect.Value, minor int) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			drop(v.Elem(), minor)
		}
	case reflect.Slice:
		for i := range v.Len() {
			drop(v.Index(i), minor)
		}
	case reflect.Struct:
		for _, f := range fieldsByType()[v.Type()] {
			if minor < f.since {
				v.FieldByIndex(f.index).SetZero()
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				drop(v.Field(i), minor)
			}
		}
	}
}

// droppedField is a podField by its place in its type.
type droppedField struct {
	index []int
	since int
}

// fieldsByType are the podFields by their types. A field that the linked API does not have, as the older ones of the
// conformance modules, is in no template either.
var fieldsByType = sync.OnceValue(func() map[reflect.Type][]droppedField {
	byType := map[reflect.Type][]droppedField{}
	for i := range podFields {
		if field, found := podFields[i].field(); found {
			of := reflect.TypeOf(podFields[i].of)
			byType[of] = append(byType[of], droppedField{field.Index, podFields[i].since})
		}
	}
	return byType
})

// field returns the field of the type.
func (f *podField) field() (reflect.StructField, bool) {
	of := reflect.TypeOf(f.of)
	for i := range of.NumField() {
		field := of.Field(i)
		if json, _, _ := strings.Cut(field.Tag.Get("json"), ","); json == f.name {
			return field, true
		}
	}
	return reflect.StructField{}, false
}
