//go:build real

package conformance_test

import (
	"fmt"
	"slices"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"

	"github.com/statefulsim/statefulsim/model"
)

// The listers read from the view of the sync that is running. They have the methods that the control code uses; any
// other would be that of a nil interface.

type podLister struct {
	corelisters.PodLister
	c *Controller
}

func (l podLister) Pods(string) corelisters.PodNamespaceLister { return podsIn{c: l.c} }

type podsIn struct {
	corelisters.PodNamespaceLister
	c *Controller
}

func (l podsIn) Get(name string) (*v1.Pod, error) {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	if pod := l.c.sync.view.Latest(name); pod != nil {
		return l.c.podOf(pod), nil
	}
	return nil, notFound("pods", name)
}

func (l podsIn) List(labels.Selector) ([]*v1.Pod, error) { return l.c.sync.pods, nil }

// podIndexer finds pods by their controllers, as versions since 1.34 do.
type podIndexer struct {
	cache.Indexer
	c *Controller
}

// ByIndex returns the pods of the controller with that key, or those without one.
func (x podIndexer) ByIndex(_, key string) ([]any, error) {
	return controlledBy(key, x.c.sync.pods), nil
}

// revisionIndexer finds revisions by their controllers, as versions since 1.36 do.
type revisionIndexer struct {
	cache.Indexer
	c *Controller
}

// ByIndex returns the revisions of the controller with that key, or those without one.
func (x revisionIndexer) ByIndex(_, key string) ([]any, error) {
	return controlledBy(key, x.c.cachedRevisions()), nil
}

func controlledBy[T metav1.Object](key string, objects []T) []any {
	var list []any
	for _, object := range objects {
		its := object.GetNamespace()
		if owner := metav1.GetControllerOf(object); owner != nil {
			its += "/" + owner.Kind + "/" + owner.Name + "/" + string(owner.UID)
		}
		if its == key {
			list = append(list, object)
		}
	}
	return list
}

type claimLister struct {
	corelisters.PersistentVolumeClaimLister
	c *Controller
}

func (l claimLister) PersistentVolumeClaims(string) corelisters.PersistentVolumeClaimNamespaceLister {
	return claimsIn{c: l.c}
}

type claimsIn struct {
	corelisters.PersistentVolumeClaimNamespaceLister
	c *Controller
}

func (l claimsIn) Get(name string) (*v1.PersistentVolumeClaim, error) {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	if claim := l.c.sync.view.Claim(name); claim != nil {
		return l.c.claimOf(claim), nil
	}
	return nil, notFound("persistentvolumeclaims", name)
}

type setLister struct {
	appslisters.StatefulSetLister
	c *Controller
}

func (l setLister) StatefulSets(string) appslisters.StatefulSetNamespaceLister { return setsIn{c: l.c} }

type setsIn struct {
	appslisters.StatefulSetNamespaceLister
	c *Controller
}

func (l setsIn) Get(string) (*apps.StatefulSet, error) { return l.c.setOf(l.c.sync.view.Set()), nil }

type revisionLister struct {
	appslisters.ControllerRevisionLister
	c *Controller
}

func (l revisionLister) ControllerRevisions(string) appslisters.ControllerRevisionNamespaceLister {
	return revisionsIn{c: l.c}
}

func (l revisionLister) List(selector labels.Selector) ([]*apps.ControllerRevision, error) {
	return revisionsIn{c: l.c}.List(selector)
}

type revisionsIn struct {
	appslisters.ControllerRevisionNamespaceLister
	c *Controller
}

func (l revisionsIn) List(selector labels.Selector) ([]*apps.ControllerRevision, error) {
	return slices.DeleteFunc(l.c.cachedRevisions(), func(revision *apps.ControllerRevision) bool {
		return !selector.Matches(labels.Set(revision.Labels))
	}), nil
}

func (l revisionsIn) Get(name string) (*apps.ControllerRevision, error) {
	for _, revision := range l.c.cachedRevisions() {
		if revision.Name == name {
			return revision, nil
		}
	}
	return nil, notFound("controllerrevisions", name)
}

// cachedRevisions returns all that the cache of revisions holds.
func (c *Controller) cachedRevisions() []*apps.ControllerRevision {
	var list []*apps.ControllerRevision
	revisions := c.sync.view.Revisions()
	if all, ok := c.sync.view.(interface{ CachedRevisions() []*model.Revision }); ok {
		revisions = all.CachedRevisions()
	}
	for _, revision := range revisions {
		for _, adopted := range c.sync.adopted {
			if adopted.Name == revision.Name {
				revision = adopted
			}
		}
		list = append(list, c.revisionOf(revision))
	}
	return list
}

func notFound(resource, name string) error {
	return errors.NewNotFound(schema.GroupResource{Resource: resource}, name)
}

// recorder hands events to the calls of the sync that is running.
type recorder struct {
	record.EventRecorder
	c *Controller
}

func (r recorder) Event(_ runtime.Object, kind, reason, message string) {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	r.c.sync.calls.Record(model.K8sEvent{
		Object: r.c.sync.view.Set().Key(), Warning: kind == v1.EventTypeWarning, Reason: reason, Message: message,
	})
}

func (r recorder) Eventf(object runtime.Object, kind, reason, format string, args ...any) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}
