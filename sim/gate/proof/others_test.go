package proof

import (
	"fmt"
	"strings"
	"testing"

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
	status := kubedogstatefulset.NewStatefulSetStatus(object(s), 0, false, "", nil, nil, nil)
	if status.IsReady {
		return gate.Verdict{State: gate.Done, Words: "ready"}
	}
	return gate.Verdict{Words: strings.TrimSpace(status.WaitingForMessages[0])}
}
