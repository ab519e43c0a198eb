package report

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// tracedThings is the process of the trace whose threads are nodes, and the processes that are no pods.
type tracedThings struct {
	read *Things
	// pid is 0 until there is something to show.
	pid     int
	threads map[string]*tracedThing
	// names are the threads in the order in which they came.
	names []string
}

// tracedThing is a thread: what the thing is now, and since when. The zero Thing is one that is well.
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
