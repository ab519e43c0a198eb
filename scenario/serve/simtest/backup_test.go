package simtest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/statefulsim/statefulsim/scenario/serve/simtest"
)

// backup makes one ConfigMap, a backup, for the set web once it is complete. Its bug is a common one too: it asks its
// cache whether there is a backup, and its cache may not have seen the one that it has just made. mended gives the backup
// a name of its own, so that the API server refuses a second one.
func backup(ctx context.Context, config *rest.Config, mended bool) {
	client := kubernetes.NewForConfigOrDie(config)
	factory := informers.NewSharedInformerFactory(client, 0)
	sets, pods, maps := factory.Apps().V1().StatefulSets(), factory.Core().V1().Pods(), factory.Core().V1().ConfigMaps()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	any := cache.ResourceEventHandlerFuncs{AddFunc: func(any) { queue.Add("web") },
		UpdateFunc: func(any, any) { queue.Add("web") }}
	sets.Informer().AddEventHandler(any)
	pods.Informer().AddEventHandler(any)
	maps.Informer()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	context.AfterFunc(ctx, queue.ShutDown)
	made := labels.SelectorFromSet(labels.Set{"backup-of": "web"})
	for {
		key, down := queue.Get()
		if down {
			factory.Shutdown()
			return
		}
		set, err := sets.Lister().StatefulSets("default").Get("web")
		if existing, _ := maps.Lister().List(made); err == nil && set.Status.ReadyReplicas == *set.Spec.Replicas &&
			len(existing) == 0 {
			one := metav1.ObjectMeta{GenerateName: "backup-", Labels: map[string]string{"backup-of": "web"}}
			if mended {
				one.GenerateName, one.Name = "", "backup-web"
			}
			_, _ = client.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: one}, metav1.CreateOptions{})
		}
		queue.Done(key)
	}
}

// backingUp creates a set and counts its backups.
func backingUp(t testing.TB, env *simtest.Env, mended bool) {
	go backup(env.Context(), env.Config(), mended)
	client := kubernetes.NewForConfigOrDie(env.Config())
	_, err := client.AppsV1().StatefulSets("default").Create(env.Context(), web(1), metav1.CreateOptions{})
	require.NoError(t, err)
	env.Advance(time.Minute)
	made, err := client.CoreV1().ConfigMaps("default").List(env.Context(), metav1.ListOptions{LabelSelector: "backup-of=web"})
	require.NoError(t, err)
	require.Len(t, made.Items, 1, "a set has one backup")
}

// TestBackup: in the order of age there is one backup, and Explore finds the order in which there are two.
func TestBackup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { backingUp(t, simtest.New(t, simtest.Options{}), false) })
	found := simtest.Find(t, simtest.Exploration{}, func(t testing.TB, env *simtest.Env) { backingUp(t, env, false) })
	require.NotNil(t, found)
	require.Contains(t, found.Detail, "a set has one backup")
	require.LessOrEqual(t, found.Deviations, 2)
	t.Log(found.Runs, found.Deviations, found.Token)
	simtest.Explore(t, simtest.Exploration{Runs: found.Runs + 20}, func(t testing.TB, env *simtest.Env) {
		backingUp(t, env, true)
	})
}
