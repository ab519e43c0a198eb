package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
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
