package gate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestNamed: a gate is named by its tool, or by the tool and a version whose rule is known.
func TestNamed(t *testing.T) {
	for text, wrong := range map[string]string{
		"helm-4":                      "",
		"helm-4@4.3.2":                "",
		"helm-4@v4.3":                 "",
		"helm-4@4":                    "",
		"kubectl-rollout-status@1.30": "",
		"helm-4@4.4":                  `the rule of helm-4 is not known for version "4.4": write helm-4, or a version from 4.3 to 4.3.2`,
		"helm-4@4.2":                  `the rule of helm-4 is not known for version "4.2": write helm-4, or a version from 4.3 to 4.3.2`,
		"helm-4@new":                  `the rule of helm-4 is not known for version "new": write helm-4, or a version from 4.3 to 4.3.2`,
		"helm": `there is no gate "helm": write one of kubectl-rollout-status, kubectl-wait, helm-3, helm-4, ` +
			`helm-4-legacy, helm-4-hook-only, kstatus, flux, argo-cd, kubedog, pulumi, terraform, kapp, spinnaker`,
	} {
		g, err := gate.Named(text)
		if wrong != "" {
			require.EqualError(t, err, wrong)
			continue
		}
		require.NoError(t, err)
		require.Contains(t, text, g.Name)
	}
}

// TestSituations: what each tool says of a set in the situations in which they differ.
func TestSituations(t *testing.T) {
	rolling := model.Strategy{RollingUpdate: &model.RollingUpdate{}}
	status := model.Status{ObservedGeneration: 2, Replicas: 3, Ready: 3, Available: 3, Current: 3, Updated: 3,
		CurrentRevision: "web-1", UpdateRevision: "web-1"}
	type state struct {
		strategy model.Strategy
		status   model.Status
	}
	with := func(change func(*state)) state {
		s := state{rolling, status}
		change(&s)
		return s
	}
	for _, c := range []struct {
		what  string
		state state
		says  map[string]string
	}{
		{"an OnDelete set whose pods are old", with(func(s *state) {
			s.strategy = model.Strategy{Type: model.OnDeleteStrategy}
			s.status.Updated, s.status.Current, s.status.UpdateRevision = 0, 0, "web-2"
		}), map[string]string{
			"kubectl-rollout-status": "failed: error: rollout status is only available for RollingUpdate strategy type",
			"kubectl-wait":           "done: statefulset.apps/web condition met",
			"helm-3":                 "done: StatefulSet skipped ready check: default/web. updateStrategy is OnDelete",
			"helm-4":                 "done: StatefulSet is using the ondelete update strategy",
			"helm-4-legacy":          "done: StatefulSet skipped ready check: default/web. updateStrategy is OnDelete",
			"helm-4-hook-only":       "done: ",
			"kstatus":                "done: StatefulSet is using the ondelete update strategy",
			"flux":                   "done: StatefulSet is using the ondelete update strategy",
			"argo-cd":                "done: statefulset has 3 ready pods",
			"kubedog":                "waits: up-to-date 0->3 (user should delete old pods manually now!)",
			"pulumi":                 "done: StatefulSet initialization complete",
			"terraform":              "failed: rollout status is only available for RollingUpdate strategy type",
			"kapp":                   "waits: Waiting for 3 replicas to be updated",
			"spinnaker":              "done: stable",
		}},
		{"a set with a surplus pod that is not Ready", with(func(s *state) { s.status.Replicas = 4 }), map[string]string{
			"kubectl-rollout-status": "done: partitioned roll out complete: 3 new pods have been updated...",
			"helm-3":                 "done: StatefulSet is ready: default/web. 3 out of 3 expected pods are ready",
			"helm-4":                 "waits: Pending termination: 1",
			"argo-cd":                "done: partitioned roll out complete: 3 new pods have been updated...",
			"kubedog":                "done: ready",
			"pulumi":                 "waits: 3 out of 3 replicas succeeded readiness checks",
			"terraform":              "done: partitioned roll out complete: 3 new pods have been updated...",
			"kapp":                   "waits: Waiting for 1 replicas to be deleted",
			"spinnaker":              "waits: Waiting for partitioned roll out to finish",
		}},
		{"a canary", with(func(s *state) {
			s.strategy.RollingUpdate = &model.RollingUpdate{Partition: 2}
			s.status.Updated, s.status.Current, s.status.UpdateRevision = 1, 2, "web-2"
		}), map[string]string{
			"helm-3":    "done: StatefulSet is ready: default/web. 3 out of 3 expected pods are ready",
			"helm-4":    "done: Partition rollout complete. updated: 1",
			"kubedog":   "done: ready",
			"pulumi":    `waits: 1 out of 3 replicas succeeded readiness checks; StatefulSet controller failed to advance from revision "web-1" to revision "web-2"`,
			"kapp":      "done: ok",
			"spinnaker": "done: Partitioned roll out complete",
		}},
		{"a set that the controller has not seen", with(func(s *state) { s.status = model.Status{} }), map[string]string{
			"kubectl-rollout-status": "waits: Waiting for statefulset spec update to be observed...",
			"helm-3":                 "waits: StatefulSet is not ready: default/web. observedGeneration (0) does not match spec generation (2).",
			"helm-4":                 "waits: Replicas: 0/3",
			"kubedog":                "waits: observed generation 0 should be >= 2",
			"kapp":                   "waits: Waiting for generation 2 to be observed",
		}},
	} {
		set := &timeline.Set{Key: model.Key{Namespace: "default", Name: "web"}, Status: c.state.status}
		set.Spec = &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web", Generation: 2}}
		set.Spec.Spec.Replicas, set.Spec.Spec.Strategy = 3, c.state.strategy
		for name, want := range c.says {
			g, err := gate.Named(name)
			require.NoError(t, err)
			v := g.Read(set)
			word := map[gate.State]string{gate.InProgress: "waits", gate.Done: "done", gate.Failed: "failed"}[v.State]
			require.Equal(t, want, word+": "+v.Words, "%s: %s", c.what, name)
		}
	}
}
