package judge

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// shown collects in sentences what a dump shows of a pod that a set is stuck on, and what ends that. Each of its
// methods adds those about one cause.
type shown struct {
	// p is the pod and f what the dump shows of it, never nil. list are the sentences so far, the most telling ones first.
	p    *dump.Pod
	f    *dump.Facts
	d    *dump.Dump
	list []string
}

// add adds a sentence; the arguments are those of fmt.
func (x *shown) add(format string, args ...any) {
	x.list = append(x.list, fmt.Sprintf(format, args...))
}

// shownOf says in sentences what a dump shows of the pod that a set is stuck on, in the order of this list: all that
// fits is said. A name without a pod is a pod that does not exist; "" has no facts.
func shownOf(name, namespace string, d *dump.Dump) []string {
	key := model.Key{Namespace: namespace, Name: name}
	f := d.Facts[key]
	switch {
	case f == nil && name == "":
		return nil
	case f == nil:
		return append([]string{name + " does not exist."}, keptClaims(key, d)...)
	}
	x := &shown{p: d.Pod(key), f: f, d: d}
	for _, add := range []func(*shown){
		(*shown).state, (*shown).lastRun, (*shown).admitted, (*shown).missing,
		(*shown).logs, (*shown).placed, (*shown).claims, (*shown).misplaced, (*shown).keeps,
	} {
		add(x)
	}
	return append(x.list, d.Taken(key)...)
}

// state says in which state it is, and since when.
func (x *shown) state() {
	p, f := x.p, x.f
	is, long := dump.Lasting(f.Since, Dated(p))
	switch {
	case p.Terminating():
		x.add("%s %s Terminating%s, with a grace period of %s.", p.Name, is, long, p.Deletion.Grace)
	case p.Node == "":
		x.add("%s %s Pending%s, on no node.", p.Name, is, long)
	case f.Unreported:
		x.add("%s %s in phase Unknown%s: the kubelet of %s does not report it, so nobody knows whether it runs.",
			p.Name, is, long, p.Node)
	case f.Crashed:
		x.add("%s: container %s runs, but has ended before (%s, exit code %d). The pod has not been Ready%s. Restarts: %d.",
			p.Name, f.Container, f.Waiting, f.Exit, long, f.Restarts)
	case f.Waiting != "":
		x.add("%s: %s %s %s in %s%s. Restarts: %d.", p.Name, kindOf(f), f.Container, is, f.Waiting, long, f.Restarts)
	case !p.Ready && (f.Lost || p.Silenced) && long != "":
		x.add("%s is %s, but has not been Ready%s. Restarts: %d.", p.Name, p.Phase, long, f.Restarts)
	case !p.Ready && (f.Lost || p.Silenced) && Dated(p):
		x.add("%s is %s, but has just stopped being Ready. Restarts: %d.", p.Name, p.Phase, f.Restarts)
	case !p.Ready && p.Phase == model.Running && long != "":
		is, long = dump.Lasting(p.Started, true)
		x.add("%s %s Running%s and is not Ready. Restarts: %d.", p.Name, is, long, f.Restarts)
	case !p.Ready:
		x.add("%s %s %s%s and is not Ready. Restarts: %d.", p.Name, is, p.Phase, long, f.Restarts)
	}
}

// kindOf says what kind of container it is that does not run.
func kindOf(f *dump.Facts) string {
	switch {
	case f.OfSidecar:
		return "sidecar"
	case f.OfInit:
		return "init container"
	}
	return "container"
}

// keeps says what keeps it: a readiness gate, its finalizers, or its node.
func (x *shown) keeps() {
	p, f, d := x.p, x.f, x.d
	if f.Gate != "" {
		x.add("%s", symptom.Names{"says": strings.TrimSuffix(dump.OneLine(f.Gate), ".")}.In(symptom.Ungated.Ends))
		x.list = append(x.list, f.GateSays...)
	}
	if len(p.Finalizers) > 0 && p.Terminating() {
		x.add("%s", symptom.Names{"found": strings.Join(p.Finalizers, ", ")}.In(symptom.Named("pod-finalizer").Ends))
	}
	if n := d.Node(p.Node); n != nil && n.Down {
		x.add("%s", d.Names(p).In(symptom.Named("node-down").Ends))
	}
	if says := d.Nodes[p.Node].NotReady; says != "" {
		x.add("%s", d.Names(p).With(symptom.Names{"says": says}).In(symptom.Named("node-not-ready").Ends))
	}
}

// keptClaims says which finalizers keep the claims of a pod that cannot be created before they are gone. That of the
// API server goes by itself when no pod uses the claim.
func keptClaims(pod model.Key, d *dump.Dump) []string {
	var list []string
	for _, claim := range d.State.Claims {
		if claim.Namespace != pod.Namespace || !strings.HasSuffix(claim.Name, "-"+pod.Name) || !claim.Terminating() {
			continue
		}
		add := func(row, found string) {
			list = append(list, symptom.Names{"claim": claim.Name, "found": found}.In(symptom.Named(row).Ends))
		}
		if users := d.UsersOf(claim.Key()); len(users) > 0 {
			add("claim in use", render.And(users)+render.Agree(len(users), " uses", " use"))
		}
		if own := symptom.OwnFinalizers(claim.Finalizers); len(own) > 0 {
			add("claim-finalizer", render.And(own)+render.Agree(len(own), " keeps", " keep"))
		}
	}
	return list
}

// claims says which of its claims have no volume, and why.
func (x *shown) claims() {
	p, d := x.p, x.d
	for _, claim := range d.ClaimsOf(p.Pod) {
		is, long := dump.Lasting(claim.Created, claim.Created < 0)
		f, names := d.Claims[claim.Key()], d.Names(p).With(symptom.Names{"claim": claim.Name, "is": is, "long": long})
		add := func(row, volume, says, see string) {
			x.add("%s", names.With(symptom.Names{"volume": volume, "says": says, "see": see, "class": dump.ClassOf(claim)}).
				In(symptom.Named(row).Ends))
		}
		switch {
		case f.Lost:
			add(symptom.Lost, f.Volume, "", "")
			continue
		case !d.Waits(claim):
			continue
		}
		add("claim-pending", "", dump.OneLine(d.WaitingFor(claim)), shell.In(p.Namespace, "describe", "pvc", claim.Name))
		switch {
		case f.Released != "":
			add(symptom.Released, f.Released, "", shell.FreeVolume(f.Released))
		case d.NoClass(claim) != "":
			add(symptom.NoClass, "", "", "")
		case f.Failed != "":
			row := symptom.Claim(f.Failed)
			if row.Ends == "" || row.Name == symptom.NoClass {
				row = symptom.Named("no volume")
			}
			x.add("%s", names.With(symptom.Names{"found": row.Found(f.Failed)}).In(row.Ends))
		}
	}
}

// enlarging says whether the volume of a pod can grow, as far as the dump shows its StorageClass.
func enlarging(p *dump.Pod, d *dump.Dump) string {
	for _, claim := range d.ClaimsOf(p.Pod) {
		switch class := d.Classes.Of(claim.Data); {
		case class != nil && manifest.Expands(class):
			return "enlarge the PVC, which its StorageClass " + class.Name + " allows"
		case class != nil:
			return "its StorageClass " + class.Name + " does not let the PVC grow: move the data to a new PVC"
		}
	}
	return "enlarge the PVC, if its StorageClass allows that"
}

// space says what a full disk of a pod needs, and what comes of the claims of the pod that are to grow.
func space(p *dump.Pod, d *dump.Dump) []string {
	var list []string
	switch {
	case d.Regrows(p):
		list = append(list, "A disk is full. Its volume has grown, and the file system grows when a new "+p.Name+" starts "+
			"(FileSystemResizePending), but not when the kubelet starts the container again.")
	case d.Full(p.Key()):
		list = append(list, "A disk is full: that of its volume ("+enlarging(p, d)+", or free space), or that of its node.")
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if r := d.ResizeOf(claim.Key()); r != nil && !r.Restart {
			list = append(list, r.String())
		}
	}
	if d.Unmounted(p) && (d.Facts[p.Key()].NotStarted().None() || d.Attached(p.Key())) {
		list = append(list, d.Names(p).In(symptom.Named("volume-not-mounted").Ends))
	}
	if d.Ungrown(p) {
		list = append(list, "When the kubelet has made the file system grow, "+p.Name+" starts by itself.")
	}
	return list
}

// lastRun says how it has ended, or its container in its last run.
func (x *shown) lastRun() {
	p, f, d := x.p, x.f, x.d
	if f.Status != "" {
		x.add("Its status says: %s", dump.OneLine(f.Status))
	}
	if f.Message != "" {
		x.add("The kubelet says: %s", dump.OneLine(f.Message))
	}
	if f.Ended != "" {
		x.add("Its last run has ended: %s.", f.Ended)
	}
	if f.ExitMessage != "" && f.ExitMessage != f.Message {
		x.add("Its message at the end: %s", dump.OneLine(f.ExitMessage))
	}
	x.list = append(x.list, space(p, d)...)
	if text := exited(p, f, d); text != "" {
		x.add("%s", text)
	}
}

// logs says where to look why its containers do not become ready.
func (x *shown) logs() {
	p, f, d := x.p, x.f, x.d
	if f.Unstarted != "" && !p.Ready {
		x.add("%s", symptom.Names{"container": f.Unstarted}.In(symptom.Unstarted.Ends))
	}
	if f.Waiting == "" && p.Phase == model.Running && !p.Ready && symptom.Untimely.In(f.Event) {
		x.add("%s", symptom.Slow.Ends)
	}
	if f.Waiting == "" && p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && f.Gate == "" {
		logs := []string{"logs", p.Name}
		if len(f.Unready) > 0 {
			logs = append(logs, "-c", f.Unready[0])
			x.add("Its %s %s not ready.", render.Agree(len(f.Unready), "container ", "containers ")+render.And(f.Unready),
				render.Agree(len(f.Unready), "is", "are"))
		}
		x.add("To see its log: %s", shell.In(p.Namespace, logs...))
	}
	if f.Waiting == symptom.CrashLoop || f.Crashed {
		x.add("To see the log of its last container: %s",
			shell.In(p.Namespace, "logs", p.Name, "-c", f.Container, "--previous"))
	}
	switch text := likePods(p, d); {
	case f.Waiting == "" || p.Terminating() || f.NotRun().OfPod:
	case !f.NoImage().None() && text == "":
	case text != "":
		x.add("%s", text)
	case f.Lost && !f.Comes() && !f.OfInit && p.ReadySince.Sub(p.Created) > time.Hour:
		x.add("It was Ready with the same template until %s ago, so look at what it uses besides: ConfigMaps, Secrets, "+
			"volumes, other services.", dump.Age(p.ReadySince))
	}
}

// admitted says what admission has done to the container that does not run, what ends that its image cannot be pulled,
// and what the last warning about it was.
func (x *shown) admitted() {
	p, f := x.p, x.f
	switch {
	case f.Added:
		x.add("The template has no container %s: admission adds it (a mutating webhook, for example that of a service "+
			"mesh). No change of the StatefulSet repairs it. When it is repaired there, delete %s: the new pod gets the "+
			"new container.", f.Container, p.Name)
	case f.Replaced != "":
		x.add("The template names the image %s. Admission has replaced it by %s (a mutating webhook, for example that of a "+
			"registry mirror), or somebody has edited the pod.", f.Replaced, f.Image)
	}
	if image := f.NoImage(); image.Ends != "" {
		x.add("%s", x.d.Say(p, image, image.Ends))
	}
	if f.Event != "" && (!p.Ready || p.Terminating()) {
		x.add("The last warning about it: %s", f.Event)
	}
}

// missing says what lacks outside of it so that its containers start.
func (x *shown) missing() {
	p, f := x.p, x.f
	starts := p.Phase == model.Pending && !p.Terminating()
	if kind, name := f.Lacks(); name != "" && starts {
		x.add("When the %s %s exists in the namespace %s, the kubelet starts the pod by itself.", kind, name, p.Namespace)
	}
	if key, of := x.d.LacksKey(p); key != "" && starts {
		x.add("When the %s of the namespace %s has the key %s, the kubelet starts the pod by itself.", of, p.Namespace, key)
	}
	if claim := x.d.PathGone(p); claim != nil {
		x.add("%s", x.d.Names(p).With(pathNames(claim, x.d)).In(symptom.Named("path gone").Ends))
	} else if row := f.NotStarted(); !row.None() && row.Within < symptom.Day && starts && !x.d.Attached(p.Key()) {
		x.add("%s", x.d.Say(p, row, row.Ends))
	}
}

// crashes says of a set that is stuck only because pods crash again and again that it continues while they are Ready,
// as they were in their last runs: the controller does not know that they will crash again.
func (e *evidence) crashes(of *Set) []string {
	then := "the controller continues, although the next crash may follow."
	if of.Whole {
		then = "the StatefulSet is complete until the next crash."
	}
	var facts []string
	for _, p := range of.Back {
		f := e.Facts[p.Key()]
		when := "If it becomes Ready in this one too"
		switch {
		case f.Crashed:
		case f.Last.Again <= 0:
			when = "The kubelet starts the container again at any moment. If it becomes Ready then"
		default:
			when = fmt.Sprintf("The kubelet starts the container again within %s. If it becomes Ready then",
				Whole(time.Duration(f.Last.Again)))
		}
		facts = append(facts, fmt.Sprintf("%s was Ready in the last run of the container, for up to %s. %s, %s", p.Name,
			Whole(f.Last.Ready), when, then))
	}
	return facts
}

// likePods names the other pods of a set that are Ready with the template of a pod that does not run well; "" for none.
func likePods(p *sim.PodState, d *dump.Dump) string {
	var ready []string
	for _, other := range d.Siblings(p) {
		if other.Ready && dump.SameSpec(other.Template, p.Template) {
			ready = append(ready, other.Name)
		}
	}
	if len(ready) == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s Ready with the same template, so look at what differs: the node, the volumes and the name "+
		"of %s.", render.And(ready[:min(len(ready), 3)]), render.Agree(len(ready), "is", "are"), p.Name)
}

// exited says why a container does not run, or what the exit code of one that should not have ended means; "" for nothing.
func exited(p *dump.Pod, f *dump.Facts, d *dump.Dump) string {
	row := f.NotRun()
	switch {
	case row.Ends != "":
		return d.Say(p, row, row.Ends)
	case f.ExitReason == "" || f.OfInit:
		return ""
	case f.Stopped != "":
		return stoppedByProbe(p, f, d)
	case f.Exit == 0:
		return symptom.Named("ended well").Ends
	case symptom.StoppedBy(f.Exit, f.ExitReason) && anyContainer(p.Template, func(c model.ContainerSpec) bool {
		return c.Liveness != nil || c.Startup != nil
	}):
		return d.Names(p).With(symptom.Names{"code": strconv.Itoa(f.Exit)}).In(symptom.Named("stopped from outside").Ends)
	}
	return ""
}

// stoppedByProbe says for which probe the kubelet stops a container, how often, and what the probe says.
func stoppedByProbe(p *dump.Pod, f *dump.Facts, d *dump.Dump) string {
	names := symptom.Names{"found": f.Stopped, "times": "", "says": ""}
	if f.Times > 1 {
		names["times"] = fmt.Sprintf(" (%d times)", f.Times)
	}
	if f.Unanswered != "" {
		names["says"] = ": " + strings.TrimRight(f.Unanswered, ". ")
	}
	return d.Names(p).With(names).In(symptom.Unalive.Ends)
}
