package workloads

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// pod is the part of a pod that a controller looks at.
type pod struct {
	*objects.Object
	phase, node    string
	ready, leaving bool
	// since is when it became Ready, restarts how often its containers were started again, ended when the last one ended.
	since    time.Time
	restarts int64
	ended    time.Time
}

// podsOf returns the pods that an object controls.
func (s *syncing) podsOf(owner *objects.Object) []pod {
	if s.pods == nil {
		s.pods = map[string][]pod{}
		for _, o := range s.read.List(kinds.Pod, "") {
			if uid := controller(o); uid != "" {
				s.pods[uid] = append(s.pods[uid], seen(o))
			}
		}
	}
	return s.pods[owner.UID()]
}

func seen(o *objects.Object) pod {
	p := pod{Object: o, phase: o.Fields.Text("status", "phase"), node: o.Fields.Text("spec", "nodeName"), leaving: going(o)}
	for _, condition := range o.Fields.List("status", "conditions") {
		if condition.Text("type") == string(corev1.PodReady) {
			p.ready = condition.Text("status") == "True" && !p.leaving
			p.since = parsed(condition.Text("lastTransitionTime"))
		}
	}
	for _, container := range o.Fields.List("status", "containerStatuses") {
		p.restarts += container.Number("restartCount")
		if end := parsed(container.Text("state", "terminated", "finishedAt")); later(end, p.ended) {
			p.ended = end
		}
	}
	return p
}

func parsed(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// over reports whether a pod is finished.
func (p *pod) over() bool {
	return p.phase == string(corev1.PodSucceeded) || p.phase == string(corev1.PodFailed)
}

// active reports whether a pod counts as a replica.
func (p *pod) active() bool { return !p.over() && !p.leaving }

// available reports whether a pod has been Ready for some time, and asks to be asked again when it may become so.
func (s *syncing) available(p *pod, minReady int32) bool {
	if !p.ready || minReady == 0 {
		return p.ready
	}
	at := p.since.Add(time.Duration(minReady) * time.Second)
	if later(at, s.now) {
		s.plan.wake(at)
		return false
	}
	return true
}

// actives returns the active ones of pods.
func actives(list []pod) []pod {
	return slices.DeleteFunc(slices.Clone(list), func(p pod) bool { return !p.active() })
}

// spare orders pods by which to delete first: unscheduled, then not running, then not Ready, then youngest.
func spare(a, b pod) int {
	rank := func(p pod) int {
		switch {
		case p.node == "":
			return 0
		case p.phase == string(corev1.PodPending):
			return 1
		case !p.ready:
			return 2
		}
		return 3
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)),
		cmp.Compare(b.Fields.Text("metadata", "creationTimestamp"), a.Fields.Text("metadata", "creationTimestamp")),
		cmp.Compare(a.Key.Name, b.Key.Name))
}

// podOf returns a pod made from a template, whose name starts with a prefix.
func podOf(template *corev1.PodTemplateSpec, prefix string) *corev1.Pod {
	t := template.DeepCopy()
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: prefix, Labels: t.Labels, Annotations: t.Annotations,
		Finalizers: t.Finalizers}, Spec: t.Spec}
}

// hashed returns a short text for a template of pods: equal ones have the same.
func hashed(template *corev1.PodTemplateSpec) string {
	data, err := json.Marshal(template)
	if err != nil {
		panic("workloads: a template cannot be encoded: " + err.Error())
	}
	sum := fnv.New32a()
	sum.Write(data)
	return rand.SafeEncodeString(strconv.FormatUint(uint64(sum.Sum32()), 10))
}

// with returns labels with one more.
func with(labels map[string]string, name, value string) map[string]string {
	next := maps.Clone(labels)
	if next == nil {
		next = map[string]string{}
	}
	next[name] = value
	return next
}

// same reports whether two values of fields are the same, nil and an empty object too.
func same(a, b any) bool {
	empty := func(v any) bool {
		m, is := v.(map[string]any)
		return v == nil || is && len(m) == 0
	}
	return empty(a) && empty(b) || reflect.DeepEqual(a, b)
}
