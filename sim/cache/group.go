package cache

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// group holds the objects that one set owns, in the order in which a sync asks for them. It implements model.View.
type group struct {
	cache *Cache
	// set is nil while the owner is not in the cache; its pods are all in unplaced then.
	set *model.StatefulSet
	now model.Time

	// lookers are the views that have no copy yet; see alter.
	lookers []*Frozen

	pieces              *pieces
	replicas, condemned column
	// ordinals are the ordinals of the condemned pods, ascending, by slot. The ordinal of a pod that is gone stays for a
	// while.
	ordinals []int
	// asked is the name that was looked for last, and ordinal its ordinal.
	asked   string
	ordinal int
	// unplaced are the pods that have no place in a column: those without an ordinal, mostly.
	unplaced []*model.Pod
	// strays are the pods that do not match the set (any more), in the order of names. They count for nothing.
	strays []*model.Pod
	// ripening are Ready pods that were not available yet when they were last looked at; those of a copy's original stand
	// in ripensAt alone.
	ripening ripening
	ripensAt model.Time

	labels    labels
	revisions []*model.Revision
	// lost counts the revisions among them that the set does not select.
	lost int
	// written is the resource version of the controller's last write of each kind.
	written [model.KindRevision + 1]uint64
}

func newGroup(c *Cache) *group {
	p := &pieces{}
	return &group{
		cache: c, pieces: p, replicas: newColumn(0, false, newHand(p, true)), condemned: newColumn(0, true, newHand(p, true)),
	}
}

// empty makes the columns anew, with so many replicas.
func (g *group) empty(replicas int) {
	live := g.replicas.hand.live
	g.replicas = newColumn(replicas, false, newHand(g.pieces, live))
	g.condemned = newColumn(0, true, newHand(g.pieces, live))
}

// copyTo makes another group whose pods can be changed without those of this one; O(1) except what has no place.
func (g *group) copyTo(c *group) {
	*c = *g
	c.lookers = nil
	c.replicas, c.condemned, c.labels = g.replicas.copy(), g.condemned.copy(), g.labels.copy()
	c.ordinals, c.unplaced = slices.Clip(g.ordinals), slices.Clone(g.unplaced)
	c.ripensAt, c.ripening = g.nextRipe(), nil
}

// setSet takes in a new version of the set. Only a change of what places or judges the pods costs O(pods).
func (g *group) setSet(set *model.StatefulSet, now model.Time) {
	old := g.set
	if old != nil && old.Generation == set.Generation {
		g.set = set
		return
	}
	g.alter()
	g.set = set
	pods := g.takeAll(int(set.Spec.Replicas))
	for _, pod := range pods {
		if old == nil && !set.Claims(pod) {
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

// forget drops the set itself; what it owned stays until the watches say otherwise.
func (g *group) forget() {
	g.alter()
	g.unplaced = append(g.unplaced, g.takeAll(0)...)
	g.set = nil
	g.written = [model.KindRevision + 1]uint64{}
}

// takeAll empties the group, makes room for so many replicas, and returns its pods: replicas, condemned and others, in
// this order.
func (g *group) takeAll(replicas int) []*model.Pod {
	pods := slices.Concat(g.replicas.pods(), g.condemned.pods(), g.unplaced)
	g.empty(replicas)
	g.ordinals, g.unplaced, g.ripening = nil, nil, nil
	return pods
}

func (g *group) addPod(pod *model.Pod, now model.Time) {
	g.alter()
	if g.set != nil && !g.set.Claims(pod) {
		g.strays = withPod(g.strays, pod)
		return
	}
	g.placeWith(pod, now, g.labels.add(pod.Revision()))
}

// place puts a pod where its ordinal belongs. Of two names with one ordinal (web-1 and web-01, which no controller
// makes) the first has the place; upstream leaves it to chance.
func (g *group) place(pod *model.Pod, now model.Time) {
	g.placeWith(pod, now, g.labels.known(pod.Revision()))
}

// placeWith is place where the revision is at hand.
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

func (g *group) putWith(group model.Group, slot int, pod *model.Pod, traits model.Traits, revision revisionID) {
	if pod.Ready && traits&model.IsAvailable == 0 {
		g.ripening.add(pod, g.set.Spec.MinReadySeconds)
	}
	g.column(group).put(slot, pod, traits, revision)
}

// condemn makes a slot for another condemned pod and returns it: behind all others, where the ordinal is the highest,
// else at that place, which moves all behind it.
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

// pardon forgets the slots of condemned pods that are gone, once they are most.
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

// changePod takes in another version of a pod that stays where it is. It returns false if it may not.
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
	if !g.set.Claims(pod) {
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
	}
	if group == model.Condemned {
		g.pardon()
	}
	g.labels.drop(pod.Revision())
}

// find returns the slot of a name: its index among the replicas, or the slot that it has or would have among the
// condemned. Without an ordinal, or without a set, the slot is -1 and nothing is found.
func (g *group) find(name string) (group model.Group, slot int, found bool) {
	if g.set == nil {
		return model.Condemned, -1, false
	}
	ordinal := g.ordinal
	if g.asked != name {
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

func (g *group) addRevision(revision *model.Revision) {
	g.alter()
	g.revisions = withRevision(g.revisions, revision)
	g.lost = countLost(g.set, g.revisions)
}

func (g *group) removeRevision(revision *model.Revision) {
	g.alter()
	g.revisions = withoutRevision(g.revisions, revision)
	g.lost = countLost(g.set, g.revisions)
}

// ripen makes available what has become so by that instant.
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

// nextRipe returns the instant at which the next pod becomes available, 0 if none is on its way.
func (g *group) nextRipe() model.Time {
	if len(g.ripening) > 0 && (g.ripensAt == 0 || g.ripening[0].at < g.ripensAt) {
		return g.ripening[0].at
	}
	return g.ripensAt
}

func (g *group) column(group model.Group) *column {
	if group == model.Replicas {
		return &g.replicas
	}
	return &g.condemned
}

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

// ripening are pods in the order in which they become available, and those that are not there any more.
type ripening []ripe

// ripe is the name of a pod, which is not held itself: another version may have taken its place.
type ripe struct {
	at  model.Time
	pod string
}

// add puts a pod in. Most become Ready in the order of time, which costs nothing.
func (r *ripening) add(pod *model.Pod, minReadySeconds int32) {
	next := ripe{model.AvailableAt(pod, minReadySeconds), pod.Name}
	at := len(*r)
	for at > 0 && (*r)[at-1].at > next.at {
		at--
	}
	*r = slices.Insert(*r, at, next)
}
