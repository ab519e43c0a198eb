package cache

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// group holds the objects that one set owns, in the order in which a sync asks for them. It implements model.View. If
// its owner is not a set, or not in the cache, it only collects.
type group struct {
	cache *Cache
	// set is nil while the owner is not in the cache; then all its pods are in unplaced.
	set *model.StatefulSet
	// now is the instant up to which pods have been made available, the instant of the last view. It never
	// decreases.
	now model.Time

	// lookers are the views that look at the group itself, because nothing has changed since they were taken; see alter.
	lookers []*Frozen

	// pieces belong to the columns of the group and of its views. replicas has a slot for each replica, with a pod
	// or without; its slots are the positions. condemned has a slot for each condemned pod and for some deleted
	// ones, and is packed.
	pieces              *pieces
	replicas, condemned column
	// ordinals are the ordinals of the condemned pods by slot, ascending. len(ordinals) == condemned.size. The
	// ordinal of a deleted pod stays until pardon.
	ordinals []int
	// asked is the name that was looked for last, and ordinal its ordinal: several questions in a row are about one pod.
	asked   string
	ordinal int
	// unplaced are the pods that match the set and have no place in a column, because their name has no ordinal or
	// another pod has the place. They count for the status of some versions only.
	unplaced []*model.Pod
	// strays are the pods that do not match the set (any more), in the order of names. They count for nothing.
	strays []*model.Pod
	// ripening are the Ready pods that were not available yet at the last look, the next one first. A copy has
	// ripensAt instead: the instant when the next pod becomes available, 0 for none.
	ripening ripening
	ripensAt model.Time

	// labels are the revision labels of all pods of the group but the strays. revisions are those that the owner
	// controls, in the order of the history; each change makes a new slice.
	labels    labels
	revisions []*model.Revision
	// lost counts the revisions among them that the set does not select; they are left out of the history.
	lost int
	// written is the resource version of the controller's last write of each kind for the set, 0 if there was none since
	// the set came into the cache.
	written [model.KindRevision + 1]uint64
}

// newGroup returns a group without a set and without pods. The group and its pieces are one allocation.
func newGroup(c *Cache) *group {
	g := &struct {
		group
		pieces pieces
	}{}
	p := &g.pieces
	g.group = group{
		cache: c, pieces: p, replicas: newColumn(0, false, newHand(p, true)), condemned: newColumn(0, true, newHand(p, true)),
	}
	return &g.group
}

// empty makes new columns without pods, with so many replicas.
func (g *group) empty(replicas int) {
	g.replicas, g.condemned = g.replicas.emptied(replicas), g.condemned.emptied(0)
}

// copyTo makes c a group with the same pods of its own; O(1) except for unplaced.
func (g *group) copyTo(c *group) {
	g.replicas.share()
	g.condemned.share()
	g.labels.share()
	*c = *g
	c.lookers = nil
	c.replicas.hand, c.condemned.hand = newHand(g.pieces, false), newHand(g.pieces, false)
	c.ordinals, c.unplaced = slices.Clip(g.ordinals), slices.Clone(g.unplaced)
	c.ripensAt, c.ripening = g.nextRipe(), nil
}

// setSet takes in a new version of the set. It costs O(pods) only if the version places or judges the pods
// differently. A new set finds its strays; a changed spec makes no pod a stray, since the selector is immutable.
func (g *group) setSet(set *model.StatefulSet, now model.Time) {
	old := g.set
	if old != nil && old.Generation == set.Generation {
		g.set = set
		return
	}
	g.alter()
	g.set = set
	if old != nil && len(g.unplaced) == 0 && placesAlike(&old.Spec, &set.Spec) {
		return
	}
	pods := g.takeAll(int(set.Spec.Replicas))
	for _, pod := range pods {
		if old == nil && !g.claims(pod) {
			g.labels.drop(pod.Revision())
			g.strays = withPod(g.strays, pod)
			continue
		}
		g.place(pod, now)
	}
	if old == nil {
		g.lost = countLost(g.set, g.revisions)
	}
}

// placesAlike reports whether two specs of a set give each pod the same place and the same traits. The names of
// their claim templates are the same, since these are immutable.
func placesAlike(a, b *model.Spec) bool {
	return a.Replicas == b.Replicas && a.MinReadySeconds == b.MinReadySeconds &&
		(a.Ordinals == b.Ordinals || a.Ordinals != nil && b.Ordinals != nil && *a.Ordinals == *b.Ordinals)
}

// forget drops the set; its dependents stay until the watches say otherwise.
func (g *group) forget() {
	g.alter()
	g.unplaced = append(g.unplaced, g.takeAll(0)...)
	g.set = nil
	g.written = [model.KindRevision + 1]uint64{}
}

// takeAll empties the group, makes room for so many replicas, and returns its pods: replicas, condemned, others.
func (g *group) takeAll(replicas int) []*model.Pod {
	pods := slices.Concat(g.replicas.pods(), g.condemned.pods(), g.unplaced)
	g.empty(replicas)
	g.ordinals, g.unplaced, g.ripening = nil, nil, nil
	return pods
}

// addPod takes in a pod that is new to the group.
func (g *group) addPod(pod *model.Pod, now model.Time) {
	g.alter()
	if g.set != nil && !g.claims(pod) {
		g.strays = withPod(g.strays, pod)
		return
	}
	g.placeWith(pod, now, g.labels.add(pod.Revision()))
}

// place puts a pod where its ordinal belongs. If two names have one ordinal (web-1 and web-01, which no controller
// creates), the first one gets the place, and the other gets it when the first is deleted; upstream picks the
// replica by chance, and looks at both among the condemned.
func (g *group) place(pod *model.Pod, now model.Time) {
	g.placeWith(pod, now, g.labels.known(pod.Revision()))
}

// placeWith is place for a caller that has the number of the pod's revision.
func (g *group) placeWith(pod *model.Pod, now model.Time, revision revisionID) {
	group, slot, found := g.find(pod.Name)
	if g.set == nil || slot < 0 || found && g.column(group).at(slot).pod != nil {
		g.unplaced = append(g.unplaced, pod)
		return
	}
	if !found {
		slot = g.condemn(slot, g.set.OrdinalOf(pod.Name))
	}
	g.putWith(group, slot, pod, model.TraitsOf(g.set, pod, now), revision)
}

// putWith puts a pod into a slot and notes when it becomes available.
func (g *group) putWith(group model.Group, slot int, pod *model.Pod, traits model.Traits, revision revisionID) {
	if pod.Ready && traits&model.IsAvailable == 0 {
		g.ripening.add(pod, g.set.Spec.MinReadySeconds)
	}
	g.column(group).put(slot, pod, traits, revision)
}

// condemn makes a slot for another condemned pod and returns it: after all others if the ordinal is the highest,
// else at the given place, which moves all slots after it and costs O(condemned pods).
func (g *group) condemn(slot, ordinal int) int {
	if slot == len(g.ordinals) {
		g.ordinals = append(g.ordinals, ordinal)
		g.condemned.grow()
		return slot
	}
	g.ordinals = slices.Insert(slices.Clone(g.ordinals), slot, ordinal)
	g.condemned = g.condemned.with(slot)
	return slot
}

// pardon removes the slots of deleted condemned pods once they are the majority; that costs O(1) per pod on
// average.
func (g *group) pardon() {
	if gone := g.condemned.size - g.condemned.len(); gone <= wordSlots || gone <= g.condemned.size/2 {
		return
	}
	var kept []int
	for slot, ordinal := range g.ordinals {
		if g.condemned.at(slot).pod != nil {
			kept = append(kept, ordinal)
		}
	}
	g.ordinals, g.condemned = kept, g.condemned.without()
}

// changePod takes in another version of a pod that stays where it is. It returns false, and has changed nothing that
// a view shows, if the pod is not in its place, is another pod of the name, or no longer matches.
func (g *group) changePod(old, pod *model.Pod, now model.Time) bool {
	g.alter()
	group, slot, found := g.find(pod.Name)
	if !found {
		return false
	}
	there := g.column(group).at(slot)
	if there.pod == nil || there.pod.UID != old.UID || there.pod.UID != pod.UID {
		return false
	}
	if there.pod == old && old.SharesIdentity(pod) {
		k := &g.column(group).classes[there.class]
		g.putWith(group, slot, pod, model.StateTraits(g.set, pod, now)|k.traits&model.Fixed, k.revision)
		return true
	}
	if !g.claims(pod) {
		return false
	}
	was, is := old.Revision(), pod.Revision()
	if was != is {
		g.labels.add(is)
	}
	g.putWith(group, slot, pod, model.TraitsOf(g.set, pod, now), g.labels.known(is))
	if was != is {
		g.labels.drop(was)
	}
	return true
}

// removePod removes a pod, wherever it is in the group.
func (g *group) removePod(pod *model.Pod) {
	g.alter()
	if hasPod(g.strays, pod) {
		g.strays = withoutPod(g.strays, pod)
		return
	}
	group, slot, found := g.find(pod.Name)
	if there := g.column(group).at(max(0, slot)).pod; !found || there == nil || there.UID != pod.UID {
		g.unplaced = slices.DeleteFunc(g.unplaced, func(p *model.Pod) bool { return p.UID == pod.UID })
	} else {
		g.column(group).clear(slot)
		g.succeed(pod)
	}
	if group == model.Condemned {
		g.pardon()
	}
	g.labels.drop(pod.Revision())
}

// succeed gives the place of a deleted pod to another one with its ordinal, if there is one: upstream finds that
// one at its next look.
func (g *group) succeed(gone *model.Pod) {
	at := slices.IndexFunc(g.unplaced, func(p *model.Pod) bool {
		return g.set.OrdinalOf(p.Name) == g.set.OrdinalOf(gone.Name)
	})
	if at < 0 {
		return
	}
	next := g.unplaced[at]
	g.unplaced = slices.Delete(g.unplaced, at, at+1)
	g.place(next, g.now)
}

// find returns the slot of a name: its position among the replicas, or the slot that it has or would have among the
// condemned. Without an ordinal, or without a set, the slot is -1 and nothing is found. found does not mean that the
// slot has a pod.
func (g *group) find(name string) (group model.Group, slot int, found bool) {
	if g.set == nil {
		return model.Condemned, -1, false
	}
	ordinal := g.ordinal
	if !model.SameText(g.asked, name) {
		ordinal = g.set.OrdinalOf(name)
		g.asked, g.ordinal = name, ordinal
	}
	if ordinal < 0 {
		return model.Condemned, -1, false
	}
	if index := ordinal - g.set.Start(); index >= 0 && index < g.replicas.size {
		return model.Replicas, index, true
	}
	slot, found = slices.BinarySearch(g.ordinals, ordinal)
	return model.Condemned, slot, found
}

// addRevision takes in a revision that the owner controls, in a new slice.
func (g *group) addRevision(revision *model.Revision) {
	g.alter()
	g.revisions = withRevision(g.revisions, revision)
	g.lost = countLost(g.set, g.revisions)
}

// removeRevision removes a revision by its uid, in a new slice.
func (g *group) removeRevision(revision *model.Revision) {
	g.alter()
	g.revisions = withoutRevision(g.revisions, revision)
	g.lost = countLost(g.set, g.revisions)
}

// ripen makes the pods available that have become so by that instant. Entries of changed pods are dropped.
func (g *group) ripen(now model.Time) {
	if now != g.now {
		g.alter()
	}
	g.now = now
	for len(g.ripening) > 0 {
		next := &g.ripening[0]
		group, slot, found := g.find(next.pod)
		column := g.column(group)
		pod := column.at(max(0, slot)).pod
		if found && pod != nil && pod.Ready && next.at == model.AvailableAt(pod, g.set.Spec.MinReadySeconds) {
			if next.at > now {
				return
			}
			column.put(slot, pod, column.traits(slot)|model.IsAvailable, g.labels.known(pod.Revision()))
		}
		g.ripening[0] = ripe{}
		g.ripening = g.ripening[1:]
	}
}

// nextRipe returns the instant when the next pod becomes available, 0 if no pod will.
func (g *group) nextRipe() model.Time {
	if len(g.ripening) > 0 && (g.ripensAt == 0 || g.ripening[0].at < g.ripensAt) {
		return g.ripening[0].at
	}
	return g.ripensAt
}

// column returns the column of a group of positions.
func (g *group) column(group model.Group) *column {
	if group == model.Replicas {
		return &g.replicas
	}
	return &g.condemned
}

// compile looks up the revision of a question. A label that no pod has matches no pod.
func (g *group) compile(w model.Want) wanted {
	has := w.Has | model.Exists
	compiled := wanted{mask: has | w.Lacks, has: has}
	if w.Revision == "" && !w.Other {
		return compiled
	}
	compiled.revision, compiled.byLabel = g.labels.known(w.Revision), thisRevision
	if w.Other {
		compiled.byLabel = otherRevision
	}
	return compiled
}

// ripening are pods in the order in which they become available. Some may be deleted or changed: ripen checks.
type ripening []ripe

// ripe is the name of a pod, which is not held itself: another version may have taken its place.
type ripe struct {
	// at is the instant when it becomes available, computed when it became Ready.
	at  model.Time
	pod string
}

// add puts a pod in at its place. Most become Ready in the order of time, and then that is the end: O(1).
func (r *ripening) add(pod *model.Pod, minReadySeconds int32) {
	next := ripe{model.AvailableAt(pod, minReadySeconds), pod.Name}
	at := len(*r)
	for at > 0 && (*r)[at-1].at > next.at {
		at--
	}
	*r = slices.Insert(*r, at, next)
}
