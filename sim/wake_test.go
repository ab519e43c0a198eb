package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestCrashLoopsGoOnAfterAStep: a crash loop whose waits are the longest does not keep a run open, but what comes after
// it does: the pod is Ready after its next restart, up to five minutes later, and then the controller goes on. A step
// that changes nothing wakes nobody, and a container that is never Ready long enough has nothing to wait for.
func TestCrashLoopsGoOnAfterAStep(t *testing.T) {
	const crashes = "kubelet: {rules: [{match: {image: \"app:v2\"}, crash: 5s}]}\nsteps:\n" +
		"- create: {name: web, replicas: 1, image: \"app:v1\"}\n- setImage: {image: \"app:v2\"}\n"
	for _, c := range []struct {
		name, text string
		verdict    timeline.Verdict
		at         time.Duration
	}{
		{"nobody does anything", crashes, timeline.IsStuck, 10*time.Minute + 56*time.Second},
		{"the rollout is undone", crashes + "- undo: {}\n", timeline.Settled, 16*time.Minute + 3*time.Second},
		{"an image that is there already", crashes + "- setImage: {image: \"app:v2\"}\n", timeline.IsStuck, 10*time.Minute + 56*time.Second},
		{"it is scaled up", crashes + "- scale: {replicas: 2}\n", timeline.IsStuck, 26*time.Minute + 49*time.Second},
		{"undone with two pods that never run at the same time", "kubelet: {rules: [{match: {image: \"app:v2\"}, crash: 3s}]}\n" +
			"steps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n- setImage: {image: \"app:v2\"}\n- undo: {}\n",
			timeline.IsStuck, 20*time.Minute + 54*time.Second},
		{"undone with a pod that is never Ready", "kubelet: {ready: 6s, rules: [{match: {image: \"app:v2\"}, crash: 5s}]}\nsteps:\n" +
			"- create: {name: web, replicas: 1, image: \"app:v1\"}\n- setImage: {image: \"app:v2\"}\n- undo: {}\n",
			timeline.IsStuck, 20 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := played(t, c.text)
			require.Equal(t, c.verdict, last.Result.Verdict)
			require.Equal(t, c.at, time.Duration(last.T))
		})
	}
}
