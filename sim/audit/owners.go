package audit

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// ownership returns how a write has changed the controller of an object, 0 if it has not. An object without a
// controller was released if its own controller wrote that, and left behind otherwise (cascade: orphan).
func ownership(by *store.By, old, object *model.Meta) timeline.OwnerChange {
	before, after := old.Controller(), object.Controller()
	switch {
	case after != nil && (before == nil || before.UID != after.UID):
		return timeline.Adopted
	case before == nil || after != nil:
		return 0
	case by.Why.Code == model.CodeRelease:
		return timeline.Released
	}
	return timeline.LeftBehind
}

// recordOwner records that a pod has another controller or none. A pod that its set has left behind still belongs
// to the set, since most likely it waits for the set's successor; a released pod is bare from then on.
func (l *Log) recordOwner(by *store.By, life *Life, old, pod *model.Pod) {
	change := ownership(by, &old.Meta, &pod.Meta)
	if change == 0 {
		return
	}
	if change == timeline.Adopted {
		l.of.Remove(life.Set, life.Key)
		life.Set, life.Bare = ownerOf(&pod.Meta), false
		l.join(life)
	}
	s := l.subjectOf(life, pod)
	e := timeline.Entry{
		Kind: timeline.KindOwner, Actor: by.Actor, State: StateOf(pod), Bare: life.Bare, Set: s.Set, Pod: s.Pod, UID: s.UID,
		Nth: s.Nth, Template: s.Template, Revision: s.Revision, Image: s.Image, Node: s.Node, Why: by.Why,
		Containers: pod.Containers, Owned: &timeline.Owned{Change: change},
	}
	if e.State == timeline.Running {
		e.IP = l.addresses.Of(pod)
	}
	l.kernel.Record(e)
	life.Bare = life.Bare || change == timeline.Released
}

// bareOf marks the pods that an earlier set with the same name has left behind as bare, because a new set has the
// name: they belong to the new set only if it adopts them.
func (l *Log) bareOf(set *model.StatefulSet) {
	for _, key := range l.PodsOf(set.Key()) {
		if owner := l.store.Pod(key).Controller(); owner == nil || owner.UID != set.UID && owner.Name == set.Name {
			l.pods.Get(key).Bare = true
		}
	}
}

// PodsOf returns the pods in the store that belong to a set (Life.Set), bare or not, in the order of their keys.
func (l *Log) PodsOf(set model.Key) []model.Key {
	if !l.of.Kept() {
		for _, pod := range l.store.Pods() {
			l.of.Add(l.pods.Get(pod.Key()).Set, pod.Key())
		}
	}
	return l.of.Keys(set)
}

// join adds a pod to the pods of its set.
func (l *Log) join(life *Life) {
	if l.of.Kept() {
		l.of.Add(life.Set, life.Key)
	}
}

// recordRevisionOwner records that a revision has another controller or none, and reports whether it has.
func (l *Log) recordRevisionOwner(by *store.By, old, revision *model.Revision) bool {
	change := ownership(by, &old.Meta, &revision.Meta)
	if change == 0 {
		return false
	}
	set := ownerOf(&revision.Meta)
	if change != timeline.Adopted {
		set = ownerOf(&old.Meta)
	}
	l.kernel.Record(timeline.Entry{
		Kind: timeline.KindOwner, Actor: by.Actor, Set: set, Why: by.Why,
		Template: revision.Template.ID, Revision: revision.Number,
		Owned: &timeline.Owned{Change: change, Revision: revision.Name},
	})
	return true
}

// standsWith returns the set that a new pod belongs to: its owner or, for a bare pod, the one that it is named after,
// which is "" if the name is no SET-ORDINAL.
func standsWith(pod *model.Pod) (set model.Key, bare bool) {
	if pod.Controller() != nil {
		return ownerOf(&pod.Meta), false
	}
	parent, _ := model.SplitPodName(pod.Name)
	return model.Key{Namespace: pod.Namespace, Name: parent}, true
}

// ownerOf returns the set that controls an object, by name.
func ownerOf(meta *model.Meta) model.Key {
	if owner := meta.Controller(); owner != nil {
		return model.Key{Namespace: meta.Namespace, Name: owner.Name}
	}
	return model.Key{}
}

// recordRepair records that a pod has got its name or its pod-name label back.
func (l *Log) recordRepair(by *store.By, life *Life, pod *model.Pod) {
	l.kernel.Record(timeline.Entry{
		Kind: timeline.KindSync, Actor: by.Actor, Set: life.Set, Pod: pod.Name, UID: pod.UID, Why: by.Why,
	})
}
