package advise

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"time"
)

func TestTry(t *testing.T) {
	data, err := os.ReadFile("/tmp/b/old.yaml")
	require.NoError(t, err)
	in, err := plan.Read(plan.Stream{Name: "old", Data: data}, plan.Stream{Name: "old", Data: data}, strict.Limits{})
	require.NoError(t, err)
	profile, err := statefulset.Gated("1.37", nil)
	require.NoError(t, err)
	begin := time.Now()
	a, err := Of(in, &Options{Keep: -1, Draws: 50, Plan: stored.Options{Profiles: []statefulset.Profile{profile}, Sim: "test",
		Times: [3]behaviour.Delay{behaviour.Uniform(2*time.Second, 10*time.Second), behaviour.Uniform(2*time.Second, 9*time.Second), behaviour.Uniform(10*time.Second, 20*time.Second)}}})
	require.NoError(t, err)
	fmt.Println(time.Since(begin))
	for _, c := range a.Front {
		c.Gates = nil
	}
	text, _ := json.MarshalIndent(a, "", " ")
	os.Stdout.Write(text)
}
