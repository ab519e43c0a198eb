package cache

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// group is what one set owns, in the order in which a sync asks for it. It implements model.View.
type group struct {
	cache *Cache
	// set is nil while the owner is not in the cache; its pods are all in unplaced then.
	set *model.StatefulSet
	now model.Time

	replicas, condemned column
	// ordinals are those of the condemned pods, ascending.
	ordinals []int
	// unplaced are the pods that have no place in a column: those without an ordinal, mostly.
	unplaced []*model.Pod
	// strays are the pods that do not match the set (any more), in the order of names. They count for nothing.
	strays []*model.Pod
	// ripening are Ready pods that were not available yet when they were last looked at.
	ripening []*model.Pod

	ids map[string]revisionID
	// used counts the pods by the revision that their label names.
	used      []int
	revisions []*model.Revision
	// lost counts the revisions among them that the set does not select.
	lost int
	// written is the resource version of the controller's last write of each kind.
	written [model.KindRevision + 1]uint64
}

func newGroup(c *Cache) *group {
	return &group{cache: c, ids: map[string]revisionID{}}
}

// copy returns a group whose pods can be changed without those of this one.
func (g *group) copy() *group {
	c := *g
	c.replicas, c.condemned = g.replicas.copy(), g.condemned.copy()
	c.ordinals = slices.Clone(g.ordinals)
	c.unplaced, c.ripening = slices.Clone(g.unplaced), slices.Clone(g.ripening)
	c.ids, c.used = maps.Clone(g.ids), slices.Clone(g.used)
	return &c
}

// setSet takes in a new version of the set. Only a change of what places or judges the pods costs O(pods).
func (g *group) setSet(set *model.StatefulSet, now model.Time) {
	old := g.set
	g.set = set
	if old != nil && old.Generation == set.Generation {
		return
	}
	pods := g.takeAll()
	g.replicas.resize(int(set.Spec.Replicas))
	for _, pod := range pods {
		if old == nil && !set.Claims(pod) {
			g.used[g.id(pod.Revision())]--
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
	g.unplaced = append(g.unplaced, g.takeAll()...)
	g.set = nil
	g.written = [model.KindRevision + 1]uint64{}
}

// takeAll empties the group and returns its pods: replicas, condemned and others, in this order.
func (g *group) takeAll() []*model.Pod {
	var pods []*model.Pod
	for i, pod := range g.replicas.pods {
		if pod != nil {
			pods = append(pods, pod)
		}
		g.replicas.clear(i)
	}
	pods = append(pods, g.condemned.pods...)
	for i := range g.condemned.pods {
		g.condemned.clear(i)
	}
	g.condemned.resize(0)
	pods = append(pods, g.unplaced...)
	g.ordinals, g.unplaced, g.ripening = g.ordinals[:0], nil, g.ripening[:0]
	return pods
}

func (g *group) addPod(pod *model.Pod, now model.Time) {
	if g.set != nil && !g.set.Claims(pod) {
		g.strays = withPod(g.strays, pod)
		return
	}
	g.used[g.id(pod.Revision())]++
	g.place(pod, now)
}

// place puts a pod where its ordinal belongs. Of two names with one ordinal (web-1 and web-01, which no controller
// makes) the first has the place; upstream leaves it to chance.
func (g *group) place(pod *model.Pod, now model.Time) {
	group, at, found := g.find(pod.Name)
	if g.set == nil || at < 0 || found && g.column(group).pods[at] != nil {
		g.unplaced = append(g.unplaced, pod)
		return
	}
	traits := model.TraitsOf(g.set, pod, now)
	if pod.Ready && traits&model.IsAvailable == 0 {
		g.ripening = append(g.ripening, pod)
	}
	if group == model.Replicas {
		g.replicas.put(at, pod, traits, g.id(pod.Revision()))
		return
	}
	g.ordinals = slices.Insert(g.ordinals, at, g.set.OrdinalOf(pod.Name))
	g.condemned.insert(at, pod, traits, g.id(pod.Revision()))
}

func (g *group) removePod(pod *model.Pod) {
	if hasPod(g.strays, pod) {
		g.strays = withoutPod(g.strays, pod)
		return
	}
	g.used[g.id(pod.Revision())]--
	group, at, found := g.find(pod.Name)
	if !found || g.column(group).pods[at] == nil || g.column(group).pods[at].UID != pod.UID {
		g.unplaced = slices.DeleteFunc(g.unplaced, func(p *model.Pod) bool { return p.UID == pod.UID })
		return
	}
	if group == model.Replicas {
		g.replicas.clear(at)
		return
	}
	g.ordinals = slices.Delete(g.ordinals, at, at+1)
	g.condemned.remove(at)
}

// find returns the place of a name: its index among the replicas, or the position that it has or would have among the
// condemned. Without an ordinal, or without a set, the position is -1 and nothing is found.
func (g *group) find(name string) (group model.Group, at int, found bool) {
	if g.set == nil {
		return model.Condemned, -1, false
	}
	ordinal := g.set.OrdinalOf(name)
	if ordinal < 0 {
		return model.Condemned, -1, false
	}
	if index := ordinal - g.set.Start(); index >= 0 && index < len(g.replicas.pods) {
		return model.Replicas, index, true
	}
	at, found = slices.BinarySearch(g.ordinals, ordinal)
	return model.Condemned, at, found
}

func (g *group) addRevision(revision *model.Revision) {
	g.revisions = withRevision(g.revisions, revision)
	g.lost = countLost(g.set, g.revisions)
}

func (g *group) removeRevision(revision *model.Revision) {
	g.revisions = withoutRevision(g.revisions, revision)
	g.lost = countLost(g.set, g.revisions)
}

// ripen makes available what has become so by that instant.
func (g *group) ripen(now model.Time) {
	g.now = now
	if len(g.ripening) == 0 {
		return
	}
	kept := g.ripening[:0]
	for _, pod := range g.ripening {
		group, at, found := g.find(pod.Name)
		if !found || g.column(group).pods[at] != pod {
			continue
		}
		if model.AvailableAt(pod, g.set.Spec.MinReadySeconds) > now {
			kept = append(kept, pod)
			continue
		}
		g.column(group).traits[at] |= model.IsAvailable
	}
	clear(g.ripening[len(kept):])
	g.ripening = kept
}

func (g *group) column(group model.Group) *column {
	if group == model.Replicas {
		return &g.replicas
	}
	return &g.condemned
}

// id returns the number that stands for a revision label's value.
func (g *group) id(revision string) revisionID {
	id, known := g.ids[revision]
	if !known {
		id = revisionID(len(g.used))
		g.ids[revision] = id
		g.used = append(g.used, 0)
	}
	return id
}

// noRevision is the number of a label that no pod has ever had.
const noRevision = ^revisionID(0)

func (g *group) known(revision string) revisionID {
	if id, known := g.ids[revision]; known {
		return id
	}
	return noRevision
}

func (g *group) compile(w model.Want) wanted {
	has := w.Has | model.Exists
	compiled := wanted{mask: has | w.Lacks, has: has}
	if w.Revision == "" && !w.Other {
		return compiled
	}
	compiled.revision, compiled.byLabel = g.known(w.Revision), thisRevision
	if w.Other {
		compiled.byLabel = otherRevision
	}
	return compiled
}

// nextAvailable returns how long the next ripening pod still takes.
func (g *group) nextAvailable() (time.Duration, bool) {
	var next time.Duration
	found := false
	for _, pod := range g.ripening {
		if left := model.AvailableAt(pod, g.set.Spec.MinReadySeconds).Sub(g.now); !found || left < next {
			next, found = left, true
		}
	}
	return next, found
}
