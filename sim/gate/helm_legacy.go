package gate

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// helmTimeout is Helm's own --timeout.
const helmTimeout = 5 * time.Minute

// Helm3 is helm --wait of Helm 3, Helm4Legacy that of Helm 4 with --wait=legacy.
var (
	Helm3       = legacy("helm-3", "3.22.0", "3.22", "helm.sh/helm/v3 v3.22.0, pkg/kube/ready.go, statefulSetReady")
	Helm4Legacy = legacy("helm-4-legacy", "4.3.2", "4.3", "helm.sh/helm/v4 v4.3.2, pkg/kube/ready.go, statefulSetReady")
)

func legacy(name, version, from, source string) *Gate {
	return &Gate{
		Name: name, Version: version, From: from, Source: source, Proven: true,
		Read: helmReady, Gone: notFound, Error: words, After: "context deadline exceeded",
		Looks: Looks{Every: 2 * time.Second, Timeout: helmTimeout},
	}
}

// helmReady reads the status and no pods.
func helmReady(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	lacks := func(format string, args ...any) Verdict {
		v := inProgress(format, args...)
		v.Words = "StatefulSet is not ready: " + s.Key.String() + ". " + v.Words
		return v
	}
	if status.ObservedGeneration != s.Spec.Generation {
		return lacks("observedGeneration (%d) does not match spec generation (%d).", status.ObservedGeneration,
			s.Spec.Generation)
	}
	if spec.Strategy.Type != model.RollingUpdateStrategy {
		return done("StatefulSet skipped ready check: %s. updateStrategy is %s", s.Key, spec.Strategy.Type)
	}
	partition := int32(0)
	if spec.Strategy.RollingUpdate != nil {
		partition = spec.Strategy.RollingUpdate.Partition
	}
	switch expected := spec.Replicas - partition; {
	case status.Updated < expected:
		return lacks("%d out of %d expected pods have been scheduled", status.Updated, expected)
	case status.Ready != spec.Replicas:
		return lacks("%d out of %d expected pods are ready", status.Ready, spec.Replicas)
	case partition == 0 && status.CurrentRevision != status.UpdateRevision:
		return lacks("currentRevision %s does not yet match updateRevision %s", status.CurrentRevision, status.UpdateRevision)
	}
	return done("StatefulSet is ready: %s. %d out of %d expected pods are ready", s.Key, status.Ready, spec.Replicas)
}
