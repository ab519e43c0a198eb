package judge

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
)

// TestShares: of a set whose pod has stopped being Ready those are named whose pods did so at the same time; not those
// that were never Ready, that stopped at another time, or whose nodes are silent.
func TestShares(t *testing.T) {
	const hour = model.Time(time.Hour)
	pod := func(set string, lost model.Time) sim.PodState {
		return sim.PodState{Pod: &model.Pod{Phase: model.Running, ReadySince: lost, Meta: model.Meta{Namespace: "prod", Name: set + "-0",
			Created: -2 * hour, Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: set, Controller: true}}}}}
	}
	for name, c := range map[string]struct {
		lost   map[string]model.Time
		change func(*sim.PodState)
		says   string
	}{
		"another set":             {map[string]model.Time{"db": -hour.Add(-29 * time.Second)}, nil, "Pods of db stopped"},
		"at another time":         {map[string]model.Time{"db": -hour.Add(-31 * time.Second)}, nil, ""},
		"that was never Ready":    {map[string]model.Time{"db": -hour}, func(p *sim.PodState) { p.Created = -hour }, ""},
		"whose node is silent":    {map[string]model.Time{"db": -hour}, func(p *sim.PodState) { p.Silenced = true }, ""},
		"of another namespace":    {map[string]model.Time{"db": -hour}, func(p *sim.PodState) { p.Namespace = "stage" }, "Pods of stage/db stopped"},
		"three":                   {map[string]model.Time{"a": -hour, "b": -hour, "c": -hour}, nil, "Pods of a, b and c stopped"},
		"more than are named":     {map[string]model.Time{"a": -hour, "b": -hour, "c": -hour, "d": -hour, "e": -hour}, nil, "Pods of a, b, c and others stopped"},
		"the pods of the set":     {map[string]model.Time{}, nil, ""},
		"before and after it":     {map[string]model.Time{"a": -hour.Add(-9 * time.Second), "b": -hour.Add(9 * time.Second)}, nil, "Pods of b and a stopped"},
		"a pod that is Ready yet": {map[string]model.Time{"db": -hour}, func(p *sim.PodState) { p.Ready = true }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := &dump.Dump{State: &sim.State{Pods: []sim.PodState{pod("web", -hour)}}, Facts: map[model.Key]*dump.Facts{}}
			for _, set := range []string{"a", "b", "c", "d", "e", "db"} {
				if at, is := c.lost[set]; is {
					d.State.Pods = append(d.State.Pods, pod(set, at))
				}
			}
			if c.change != nil {
				c.change(&d.State.Pods[1])
			}
			for i := range d.State.Pods {
				d.Facts[d.State.Pods[i].Key()] = &dump.Facts{}
			}
			key := model.Key{Namespace: "prod", Name: "web"}
			facts := (&evidence{Index: d.Index(), losses: lossesOf(d), key: key}).shares(&Set{StuckOn: "web-0", Key: key})
			require.Equal(t, c.says != "", len(facts) > 0, "%v", facts)
			require.Contains(t, fmt.Sprint(facts), c.says)
		})
	}
}
