package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestStorageClasses: a claim grows unless its StorageClass is known not to allow that, and a class says when a claim
// gets its volume. What is not known of a class is assumed.
func TestStorageClasses(t *testing.T) {
	const class = "- apply: {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast%s}, provisioner: x/y%s}\n"
	const create = "- create: {name: web, replicas: 1, image: \"app:v1\", volumeClaimTemplates: [{metadata: {name: data}, " +
		"spec: {%saccessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}\n"
	const grow = "- apply: {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-web-0}, spec: " +
		"{%saccessModes: [ReadWriteOnce], resources: {requests: {storage: %s}}}}\n"
	const named, isDefault = "storageClassName: fast, ", `, annotations: {storageclass.kubernetes.io/is-default-class: "true"}`
	const refused = "  refused: 'persistentvolumeclaims \"data-web-0\" is forbidden: only dynamically provisioned pvc can be " +
		"resized and the storageclass that provisions the pvc must support resize'\n"
	for _, c := range []struct{ name, steps string }{
		{"no class", fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "3Gi")},
		{"another class", fmt.Sprintf(class, "", "") + fmt.Sprintf(create, "storageClassName: slow, ") + fmt.Sprintf(grow, "storageClassName: slow, ", "3Gi")},
		{"one that allows it", fmt.Sprintf(class, "", ", allowVolumeExpansion: true") + fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "3Gi")},
		{"one that says nothing", fmt.Sprintf(class, "", "") + fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "3Gi") + refused},
		{"one that forbids it", fmt.Sprintf(class, "", ", allowVolumeExpansion: false") + fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "3Gi") + refused},
		{"the default one", fmt.Sprintf(class, isDefault, "") + fmt.Sprintf(create, "") + fmt.Sprintf(grow, "", "3Gi") + refused},
		{"no default one", fmt.Sprintf(class, "", "") + fmt.Sprintf(create, "") + fmt.Sprintf(grow, "", "3Gi")},
		{"the same size", fmt.Sprintf(class, "", "") + fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "1Gi")},
		{"a smaller one", fmt.Sprintf(class, "", "") + fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "500Mi") +
			"  refused: field can not be less than status.capacity\n"},
		{"one that comes later", fmt.Sprintf(create, named) + fmt.Sprintf(grow, named, "2Gi") + fmt.Sprintf(class, "", "") + fmt.Sprintf(grow, named, "3Gi") + refused},
	} {
		s, err := scenario.Parse("s.yaml", []byte("steps:\n"+c.steps), nil, scenario.Options{})
		require.NoError(t, err, c.name)
		require.Empty(t, s.Ignored, c.name)
		o := s.Run(scenario.RunOptions{})
		require.Equal(t, "settled", string(o.Result.Verdict), c.name)
		require.Empty(t, o.Failed(), c.name)
	}
	for _, mode := range []string{"Immediate", "WaitForFirstConsumer"} {
		s, err := scenario.Parse("s.yaml", []byte("steps:\n"+fmt.Sprintf(class, "", ", volumeBindingMode: "+mode)+fmt.Sprintf(create, named)), nil, scenario.Options{})
		require.NoError(t, err)
		o := s.Run(scenario.RunOptions{})
		var said strings.Builder
		for _, e := range o.Timeline {
			said.WriteString(e.Message)
		}
		require.Equal(t, mode == "Immediate", strings.Contains(said.String(), "unbound immediate"), mode)
	}
}

// TestConflictOfClaims: that the binder has written a claim when the controller does is a chance that a scenario may
// have. Then the sync fails, and the next one repeats the update.
func TestConflictOfClaims(t *testing.T) {
	const text = "faults:\n- {write: {verb: update, kind: claim}, error: Conflict, chance: 0.5, times: 3}\nsteps:\n" +
		"- create: {name: web, replicas: 3, image: \"app:v1\", persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}, " +
		"volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}\n"
	seen := map[bool]bool{}
	for seed := range uint64(8) {
		s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err)
		s.Seed = seed
		o := s.Run(scenario.RunOptions{})
		require.Equal(t, "settled", string(o.Result.Verdict))
		failed := false
		for _, e := range o.Timeline {
			failed = failed || e.Reason == "FailedUpdate" && strings.Contains(e.Message, "the object has been modified")
		}
		seen[failed] = true
	}
	require.Len(t, seen, 2)
}
