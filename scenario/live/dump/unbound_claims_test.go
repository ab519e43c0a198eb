package dump

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestStorageClasses: the StorageClasses of a dump say why a claim has no volume. Without any nothing is known of them,
// and a class of static volumes need not exist.
func TestStorageClasses(t *testing.T) {
	const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-web-0, namespace: default, creationTimestamp: " +
		"\"2026-01-01T10:00:00Z\", finalizers: [kubernetes.io/pvc-protection]}\nspec: {accessModes: [ReadWriteOnce], " +
		"storageClassName: %s, resources: {requests: {storage: 1Gi}}}\nstatus: {phase: Pending}\n---\n"
	const class = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: %s}\nprovisioner: %s\nvolumeBindingMode: %s\n---\n"
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web-0, namespace: default, uid: u, creationTimestamp: \"2026-01-01T10:00:00Z\"}\n" +
		"spec: {containers: [{name: a, image: b}], volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-0}}]}\n" +
		"status: {phase: Pending}\n"
	const volume = "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v, uid: v}\nspec: {storageClassName: fast, capacity: {storage: 1Gi}}\n" +
		"status: {phase: Available}\n---\n"
	for _, c := range []struct{ name, dump, noClass, says string }{
		{"no classes", fmt.Sprintf(claim, "fast"), "", "no PVC in the dump has a volume of its storage class fast, which may not exist"},
		{"another one", fmt.Sprintf(claim, "fast") + fmt.Sprintf(class, "slow", "x/y", "Immediate"), "fast", "its storage class fast does not exist"},
		{"another one, and a static volume", fmt.Sprintf(claim, "fast") + volume + fmt.Sprintf(class, "slow", "x/y", "Immediate"), "",
			"its storage class fast makes no volumes (kubernetes.io/no-provisioner): somebody has to create a PersistentVolume of it"},
		{"the class", fmt.Sprintf(claim, "fast") + fmt.Sprintf(class, "fast", "x/y", "Immediate"), "", "no PVC in the dump has a volume of its storage class fast"},
		{"one without a provisioner", fmt.Sprintf(claim, "fast") + fmt.Sprintf(class, "fast", "kubernetes.io/no-provisioner", "Immediate"), "",
			"its storage class fast makes no volumes (kubernetes.io/no-provisioner)"},
		{"of another group", fmt.Sprintf(claim, "fast") + "apiVersion: acme.io/v1\nkind: StorageClass\nmetadata: {name: slow}\n---\n", "", "no PVC in the dump"},
	} {
		d, err := Read([]Source{{Name: "d.yaml", Data: []byte(c.dump + pod)}}, Options{})
		require.NoError(t, err, c.name)
		found := d.Claim(model.Key{Namespace: "default", Name: "data-web-0"})
		require.Equal(t, c.noClass, d.NoClass(found), c.name)
		require.Contains(t, d.WaitingFor(found), c.says, c.name)
		if c.name == "the class" {
			require.NotContains(t, d.WaitingFor(found), "may not exist")
		}
	}
}
