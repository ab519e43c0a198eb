package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Watch writes what `kubectl get pods --watch` would have shown: a line for each change of a pod, in kubectl's words.
// Like kubectl it shows the last line once more when the pod is gone.
func Watch(w io.Writer, run *Run) error {
	out := bufio.NewWriterSize(w, 1<<16)
	table := watchTable{
		out: out, cast: castOf(run.Events), pods: map[model.Key]*watched{}, containers: map[madeOf]int{},
	}
	table.line(watchRow{
		namespace: "NAMESPACE", name: "NAME", ready: "READY", status: "STATUS", restarts: "RESTARTS", age: "AGE",
	})
	for i := range run.Events {
		switch event := &run.Events[i]; event.Kind {
		case timeline.KindStep:
			table.learn(event.Step)
		case timeline.KindPod, timeline.KindContainer, timeline.KindK8sEvent, timeline.KindOwner:
			table.pod(event)
		}
	}
	return out.Flush()
}

type watchTable struct {
	out  *bufio.Writer
	cast *cast
	pods map[model.Key]*watched
	// containers is the number of containers of each template that a step has brought.
	containers map[madeOf]int
}

type madeOf struct {
	set      model.Key
	template int
}

// watched is a pod as kubectl sees it.
type watched struct {
	created    model.Time
	containers int
	// finished: the phase is Failed or Succeeded.
	ready, running, finished, terminating, gone bool

	status string
	// told is what the kubelet has said of the containers, nil where it has said nothing.
	told *model.Containers
}

func (w *watchTable) learn(step *timeline.Step) {
	for _, set := range step.Sets {
		if template := set.Spec.Template; template != nil && len(template.Containers) > 0 {
			w.containers[madeOf{set.Key(), template.ID}] = len(template.Containers) + sidecars(template)
		}
	}
}

// sidecars counts the init containers of a template that kubectl counts among the containers.
func sidecars(template *model.Template) int {
	n := 0
	if template.Lifecycle != nil {
		for i := range template.Lifecycle.Init {
			if template.Lifecycle.Init[i].Sidecar {
				n++
			}
		}
	}
	return n
}

func (w *watchTable) pod(event *timeline.Event) {
	if pod := w.see(event); pod != nil {
		w.line(watchRow{
			namespace: event.Set.Namespace, name: event.Pod, ready: pod.readyOf(), status: pod.status,
			restarts: strconv.Itoa(pod.restarts()), age: age(event.T.Sub(pod.created)),
		})
	}
}

// see notes what an event says of a pod. It returns nil where kubectl has nothing new to show.
func (w *watchTable) see(event *timeline.Event) *watched {
	key := model.Key{Namespace: event.Set.Namespace, Name: event.Pod}
	pod := w.pods[key]
	switch {
	case event.Kind == timeline.KindK8sEvent:
		if pod == nil || !pod.complains(event) {
			return nil
		}
		return pod
	case event.Kind == timeline.KindOwner:
		// A pod whose owner changes is a changed pod, though it looks the same.
		return pod
	case pod == nil && event.Kind == timeline.KindContainer:
		return nil
	case pod == nil:
		pod = &watched{created: event.T, containers: max(1, w.containers[madeOf{event.Set, event.Template}])}
		w.pods[key] = pod
	}
	pod.enter(event)
	if event.State == timeline.Gone {
		delete(w.pods, key)
	}
	return pod
}

// complains notes why a pod that has not got on does not: its kubelet says so in an event where the scenario gives it
// a reason. It returns false for any other event.
func (pod *watched) complains(event *timeline.Event) bool {
	if event.Actor != timeline.Kubelet || !event.Warning || pod.ready || pod.finished || pod.status == event.Reason {
		return false
	}
	pod.status = event.Reason
	return true
}

// readyOf is the column READY: how many containers of how many.
func (pod *watched) readyOf() string {
	if pod.told != nil && pod.told.All > 0 && !pod.gone {
		return fmt.Sprintf("%d/%d", pod.told.Ready, pod.told.All)
	}
	ready, all := 0, pod.containers
	if pod.told != nil {
		all = max(all, pod.told.All)
	}
	if pod.ready {
		ready = all
	}
	return fmt.Sprintf("%d/%d", ready, all)
}

func (pod *watched) restarts() int {
	if pod.told == nil {
		return 0
	}
	return pod.told.Restarts
}

// enter words a state as kubectl's STATUS column does: the pod's own reason where it has one, then the container's.
func (pod *watched) enter(event *timeline.Event) {
	pod.enterState(event)
	if event.Containers == nil {
		return
	}
	pod.told = event.Containers
	switch {
	case pod.finished || pod.terminating:
	case pod.told.Shown != "":
		pod.status = pod.told.Shown
	case event.Kind == timeline.KindContainer && pod.running:
		pod.status = "Running"
	case event.Kind == timeline.KindContainer:
		pod.status = "ContainerCreating"
	}
}

func (pod *watched) enterState(event *timeline.Event) {
	switch event.State {
	case timeline.Pending:
		pod.status = "Pending"
		if event.Node != "" {
			pod.status = "ContainerCreating"
		}
		if event.Why.Code == "" && event.Reason != "" {
			pod.status = event.Reason
		}
	case timeline.Running, timeline.Unready:
		pod.running = true
		pod.status = "Running"
		// When its node falls silent a pod loses its condition Ready. READY counts containers, and nobody says that those
		// are not ready.
		pod.ready = pod.ready && event.Reason == timeline.ReasonNodeNotReady
	case timeline.Ready:
		pod.status, pod.ready = "Running", true
	case timeline.Failed:
		pod.status, pod.ready, pod.finished = "Error", false, true
		if event.Reason != "" {
			pod.status = event.Reason
		}
	case timeline.Succeeded:
		pod.status, pod.ready, pod.finished = "Completed", false, true
	case timeline.Terminating:
		pod.terminating = true
		// Newer kubectl keeps the word of a pod that has ended.
		if !pod.finished {
			pod.status = "Terminating"
		}
	case timeline.Gone:
		pod.ready, pod.gone = false, true
	}
}

// watchRow is a line of the table.
type watchRow struct{ namespace, name, ready, status, restarts, age string }

func (w *watchTable) line(row watchRow) {
	if w.cast.namespaces {
		fmt.Fprintf(w.out, "%-*s   ", w.namespaceWidth(), page.Visible(row.namespace))
	}
	nameWidth := max(w.cast.podWidth, page.Width("NAME"))
	fmt.Fprintf(w.out, "%-*s   %-5s   %-17s   %-8s   %s\n",
		nameWidth, page.Visible(row.name), row.ready, page.Visible(row.status), row.restarts, row.age)
}

func (w *watchTable) namespaceWidth() int {
	width := len("NAMESPACE")
	for _, set := range w.cast.sets {
		width = max(width, page.Width(set.Namespace))
	}
	return width
}
