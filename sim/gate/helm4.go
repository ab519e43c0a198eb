package gate

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Helm4 is helm --wait of Helm 4. It reads the pods when it looks, and looks when the wait begins, when the set changes
// and every three minutes; so what it makes of a crash loop depends on when the set changes.
var Helm4 = &Gate{
	Name: "helm-4", Version: "4.3.2", From: "4.3", Proven: true,
	Source: "helm.sh/helm/v4 v4.3.2, pkg/kube/statuswait.go, with github.com/fluxcd/cli-utils v1.2.2, pod_controller.go",
	Read:   kstatusWithPods, Gone: kstatusGone, Several: Together,
	Error: kstatusError, After: "context deadline exceeded",
	Looks: Looks{SetOnly: true, Resync: 3 * time.Minute, Timeout: helmTimeout},
}

// Helm4HookOnly is Helm 4 with --wait=hookOnly, its default: it waits for no StatefulSet.
var Helm4HookOnly = &Gate{
	Name: "helm-4-hook-only", Version: "4.3.2", From: "4.3",
	Source: "helm.sh/helm/v4 v4.3.2, pkg/kube/statuswait.go, hookOnlyWaiter",
	Read:   func(*timeline.Set) Verdict { return done("") },
	Gone:   func(model.Key) Verdict { return done("") },
	Error:  words,
	Looks:  Looks{Timeout: helmTimeout},
}
