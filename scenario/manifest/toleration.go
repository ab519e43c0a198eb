package manifest

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
)

// tolerated returns how long pods with these tolerations stay on a node with a taint of this key and the effect
// NoExecute: the shortest time of those that match, or model.Forever. nil means that none matches; then the admission
// plugin DefaultTolerationSeconds adds one.
func tolerated(tolerations []corev1.Toleration, key string) *time.Duration {
	var stays *time.Duration
	for i := range tolerations {
		t := &tolerations[i]
		keyFits := t.Key == key || t.Key == "" && t.Operator == corev1.TolerationOpExists
		valueFits := t.Operator == corev1.TolerationOpExists || t.Value == ""
		if !keyFits || !valueFits || t.Effect != "" && t.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		d := model.Forever
		if t.TolerationSeconds != nil {
			d = time.Duration(max(0, *t.TolerationSeconds)) * time.Second
		}
		if stays == nil || *stays == model.Forever || d != model.Forever && d < *stays {
			stays = &d
		}
	}
	return stays
}
