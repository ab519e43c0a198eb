package dump

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
)

// The kinds that write the replicas of a set. No world plays them.
const (
	kindAutoscaler   = "HorizontalPodAutoscaler"
	kindScaledObject = "ScaledObject"
)

// scaler is an object that writes the replicas of another one, as far as all versions of both kinds agree.
type scaler struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ScaleTargetRef ScaleTarget `json:"scaleTargetRef"`
	} `json:"spec"`
}

// ScaleTarget is the object whose replicas an autoscaler writes.
type ScaleTarget struct {
	APIVersion string `json:"apiVersion" yaml:"apiVersion"`
	Kind       string `json:"kind" yaml:"kind"`
	Name       string `json:"name" yaml:"name"`
}

// ScaledSet returns the name of the StatefulSet whose replicas an object of a kind writes; "" if it writes none. A kind
// of another API group is another kind.
func ScaledSet(apiVersion, kind string, target ScaleTarget) string {
	known := (kind == kindAutoscaler || kind == kindScaledObject) && isKubernetes(kind, apiVersion)
	if !known || target.Kind != kindSet || !isKubernetes(kindSet, target.APIVersion) {
		return ""
	}
	return target.Name
}

// scales notes which sets have their replicas written, and by what: "HorizontalPodAutoscaler web". KEDA makes an
// autoscaler for a ScaledObject; both are named, since people change the latter.
func (c *converter) scales() {
	for _, object := range c.scalers {
		set := ScaledSet(object.APIVersion, object.Kind, object.Spec.ScaleTargetRef)
		if set == "" {
			continue
		}
		key := model.Key{Namespace: cmp.Or(object.Namespace, metav1.NamespaceDefault), Name: set}
		c.Scalers[key] = append(c.Scalers[key], object.Kind+" "+object.Name)
		slices.Sort(c.Scalers[key])
	}
}
