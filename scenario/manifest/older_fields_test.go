package manifest

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// TestPodFields: the API that is linked has all fields that older versions drop, under these names.
func TestPodFields(t *testing.T) {
	for i := range podFields {
		_, found := podFields[i].field()
		require.True(t, found, "%T has no field %s", podFields[i].of, podFields[i].name)
	}
}

// TestOlderIsRare: nothing of an ordinary template was dropped by an older version, so nothing is looked for in it.
// The image of a container is no volume.
func TestOlderIsRare(t *testing.T) {
	container := corev1.Container{Name: "app", Image: "app:v1"}
	template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
	defaultPodTemplate(template)
	require.Empty(t, changesOf(template, string(sortedJSON(template))))
	image := &corev1.ImageVolumeSource{Reference: "data:v1"}
	template.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{Image: image}}}
	require.Equal(t, []int{imageKnown, imageKept}, changesOf(template, string(sortedJSON(template))))
}
