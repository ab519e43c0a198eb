package upgrade

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Checklist is what to do on the day of an upgrade, in this order.
type Checklist struct {
	Before []*Task `json:"before"`
	During []*Task `json:"during"`
	After  []*Task `json:"after"`
}

// Task is something to do, to see to or to look at. Do is a sentence without a full stop, Objects what it is about,
// and Commands help with it. Stops is true if a component stops at its start otherwise.
type Task struct {
	Do       string   `json:"do"`
	Objects  []string `json:"objects,omitempty"`
	Commands []string `json:"commands,omitempty"`
	Stops    bool     `json:"stops,omitempty"`
}

// checklist makes the checklist of a report that is complete.
func (r *Report) checklist(in *Input, o *Options) *Checklist {
	return &Checklist{
		Before: slices.Concat(skewTasks(in), gateTasks(in, o), r.setTasks(), budgetTasks(in), kubeletTasks(in, o)),
		During: r.order(o), After: r.afterTasks(),
	}
}

// skewTasks say which components do not fit the API server now.
func skewTasks(in *Input) (list []*Task) {
	server := in.Version()
	for _, c := range in.cluster.components {
		skew := release.Alike(statefulset.Release(server))
		for i, known := range release.Components {
			if known.Binary == c.Component && c.Version != "" {
				skew[i] = statefulset.Release(c.Version)
			}
		}
		if rule, _ := skew.Breaks(); rule != "" {
			list = append(list, &Task{Do: "Mend the versions that the cluster has now: " + rule, Objects: []string{c.On}})
		}
	}
	return list
}

// gateTasks say which feature gates have to be removed from the flags of which component, before it is upgraded.
func gateTasks(in *Input, o *Options) (list []*Task) {
	seen := map[string]bool{}
	for _, c := range in.cluster.components {
		seen[c.Component] = true
		for _, gate := range slices.Sorted(maps.Keys(c.Gates)) {
			if why := release.Stops(gate, c.Gates[gate], o.To); why != "" {
				list = append(list, &Task{Do: fmt.Sprintf("Remove the feature gate %s=%t from the flags of %s: %s, and the "+
					"component stops at its start", gate, c.Gates[gate], c.Component, why), Objects: []string{c.On}, Stops: true})
			}
		}
	}
	var unseen []string
	for _, c := range release.Components {
		if !seen[c.Binary] || c.Binary == kubelet {
			unseen = append(unseen, c.Binary)
		}
	}
	removed, which := release.Removed(o.To.Version()), "a gate that the new version no longer has"
	if len(removed) > 0 {
		which = "one of these, which " + o.To.Version() + " no longer has"
	}
	return append(list, &Task{Do: fmt.Sprintf("Look for feature gates in the flags and the configuration of %s, which the "+
		"input does not show: a component stops at its start if it is given %s", render.And(unseen), which),
		Objects: removed})
}

// setTasks say which sets have to be changed, or waited for.
func (r *Report) setTasks() (list []*Task) {
	if len(r.NotAtRest) > 0 {
		list = append(list, &Task{Do: "Wait until these sets are at rest, or heal them", Objects: r.NotAtRest})
	}
	for _, h := range r.Hazards {
		if !h.After {
			list = append(list, &Task{Do: h.task(), Objects: h.Sets, Commands: h.Commands})
		}
	}
	for _, g := range r.Groups {
		if task := g.worseTask(r.To); task != nil {
			list = append(list, task)
		}
	}
	return list
}

// worseTask says in which case the sets of a group are worse off, and what helps in all such cases; nil if in none.
func (g *Group) worseTask(to string) *Task {
	var task *Task
	var ways []string
	for _, row := range g.Rows {
		if !row.IsWorse {
			continue
		}
		if task == nil {
			task = &Task{Do: fmt.Sprintf("Worse on %s: %s: %s", to, row.Does, row.Endings[1]), Objects: g.Sets}
			if row.Show != "" {
				task.Commands = []string{row.Show}
			}
		}
		if row.Advice != "" && !slices.Contains(ways, row.Advice) {
			ways = append(ways, row.Advice)
		}
	}
	if len(ways) > 0 {
		task.Do += ". Way out: " + strings.Join(ways, "; ")
	}
	return task
}

// task is the hazard as something to do.
func (h *Hazard) task() string { return render.Capital(h.Happens) + ". " + render.Capital(h.Avoid) }

// budgetTasks say which budgets keep the drain of a node waiting.
func budgetTasks(in *Input) (list []*Task) {
	blocks, several := in.stuckDrains()
	if len(blocks) > 0 {
		list = append(list, &Task{Do: "See to these PodDisruptionBudgets before nodes are drained: they allow no eviction, so " +
			"a drain waits for ever", Objects: blocks})
	}
	if len(several) > 0 {
		list = append(list, &Task{Do: "Leave one PodDisruptionBudget for each set: the Eviction API refuses a pod that several " +
			"select, so a drain waits for ever", Objects: several})
	}
	return list
}

// kubeletTasks say which kubelets are too old for the new API server.
func kubeletTasks(in *Input, o *Options) []*Task {
	var old []string
	for _, c := range in.cluster.components {
		if c.Component != kubelet || c.Version == "" {
			continue
		}
		skew := release.Alike(o.To.Version())
		skew[len(skew)-1] = statefulset.Release(c.Version)
		if rule, _ := skew.Breaks(); rule != "" && minor(skew[len(skew)-1]) < minor(o.To.Version()) {
			old = append(old, c.On+" ("+c.Version+")")
		}
	}
	if len(old) == 0 {
		return nil
	}
	return []*Task{{Do: "Upgrade these kubelets first: Kubernetes does not support an API server of " + o.To.Version() +
		" with them", Objects: old}}
}

// order says in which order the components are upgraded, and what happens between two of them.
func (r *Report) order(o *Options) (list []*Task) {
	for _, hop := range r.Path {
		prefix := ""
		if len(r.Path) > 1 {
			prefix = fmt.Sprintf("%s to %s: ", hop.From, hop.To)
		}
		list = append(list,
			&Task{Do: prefix + "Upgrade kube-apiserver, on all control plane nodes one after the other"},
			&Task{Do: prefix + "Upgrade kube-controller-manager and kube-scheduler: they must not be newer than any " +
				"kube-apiserver, and at most one minor version older"},
		)
		if from, to := o.profiles(hop); to.API().Recreate && !from.Recreate {
			list = append(list, &Task{Do: fmt.Sprintf("%sChange no set to the strategy Recreate until both are upgraded: the API "+
				"server of %s accepts it, and a controller of %s fails every sync of such a set (event UnknownStrategy)", prefix,
				hop.To, hop.From)})
		}
	}
	return append(list, &Task{Do: "Upgrade the kubelets last, node by node: drain, upgrade, uncordon. They must not be newer " +
		"than kube-apiserver, and at most three minor versions older"})
}

// profiles returns the versions of a hop.
func (o *Options) profiles(hop *Hop) (from, to statefulset.Profile) {
	for _, h := range o.hops()[1:] {
		if h.names == [2]string{hop.From, hop.To} {
			return h.from, h.to
		}
	}
	return o.From, o.To
}

// afterTasks say what to look at when the new control plane runs: the sets that roll by themselves, and those that
// behave differently from then on.
func (r *Report) afterTasks() (list []*Task) {
	for _, hop := range r.Path {
		var rolls []string
		for _, g := range hop.Groups {
			if slices.ContainsFunc(g.Rows, func(row *Row) bool { return row.kind.Across && row.Outcomes[1].Deleted > 0 }) {
				rolls = append(rolls, g.Sets...)
			}
		}
		if len(rolls) > 0 {
			list = append(list, &Task{Do: fmt.Sprintf("These sets roll by themselves when %s runs: follow them", hop.To),
				Objects: rolls, Commands: []string{"sim follow --live -A"}})
		}
	}
	if r.Interrupted {
		list = append(list, &Task{Do: "Run sim upgrade to its end: not all sets were looked at, and one of the others may roll " +
			"by itself"})
	}
	if len(list) == 0 {
		list = append(list, &Task{Do: "No set rolls by itself when the new control plane runs"})
	}
	for _, m := range r.Moving {
		if m.Changes {
			list = append(list, &Task{Do: fmt.Sprintf("With the upgrade it %s, without it %s", m.Endings[1], m.Endings[0]),
				Objects: []string{m.Set}})
		}
	}
	list = append(list, &Task{Do: "Look at what is not Ready, and at the warnings of the controller", Commands: []string{
		shell.Kubectl("get", "statefulsets", "-A"),
		shell.Kubectl("get", "events", "-A", "--field-selector", "type=Warning,involvedObject.kind=StatefulSet"),
	}})
	for _, h := range r.Hazards {
		if h.After {
			list = append(list, &Task{Do: h.task(), Objects: h.Sets, Commands: h.Commands})
		}
	}
	var differ []string
	for _, g := range r.Groups {
		differ = append(differ, g.Sets...)
	}
	if len(differ) > 0 {
		list = append(list, &Task{Do: "These sets behave differently from now on; the report says in which cases", Objects: differ})
	}
	return list
}

// parts are the checklist as parts of a document.
func (c *Checklist) parts(v *View, to string) (parts []doc.Part) {
	for _, list := range []struct {
		title string
		tasks []*Task
	}{
		{"Before the upgrade to " + to, c.Before}, {"During the upgrade", c.During}, {"After the upgrade", c.After},
	} {
		part := doc.Part{Title: doc.Of(list.title)}
		for _, task := range list.tasks {
			part.Items = append(part.Items, task.item(v))
		}
		parts = append(parts, part)
	}
	return parts
}

// stops are the tasks without which a component stops at its start.
func (c *Checklist) stops(v *View) (items []doc.Item) {
	for _, task := range c.Before {
		if task.Stops {
			item := task.item(v).Bad()
			item.Box = false
			items = append(items, item)
		}
	}
	return items
}

// mostObjects is the number of objects that a task names without --all.
const mostObjects = 30

// item is the task as a line with a box.
func (t *Task) item(v *View) doc.Item {
	text := t.Do
	if len(t.Objects) > 0 {
		whole := View{All: v.All || len(t.Objects) <= mostObjects}
		text += ": " + whole.names(t.Objects)
	}
	item := doc.Line(strings.TrimSuffix(text, "."))
	item.Box = true
	most := len(t.Commands)
	if !v.All {
		most = min(most, mostInHazard)
	}
	item.Items = doc.Commands(t.Commands[:most]...)
	return item
}
