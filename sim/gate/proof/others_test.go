package proof

import (
	"fmt"
	"strings"
	"testing"

	"github.com/werf/kubedog/pkg/tracker/indicators"
	kubedogpod "github.com/werf/kubedog/pkg/tracker/pod"
	kubedogstatefulset "github.com/werf/kubedog/pkg/tracker/statefulset"

	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// kubedog is the status of a set as its tracker makes it. Its words are the first of those that it waits for.
func kubedog(_ *testing.T, s *timeline.Set) (v gate.Verdict) {
	defer func() {
		if defect := recover(); defect != nil {
			v = gate.Verdict{State: gate.Failed, Words: fmt.Sprint(defect)}
		}
	}()
	tracked, young := map[string]kubedogpod.PodStatus{}, []string{}
	for p := range s.Pods.All {
		tracked[p.Name] = kubedogpod.PodStatus{StatusIndicator: &indicators.StringEqualConditionIndicator{Value: p.Phase.String()}}
		if p.Ordinal > 0 {
			young = append(young, p.Name)
		}
	}
	status := kubedogstatefulset.NewStatefulSetStatus(object(s), 0, false, "", nil, tracked, young)
	if status.IsReady {
		return gate.Verdict{State: gate.Done, Words: "ready"}
	}
	return gate.Verdict{Words: strings.TrimSpace(status.WaitingForMessages[0])}
}
