//go:build real

package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing/synctest"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	core "k8s.io/client-go/testing"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// manager is the whole real controller as a model.Controller, in lockstep with the world: a change that the world
// delivers goes through the watch of its kind and the real handlers, and whatever they put into the real queue puts
// the set into the world's; a sync of the world is a turn of one of the real workers; and the clock of the bubble
// stands a hair past the world's instant.
type manager struct {
	Controller
	now      func() model.Time
	watchers map[string]*watch.FakeWatcher
	// known are the claims and revisions that the watches have delivered, by resource and name.
	known map[string]map[string]delivered
	// versions are those of the sets and pods that the watches have delivered, by name.
	versions map[string]uint64
	// wrote are those of the claims that the real controller has written, by name.
	wrote map[string]uint64
	// reached are the versions up to which the watches have delivered, by resource.
	reached map[string]uint64
	gate    *gate
	// lags: the watches deliver late, also what the real controller itself has written.
	lags bool
	// add puts the set into the world's queue.
	add func(model.Key, time.Duration)
	// gone: the set is gone.
	gone bool
	// last is what the last sync came to, and idle says that the real controller had nothing to sync.
	last     model.Result
	idle     bool
	problems []string

	mu sync.Mutex
	// requests are the calls of the real controller that wait for an answer.
	requests []*request
}

var resources = []string{"pods", "statefulsets", "persistentvolumeclaims", "controllerrevisions"}

// workers is the number of syncs that may run at the same time. One set is never synced by two.
const workers = 5

func newManager(v Version, profile statefulset.Profile, lags bool) *manager {
	m := &manager{watchers: map[string]*watch.FakeWatcher{}, lags: lags}
	m.version = v
	m.known, m.versions, m.reached = map[string]map[string]delivered{}, map[string]uint64{}, map[string]uint64{}
	m.wrote = map[string]uint64{}
	m.client = fake.NewSimpleClientset()
	m.pods = map[*model.Pod]*v1.Pod{}
	m.Controller.Controller, m.profile = statefulset.New(profile), profile
	for _, resource := range resources {
		w := watch.NewFakeWithChanSize(watchBuffer, false)
		m.watchers[resource], m.known[resource] = w, map[string]delivered{}
		m.client.PrependWatchReactor(resource, func(core.Action) (bool, watch.Interface, error) { return true, w, nil })
	}
	m.client.PrependReactor("*", "*", m.react)
	return m
}

// watchBuffer is more than a world of few pods changes in an instant.
const watchBuffer = 10_000

// Clock is told by the world what time it is.
func (m *manager) Clock(now func() model.Time) { m.now = now }

// Idle says that the last sync was none: the real controller had nothing to do.
func (m *manager) Idle() bool { return m.idle }

// start runs the real controller and returns what ends it.
func (m *manager) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	informers := newInformers(m.client)
	controller, run := newController(ctx, informers)
	m.gate = install(controller)
	informers.run(ctx.Done())
	go run(workers)
	time.Sleep(time.Second)
	m.began = time.Now()
	return func() {
		cancel()
		for _, resource := range resources {
			m.watchers[resource].Stop()
		}
		endBroadcast(controller)
		time.Sleep(time.Minute)
	}
}

// reach lets the time come to the world's instant.
func (m *manager) reach() {
	if wait := time.Until(m.timeOf(m.now()).Add(hair)); wait > 0 {
		time.Sleep(wait)
	}
}

// Enqueue lets the real handlers see a change, and puts the set into the world's queue when they have put it into
// theirs.
func (m *manager) Enqueue(change model.Change, _ model.Sets, add func(model.Key, time.Duration)) {
	m.add = add
	m.reach()
	switch {
	case change.Set != nil:
		m.gone = false
		m.versions[change.Set.Name] = change.Set.ResourceVersion
		m.deliver("statefulsets", change.Type, m.setOf(change.Set))
	case change.OldSet != nil:
		m.deliver("statefulsets", change.Type, m.setOf(change.OldSet))
		// The world has no sync of a set that is gone, and forgets it when its turn comes. The real one does so in a
		// sync.
		m.gone = true
		m.turn(nil)
		add(change.OldSet.Key(), 0)
	case change.Pod != nil:
		m.versions[change.Pod.Name] = change.Pod.ResourceVersion
		m.deliver("pods", change.Type, m.convertPod(change.Pod))
	default:
		m.deliver("pods", change.Type, m.convertPod(change.OldPod))
	}
	m.wake()
}

// deliver hands an object to a watch and lets the real controller's informers and handlers take it. The version of a
// deletion is never before that of what was delivered earlier.
func (m *manager) deliver(resource string, how model.ChangeType, object runtime.Object) {
	meta := object.(metav1.Object)
	version, err := strconv.ParseUint(meta.GetResourceVersion(), 10, 64)
	if err != nil {
		panic(err)
	}
	m.reached[resource] = max(m.reached[resource], version)
	if how == model.Deleted {
		meta.SetResourceVersion(strconv.FormatUint(m.reached[resource], 10))
	}
	switch w := m.watchers[resource]; how {
	case model.Added:
		w.Add(object)
	case model.Modified:
		w.Modify(object)
	default:
		w.Delete(object)
	}
	synctest.Wait()
}

// wake lets the world call Sync whenever the real queue will have the set.
func (m *manager) wake() {
	key := model.Key{Namespace: "default", Name: "web"}
	now := time.Now()
	for _, due := range m.gate.take() {
		// What is left of a time is counted from the hair past the instant.
		m.add(key, due.Sub(now).Round(time.Microsecond))
	}
	if m.gate.length() > 0 {
		m.add(key, 0)
	}
}

// Sync gives a real worker a turn, if the real queue has the set.
func (m *manager) Sync(view model.View, calls model.Calls) model.Result {
	m.reach()
	synctest.Wait()
	m.catchUp(view)
	if m.gate.length() == 0 && m.ripens(view) {
		m.gate.add(view.Set().Key().String())
	}
	m.idle = m.gate.length() == 0 || m.crashed
	m.crashed = m.crashed || m.version.Crashes != nil && m.version.Crashes(m.profile, view)
	if !m.idle && !m.crashed {
		m.sync = &session{view: view, calls: calls, templates: templatesOf(view)}
		m.last = model.Result{}
		if m.turn(calls) {
			m.last.Err = errFailed
		}
		m.sync = nil
		m.client.ClearActions()
	}
	if m.gone {
		m.turn(nil)
	}
	if !m.crashed {
		m.wake()
	}
	return m.last
}

// ripens says whether the world may sync the set only because a pod has become available. It always does so, so that
// availability is seen when it comes; the real controller may look later. Before 1.35.1 it asks for another sync after
// minReadySeconds, whatever is left of them and for one pod at a time; since then it is exact, but does not ask after
// a sync that failed, and where caches lag the next sync may be a retry, or the pod one that the cache does not know
// as Ready. There the real one is made to look whenever the world does.
func (m *manager) ripens(view model.View) bool {
	exact := m.profile.ExactRequeue && !m.lags && m.last.Err == nil
	return view.Set().Spec.MinReadySeconds > 0 && !exact
}

// errFailed stands for whatever error a real sync returns.
var errFailed = errors.New("the sync has failed")

// turn lets a real worker do one sync, and says whether it failed.
func (m *manager) turn(calls model.Calls) bool {
	if m.gate.length() == 0 {
		return false
	}
	m.gate.begin()
	m.gate.turns <- struct{}{}
	m.serve(calls)
	ended, failed := m.gate.result()
	if !ended {
		m.problem("the real sync does not end")
	}
	return failed
}

func (m *manager) problem(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...)+" at "+m.now().Seconds())
}
