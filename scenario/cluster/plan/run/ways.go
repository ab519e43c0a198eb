package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// oneByOne deletes the pods from the lowest ordinal up, and waits for each to be back. If the new set counts the pods
// that it finds, all are Ready again; otherwise there is one more each time. Wake makes the controller, which waits
// longer after each error, sync the set at once.
func oneByOne(s *stored.Set, counted, wake bool) []play.Deed {
	var deeds []play.Deed
	pods := podsOf(s)
	for i, pod := range pods {
		deeds = append(deeds, play.Delete(pod, false))
		if wake {
			deeds = append(deeds, play.Annotate(s.Key(), "touched", fmt.Sprint(i+1)))
		}
		ready := i + 1
		if counted {
			ready = len(pods)
		}
		deeds = append(deeds, play.WaitForReady(s.Key(), ready))
	}
	return deeds
}

// podsOf returns the pods of the running set, from the lowest ordinal up.
func podsOf(s *stored.Set) []model.Key {
	var list []model.Key
	for i := range int(s.Live.Spec.Replicas) {
		list = append(list, model.Key{Namespace: s.Key().Namespace, Name: s.Live.PodName(s.Live.Start() + i)})
	}
	return list
}

// missingLabels returns the labels of the new selector that the running pods do not have.
func missingLabels(s *stored.Set) map[string]string {
	labels := map[string]string{}
	for _, need := range s.Wanted.Spec.Selector.Needs {
		value, has := s.Wanted.Spec.Template.Labels[need.Label]
		if has && s.Live.Spec.Template.Labels[need.Label] != value {
			labels[need.Label] = value
		}
	}
	return labels
}

// ways returns the ways that people use, the mildest first.
func ways(s *stored.Set) []way {
	key, n := s.Key(), int(s.Wanted.Spec.Replicas)
	orphan, apply := play.DeleteSet(key, sim.Orphan), applies(s)
	done := play.Script{play.RolloutStatus(key)}
	if s.Wanted.Spec.Strategy.Type != model.RollingUpdateStrategy {
		done = readyAll(key, n)
	}
	if keepsBlock(s) {
		return []way{{"write \"rollingUpdate: null\" below updateStrategy in the manifest: only the block that the live " +
			"object still has is refused. Or patch the live object first, and apply: ",
			play.Script{play.ToOnDelete(key), apply}}}
	}
	begin := play.Script{orphan, apply}
	list := []way{{"delete the set without its pods, and apply: ", begin.Then(done...)}}
	if labels := missingLabels(s); len(labels) > 0 && len(podsOf(s)) > 0 {
		list = append(list, way{"delete the set without its pods, give the pods the labels by which the new set finds " +
			"them, and apply: ", play.Script{orphan, play.Label(podsOf(s), labels), apply}.Then(done...)})
	}
	for _, wake := range []bool{false, true} {
		for _, counted := range []bool{false, true} {
			list = append(list, way{"delete the set without its pods, apply, and delete the pods one after the other: ",
				begin.Then(oneByOne(s, counted, wake)...)})
		}
	}
	return append(list, way{"delete the set with its pods, and apply: ",
		play.Script{play.DeleteSet(key, sim.Foreground), apply}.Then(done...)})
}

// way is a way around a refusal, and the beginning of the sentence about it.
type way struct {
	says   string
	script play.Script
}

// readyAll waits until so many pods are Ready. There is nothing to wait for if that is none: the status then lacks the
// number, and kubectl wait would never find it.
func readyAll(key model.Key, replicas int) play.Script {
	if replicas == 0 {
		return nil
	}
	return play.Script{play.WaitForReady(key, replicas)}
}

// applies returns the deed that applies the new manifest. What belongs to a Helm release comes by helm upgrade: kubectl
// apply of the rendered stream would go past Helm.
func applies(s *stored.Set) play.Deed {
	apply := play.Apply(s.Pair.New, s.Key().Namespace)
	object := s.Pair.New.Object
	if ofHelm(object.Labels) || ofHelm(object.Spec.Template.Labels) {
		release := cmp.Or(pair.ReleaseOf(s.Pair.New), pair.ReleaseOf(s.Pair.Old), object.Labels["app.kubernetes.io/instance"],
			"RELEASE")
		apply.Kubectl = command.Noted(command.Line("helm", "-n", s.Key().Namespace, "upgrade", release, "CHART"),
			"as you always do")
	}
	return apply
}

// ofHelm says whether labels are those that charts give their objects.
func ofHelm(labels map[string]string) bool {
	return labels["app.kubernetes.io/managed-by"] == "Helm" || labels["helm.sh/chart"] != ""
}

// keepsBlock says whether the change is refused only because kubectl apply keeps the rollingUpdate block of the live
// object, which the API server has filled in or somebody else has written, beside the type OnDelete.
func keepsBlock(s *stored.Set) bool {
	block := s.Wanted.Spec.Strategy
	return block.Type == model.OnDeleteStrategy && block.RollingUpdate != nil &&
		s.Fresh.Spec.Strategy.RollingUpdate == nil && len(s.Fixed) == 0
}

// deletesPods says whether one of the commands deletes pods.
func deletesPods(p *play.Pasted) bool {
	return slices.ContainsFunc(p.Commands, func(line string) bool {
		return strings.Contains(line, " delete pod ") || strings.Contains(line, "--cascade=foreground")
	})
}
