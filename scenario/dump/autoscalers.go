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
		ScaleTargetRef struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Name       string `json:"name"`
		} `json:"scaleTargetRef"`
	} `json:"spec"`
}

// scales notes which sets have their replicas written, and by what: "HorizontalPodAutoscaler web". KEDA makes an
// autoscaler for a ScaledObject; both are named, since people change the latter.
func (c *converter) scales() {
	for _, object := range c.scalers {
		target := object.Spec.ScaleTargetRef
		if target.Kind != kindSet || !isKubernetes(kindSet, target.APIVersion) {
			continue
		}
		key := model.Key{Namespace: cmp.Or(object.Namespace, metav1.NamespaceDefault), Name: target.Name}
		c.Scalers[key] = append(c.Scalers[key], object.Kind+" "+object.Name)
		slices.Sort(c.Scalers[key])
	}
}
