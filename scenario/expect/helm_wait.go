package expect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// helmWait is the rule: helm --wait would return within its timeout. It is judged at each fixed point; Helm looks less
// often, so what holds only for a moment would be seen here and not by Helm.
type helmWait struct {
	span span
	// ready says what a set still lacks for Helm, "" is nothing. It reads the status, as Helm does, and no pods.
	ready func(*timeline.Set) string
}

// helmTimeout is Helm's own --timeout.
const helmTimeout = 5 * time.Minute

// The versions of Helm. Helm 4 uses its new waiter by default (--wait=legacy is that of Helm 3).
const helm3, helm4 = "3", "4"

// compileHelmWait reads a mapping, or null: Helm 4 with its own timeout, since the last step that wrote a set.
func compileHelmWait(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	m := c.shortOr(value, "helmWait", "within", "since", "helm")
	k := helmWait{span: span{c.step(m.Value("since"), "since"), c.limit(m)}, ready: lacksForHelm4}
	if k.span.within == 0 {
		k.span.within = helmTimeout
	}
	switch n := m.Value("helm"); {
	case n == nil || n.Value == helm4:
	case n.Value == helm3:
		k.ready = lacksForHelm3
	default:
		c.reader.Problem(n, "helm is "+strict.Describe(n), "write 3 or 4")
	}
	return k
}

// begin counts from the last step that wrote the set, which stands for helm upgrade, unless the rule names a step.
func (k helmWait) begin(r *run, set model.Key) watcher {
	s := k.span
	if s.since == 0 {
		s.since = r.lastChange(set)
	}
	l, ok := s.in(r)
	if !ok {
		return r.neverActed(s.since)
	}
	sets := r.of(set)
	return &reachedWatcher{
		limits: l, missed: "helm --wait would not have returned",
		reached: func(f *timeline.Fold) bool { return k.lacks(f, sets) == "" },
		lacks:   func(f *timeline.Fold) string { return k.lacks(f, sets) },
	}
}

// lacks says what the sets lack for Helm, "" is nothing. Helm does not wait for a set that does not exist yet, or no
// longer; but without any set at all the rule is not met.
func (k helmWait) lacks(f *timeline.Fold, sets []model.Key) string {
	var lacks []string
	there := 0
	for _, key := range sets {
		set := f.Set(key)
		if set == nil {
			continue
		}
		there++
		if why := k.ready(set); why != "" {
			lacks = append(lacks, "StatefulSet is not ready: "+key.String()+". "+why)
		}
	}
	if there == 0 {
		return "there is no StatefulSet"
	}
	return strings.Join(lacks, "; ")
}

// lastChange returns the number of the last step that wrote the set, or any; 0 if there is none.
func (r *run) lastChange(of model.Key) int {
	for _, i := range slices.Backward(r.steps) {
		if slices.ContainsFunc(r.events[i].Step.Sets, func(set *model.StatefulSet) bool {
			return of == (model.Key{}) || set.Key() == of
		}) {
			return r.events[i].Step.Number
		}
	}
	return 0
}

// lacksForHelm3 is the rule of Helm 3, and of Helm 4 with --wait=legacy (pkg/kube/ready.go, statefulSetReady).
func lacksForHelm3(s *timeline.Set) string {
	spec, status := &s.Spec.Spec, &s.Status
	if status.ObservedGeneration != s.Spec.Generation {
		return fmt.Sprintf("observedGeneration (%d) does not match spec generation (%d)", status.ObservedGeneration,
			s.Spec.Generation)
	}
	if spec.Strategy.Type != model.RollingUpdateStrategy {
		return ""
	}
	partition := 0
	if spec.Strategy.RollingUpdate != nil {
		partition = int(spec.Strategy.RollingUpdate.Partition)
	}
	replicas := int(spec.Replicas)
	switch expected := replicas - partition; {
	case int(status.Updated) < expected:
		return fmt.Sprintf("%d out of %d expected pods have been scheduled", status.Updated, expected)
	case int(status.Ready) != replicas:
		return fmt.Sprintf("%d out of %d expected pods are ready", status.Ready, replicas)
	case partition == 0 && status.CurrentRevision != status.UpdateRevision:
		return fmt.Sprintf("currentRevision %s does not yet match updateRevision %s", status.CurrentRevision,
			status.UpdateRevision)
	}
	return ""
}

// lacksForHelm4 is the rule of Helm 4, which is that of kstatus (sigs.k8s.io/cli-utils/pkg/kstatus/status, core.go,
// stsConditions, and generic.go). It leaves the generation out where status.observedGeneration is absent, as it is until
// the controller has seen the set.
func lacksForHelm4(s *timeline.Set) string {
	spec, status := &s.Spec.Spec, &s.Status
	switch observed := status.ObservedGeneration; {
	case s.Spec.Terminating():
		return "Resource scheduled for deletion"
	case observed != 0 && observed != s.Spec.Generation:
		return fmt.Sprintf("StatefulSet generation is %d, but latest observed generation is %d", s.Spec.Generation, observed)
	case spec.Strategy.Type == model.OnDeleteStrategy:
		return ""
	case spec.Replicas > status.Replicas:
		return fmt.Sprintf("Replicas: %d/%d", status.Replicas, spec.Replicas)
	case spec.Replicas > status.Ready:
		return fmt.Sprintf("Ready: %d/%d", status.Ready, spec.Replicas)
	case status.Replicas > spec.Replicas:
		return fmt.Sprintf("Pending termination: %d", status.Replicas-spec.Replicas)
	}
	if block := spec.Strategy.RollingUpdate; block != nil {
		if expected := spec.Replicas - block.Partition; status.Updated < expected {
			return fmt.Sprintf("updated: %d/%d", status.Updated, expected)
		}
		return ""
	}
	switch {
	case spec.Replicas > status.Current:
		return fmt.Sprintf("current: %d/%d", status.Current, spec.Replicas)
	case status.CurrentRevision != status.UpdateRevision:
		return "Waiting for updated revision to match current"
	}
	return ""
}
