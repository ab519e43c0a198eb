package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// claimedSet is a set of three with claims and a retention policy.
func claimedSet(policy model.Retention) *model.StatefulSet {
	return &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas:       3,
			Selector:       model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template:       template("app:v1"),
			ServiceName:    "web",
			PodManagement:  model.Parallel,
			Strategy:       model.Strategy{RollingUpdate: &model.RollingUpdate{}},
			ClaimTemplates: []model.ClaimTemplate{dataTemplate},
			Retention:      &policy,
		},
	}
}

// collected plays the deletion of a set whose claims go with it, and tells what the collector does, in order.
func collected(t *testing.T, delay behaviour.Delay, cascade sim.DeletionPolicy, chooser choose.Chooser) []string {
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	second := behaviour.Constant(time.Second)
	times := behaviour.Times{Schedule: behaviour.Constant(0), Start: second, Ready: second, Stop: second}
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), Chooser: chooser,
		Kubelet:   behaviour.Behaviour{Default: times},
		Collector: sim.Collector{Delay: delay},
	})
	events := w.Run([]sim.Step{
		creating(claimedSet(model.Retention{DeleteWithSet: true})),
		{Number: 2, Act: func(u *sim.User) sim.Outcome { return deleting(u, cascade) }},
	})
	require.Equal(t, timeline.Settled, events[len(events)-1].Result.Verdict)
	var acts []string
	for _, e := range events {
		if e.Actor != timeline.APIServer || e.T < 2e9 {
			continue
		}
		switch {
		case e.Kind == timeline.KindPod:
			acts = append(acts, fmt.Sprintf("%s %s %s", e.T.Seconds(), e.Pod, e.State))
		case e.Claim != nil && e.Claim.Type == model.Deleted:
			acts = append(acts, fmt.Sprintf("%s %s gone", e.T.Seconds(), e.Claim.Name))
		case e.Claim != nil:
			acts = append(acts, fmt.Sprintf("%s %s %s %v", e.T.Seconds(), e.Claim.Name, e.Claim.Phase, e.Claim.Owners))
		case e.Rev != nil:
			acts = append(acts, fmt.Sprintf("%s revision %d", e.T.Seconds(), e.Rev.Type))
		case e.Kind == timeline.KindStatus:
			acts = append(acts, e.T.Seconds()+" set gone")
		}
	}
	return acts
}

func TestTheCollectorTakesTheDependentsInOrderWhenDull(t *testing.T) {
	require.Equal(t, []string{
		"2 revision 3", "2 web-0 Terminating", "2 web-1 Terminating", "2 web-2 Terminating",
		"2 data-web-0 Terminating [StatefulSet/web]", "2 data-web-1 Terminating [StatefulSet/web]",
		"2 data-web-2 Terminating [StatefulSet/web]",
		"3 data-web-0 gone", "3 data-web-1 gone", "3 data-web-2 gone",
	}, collected(t, nil, sim.Background, nil))
}

func TestTheCollectorActsAfterItsDelay(t *testing.T) {
	require.Equal(t, []string{
		"2.25 revision 3", "2.25 web-0 Terminating", "2.25 web-1 Terminating", "2.25 web-2 Terminating",
		"2.25 data-web-0 Terminating [StatefulSet/web]", "2.25 data-web-1 Terminating [StatefulSet/web]",
		"2.25 data-web-2 Terminating [StatefulSet/web]",
		"3.25 data-web-0 gone", "3.25 data-web-1 gone", "3.25 data-web-2 gone", "3.5 revision 3", "3.5 set gone",
	}, collected(t, behaviour.Constant(250*time.Millisecond), sim.Foreground, nil))
}

func TestTheCollectorsOrderIsAChoice(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(60) {
		acts := collected(t, nil, sim.Background, choose.Sweep(seed))
		require.Len(t, acts, 10)
		orders[acts[0]] = true
	}
	require.Len(t, orders, 7, "each of the seven dependents comes first now and then")
}

func TestOrphansKeepTheirClaims(t *testing.T) {
	for _, delay := range []behaviour.Delay{nil, behaviour.Constant(0), behaviour.Constant(time.Second)} {
		acts := collected(t, delay, sim.Orphan, nil)
		for _, act := range acts {
			require.NotContains(t, act, timeline.PhaseTerminating)
			require.NotContains(t, act, "data-web-0 gone")
		}
		require.NotEmpty(t, acts)
	}
}

func TestACollectorThatNeverComesLeavesEverything(t *testing.T) {
	require.Empty(t, collected(t, behaviour.Never, sim.Background, nil))
}
