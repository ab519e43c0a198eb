package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// counting is a controller that counts its syncs.
type counting struct {
	model.Controller
	syncs int
}

func (c *counting) Sync(view model.View, calls model.Calls) model.Result {
	c.syncs++
	return c.Controller.Sync(view, calls)
}

// onceOdd answers one question otherwise than the plain run, as the runs of a search do, and counts what it is asked.
type onceOdd struct{ asked, at int }

func (o *onceOdd) Choose(_ choose.Kind, n int) int {
	if n == 1 {
		return 0
	}
	if o.asked++; o.asked == o.at {
		return n - 1
	}
	return 0
}

func (o *onceOdd) Asked() int { return o.asked }

// TestHasty plays random scenarios of sets that easily come to the hot loop of 1.37, hastily and not: the timelines and
// the results are the same. A fault may end the loop in its middle, at a write that would be among those that are passed
// over.
func TestHasty(t *testing.T) {
	short, long, ended := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tr := randomTrouble(t)
		tr.version, tr.gate, tr.faults = "1.37", true, nil
		tr.set.Spec.PodManagement, tr.set.Spec.Strategy = model.Parallel, model.Strategy{}
		tr.set.Spec.Replicas = int32(rapid.SampledFrom([]int{2, 3, 4, 5, 6, 101, 130}).Draw(t, "pods"))
		if rapid.IntRange(0, 9).Draw(t, "takes time") > 0 {
			tr.machinery = sim.Machinery{}
		}
		if rapid.IntRange(0, 3).Draw(t, "a fault") == 0 {
			creates := &sim.WriteMatch{Verbs: []model.Verb{model.Create}, Nth: rapid.IntRange(1, 1500).Draw(t, "nth")}
			tr.faults = []sim.Fault{{Number: 1, Times: 1, Write: creates, Act: func(u *sim.User) sim.Outcome {
				next := *u.Set(tr.set.Key())
				next.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
				return outcome(u.Update(&next))
			}}}
		}
		unready := sim.Step{Number: 2, Act: func(u *sim.User) sim.Outcome {
			u.UnreadyPod(model.Key{Namespace: "default", Name: "web-0"}, 0)
			return sim.Outcome{}
		}}
		image := sim.Step{Number: 3, When: sim.When{Trigger: sim.After, D: time.Second}, Act: func(u *sim.User) sim.Outcome {
			next := *u.Set(tr.set.Key())
			next.Spec.Template = template("app:v2")
			return outcome(u.Update(&next))
		}}
		tr.steps = append([]sim.Step{unready, image}, tr.steps...)
		odd := rapid.IntRange(0, 300).Draw(t, "the question that is answered otherwise")
		var timelines [2][]timeline.Event
		var syncs [2]int
		for i, hasty := range []bool{false, true} {
			config := tr.config(t)
			if config.Chooser, config.Hasty = nil, hasty; odd > 0 {
				config.Chooser = &onceOdd{at: odd}
			}
			profile, err := statefulset.Lookup(tr.version)
			require.NoError(t, err)
			controller := &counting{Controller: statefulset.New(profile)}
			config.Controller = controller
			timelines[i] = sim.New(config).Run(append([]sim.Step{creating(tr.set)}, tr.steps...))
			syncs[i] = controller.syncs
		}
		require.Equal(t, timelines[0], timelines[1])
		switch result := timelines[0][len(timelines[0])-1].Result; {
		case result.Verdict == timeline.Livelock && syncs[1] < syncs[0]-500:
			short++
		case result.Verdict == timeline.Livelock:
			long++
		case len(tr.faults) > 0 && syncs[0] > 100:
			ended++
		}
	})
	t.Logf("%d livelocks passed over, %d played; %d that a fault may have ended", short, long, ended)
	require.Greater(t, short, long, "most of a livelock is passed over, unless something grows in it")
}
