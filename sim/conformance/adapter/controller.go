package adapter

import (
	"fmt"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
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
}

// Control does one sync with the real control code of a version. It returns the status that the sync came to, or nil
// where the version tells none.
type Control func(set *apps.StatefulSet, pods []*v1.Pod) (*apps.StatefulSetStatus, error)

// Controller is the real control code as a model.Controller. Its syncs must run in one testing/synctest bubble, in
// which it makes the clock agree with that of the views: the code before 1.36 reads the clock itself.
type Controller struct {
	// Controller has the enqueue rules, which are not part of the control code. The profile's rules of the delayed
	// sync at the end of a sync are not either.
	model.Controller
	profile statefulset.Profile

	client     *fake.Clientset
	machinery  Machinery
	newControl func(Machinery) Control
	control    Control
	began      time.Time
	pods       map[*model.Pod]*v1.Pod
	// instant is that of the last sync, and syncs the number of syncs it has had.
	instant model.Time
	syncs   int

	// mu guards what follows: Parallel acts from several goroutines.
	mu   sync.Mutex
	sync *session
}

// New returns the real control code of the version that the machinery is built into by newControl.
func New(newControl func(Machinery) Control) *Controller {
	client := fake.NewSimpleClientset()
	c := &Controller{client: client, newControl: newControl, pods: map[*model.Pod]*v1.Pod{}}
	client.PrependReactor("*", "*", c.react)
	c.machinery = Machinery{
		Client: client, Pods: podLister{c: c}, Claims: claimLister{c: c}, Sets: setLister{c: c},
		Revisions: revisionLister{c: c}, Recorder: recorder{c: c},
	}
	return c
}

// Begin makes the controller ready for another run, in which it is now, and whose sets are enqueued by the profile's
// rules. The control code is made anew, since it remembers revisions that it has compared.
func (c *Controller) Begin(profile statefulset.Profile, now model.Time) {
	c.Controller, c.profile = statefulset.New(profile), profile
	c.control = c.newControl(c.machinery)
	c.began = time.Now().Add(-time.Duration(now))
	c.instant, c.syncs = now, 0
	clear(c.pods)
}

// session is one sync.
type session struct {
	view  model.View
	calls model.Calls
	pods  map[string]*v1.Pod
	// templates are those that the sync may meet.
	templates []*model.Template
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
	s := &session{view: view, calls: calls, pods: map[string]*v1.Pod{}, templates: templatesOf(view)}
	c.sync = s
	var pods []*v1.Pod
	for _, pod := range podsOf(view) {
		real := c.podOf(pod)
		s.pods[pod.Name] = real
		pods = append(pods, real)
	}
	status, err := c.control(c.setOf(view.Set()), pods)
	c.sync = nil
	c.client.ClearActions()
	result := model.Result{Err: err}
	if err == nil && status != nil {
		result.After, result.Requeue = c.requeue(view, modelStatus(status))
	}
	return result
}

// requeue is the delayed sync that the code around the control code asks for: until all replicas are available, or
// since 1.35.1 when the next pod becomes available. TestWholeController holds it against the whole real
// controller.
func (c *Controller) requeue(view model.View, status model.Status) (time.Duration, bool) {
	spec := &view.Set().Spec
	after := time.Duration(spec.MinReadySeconds) * time.Second
	if !c.profile.MinReadySeconds || after == 0 {
		return 0, false
	}
	if !c.profile.ExactRequeue {
		return after, status.Available != spec.Replicas
	}
	if next, found := view.NextAvailable(); found {
		after = next
	}
	return after, status.Available != status.Ready
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

// podsOf lists the pods of a view. A view that has more than its groups lists them itself.
func podsOf(view model.View) []*model.Pod {
	if all, ok := view.(interface{ Pods() []*model.Pod }); ok {
		return all.Pods()
	}
	var pods []*model.Pod
	for _, group := range []model.Group{model.Replicas, model.Condemned} {
		for i := range view.Len(group) {
			if pod := view.Pod(group, i); pod != nil {
				pods = append(pods, pod)
			}
		}
	}
	return pods
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
		if t.Data == data {
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
