package bridge

import (
	"reflect"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// wrote shows the effect of a write to the world's store. It is called within the write.
func (c *Cluster) wrote(change *sim.Change) {
	kind, key, fields := c.projected(change)
	if fields == nil {
		if old := c.Objects.Get(kind, key); old != nil && owns(kind) {
			c.garbage.gone = append(c.garbage.gone, old)
		}
		c.Objects.Delete(kind, key, c.User.Version())
		switch kind {
		case kinds.Claim:
			releaseVolume(c, change.OldClaim)
			c.Files.Forget(change.OldClaim.UID)
		case kinds.Pod:
			c.Files.Forget(change.OldPod.UID)
		}
		return
	}
	base := c.wanted[Ref{kind, key}]
	if old := c.Objects.Get(kind, key); base == nil && old != nil && change.Type != model.Added {
		base = old.Fields
	}
	if kind == kinds.Claim && base == nil && len(change.Claim.Owners) > 0 {
		base = templateOf(c, key)
	}
	fields = project.Onto(kind, base, fields)
	if old := c.Objects.Get(kind, key); old != nil && kind == kinds.Pod && c.wanted[Ref{kind, key}] != nil &&
		change.Type != model.Added && change.Pod.Terminating() == change.OldPod.Terminating() {
		fields["status"] = old.Fields["status"] // A client has changed the desired state, and nothing else.
	}
	o := objects.New(kind, fields, c.User.Version())
	c.Objects.Put(o)
	switch {
	case kind == kinds.Pod:
		c.answers.hear(change.OldPod, change.Pod)
		c.voices.of(c, change)
		c.started(change, o)
	case kind == kinds.Claim && change.Claim.Phase == model.ClaimBound:
		c.bound = append(c.bound, o.Fields)
	}
}

// projected returns the object that a change is about, as the API shows it; its fields are nil if it is gone.
func (c *Cluster) projected(change *sim.Change) (*kinds.Kind, model.Key, kinds.Fields) {
	epoch := c.config.Epoch
	switch change.Kind {
	case model.KindStatefulSet:
		if change.Set == nil {
			return kinds.StatefulSet, change.OldSet.Key(), nil
		}
		return kinds.StatefulSet, change.Set.Key(), project.Set(change.Set, epoch)
	case model.KindPod:
		if change.Pod == nil {
			return kinds.Pod, change.OldPod.Key(), nil
		}
		state, address := c.User.PodState(change.Pod)
		return kinds.Pod, change.Pod.Key(), project.Pod(state, address, c.Instant())
	case model.KindClaim:
		if change.Claim == nil {
			return kinds.Claim, change.OldClaim.Key(), nil
		}
		return kinds.Claim, change.Claim.Key(), project.Claim(change.Claim, epoch)
	}
	if change.Revision == nil {
		return kinds.Revision, change.OldRevision.Key(), nil
	}
	return kinds.Revision, change.Revision.Key(), project.Revision(change.Revision, epoch)
}

// AtFixedPoint shows the objects that the world keeps outside its store: nodes, endpoints, budgets, events.
func (c *Cluster) AtFixedPoint() {
	if c.config.Uncontrolled {
		c.Tell()
		return
	}
	seeNodes(c)
	c.voices.hear(c)
	fresh, _ := c.since(c.seen)
	dirty := map[model.Key]bool{}
	for i := range fresh {
		switch e := &fresh[i]; e.Kind {
		case timeline.KindBudget:
			seeBudget(c, e.Budget)
		case timeline.KindDNS:
			c.answers.see(e, dirty)
		}
	}
	showVolumes(c)
	c.answers.show(c, dirty)
	c.voices.speak(c)
	c.garbage.follow(c)
	c.Work()
	c.EndForeground()
	c.endNamespaces()
	c.Tell()
}

// Tell hands on the events that were not handed on before.
func (c *Cluster) Tell() {
	fresh, all := c.since(c.seen)
	if c.config.Told != nil && len(fresh) > 0 {
		c.config.Told(fresh)
	}
	c.seen = all
}

// since returns the events of the timeline after its first n, and how many there are in all. A livelock may have
// taken some back.
func (c *Cluster) since(n int) ([]timeline.Event, int) {
	events, gone := c.World.Events(), c.User.Forgotten()
	return events[min(n-gone, len(events)):], gone + len(events)
}

// seeNodes shows the nodes that have changed.
func seeNodes(c *Cluster) {
	there := map[string]bool{}
	for _, state := range c.User.Nodes() {
		there[state.Name] = true
		last, known := c.nodes[state.Name]
		if known && reflect.DeepEqual(last, state) {
			continue
		}
		if state.Down && !last.Down {
			c.silent[state.Name] = c.Instant()
		}
		c.nodes[state.Name] = state
		showNode(c, state)
	}
	for _, o := range c.Objects.List(kinds.Node, "") {
		if _, known := c.nodes[o.Key.Name]; known && !there[o.Key.Name] {
			delete(c.nodes, o.Key.Name)
			c.Objects.Delete(kinds.Node, o.Key, c.User.DrawVersion())
		}
	}
}

func showNode(c *Cluster, state sim.NodeState) {
	key := model.Key{Name: state.Name}
	fields := project.Node(state, "v"+c.config.Kubernetes, c.config.Epoch)
	base := c.wanted[Ref{kinds.Node, key}]
	if old := c.Objects.Get(kinds.Node, key); base == nil && old != nil {
		base = old.Fields
	}
	if base == nil {
		c.Add(kinds.Node, fields)
		return
	}
	c.Put(kinds.Node, project.Onto(kinds.Node, base, fields))
}

// seeBudget shows the status of a budget.
func seeBudget(c *Cluster, b *timeline.Budget) {
	old := c.Objects.Get(kinds.Budget, model.Key{Namespace: b.Namespace, Name: b.Name})
	if old == nil {
		return
	}
	fields := kinds.Clone(old.Fields)
	fields["status"] = map[string]any{
		"currentHealthy": int64(b.Healthy), "desiredHealthy": int64(b.Desired), "disruptionsAllowed": int64(b.Allowed),
		"expectedPods": int64(b.Expected), "observedGeneration": fields.Number("metadata", "generation"),
		"conditions": []any{budgetCondition(b, c.Instant().Format(time.RFC3339))},
	}
	c.Put(kinds.Budget, fields)
}

func budgetCondition(b *timeline.Budget, now string) map[string]any {
	condition := map[string]any{"type": "DisruptionAllowed", "status": "True", "reason": "SufficientPods", "message": "",
		"lastTransitionTime": now, "observedGeneration": int64(1)}
	if b.Allowed == 0 {
		condition["status"], condition["reason"] = "False", "InsufficientPods"
	}
	return condition
}

// showVolumes shows the volumes of the claims that were bound and are still there.
func showVolumes(c *Cluster) {
	for _, claim := range c.bound {
		fields := project.Volume(claim)
		meta := claim.Map("metadata")
		now := c.Objects.Get(kinds.Claim, model.Key{Namespace: meta.Text("namespace"), Name: meta.Text("name")})
		if now == nil || now.UID() != meta.Text("uid") {
			continue
		}
		if c.Objects.Get(kinds.Volume, model.Key{Name: fields.Text("metadata", "name")}) == nil {
			c.Add(kinds.Volume, fields)
		}
	}
	c.bound = nil
}

// releaseVolume deletes the volume of a claim that is gone.
func releaseVolume(c *Cluster, claim *model.Claim) {
	key := model.Key{Name: project.VolumeName(claim)}
	c.Objects.Delete(kinds.Volume, key, c.User.DrawVersion())
}

// templateOf returns the owners of the template that a new claim was made from, as a base for the projected claim;
// nil if there are none.
func templateOf(c *Cluster, claim model.Key) kinds.Fields {
	for _, set := range c.Objects.List(kinds.StatefulSet, claim.Namespace) {
		for _, template := range set.Fields.List("spec", "volumeClaimTemplates") {
			owners := template.Map("metadata")["ownerReferences"]
			name := template.Text("metadata", "name") + "-" + set.Key.Name
			if of, _ := model.SplitPodName(claim.Name); owners != nil && of == name {
				return kinds.Fields{"metadata": map[string]any{"ownerReferences": owners}}
			}
		}
	}
	return nil
}
