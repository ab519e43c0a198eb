// Package recording reads how long pods were seen to take to stop, to start and to become Ready.
package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The stages of a pod's life, as flags and annotations name them. The order is that of a replacement, and of arrays.
const (
	Stop = iota
	Start
	Ready
	Stages
)

// Recording holds the times that pods were seen to take: in a timeline of the simulator, or in the JSON that kubectl
// prints of pods and events. samples are by set and stage, in the order in which they were seen. name is the name of
// its stream, by which a Timing names its source.
type Recording struct {
	name    string
	samples map[model.Key]*[Stages][]time.Duration
}

// Read reads a recording. It is the timeline of a run (-o jsonl), or any of these, one or several:
//
//   - kubectl get pods -o json: a pod that has never restarted shows when it was created, was Running and became Ready;
//   - kubectl get pods -w -o json: besides, a pod that is being deleted and the next one of its name show the stop;
//   - kubectl get events -o json: Killing and the next Scheduled of one pod show the stop.
//
// The start counts from the creation of a pod, so it has the time that the pod was without a node. A recording of no
// use is an error. Limits are the caller's to hold to.
func Read(name string, data []byte) (*Recording, error) {
	if err := strict.Session(name, data); err != nil {
		return nil, err
	}
	r := &Recording{name: name, samples: map[model.Key]*[Stages][]time.Duration{}}
	var err error
	if isTimeline(data) {
		err = r.timeline(data)
	} else {
		err = r.objects(data)
	}
	var line *timeline.LineError
	switch {
	case errors.As(err, new(strict.Problem)):
		return nil, err
	case errors.As(err, &line):
		return nil, fmt.Errorf("%s:%d: %w", name, line.Line, line.Err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(r.samples) == 0 {
		return nil, fmt.Errorf("%s: it does not show how long any pod of a StatefulSet takes to start, to become Ready or "+
			"to stop: give the output of kubectl get pods -o json, or a timeline of sim run -o jsonl", name)
	}
	return r, nil
}

// isTimeline says whether the first line is an event of a timeline.
func isTimeline(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var header struct {
		Event string `json:"event"`
	}
	return json.Unmarshal(line, &header) == nil && header.Event != ""
}

// add notes a time; one below 0, from clocks that differ, is left out.
func (r *Recording) add(set model.Key, stage int, took time.Duration) {
	if took < 0 {
		return
	}
	if r.samples[set] == nil {
		r.samples[set] = new([Stages][]time.Duration)
	}
	r.samples[set][stage] = append(r.samples[set][stage], took)
}

// between notes the time from one instant to another. An object that lacks one of them shows no time.
func (r *Recording) between(set model.Key, stage int, from, to time.Time) {
	if !from.IsZero() && !to.IsZero() {
		r.add(set, stage, to.Sub(from))
	}
}

// timeline takes the times between the states of pods.
func (r *Recording) timeline(data []byte) error {
	events, err := timeline.Read(bytes.NewReader(data))
	if err != nil {
		return err
	}
	// last is the time at which each pod entered its current state.
	type entered struct {
		state timeline.State
		at    model.Time
	}
	last := map[model.Key]entered{}
	for i := range events {
		e := &events[i]
		if e.Kind != timeline.KindPod {
			continue
		}
		pod := model.Key{Namespace: e.Set.Namespace, Name: e.Pod}
		before, seen := last[pod]
		last[pod] = entered{e.State, e.T}
		switch took := e.T.Sub(before.at); {
		case !seen:
		case before.state == timeline.Pending && e.State == timeline.Running:
			r.add(e.Set, Start, took)
		case before.state == timeline.Running && e.State == timeline.Ready:
			r.add(e.Set, Ready, took)
		case before.state == timeline.Terminating && e.State == timeline.Gone:
			r.add(e.Set, Stop, took)
		}
	}
	return nil
}

// objects takes the times from pods and events as the API server has them.
func (r *Recording) objects(data []byte) error {
	reader := json.NewDecoder(bytes.NewReader(data))
	look := observer{recording: r, data: data, uids: map[string]bool{}, ends: map[model.Key]ending{}}
	for {
		var object json.RawMessage
		if err := reader.Decode(&object); err == io.EOF {
			look.settle()
			return nil
		} else if err != nil {
			problem := strict.JSONProblem(r.name, data, 0, err)
			problem.Want = "give what kubectl get pods -o json prints"
			return problem
		}
		look.from = reader.InputOffset() - int64(len(object))
		if err := look.object(object); err != nil {
			return err
		}
	}
}

// observer sees pods and events one after the other, in the order of the file.
type observer struct {
	recording *Recording
	// data is the whole file, and from where the object begins in it that is looked at, or the list that has it.
	data []byte
	from int64
	// uids are the pods whose start was taken already.
	uids map[string]bool
	// ends are the pods that were seen being deleted and not yet seen again.
	ends map[model.Key]ending
	// events are the events of pods: a list of them has no order to rely on.
	events []*corev1.Event
}

// ending is since when a pod is being deleted. The next pod of its name has another uid.
type ending struct {
	uid   string
	since time.Time
}

// object looks at an object, at the items of a List, or at the object of a watch event.
func (o *observer) object(data json.RawMessage) error {
	var head struct {
		Kind   string            `json:"kind"`
		Type   string            `json:"type"`
		Items  []json.RawMessage `json:"items"`
		Object json.RawMessage   `json:"object"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return o.wrong(data, err)
	}
	switch {
	case head.Kind == "Pod":
		return decodeTo(o, data, o.pod)
	case head.Kind == "Event":
		return decodeTo(o, data, func(e *corev1.Event) { o.events = append(o.events, e) })
	case head.Kind == "" && len(head.Object) > 0:
		return o.object(head.Object)
	}
	for _, item := range head.Items {
		if err := o.object(item); err != nil {
			return err
		}
	}
	return nil
}

// decodeTo decodes an object and hands it on, and does not hand on what cannot be decoded.
func decodeTo[T any](o *observer, data []byte, use func(*T)) error {
	object := new(T)
	if err := json.Unmarshal(data, object); err != nil {
		return o.wrong(data, err)
	}
	use(object)
	return nil
}

// wrong is the problem of an object, which is a part of the file from where the one begins that is looked at.
func (o *observer) wrong(object []byte, err error) error {
	from := o.from + int64(max(0, bytes.Index(o.data[o.from:], object)))
	return strict.JSONProblem(o.recording.name, o.data, from, err)
}

// pod takes the start of a pod that runs, and the stop of the one before it. Pods of other owners say nothing. Each
// life is taken once, though a watch shows it often.
func (o *observer) pod(pod *corev1.Pod) {
	owner := metav1.GetControllerOfNoCopy(&pod.ObjectMeta)
	if owner == nil || owner.Kind != model.KindStatefulSet.String() {
		return
	}
	set := model.Key{Namespace: pod.Namespace, Name: owner.Name}
	key, uid := model.Key{Namespace: pod.Namespace, Name: pod.Name}, string(pod.UID)
	if before, ended := o.ends[key]; ended && before.uid != uid {
		o.recording.between(set, Stop, before.since, pod.CreationTimestamp.Time)
		delete(o.ends, key)
	}
	if at := pod.DeletionTimestamp; at != nil {
		// The time in the object is when the grace period ends.
		grace := time.Duration(0)
		if pod.DeletionGracePeriodSeconds != nil {
			grace = model.Seconds(*pod.DeletionGracePeriodSeconds)
		}
		o.ends[key] = ending{uid, at.Add(-grace)}
		return
	}
	running, whole := runningSince(pod)
	if !whole || o.uids[uid] {
		return
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			o.uids[uid] = true
			o.recording.between(set, Start, pod.CreationTimestamp.Time, running)
			if ready := c.LastTransitionTime.Time; ready.Sub(running) <= LongestReady {
				o.recording.between(set, Ready, running, ready)
			}
		}
	}
}

// LongestReady is the longest time from Running to Ready that counts as that of a start. A pod with a longer one was
// Ready before and has lost it for a while, since a condition has the time of its last change only.
const LongestReady = time.Hour

// runningSince returns the time at which the last container of a pod started; false if that is not known, because one
// does not run, or was restarted and does not show its first start.
func runningSince(pod *corev1.Pod) (last time.Time, whole bool) {
	for i := range pod.Status.ContainerStatuses {
		c := &pod.Status.ContainerStatuses[i]
		if c.State.Running == nil || c.RestartCount > 0 {
			return last, false
		}
		if at := c.State.Running.StartedAt.Time; at.Compare(last) > 0 {
			last = at
		}
	}
	return last, len(pod.Status.ContainerStatuses) > 0
}

// settle looks at the events, the earliest first, when all have been read.
func (o *observer) settle() {
	o.ends = map[model.Key]ending{}
	slices.SortStableFunc(o.events, func(a, b *corev1.Event) int { return timeOf(a).Compare(timeOf(b)) })
	for _, e := range o.events {
		o.event(e)
	}
}

// timeOf returns the time at which an event happened first.
func timeOf(e *corev1.Event) time.Time {
	if e.FirstTimestamp.IsZero() {
		return e.EventTime.Time
	}
	return e.FirstTimestamp.Time
}

// event takes the stop of a pod, from Killing to the next time that a pod of its name is scheduled.
func (o *observer) event(e *corev1.Event) {
	name, ordinal := model.SplitPodName(e.InvolvedObject.Name)
	if e.InvolvedObject.Kind != model.KindPod.String() || ordinal < 0 {
		return
	}
	key := model.Key{Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name}
	uid, at := string(e.InvolvedObject.UID), timeOf(e)
	before, ended := o.ends[key]
	switch {
	case e.Reason == "Killing" && !ended:
		o.ends[key] = ending{uid, at}
	case e.Reason == "Scheduled" && ended && before.uid != uid:
		o.recording.between(model.Key{Namespace: key.Namespace, Name: name}, Stop, before.since, at)
		delete(o.ends, key)
	}
}
