package simtest_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/statefulsim/statefulsim/scenario/serve/simtest"
)

// scaler gives the StatefulSet NAME the replicas that the ConfigMap NAME asks for. It has a bug, as many operators have:
// it looks only at changes of a set that have another generation, and takes a conflict for something that the next event
// mends. But the write that it lost against may be one of the status, of which it never hears.
func scaler(ctx context.Context, config *rest.Config, mended bool) {
	client := kubernetes.NewForConfigOrDie(config)
	factory := informers.NewSharedInformerFactory(client, 0)
	sets, maps := factory.Apps().V1().StatefulSets(), factory.Core().V1().ConfigMaps()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	add := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			queue.Add(key)
		}
	}
	maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: add,
		UpdateFunc: func(_, is any) { add(is) }})
	sets.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: add, UpdateFunc: func(was, is any) {
		if was.(*appsv1.StatefulSet).Generation != is.(*appsv1.StatefulSet).Generation {
			add(is)
		}
	}})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	context.AfterFunc(ctx, queue.ShutDown)
	for {
		key, down := queue.Get()
		if down {
			factory.Shutdown()
			return
		}
		err := scale(ctx, client, sets.Lister(), maps.Lister(), key)
		if err != nil && (mended || !apierrors.IsConflict(err)) {
			queue.AddRateLimited(key)
		}
		queue.Done(key)
	}
}

// scale makes one set as large as its ConfigMap says.
func scale(ctx context.Context, client kubernetes.Interface, sets appslisters.StatefulSetLister,
	maps corelisters.ConfigMapLister, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	wish, err := maps.ConfigMaps(namespace).Get(name)
	if err != nil {
		return nil
	}
	set, err := sets.StatefulSets(namespace).Get(name)
	if err != nil {
		return nil
	}
	replicas, err := strconv.Atoi(wish.Data["replicas"])
	if err != nil || *set.Spec.Replicas == int32(replicas) {
		return nil
	}
	set = set.DeepCopy()
	*set.Spec.Replicas = int32(replicas)
	_, err = client.AppsV1().StatefulSets(namespace).Update(ctx, set, metav1.UpdateOptions{})
	return err
}

// web is a StatefulSet.
func web(replicas int32) *appsv1.StatefulSet {
	labels := map[string]string{"app": "web"}
	return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: appsv1.StatefulSetSpec{
		Replicas: &replicas, ServiceName: "web", Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "app", Image: "app:v1"}}}}}}
}

// wishing asks for three replicas of a set with one, while somebody else annotates the set.
func wishing(t testing.TB, env *simtest.Env, mended bool) {
	client := kubernetes.NewForConfigOrDie(env.Config())
	go scaler(env.Context(), env.Config(), mended)
	sets := client.AppsV1().StatefulSets("default")
	_, err := sets.Create(env.Context(), web(1), metav1.CreateOptions{})
	require.NoError(t, err)
	env.Settle()
	_, err = sets.Patch(env.Context(), "web", types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"b"}}}`),
		metav1.PatchOptions{})
	require.NoError(t, err)
	_, err = client.CoreV1().ConfigMaps("default").Create(env.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "web"}, Data: map[string]string{"replicas": "3"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	env.Advance(time.Minute)
	env.Settle()
	set, err := sets.Get(env.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	require.EqualValues(t, 3, *set.Spec.Replicas, "the wish was lost")
}

// TestScaler: in the order of age all is well, and Explore finds the order in which it is not. The mended operator passes
// in all of them.
func TestScaler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wishing(t, simtest.New(t, simtest.Options{}), false)
	})
	found := simtest.Find(t, simtest.Exploration{}, func(t testing.TB, env *simtest.Env) { wishing(t, env, false) })
	require.NotNil(t, found)
	require.Contains(t, found.Detail, "the wish was lost")
	t.Log(found.Runs, found.Deviations, found.Token, "\n", found.Detail)
	require.LessOrEqual(t, found.Deviations, 2)
	simtest.Explore(t, simtest.Exploration{Runs: found.Runs + 50}, func(t testing.TB, env *simtest.Env) {
		wishing(t, env, true)
	})
}

// TestARunRepeats: a hundred runs of one seed have the same log of the turnstile, and another seed has another one.
func TestARunRepeats(t *testing.T) {
	run := func(seed uint64) (log string) {
		synctest.Test(t, func(t *testing.T) {
			env := simtest.New(t, simtest.Options{Seed: seed})
			wishing(t, env, true)
			log = env.Log() + env.Timeline()
		})
		return log
	}
	first := run(7)
	require.NotEqual(t, first, run(8))
	for i := range 99 {
		require.Equal(t, first, run(7), "run %d", i+2)
	}
}

// TestEnv: six hours pass at once, a checkpoint is gone back to, and an object has its reasons.
func TestEnv(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := simtest.New(t, simtest.Options{Kubernetes: "1.36", Nodes: 2})
		client := kubernetes.NewForConfigOrDie(env.Config())
		before := env.Checkpoint()
		_, err := client.AppsV1().StatefulSets("default").Create(env.Context(), web(2), metav1.CreateOptions{})
		require.NoError(t, err)
		require.Contains(t, env.Why("statefulset/web"), "waits: web-0 is not Running and Ready")
		begun := time.Now()
		env.Advance(6 * time.Hour)
		require.Equal(t, 6*time.Hour, time.Since(begun))
		require.Contains(t, env.Timeline(), "web-1 Ready")
		require.Contains(t, env.Why("pod/web-1"), "Ready")
		env.Restore(before)
		sets, err := client.AppsV1().StatefulSets("default").List(env.Context(), metav1.ListOptions{})
		require.NoError(t, err)
		require.Empty(t, sets.Items)
	})
}
