package heal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// besides returns in sentences what a way does besides what it is for: what it breaks, and who takes it back.
func besides(x *situation, way *Way) []string {
	var list []string
	list = append(list, brokenBudgets(x, way)...)
	scales := slices.ContainsFunc(way.Commands, func(c string) bool {
		return strings.Contains(c, " scale statefulset/") || strings.Contains(c, `"replicas":`)
	})
	if scales && len(x.given.Around.Scalers) > 0 {
		list = append(list, fmt.Sprintf("The %s %s spec.replicas, and may scale back meanwhile.",
			strings.Join(x.given.Around.Scalers, " and the "), render.Agree(len(x.given.Around.Scalers), "writes", "write")))
	}
	if undone := undoneBy(x.set); undone != "" && writesSet(way.Commands) && x.given.Reverted == "" {
		list = append(list, undone)
	}
	return list
}

// brokenBudgets says which budgets a way breaks that hold now: the deletion of a pod, unlike its eviction, asks none.
func brokenBudgets(x *situation, way *Way) []string {
	var list []string
	if x.drained() != nil {
		// These ways are about the budgets, and say so themselves.
		return nil
	}
	for _, b := range x.given.State.Budgets {
		if !b.Covers(x.set.Namespace, x.set.Spec.Template.Labels) || slices.ContainsFunc(x.given.State.Pods,
			func(p sim.PodState) bool { return b.Covers(p.Namespace, p.Labels) && !x.owns(&p) }) {
			continue
		}
		if want := int(b.Desired(x.set.Spec.Replicas)); way.Deleted > 0 && way.Fewest < want && want <= x.serving {
			list = append(list, fmt.Sprintf("The PodDisruptionBudget %s asks for %d healthy pods, and does not stop this: "+
				"only evictions ask it.", b.Name, want))
		}
	}
	return list
}

// emptied returns the danger of giving pods labels with which a Service loses its last pod that serves: "" if none
// does.
func emptied(x *situation, pods []model.Key, labels map[string]string) string {
	var emptied []string
	for _, service := range slices.Concat(x.given.Around.Services, x.given.State.Services) {
		before, after := 0, 0
		for i := range x.given.State.Pods {
			p := &x.given.State.Pods[i]
			if p.Namespace != service.Namespace || !p.Serving() || !service.Selects(p.Labels) {
				continue
			}
			before++
			if !slices.Contains(pods, p.Key()) || service.Selects(with(p.Labels, labels)) {
				after++
			}
		}
		if before > 0 && after == 0 {
			emptied = append(emptied, service.Name)
		}
	}
	if len(emptied) == 0 {
		return ""
	}
	return fmt.Sprintf("only if nobody needs the Service%s %s: with these labels no pod is behind %s any more",
		render.Agree(len(emptied), "", "s"), render.And(emptied), render.Agree(len(emptied), "it", "them"))
}

// with returns labels with others over them.
func with(labels, over map[string]string) map[string]string {
	both := maps.Clone(labels)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, over)
	return both
}
