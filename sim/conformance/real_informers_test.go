//go:build real

package conformance_test

import (
	"reflect"
	"time"

	"k8s.io/client-go/informers/apps/v1"
	core "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Informers are what the whole real controller is built around. They are made without a factory, which would bring the
// informers of all kinds of Kubernetes.
type Informers struct {
	Client    kubernetes.Interface
	Pods      core.PodInformer
	Claims    core.PersistentVolumeClaimInformer
	Sets      v1.StatefulSetInformer
	Revisions v1.ControllerRevisionInformer
}

// noResync is longer than any run. Without a resync the informers of older versions would wait for a channel that no
// bubble knows, and time would stand still.
const noResync = 10_000 * time.Hour

func newInformers(client kubernetes.Interface) Informers {
	byNamespace := func() cache.Indexers { return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc} }
	return Informers{
		Client:    client,
		Pods:      podInformer{informer{core.NewPodInformer(client, "", noResync, byNamespace())}},
		Claims:    claimInformer{informer{core.NewPersistentVolumeClaimInformer(client, "", noResync, byNamespace())}},
		Sets:      setInformer{informer{v1.NewStatefulSetInformer(client, "", noResync, byNamespace())}},
		Revisions: revisionInformer{informer{v1.NewControllerRevisionInformer(client, "", noResync, byNamespace())}},
	}
}

// run starts the informers. The controller must have its handlers and indexes by then.
func (i *Informers) run(stop <-chan struct{}) {
	for _, shared := range []cache.SharedIndexInformer{
		i.Pods.Informer(), i.Claims.Informer(), i.Sets.Informer(), i.Revisions.Informer(),
	} {
		go shared.Run(stop)
	}
}

type informer struct{ shared cache.SharedIndexInformer }

func (i informer) Informer() cache.SharedIndexInformer { return i.shared }

type podInformer struct{ informer }

func (i podInformer) Lister() corelisters.PodLister {
	return corelisters.NewPodLister(i.shared.GetIndexer())
}

type claimInformer struct{ informer }

func (i claimInformer) Lister() corelisters.PersistentVolumeClaimLister {
	return corelisters.NewPersistentVolumeClaimLister(i.shared.GetIndexer())
}

type setInformer struct{ informer }

func (i setInformer) Lister() appslisters.StatefulSetLister {
	return appslisters.NewStatefulSetLister(i.shared.GetIndexer())
}

type revisionInformer struct{ informer }

func (i revisionInformer) Lister() appslisters.ControllerRevisionLister {
	return appslisters.NewControllerRevisionLister(i.shared.GetIndexer())
}

// endBroadcast ends what passes on the events of a controller that has been told to stop: before 1.25 nothing else
// does.
func endBroadcast(controller any) {
	object := reflect.ValueOf(controller).Elem()
	if object.FieldByName("eventBroadcaster").IsValid() {
		return
	}
	field := object.FieldByName("podControl")
	control := reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Elem()
	recorder := reflect.Indirect(control.FieldByName("Recorder").Elem())
	recorder.FieldByName("Broadcaster").Interface().(interface{ Shutdown() }).Shutdown()
}
