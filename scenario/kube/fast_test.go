package kube

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	appsv1 "github.com/statefulsim/statefulsim/scenario/kube/api/apps/v1"
	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/api/resource"
	metav1 "github.com/statefulsim/statefulsim/scenario/kube/apimachinery/apis/meta/v1"
)

// TestNoDetour: nothing of a usual manifest is left to encoding/json, which would read the same at several times the
// price.
func TestNoDetour(t *testing.T) {
	const usual = `
metadata: {name: web, labels: {app: web}, generation: 3}
spec:
  replicas: 3
  template:
    spec:
      hostNetwork: true
      nodeSelector: {disk: ssd}
      containers:
      - {name: app, image: "app:v1", tty: false, ports: [{containerPort: 80}], resources: {requests: {cpu: 500m, memory: 1Gi}}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]
`
	var read, decoded map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(usual), &read))
	data, err := json.Marshal(read)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &decoded))
	for _, given := range []map[string]any{read, decoded} {
		var set appsv1.StatefulSet
		require.True(t, fill(reflect.ValueOf(&set).Elem(), given))
	}
}

// TestCodecs: only what writes or reads itself is left to its methods.
func TestCodecs(t *testing.T) {
	for of, want := range map[reflect.Type]bool{
		reflect.TypeFor[appsv1.StatefulSet]():          false,
		reflect.TypeFor[corev1.ResourceList]():         false,
		reflect.TypeFor[corev1.ResourceName]():         false,
		reflect.TypeFor[map[string]metav1.Time]():      false,
		reflect.TypeFor[metav1.Time]():                 true,
		reflect.TypeFor[resource.Quantity]():           true,
		reflect.TypeFor[struct{ metav1.ObjectMeta }](): false,
	} {
		require.Equal(t, want, isCodec(of), of)
	}
}
