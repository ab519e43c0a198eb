package kubelet

import (
	"maps"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved holds what the kubelets remember about their pods, and about processes whose pod is gone. It shares nothing
// mutable with the kubelets; a node in it only stands for its name. The fold is not in it: Load folds the timeline
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
	// added are the rules that were added, expiring the names of those that hold for a time.
	added    []behaviour.Named
	expiring []string
}

// Save returns what the kubelets remember, at a fixed point. It costs O(pods).
func (k *Kubelets) Save() Saved {
	s := Saved{
		lives: map[model.UID]*life{}, seen: k.gates.seen, again: k.gates.again, ripened: k.gates.ripened,
		most: k.gates.most, twins: keyed.Copy(k.twins), added: k.behaviour.Added,
	}
	for _, end := range k.expiring {
		s.expiring = append(s.expiring, end.name)
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
	k.behaviour.Added = s.added
	for _, name := range s.expiring {
		k.expiring = append(k.expiring, expiry{name: name})
	}
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
		c.manifest = &manifest{turn: l.manifest.turn, again: l.manifest.again, ticks: l.manifest.ticks}
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
	} else if eventKind(e.Kind) == ruleEnds {
		k.expiring[slices.IndexFunc(k.expiring, func(end expiry) bool { return end.name == e.Key.Name })].timer = timer
	} else if l := k.lives[e.UID]; l != nil {
		*l.slot(e) = timer
	}
}

// Print prints what the kubelets remember of existing pods, the processes whose pod is gone, and the names that two
// processes have. Pods come in the order of the store. The timers are in the kernel's queue, except those that are
// held. The fold of the readiness conditions is left out: it follows from the timeline, and a condition only sees
// the present state.
func (k *Kubelets) Print(p *kernel.Print) {
	for _, pod := range k.store.Pods() {
		k.lives[pod.UID].print(p)
	}
	p.Int(len(k.gates.lives))
	for _, l := range k.gates.lives {
		p.UID(l.UID)
	}
	p.Bool(k.gates.again)
	p.Int(k.gates.most)
	p.Int(len(k.strays))
	for _, s := range k.strays {
		s.print(p)
	}
	p.Keys(keyed.Sorted(k.twins))
	p.Int(len(k.behaviour.Added))
	for i := range k.behaviour.Added {
		added := &k.behaviour.Added[i]
		match := &added.Rule.Match
		p.Texts([]string{added.Name, match.Pod, match.Image, match.Node, match.StatefulSet, match.Namespace, match.Container})
		p.Text(numberText(match.Ordinal) + numberText(match.Nth))
		p.Times(&added.Rule.Times)
	}
}

// print prints a process whose pod is gone. Its since is left out: only the timeline shows it.
func (s *stray) print(p *kernel.Print) {
	p.Key(s.key)
	p.UID(s.uid)
	p.Key(s.set)
	p.Nth(s.nth)
	p.Text(s.node.Name)
	p.Int(int(s.ends))
	p.Bool(s.never)
}

// print prints a life with its held timers, which no queue has. Its other timers are printed with the queue.
func (l *life) print(p *kernel.Print) {
	l.Life.Print(p)
	p.Times(l.times)
	if p.Present(l.main != nil) {
		l.main.print(p)
	}
	if p.Present(l.manifest != nil) {
		l.manifest.print(p, l.gate != nil)
	}
	if g := l.gate; p.Present(g != nil) {
		p.Bool(g.warm, g.holds, g.open, g.shut)
	}
	p.Texts(l.killed)
	p.Int(len(l.held))
	for i := range l.held {
		h := &l.held[i]
		p.Int(int(h.left))
		p.Bool(h.background)
		p.Event(&h.event)
	}
	p.Bool(l.hung, l.ended, l.silenced, l.failing)
	p.Int(int(l.was))
}

// print prints a container without what its probes know; see manifest.print.
func (c *container) print(p *kernel.Print) {
	p.Text(c.name)
	p.Times(&c.times)
	p.Int(int(c.state))
	p.Text(c.word)
	c.restarts.Print(p)
	c.pulls.Print(p)
	p.Int(c.ended)
	p.Int(c.started)
	p.Bool(c.idle)
	p.Bool(c.paused)
}

// print prints the containers of a pod and the positions of the tickers of their probes within their periods; the
// result of a probe that is under way is in the queue, but a probe of the next run of a container begins with the
// next tick. gated is true if the readiness probe is evaluated again in this run.
func (b *manifest) print(p *kernel.Print, gated bool) {
	p.Int(b.turn)
	p.Bool(b.again)
	p.Int(len(b.init))
	for c := range b.all {
		c.print(p)
		d := &c.probed
		p.Bool(d.isInit, d.up, d.ready, d.wasReady, d.spec.Sidecar)
		p.Text(d.killer)
		if c.state == isRunning && !d.up {
			p.Time(d.run.Started)
			p.Time(d.run.Healthy)
		}
		for _, probe := range [...]*model.Probe{d.spec.Startup, d.spec.Readiness, d.spec.Liveness} {
			if probe != nil {
				p.Phase(b.ticks, model.Time(probe.Period))
			}
		}
		if probe := d.spec.Readiness; gated && probe != nil {
			p.Phase(max(b.ticks, d.run.From), model.Time(probe.Period))
		}
	}
}

// numberText renders a number that may not be given.
func numberText(n *int) string {
	if n == nil {
		return "any "
	}
	return strconv.Itoa(*n) + " "
}
