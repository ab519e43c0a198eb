package timeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Fold is the world at one point of a timeline: a fold of its events. The zero value is the world before the first
// event. A Fold is changed in place by Apply; its slices and pointers are only valid until then, unless their own
// comment says otherwise, and must not be written to. It is used by one goroutine, though several may Copy it.
type Fold struct {
	// T is the instant of the last event; Ticks sets it to the instant of a step before the step is applied.
	T model.Time
	// Index is the number of events applied.
	Index int
	// Run and Result are the header and the result, nil until they have been applied.
	Run    *Run
	Result *Result

	// sets are in the order of their keys. Deleted sets stay, without a spec, because their pods may outlive them
	// and a new set with the name may adopt those pods. byKey has the same entries; none is ever removed.
	sets  []*Set
	byKey keyed.Map[*Set]
	// live are the sets that exist, those with a spec, in the same order.
	live []*Set
	// budgets are the PodDisruptionBudgets by key, as their last event has them; one that was deleted stays.
	// budgetChanges grows whenever one changes.
	budgets       map[model.Key]*Budget
	budgetChanges uint64
	// nodes are the changed nodes, in their present state; a node without events is not in it.
	nodes map[string]*Node
	// services are the Services that the DNS knows.
	services map[model.Key]*Service

	// claims are in the order of their namespaces, then of their names.
	claims []*ClaimState
	// ClaimChanges grows whenever a claim changes.
	ClaimChanges uint64
}

// Known returns all sets that the timeline has had, in the order of their keys, including deleted ones: some of
// their pods and revisions may be left.
func (f *Fold) Known() []*Set { return f.sets }

// Claims returns the claims that exist, also those whose set does not, in the order of their namespaces and names.
func (f *Fold) Claims() []*ClaimState { return f.claims }

// Sets returns the sets that exist, in the order of their keys.
func (f *Fold) Sets() []*Set { return f.live }

// Set returns the set of that name, or nil if there is none at this point.
func (f *Fold) Set(key model.Key) *Set {
	if set := f.byKey.Get(key); set != nil && set.Spec != nil {
		return set
	}
	return nil
}

// BarePods yields the pods that no set owns, in the order of the keys of the sets that they are listed with: pods
// that a user has created, that a set has released, or that a deleted set has left behind. It is an iterator for
// range.
func (f *Fold) BarePods(yield func(*Set, *Pod) bool) {
	for _, set := range f.sets {
		lists := [2]*PodList{&set.Bare, {}}
		if set.Spec == nil {
			lists[1] = &set.Pods
		}
		for _, list := range lists {
			for p := range list.All {
				if !yield(set, p) {
					return
				}
			}
		}
	}
}

// Set is a StatefulSet and its pods at one point of a timeline. The entry of a name lives as long as the fold,
// whatever sets are created and deleted under the name.
type Set struct {
	Key model.Key
	// Spec is the set as the last step or fault left it: its key, uid and generation, and the spec; nil if there is
	// no set with the name. The status is in Status.
	Spec   *model.StatefulSet
	Status model.Status
	// Pods are the pods that the set owns.
	Pods PodList
	// Bare are the pods that are listed with the set although no set owns them: they are named after it, or it has
	// released them. They do not count until a set adopts them. No pod is in both lists.
	Bare PodList
	// uid is the UID of the set, or of the last set that had its name.
	uid model.UID
	// SpecChanges, StatusChanges and PodChanges grow whenever the spec, the status or a pod changes: who remembers them
	// knows whether something has changed since.
	SpecChanges, StatusChanges, PodChanges uint64

	// ready, serving and outdated count the pods of Pods that are so; 0 <= serving <= ready.
	ready, serving, outdated int
	// strays counts the processes of deleted pods, twins the identities that two processes have.
	strays, twins int
	// run is the header, nil if there was none. templates are those that steps have brought, by their N; revisions is
	// the set's history in its order.
	run       *Run
	templates map[int]*model.Template
	revisions []Revision
	// past are the revisions of earlier sets of the name that the set does not own.
	past []Revision
	// available remembers a count; see Available. specMap and statusMap are built when they are asked for.
	available          availability
	specMap, statusMap lazyMap
}

// Pod returns the pod of that name that is listed with a set, also one without an owner, or nil if there is none.
func (f *Fold) Pod(set model.Key, name string) *Pod {
	if s := f.byKey.Get(set); s != nil {
		return s.pod(name)
	}
	return nil
}

// Node returns a node, or nil if nothing has happened to it yet.
func (f *Fold) Node(name string) *Node { return f.nodes[name] }

// Pod is a pod at one point of a timeline. The pointer stays the same as long as the uid does, and the fold changes
// it in place.
type Pod struct {
	Name string
	// Ordinal is the number at the end of the name, -1 if the pod is named after no set or another one.
	Ordinal int
	UID     model.UID
	// Nth is the number of this pod among all pods that have had its name, from 1.
	Nth int
	// State is the state that the pod entered last, Since when it entered it, Created when the timeline first had the pod.
	State          State
	Since, Created model.Time
	Phase          model.Phase
	// Ready is the Ready condition and ReadySince its last transition. A pod that is Terminating keeps them.
	Ready       bool
	ReadySince  model.Time
	Terminating bool
	// Template is the N of @N, Revision the number of its ControllerRevision when it entered its last state; a later
	// change of that number is not in it.
	Template int
	Revision int64
	Image    string
	Node     string
	// Shown is the status that kubectl shows instead of the phase, for example CrashLoopBackOff; "" if it shows the
	// phase. Restarts counts the restarts of the pod's containers.
	Shown    string
	Restarts int
	// Containers is the kubelet's last report about the pod's containers; nil if there was none.
	Containers *model.Containers
	// Reason and Message are the last ones for the pod's state or its containers, if that is not one of the model's
	// reasons: Evicted, an image that cannot be pulled.
	Reason, Message string
	// Warning is the last warning event about the pod, as Reason: Message.
	Warning string
	// Silent is true if the pod is unready because its node has fallen silent. Its containers may well be ready.
	Silent bool
	// IP is the pod's address, if the timeline has it.
	IP string

	// left is true if the set that it is listed with has left it behind (cascade: orphan).
	left bool
	// gap is true if the pod is gone and only keeps its place in its PodList.
	gap bool
}

// Up reports whether the pod's containers run. They do not if the pod is in CrashLoopBackOff, though its phase is
// Running, or is terminating.
func (p *Pod) Up() bool { return p.Phase == model.Running && p.Shown == "" && !p.Terminating }

// Serving reports whether the pod is Ready and not Terminating.
func (p *Pod) Serving() bool { return p.Ready && !p.Terminating }

// Ready returns the number of pods whose Ready condition is true, those that are Terminating included.
func (s *Set) Ready() int { return s.ready }

// Serving returns the number of pods that are Ready and not Terminating.
func (s *Set) Serving() int { return s.serving }

// Outdated returns the number of pods that were not created from the set's present template, terminating ones included.
func (s *Set) Outdated() int { return s.outdated }

// IsAvailable reports whether the pod is serving and has been Ready for minReadySeconds at that instant. Unlike
// status.availableReplicas it leaves out pods that are terminating.
func (s *Set) IsAvailable(p *Pod, now model.Time) bool {
	return p.Serving() && now.Sub(p.ReadySince) >= s.minReady()
}

// minReady is minReadySeconds; 0 for a deleted set.
func (s *Set) minReady() time.Duration {
	if s.Spec == nil {
		return 0
	}
	return time.Duration(s.Spec.Spec.MinReadySeconds) * time.Second
}

// availability remembers a count of available pods and how long it is right: from the instant of the count until the
// next pod becomes available. known is false once a pod or the spec has changed.
type availability struct {
	count       int
	known       bool
	from, until model.Time
}

// Available returns the number of pods that are available at that instant, which is not before the last event.
func (s *Set) Available(now model.Time) int {
	if s.minReady() == 0 {
		return s.serving
	}
	a := &s.available
	if !a.known || now < a.from || now >= a.until {
		s.countAvailable(now)
	}
	return a.count
}

// countAvailable counts the available pods at an instant; O(pods).
func (s *Set) countAvailable(now model.Time) {
	s.available = availability{known: true, from: now, until: 1<<63 - 1}
	for p := range s.Pods.All {
		if s.IsAvailable(p, now) {
			s.available.count++
		} else if p.Serving() {
			s.available.until = min(s.available.until, p.ReadySince.Add(s.minReady()))
		}
	}
}

// Complete reports whether the set's rollout is done: it has exactly the pods of its range, and each is available
// and created from the set's present template. It does not look at the status, nor at the partition.
func (s *Set) Complete(now model.Time) bool {
	if s.Spec == nil {
		return false
	}
	want, start := int(s.Spec.Spec.Replicas), s.Spec.Start()
	if s.Pods.Len() != want || s.outdated > 0 || s.Available(now) != want {
		return false
	}
	return want == 0 || s.Pods.First().Ordinal >= start && s.Pods.Last().Ordinal < start+want
}

// SpecMap returns the spec with Kubernetes' field names, numbers as json.Number. It is built when it is first asked
// for after a change, and must not be written to. It is nil for a set that does not exist. It costs as much as
// rendering and parsing the spec.
func (s *Set) SpecMap() map[string]any {
	if s.Spec == nil {
		return nil
	}
	return s.specMap.get(s.SpecChanges, func() []byte { return AppendSpec(nil, &s.Spec.Spec) })
}

// StatusMap returns the status in the same way.
func (s *Set) StatusMap() map[string]any {
	return s.statusMap.get(s.StatusChanges, func() []byte { return AppendStatus(nil, &s.Status) })
}

// lazyMap is a map that is built for a version, a count of changes.
type lazyMap struct {
	of     uint64
	values map[string]any
}

// get returns the map for a count of changes, and builds it of the text if the last one was for another count.
func (m *lazyMap) get(version uint64, text func() []byte) map[string]any {
	if m.values == nil || m.of != version {
		m.of, m.values = version, decodeMap(text())
	}
	return m.values
}

// decodeMap panics if the text is not JSON: the code that made the events has then put something else into a
// template.
func decodeMap(text []byte) map[string]any {
	var values map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		panic(fmt.Sprintf("timeline: a set's text is no JSON: %v in %s", err, text))
	}
	return values
}
