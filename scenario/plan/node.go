package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// mostNodes is the largest number of nodes of a world.
const mostNodes = 500

// giveNodes gives the world a node for each pod and one to spare, and the rules of its version about nodes. Pods of a
// dump stay on the nodes that the dump shows.
func (w *world) giveNodes() {
	w.cluster.Rules = scenario.NodeRules(w.profile.Version())
	if w.live() {
		return
	}
	w.begun = nil
	nodes := 1
	for _, e := range w.edits {
		nodes += e.most()
	}
	for i := range min(nodes, mostNodes) {
		w.cluster.Nodes = append(w.cluster.Nodes, sim.Node{Name: whatif.Node + "-" + strconv.Itoa(i+1)})
	}
}

// most returns how many pods the set has, before the change or after it.
func (e *edit) most() int {
	replicas := e.shown().Spec.Replicas
	if e.live != nil {
		replicas = max(replicas, e.live.Spec.Replicas)
	}
	return int(replicas)
}

// bound says whether the pod Low has a node when the change comes.
func (s *subject) bound() bool {
	return s.part == nil || slices.ContainsFunc(s.part.State.Pods, func(p sim.PodState) bool {
		return p.Key() == (model.Key{Namespace: s.key().Namespace, Name: s.Low}) && p.Node != ""
	})
}

// lost is what a run shows of a node that falls silent: its name, the pods of the set that count as not Ready for that,
// and how long after that they are deleted for it; never if they are not.
type lost struct {
	node    string
	pods    []string
	deleted Seconds
}

// lost looks at a run for what the set loses with a node.
func (s *subject) lost(events []timeline.Event) lost {
	l := lost{deleted: never}
	var since model.Time
	for i := range events {
		e := &events[i]
		switch {
		case l.node == "" && e.NodeState != nil && !e.NodeState.Up:
			l.node = e.Node
		case e.Kind != timeline.KindPod || e.Set != s.key():
		case e.Reason == timeline.ReasonNodeNotReady:
			l.pods, since = append(l.pods, e.Pod), e.T
		case e.Reason == timeline.ReasonTaintEviction:
			l.deleted = Seconds(e.T.Sub(since))
		}
	}
	return l
}

// saysLost describes a rollout while a node is silent. All versions count a node as not Ready within a minute.
func (s *subject) saysLost(f *facts, l lost) string {
	if len(l.pods) == 0 {
		return fmt.Sprintf("the rollout deletes %s, and it stays Terminating as long as %s does not answer. %s", s.Low,
			whatif.Node, render.Capital(f.serve()))
	}
	one := func(one, many string) string { return render.Agree(len(l.pods), one, many) }
	text := fmt.Sprintf("within a minute %s %s as not Ready", render.And(l.pods), one("counts", "count"))
	switch {
	case l.deleted != never:
		text += fmt.Sprintf(", %s later %s deleted, and %s Terminating", render.Brief(time.Duration(l.deleted)),
			one("it is", "they are"), one("it stays", "they stay"))
	case f.last.Pods.Any(func(p *timeline.Pod) bool { return p.Terminating && slices.Contains(l.pods, p.Name) }):
		text += ". The rollout deletes " + one("it, and it stays", "them, and they stay") + " Terminating"
	}
	text += " as long as " + whatif.Node + " does not answer"
	if f.updated < s.main.updated-len(l.pods) {
		text += fmt.Sprintf(". Meanwhile the rollout waits, with %d of %s at the new revision", f.updated,
			render.Count(s.main.updated, "pod"))
	} else {
		text += ". Meanwhile the rollout replaces the other pods"
	}
	return text + ". " + render.Capital(f.serve())
}

// release finds what lets a rollout continue that waits for a pod on a silent node: that the node comes back, and what
// people can do before, if they know that its machine is off.
func (s *subject) release(w *world, c *Case, stuck *heal.Stuck) {
	l := s.lost(stuck.Events)
	lab := stuck.Lab
	if stuck.Begun != nil {
		lab = stuck.Begun
	}
	returns := stuck.Before.Then(play.NodeUp(l.node))
	back := gather(lab.Run(returns), s.key(), 1)
	c.then, c.loops = ". When "+whatif.Node+" is back, "+back.ending(), loops(back)
	if back.verdict == timeline.Livelock {
		s.prevent(w, c, returns)
	}
	if !back.completes() {
		return
	}
	way := stuck.Released()
	if way == nil {
		return
	}
	way.About, c.Reverts = s.about(), way.Reverts
	as := func(text string) string { return renamedNode(text, l.node) }
	for _, command := range way.Commands {
		c.Commands = append(c.Commands, as(command))
	}
	for _, line := range way.Lead("Fix (verified by simulation): " + way.Cost()) {
		c.lead = append(c.lead, as(line))
	}
	c.Danger = as(way.Danger)
	c.then += ". " + render.Capital(as(way.What)) + " ends the wait before that; do it only if its machine is certainly " +
		"off"
}

// untold says whether the commands of the case are left out where people read: what to do about a lost node is the
// same for nearly all sets, and rarely of use.
func (c *Case) untold() bool { return c.kind != nil && c.kind.Node && c.Usual }

// renamedNode puts whatif.Node in the place of the name of a node, wherever that is a word of a text.
func renamedNode(text, name string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if rest, is := strings.CutPrefix(word, name); is && strings.Trim(rest, ".,;:)") == "" {
			words[i] = whatif.Node + rest
		}
	}
	return strings.Join(words, " ")
}
