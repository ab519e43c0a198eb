package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// situations are the rows of the page: how a set of three replicas and generation 2 differs from one at rest.
var situations = []struct {
	what   string
	change func(*timeline.Set)
}{
	{"all pods are updated and Ready", func(*timeline.Set) {}},
	{"all pods are Ready, none is available yet (minReadySeconds)", func(s *timeline.Set) { s.Status.Available = 0 }},
	{"one of the new pods is not Ready", func(s *timeline.Set) { s.Status.Ready = 2 }},
	{"a pod that is not Ready is in a crash loop", func(s *timeline.Set) {
		s.Status.Ready = 2
		s.Pods.Put(&timeline.Pod{Name: "web-2", Ordinal: 2, UID: 1, Phase: model.Running, Shown: "CrashLoopBackOff"})
	}},
	{"all pods are Ready, two of three are updated", func(s *timeline.Set) {
		s.Status.Updated, s.Status.Current, s.Status.UpdateRevision = 2, 1, "web-2"
	}},
	{"partition 2, and one pod is updated: a canary", func(s *timeline.Set) {
		s.Spec.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: 2}
		s.Status.Updated, s.Status.Current, s.Status.UpdateRevision = 1, 2, "web-2"
	}},
	{"OnDelete, and all pods are old", func(s *timeline.Set) {
		s.Spec.Spec.Strategy = model.Strategy{Type: model.OnDeleteStrategy}
		s.Status.Updated, s.Status.Current, s.Status.UpdateRevision = 0, 0, "web-2"
	}},
	{"OnDelete, and the controller has not seen the new set", func(s *timeline.Set) {
		s.Spec.Spec.Strategy = model.Strategy{Type: model.OnDeleteStrategy}
		s.Status = model.Status{}
	}},
	{"a surplus pod that is Ready", func(s *timeline.Set) { s.Status.Replicas, s.Status.Ready = 4, 4 }},
	{"a surplus pod that is not Ready", func(s *timeline.Set) { s.Status.Replicas = 4 }},
	{"replicas is 0, and three pods are left", func(s *timeline.Set) { s.Spec.Spec.Replicas = 0 }},
	{"the controller has not seen the change", func(s *timeline.Set) { s.Status.ObservedGeneration = 1 }},
	{"observedGeneration is ahead", func(s *timeline.Set) { s.Status.ObservedGeneration = 3 }},
	{"the set is being deleted", func(s *timeline.Set) { s.Spec.Deletion = &model.Deletion{} }},
	{"strategy Recreate", func(s *timeline.Set) { s.Spec.Spec.Strategy = model.Strategy{Type: model.RecreateStrategy} }},
}

// atRest is a set of three pods that is at rest.
func atRest() *timeline.Set {
	set := &timeline.Set{Key: model.Key{Namespace: "default", Name: "web"}}
	set.Spec = &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web", Generation: 2}}
	set.Spec.Spec.Replicas = 3
	set.Spec.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
	set.Status = model.Status{ObservedGeneration: 2, Replicas: 3, Ready: 3, Available: 3, Current: 3, Updated: 3,
		CurrentRevision: "web-1", UpdateRevision: "web-1"}
	return set
}

// TestPage holds the tables of docs/gates.md to the code; -update writes them.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, g := range gate.All() {
		proven := "read"
		switch {
		case g.Proven:
			proven = "run"
		case slices.Contains(columns, g):
			proven = "recorded"
		}
		fmt.Fprintf(&b, "| `%s` | %s to %s | %s | %s | %s | %s |\n", g.Name, g.From, g.Version, proven, looks(g.Looks),
			short(g.Looks.Timeout), g.Source)
	}
	b.WriteString(pageTable)
	for _, g := range gate.All() {
		fmt.Fprintf(&b, " %s |", g.Name)
	}
	fmt.Fprintf(&b, "\n|:---|%s\n", strings.Repeat(":---|", len(gate.All())))
	for _, s := range situations {
		fmt.Fprintf(&b, "| %s |", s.what)
		for _, g := range gate.All() {
			set := atRest()
			s.change(set)
			fmt.Fprintf(&b, " %s |", map[gate.State]string{gate.InProgress: "waits", gate.Done: "**done**", gate.Failed: "fails"}[g.Read(set).State])
		}
		b.WriteString("\n")
	}
	b.WriteString("| the set is deleted meanwhile |")
	for _, g := range gate.All() {
		v := g.Gone(model.Key{Namespace: "default", Name: "web"})
		fmt.Fprintf(&b, " %s |", map[gate.State]string{gate.InProgress: "waits", gate.Done: "**done**", gate.Failed: "fails"}[v.State])
	}
	b.WriteString("\n")
	goldenfile.Equal(t, "../../docs/gates.md", b.String())
}

// short renders a time without what is 0.
func short(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return strings.Replace(d.String(), "m0s", "m", 1)
}

// looks says in words when a tool looks.
func looks(l gate.Looks) string {
	var parts []string
	switch {
	case l.Every > 0:
		parts = append(parts, "every "+short(l.Every))
	case l.SetOnly:
		parts = append(parts, "when the set changes")
	default:
		parts = append(parts, "at once")
	}
	if l.Resync > 0 {
		parts = append(parts, "every "+short(l.Resync))
	}
	return strings.Join(parts, ", and ")
}

const pageHead = `# When the deploy tool says done

` + "```console" + `
$ sim run --gate helm-4,argo-cd scenarios/gates/down-to-zero-before-a-snapshot.yaml
...
deploy tools that wait
  step 1, default/db: helm-4 says done after 9s
  step 1, default/db: argo-cd says done after 9s
  step 2, default/db: helm-4 says done after 6s
  step 2, default/db: argo-cd says done after 0s, which is too early: db-0, db-1 and db-2 are
    surplus and still there. It is true after 6s
` + "```" + `

A rollout is over for a pipeline when the tool that waits says so. Each tool has a rule of its own, and none asks for
minReadySeconds. ` + "`sim plan`" + ` names the tools that are wrong about a change, with commands that wait rightly
([plan](plan.md#when-the-deploy-tool-says-done)). ` + "`sim run --gate`" + ` tells of each step of a scenario, and
` + "`sim explain --gate`" + ` of a dump, and ` + "`sim follow --gate`" + ` of a live rollout. In a scenario, the
expectation ` + "`gate`" + ` holds what a tool says, and
` + "`when: {gate: helm-4}`" + ` lets a step wait as a pipeline does ([format](format.md#expectation)). Examples:
[scenarios/gates](../scenarios/README.md#gates).

## The tools

"Run" means that the tool's own code is run on random sets, and says the same (` + "`sim/gate/proof`" + `): they reach at least
95 % of each reader, and the check has 120 of them with the answers recorded. "Recorded" means that the gate is held by
recorded answers of that code to whole rollouts, and "read" that the code was only read. In JSON only "run" is
` + "`proven`" + `. A tool that polls may end later than sim says, by up to its interval. A real kubectl and the waiters of
Helm 3 and 4 end so in ` + "`sim serve`" + `, on 22 changes (` + "`.ci/tasks/gates-e2e`" + `).

| gate | versions | proof | looks | timeout | rule |
|:---|:---|:---|:---|:---|:---|
`

const pageTable = `
A timeout that you set is ` + "`within`" + ` in the expectation and ` + "`timeout`" + ` in the step. Flux has none of its own, so it
never ends where nothing changes: a Kustomization has ` + "`spec.timeout`" + `, or else ` + "`spec.interval`" + ` less 30 s, at least
30 s. Give it: ` + "`gate: {tool: flux, within: 4m30s}`" + `. A HelmRelease waits as Helm does, 5m by default.

` + "`kubectl-wait`" + ` is the line that people write for a StatefulSet, ` + "`--for=jsonpath={.status.readyReplicas}=N`" + `.

Not modelled:

* Helm's ` + "`--wait-for-jobs`" + `: Helm then waits for the Jobs of the chart, too, and may end later, or fail by a Job.
* Argo CD's sync waves and hooks: what a later wave applies waits until the sets of the earlier ones are Healthy. Play it
  as steps with ` + "`when: {gate: argo-cd}`" + `.
* Health checks of your own: Argo CD's scripts in Lua, Flux's ` + "`healthCheckExprs`" + `.
* Kubedog fails at the second failure of a pod.

## What each says

A set of three replicas with a block ` + "`rollingUpdate`" + `, in its second generation. Where a tool says **done**, that is bold, so that it is
seen where it is wrong. Helm 4 looks at the pods only when the set changes and every three minutes, so a crash loop may
heal before it looks.

| situation |`
