package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Trace writes runs as Chrome's trace event JSON, which https://ui.perfetto.dev opens: a process for each set, with
// a thread for each pod name, where a pod's states are within the span of its life; the waits of the controller;
// counters of the status; and arrows from events to the controller's reactions. Nodes with problems, and processes
// without pods, are threads of a process of their own. Time is virtual, in microseconds. Several runs are put into
// one trace, with their names before the names of their processes. The error may also be about a value that JSON
// cannot have.
func Trace(w io.Writer, runs ...*Run) error {
	t := &tracer{out: bufio.NewWriterSize(w, 1<<16)}
	t.out.WriteString(`{"displayTimeUnit":"ms","traceEvents":[`)
	for _, run := range runs {
		prefix := ""
		if len(runs) > 1 {
			prefix = run.Name + ": "
		}
		t.run(run, prefix)
	}
	t.out.WriteString("\n]}\n")
	if t.err != nil {
		return fmt.Errorf("the trace: %w", t.err)
	}
	return t.out.Flush()
}

// traceEvent is one event of the trace event format; the letters are the format's own.
type traceEvent struct {
	Name  string `json:"name,omitempty"`
	Cat   string `json:"cat,omitempty"`
	Phase string `json:"ph"`
	// TS and Dur are in microseconds, with up to three decimals.
	TS  json.Number `json:"ts"`
	Dur json.Number `json:"dur,omitempty"`
	// PID and TID number the processes and threads from 1 in the order of their appearance; TID 0 is the process
	// itself.
	PID int `json:"pid"`
	TID int `json:"tid"`
	// ID joins the two ends of an arrow or of an asynchronous span; Bind "e" ties an arrow's head to the span around it.
	ID    string         `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// tracer writes a trace event by event. Thread 1 of a set's process has its waits, the others its pods; the user's
// process has one thread, of steps and faults.
type tracer struct {
	out *bufio.Writer
	// err is the last error of json.Marshal; writing continues after it. An error of the writer comes from Flush.
	err error
	// some is true if an event was written, so that the next one needs a comma.
	some bool
	// pids, flows and waits are the numbers that were given last. They are unique in the whole trace, over all runs.
	pids  int
	flows int
	waits int
	// Of the run that is being written:
	end model.Time
	// user is the process of the user; sets are the processes of the sets, made when they are first needed.
	user int
	sets map[model.Key]*tracedSet
	cast *cast

	things *tracedThings
}

// tracedSet is a process of the trace.
type tracedSet struct {
	pid  int
	pods map[string]*tracedPod
	// names are the pods in the order of their appearance.
	names []string
	// waits are the open waits, by their numbers from 1.
	waits map[wait]int
	// cause is the place and the instant of the last event that the controller did not cause: a step, a fault, or what a
	// kubelet did to a pod. The controller's acts of the same instant are taken for its consequences.
	cause traced
}

// tracedPod is a thread: the life of the pod that has the name now, and the state that it is in.
type tracedPod struct {
	// tid counts from 2, as thread 1 has the waits.
	tid   int
	alive bool
	// born is the event that started the life, since the one that started the state. Both are valid while alive.
	born, since timeline.Event
}

// traced is a place in the trace; ok is true if there is one. With over, it is in the span that has just ended
// there: an arrow from it starts a nanosecond earlier, within that span.
type traced struct {
	ok, over bool
	at       model.Time
	pid, tid int
}

// microseconds keeps all nine digits of virtual time.
func microseconds(t model.Time) json.Number {
	whole := strconv.FormatInt(int64(t)/1000, 10)
	if rest := int64(t) % 1000; rest != 0 {
		whole += fmt.Sprintf(".%03d", rest)
	}
	return json.Number(whole)
}

// add writes an event of the trace. One that cannot be written as JSON is left out, and err has why.
func (t *tracer) add(e traceEvent) {
	line, err := json.Marshal(e)
	if err != nil {
		t.err = err
		return
	}
	if t.some {
		t.out.WriteByte(',')
	}
	t.some = true
	t.out.WriteByte('\n')
	t.out.Write(line)
}

// name gives a process (tid 0) or a thread its name and its place in the order.
func (t *tracer) name(pid, tid int, name string) {
	kind, order := "thread", tid
	if tid == 0 {
		kind, order = "process", pid
	}
	t.add(traceEvent{Name: kind + "_name", Phase: "M", TS: "0", PID: pid, TID: tid,
		Args: map[string]any{"name": render.Visible(name)}})
	t.add(traceEvent{Name: kind + "_sort_index", Phase: "M", TS: "0", PID: pid, TID: tid,
		Args: map[string]any{"sort_index": order}})
}

// run writes a run after the others. It resets the data of one run, and closes everything that is open at its end.
func (t *tracer) run(run *Run, prefix string) {
	t.end, t.cast, t.sets = run.end(), castOf(run.Events), map[model.Key]*tracedSet{}
	t.things = &tracedThings{read: NewThings(run), threads: map[string]*tracedThing{}}
	t.pids++
	t.user = t.pids
	t.name(t.user, 0, prefix+"user")
	t.name(t.user, 1, "steps")
	var fold timeline.Fold
	for i := range run.Events {
		event := &run.Events[i]
		fold.Apply(event)
		t.event(event, prefix)
		t.thing(event, prefix)
		if event.Kind == timeline.KindStatus || event.Kind == timeline.KindStep && len(event.Step.Sets) > 0 {
			t.count(event, &fold, prefix)
		}
	}
	for _, key := range t.cast.sets {
		if set := t.sets[key]; set != nil {
			t.close(set)
			delete(t.sets, key)
		}
	}
	// The remaining pods are not named after a set.
	for _, key := range slices.SortedFunc(maps.Keys(t.sets), model.Key.Compare) {
		t.close(t.sets[key])
	}
	t.closeThings()
}

// close ends what is still open when the run ends.
func (t *tracer) close(set *tracedSet) {
	for _, name := range set.names {
		if pod := set.pods[name]; pod.alive {
			t.state(set, pod, t.end)
			t.life(set, pod, t.end)
		}
	}
	byNumber := func(a, b wait) int { return cmp.Compare(set.waits[a], set.waits[b]) }
	for _, key := range slices.SortedFunc(maps.Keys(set.waits), byNumber) {
		t.endWait(set, key, t.end)
	}
}

// set returns the process of a set, and names it in the trace when it is first asked for.
func (t *tracer) set(key model.Key, prefix string) *tracedSet {
	set := t.sets[key]
	if set == nil {
		t.pids++
		set = &tracedSet{pid: t.pids, pods: map[string]*tracedPod{}, waits: map[wait]int{}}
		t.sets[key] = set
		t.name(set.pid, 0, prefix+t.cast.set(key))
	}
	return set
}

// event takes the next event. A step is an empty span, for arrows, and a mark over the whole trace.
func (t *tracer) event(event *timeline.Event, prefix string) {
	switch event.Kind {
	case timeline.KindPod:
		t.pod(event, t.set(event.Set, prefix))
	case timeline.KindStep:
		title := StepTitle(event.Step)
		t.add(traceEvent{Name: title, Cat: "step", Phase: "X", TS: microseconds(event.T), Dur: "0", PID: t.user, TID: 1})
		t.add(traceEvent{Name: title, Cat: "step", Phase: "i", TS: microseconds(event.T), PID: t.user, TID: 1, Scope: "g"})
		for _, set := range event.Step.Sets {
			t.set(set.Key(), prefix).cause = traced{ok: true, at: event.T, pid: t.user, tid: 1}
		}
	case timeline.KindFault:
		t.fault(event, prefix)
	case timeline.KindWait:
		t.wait(event, t.set(event.Set, prefix))
	}
}

// fault marks the instant of a fault, on the whole trace, because a failure usually concerns more than one pod.
func (t *tracer) fault(event *timeline.Event, prefix string) {
	if event.Fault == nil {
		return
	}
	t.add(traceEvent{Name: FaultTitle(event.Fault), Cat: "fault", Phase: "i", TS: microseconds(event.T), PID: t.user,
		TID: 1, Scope: "g"})
	if event.Set.Name != "" {
		t.set(event.Set, prefix).cause = traced{ok: true, at: event.T, pid: t.user, tid: 1}
	}
}

// pod ends the state that the pod was in, and begins the next.
func (t *tracer) pod(event *timeline.Event, set *tracedSet) {
	pod := set.pods[event.Pod]
	if pod == nil {
		pod = &tracedPod{tid: len(set.names) + 2}
		set.pods[event.Pod] = pod
		set.names = append(set.names, event.Pod)
		t.name(set.pid, pod.tid, event.Pod)
	}
	if pod.alive {
		t.state(set, pod, event.T)
	} else {
		pod.born = *event
	}
	here := traced{ok: true, at: event.T, pid: set.pid, tid: pod.tid}
	here.over = event.State == timeline.Gone && pod.alive && pod.since.T < event.T
	pod.alive, pod.since = true, *event
	if event.Actor != timeline.Controller {
		set.cause = here
	} else if set.cause.ok && set.cause.at == event.T && event.State != timeline.Gone {
		t.arrow(set.cause, here, because(event))
	}
	if event.State == timeline.Gone {
		t.life(set, pod, event.T)
		pod.alive = false
	}
}

// state writes the span of the state that the pod leaves.
func (t *tracer) state(set *tracedSet, pod *tracedPod, until model.Time) {
	args := map[string]any{"actor": pod.since.Actor.String()}
	if why := because(&pod.since); why != "" {
		args["reason"] = render.Visible(why)
	}
	t.add(traceEvent{Name: pod.since.State.String(), Cat: "state", Phase: "X", TS: microseconds(pod.since.T),
		Dur: microseconds(model.Time(until.Sub(pod.since.T))), PID: set.pid, TID: pod.tid, Args: args})
}

// life writes the span of a life that ends. It encloses the spans of its states, since they end at the same time.
func (t *tracer) life(set *tracedSet, pod *tracedPod, until model.Time) {
	name := pod.born.Pod + " @" + strconv.Itoa(pod.born.Template)
	t.add(traceEvent{Name: name, Cat: "pod", Phase: "X", TS: microseconds(pod.born.T),
		Dur: microseconds(model.Time(until.Sub(pod.born.T))), PID: set.pid, TID: pod.tid,
		Args: map[string]any{"image": render.Visible(pod.born.Image), "revision": pod.born.Revision, "life": pod.born.Nth}})
}

// arrow leads from a cause to the controller's reaction.
func (t *tracer) arrow(from, to traced, why string) {
	t.flows++
	id := strconv.Itoa(t.flows)
	args := map[string]any{"reason": render.Visible(why)}
	begins := from.at
	if from.over {
		begins--
	}
	t.add(traceEvent{Name: "causes", Cat: "cause", Phase: "s", TS: microseconds(begins), PID: from.pid, TID: from.tid,
		ID: id, Args: args})
	t.add(traceEvent{Name: "causes", Cat: "cause", Phase: "f", TS: microseconds(to.at), PID: to.pid, TID: to.tid,
		ID: id, Bind: "e"})
}

// wait starts or ends an asynchronous span: waits overlap, and need not be nested.
func (t *tracer) wait(event *timeline.Event, set *tracedSet) {
	key := waitOf(event)
	if event.Wait.Ended {
		t.endWait(set, key, event.T)
		return
	}
	if set.waits[key] != 0 {
		return
	}
	t.waits++
	set.waits[key] = t.waits
	t.add(traceEvent{Name: key.String(), Cat: "wait", Phase: "b", TS: microseconds(event.T), PID: set.pid, TID: 1,
		ID: strconv.Itoa(t.waits), Args: map[string]any{"reason": render.Visible(event.Why.Sentence())}})
}

// endWait ends a wait; one that is not open is passed over.
func (t *tracer) endWait(set *tracedSet, key wait, at model.Time) {
	number := set.waits[key]
	if number == 0 {
		return
	}
	delete(set.waits, key)
	t.add(traceEvent{Name: key.String(), Cat: "wait", Phase: "e", TS: microseconds(at), PID: set.pid, TID: 1,
		ID: strconv.Itoa(number)})
}

// count writes the counters of the sets that an event concerns.
func (t *tracer) count(event *timeline.Event, fold *timeline.Fold, prefix string) {
	for _, set := range fold.Sets() {
		if event.Kind == timeline.KindStatus && set.Key != event.Set {
			continue
		}
		t.add(traceEvent{Name: "status", Phase: "C", TS: microseconds(event.T), PID: t.set(set.Key, prefix).pid, TID: 0,
			Args: map[string]any{"ready": set.Status.Ready, "available": set.Status.Available, "updated": set.Status.Updated}})
	}
}

// tracedThings is the process of the trace whose threads are nodes, and the processes without pods.
type tracedThings struct {
	read *Things
	// pid is 0 until there is something to show.
	pid     int
	threads map[string]*tracedThing
	// names are the threads in the order of their appearance.
	names []string
}

// tracedThing is a thread: the present state of the thing, and since when. The zero Thing is well.
type tracedThing struct {
	tid   int
	now   Thing
	since model.Time
}

// thing ends what a node or a process was until now, and begins the next. Claims, budgets and names are not shown.
func (t *tracer) thing(event *timeline.Event, prefix string) {
	thing, changed := t.things.read.See(event)
	if !changed || thing.Kind != ANode && thing.Kind != AProcess {
		return
	}
	if t.things.pid == 0 {
		t.pids++
		t.things.pid = t.pids
		t.name(t.pids, 0, prefix+"nodes and stray processes")
	}
	name := thing.Name
	if thing.Kind == AProcess {
		name += " process"
	}
	thread := t.things.threads[name]
	if thread == nil {
		thread = &tracedThing{tid: len(t.things.names) + 1}
		t.things.threads[name] = thread
		t.things.names = append(t.things.names, name)
		t.name(t.things.pid, thread.tid, name)
	}
	if thread.now.Text == thing.Text {
		return
	}
	t.endThing(thread, event.T)
	thread.now, thread.since = thing, event.T
}

// endThing writes what a thing was, unless all was well or no time has passed.
func (t *tracer) endThing(thread *tracedThing, at model.Time) {
	if thread.now.Tone == Plain || at == thread.since {
		return
	}
	t.add(traceEvent{Name: thread.now.Text, Cat: string(thread.now.Kind), Phase: "X", TS: microseconds(thread.since),
		Dur: microseconds(model.Time(at.Sub(thread.since))), PID: t.things.pid, TID: thread.tid})
}

// closeThings ends what is not well at the end of the run, in the order of the threads.
func (t *tracer) closeThings() {
	for _, name := range t.things.names {
		t.endThing(t.things.threads[name], t.end)
	}
}
