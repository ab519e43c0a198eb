package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// boxes are the containers of a pod, where the kubelet follows its manifest: init containers one after the other, the
// sidecars among them stay, then all others at once.
type boxes struct {
	init, main []*container
	// turn is the index of the init container that the others wait for, len(init) when the pod is initialized.
	turn int
	// ticks is when the tickers of the pod's probes began.
	ticks model.Time
}

// probed is what the kubelet knows of a container by its manifest and its probes.
type probed struct {
	// spec is nil where the kubelet does not follow the manifest.
	spec *model.ContainerSpec
	// isInit marks init containers, sidecars among them.
	isInit bool
	run    behaviour.Run
	// up says that the container has started: it runs, and its startup probe has passed. ready is its own readiness,
	// wasReady that it has been so in its present run.
	up, ready, wasReady bool
	// killer is the probe by which the container is being killed, "" for none.
	killer string
}

func (p *probed) reset() { p.up, p.ready = false, false }

// certain says whether the next run of the container will be like this one.
func (p *probed) certain(t *behaviour.Times) bool {
	for _, d := range []behaviour.Delay{t.Healthy, t.Crash, t.GiveUp} {
		if _, constant := d.(behaviour.Constant); d != nil && !constant && d != behaviour.Never {
			return false
		}
	}
	return t.When == nil
}

// regular says whether it is an init container that ends before the next one starts.
func (p *probed) regular() bool { return p.isInit && !p.spec.Sidecar }

// unpack takes a pod's containers out of its manifest.
func (w *World) unpack(l *life, pod *model.Pod) {
	spec := pod.Template.Lifecycle
	if spec == nil {
		spec = &model.Lifecycle{}
		for _, c := range pod.Template.Containers {
			spec.Containers = append(spec.Containers, model.ContainerSpec{Name: c.Name})
		}
	}
	b := &boxes{ticks: w.firstTick()}
	for i := range spec.Init {
		b.init = append(b.init, w.initBox(l, pod, &spec.Init[i]))
	}
	for i := range spec.Containers {
		b.main = append(b.main, w.box(l, pod, &spec.Containers[i]))
	}
	l.boxes = b
}

// firstTick is when the tickers of a pod's probes begin that is taken up at this moment.
func (w *World) firstTick() model.Time { return w.Now().Add(w.takes(w.config.Kubelet.Probes.Phase)) }

func (w *World) box(l *life, pod *model.Pod, spec *model.ContainerSpec) *container {
	subject := w.subject(pod, l)
	subject.Container = spec.Name
	return &container{name: spec.Name, times: w.config.Kubelet.For(subject), probed: probed{spec: spec}}
}

// initBox is an init container. A sidecar that the version does not know is one that does not come to its end.
func (w *World) initBox(l *life, pod *model.Pod, spec *model.ContainerSpec) *container {
	plain := spec.Sidecar && w.config.Cluster.Rules.IgnoresSidecars
	if plain {
		spec = &model.ContainerSpec{Name: spec.Name}
	}
	c := w.box(l, pod, spec)
	c.probed.isInit = true
	if plain {
		c.times.Init = behaviour.Never
	}
	return c
}

// all yields the containers in the order of the manifest.
func (b *boxes) all(yield func(*container) bool) {
	for _, list := range [][]*container{b.init, b.main} {
		for _, c := range list {
			if !yield(c) {
				return
			}
		}
	}
}

// first is the container that starts first.
func (b *boxes) first() *container {
	if len(b.init) > 0 {
		return b.init[0]
	}
	return b.main[0]
}

func (b *boxes) initialized() bool { return b.turn == len(b.init) }

// goOn starts what comes next: the init container whose turn it is, or all others.
func (w *World) goOn(l *life) {
	b := l.boxes
	if !b.initialized() {
		w.run(l, b.init[b.turn])
		return
	}
	for _, c := range b.main {
		w.run(l, c)
	}
}

// begin starts the containers of a pod.
func (w *World) begin(l *life) {
	w.goOn(l)
	c := l.boxes.first()
	message := fmt.Sprintf("container %s is started", c.name)
	if l.boxes.initialized() {
		message = "its containers are started"
	}
	w.tell(l, c, message)
}

// run starts a container, for the first time or again.
func (w *World) run(l *life, c *container) {
	c.state, c.word = isRunning, ""
	p := &c.probed
	p.killer, p.wasReady = "", false
	now := w.Now()
	p.run = behaviour.Run{Started: now, From: now, Healthy: now}
	if c.times.Healthy != nil {
		ns, never := c.times.Healthy.Draw(w.chooser)
		p.run.Healthy += model.Time(ns)
		if never {
			p.run.Healthy = behaviour.Forever
		}
	}
	if p.regular() && !c.crashes() {
		w.afterIn(l, c, completed, c.times.InitTakes())
		return
	}
	w.mayEnd(l, c)
	switch {
	case p.regular():
	case p.spec.Startup != nil:
		w.probeStartup(l, c, p.spec.Startup, startupProbe)
	default:
		w.up(l, c)
	}
}

// The names of the probes by which a container is killed.
const (
	startupProbe  = "startup"
	livenessProbe = "liveness"
)

// probeStartup finds out what becomes of a startup or a liveness probe, and sets the timer for it.
func (w *World) probeStartup(l *life, c *container, p *model.Probe, name string) {
	at, passes := behaviour.Startup(p, behaviour.Ticker{Base: l.boxes.ticks, Period: p.Period}, c.probed.run)
	switch {
	case !passes && name == startupProbe:
		w.scheduleIn(l, c, startupFailed, at)
	case !passes:
		w.scheduleIn(l, c, livenessFailed, at)
	case name == startupProbe:
		w.scheduleIn(l, c, startupPassed, at)
	}
}

// up notes that a container has started, so that the probes for its readiness and its liveness begin. The init
// containers after a sidecar need not wait for more.
func (w *World) up(l *life, c *container) {
	p := &c.probed
	p.up, p.run.From = true, w.Now()
	if p.spec.Liveness != nil {
		w.probeStartup(l, c, p.spec.Liveness, livenessProbe)
	}
	if p.spec.Readiness == nil {
		p.ready, p.wasReady = true, true
	} else {
		ticker := behaviour.Ticker{Base: l.boxes.ticks, Period: p.spec.Readiness.Period}
		at := behaviour.Readiness(p.spec.Readiness, ticker, p.run, w.config.Kubelet.Probes.Unreset)
		if at != behaviour.Forever {
			w.scheduleIn(l, c, readinessPassed, at)
		}
	}
	if b := l.boxes; !b.initialized() && b.init[b.turn] == c {
		b.turn++
		w.goOn(l)
	}
}

// happenInBox lets something happen to a container that the manifest describes.
func (w *World) happenInBox(l *life, c *container, kind eventKind) {
	switch kind {
	case completed:
		c.state = isDone
		l.boxes.turn++
		w.goOn(l)
		w.tell(l, c, fmt.Sprintf("init container %s has completed", c.name))
	case startupPassed:
		w.up(l, c)
		w.tell(l, c, fmt.Sprintf("container %s passed its startup probe", c.name))
	case readinessPassed:
		c.probed.ready, c.probed.wasReady = true, true
		w.tell(l, c, fmt.Sprintf("container %s passed its readiness probe", c.name))
	case startupFailed:
		w.killContainer(l, c, startupProbe, c.probed.spec.Startup)
	case livenessFailed:
		w.killContainer(l, c, livenessProbe, c.probed.spec.Liveness)
	case killed:
		w.crashed(l, c, shownError, fmt.Sprintf("container %s ended, killed for its %s probe", c.name, c.probed.killer))
	default:
		panic(fmt.Sprintf("sim: event %d happens in no container, but it came to %s of %s", kind, c.name, l.key))
	}
}

func (w *World) restartedBox(l *life, c *container, message string) {
	w.run(l, c)
	w.tell(l, c, message)
}
