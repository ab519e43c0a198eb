package sim_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// What the controller does beyond what the documentation promises: it waits for pods to be available, where the
// documentation says Ready. Each is checked at every tick of random worlds, beside the promises of scenario/search/promise, which
// say what the documentation says; a version that breaks one of those has a waiver with a name.
//
// A promise sees the state as it was before an event and the event itself; the state is folded from the timeline.
var promises = []struct {
	name string
	// broken says how the event breaks the promise, "" if it does not.
	broken func(*state, *timeline.Event) string
}{
	{"a name has one pod at a time", func(s *state, e *timeline.Event) string {
		if e.State == timeline.Pending && s.pods[e.Pod] != nil {
			return "it is made while its namesake is still there"
		}
		return ""
	}},
	{"OrderedReady creates a pod only when all replicas below it are available", func(s *state, e *timeline.Event) string {
		if !s.ordered() || e.State != timeline.Pending {
			return ""
		}
		for i := s.set.Start(); i < s.set.OrdinalOf(e.Pod); i++ {
			if pod := s.pods[s.set.PodName(i)]; !s.available(pod) {
				return fmt.Sprintf("%s is not available", s.set.PodName(i))
			}
		}
		return ""
	}},
	{"OrderedReady scales down from the top, one pod at a time, with all replicas available", func(s *state, e *timeline.Event) string {
		if !s.ordered() || e.State != timeline.Terminating || e.Why.Code != model.CodeScaleDown {
			return ""
		}
		for name := range s.pods {
			if ordinal := s.set.OrdinalOf(name); !s.inRange(ordinal) && ordinal > s.set.OrdinalOf(e.Pod) {
				return fmt.Sprintf("%s is above it", name)
			}
		}
		for i := range int(s.set.Spec.Replicas) {
			if name := s.set.PodName(s.set.Start() + i); !s.available(s.pods[name]) {
				return fmt.Sprintf("%s is not available", name)
			}
		}
		return ""
	}},
	{"a rolling update leaves the replicas below the partition alone", func(s *state, e *timeline.Event) string {
		if e.Why.Code == model.CodeUpdateRevision && s.set.OrdinalOf(e.Pod)-s.set.Start() < s.set.Partition() {
			return fmt.Sprintf("the partition is %d", s.set.Partition())
		}
		return ""
	}},
	{"OnDelete deletes no pod for its revision", func(s *state, e *timeline.Event) string {
		if e.Why.Code == model.CodeUpdateRevision && s.set.Spec.Strategy.Type == model.OnDeleteStrategy {
			return "the strategy is OnDelete"
		}
		return ""
	}},
}

// state is what a promise is judged by.
type state struct {
	set  *model.StatefulSet
	now  model.Time
	pods map[string]*podState
}

type podState struct {
	ready, terminating bool
	since              model.Time
}

func (s *state) ordered() bool { return s.set.Spec.PodManagement == model.OrderedReady }

func (s *state) inRange(ordinal int) bool {
	return ordinal >= s.set.Start() && ordinal < s.set.Start()+int(s.set.Spec.Replicas)
}

func (s *state) available(pod *podState) bool {
	return pod != nil && pod.ready && !pod.terminating &&
		pod.since.Add(time.Duration(s.set.Spec.MinReadySeconds)*time.Second) <= s.now
}

// apply folds one event into the state.
func (s *state) apply(e *timeline.Event) {
	if e.Kind == timeline.KindStep && len(e.Step.Sets) > 0 {
		s.set = e.Step.Sets[0]
	}
	if e.Kind != timeline.KindPod {
		return
	}
	pod := s.pods[e.Pod]
	switch e.State {
	case timeline.Pending:
		s.pods[e.Pod] = &podState{}
	case timeline.Ready:
		pod.ready, pod.since = true, e.T
	case timeline.Unready, timeline.Failed, timeline.Succeeded:
		pod.ready = false
	case timeline.Terminating:
		pod.terminating = true
	case timeline.Gone:
		delete(s.pods, e.Pod)
	}
}

// witness checks the promises while a world runs.
type witness struct {
	t       require.TestingT
	state   state
	next    int
	version string
	// gate says whether maxUnavailable is on.
	gate  bool
	judge *promise.Judge
	// told counts the breaches that have been looked at, waived those that have a waiver, by its name.
	told   int
	waived map[string]int
}

func newWitness(t require.TestingT, version string, gate bool) *witness {
	return &witness{
		t: t, state: state{pods: map[string]*podState{}}, version: version, gate: gate, waived: map[string]int{},
		judge: promise.NewJudge(promise.Options{Names: whatever, MaxUnavailable: gate}),
	}
}

func (o *witness) watch(w *sim.World) {
	for ; o.next < len(w.Events()); o.next++ {
		e := &w.Events()[o.next]
		o.state.now = e.T
		if e.Kind == timeline.KindPod && o.state.set != nil {
			for _, p := range promises {
				if broken := p.broken(&o.state, e); broken != "" {
					require.Fail(o.t, p.name, "at %ss %s becomes %s (%s): %s", e.T.Seconds(), e.Pod, e.State, e.Why.Code, broken)
				}
			}
		}
		o.state.apply(e)
		o.judge.See(e)
	}
	o.excuse()
	for _, set := range w.Sets() {
		o.recount(w, set)
	}
}

// excuse wants a waiver for each breach of a promise.
func (o *witness) excuse() {
	breaches := o.judge.Breaches()
	for ; o.told < len(breaches); o.told++ {
		b := &breaches[o.told]
		waiver := promise.WaiverOf(b, o.version)
		if waiver == nil && !o.gate {
			// Without maxUnavailable 1.37 updates as 1.36 does, which may take a second pod down after a second change.
			waiver = promise.WaiverOf(b, "1.36")
		}
		require.NotNil(o.t, waiver, "%s: at %ss %s", b.Class(), b.At.Seconds(), b.Says)
		o.waived[waiver.Name]++
	}
}

// recount checks that at a fixed point the status is what a count of the pods gives.
func (o *witness) recount(w *sim.World, set *model.StatefulSet) {
	view := w.View(set.Key())
	if view == nil || set.Status.UpdateRevision == "" {
		return
	}
	tally := view.Tally(set.Status.CurrentRevision, set.Status.UpdateRevision, true)
	status := model.Tally{
		Replicas: set.Status.Replicas, Ready: set.Status.Ready, Available: set.Status.Available,
		Current: set.Status.Current, Updated: set.Status.Updated,
	}
	require.Equal(o.t, tally, status, "at a fixed point the status is a recount, at %ss", w.Now().Seconds())
	require.Equal(o.t, set.Generation, set.Status.ObservedGeneration)
}

// whatever are the promises that are kept whatever people do. That a set arrives is not one of them: people use images
// that do not work.
var whatever = []promise.Name{
	promise.OnePodAName, promise.OrderedStart, promise.OrderedStop, promise.UpdateFromTheTop, promise.PartitionKept,
	promise.OnDeleteUntouched, promise.KeepsServing, promise.HistoryKept, promise.StatusCounts,
	promise.CompleteWhenReady, promise.NoDoubleDelete,
}

// TestPromises makes random worlds and holds them to the promises.
func TestPromises(t *testing.T) {
	verdicts, waived := map[timeline.Verdict]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom([]string{"1.36", "1.37"}).Draw(t, "version")
		gate := rapid.Bool().Draw(t, "gate")
		profile, err := statefulset.Lookup(version)
		require.NoError(t, err)
		profile, err = profile.WithGates(map[string]bool{"MaxUnavailableStatefulSet": gate})
		require.NoError(t, err)
		o := newWitness(t, version, gate)
		o.waived = waived
		set := randomSet(t)
		w := sim.New(sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: randomKubelet(t),
			Until: time.Hour, MaxEvents: 20_000, Watch: o.watch,
		})
		events := w.Run(append([]sim.Step{creating(set)}, randomSteps(t, set)...))
		verdict := events[len(events)-1].Result.Verdict
		verdicts[verdict]++
		if verdict == timeline.Settled || verdict == timeline.IsStuck {
			before := len(w.Events())
			w.Resync()
			require.Empty(t, written(w.Events()[before:]), "a settled world is at a fixed point")
		}
	})
	t.Log(verdicts, waived)
	requireMet(t, waived["young-pods"], "1.37 deletes more pods than maxUnavailable allows")
	requireMet(t, verdicts[timeline.Settled], "settled")
	requireMet(t, verdicts[timeline.IsStuck], "stuck")
}

// requireMet holds a test to having met something in its worlds, so that its promises are not empty. Only where there are
// many worlds: with few of them, chance decides.
func requireMet(t *testing.T, times int, what string) {
	if checks, ok := flag.Lookup("rapid.checks").Value.(flag.Getter).Get().(int); ok && checks >= 1000 {
		require.NotZero(t, times, "no world met this: %s", what)
	}
}

// written leaves out what is only told about a sync, and keeps what it did.
func written(events []timeline.Event) []timeline.Event {
	var kept []timeline.Event
	for _, e := range events {
		if e.Kind != timeline.KindSync && e.Kind != timeline.KindK8sEvent {
			kept = append(kept, e)
		}
	}
	return kept
}

func randomKubelet(t *rapid.T) behaviour.Behaviour {
	delay := func(name string) behaviour.Delay {
		return behaviour.Constant(time.Duration(rapid.SampledFrom([]int{0, 0, 500, 1000, 3000}).Draw(t, name)) * time.Millisecond)
	}
	b := behaviour.Behaviour{
		Default: behaviour.Times{Schedule: delay("schedule"), Start: delay("start"), Ready: delay("ready"), Stop: delay("stop")},
		Rules: []behaviour.Rule{
			{Match: behaviour.Match{Image: "app:broken"}, Times: behaviour.Times{Start: behaviour.Never}},
			{Match: behaviour.Match{Image: "app:unready"}, Times: behaviour.Times{Ready: behaviour.Never}},
		},
	}
	if rapid.Bool().Draw(t, "slow") {
		ordinal := rapid.IntRange(0, 6).Draw(t, "slow ordinal")
		b.Rules = append(b.Rules, behaviour.Rule{
			Match: behaviour.Match{Ordinal: &ordinal}, Times: behaviour.Times{Ready: behaviour.Constant(9 * time.Second)},
		})
	}
	if rapid.Bool().Draw(t, "fails once") {
		nth := rapid.IntRange(1, 2).Draw(t, "nth")
		b.Rules = append(b.Rules, behaviour.Rule{
			Match: behaviour.Match{Nth: &nth, Pod: "web-[13]"}, Times: behaviour.Times{Fail: behaviour.Constant(2 * time.Second)},
		})
	}
	randomContainers(t, &b, delay)
	return b
}

// randomContainers lets containers crash, images be hard to get, readiness depend on others, and times come from the
// manifest.
func randomContainers(t *rapid.T, b *behaviour.Behaviour, delay func(string) behaviour.Delay) {
	if rapid.Bool().Draw(t, "crashes") {
		times := behaviour.Times{Crash: delay("crash"), Crashes: rapid.IntRange(0, 3).Draw(t, "times")}
		b.Rules = append([]behaviour.Rule{{Match: behaviour.Match{Pod: "web-[04]", Image: "app:v[12]"}, Times: times}}, b.Rules...)
	}
	if rapid.Bool().Draw(t, "pull") {
		b.Rules = append([]behaviour.Rule{{
			Match: behaviour.Match{Image: "app:v3"},
			Times: behaviour.Times{Pull: &behaviour.Pull{Takes: delay("takes"), Fails: rapid.IntRange(-1, 3).Draw(t, "fails")}},
		}}, b.Rules...)
	}
	if rapid.IntRange(0, 3).Draw(t, "quorum") == 3 {
		b.Default.GiveUp = behaviour.Constant(5 * time.Second)
		b.Default.When = &behaviour.Condition{Lose: behaviour.Constant(time.Second), Holds: twoUp}
	}
	if rapid.IntRange(0, 3).Draw(t, "probes") == 3 {
		b.Probes = &behaviour.Probes{Phase: delay("phase")}
		b.Default.Healthy, b.Default.PreStop = delay("healthy"), delay("preStop")
	}
}

func twoUp(world *timeline.Fold, key model.Key, _ string, _ behaviour.Pay) (bool, error) {
	up := 0
	if set := world.Set(key); set != nil {
		for pod := range set.Pods.All {
			if pod.Up() {
				up++
			}
		}
	}
	return up >= 2, nil
}

// lifecycle is that of a pod with an init container and a sidecar, whose probes are short enough to fail.
var lifecycle = &model.Lifecycle{
	Init: []model.ContainerSpec{
		{Name: "init"},
		{Name: "sidecar", Sidecar: true, Startup: &model.Probe{Period: time.Second, Failures: 2, Successes: 1}},
	},
	Containers: []model.ContainerSpec{{
		Name: "app", PreStop: &model.PreStop{},
		Liveness:  &model.Probe{Period: time.Second, Failures: 2, Successes: 1},
		Readiness: &model.Probe{Period: 2 * time.Second, Failures: 1, Successes: 2},
	}},
}

var images = []string{"app:v1", "app:v2", "app:v3", "app:broken", "app:unready"}

func template(image string) *model.Template {
	return &model.Template{
		Data: image, Labels: map[string]string{"app": "web"}, Grace: 30 * time.Second,
		Containers: []model.Container{{Name: "app", Image: image}}, Lifecycle: lifecycle,
	}
}

func randomSet(t *rapid.T) *model.StatefulSet {
	return &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas:             int32(rapid.IntRange(1, 7).Draw(t, "replicas")),
			Selector:             model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template:             template("app:v1"),
			ServiceName:          "web",
			PodManagement:        rapid.SampledFrom([]model.PodManagement{model.OrderedReady, model.Parallel}).Draw(t, "policy"),
			Strategy:             randomStrategy(t),
			RevisionHistoryLimit: int32(rapid.IntRange(-1, 2).Draw(t, "history")),
			MinReadySeconds:      int32(rapid.SampledFrom([]int{0, 0, 0, 2, 7}).Draw(t, "minReadySeconds")),
		},
	}
}

func randomStrategy(t *rapid.T) model.Strategy {
	switch rapid.IntRange(0, 4).Draw(t, "strategy") {
	case 0:
		return model.Strategy{Type: model.OnDeleteStrategy}
	case 1:
		return model.Strategy{}
	}
	block := &model.RollingUpdate{Partition: int32(rapid.SampledFrom([]int{0, 0, 1, 3, 8}).Draw(t, "partition"))}
	switch rapid.IntRange(0, 2).Draw(t, "maxUnavailable") {
	case 0:
		block.MaxUnavailable = &model.IntOrPercent{Value: int32(rapid.IntRange(1, 4).Draw(t, "max"))}
	case 1:
		block.MaxUnavailable = &model.IntOrPercent{Value: int32(rapid.IntRange(1, 100).Draw(t, "max%")), Percent: true}
	}
	return model.Strategy{RollingUpdate: block}
}

func creating(set *model.StatefulSet) sim.Step {
	return sim.Step{Number: 1, Verb: "create", Act: func(u *sim.User) sim.Outcome {
		stored, err := u.Create(set)
		return outcome(stored, err)
	}}
}

func outcome(stored *model.StatefulSet, err *model.APIError) sim.Outcome {
	if err != nil {
		return sim.Outcome{Err: err}
	}
	return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
}

func randomSteps(t *rapid.T, set *model.StatefulSet) []sim.Step {
	steps := make([]sim.Step, rapid.IntRange(0, 8).Draw(t, "steps"))
	for i := range steps {
		steps[i] = sim.Step{Number: i + 2, Act: randomAct(t, set.Key())}
		if rapid.Bool().Draw(t, "timed") {
			steps[i].When = sim.When{Trigger: sim.After, D: time.Duration(rapid.SampledFrom([]int{0, 200, 1000, 2500, 6000}).Draw(t, "after")) * time.Millisecond}
		}
	}
	return steps
}

// randomAct draws what a user does: a change of the spec, or something that happens to a pod.
func randomAct(t *rapid.T, key model.Key) func(*sim.User) sim.Outcome {
	pod := model.Key{Namespace: key.Namespace, Name: fmt.Sprintf("web-%d", rapid.IntRange(0, 7).Draw(t, "pod"))}
	change := func(edit func(*model.Spec)) func(*sim.User) sim.Outcome {
		return func(u *sim.User) sim.Outcome {
			next := *u.Set(key)
			edit(&next.Spec)
			return outcome(u.Update(&next))
		}
	}
	switch rapid.IntRange(0, 9).Draw(t, "act") {
	case 0, 1:
		replicas := int32(rapid.IntRange(0, 7).Draw(t, "replicas"))
		return change(func(s *model.Spec) { s.Replicas = replicas })
	case 2, 3, 4:
		image := rapid.SampledFrom(images).Draw(t, "image")
		return change(func(s *model.Spec) { s.Template = template(image) })
	case 5:
		strategy := randomStrategy(t)
		return change(func(s *model.Spec) { s.Strategy = strategy })
	case 6:
		start := int32(rapid.IntRange(0, 4).Draw(t, "start"))
		return change(func(s *model.Spec) { s.Ordinals = &model.Ordinals{Start: start} })
	case 7:
		return func(u *sim.User) sim.Outcome { u.DeletePod(pod, false); return sim.Outcome{} }
	case 8:
		return func(u *sim.User) sim.Outcome { u.FailPod(pod, "Evicted"); return sim.Outcome{} }
	default:
		d := time.Duration(rapid.IntRange(0, 5).Draw(t, "for")) * time.Second
		return func(u *sim.User) sim.Outcome { u.UnreadyPod(pod, d); return sim.Outcome{} }
	}
}
