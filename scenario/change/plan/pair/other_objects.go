package pair

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Others is what two streams have beside StatefulSets.
type Others struct {
	// Changed are the objects that are not the same in both streams. Differs are those of them that NEW has, without the
	// ConfigMaps and Secrets of which only the metadata changes. Drawn are the Secrets that change in keys that look
	// drawn at random, and in no others.
	Changed, Differs []Thing
	Drawn            []*Drawn
	// Gone are the objects of OLD that NEW does not have.
	Gone []Thing
	// Budgets are those of both streams, each once; the new one wins. OldBudgets are those of OLD.
	Budgets, OldBudgets []*model.Budget
	// NewBudgets are those of NEW.
	NewBudgets []*model.Budget
	// Scalers are the autoscalers of the sets in both streams: "HorizontalPodAutoscaler web". OldScalers are those of OLD.
	Scalers, OldScalers map[model.Key][]string
	// claims are the PersistentVolumeClaims of both streams; those that name no namespace have none. services are the
	// Services of NEW, kinds the kinds that each of the streams has, and brought what Differs are, as pods may lack them.
	claims, services map[model.Key]bool
	// oldClaims and newClaims are those of each stream. Classes are the StorageClasses of the dump and of both streams.
	oldClaims, newClaims map[model.Key]*model.Claim
	Classes              manifest.Classes
	kinds                [2]map[string]bool
	brought              []dump.Brought
}

// Both says whether both streams have objects of a kind. Otherwise nobody knows whether one of them changes: what
// kubectl get prints has only the kinds that it was asked for.
func (o *Others) Both(kind string) bool { return o.kinds[0][kind] && o.kinds[1][kind] }

// HasOtherPods reports whether NEW has pods that are of no StatefulSet.
func (o *Others) HasOtherPods() bool {
	return slices.ContainsFunc([]string{"Deployment", "ReplicaSet", "ReplicationController", "DaemonSet", "Job", "CronJob", "Pod"},
		func(kind string) bool { return o.kinds[1][kind] })
}

// LacksService says whether NEW has Services, but not the one with a name.
func (o *Others) LacksService(key model.Key) bool { return len(o.services) > 0 && !o.services[key] }

// othersOf compares the objects of two streams, OLD and NEW, each with the namespace of those that name none.
func othersOf(old, now *stream) Others {
	o := Others{claims: map[model.Key]bool{}, services: map[model.Key]bool{}, Scalers: map[model.Key][]string{}}
	o.oldClaims, o.newClaims = map[model.Key]*model.Claim{}, map[model.Key]*model.Claim{}
	o.OldScalers = old.scalers(map[model.Key][]string{})
	twins, absent := map[Thing]*[2]*manifest.Other{}, &manifest.Other{}
	var things []Thing
	for side, s := range []*stream{old, now} {
		o.kinds[side] = map[string]bool{}
		for i := range s.file.Others {
			other := &s.file.Others[i]
			t := Thing{dump.KindOf(other.Kind, other.APIVersion), cmp.Or(other.Namespace, s.namespace), other.Name}
			o.kinds[side][t.Kind] = true
			if other.IsClaim() {
				of := map[bool]map[model.Key]*model.Claim{true: o.newClaims, false: o.oldClaims}[s == now]
				o.keepClaim(of, other, model.Key{Namespace: t.Namespace, Name: t.Name})
			}
			if other.IsClass() {
				o.Classes = o.Classes.With(other.Class())
			}
			if s == now && t.Kind == "Service" {
				o.services[model.Key{Namespace: t.Namespace, Name: t.Name}] = true
			}
			if twins[t] == nil {
				twins[t] = &[2]*manifest.Other{absent, absent}
				things = append(things, t)
			}
			twins[t][side] = other
		}
	}
	o.OldBudgets, o.NewBudgets = old.budgets(nil), now.budgets(nil)
	for _, s := range []*stream{now, old} {
		o.Budgets, o.Scalers = s.budgets(o.Budgets), s.scalers(o.Scalers)
	}
	for _, t := range things {
		both := twins[t]
		before, after := both[0].Node, both[1].Node
		if both[0] != absent && both[1] != absent && plain(before) == plain(after) {
			continue
		}
		o.Changed = append(o.Changed, t)
		if both[1] == absent {
			o.Gone = append(o.Gone, t)
		}
		if after != nil && !sameData(before, after) {
			o.Differs = append(o.Differs, t)
			if t.Name != "" {
				o.brought = append(o.brought, broughtBy(t, after))
			}
		}
		if s := drawnIn(t, before, after); s != nil {
			o.Drawn = append(o.Drawn, s)
		}
	}
	return o
}

// budgets adds the budgets of the stream to those that there are. The API server refuses wrong ones.
func (s *stream) budgets(known []*model.Budget) []*model.Budget {
	for i := range s.file.Others {
		b := s.budgetOf(&s.file.Others[i])
		if b != nil && !slices.ContainsFunc(known, func(other *model.Budget) bool { return other.Key() == b.Key() }) {
			known = append(known, b)
		}
	}
	return known
}

func (s *stream) budgetOf(o *manifest.Other) *model.Budget {
	if !o.IsBudget() {
		return nil
	}
	b := o.Budget(&strict.Reader{})
	if b == nil || b.Wrong != "" {
		return nil
	}
	b.Namespace = cmp.Or(b.Namespace, s.namespace)
	return b
}

// scalers returns the autoscalers of sets that there are, and those of the stream.
func (s *stream) scalers(known map[model.Key][]string) map[model.Key][]string {
	for i := range s.file.Others {
		o := &s.file.Others[i]
		target := dump.ScaleTarget{}
		// A target that cannot be read is none.
		if n := manifest.Field(o.Node, "spec", "scaleTargetRef"); n == nil || n.Decode(&target) != nil {
			continue
		}
		key := model.Key{Namespace: cmp.Or(o.Namespace, s.namespace), Name: dump.ScaledSet(o.APIVersion, o.Kind, target)}
		if name := o.Kind + " " + o.Name; key.Name != "" && !slices.Contains(known[key], name) {
			known[key] = append(known[key], name)
		}
	}
	return known
}

// plain returns an object as text that is the same for objects that are, except what only a server writes, and the
// namespace, which a stream may leave out.
func plain(n *yaml.Node) string {
	if n == nil {
		return "?"
	}
	value := strict.Value(manifest.WithoutServerOnly(n))
	if object, ok := value.(map[string]any); ok {
		if metadata, ok := object["metadata"].(map[string]any); ok {
			delete(metadata, "namespace")
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return string(text)
}

// sameData says whether two objects are ConfigMaps or Secrets that have the same for pods to read.
func sameData(before, after *yaml.Node) bool {
	kind := manifest.Field(after, "kind")
	if before == nil || kind == nil || kind.Value != "ConfigMap" && kind.Value != "Secret" {
		return false
	}
	was, _ := strict.Value(before).(map[string]any)
	is, _ := strict.Value(after).(map[string]any)
	return was["spec"] == nil && is["spec"] == nil && maps.Equal(valuesOf(was), valuesOf(is))
}

// clusterWide are the kinds of objects that belong to no namespace, and that a pod may lack.
var clusterWide = []string{"StorageClass", "PriorityClass", "RuntimeClass", "PersistentVolume"}

func broughtBy(t Thing, object *yaml.Node) dump.Brought {
	b := dump.Brought{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}
	if slices.Contains(clusterWide, t.Kind) {
		b.Namespace = ""
	}
	for _, data := range []string{"data", "stringData", "binaryData"} {
		if n := manifest.Field(object, data); n != nil && n.Kind == yaml.MappingNode {
			for i := 0; i < len(n.Content); i += 2 {
				b.Keys = append(b.Keys, n.Content[i].Value)
			}
		}
	}
	if n := manifest.Field(object, "spec"); n != nil {
		// The API server refuses a spec that is wrong; then nothing of it counts.
		if text, err := json.Marshal(strict.Value(n)); err == nil && json.Unmarshal(text, &b.Spec) != nil {
			b.Spec = dump.BroughtSpec{}
		}
	}
	return b
}

// Thing is an object of another kind than StatefulSet.
type Thing struct{ Kind, Namespace, Name string }

// String names it as people do: Secret password.
func (t Thing) String() string { return t.Kind + " " + t.Name }

// refers are the fields of a pod spec that name a ConfigMap or a Secret, optional ones too.
var refers = map[string]string{
	"configMap": "ConfigMap", "configMapRef": "ConfigMap", "configMapKeyRef": "ConfigMap",
	"secret": "Secret", "secretRef": "Secret", "secretKeyRef": "Secret",
}

// Reads returns the ConfigMaps and Secrets that the pods of a template in a namespace read.
func Reads(of *model.Template, namespace string) []Thing {
	var template map[string]any
	if err := json.Unmarshal([]byte(of.Data), &template); err != nil {
		panic(fmt.Sprintf("pair: a template cannot be decoded: %v", err))
	}
	return readIn(template["spec"], namespace, nil)
}

// readIn adds those that a part of a pod spec names: first those of volumes, then those of containers.
func readIn(part any, namespace string, list []Thing) []Thing {
	items, _ := part.([]any)
	for _, item := range items {
		list = readIn(item, namespace, list)
	}
	fields, _ := part.(map[string]any)
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(fields))) {
		of, _ := fields[key].(map[string]any)
		name, _ := cmp.Or(of["name"], of["secretName"]).(string)
		if t := (Thing{refers[key], namespace, name}); t.Kind != "" && name != "" && !slices.Contains(list, t) {
			list = append(list, t)
		}
		list = readIn(fields[key], namespace, list)
	}
	return list
}

// SpecOf decodes the pod spec of a template. The server has stored it, so that it can be decoded.
func SpecOf(template *model.Template) *corev1.PodSpec {
	var parts corev1.PodTemplateSpec
	if err := kube.Unmarshal([]byte(template.Data), &parts); err != nil {
		panic(fmt.Sprintf("pair: a template cannot be decoded: %v", err))
	}
	return &parts.Spec
}
