package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cluster is a laboratory in which the steps of a scenario have been played: a set of three pods with claims, a budget,
// and a pod of nobody.
func cluster(t *testing.T, more string) *play.Lab {
	t.Helper()
	text := `nodes: 3
until: 1h
steps:
- create:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: web, namespace: prod, labels: {team: a}, annotations: {note: kept}}
    spec:
      replicas: 3
      serviceName: web
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "a:1"}]}}
      volumeClaimTemplates:
      - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
- create:
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: web, namespace: prod}
    spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}
` + more
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	return &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
}

// TestDeeds shows what each deed is called, the command for it, what the API server answers, and what follows, until all
// is settled: testdata/deeds.txt.
func TestDeeds(t *testing.T) {
	to, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	gone, nobody := model.Key{Namespace: "prod", Name: "db"}, pod("web-9")
	claim := func(name string) model.Key { return pod(name) }
	both := []model.Key{pod("web-1"), pod("web-2")}
	budget := &model.Budget{Namespace: "prod", Name: "web"}
	otherBudget := &model.Budget{Namespace: "prod", Name: "other"}
	const silent = "- nodeDown: node-1\n"
	const waits = "- {delete: statefulset/web, namespace: prod, cascade: foreground}\n"
	with := func(finalizer string) *model.StatefulSet {
		return &model.StatefulSet{Meta: model.Meta{Namespace: web.Namespace, Name: web.Name, Finalizers: []string{finalizer}}}
	}
	var text strings.Builder
	for _, c := range []struct {
		name, before string
		script       play.Script
	}{
		{"a scale-up", "", play.Script{play.Scale(web, 4)}},
		{"a scale of a set that there is not", "", play.Script{play.Scale(gone, 4)}},
		{"an image", "", play.Script{play.SetImage(web, "app", "a:2")}},
		{"an image of the only container", "", play.Script{play.SetImage(web, "", "a 2")}},
		{"an image of a container that there is not", "", play.Script{play.SetImage(web, "side", "a:2")}},
		{"the revision before", "", play.Script{play.SetImage(web, "", "a:2"), play.Undo(web), play.Undo(gone)}},
		{"no revision before", "", play.Script{play.Undo(web)}},
		{"a rollingUpdate block", "", play.Script{play.WriteBlock(web)}},
		{"an annotation", "", play.Script{play.Annotate(web, "a", "b c"), play.Annotate(gone, "a", "b")}},
		{"a set and its pods", "", play.Script{play.DeleteSet(web, sim.Background)}},
		{"a set after its pods", "", play.Script{play.DeleteSet(web, sim.Foreground)}},
		{"a set without its pods", "", play.Script{play.DeleteSet(web, sim.Orphan)}},
		{"a set that there is not", "", play.Script{play.DeleteSet(gone, sim.Orphan)}},
		{"a pod", "", play.Script{play.Delete(pod("web-1"), false)}},
		{"a pod by force", "", play.Script{play.Delete(pod("web-1"), true)}},
		{"a pod that there is not", "", play.Script{play.Delete(nobody, false)}},
		{"two pods", "", play.Script{play.DeletePods(both, false)}},
		{"two pods by force", "", play.Script{play.DeletePods(both, true)}},
		{"one pod of a list", "", play.Script{play.DeletePods(both[:1], true)}},
		{"the two highest pods", "", play.Script{play.DeleteHighest(web, 2)}},
		{"all pods", "", play.Script{play.DeleteAll(web), play.DeleteAll(gone)}},
		{"until pods are gone", "", play.Script{play.DeleteAll(web), play.WaitGone(both), prompt(play.Scale(web, 2))}},
		{"until pods are gone that there are not", "", play.Script{play.WaitGone([]model.Key{nobody}), prompt(play.Scale(web,
			2))}},
		{"the finalizers of a pod", "", play.Script{play.FreePod(pod("web-1")), play.FreePod(nobody)}},
		{"the finalizers of a set that waits for its pods", waits, play.Script{
			play.FreeSet(with("foregroundDeletion")).After(time.Second)}},
		{"the finalizers of a set that leaves its pods", "", play.Script{play.FreeSet(with("orphan"))}},
		{"labels", "", play.Script{play.Label(both, map[string]string{"b": "x y", "a": "1"})}},
		{"a label that the selector needs", "", play.Script{play.Label(both[:1], map[string]string{"app": "other"})}},
		{"claims", "", play.Script{play.DeleteClaim(claim("data-web-1"), false), play.Delete(pod("web-1"), false),
			play.DeleteClaim(claim("data-web-9"), false)}},
		{"a claim by force", "", play.Script{play.DeleteClaim(claim("data-web-1"), false), play.DeleteClaim(claim("data-web-1"),
			true),
			play.Delete(pod("web-1"), false)}},
		{"the node of a pod that goes down", "", play.Script{play.LoseNode(pod("web-0")), play.LoseNode(nobody)}},
		{"a node that is out of service", silent, play.Script{play.OutOfService("node-1"), play.OutOfService("node-9")}},
		{"a node that is deleted", silent, play.Script{play.DeleteNode("node-1"), play.DeleteNode("node-9")}},
		{"nodes that are uncordoned", "- cordon: node-1\n- cordon: node-2\n", play.Script{
			play.Uncordon([]string{"node-1", "node-2"}), play.Delete(pod("web-0"), false)}},
		{"a pod that is not Ready for some time", "", play.Script{play.Unready(pod("web-1"), 7*time.Second)}},
		{"a pod that is not Ready any more", "", play.Script{play.Unready(pod("web-1"), 0), play.Unready(nobody, 0)}},
		{"a pod that fails", "", play.Script{play.Fail(pod("web-1"), "Evicted"), play.Fail(nobody, "Evicted")}},
		{"a pod that succeeds", "", play.Script{play.Succeed(pod("web-1"), "Completed"), play.Succeed(nobody, "Completed")}},
		{"a budget", "", play.Script{play.Loosen(budget), play.Loosen(otherBudget)}},
		{"a partition that holds", "", play.Script{play.WriteBlock(web), hold(), play.SetImage(web, "", "a:2")}},
		{"the set again, in parallel", "", play.InParallel(web)},
		{"the set again, with a storage class", "", play.WithClass(web, "", "fast")},
		{"the set again, with another storage class, and where no claim has the one before", "",
			play.WithClass(web, "", "fast").Then(play.WithClass(web, "fast", "slow")...).Then(play.WithClass(web, "fast", "other")...)},
		{"a set that there is not, again", "", play.InParallel(gone)},
		{"the control plane", "", play.Script{play.UpgradeControlPlane(to), play.Scale(web, 2)}},
	} {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		l := cluster(t, c.before)
		p := l.Paste(nil, c.script)
		for _, command := range c.script.Commands() {
			fmt.Fprintf(&text, "$ %s\n", command)
		}
		begin := max(0, play.StepAt(p.Events, len(l.Before)+1))
		for i := begin; i < len(p.Events); i++ {
			follow(&text, &p.Events[i], p.Events[begin].T)
		}
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/deeds.txt", text.String())
}

// hold holds a rolling update above all pods of the set.
func hold() play.Deed {
	return play.Hold(&model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web"}, Spec: model.Spec{Replicas: 3}})
}

// follow writes what happens to objects.
func follow(b *strings.Builder, e *timeline.Event, begin model.Time) {
	line := ""
	switch {
	case e.Step != nil:
		line = strings.TrimSpace(fmt.Sprintf("%s: %s: %s %s", e.Step.Verb, e.Step.Does, e.Step.Effect, e.Step.Refusal))
		for _, set := range e.Step.Sets {
			line += ": " + shown(set)
		}
		for _, key := range e.Step.Removed {
			line += ": removes " + key.Name
		}
	case e.Kind == timeline.KindPod:
		line = fmt.Sprintf("%s@%d %s %s", e.Pod, e.Template, e.State, e.Node)
	case e.Kind == timeline.KindOwner:
		line = fmt.Sprintf("%s %s %s", e.Set.Name, e.Pod, e.Owned.Change)
	case e.Kind == timeline.KindClaim:
		line = fmt.Sprintf("%s %s", e.Claim.Name, e.Claim.Phase)
	case e.Kind == timeline.KindNode:
		line = fmt.Sprintf("%s %s", e.Node, e.Reason)
	case e.Budget != nil:
		line = fmt.Sprintf("budget %s allows %d", e.Budget.Name, e.Budget.Allowed)
	case e.Kind == timeline.KindStatus && e.Reason == timeline.ReasonDeleted:
		line = e.Set.Name + " is gone"
	case e.Result != nil:
		line = string(e.Result.Verdict)
	}
	if line != "" {
		fmt.Fprintf(b, "%6s %s\n", e.T.Sub(begin), strings.TrimSpace(line))
	}
}

// shown is what deeds change of a set.
func shown(set *model.StatefulSet) string {
	text := fmt.Sprintf("%d replicas of @%d, %v, labels %v, annotations %v", set.Spec.Replicas, set.Spec.Template.ID,
		set.Spec.PodManagement, set.Labels, set.Annotations)
	if block := set.Spec.Strategy.RollingUpdate; block != nil {
		text += fmt.Sprintf(", partition %d", block.Partition)
	}
	for i := range set.Spec.ClaimTemplates {
		template := &set.Spec.ClaimTemplates[i]
		text += fmt.Sprintf(", claims without a class: %v", play.Classless(template))
		if class := play.ClassOf(template); class != "" {
			text += ", of the class " + class
		}
	}
	return text
}
