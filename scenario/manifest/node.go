package manifest

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
)

// LabelZone is the label of a node that names its zone.
const LabelZone = corev1.LabelTopologyZone

// WrongLabel says what is wrong with a label, "" if nothing is. The words are the API server's.
func WrongLabel(key, value string) string {
	return strings.Join(append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...), "; ")
}

// WrongQuantity says what is wrong with the quantity of a resource, "" if nothing is.
func WrongQuantity(text string) string {
	quantity, err := resource.ParseQuantity(text)
	if err != nil || quantity.Sign() < 0 {
		return "write a quantity like 4, 500m or 16Gi"
	}
	return ""
}

// WrongTaint says what is wrong with a taint, "" if nothing is; a taint has the syntax of a label, and one of three
// effects.
func WrongTaint(key, value, effect string) string {
	switch corev1.TaintEffect(effect) {
	case corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
		return WrongLabel(key, value)
	}
	return "write it like key=value:NoSchedule; the effects are NoSchedule, PreferNoSchedule and NoExecute"
}
