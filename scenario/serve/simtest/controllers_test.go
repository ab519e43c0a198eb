package simtest_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/statefulsim/statefulsim/scenario/serve/simtest"
)

// TestControllers: a test names the controllers that act. Without that of StatefulSets none of their pods is created.
func TestControllers(t *testing.T) {
	for controllers, want := range map[string]int{"": 1, "all": 1, "statefulset,job": 1, "deployment": 0, "none": 0} {
		synctest.Test(t, func(t *testing.T) {
			env := simtest.New(t, simtest.Options{Controllers: controllers})
			client := kubernetes.NewForConfigOrDie(env.Config())
			labels := map[string]string{"app": "web"}
			_, err := client.AppsV1().StatefulSets("default").Create(t.Context(), &appsv1.StatefulSet{
				ObjectMeta: metav1.ObjectMeta{Name: "web"},
				Spec: appsv1.StatefulSetSpec{ServiceName: "web", Selector: &metav1.LabelSelector{MatchLabels: labels},
					Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels},
						Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "app:1"}}}}},
			}, metav1.CreateOptions{})
			require.NoError(t, err)
			env.Settle()
			list, err := client.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
			require.NoError(t, err)
			require.Len(t, list.Items, want, controllers)
		})
	}
}
