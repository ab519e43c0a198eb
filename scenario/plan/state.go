package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// readState reads the state of a dump, if the stream shows the pods. StatefulSets alone, whose statuses count pods that
// are not in the stream, are not enough: then only their statuses are known.
func (in *Input) readState(s Stream, file, after *manifest.File, limits strict.Limits) strict.Problems {
	if !showsPods(file) {
		return nil
	}
	forget(file, after)
	d, err := dump.Read(s.sources(), dump.Options{Limits: limits})
	if err != nil {
		problems, _ := err.(strict.Problems)
		return problems
	}
	in.state, in.crowd = d.Index(), placement.NewCrowd(d.State.Nodes)
	return nil
}

// forget drops the texts of objects that only the dump has any use for: they take most of the memory while it is read.
func forget(file, after *manifest.File) {
	applied := map[string]bool{}
	for _, other := range after.Others {
		applied[other.Kind] = true
	}
	for i := range file.Others {
		if o := &file.Others[i]; !applied[o.Kind] && slices.Contains(ofServer, o.Kind) {
			o.Node = nil
		}
	}
}

// among leaves out nodes of the dump on which no pod of the set ever is: each run costs something for each node.
func (e *edit) among(crowd *placement.Crowd) {
	if e.part == nil || e.bared || crowd == nil {
		return
	}
	state, pods := e.part.State, len(e.part.State.Pods)
	var templates []*model.Template
	for i := range state.Pods {
		templates = append(templates, state.Pods[i].Template)
	}
	for _, revision := range state.Revisions {
		templates = append(templates, revision.Template)
	}
	for _, set := range []*model.StatefulSet{e.live, e.wanted} {
		if set != nil {
			templates, pods = append(templates, set.Spec.Template), max(pods, int(set.Spec.Replicas))
		}
	}
	e.part = e.part.WithNodes(crowd.Few(state, templates, pods))
}

// showsPods says whether a stream was printed by a server, with the pods of its sets, or with sets that have none.
func showsPods(file *manifest.File) bool {
	for _, other := range file.Others {
		if other.Kind == model.KindPod.String() && field(field(other.Node, "status"), "phase") != nil {
			return true
		}
	}
	live := false
	for _, set := range file.Sets {
		status := field(set.Node, "status")
		live = live || field(status, "observedGeneration") != nil
		if n := field(status, "replicas"); n != nil && n.Value != "0" {
			return false
		}
	}
	return live
}

// Profile returns the version of Kubernetes that the nodes of the dump run, where it shows them.
func (in *Input) Profile() (profile statefulset.Profile, known bool) {
	if in.state == nil {
		return profile, false
	}
	return in.state.Profile()
}

// begin makes a world begin with the state of the live sets. If there are none, it returns the configuration as it was.
func (w *world) begin(c sim.Config) sim.Config {
	if !w.live() {
		return c
	}
	c = w.part().Begin(c)
	own, stay := len(w.rules), c.Kubelet.Rules[len(w.rules):]
	c.Kubelet.Rules = c.Kubelet.Rules[:own:own]
	for _, e := range w.edits {
		for _, rule := range stay {
			rule.Match.Namespace, rule.Match.StatefulSet = e.key().Namespace, e.key().Name
			rule.Times = recording.Filled(rule.Times, w.times(e))
			c.Kubelet.Rules = append(c.Kubelet.Rules, rule)
		}
	}
	return c
}

// part returns the dump of the sets that are live.
func (w *world) part() *dump.Dump {
	var keys []model.Key
	var parts, bare []*dump.Dump
	for _, e := range w.edits {
		switch {
		case e.part == nil:
			continue
		case e.bared:
			bare = append(bare, e.part)
		default:
			keys = append(keys, e.key())
		}
		parts = append(parts, e.part)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	whole := &dump.Dump{State: &sim.State{From: parts[0].State.From}}
	if len(keys) > 0 {
		whole = w.state.Part(keys...)
	}
	for _, part := range bare {
		whole.State.Sets = append(whole.State.Sets, part.State.Sets...)
	}
	return whole
}

// script returns what happens to the world, from the current state on; first is the number of deeds before those that
// are passed. Changes of live sets happen at once, because nobody waits until a cluster is at rest.
func (w *world) script(more ...play.Deed) (script play.Script, first int) {
	before := w.before()
	script = before.Then(more...)
	if w.live() && len(script) > 0 && script[0].When == (sim.When{}) {
		script[0].When = sim.When{Trigger: sim.At}
	}
	return script, len(before)
}
