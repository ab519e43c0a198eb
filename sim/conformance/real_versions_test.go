//go:build real

package conformance_test

import (
	"os"
	"strings"
	"testing"

	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/conformance"
	profiles "github.com/statefulsim/statefulsim/sim/statefulset"
)

// Version is the version of Kubernetes that is compiled in.
type Version struct {
	// Kubernetes is the version as sim/statefulset looks it up: MINOR or MINOR.PATCH.
	Kubernetes string
	// Crashes says whether the real code of the version may crash in a sync with a nil pointer. There is nothing to
	// agree with if it does. Anywhere else a crash fails the test.
	Crashes func(profiles.Profile, model.View) bool
}

// crashes are the versions that may crash, and where.
var crashes = map[string]func(profiles.Profile, model.View) bool{
	"1.22": CrashOfScaleDown,
	"1.24": CrashWithoutPolicy,
}

// tested returns the version that is compiled in. Its name is that of its file in versions: v1_36, for example.
func tested(t *testing.T) Version {
	t.Helper()
	name := os.Getenv("CONFORMANCE_VERSION")
	if name == "" {
		t.Fatal("CONFORMANCE_VERSION is not set: .ci/tasks/conformance sets it, with -modfile and -tags")
	}
	kubernetes := strings.ReplaceAll(strings.TrimPrefix(name, "v"), "_", ".")
	return Version{Kubernetes: kubernetes, Crashes: crashes[kubernetes]}
}

// earlier is the folder of the disagreements that were found earlier.
func (v Version) earlier() string { return "testdata/earlier/" + v.Kubernetes }

// newSync builds the sync of the real controller.
func newSync(m Machinery) Sync {
	c := &statefulset.StatefulSetController{}
	Assemble(c, m, newControl(m), controller.RealPodControl{KubeClient: m.Client, Recorder: m.Recorder})
	return func(key string) error { return conformance.SyncSet(c, key) }
}
