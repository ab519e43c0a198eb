package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Watch writes what `kubectl get pods --watch` would have shown: a line for each change of a pod, in kubectl's
// words. Like kubectl it shows the last line again when the pod is gone. AGE counts virtual time.
func Watch(w io.Writer, run *Run) error {
	out := bufio.NewWriterSize(w, 1<<16)
	table := watchTable{out: out, cast: castOf(run.Events), words: map[model.Key]string{}}
	table.line(watchRow{
		namespace: "NAMESPACE", name: "NAME", ready: "READY", status: "STATUS", restarts: "RESTARTS", age: "AGE",
	})
	for i := range run.Events {
		if pod, key := table.see(&run.Events[i]); pod != nil {
			table.line(table.row(&run.Events[i], pod, key))
		}
	}
	return out.Flush()
}

// watchTable reads a run as kubectl does.
type watchTable struct {
	out  *bufio.Writer
	cast *cast
	// fold is the state after the last event that was seen.
	fold timeline.Fold
	// words are the texts of the column STATUS for each pod, by its namespace and name. A new pod with the same
	// name starts with the word of its own first event.
	words map[model.Key]string
}

// row returns the line that kubectl shows for a pod.
func (w *watchTable) row(event *timeline.Event, pod *timeline.Pod, key model.Key) watchRow {
	return watchRow{
		namespace: key.Namespace, name: key.Name, ready: w.ready(event, pod), status: w.words[key],
		restarts: strconv.Itoa(pod.Restarts), age: duration.HumanDuration(event.T.Sub(pod.Created)),
	}
}

// see notes an event. It returns the event's pod if kubectl shows something new about it, else nil. For a deleted
// pod it returns the state before.
func (w *watchTable) see(event *timeline.Event) (*timeline.Pod, model.Key) {
	key := model.Key{Namespace: event.Set.Namespace, Name: event.Pod}
	before := w.fold.Pod(event.Set, event.Pod)
	w.fold.Apply(event)
	pod := w.fold.Pod(event.Set, event.Pod)
	switch event.Kind {
	case timeline.KindPod, timeline.KindContainer:
		if event.State == timeline.Gone {
			pod = before
		}
		if pod != nil {
			w.words[key] = status(event, pod, w.words[key])
		}
	case timeline.KindK8sEvent:
		if pod == nil || !complains(event, pod) || w.words[key] == event.Reason {
			return nil, key
		}
		w.words[key] = event.Reason
	case timeline.KindOwner:
		// A pod whose owner changes is a changed pod, though it looks the same.
	default:
		return nil, key
	}
	return pod, key
}

// complains reports whether an event of the kubelet gives the reason why a pod does not get ready. A kubelet that
// has forgotten a pod says nothing about it, and kubectl prints Terminating for a pod that is being deleted,
// whatever its containers do.
func complains(event *timeline.Event, pod *timeline.Pod) bool {
	return event.Actor == timeline.Kubelet && event.Warning && event.Reason != timeline.ReasonHung &&
		!containersReady(pod) && !ended(pod) && !pod.Terminating
}

// ended reports whether all containers have ended permanently.
func ended(pod *timeline.Pod) bool { return pod.Phase == model.Failed || pod.Phase == model.Succeeded }

// containersReady reports whether the pod's containers are ready. When its node falls silent a pod loses its
// condition Ready, but its containers still count as ready.
func containersReady(pod *timeline.Pod) bool { return pod.Ready || pod.Silent }

// ready returns the column READY: how many containers of how many.
func (w *watchTable) ready(event *timeline.Event, pod *timeline.Pod) string {
	ready, all, told := 0, w.containers(event.Set, pod), pod.Containers
	if told != nil {
		all = max(all, told.All)
	}
	switch {
	case event.State == timeline.Gone:
	case told != nil && told.All > 0:
		ready, all = told.Ready, told.All
	case containersReady(pod):
		ready = all
	}
	return fmt.Sprintf("%d/%d", ready, all)
}

// containers counts the containers that the pod's template asks for, with the init containers that kubectl counts.
func (w *watchTable) containers(set model.Key, pod *timeline.Pod) int {
	template := w.fold.Template(set, pod.Template)
	if template == nil {
		return 1
	}
	n := len(template.Containers)
	if template.Lifecycle != nil {
		for i := range template.Lifecycle.Init {
			if template.Lifecycle.Init[i].Sidecar {
				n++
			}
		}
	}
	return max(1, n)
}

// status words the state of a pod as kubectl's STATUS column does: the pod's own reason if it has one, then its
// containers' reason. If an event changes neither, the word stays.
func status(event *timeline.Event, pod *timeline.Pod, word string) string {
	if event.Kind == timeline.KindPod {
		word = stateWord(event, pod, word)
	}
	switch told := event.Containers; {
	case told == nil || ended(pod) || pod.Terminating:
	case told.Shown != "":
		return told.Shown
	case event.Kind == timeline.KindContainer && pod.Phase == model.Running:
		return "Running"
	case event.Kind == timeline.KindContainer:
		return "ContainerCreating"
	}
	return word
}

// stateWord words the state that a pod enters; it returns the given word if the state has none of its own.
func stateWord(event *timeline.Event, pod *timeline.Pod, word string) string {
	switch event.State {
	case timeline.Pending:
		switch {
		case event.Why.Code == "" && event.Reason != "":
			return event.Reason
		case event.Node != "":
			return "ContainerCreating"
		}
		return "Pending"
	case timeline.Running, timeline.Unready, timeline.Ready:
		return "Running"
	case timeline.Failed:
		return cmp.Or(event.Reason, "Error")
	case timeline.Succeeded:
		return "Completed"
	case timeline.Terminating:
		// Newer kubectl keeps the word of a finished pod.
		if !ended(pod) {
			return "Terminating"
		}
	}
	return word
}

// watchRow is a line of the table; namespace is only printed if there are several.
type watchRow struct{ namespace, name, ready, status, restarts, age string }

// line writes a row. The widths of the columns are known before the first row, so that a row is written when it comes.
func (w *watchTable) line(row watchRow) {
	if w.cast.namespaces {
		fmt.Fprintf(w.out, "%-*s   ", max(w.cast.namespaceWidth, render.Width("NAMESPACE")), render.Visible(row.namespace))
	}
	nameWidth := max(w.cast.podWidth, render.Width("NAME"))
	fmt.Fprintf(w.out, "%-*s   %-5s   %-17s   %-8s   %s\n",
		nameWidth, render.Visible(row.name), row.ready, render.Visible(row.status), row.restarts, row.age)
}

// Kubectl words pods as `kubectl get pods` does. It is shown the events of a run, one after the other, from the first
// on: it keeps the state of all pods.
type Kubectl struct{ table watchTable }

// Row is the line that kubectl shows for a pod. Its AGE counts from Created. Status is safe to print.
type Row struct {
	Ready, Status string
	Restarts      int
	Created       model.Time
}

// NewKubectl returns a Kubectl that has seen nothing.
func NewKubectl() *Kubectl { return &Kubectl{watchTable{words: map[model.Key]string{}}} }

// See takes the next event, and returns the row of its pod if kubectl shows something new about it. When a pod is
// deleted, it returns its last row again, as kubectl does.
func (k *Kubectl) See(event *timeline.Event) (row Row, ok bool) {
	pod, key := k.table.see(event)
	if pod == nil {
		return Row{}, false
	}
	return Row{
		Ready: k.table.ready(event, pod), Status: render.Visible(k.table.words[key]), Restarts: pod.Restarts,
		Created: pod.Created,
	}, true
}
