package gate

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Flux is the wait of a Kustomization (spec.wait, spec.healthChecks). It polls the sets and their pods. Its timeout is
// spec.timeout, or else follows from spec.interval; neither is known here.
var Flux = &Gate{
	Name: "flux", Version: "0.84.0", From: "0.84",
	Source: "github.com/fluxcd/pkg/ssa, manager_wait.go, with github.com/fluxcd/cli-utils v1.2.2, pod_controller.go",
	Read:   kstatusWithPods, Gone: kstatusGone, Several: FailFast,
	Error: func(key model.Key, v Verdict) string {
		return fmt.Sprintf("[StatefulSet/%s status: '%s']", key, v.Status)
	},
	Early: "failed early due to stalled resources: ", Late: "timeout waiting for: ",
	Looks: Looks{Every: 5 * time.Second},
}
