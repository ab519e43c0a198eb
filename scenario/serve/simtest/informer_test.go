package simtest_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"github.com/statefulsim/statefulsim/scenario/serve/simtest"
)

// wire carries requests as a bad network does: answers end in the middle, and watches come slowly. It draws with a seed
// of its own. whole says that it is mended.
type wire struct {
	http.RoundTripper
	slow   bool
	whole  atomic.Bool
	cuts   atomic.Int64
	mu     sync.Mutex
	random *rand.Rand
}

// draw draws a number below n.
func (w *wire) draw(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.random.IntN(n)
}

// RoundTrip lets an answer end after some bytes.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := w.RoundTripper.RoundTrip(r)
	if err != nil || w.whole.Load() {
		return answer, err
	}
	if w.draw(10) == 0 {
		answer.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	answer.Body = &thread{ReadCloser: answer.Body, wire: w, left: 100 + w.draw(40_000)}
	answer.ContentLength = -1
	return answer, nil
}

// thread is an answer that may end in the middle.
type thread struct {
	io.ReadCloser
	wire *wire
	left int
}

// Read reads on, slowly if the wire is slow.
func (t *thread) Read(into []byte) (int, error) {
	if t.wire.whole.Load() {
		return t.ReadCloser.Read(into)
	}
	if t.wire.slow {
		time.Sleep(200 * time.Millisecond)
	}
	if t.left == 0 {
		t.wire.cuts.Add(1)
		t.Close()
		return 0, io.ErrUnexpectedEOF
	}
	n, err := t.ReadCloser.Read(into[:min(len(into), t.left)])
	t.left -= n
	return n, err
}

// watched are the resources that the informers hold.
var watched = []schema.GroupVersionResource{
	{Group: "apps", Version: "v1", Resource: "statefulsets"}, {Version: "v1", Resource: "pods"},
	{Version: "v1", Resource: "configmaps"},
}

// TestInformersEqualTheStore: whatever happens to their watches, the caches of client-go hold what the server has. Two
// informers of each resource hear of random writes over a wire that breaks, one of them slowly; when it is mended their
// caches are compared. SERVE_LOAD=1 makes 10,000 writes.
func TestInformersEqualTheStore(t *testing.T) {
	rounds := 2
	if os.Getenv("SERVE_LOAD") != "" {
		rounds = 40
	}
	synctest.Test(t, func(t *testing.T) {
		env := simtest.New(t, simtest.Options{Seed: 5})
		store := dynamic.NewForConfigOrDie(env.Config())
		var wires []*wire
		var factories []dynamicinformer.DynamicSharedInformerFactory
		for i := range 2 {
			config := env.Config()
			w := &wire{RoundTripper: config.Transport, random: rand.New(rand.NewPCG(uint64(i), 1)), slow: i == 1}
			config.Transport = w
			factory := dynamicinformer.NewDynamicSharedInformerFactory(dynamic.NewForConfigOrDie(config), 0)
			for _, r := range watched {
				factory.ForResource(r)
			}
			factory.Start(env.Context().Done())
			wires, factories = append(wires, w), append(factories, factory)
		}
		random := rand.New(rand.NewPCG(9, 9))
		for round := range rounds {
			for range 250 {
				writeAtRandom(env, store, random)
			}
			for _, w := range wires {
				w.whole.Store(true)
			}
			env.Advance(5 * time.Minute)
			for _, r := range watched {
				want := held(t, list(t, env, store, r))
				for i, f := range factories {
					objects := f.ForResource(r).Informer().GetStore().List()
					require.Equal(t, want, held(t, objects), "round %d, informer %d of %s", round, i, r.Resource)
				}
			}
			for _, w := range wires {
				w.whole.Store(false)
			}
		}
		t.Log("answers that ended in the middle:", wires[0].cuts.Load(), wires[1].cuts.Load())
		require.Positive(t, wires[0].cuts.Load())
		require.Positive(t, wires[1].cuts.Load())
	})
}

// writeAtRandom writes once, and lets a little time pass. Refusals are all right.
func writeAtRandom(env *simtest.Env, client dynamic.Interface, random *rand.Rand) {
	sets := client.Resource(watched[0]).Namespace("default")
	pods := client.Resource(watched[1]).Namespace("default")
	maps := client.Resource(watched[2]).Namespace("default")
	ctx, n := env.Context(), random.IntN(1_000_000)
	set := fmt.Sprintf("web-%d", random.IntN(3))
	pod, note := fmt.Sprintf("%s-%d", set, random.IntN(3)), fmt.Sprintf("note-%d", random.IntN(20))
	merge := func(of dynamic.ResourceInterface, name, patch string, more ...string) {
		_, _ = of.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, more...)
	}
	switch random.IntN(9) {
	case 0, 1:
		_, _ = sets.Create(ctx, objectOf(named(set)), metav1.CreateOptions{})
	case 2:
		merge(sets, set, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"n":"%d"}}}}}`, n))
	case 3:
		merge(sets, set, fmt.Sprintf(`{"spec":{"replicas":%d}}`, random.IntN(4)), "scale")
	case 4:
		if random.IntN(4) == 0 {
			_ = sets.Delete(ctx, set, metav1.DeleteOptions{})
		}
	case 5:
		_ = pods.Delete(ctx, pod, metav1.DeleteOptions{})
	case 6:
		merge(pods, pod, fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n))
	case 7:
		_, _ = maps.Create(ctx, &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": note}}}, metav1.CreateOptions{})
		merge(maps, note, fmt.Sprintf(`{"data":{"n":"%d"}}`, n))
	case 8:
		_ = maps.Delete(ctx, note, metav1.DeleteOptions{})
	}
	env.Advance(time.Duration(random.IntN(1000)) * time.Millisecond)
}

// named is a StatefulSet of that name whose pods are its own.
func named(name string) runtime.Object {
	set := web(2)
	set.APIVersion, set.Kind, set.Name = "apps/v1", "StatefulSet", name
	set.Spec.Selector.MatchLabels["set"] = name
	return set
}

func objectOf(o runtime.Object) *unstructured.Unstructured {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err)
	}
	return &unstructured.Unstructured{Object: fields}
}

// list returns the objects that the server has.
func list(t *testing.T, env *simtest.Env, client dynamic.Interface, r schema.GroupVersionResource) []any {
	all, err := client.Resource(r).List(env.Context(), metav1.ListOptions{})
	require.NoError(t, err)
	var objects []any
	for i := range all.Items {
		objects = append(objects, &all.Items[i])
	}
	return objects
}

// held returns which objects there are, each with its version.
func held(t *testing.T, objects []any) []string {
	all := []string{}
	for _, o := range objects {
		key, err := cache.MetaNamespaceKeyFunc(o)
		require.NoError(t, err)
		accessor, err := meta.Accessor(o)
		require.NoError(t, err)
		all = append(all, fmt.Sprintf("%s %s@%s", key, accessor.GetUID(), accessor.GetResourceVersion()))
	}
	slices.Sort(all)
	return all
}
