package kubelet

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved holds what the kubelets remember of their pods, and of processes whose pod is gone. It shares nothing that
// changes with the kubelets; a node in it stands for its name only. The fold is not in it: Load folds the timeline
// again, up to seen.
type Saved struct {
	lives map[model.UID]*life
	// gated are the pods whose readiness depends on other pods, in the order of gates.lives.
	gated   []model.UID
	seen    int
	again   bool
	ripened int
	most    int
	strays  []stray
	twins   map[model.Key]model.Time
}

// Save returns what the kubelets remember, at a fixed point. It costs O(pods).
func (k *Kubelets) Save() Saved {
	s := Saved{
		lives: map[model.UID]*life{}, seen: k.gates.seen, again: k.gates.again, ripened: k.gates.ripened,
		most: k.gates.most, twins: keyed.Copy(k.twins),
	}
	for uid, l := range maps.All(k.lives) {
		s.lives[uid] = l.copy()
	}
	for _, l := range k.gates.lives {
		s.gated = append(s.gated, l.UID)
	}
	for _, of := range k.strays {
		s.strays = append(s.strays, *of)
	}
	return s
}

// Load fills new kubelets. The timeline, the lives of the pods in the record and the nodes must be loaded before; the
// timers come after, through keep. Folding the timeline costs O(events), and only counts if a pod has a gate.
func (k *Kubelets) Load(s Saved) {
	for uid, saved := range maps.All(s.lives) {
		l := saved.copy()
		l.Life = k.log.Pod(l.Key)
		if l.node != nil {
			l.node = k.nodes.Node(l.node.Name)
		}
		keyed.Put(&k.lives, uid, l)
	}
	k.paused = true
	k.twins = keyed.Copy(s.twins)
	for _, of := range s.strays {
		of.node, of.timer = k.nodes.Node(of.node.Name), nil
		k.strays = append(k.strays, &of)
	}
	k.gates = gates{seen: s.seen, again: s.again, ripened: s.ripened, most: s.most}
	for _, uid := range s.gated {
		k.gates.lives = append(k.gates.lives, k.lives[uid])
	}
	for i := range k.kernel.Events()[:s.seen] {
		k.gates.fold.Apply(&k.kernel.Events()[i])
	}
}

// copy returns a life without its timers, which the kernel restores. The slots of held timers point into the copy.
// audit.Life and node are shared and replaced by Load.
func (l *life) copy() *life {
	c := *l
	c.timers = [podEvents]*kernel.Timer{}
	if l.main != nil {
		c.main = l.main.copy()
	}
	if l.manifest != nil {
		c.manifest = &manifest{turn: l.manifest.turn, ticks: l.manifest.ticks}
		for _, of := range l.manifest.init {
			c.manifest.init = append(c.manifest.init, of.copy())
		}
		for _, of := range l.manifest.main {
			c.manifest.main = append(c.manifest.main, of.copy())
		}
	}
	if l.gate != nil {
		gate := *l.gate
		c.gate = &gate
	}
	c.killed, c.held = slices.Clone(l.killed), slices.Clone(l.held)
	for i := range c.held {
		c.held[i].slot = c.slot(c.held[i].event)
	}
	return &c
}

// copy returns a container without its timers, which the kernel restores.
func (c *container) copy() *container {
	of := *c
	of.timers = [containerEvents]*kernel.Timer{}
	return &of
}

// slot returns the place of an event's timer, by the kind of the event and, for a container, its number.
func (l *life) slot(e kernel.Event) **kernel.Timer {
	if kind := eventKind(e.Kind); kind >= firstContainerEvent {
		return &l.container(int(e.N)).timers[kind-firstContainerEvent]
	}
	return &l.timers[e.Kind]
}

// Keep stores a timer in its slot. Only the kernel calls it.
func (k *Kubelets) Keep(e kernel.Event, timer *kernel.Timer) {
	if eventKind(e.Kind) == strayEnds {
		k.stray(e.UID).timer = timer
	} else if l := k.lives[e.UID]; l != nil {
		*l.slot(e) = timer
	}
}
