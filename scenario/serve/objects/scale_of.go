package objects

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// ScaleOf returns the subresource scale of a set.
func ScaleOf(set *Object) kinds.Fields {
	f := set.Fields
	meta := f.Map("metadata")
	at := ScaledOf(set.Kind)
	text := ""
	switch {
	case set.Kind == kinds.StatefulSet || set.Kind.Group == "apps":
		text = selectedBy(f)
	case set.Kind.Kind == "ReplicationController":
		text = labels.Set(f.Texts("spec", "selector")).String()
	case len(at.Selector) > 0:
		text = f.Text(at.Selector...)
	}
	spec, status := map[string]any{}, map[string]any{"replicas": f.Number(at.Status...)}
	if replicas := f.Number(at.Spec...); replicas != 0 {
		spec["replicas"] = replicas
	}
	if text != "" {
		status["selector"] = text
	}
	return kinds.Fields{
		"apiVersion": "autoscaling/v1", "kind": "Scale",
		"metadata": map[string]any{"name": meta["name"], "namespace": meta["namespace"], "uid": meta["uid"],
			"resourceVersion": meta["resourceVersion"], "creationTimestamp": meta["creationTimestamp"]},
		"spec": spec, "status": status,
	}
}

// ScaledOf returns where objects of a kind have their replicas.
func ScaledOf(kind *kinds.Kind) kinds.Scaled {
	if kind.Scaled != nil {
		return *kind.Scaled
	}
	return kinds.Scaled{Spec: []string{"spec", "replicas"}, Status: []string{"status", "replicas"}}
}

// selectedBy returns the selector of a set as a text.
func selectedBy(f kinds.Fields) string {
	selector, err := metav1.LabelSelectorAsSelector(SelectorOf(f))
	if err != nil {
		return ""
	}
	return selector.String()
}

func SelectorOf(set kinds.Fields) *metav1.LabelSelector {
	var selector metav1.LabelSelector
	data, err := json.Marshal(set.Map("spec", "selector"))
	if err != nil || json.Unmarshal(data, &selector) != nil {
		return nil
	}
	return &selector
}
