package advise

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// on are options of a version with times that are not drawn.
func on(t *testing.T, version string, gates map[string]bool) *Options {
	profile, err := statefulset.Gated(version, gates)
	require.NoError(t, err)
	o := usual(t)
	o.Draws, o.Plan.Profiles = 1, []statefulset.Profile{profile}
	o.Plan.Times = [3]behaviour.Delay{
		behaviour.Constant(10 * time.Second), behaviour.Constant(5 * time.Second), behaviour.Constant(20 * time.Second),
	}
	return o
}

// subjectFrom is the set of a change.
func subjectFrom(t *testing.T, old, now string, o *Options) *subject {
	in := read(t, old, now)
	frame := &stored.Frame{Options: &o.Plan, Input: in, Profile: o.Plan.Profiles[0]}
	sets, err := frame.All()
	require.NoError(t, err)
	s, why := subjectOf(frame, sets[0], in, o)
	require.Empty(t, why)
	return s
}

// TestDown: with OrderedReady and maxUnavailable 5, five old pods are deleted at once, and one new pod that is stuck keeps
// all of them away: one has the bad version, and five are down. The way back says what to do.
func TestDown(t *testing.T) {
	s := subjectFrom(t, manifest(10, ""), manifest(10, ""), on(t, "1.37", nil))
	one := s.try(setting{policy: model.OrderedReady, atOnce: &model.IntOrPercent{Value: 5}})
	s.priced(one)
	var got []string
	for i := range one.bad {
		p := one.bad[i].public()
		got = append(got, p.sentence(10)+": "+strings.Join(p.Back, "; "))
	}
	require.Equal(t, []string{
		"never becomes Ready: 1 of 10 pods, then the rollout stops; 5 of 10 pods are down until somebody acts; the way back " +
			"takes 2m15s: kubectl -n prod rollout undo statefulset/web; kubectl -n prod delete pod web-5",
		"crashes a minute after its start: 5 of 10 pods, then the rollout stops; the way back takes 2m15s: kubectl -n prod " +
			"rollout undo statefulset/web; kubectl -n prod delete pod web-9 web-8 web-7 web-6 web-5",
		"serves for five minutes and then crashes, as under load: 10 of 10 pods, nothing stops the rollout; the way back " +
			"takes 4m20s: kubectl -n prod rollout undo statefulset/web; kubectl -n prod delete pod web-9 web-8 web-7 web-6 " +
			"web-5 web-4 web-3 web-2 web-1 web-0",
	}, got)
	pods := []model.Key{{Name: "web-30"}}
	for i := 12; i >= 2; i-- {
		pods = append(pods, model.Key{Name: fmt.Sprintf("web-%d", i)})
	}
	require.Equal(t, "kubectl -n prod delete pod $(seq -f web-%.0f 30 30) $(seq -f web-%.0f 2 12)", s.deletion(pods))
}

// TestPodTime: a rollout with more pods at once leaves fewer serving, and one that is not Parallel leaves them so for
// longer.
func TestPodTime(t *testing.T) {
	a := advised(t, manifest(10, ""), on(t, "1.37", nil))
	got := map[string]string{}
	for _, c := range a.Front {
		got[c.Setting] = a.serving(c.FewestServing) + " " + c.lost() + " " + time.Duration(c.BelowAll).String()
	}
	require.Equal(t, "9 of 10 5m50s 5m50s", got["OrderedReady"])
	require.Equal(t, "6 of 10 5m50s 1m45s", got["Parallel, maxUnavailable 4"])
	require.Equal(t, "6 of 10 11m15s 4m40s", got["OrderedReady, maxUnavailable 4"])
}

// ignored is a Parallel set with a minReadySeconds that its version ignores in a rollout.
const ignored = "podManagementPolicy: Parallel, minReadySeconds: 300, " +
	"updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}},"

// TestIgnored: a version that ignores minReadySeconds in the rollout of a Parallel set is told of, no other value is
// tried for it, and OrderedReady with the same value is named.
func TestIgnored(t *testing.T) {
	for version, ignores := range map[string]bool{"1.25": true, "1.33": true, "1.34": false, "1.37": false} {
		require.Equal(t, ignores, subjectFrom(t, manifest(5, ""), manifest(5, ""), on(t, version, nil)).ignores, version)
	}
	o := on(t, "1.25", map[string]bool{"MaxUnavailableStatefulSet": true})
	a := advised(t, manifest(5, ignored), o)
	require.False(t, a.Better)
	require.Contains(t, strings.Join(a.Alarms, "\n"), "Kubernetes 1.25 ignores minReadySeconds 300 in a rollout of a Parallel set")
	var settings []string
	for _, c := range a.Front {
		settings = append(settings, c.Setting)
		require.True(t, c.trial.policy == model.OrderedReady || c.trial.minReady == 300, c.Setting)
	}
	require.Contains(t, settings, "OrderedReady, minReadySeconds 300")

	o.Within = 10 * time.Minute
	a = advised(t, manifest(5, ignored), o)
	require.Equal(t, "OrderedReady, minReadySeconds 300: [it takes 27m55s]",
		fmt.Sprintf("%s: %s", a.Rejected[0].Setting, a.Rejected[0].Because))
}

// TestTraps: each promise that a setting may break is named alike wherever it is shown, with its trap and when it
// happens; a setting that brings a trap is shown with it.
func TestTraps(t *testing.T) {
	a := advised(t, manifest(3, "podManagementPolicy: Parallel,"), on(t, "1.37", nil))
	found := false
	for _, c := range a.Front {
		for _, p := range c.Promises {
			require.True(t, p.Trap != "" || p.When != "", "%s: %s", c.Setting, p.Says)
		}
		if c.trial.minReady > 0 {
			found = true
			require.Contains(t, c.Gives, "can run into the trap young-pods", c.Setting)
			require.Contains(t, c.Promises[0].When, "while pods have been Ready for less than minReadySeconds")
		}
	}
	require.True(t, found)
}

// TestDoubts: inputs, and what is said about them beside the figures.
func TestDoubts(t *testing.T) {
	plain := manifest(4, "")
	for name, c := range map[string]struct {
		old, now string
		change   func(*Options)
		says     string
	}{
		"killed": {plain, plain, func(o *Options) { o.Plan.Times[0] = behaviour.Constant(2 * time.Minute) },
			"a stop of 2m00s is longer than the grace period of 30s: killed then"},
		"killed at times": {plain, plain, func(o *Options) { o.Plan.Times[0] = behaviour.Uniform(time.Second, time.Minute) },
			"a stop of up to 1m00s is longer than the grace period of 30s: killed then"},
		"no probe": {strings.ReplaceAll(plain, "readinessProbe", "livenessProbe"), "", nil,
			"the pods have no readiness probe: nothing waits for the application, and a pod that runs counts as serving. Nothing " +
				`stops a version that runs and does not work; "never becomes Ready" does not apply`},
		"a gate": {strings.ReplaceAll(plain, "containers:", "readinessGates: [{conditionType: a.b/Quorum}], containers:"), "", nil,
			"the pods have readiness gates (a.b/Quorum): the rollout waits until somebody sets their conditions"},
		"a partition": {plain, manifest(4, "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}},"), nil,
			"the manifest states updateStrategy.rollingUpdate.partition: each kubectl apply of it sets the partition back"},
		"only scales": {plain, manifest(6, ""), nil, "The change only scales from 4 to 6: that is no rollout. The change that " +
			"was played is a new image."},
		"another field": {plain, manifest(4, "minReadySeconds: 5,"), nil,
			"The change leaves the template as it is: that is no rollout."},
		"no version": {plain, plain, func(o *Options) { o.Assumed = true },
			"Simulated as Kubernetes 1.37; the input does not show the version of the cluster (--kubernetes VERSION sets it)."},
		"an unknown field": {plain, manifest(4, "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}},"),
			func(o *Options) { o.Plan.Profiles = on(t, "1.30", nil).Plan.Profiles },
			"Kubernetes 1.30 drops spec.updateStrategy.rollingUpdate.maxUnavailable: 2"},
		"an autoscaler": {plain + "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: auto, " +
			"namespace: prod}, spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: web}}}\n",
			"", nil, "The HorizontalPodAutoscaler auto sets the number of replicas. The partition of a canary counts from 4"},
		"an operator": {strings.ReplaceAll(plain, "namespace: prod}", "namespace: prod, ownerReferences: [{apiVersion: a.b/v1, "+
			"kind: Database, name: db, uid: u, controller: true}]}"), "", nil, "its operator writes it"},
	} {
		t.Run(name, func(t *testing.T) {
			o := on(t, "1.37", nil)
			o.Canary = true
			if c.change != nil {
				c.change(o)
			}
			if c.now == "" {
				c.now = c.old
			}
			a, err := Of(read(t, c.old, c.now), o)
			require.NoError(t, err)
			require.Contains(t, strings.Join(append(a.Alarms, a.Notes...), "\n"), c.says)
		})
	}
}

// TestScaled: a change that only scales is not played with the new image: nothing but the image is new in a rollout.
func TestScaled(t *testing.T) {
	s := subjectFrom(t, manifest(4, ""), manifest(6, ""), on(t, "1.37", nil))
	one := s.try(*s.today())
	require.Equal(t, 5, one.fewest)
	require.Equal(t, 6*35*time.Second, one.p95)
}

// TestKilled: a stop that is longer than the grace period ends with it, in each run.
func TestKilled(t *testing.T) {
	o := on(t, "1.37", nil)
	o.Plan.Times[0] = behaviour.Constant(2 * time.Minute)
	s := subjectFrom(t, manifest(3, ""), manifest(3, ""), o)
	require.Equal(t, 3*(30+5+20)*time.Second, s.try(*s.today()).p95)
	require.Equal(t, "stop: 2m00s, from --stop", s.shown[0].String())
}

// TestUnprobed: a version whose pods have no readiness probe becomes Ready whenever it runs, so one kind of bad version
// does not apply.
func TestUnprobed(t *testing.T) {
	a := advised(t, strings.ReplaceAll(manifest(3, ""), "readinessProbe", "livenessProbe"), on(t, "1.37", nil))
	require.Equal(t, "- / 3 / 3 of 3", a.Front[0].BadVersion.short(3))
}

// TestKeep: budgets say what has to be kept, and a majority is assumed only where there is none.
func TestKeep(t *testing.T) {
	budget := "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web, namespace: prod}, " +
		"spec: {%s, selector: {matchLabels: {app: web}}}}\n"
	for spec, keep := range map[string]string{
		"": "3: a majority of 4 pods", "maxUnavailable: 50%": "2: PodDisruptionBudget web", "minAvailable: 3": "3: PodDisruptionBudget web",
	} {
		old := manifest(4, "")
		if spec != "" {
			old += fmt.Sprintf(budget, spec)
		}
		s := subjectFrom(t, old, old, on(t, "1.37", nil))
		require.Equal(t, keep, fmt.Sprintf("%d: %s", s.keep.pods, s.keep.why))
	}
}

// TestMinReadies: longer values are tried where today's is long.
func TestMinReadies(t *testing.T) {
	require.Equal(t, []int32{0, 10, 60}, minReadies(&setting{}, false))
	require.Equal(t, []int32{0, 10, 60, 120, 240, 300}, minReadies(&setting{minReady: 240}, false))
	require.Equal(t, []int32{240}, minReadies(&setting{policy: model.Parallel, minReady: 240}, true))
	require.Equal(t, []int32{0}, minReadies(&setting{minReady: 240}, true))
}

// TestLateTools: a deploy tool that gives up before the rollout completes is named with its timeout, and what is enough.
func TestLateTools(t *testing.T) {
	o := on(t, "1.37", nil)
	for _, name := range []string{"helm-4", "kapp"} {
		tool, err := gate.Named(name)
		require.NoError(t, err)
		o.Gates = append(o.Gates, tool)
	}
	a := advised(t, manifest(30, ""), o)
	for _, c := range a.Front {
		if c.Today {
			require.Equal(t, []string{
				"helm-4 times out after 5m00s, before the rollout completes: --timeout 25m is enough",
				"kapp times out after 15m00s, before the rollout completes: a timeout of 25m is enough",
			}, c.gateLines())
		}
	}
	require.Positive(t, a.More)
	require.Contains(t, a.hidden(), "settings that nothing beats are not shown: --within ")
}
