package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// ThingKind is the kind of an object other than a pod.
type ThingKind string

// The kinds.
const (
	ANode    ThingKind = "node"
	AProcess ThingKind = "process"
	AClaim   ThingKind = "claim"
	ABudget  ThingKind = "budget"
	AName    ThingKind = "name"
)

// Thing is an object of a run that is not a pod: a node, a claim, a PodDisruptionBudget, a name in the DNS, or the
// processes without a pod.
type Thing struct {
	Kind ThingKind
	// Name tells things of one kind apart; with the namespace if the run has several. Name and Text are safe to print.
	Name string
	// Text is its state from now on, "" if the thing no longer exists.
	Text string
	Tone Tone
}

// Things reads what a run says about things. It must see the events of the run, one after the other, from the first
// on.
type Things struct {
	cast *cast
	// processes are by the names of their pods.
	processes map[string]*processes
}

// processes are the processes of one identity.
type processes struct {
	// strays are the nodes where a process without a pod still runs, in the order of their start; twins is true if
	// one of them runs at the same time as the pod with that name.
	strays []string
	twins  bool
}

// NewThings returns a Things for a run that has seen nothing of it. It reads the run's timeline to name its objects.
func NewThings(run *Run) *Things {
	return &Things{cast: castOf(run.Events), processes: map[string]*processes{}}
}

// See takes the next event, and returns the thing that it changes, if any. The thing may be as it was before.
func (t *Things) See(event *timeline.Event) (thing Thing, ok bool) {
	switch event.Kind {
	case timeline.KindNode:
		if event.NodeState == nil {
			return Thing{}, false
		}
		thing = nodeThing(event)
	case timeline.KindProcess:
		thing = t.process(event)
	case timeline.KindClaim:
		thing = t.claim(event)
	case timeline.KindBudget:
		thing = t.budget(event.Budget)
	case timeline.KindDNS:
		thing = t.dns(event)
	default:
		return Thing{}, false
	}
	thing.Name, thing.Text = render.Visible(thing.Name), render.Visible(thing.Text)
	return thing, true
}

// nodeThing words a node as the column STATUS of kubectl get nodes does, followed by what the API server cannot
// know.
func nodeThing(event *timeline.Event) Thing {
	n := event.NodeState
	thing := Thing{Kind: ANode, Name: event.Node}
	var words []string
	if !n.Up {
		words, thing.Tone = append(words, "down"), Wrong
	}
	switch {
	case n.Deleted:
		words = append(words, "deleted")
	case n.Ready && !n.Up:
		words = append(words, "still Ready")
	case n.Ready:
		words = append(words, "Ready")
	default:
		words, thing.Tone = append(words, "NotReady"), Wrong
	}
	if n.Cordoned {
		words[len(words)-1] += ",SchedulingDisabled"
	}
	if n.Unreachable {
		taint := "unreachable"
		if n.Up {
			taint = "not-ready"
		}
		words = append(words, "tainted "+taint)
	}
	if n.OutOfService {
		words = append(words, "out of service")
	}
	if event.Why.Code == model.DrainBlocked {
		words = append(words, "its drain waits")
	}
	thing.Text = strings.Join(words, ", ")
	if thing.Tone == Plain && thing.Text != "Ready" {
		thing.Tone = Waiting
	}
	return thing
}

// process notes that a process without a pod started or ended, or that two processes have one identity. Two with
// one identity are wrong; a stray process alone only has to be waited for.
func (t *Things) process(event *timeline.Event) Thing {
	name := t.cast.of(event.Set, event.Pod)
	p := t.processes[name]
	if p == nil {
		p = &processes{}
		t.processes[name] = p
	}
	switch at := slices.Index(p.strays, event.Node); {
	case event.Reason == timeline.ReasonTwins:
		p.twins = !event.Process.Ended
	case !event.Process.Ended:
		p.strays = append(p.strays, event.Node)
	case at >= 0:
		p.strays = slices.Delete(p.strays, at, at+1)
	}
	where := ""
	if len(p.strays) > 0 {
		where = " on " + strings.Join(p.strays, " and ")
	}
	switch {
	case p.twins:
		return Thing{AProcess, name, "TWO PROCESSES, the stray one" + where, Wrong}
	case where != "":
		return Thing{AProcess, name, "stray" + where, Waiting}
	}
	return Thing{AProcess, name, "", Plain}
}

// claim words a claim by its phase and its owners, which decide when the garbage collector deletes it.
func (t *Things) claim(event *timeline.Event) Thing {
	c := event.Claim
	thing := Thing{Kind: AClaim, Name: t.cast.of(event.Set, c.Name), Text: c.Phase}
	switch {
	case c.Type == model.Deleted:
		thing.Text = ""
		return thing
	case c.Phase != "Bound":
		thing.Tone = Waiting
	}
	if len(c.Owners) > 0 {
		thing.Text += ", owned by " + strings.Join(c.Owners, " and ")
	}
	return thing
}

// budget words a PodDisruptionBudget by its status. A budget that allows nothing is highlighted: a drain waits for
// it.
func (t *Things) budget(b *timeline.Budget) Thing {
	name := t.cast.of(model.Key{Namespace: b.Namespace}, b.Name)
	thing := Thing{Kind: ABudget, Name: name, Text: fmt.Sprintf("allows %s: %d healthy, %d needed, %s",
		render.Count(int(b.Allowed), "disruption"), b.Healthy, b.Desired, render.Count(int(b.Expected), "pod"))}
	if b.Allowed == 0 {
		thing.Tone = Waiting
	}
	return thing
}

// dns words an answer of the DNS: a name of a pod leads to its address, a Service to its pods or its own address.
func (t *Things) dns(event *timeline.Event) Thing {
	d := event.DNS
	thing := Thing{Kind: AName, Name: d.Service}
	if t.cast.namespaces {
		thing.Name += "." + event.Set.Namespace
	}
	switch {
	case d.Hostname != "":
		thing.Name = d.Hostname + "." + thing.Name
	case event.Pod != "":
		thing.Name += " (" + event.Pod + ")"
	}
	switch {
	case d.Type == model.Deleted:
	case event.Pod == "" && d.IP == "":
		thing.Text = "headless: the addresses of its pods"
	case event.Pod == "":
		thing.Text = "its own address " + d.IP
	default:
		thing.Text = d.IP
	}
	return thing
}

// thingGrids lists what is not well at the end of a run: nodes that are not Ready, claims that are not Bound,
// processes without pods. A table without rows is left out. The rows are in the order of the things' appearance.
func thingGrids(run *Run) []render.Grid {
	things := NewThings(run)
	type key struct {
		kind ThingKind
		name string
	}
	last := map[key]Thing{}
	var order []key
	for i := range run.Events {
		thing, changed := things.See(&run.Events[i])
		if !changed {
			continue
		}
		k := key{thing.Kind, thing.Name}
		if _, known := last[k]; !known {
			order = append(order, k)
		}
		last[k] = thing
	}
	grids := []render.Grid{
		{Title: "processes without a pod", Header: []string{"process", "state"}},
		{Title: "nodes with problems", Header: []string{"node", "state"}},
		{Title: "claims that are not bound", Header: []string{"claim", "state"}},
	}
	rows := map[ThingKind]*render.Grid{AProcess: &grids[0], ANode: &grids[1], AClaim: &grids[2]}
	for _, k := range order {
		thing := last[k]
		if g := rows[k.kind]; g != nil && thing.Text != "" && thing.Tone != Plain {
			g.Rows = append(g.Rows, []string{thing.Name, thing.Text})
		}
	}
	return slices.DeleteFunc(grids, func(g render.Grid) bool { return len(g.Rows) == 0 })
}
