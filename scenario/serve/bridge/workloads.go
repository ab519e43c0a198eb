package bridge

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/workloads"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// shift is when the controllers of workloads act again. With the zero value they act at the next change.
type shift struct {
	// looked is the number of changes that they have seen. For both times zero means never. alarm keeps no client
	// waiting.
	looked      int
	wake, alarm time.Time
}

// mostRounds is how often the controllers of workloads act at one instant before they wait for the next one.
const mostRounds = 1_000

// Work lets the controllers of workloads act until they have nothing left to write.
func (c *Cluster) Work() {
	if c.working || c.config.Uncontrolled || c.World.Over() {
		return
	}
	c.working = true
	defer func() { c.working = false }()
	for range mostRounds {
		now := c.Instant()
		due := func(at time.Time) bool { return !at.IsZero() && at.Compare(now) <= 0 }
		if c.shift.looked == c.Objects.End() && !due(c.shift.wake) && !due(c.shift.alarm) {
			return
		}
		plan := workloads.Next(&c.Objects, acting(c), now)
		c.shift = shift{c.Objects.End(), plan.Wake, plan.Alarm}
		for i := range plan.Writes {
			carryOut(c, &plan.Writes[i])
		}
	}
}

// acting are the kinds of workloads whose controllers act.
func acting(c *Cluster) []*kinds.Kind {
	return slices.DeleteFunc(slices.Clone(workloads.Kinds), func(k *kinds.Kind) bool {
		return slices.Contains(c.config.Idle, k)
	})
}

// carryOut carries out a write of a workload controller.
func carryOut(c *Cluster, w *workloads.Write) {
	c.Halfway = true
	old := c.Objects.Get(w.Kind, w.Key)
	switch {
	case w.Verb == workloads.Create && w.Kind == kinds.Pod:
		createPod(c, w.Fields)
	case w.Verb == workloads.Create && old == nil:
		c.Add(w.Kind, completed(c, w.Kind, w.Fields))
	case old == nil:
	case w.Verb == workloads.Delete:
		// A deletion that is refused is tried again at the next change.
		_, _ = c.Delete(old, Deletion{Cascade: sim.Background})
	case w.Verb == workloads.Update:
		if meta := w.Fields.Map("metadata"); !reflect.DeepEqual(w.Fields["spec"], old.Fields["spec"]) {
			meta["generation"] = meta.Number("generation") + 1
		}
		c.Put(w.Kind, w.Fields)
	default:
		c.Put(w.Kind, w.Fields)
	}
}

// completed returns a new object of a controller with the API server's defaults.
func completed(c *Cluster, kind *kinds.Kind, fields kinds.Fields) kinds.Fields {
	typed, err := project.Typed(kind, fields)
	if err != nil {
		panic("bridge: a controller writes what is no object: " + err.Error())
	}
	builtin.Default(typed)
	if job, is := typed.(*batchv1.Job); is {
		builtin.Select(job, c.NextUID().String())
	}
	return named(kind, project.Fields(typed))
}

// named gives fields the names of their kind.
func named(kind *kinds.Kind, fields kinds.Fields) kinds.Fields {
	fields["apiVersion"], fields["kind"] = kind.APIVersion(), kind.Kind
	delete(fields.Map("metadata"), "creationTimestamp")
	return fields
}

// Suffix returns five letters for a number, as a generated name ends.
func Suffix(n uint64) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	text := make([]byte, 5)
	for i := range text {
		text[len(text)-1-i] = letters[n%uint64(len(letters))]
		n /= uint64(len(letters))
	}
	return string(text)
}

// MostOfPrefix is how many letters of the prefix of a generated name are kept.
const MostOfPrefix = 58

// createPod creates a pod of a controller.
func createPod(c *Cluster, fields kinds.Fields) {
	meta := fields.Map("metadata")
	base := meta.Text("generateName")
	meta["name"] = base[:min(len(base), MostOfPrefix)] + Suffix(c.User.Version()+1)
	typed, err := project.Typed(kinds.Pod, fields)
	if err != nil {
		panic("bridge: a controller writes what is no pod: " + err.Error())
	}
	pod := typed.(*corev1.Pod)
	owner := pod.OwnerReferences[0]
	of := c.Defined.Of(owner.APIVersion, owner.Kind)
	say := func(warning bool, reason, message string) {
		c.voices.pending = append(c.voices.pending, voice{kind: of, from: strings.ToLower(owner.Kind) + "-controller",
			key: model.Key{Namespace: pod.Namespace, Name: owner.Name}, warning: warning, reason: reason, message: message})
	}
	if wrong := c.Prioritize(pod); wrong != nil {
		say(true, "FailedCreate", "Error creating: "+wrong.Error())
		return
	}
	do, err := Write(kinds.Pod, pod, nil)
	if err != nil {
		say(true, "FailedCreate", "Error creating: "+err.Error())
		return
	}
	builtin.FurnishPod(pod)
	at := Ref{kinds.Pod, model.Key{Namespace: pod.Namespace, Name: pod.Name}}
	defer c.Want(at, named(kinds.Pod, project.Fields(pod)))()
	d := Other("create", kinds.Pod, at.Key)
	d.Does += fmt.Sprintf(" for the %s %s", owner.Kind, owner.Name)
	d.Effect = timeline.Created
	if refused := c.Act(d, at, do); refused != nil {
		say(true, "FailedCreate", "Error creating: "+refused.Message)
		return
	}
	say(false, "SuccessfulCreate", "Created pod: "+pod.Name)
}

// Prioritize gives a new pod the priority of its class. The error is a reason why the API server forbids the pod.
func (c *Cluster) Prioritize(pod *corev1.Pod) error {
	var class *objects.Object
	if name := pod.Spec.PriorityClassName; name != "" {
		if class = c.Objects.Get(kinds.Priority, model.Key{Name: name}); class == nil {
			return fmt.Errorf("no PriorityClass with name %s was found", name)
		}
	} else if class = usualPriority(c); class != nil {
		pod.Spec.PriorityClassName = class.Key.Name
	}
	priority, policy := int32(0), corev1.PreemptLowerPriority
	if class != nil {
		priority = int32(class.Fields.Number("value"))
		policy = cmp.Or(corev1.PreemptionPolicy(class.Fields.Text("preemptionPolicy")), policy)
	}
	if given := pod.Spec.Priority; given != nil && *given != priority {
		return fmt.Errorf("the integer value of priority (%d) must not be provided in pod spec; priority admission "+
			"controller computed %d from the given PriorityClass name", *given, priority)
	}
	if given := pod.Spec.PreemptionPolicy; given != nil && *given != policy {
		return fmt.Errorf("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission "+
			"controller computed %s from the given PriorityClass name", *given, policy)
	}
	pod.Spec.Priority, pod.Spec.PreemptionPolicy = &priority, &policy
	return nil
}

// usualPriority returns the default priority class, for pods that do not name one; nil if there is none.
func usualPriority(c *Cluster) *objects.Object {
	list := c.Objects.Select(kinds.Priority, func(o *objects.Object) bool { return o.Fields.Is("globalDefault") })
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Next returns the instant of the next event, and false if nothing is left that could change something.
func (c *Cluster) Next() (model.Time, bool) {
	next, open := c.World.Next()
	if at, set := instantOf(c, c.shift.wake); set && (!open || at < next) {
		return at, true
	}
	return next, open
}

// instantOf returns the instant of the world that corresponds to a time of the clients, and false if there is none.
func instantOf(c *Cluster, at time.Time) (model.Time, bool) {
	if at.IsZero() {
		return 0, false
	}
	return max(model.Time(at.Sub(c.config.Epoch)), c.World.Now()), true
}

// Advance lets the world run up to an instant, or until stop returns true. The controllers of workloads act when
// their time has come.
func (c *Cluster) Advance(to model.Time, stop func() bool) {
	for {
		until := earlier(c, to)
		c.World.Advance(until, stop, func() bool { return earlier(c, to) < until })
		if c.World.Over() || c.World.Now() >= to || stop() {
			return
		}
		c.Work()
	}
}

// earlier returns the given instant, or an earlier one when a controller of workloads must act.
func earlier(c *Cluster, to model.Time) model.Time {
	for _, at := range []time.Time{c.shift.wake, c.shift.alarm} {
		if due, set := instantOf(c, at); set && due > c.World.Now() {
			to = min(to, due)
		}
	}
	return to
}

// ends is how long a container runs in a pod that should end, if no rule says otherwise.
const ends = behaviour.Constant(5 * time.Second)

// endings returns the rules for pods together with rules for pods that should end: if a rule does not say how the
// container ends, it ends with success.
func endings(rules []behaviour.Rule) []behaviour.Rule {
	code := 0
	var all []behaviour.Rule
	for _, rule := range append(slices.Clip(rules), behaviour.Rule{}) {
		if t := &rule.Times; t.Crash == nil && t.Fail == nil && t.GiveUp == nil {
			ending, that := rule, rule.Match.That
			ending.Times.Crash, ending.Times.Exit = ends, &code
			ending.Match.That = func(pod *model.Pod) bool { return endsItself(pod) && (that == nil || that(pod)) }
			all = append(all, ending)
		}
		all = append(all, rule)
	}
	return all[:len(all)-1]
}

// endsItself reports whether the containers of a pod are not always started again.
func endsItself(pod *model.Pod) bool {
	if pod.Template == nil || pod.Template.Lifecycle == nil || len(pod.Owners) > 0 && pod.Owners[0].Kind == model.KindStatefulSet {
		return false
	}
	restart := pod.Template.Lifecycle.Containers
	return len(restart) > 0 && restart[0].Restart != nil
}

// restartAs gives the containers of a template the restart policy of their pod.
func restartAs(template *model.Template, policy corev1.RestartPolicy) {
	if policy == corev1.RestartPolicyAlways || policy == "" {
		return
	}
	restart := &model.Restart{Policy: model.RestartNever}
	if policy == corev1.RestartPolicyOnFailure {
		restart.Policy = model.RestartOnFailure
	}
	if template.Lifecycle == nil {
		template.Lifecycle = &model.Lifecycle{}
		for _, container := range template.Containers {
			template.Lifecycle.Containers = append(template.Lifecycle.Containers, model.ContainerSpec{Name: container.Name})
		}
	}
	for _, list := range [][]model.ContainerSpec{template.Lifecycle.Init, template.Lifecycle.Containers} {
		for i := range list {
			if list[i].Restart == nil && !list[i].Sidecar {
				list[i].Restart = restart
			}
		}
	}
}
