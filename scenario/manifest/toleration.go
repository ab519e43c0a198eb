package manifest

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
)

// unreachable returns how long pods with these tolerations stay on a node that is unreachable: the shortest time of
// those that match the taint node.kubernetes.io/unreachable:NoExecute, or model.Forever. nil means that none matches;
// then the admission plugin DefaultTolerationSeconds adds one.
func unreachable(tolerations []corev1.Toleration) *time.Duration {
	var stays *time.Duration
	for i := range tolerations {
		t := &tolerations[i]
		keyFits := t.Key == corev1.TaintNodeUnreachable || t.Key == "" && t.Operator == corev1.TolerationOpExists
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
