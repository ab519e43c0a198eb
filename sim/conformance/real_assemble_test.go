//go:build real

package conformance_test

import (
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Assemble gives a real StatefulSetController, of whatever version, what one sync of it needs: the machinery, the
// control code and the pod control that are built from it, and a queue that only keeps the delayed sync that the
// sync asks for. The fields are unexported, since upstream builds its controller around informers, which a sync of
// an arbitrary state cannot use.
func Assemble(controller any, m Machinery, control, podControl any) {
	object := reflect.ValueOf(controller).Elem()
	fill(object, "kubeClient", m.Client)
	fill(object, "control", control)
	fill(object, "podControl", podControl)
	fill(object, "podLister", m.Pods)
	fill(object, "setLister", m.Sets)
	fill(object, "queue", queue[string]{m.c}, queue[any]{m.c})
	optional := map[string]any{"podIndexer": podIndexer{c: m.c}, "clock": clock{}, "consistencyStore": m.Store}
	for name, value := range optional {
		if object.FieldByName(name).IsValid() {
			fill(object, name, value)
		}
	}
}

// fill sets a field to the first of the values that it can hold.
func fill(object reflect.Value, name string, values ...any) {
	field := object.FieldByName(name)
	if !field.IsValid() {
		panic(fmt.Sprintf("%s has no field %s", object.Type(), name))
	}
	for _, value := range values {
		if reflect.TypeOf(value).AssignableTo(field.Type()) {
			reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(value))
			return
		}
	}
	panic(fmt.Sprintf("nothing fits the field %s of type %s", name, field.Type()))
}

// queue is a work queue of the versions before 1.31, whose items are of any type, or since. A sync only asks it for
// another sync.
type queue[T any] struct{ c *Controller }

func (q queue[T]) AddAfter(_ T, after time.Duration) { q.c.sync.after = append(q.c.sync.after, after) }

func (queue[T]) Add(T)              { panic(notInASync) }
func (queue[T]) AddRateLimited(T)   { panic(notInASync) }
func (queue[T]) Done(T)             { panic(notInASync) }
func (queue[T]) Forget(T)           { panic(notInASync) }
func (queue[T]) Get() (T, bool)     { panic(notInASync) }
func (queue[T]) Len() int           { panic(notInASync) }
func (queue[T]) NumRequeues(T) int  { panic(notInASync) }
func (queue[T]) ShutDown()          { panic(notInASync) }
func (queue[T]) ShutDownWithDrain() { panic(notInASync) }
func (queue[T]) ShuttingDown() bool { panic(notInASync) }

const notInASync = "a sync does that to the queue"

// clock is that of the bubble.
type clock struct{}

func (clock) Now() time.Time                  { return time.Now() }
func (clock) Since(t time.Time) time.Duration { return time.Since(t) }

// Store is the guard against stale caches (since 1.36) as far as a sync sees it: whether the caches are stale is said
// by the view. What the controller's own writes make stale is held against the simulator by TestWholeController.
type Store struct{ c *Controller }

// EnsureReady refuses the sync where the view's caches are stale.
func (s Store) EnsureReady(types.NamespacedName) error {
	if s.c.profile.StaleGuard && s.c.sync.view.Stale() {
		return fmt.Errorf("stale")
	}
	return nil
}

// WroteAt forgets the write.
func (Store) WroteAt(types.NamespacedName, types.UID, schema.GroupResource, string) {}

// Clear has nothing to clear.
func (Store) Clear(types.NamespacedName, types.UID) {}
