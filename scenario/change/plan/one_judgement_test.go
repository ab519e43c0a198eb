package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestOneJudgement: of each recorded dump, sim explain and a plan in which nothing changes say the same of every set, and
// what is said with certainty is what the control plane then did.
func TestOneJudgement(t *testing.T) {
	compared, certain, fixes := 0, 0, 0
	forEachDump(t, func(name string, data []byte, truth *dumpTruth) {
		after := changed(t, data, "", "")
		if after == "" {
			return
		}
		plan := planDump(t, truth, data, after)
		d, err := dump.Read([]dump.Source{{Name: name, Data: data}}, dump.Options{})
		require.NoError(t, err)
		o := plan.world.Options
		profile := o.Profiles[0]
		given := behaviour.Times{Stop: o.Times[recording.Stop], Start: o.Times[recording.Start], Ready: o.Times[recording.Ready]}
		dumped := explain.Begin(d, &play.Lab{Profile: profile, World: d.Begin(sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: behaviour.Behaviour{Default: given},
		})}, "").All(nil)
		states, takes := map[model.Key]judge.State{}, map[string]time.Duration{}
		for _, s := range dumped.Sets {
			states[s.Key()] = s.State
			for _, way := range s.WaysOut {
				takes[strings.Join(way.Commands, "\n")] = way.Way.Takes
			}
			real := truth.Sets[s.Name]
			if real == nil {
				real = truth.Sets[s.Key().String()]
			}
			if s.Certain && real != nil && !strings.HasPrefix(name, "pdb-blocks-drain") { // The set is at rest, and the drain is stuck.
				certain++
				require.Equal(t, s.State == judge.Stuck, real.End != "settled", "%s %s: %s", name, s.Key(), s.Why)
			}
		}
		for _, s := range plan.NotAtRest {
			if s.Now != nil {
				compared++
				require.Equal(t, states[s.key], s.Now.State, "%s %s", name, s.key)
			}
			if s.Fix == nil {
				continue
			}
			if as, tried := takes[strings.Join(s.Fix.Commands, "\n")]; tried {
				fixes++
				require.Equal(t, as, s.Fix.Takes, "%s %s: %s", name, s.key, s.Fix.What)
			}
		}
	})
	t.Logf("%d sets compared, and %d fixes of them; what was certain of %d came true", compared, fixes, certain)
	require.Positive(t, compared)
	require.Positive(t, fixes)
}

// TestOneJudgementOnCall: of each set on call, sim explain and a plan in which nothing changes say the same, also that it
// is at rest, and how certain that is.
func TestOneJudgementOnCall(t *testing.T) {
	for _, c := range oncall.Dumps() {
		after := changed(t, c.Data, "", "")
		if after == "" {
			continue
		}
		plan := plans(t, string(c.Data), after, &Options{})
		if len(plan.Sets) > 0 {
			continue // The API server would refuse the set as it is.
		}
		d, err := dump.Read([]dump.Source{{Name: c.Name, Data: c.Data}}, dump.Options{})
		require.NoError(t, err)
		profile := plan.world.Options.Profiles[0]
		sets, _ := judge.Of(d, &play.Lab{Profile: profile, World: d.Begin(sim.Config{Controller: statefulset.New(profile), API: profile.API()})})
		for _, s := range sets {
			state := judge.Judgement{State: judge.AtRest, Certain: s.Certain}
			for _, idle := range plan.NotAtRest {
				if idle.key == s.Key && idle.Now != nil {
					state = *idle.Now
				}
			}
			require.Equal(t, s.State, state.State, "%s: %s", c.Name, s.Key)
			require.Equal(t, s.Certain, state.Certain, "%s: %s", c.Name, s.Key)
		}
	}
}

// TestASetThatHasNoPods: no pod is missing from a dump of a set that has none, so a plan plays it, as sim explain does,
// though the dump lacks the pods of another set.
func TestASetThatHasNoPods(t *testing.T) {
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: NAME, namespace: prod, uid: NAME, generation: 1}
spec:
  replicas: 1
  serviceName: NAME
  selector: {matchLabels: {app: NAME}}
  template: {metadata: {labels: {app: NAME}}, spec: {containers: [{name: app, image: "app:v1"}]}}
`
	of := func(name, status string) string { return strings.ReplaceAll(set, "NAME", name) + status + "---\n" }
	web := "status: {observedGeneration: 1, replicas: 1, readyReplicas: 1, currentRevision: web-1, updateRevision: web-1}\n"
	old := of("web", web) + of("api", "status: {replicas: 0}\n")
	plan := plans(t, old, old, &Options{})
	require.Len(t, plan.NotAtRest, 1)
	require.Equal(t, "api", plan.NotAtRest[0].Name)
	require.Equal(t, judge.Continues, plan.NotAtRest[0].Now.State)
	rolled := plans(t, old, strings.ReplaceAll(old, "app:v1", "app:v2"), &Options{}).find("web")
	require.Empty(t, rolled.Shows, "web-0 is not missing: the dump does not show it")
	for status, shown := range map[string]bool{
		"status: {replicas: 0, observedGeneration: 1}\n": true, "status: {observedGeneration: 1}\n": true,
		"status: {}\n": false, "": false, "status: {replicas: 1, observedGeneration: 1}\n": false,
	} {
		old := of("api", status)
		require.Equal(t, shown, len(plans(t, old, old, &Options{}).NotAtRest) == 1, "%q", status)
	}
}
