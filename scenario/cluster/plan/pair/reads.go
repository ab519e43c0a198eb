package pair

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
)

// Thing is an object of another kind than StatefulSet.
type Thing struct{ Kind, Namespace, Name string }

// String names it as people do: Secret password.
func (t Thing) String() string { return t.Kind + " " + t.Name }

// Reads returns the ConfigMaps and Secrets that the pods of a template in a namespace read.
func Reads(of *model.Template, namespace string) []Thing { return readBySpec(SpecOf(of), namespace) }

// readBySpec returns those that the pods of a spec in a namespace read.
func readBySpec(spec *corev1.PodSpec, namespace string) []Thing {
	var list []Thing
	add := func(kind, name string) {
		t := Thing{kind, namespace, name}
		if name != "" && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	for i := range spec.Volumes {
		readsVolume(&spec.Volumes[i], add)
	}
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			readsEnv(&containers[i], add)
		}
	}
	return list
}

// readsVolume adds what a volume of a pod has from ConfigMaps and Secrets, optional ones too.
func readsVolume(v *corev1.Volume, add func(kind, name string)) {
	if v.ConfigMap != nil {
		add("ConfigMap", v.ConfigMap.Name)
	}
	if v.Secret != nil {
		add("Secret", v.Secret.SecretName)
	}
	if v.Projected == nil {
		return
	}
	for _, source := range v.Projected.Sources {
		if source.ConfigMap != nil {
			add("ConfigMap", source.ConfigMap.Name)
		}
		if source.Secret != nil {
			add("Secret", source.Secret.Name)
		}
	}
}

// readsEnv adds what the environment of a container has from them.
func readsEnv(c *corev1.Container, add func(kind, name string)) {
	for _, from := range c.EnvFrom {
		if from.ConfigMapRef != nil {
			add("ConfigMap", from.ConfigMapRef.Name)
		}
		if from.SecretRef != nil {
			add("Secret", from.SecretRef.Name)
		}
	}
	for _, env := range c.Env {
		if env.ValueFrom == nil {
			continue
		}
		if ref := env.ValueFrom.ConfigMapKeyRef; ref != nil {
			add("ConfigMap", ref.Name)
		}
		if ref := env.ValueFrom.SecretKeyRef; ref != nil {
			add("Secret", ref.Name)
		}
	}
}

// SpecOf decodes the pod spec of a template. The server has stored it, so that it can be decoded.
func SpecOf(template *model.Template) *corev1.PodSpec {
	var parts corev1.PodTemplateSpec
	if err := json.Unmarshal([]byte(template.Data), &parts); err != nil {
		panic(fmt.Sprintf("pair: a template cannot be decoded: %v", err))
	}
	return &parts.Spec
}
