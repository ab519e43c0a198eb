package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestBesides: of the pods that a set does not wait for yet those are named whose containers do not run, together with
// the others that have the same reason.
func TestBesides(t *testing.T) {
	of := &Set{StuckOn: "web-0", Now: &timeline.Set{}, Stuck: []timeline.Stuck{{Why: model.Why{Object: "web-1"}}}}
	d := &dump.Dump{State: &sim.State{}, Facts: map[model.Key]*dump.Facts{}}
	for name, waiting := range map[string]string{
		"web-0": "Error", "web-1": "Error", "web-2": "CrashLoopBackOff", "web-3": "", "web-4": "ErrImagePull", "web-5": "CrashLoopBackOff",
	} {
		d.Facts[model.Key{Namespace: "prod", Name: name}] = &dump.Facts{Waiting: waiting}
	}
	for _, name := range []string{"web-0", "web-1", "web-2", "web-3", "web-4", "web-5", "web-6"} {
		of.Now.Pods.Put(&timeline.Pod{Name: name})
	}
	facts := (&evidence{Index: d.Index(), key: model.Key{Namespace: "prod"}}).besides(of)
	require.Equal(t, []string{"web-2, web-5 do not serve either: CrashLoopBackOff.", "web-4 does not serve either: ErrImagePull."}, facts)
}

// TestKeptClaims: of a pod that does not exist the claims are named that somebody keeps although they are being
// deleted.
func TestKeptClaims(t *testing.T) {
	claim := func(name string, deletion *model.Deletion, finalizers ...string) *model.Claim {
		return &model.Claim{Meta: model.Meta{Namespace: "prod", Name: name, Deletion: deletion, Finalizers: finalizers}}
	}
	gone := &model.Deletion{}
	d := &dump.Dump{State: &sim.State{Claims: []*model.Claim{
		claim("data-web-0", gone, "a", "kubernetes.io/pvc-protection", "b"), claim("logs-web-0", nil, "a"),
		claim("data-web-1", gone, "a"), claim("tmp-web-0", gone, "kubernetes.io/pvc-protection"),
	}}}
	require.Equal(t, []string{"web-0 does not exist.",
		"Its PVC data-web-0 is being deleted, and a and b keep it. Whoever has set that removes it when its work is done."},
		shownOf("web-0", "prod", d))
	require.Equal(t, []string{"web-0 does not exist."}, shownOf("web-0", "other", d))
}
