package upgrade

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestHazards names the sets that can meet what 1.38 brings about, each with the change that avoids it, and none on the
// way between other versions or back.
func TestHazards(t *testing.T) {
	in := &Input{}
	for name, spec := range map[string]string{
		"plain":    "replicas: 4",
		"parallel": "replicas: 4, podManagementPolicy: Parallel, updateStrategy: {rollingUpdate: {maxUnavailable: 50%}}",
		"half":     "replicas: 4, updateStrategy: {rollingUpdate: {partition: 2, maxUnavailable: 50%}}",
		"quarter":  "replicas: 4, updateStrategy: {rollingUpdate: {partition: 2, maxUnavailable: 25%}}",
		"canary":   "replicas: 4, podManagementPolicy: Parallel, updateStrategy: {rollingUpdate: {partition: 3}}",
		"again":    "replicas: 4, updateStrategy: {type: Recreate}",
	} {
		text := strings.Replace(manifestOf(0, spec), "{name: s0}", "{namespace: a, name: "+name+"}", 1)
		require.NoError(t, in.Read(name+".yaml", []byte(text), strict.Limits{}))
	}
	profile := func(version string, gates map[string]bool) statefulset.Profile {
		p, err := statefulset.Gated(version, gates)
		require.NoError(t, err)
		return p
	}
	var names [][]string
	var commands []string
	for _, h := range hazardsOf(in.Sets, profile("1.37", nil), profile("1.38", nil)) {
		require.Equal(t, "1.38", h.From)
		names, commands = append(names, append([]string{h.Trap}, h.Sets...)), append(commands, h.Commands...)
	}
	for i := range names {
		require.Contains(t, [][]string{
			{"surplus-holds-up", "a/parallel", "a/canary"}, {"surplus-holds-up", "a/canary", "a/parallel"},
			{"percent-of-partition", "a/half"}, {"below-partition", "a/canary"}, {"recreate-by-apply", "a/again"},
		}, names[i])
	}
	require.Equal(t, []string{
		`kubectl -n a patch statefulset half --type merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}'`,
		`kubectl -n a patch statefulset canary --type merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":4}}}}'`,
		`kubectl -n a patch statefulset again --type merge -p '{"spec":{"updateStrategy":{"type":"Recreate","rollingUpdate":null}}}'`,
	}, commands)
	for _, way := range [][2]statefulset.Profile{
		{profile("1.38", nil), profile("1.37", nil)}, {profile("1.36", nil), profile("1.37", nil)},
	} {
		require.Empty(t, hazardsOf(in.Sets, way[0], way[1]))
	}
	off := map[string]bool{"MaxUnavailableStatefulSet": false}
	for _, h := range hazardsOf(in.Sets, profile("1.37", off), profile("1.38", off)) {
		require.NotContains(t, []string{"percent-of-partition", "below-partition"}, h.Trap, "one pod at a time in both")
	}
}

// TestAvoided: with the change that avoids a hazard, a set meets it no longer.
func TestAvoided(t *testing.T) {
	set := &model.StatefulSet{}
	set.Spec.Replicas, set.Spec.PodManagement = 4, model.Parallel
	block := &model.RollingUpdate{Partition: 2, MaxUnavailable: &model.IntOrPercent{Value: 50, Percent: true}}
	set.Spec.Strategy.RollingUpdate = block
	require.True(t, hazards[1].fits(set))
	block.MaxUnavailable = &model.IntOrPercent{Value: 2}
	require.False(t, hazards[1].fits(set))
	require.True(t, hazards[2].fits(set))
	block.Partition = 4
	require.False(t, hazards[2].fits(set))
}
