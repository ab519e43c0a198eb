//go:build real

package conformance_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Machinery is what the real control code is built from.
type Machinery struct {
	Client    kubernetes.Interface
	Pods      corelisters.PodLister
	Claims    corelisters.PersistentVolumeClaimLister
	Sets      appslisters.StatefulSetLister
	Revisions appslisters.ControllerRevisionLister
	Recorder  record.EventRecorder
	// RevisionIndex and Store are used since 1.36.
	RevisionIndex cache.Indexer
	Store         Store

	c *Controller
}

// Sync is the sync of the real controller of a version, of the set with that key.
type Sync func(key string) error

// Controller is the sync of the real controller as a model.Controller. Its syncs must run in one testing/synctest
// bubble, in which it makes the clock agree with that of the views: the code before 1.36 reads the clock itself.
type Controller struct {
	// Controller has the enqueue rules, which are not part of a sync.
	model.Controller
	profile statefulset.Profile

	client    *fake.Clientset
	machinery Machinery
	version   Version
	syncSet   Sync
	began     time.Time
	pods      map[*model.Pod]*v1.Pod
	// instant is that of the last sync, and syncs the number of syncs it has had.
	instant model.Time
	syncs   int
	// crashed: the real code has crashed since Begin, as it is known to. There is nothing to agree with then.
	crashed bool

	// mu guards what follows: Parallel acts from several goroutines.
	mu   sync.Mutex
	sync *session
}

// New returns the real controller of the version.
func New(v Version) *Controller {
	client := fake.NewSimpleClientset()
	c := &Controller{client: client, version: v, pods: map[*model.Pod]*v1.Pod{}}
	client.PrependReactor("*", "*", c.react)
	c.machinery = Machinery{
		Client: client, Pods: podLister{c: c}, Claims: claimLister{c: c}, Sets: setLister{c: c},
		Revisions: revisionLister{c: c}, Recorder: recorder{c: c},
		RevisionIndex: revisionIndexer{c: c}, Store: Store{c}, c: c,
	}
	return c
}

// Begin makes the controller ready for another run, in which it is now, and whose sets are enqueued by the profile's
// rules. The controller is created again, since it remembers revisions that it has compared.
func (c *Controller) Begin(profile statefulset.Profile, now model.Time) {
	c.Controller, c.profile = statefulset.New(profile), profile
	c.syncSet = newSync(c.machinery)
	c.began = time.Now().Add(-time.Duration(now))
	c.instant, c.syncs, c.crashed = now, 0, false
	clear(c.pods)
}

// session is one sync.
type session struct {
	view  model.View
	calls model.Calls
	// pods are those of the cache.
	pods []*v1.Pod
	// templates are those that the sync may meet.
	templates []*model.Template
	// adopted are revisions as they are since this sync has adopted them: a cache without any lag knows it by the time
	// that they are listed again.
	adopted []*model.Revision
	// after are the delays of the syncs that this one has asked for.
	after []time.Duration
}

// hair is how much later than the instant itself the real code sees it: a real clock always runs a hair past.
const hair = time.Nanosecond

// Sync does one sync with the real code.
func (c *Controller) Sync(view model.View, calls model.Calls) model.Result {
	if c.loops(view.Now()) {
		return c.Controller.Sync(view, calls)
	}
	if wait := time.Until(c.timeOf(view.Now()).Add(hair)); wait > 0 {
		time.Sleep(wait)
	}
	c.sync = c.newSession(view, calls)
	defer func() {
		c.sync = nil
		c.client.ClearActions()
	}()
	if c.version.Crashes != nil && c.version.Crashes(c.profile, view) {
		defer c.surviveCrash()
	}
	result := model.Result{Err: inOrder(c.syncSet(view.Set().Key().String()))}
	if after := c.sync.after; len(after) > 0 {
		// What is left is counted from the hair past the instant.
		result.After, result.Requeue = slices.Min(after).Round(time.Microsecond), true
	}
	return result
}

// inOrder gives an error of several the same words each time, whichever of the concurrent calls failed first.
func inOrder(err error) error {
	if err == nil {
		return nil
	}
	parts := strings.Split(strings.Trim(err.Error(), "[]"), ", ")
	slices.Sort(parts)
	return errors.New(strings.Join(parts, ", "))
}

// surviveCrash remembers that the real code has crashed, if it is known to.
func (c *Controller) surviveCrash() {
	switch r := recover().(type) {
	case nil:
	case runtime.Error:
		c.crashed = true
	default:
		panic(r)
	}
}

func (c *Controller) newSession(view model.View, calls model.Calls) *session {
	s := &session{view: view, calls: calls, templates: templatesOf(view)}
	for _, pod := range podsOf(view) {
		s.pods = append(s.pods, c.podOf(pod))
	}
	return s
}

// loops says whether an instant has so many syncs that it can only be a livelock. The real code takes half a
// second to play one out, so that from there on the simulator's own controller does.
func (c *Controller) loops(now model.Time) bool {
	if now != c.instant {
		c.instant, c.syncs = now, 0
	}
	c.syncs++
	return c.syncs > loopSyncs
}

// loopSyncs is far more than any instant needs in a world of few pods.
const loopSyncs = 300

// podsOf lists the pods of the cache that a set of a view may have to do with: those that it releases, its own, and
// those that it adopts. A view that has more lists them itself. In what order a cache lists them is not defined.
func podsOf(view model.View) []*model.Pod {
	var pods []*model.Pod
	if all, ok := view.(interface{ Pods() []*model.Pod }); ok {
		pods = all.Pods()
	} else {
		for _, group := range []model.Group{model.Replicas, model.Condemned} {
			for i := range view.Len(group) {
				if pod := view.Pod(group, i); pod != nil {
					pods = append(pods, pod)
				}
			}
		}
	}
	others := slices.Concat(view.Strays(), view.Orphans())
	pods = slices.DeleteFunc(slices.Clone(pods), func(pod *model.Pod) bool { return slices.Contains(others, pod) })
	return slices.Concat(view.Strays(), pods, view.Orphans())
}

// podOf converts a pod once: objects do not change.
func (c *Controller) podOf(pod *model.Pod) *v1.Pod {
	real := c.pods[pod]
	if real == nil {
		if len(c.pods) > 10_000 {
			clear(c.pods)
		}
		real = c.convertPod(pod)
		c.pods[pod] = real
	}
	return real
}

func templatesOf(view model.View) []*model.Template {
	templates := []*model.Template{view.Set().Spec.Template}
	for _, revision := range view.Revisions() {
		templates = append(templates, revision.Template)
	}
	return templates
}

// templateOf returns the template that a sync knows by its data.
func (s *session) templateOf(data string) *model.Template {
	for _, t := range s.templates {
		if sorted(t.Data) == data {
			return t
		}
	}
	panic(fmt.Sprintf("a template that nobody gave it: %s", data))
}

// templateByImage returns the template that a sync knows by the image of its first container.
func (s *session) templateByImage(image string) *model.Template {
	for _, t := range s.templates {
		if t.Image() == image {
			return t
		}
	}
	for _, pod := range podsOf(s.view) {
		if pod.Template.Image() == image {
			return pod.Template
		}
	}
	panic(fmt.Sprintf("a template that nobody gave it: %s", image))
}

func (c *Controller) timeOf(t model.Time) time.Time { return c.began.Add(time.Duration(t)) }
