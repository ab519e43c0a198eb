package adapter

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	core "k8s.io/client-go/testing"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/conformance"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Start builds the whole StatefulSet controller of a version, starts its informers, and returns what runs its
// workers. It is told where to send the errors of failed syncs.
type Start func(ctx context.Context, client kubernetes.Interface, failed func(error)) func()

// WholeController holds the simulator against the whole real controller: not only a sync, but what enqueues a set,
// the delayed syncs, the retries and the guard against stale caches. It compares what conformance.AtRest renders: how
// many syncs an instant takes, and so which statuses it goes through, hangs on how the controller's goroutines are
// scheduled.
func WholeController(t *testing.T, v Version, start Start) {
	t.Helper()
	p := player{version: v}
	for _, file := range files(t, managerFiles) {
		c, err := conformance.ParseCase(read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if difference := p.managed(t, c, start); difference != "" {
			t.Errorf("%s:\n%s", file, difference)
		}
	}
	if t.Failed() {
		return
	}
	var failing *conformance.Case
	defer func() {
		if failing != nil {
			keep(t, "testdata/manager-"+v.Kubernetes+"-new.json", failing.String())
		}
	}()
	checks(t, max(count()/100, 100), 0)
	rapid.Check(t, func(rt *rapid.T) {
		c := conformance.DrawManagedCase(rt, v.Kubernetes)
		if difference := p.managed(t, c, start); difference != "" {
			failing = c
			rt.Fatalf("%s\n%s", difference, c)
		}
	})
}

// managed plays a case with the simulator's controller and with the whole real one, and says where they part.
func (p *player) managed(t *testing.T, c *conformance.Case, start Start) (difference string) {
	profile, err := c.Profile()
	if err != nil {
		return err.Error()
	}
	ours, want, err := c.PlayToRest(statefulset.New(profile))
	if err != nil {
		return err.Error()
	}
	if conformance.Livelocked(ours) {
		// The real controller would go round until its virtual worker does, which is for ever.
		return ""
	}
	p.setGates(profile)
	synctest.Test(t, func(*testing.T) {
		m := newManager(profile)
		m.retries = len(c.Refused) > 0
		stop := m.start(start)
		defer stop()
		_, got, err := c.PlayToRest(m)
		if err != nil {
			m.problems = append(m.problems, err.Error())
		}
		difference = conformance.FirstDifference(want, strings.Join(append([]string{got}, m.problems...), "\n"))
	})
	return difference
}

// manager is the whole real controller as a model.Controller. The world tells it of every change, which it hands
// to the watches; its Sync only lets the real controller do what it wants to do at that instant.
type manager struct {
	Controller
	watchers map[string]*watch.FakeWatcher
	// known are the claims and revisions that the watches have delivered, by resource and name.
	known map[string]map[string]delivered
	// pending are the changes that the watches have not delivered.
	pending  []func()
	failed   error
	problems []string
	// retries: calls fail at first.
	retries bool
}

// The retries of the real controller come 5 ms, 10 ms, 20 ms and so on after a failed sync. How many of its syncs fail
// in an instant hangs on how its goroutines are scheduled, so that as long as calls may fail the world stops wherever a
// retry may be due.
const (
	retryStep = 5 * time.Millisecond
	retryTime = model.Time(20 * time.Second)
)

var resources = []string{"pods", "statefulsets", "persistentvolumeclaims", "controllerrevisions"}

func newManager(profile statefulset.Profile) *manager {
	m := &manager{watchers: map[string]*watch.FakeWatcher{}, known: map[string]map[string]delivered{}}
	m.client = fake.NewSimpleClientset()
	m.pods = map[*model.Pod]*v1.Pod{}
	m.Controller.Controller, m.profile = statefulset.New(profile), profile
	m.began = time.Now()
	for _, resource := range resources {
		w := watch.NewFakeWithChanSize(watchBuffer, false)
		m.watchers[resource], m.known[resource] = w, map[string]delivered{}
		m.client.PrependWatchReactor(resource, func(core.Action) (bool, watch.Interface, error) { return true, w, nil })
	}
	m.client.PrependReactor("*", "*", m.answer)
	return m
}

// watchBuffer is more than a world of few pods changes in an instant.
const watchBuffer = 10_000

// start runs the real controller and returns what ends it.
func (m *manager) start(start Start) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go start(ctx, m.client, func(err error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.failed = err
	})()
	synctest.Wait()
	return func() {
		cancel()
		for _, resource := range resources {
			m.watchers[resource].Stop()
		}
		time.Sleep(time.Minute)
	}
}

// Enqueue hands a change to the watches and lets the world call Sync.
func (m *manager) Enqueue(change model.Change, sets model.Sets, add func(model.Key, time.Duration)) {
	switch {
	case change.Set != nil:
		m.later("statefulsets", change.Type, m.setOf(change.Set))
		add(change.Set.Key(), 0)
	case change.OldSet != nil:
		m.later("statefulsets", change.Type, m.setOf(change.OldSet))
	default:
		pod := change.Pod
		if pod == nil {
			pod = change.OldPod
		}
		m.later("pods", change.Type, m.convertPod(pod))
		sets.Selecting(pod.Namespace, pod.Labels, func(set *model.StatefulSet) { add(set.Key(), 0) })
		if owner := pod.Controller(); owner != nil {
			add(model.Key{Namespace: pod.Namespace, Name: owner.Name}, 0)
		}
	}
}

// catchUp hands to the watches what has become of claims and revisions otherwise than by the real controller itself:
// the world tells of no such changes.
func (m *manager) catchUp(view model.View) {
	own := m.pending
	m.pending = nil
	set := view.Set()
	for i := range set.Spec.ClaimTemplates {
		for ordinal := range claimOrdinals {
			name := model.ClaimName(set, &set.Spec.ClaimTemplates[i], ordinal)
			if claim := view.Claim(name); claim != nil {
				m.seen("persistentvolumeclaims", &claim.Meta, func() runtime.Object { return m.claimOf(claim) })
			} else {
				m.unseen("persistentvolumeclaims", name)
			}
		}
	}
	here := map[string]bool{}
	for _, revision := range view.Revisions() {
		here[revision.Name] = true
		m.seen("controllerrevisions", &revision.Meta, func() runtime.Object { return m.revisionOf(revision) })
	}
	for _, name := range slices.Sorted(maps.Keys(m.known["controllerrevisions"])) {
		if !here[name] {
			m.unseen("controllerrevisions", name)
		}
	}
	m.pending = append(m.pending, own...)
}

// claimOrdinals is more than a set of a case has.
const claimOrdinals = 16

// delivered is an object that the watches have delivered.
type delivered struct {
	version uint64
	object  runtime.Object
}

// seen delivers an object if it is new or changed.
func (m *manager) seen(resource string, meta *model.Meta, object func() runtime.Object) {
	before, found := m.known[resource][meta.Name]
	if found && before.version == meta.ResourceVersion {
		return
	}
	how := model.Added
	if found {
		how = model.Modified
	}
	now := delivered{meta.ResourceVersion, object()}
	m.known[resource][meta.Name] = now
	m.later(resource, how, now.object)
}

// unseen delivers that an object is gone.
func (m *manager) unseen(resource, name string) {
	if before, found := m.known[resource][name]; found {
		delete(m.known[resource], name)
		m.later(resource, model.Deleted, before.object)
	}
}

func (m *manager) later(resource string, how model.ChangeType, object runtime.Object) {
	w := m.watchers[resource]
	m.pending = append(m.pending, func() {
		switch how {
		case model.Added:
			w.Add(object)
		case model.Modified:
			w.Modify(object)
		default:
			w.Delete(object)
		}
	})
}

// Sync lets time come to the view's and the real controller do what it does then. What has changed is delivered a
// hair before, so that it comes before the timers of that instant, as it does in the world.
func (m *manager) Sync(view model.View, calls model.Calls) model.Result {
	m.mu.Lock()
	m.sync = &session{view: view, calls: calls, templates: templatesOf(view)}
	m.failed = nil
	m.mu.Unlock()
	for _, at := range []time.Duration{-hair, hair} {
		if wait := time.Until(m.timeOf(view.Now()).Add(at)); wait > 0 {
			time.Sleep(wait)
		}
		m.deliver()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sync = nil
	m.client.ClearActions()
	if m.retries && view.Now() < retryTime {
		return model.Result{After: retryStep, Requeue: true}
	}
	// The world only stops where something happens, and the real controller looks at a set when a pod becomes available.
	after, requeue := view.NextAvailable()
	return model.Result{Err: m.failed, After: after, Requeue: requeue}
}

// deliver hands over what the watches have to deliver, until the real controller is at rest.
func (m *manager) deliver() {
	for {
		synctest.Wait()
		m.mu.Lock()
		m.catchUp(m.sync.view)
		pending := m.pending
		m.pending = nil
		m.mu.Unlock()
		if len(pending) == 0 {
			return
		}
		// One at a time, so that what a watch brings early meets the guard, as it would where they are behind each other.
		for _, deliver := range pending {
			deliver()
			synctest.Wait()
		}
	}
}

// answer is the API server.
func (m *manager) answer(action core.Action) (bool, runtime.Object, error) {
	resource := action.GetResource().Resource
	switch {
	case resource == "events":
		return true, &v1.Event{}, nil
	case action.GetVerb() == "list":
		return true, emptyList(resource), nil
	}
	m.mu.Lock()
	if m.sync == nil || time.Now().Before(m.timeOf(m.sync.view.Now()).Add(-hair)) {
		m.mu.Unlock()
		m.problems = append(m.problems, fmt.Sprintf("the real controller does %s %s at %s, when nothing happens in the world",
			action.GetVerb(), resource, time.Since(m.began)))
		return true, nil, apiError(&model.APIError{Reason: model.Timeout})
	}
	call, sent := m.sync.callOf(action)
	reply := m.sync.calls.Do(call)
	defer m.mu.Unlock()
	if reply.Err != nil {
		return true, emptyOf(call.Kind), apiError(reply.Err)
	}
	return true, m.stored(resource, &call, &reply, sent), nil
}

// stored returns the object of a reply, and hands to the watches what the world does not tell of: claims and
// revisions.
func (m *manager) stored(resource string, call *model.Call, reply *model.Reply, sent runtime.Object) runtime.Object {
	switch {
	case reply.Pod != nil:
		return m.convertPod(reply.Pod)
	case reply.Set != nil:
		return m.setOf(reply.Set)
	case reply.Claim != nil:
		m.seen(resource, &reply.Claim.Meta, func() runtime.Object { return m.claimOf(reply.Claim) })
		return m.claimOf(reply.Claim)
	case reply.Revision != nil:
		m.seen(resource, &reply.Revision.Meta, func() runtime.Object { return m.revisionOf(reply.Revision) })
		return m.revisionOf(reply.Revision)
	case call.Kind == model.KindRevision && call.Verb == model.Delete:
		m.unseen(resource, call.Key.Name)
	}
	return sent
}

func emptyList(resource string) runtime.Object {
	// The guard takes 0 for no version at all.
	meta := metav1.ListMeta{ResourceVersion: "1"}
	switch resource {
	case "pods":
		return &v1.PodList{ListMeta: meta}
	case "persistentvolumeclaims":
		return &v1.PersistentVolumeClaimList{ListMeta: meta}
	case "controllerrevisions":
		return &apps.ControllerRevisionList{ListMeta: meta}
	}
	return &apps.StatefulSetList{ListMeta: meta}
}
