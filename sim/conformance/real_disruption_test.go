//go:build real

package conformance_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	scales "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
)

// TestDisruption holds the status of PodDisruptionBudgets against the real disruption controller, with its watches, its
// queue and its errors: pods and sets come, change and go, and after each change the counts of all budgets must be the
// same. Up to 1.37 there is one budget, since of several that select a pod the controller chooses one by chance. What
// evictions leave in the status is not drawn: here an eviction deletes its pod at once.
func TestDisruption(t *testing.T) {
	v := tested(t)
	checks(t, max(count()/5, 200), 0)
	rapid.Check(t, func(rt *rapid.T) {
		changes := drawDisruptions(rt, v.Kubernetes)
		if difference := disrupted(t, v.Kubernetes, changes); difference != "" {
			rt.Fatalf("%s\nafter %s", difference, strings.Join(changes, "\n      "))
		}
	})
}

// disrupted makes the changes one by one with both controllers, and says where they part.
func disrupted(t *testing.T, kubernetes string, changes []string) (difference string) {
	synctest.Test(t, func(t *testing.T) {
		ours := newBudgetRoom(t, kubernetes)
		real := newDisruption(ours)
		defer real.stop()
		for _, change := range changes {
			ours.do(change)
			real.do()
			if got, want := ours.statuses(), real.statuses(); got != want {
				difference = fmt.Sprintf("%s:\n  real: %s\n  sim:  %s", change, want, got)
				return
			}
		}
	})
	return difference
}

// realDisruption is the real disruption controller with a fake client. Its world is that of ours: do brings it up to date.
type realDisruption struct {
	ours   *budgetRoom
	client *fake.Clientset
	known  map[string]runtime.Object
	cancel context.CancelFunc
}

func newDisruption(ours *budgetRoom) *realDisruption {
	ctx, cancel := context.WithCancel(context.Background())
	r := &realDisruption{ours: ours, client: fake.NewSimpleClientset(), known: map[string]runtime.Object{}, cancel: cancel}
	r.client.Resources = []*metav1.APIResourceList{{GroupVersion: "apps/v1", APIResources: []metav1.APIResource{
		{Name: "statefulsets/scale", Group: "autoscaling", Version: "v1", Kind: "Scale"}}}}
	// A write that changes nothing is no event in a cluster.
	r.client.PrependReactor("update", "poddisruptionbudgets", func(a clienttesting.Action) (bool, runtime.Object, error) {
		wanted := a.(clienttesting.UpdateAction).GetObject().(*policyBudget)
		stored, err := r.client.Tracker().Get(budgetKind, wanted.Namespace, wanted.Name)
		return err == nil && equality.Semantic.DeepEqual(stored, wanted), stored, err
	})
	scale := &scales.FakeScaleClient{}
	scale.AddReactor("get", "*", func(a clienttesting.Action) (bool, runtime.Object, error) {
		return true, r.scaleOf(a.GetNamespace(), a.(clienttesting.GetAction).GetName()), r.lost(a)
	})
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(apps.SchemeGroupVersion.WithKind("StatefulSet"), meta.RESTScopeNamespace)
	f := informers.NewSharedInformerFactory(r.client, noResync)
	controller := newDisruptionController(ctx, r.client, f, mapper, scale)
	f.Start(ctx.Done())
	go runDisruption(ctx, controller)
	time.Sleep(time.Second)
	return r
}

// newDisruptionController makes the controller. Before 1.29 it takes no context, before 1.22 no discovery client.
func newDisruptionController(ctx context.Context, client *fake.Clientset, f informers.SharedInformerFactory,
	mapper meta.RESTMapper, scale *scales.FakeScaleClient) *disruption.DisruptionController {
	constructor := reflect.ValueOf(disruption.NewDisruptionController)
	given := []any{ctx, f.Core().V1().Pods(), budgetInformer(f), f.Core().V1().ReplicationControllers(), f.Apps().V1().ReplicaSets(),
		f.Apps().V1().Deployments(), f.Apps().V1().StatefulSets(), client, mapper, scale, client.Discovery()}
	if constructor.Type().In(0) != reflect.TypeFor[context.Context]() {
		given = given[1:]
	}
	var values []reflect.Value
	for _, value := range given[:constructor.Type().NumIn()] {
		values = append(values, reflect.ValueOf(value))
	}
	return constructor.Call(values)[0].Interface().(*disruption.DisruptionController)
}

// runDisruption runs the controller until its context ends. Before 1.27 queues and a broadcaster are left then.
func runDisruption(ctx context.Context, controller any) {
	switch c := controller.(type) {
	case interface{ Run(context.Context, int) }:
		c.Run(ctx, 1)
	case interface{ Run(context.Context) }:
		c.Run(ctx)
	case interface{ Run(<-chan struct{}) }:
		c.Run(ctx.Done())
	}
	fields := reflect.ValueOf(controller).Elem()
	if fields.FieldByName("stalePodDisruptionQueue").IsValid() {
		return
	}
	left(fields, "recheckQueue").(interface{ ShutDown() }).ShutDown()
	if broadcaster, ok := left(fields, "broadcaster").(interface{ Shutdown() }); ok {
		broadcaster.Shutdown()
	}
}

// left returns what is in an unexported field.
func left(fields reflect.Value, name string) any {
	field := fields.FieldByName(name)
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Interface()
}

func (r *realDisruption) stop() {
	r.cancel()
	time.Sleep(time.Minute)
}

// scaleOf is the scale of a set, nil if there is none.
func (r *realDisruption) scaleOf(namespace, name string) *autoscaling.Scale {
	set := r.ours.store.Set(model.Key{Namespace: namespace, Name: name})
	if set == nil {
		return nil
	}
	return &autoscaling.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: apiUID(set.UID)},
		Spec: autoscaling.ScaleSpec{Replicas: set.Spec.Replicas}}
}

// lost is the error of a get of a scale whose set is gone.
func (r *realDisruption) lost(a clienttesting.Action) error {
	name := a.(clienttesting.GetAction).GetName()
	if r.scaleOf(a.GetNamespace(), name) != nil {
		return nil
	}
	return errors.NewNotFound(a.GetResource().GroupResource(), name)
}

func apiUID(uid model.UID) types.UID { return types.UID(fmt.Sprint(uint64(uid))) }

var (
	podKind    = core.SchemeGroupVersion.WithResource("pods")
	setKind    = apps.SchemeGroupVersion.WithResource("statefulsets")
	budgetKind = policyVersion.WithResource("poddisruptionbudgets")
)

// do brings the real controller's world to the state of ours, and waits until it has done what it does. Sets come first:
// no pod is there before its set.
func (r *realDisruption) do() {
	now := map[string]runtime.Object{}
	for _, set := range r.ours.store.Sets() {
		r.put(now, setKind, &apps.StatefulSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: set.Name, UID: apiUID(set.UID)},
			Spec:       apps.StatefulSetSpec{Replicas: &set.Spec.Replicas},
		})
	}
	for _, b := range r.ours.controller.Budgets() {
		r.putBudget(now, b)
	}
	for _, pod := range r.ours.store.Pods() {
		r.put(now, podKind, apiPod(pod))
	}
	for key, object := range r.known {
		if now[key] == nil {
			noError(r.client.Tracker().Delete(resourceOf(object), object.(metav1.Object).GetNamespace(), object.(metav1.Object).GetName()))
		}
	}
	r.known = now
	time.Sleep(time.Second)
	synctest.Wait()
}

// put stores an object that is new or has changed. One that was replaced by another of its name goes before.
func (r *realDisruption) put(now map[string]runtime.Object, kind schema.GroupVersionResource, object runtime.Object) {
	m := object.(metav1.Object)
	key := kind.Resource + "/" + m.GetName()
	old := r.known[key]
	now[key] = object
	switch {
	case old != nil && equality.Semantic.DeepEqual(old, object):
	case old != nil && old.(metav1.Object).GetUID() == m.GetUID():
		noError(r.client.Tracker().Update(kind, object.DeepCopyObject(), m.GetNamespace()))
	case old != nil:
		noError(r.client.Tracker().Delete(kind, m.GetNamespace(), m.GetName()))
		fallthrough
	default:
		noError(r.client.Tracker().Create(kind, object.DeepCopyObject(), m.GetNamespace()))
	}
}

// putBudget stores a budget that is new or has another spec; its status stays.
func (r *realDisruption) putBudget(now map[string]runtime.Object, b *model.Budget) {
	object := &policyBudget{ObjectMeta: metav1.ObjectMeta{Namespace: b.Namespace, Name: b.Name},
		Spec: policySpec{MinAvailable: apiAmount(b.MinAvailable), MaxUnavailable: apiAmount(b.MaxUnavailable)}}
	if b.Selects != nil {
		object.Spec.Selector = &metav1.LabelSelector{}
		for _, need := range b.Selects.Needs {
			object.Spec.Selector.MatchExpressions = append(object.Spec.Selector.MatchExpressions,
				metav1.LabelSelectorRequirement{Key: need.Label, Operator: metav1.LabelSelectorOpIn, Values: need.Values})
		}
	}
	key := budgetKind.Resource + "/" + b.Name
	now[key] = object
	stored, err := r.client.Tracker().Get(budgetKind, b.Namespace, b.Name)
	switch {
	case err != nil:
		noError(r.client.Tracker().Create(budgetKind, object.DeepCopy(), b.Namespace))
	case !equality.Semantic.DeepEqual(r.known[key], object):
		changed := stored.(*policyBudget).DeepCopy()
		changed.Spec = object.Spec
		noError(r.client.Tracker().Update(budgetKind, changed, b.Namespace))
	}
}

func apiAmount(a *model.IntOrPercent) *intstr.IntOrString {
	if a == nil {
		return nil
	}
	amount := intstr.FromInt(int(a.Value))
	if a.Percent {
		amount = intstr.FromString(fmt.Sprintf("%d%%", a.Value))
	}
	return &amount
}

func apiPod(pod *model.Pod) *core.Pod {
	object := &core.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: apiUID(pod.UID), Labels: pod.Labels}}
	for _, o := range pod.Owners {
		object.OwnerReferences = append(object.OwnerReferences, metav1.OwnerReference{
			APIVersion: "apps/v1", Kind: "StatefulSet", Name: o.Name, UID: apiUID(o.UID), Controller: &o.Controller,
		})
	}
	if pod.Terminating() {
		object.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	}
	if pod.Ready {
		object.Status.Conditions = []core.PodCondition{{Type: core.PodReady, Status: core.ConditionTrue}}
	}
	return object
}

// statuses are those of all budgets, by their names.
func (r *realDisruption) statuses() string {
	var list []string
	for _, b := range r.ours.controller.Budgets() {
		object, err := r.client.Tracker().Get(budgetKind, b.Namespace, b.Name)
		noError(err)
		s := &object.(*policyBudget).Status
		list = append(list, fmt.Sprintf("%s: %d healthy, %d desired, %d expected, %d allowed", b.Name, s.CurrentHealthy,
			s.DesiredHealthy, s.ExpectedPods, allowed(s)))
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

func resourceOf(object runtime.Object) schema.GroupVersionResource {
	switch object.(type) {
	case *core.Pod:
		return podKind
	case *apps.StatefulSet:
		return setKind
	}
	return budgetKind
}

func noError(err error) {
	if err != nil {
		panic(err)
	}
}
