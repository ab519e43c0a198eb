package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/render"
)

// thing is an object of another kind, as a stream has it.
type thing struct {
	kind      string
	namespace string
	name      string
}

// compareOthers notes which objects of other kinds are not the same in both streams.
func (in *Input) compareOthers(before, after []manifest.Other, namespaces [2]string) {
	texts, nodes := map[thing][2]string{}, map[thing][2]*yaml.Node{}
	var things []thing
	in.claims = map[model.Key]bool{}
	for side, others := range [][]manifest.Other{before, after} {
		in.kinds[side] = map[string]bool{}
		for _, o := range others {
			in.kinds[side][o.Kind] = true
			if o.IsClaim() {
				in.claims[model.Key{Namespace: cmp.Or(o.Namespace, namespaces[side]), Name: o.Name}] = true
			}
			t := thing{kind: o.Kind, namespace: cmp.Or(o.Namespace, namespaces[side]), name: o.Name}
			both, known := texts[t]
			if !known {
				things = append(things, t)
			}
			both[side] = plain(o.Node)
			texts[t] = both
			pair := nodes[t]
			pair[side] = o.Node
			nodes[t] = pair
		}
	}
	for _, t := range things {
		if both := texts[t]; both[0] == both[1] {
			continue
		}
		in.changed = append(in.changed, t)
		if was, is := nodes[t][0], nodes[t][1]; is != nil && !sameData(was, is) {
			in.differs = append(in.differs, t)
		}
		if s := drawnIn(t, nodes[t][0], nodes[t][1]); s != nil {
			in.drawn = append(in.drawn, s)
		}
	}
	in.bring(func(t thing) *yaml.Node { return nodes[t][1] })
}

// sameData says whether two objects are ConfigMaps or Secrets that have the same for pods to read, whatever stands in
// their metadata.
func sameData(before, after *yaml.Node) bool {
	was, is := map[string]any{}, map[string]any{}
	if before == nil || before.Decode(&was) != nil || after.Decode(&is) != nil || was["spec"] != nil || is["spec"] != nil {
		return false
	}
	kind := is["kind"]
	return (kind == "ConfigMap" || kind == "Secret") && maps.Equal(valuesOf(was), valuesOf(is))
}

// serverOnly are the fields of an object's metadata that a server writes, or that a stream may leave out.
var serverOnly = []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "namespace"}

// plain returns an object as text that is the same for objects that are, except what only a server writes.
func plain(n *yaml.Node) string {
	var value any
	if n == nil || n.Decode(&value) != nil {
		return "?"
	}
	if object, ok := value.(map[string]any); ok {
		delete(object, "status")
		if metadata, ok := object["metadata"].(map[string]any); ok {
			for _, name := range serverOnly {
				delete(metadata, name)
			}
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return string(text)
}

// changedOthers says whether an object of another kind changes.
func (in *Input) changedOthers() bool { return len(in.changed) > 0 }

// mounted says which ConfigMaps and Secrets that the pods of a set read change, though nothing of the set does so that
// no pod is created again for it. Where pods are replaced, or there were none, it says nothing.
func (in *Input) mounted(e *edit) []string {
	if len(in.changed) == 0 || e.pair.New == nil || e.live == nil || e.restarts() {
		return nil
	}
	var names []string
	for _, t := range reads(e.shown()) {
		if slices.Contains(in.differs, t) && in.shows(t.kind) {
			names = append(names, t.kind+" "+t.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: its pods read %s, which %s, but no pod restarts because of that. A mounted "+
		"file changes about a minute later (with subPath: at the next restart), an environment variable at the next restart.",
		e.pair.Key, render.And(names), render.Agree(len(names), "changes", "change"))}
}

// restarts says whether the change of a set replaces pods, or would if the API server took it.
func (e *edit) restarts() bool {
	return e.wanted != nil && e.rolls() && (e.set.Refusal != nil || len((&facts{moves: e.set.Moves}).of(replaced)) > 0)
}

// shows says whether both streams have objects of a kind. Otherwise nobody knows whether one of them changes: what
// kubectl get prints has only the kinds that it was asked for.
func (in *Input) shows(kind string) bool { return in.kinds[0][kind] && in.kinds[1][kind] }

// reads returns the ConfigMaps and Secrets that the pods of a set read.
func reads(set *model.StatefulSet) []thing { return readBy(set.Spec.Template, set.Namespace) }

// readBy returns those that the pods of a template in a namespace read.
func readBy(of *model.Template, namespace string) []thing {
	return readBySpec(podSpecOf(of), namespace)
}

// readBySpec returns those that the pods of a spec in a namespace read.
func readBySpec(spec *corev1.PodSpec, namespace string) []thing {
	var list []thing
	add := func(kind, name string) {
		t := thing{kind: kind, namespace: namespace, name: name}
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
