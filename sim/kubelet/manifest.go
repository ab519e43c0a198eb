package kubelet

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// manifest is the containers of a pod whose manifest the kubelet follows: init containers one after the other, the
// sidecars among them stay, then all others at once. Both lists are in the order of the manifest and do not change.
type manifest struct {
	init, main []*container
	// turn is the index of the init container that the others wait for, len(init) when the pod is initialized. It only
	// grows, except that a reboot, or a restart of all containers, sets it to 0.
	turn int
	// again is true if all containers were started again after the pod was initialized. Its status keeps this.
	again bool
	// ticks is the instant when the tickers of the pod's probes started. All probes of the pod tick from there,
	// whatever the containers do.
	ticks model.Time `print:"-"`
}

// probed is what the kubelet knows of a container from its manifest and its probes. It is zero without a manifest.
type probed struct {
	// spec is nil if the kubelet does not follow the manifest.
	spec *model.ContainerSpec
	// isInit marks init containers, sidecars among them.
	isInit bool
	// run is the present run of the container, as its probes see it; it has no meaning while the container does not run.
	run behaviour.Run `print:"-"`
	// up is true once the container has started: it runs, and its startup probe has passed. ready is its own
	// readiness, and wasReady is true if it has been ready in its present run. ready implies up.
	up, ready, wasReady bool
	// killer is the probe that the container is being killed for or was last killed for; "" if it has started
	// since. It marks a crash loop that a probe causes.
	killer string
}

// reset forgets the readiness of the run that ended. wasReady and killer stay: they are about crash loops.
func (p *probed) reset() { p.up, p.ready = false, false }

// certain reports whether the next run of the container will be like this one: none of its times is drawn, and its
// readiness does not depend on other pods.
func (p *probed) certain(t *behaviour.Times) bool {
	for _, d := range []behaviour.Delay{t.Healthy, t.Crash, t.GiveUp} {
		if _, constant := d.(behaviour.Constant); d != nil && !constant && d != behaviour.Never {
			return false
		}
	}
	return t.When == nil
}

// regular reports whether it is an init container that must end before the next one starts.
func (p *probed) regular() bool { return p.isInit && !p.spec.Sidecar }

// unpack reads a pod's containers from its manifest, and draws where the tickers of its probes start. A template
// that was not read from a manifest counts as one with these containers and no probes. It is called once for each
// life, at the binding.
func (k *Kubelets) unpack(l *life, pod *model.Pod) {
	spec := pod.Template.Lifecycle
	if spec == nil {
		spec = &model.Lifecycle{}
		for _, c := range pod.Template.Containers {
			spec.Containers = append(spec.Containers, model.ContainerSpec{Name: c.Name})
		}
	}
	b := &manifest{ticks: k.firstTick()}
	for i := range spec.Init {
		b.init = append(b.init, k.newInit(l, pod, &spec.Init[i]))
	}
	for i := range spec.Containers {
		b.main = append(b.main, k.listed(l, pod, &spec.Containers[i]))
	}
	n := 0
	for c := range b.all {
		c.n = n
		n++
	}
	l.manifest = b
}

// firstTick returns the instant when the tickers start, for the probes of a pod that a kubelet starts on now.
func (k *Kubelets) firstTick() model.Time {
	return k.kernel.Now().Add(k.kernel.Takes(k.behaviour.Probes.Phase))
}

// listed returns a container of the manifest, with the times that the rules give a container of that name.
func (k *Kubelets) listed(l *life, pod *model.Pod, spec *model.ContainerSpec) *container {
	of := subject(pod, l)
	of.Container = spec.Name
	return &container{name: spec.Name, times: *k.behaviour.For(of), probed: probed{spec: spec}}
}

// newInit returns an init container. A version that does not know sidecars (before 1.29) drops the restartPolicy: a
// sidecar is then an init container that does not end, and the others wait forever.
func (k *Kubelets) newInit(l *life, pod *model.Pod, spec *model.ContainerSpec) *container {
	plain := spec.Sidecar && k.nodes.Rules().IgnoresSidecars
	if plain {
		spec = &model.ContainerSpec{Name: spec.Name}
	}
	c := k.listed(l, pod, spec)
	c.probed.isInit = true
	if plain {
		c.times.Init = behaviour.Never
	}
	return c
}

// all yields the containers in the order of the manifest, init containers first. It is an iterator for range.
func (b *manifest) all(yield func(*container) bool) {
	for _, list := range [][]*container{b.init, b.main} {
		for _, c := range list {
			if !yield(c) {
				return
			}
		}
	}
}

// first returns the container that starts first. A manifest has at least one container.
func (b *manifest) first() *container {
	if len(b.init) > 0 {
		return b.init[0]
	}
	return b.main[0]
}

// next returns the init container whose turn it is, or the first of the others once the pod is initialized.
func (b *manifest) next() *container {
	if b.initialized() {
		return b.main[0]
	}
	return b.init[b.turn]
}

// initialized reports whether all init containers are done, so that the main containers may run.
func (b *manifest) initialized() bool { return b.turn == len(b.init) }

// goOn starts what comes next: the init container whose turn it is, or all others once the pod is initialized. It is
// called once for each value of turn.
func (k *Kubelets) goOn(l *life) {
	b := l.manifest
	if !b.initialized() {
		k.run(l, b.init[b.turn])
		return
	}
	for _, c := range b.main {
		k.run(l, c)
	}
}

// begin starts the containers of a pod whose image is pulled, and reports it. The phase becomes Running only when the
// init containers are done.
func (k *Kubelets) begin(l *life) {
	c := l.manifest.next()
	k.goOn(l)
	message := fmt.Sprintf("container %s is started", c.name)
	switch {
	case k.carryOn(l, c):
		message = fmt.Sprintf("container %s runs already", c.name)
	case l.manifest.initialized():
		message = "its containers are started"
	}
	k.report(l, c, message)
}

// run starts a container, for the first time or again. It draws when the application answers its probes, and sets the
// timers of all ends that the run may have: completion, crash, the result of the startup probe. It writes no status;
// the caller reports.
func (k *Kubelets) run(l *life, c *container) {
	c.state, c.word = isRunning, ""
	p := &c.probed
	p.killer, p.wasReady = "", false
	now := k.kernel.Now()
	p.run = behaviour.Run{Started: now, From: now, Healthy: now}
	if c.times.Healthy != nil {
		wait, never := k.kernel.Draw(c.times.Healthy)
		p.run.Healthy += wait
		if never {
			p.run.Healthy = behaviour.Forever
		}
	}
	if p.regular() && !c.crashes() {
		k.afterIn(l, c, completed, c.times.InitTakes())
		return
	}
	k.mayEnd(l, c)
	switch {
	case p.regular():
	case p.spec.Startup != nil:
		k.probeStartup(l, c, p.spec.Startup, startupProbe)
	default:
		k.up(l, c)
	}
}

// The names of the probes that may get a container killed.
const (
	startupProbe  = "startup"
	livenessProbe = "liveness"
)

// probeStartup finds out what becomes of a startup or a liveness probe, and sets the timer for it. The result follows
// from the run at once, since an application that answers keeps answering; so no tick needs an event. A liveness
// probe that passes has no consequence.
func (k *Kubelets) probeStartup(l *life, c *container, p *model.Probe, name string) {
	at, passes := behaviour.Startup(p, behaviour.Ticker{Base: l.manifest.ticks, Period: p.Period}, c.probed.run)
	switch {
	case !passes && name == startupProbe:
		k.scheduleIn(l, c, startupFailed, at)
	case !passes:
		k.scheduleIn(l, c, livenessFailed, at)
	case name == startupProbe:
		k.scheduleIn(l, c, startupPassed, at)
	}
}

// up notes that a container has started, so that its readiness and liveness probes start. Without a readiness probe
// it is ready. Init containers that wait for a sidecar may continue: they wait for its start, not for its readiness
// (KEP-753).
func (k *Kubelets) up(l *life, c *container) {
	p := &c.probed
	p.up, p.run.From = true, k.kernel.Now()
	if p.spec.Liveness != nil {
		k.probeStartup(l, c, p.spec.Liveness, livenessProbe)
	}
	if p.spec.Readiness == nil {
		p.ready, p.wasReady = true, true
	} else {
		ticker := behaviour.Ticker{Base: l.manifest.ticks, Period: p.spec.Readiness.Period}
		at := behaviour.Readiness(p.spec.Readiness, ticker, p.run, k.behaviour.Probes.Unreset)
		if at != behaviour.Forever {
			k.scheduleIn(l, c, readinessPassed, at)
		}
	}
	if b := l.manifest; !b.initialized() && b.init[b.turn] == c {
		b.turn++
		k.goOn(l)
	}
}

// happenInListed carries out an event of a container that a manifest describes. It panics for any other kind.
func (k *Kubelets) happenInListed(l *life, c *container, kind eventKind) {
	switch kind {
	case completed:
		if k.afterExit(l, c, exit{}) == model.StartAllAgain {
			k.crashed(l, c, exit{word: shownCompleted, message: "init container " + c.name + " has completed"})
			return
		}
		k.complete(l, c)
	case startupPassed:
		k.up(l, c)
		k.report(l, c, fmt.Sprintf("container %s passed its startup probe", c.name))
	case readinessPassed:
		c.probed.ready, c.probed.wasReady = true, true
		k.report(l, c, fmt.Sprintf("container %s passed its readiness probe", c.name))
	case startupFailed:
		k.killContainer(l, c, startupProbe, c.probed.spec.Startup)
	case livenessFailed:
		k.killContainer(l, c, livenessProbe, c.probed.spec.Liveness)
	case killed:
		k.crashed(l, c, killedFor(c))
	default:
		panic(fmt.Sprintf("kubelet: event %q happens in no container, but it came to %s of %s",
			eventNames[kind], c.name, l.Key))
	}
}

// complete notes that an init container has done its work, and starts what comes next.
func (k *Kubelets) complete(l *life, c *container) {
	c.state = isDone
	l.manifest.turn++
	k.goOn(l)
	k.report(l, c, fmt.Sprintf("init container %s has completed", c.name))
}

// restartedListed is restarted for such a container.
func (k *Kubelets) restartedListed(l *life, c *container, message string) {
	k.run(l, c)
	k.report(l, c, message)
}

// report writes the state of a pod's containers into its status: its phase, readiness and the line of kubectl. The
// message is about the container that has changed. A pod becomes Running in a write of its own, before it becomes
// Ready. It is called after each change of a container.
func (k *Kubelets) report(l *life, c *container, message string) {
	b := l.manifest
	status := &model.Containers{Name: c.name, Shown: b.shown(), Message: message, Restarts: b.restarts()}
	status.Ready, status.All = b.readiness()
	if pod := k.store.Pod(l.Key); pod != nil && pod.Phase == model.Pending && b.initialized() {
		// A pod is Running before it is Ready. Both are recorded, even if they come at the same instant.
		k.write().ChangePod(l.Key, func(p *model.Pod) { p.Phase, p.Containers = model.Running, status })
	}
	isReady := b.ready() && (l.gate == nil || l.gate.open)
	k.write().ChangePod(l.Key, func(p *model.Pod) {
		p.Containers = status
		if p.Ready != isReady {
			p.Ready, p.ReadySince = isReady, k.kernel.Now()
		}
	})
}

// shown returns the word that kubectl shows as STATUS, "" if it shows the phase (printPod of kubectl's printers).
// Before the pod is initialized, it is the word of the init container that holds up the others; after that, the
// word of the first container in the manifest that does not run.
func (b *manifest) shown() string {
	word := ""
	for i, c := range b.init {
		if c.state == isDone && c.word == "" || c.probed.up {
			continue
		}
		word = fmt.Sprintf("Init:%d/%d", i, len(b.init))
		if c.word != "" {
			word = "Init:" + c.word
		}
		break
	}
	if b.again && !b.initialized() {
		word = shownPodInitializing
	}
	// Before that none of these has a word, unless all are started again.
	for i := len(b.main) - 1; i >= 0; i-- {
		if b.main[i].word != "" {
			word = b.main[i].word
		}
	}
	return word
}

// restarts returns the column RESTARTS as kubectl counts it: the restarts of init containers until the pod is
// initialized, then the restarts of sidecars and the other containers.
func (b *manifest) restarts() int {
	n := 0
	for c := range b.all {
		if (b.again || b.initialized()) != c.probed.regular() {
			n += c.started
		}
	}
	return n
}

// ready reports whether the pod is initialized and all containers that have to be ready are ready. It does not look
// at a gate.
func (b *manifest) ready() bool {
	n, all := b.readiness()
	return b.initialized() && n == all
}

// readiness counts the containers that are ready, and those that have to be: init containers that complete do not.
func (b *manifest) readiness() (ready, all int) {
	for c := range b.all {
		if c.probed.regular() {
			continue
		}
		all++
		if c.probed.ready {
			ready++
		}
	}
	return ready, all
}
