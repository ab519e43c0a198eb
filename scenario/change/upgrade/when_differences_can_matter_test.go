package upgrade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// spread is every set of a grid of what matters to a rollout.
func spread() []string {
	var list []string
	for _, replicas := range []int{0, 1, 3, 4} {
		for _, policy := range []string{"OrderedReady", "Parallel"} {
			for _, strategy := range []string{
				"type: RollingUpdate", "rollingUpdate: {partition: 0}", "type: OnDelete", "rollingUpdate: {partition: 2}",
				"rollingUpdate: {maxUnavailable: 2}", "rollingUpdate: {maxUnavailable: 40%}",
			} {
				for _, claims := range []string{"", "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: " +
					"[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}], ", "ordinals: {start: 3}, ",
					"persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, "} {
					for _, minReady := range []int{0, 10} {
						list = append(list, fmt.Sprintf("replicas: %d, podManagementPolicy: %s, updateStrategy: {%s}, "+
							"%sminReadySeconds: %d", replicas, policy, strategy, claims, minReady))
					}
				}
			}
		}
	}
	return list
}

// TestMatters: versions that differ in nothing that can matter to a set and a case are taken to behave alike. The
// report is what it is where every version is played. MATTERS=all takes the whole grid, and all versions.
func TestMatters(t *testing.T) {
	specs, every, pairs := spread(), 23, [][2]string{{"1.33", "1.37"}, {"1.26", "1.29"}}
	if os.Getenv("MATTERS") == "all" {
		every, pairs = 1, [][2]string{{"1.16", "1.24"}, {"1.24", "1.28"}, {"1.28", "1.33"}, {"1.33", "1.37"}}
	}
	for i, pair := range pairs {
		t.Run(strings.Join(pair[:], "-"), func(t *testing.T) {
			t.Parallel()
			for n := i % every; n < len(specs); n += every {
				in := &Input{}
				require.NoError(t, in.Read("sets.yaml", []byte(manifestOf(n, specs[n])), strict.Limits{}))
				require.Len(t, in.Sets, 1)
				var reports [2][]byte
				for side, everything := range []bool{false, true} {
					data, err := json.MarshalIndent(in.Compare(path(t, pair, everything)), "", " ")
					require.NoError(t, err)
					reports[side] = data
				}
				require.True(t, bytes.Equal(reports[0], reports[1]), "%s\n%s\n%s", specs[n], reports[0], reports[1])
			}
		})
	}
}

// drawSpec draws a spec.
func drawSpec(t *rapid.T) string { return drawStrategy(t) + drawClaims(t) + drawCommon(t) }

// drawStrategy draws an update strategy.
func drawStrategy(t *rapid.T) string {
	number := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
	return "updateStrategy: {" + rapid.SampledFrom([]string{
		"type: RollingUpdate", "type: OnDelete", "rollingUpdate: {partition: 0}",
		fmt.Sprintf("rollingUpdate: {partition: %d}", number("partition", 1, 5)),
		fmt.Sprintf("rollingUpdate: {maxUnavailable: %d}", number("maxUnavailable", 1, 4)),
		fmt.Sprintf("rollingUpdate: {maxUnavailable: %d%%, partition: %d}", number("percent", 1, 100), number("from", 0, 3)),
	}).Draw(t, "strategy") + "}, "
}

// drawClaims draws whether there are claims.
func drawClaims(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "", "", "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: " +
		"[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}], "}).Draw(t, "claims")
}

// drawCommon draws the rest of a spec, with any minReadySeconds: pods that become available at different times are
// where a rule that is too coarse would show.
func drawCommon(t *rapid.T) string {
	number := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
	return rapid.SampledFrom([]string{"", "", "ordinals: {start: 2}, ", "revisionHistoryLimit: 0, "}).Draw(t, "more") +
		fmt.Sprintf("replicas: %d, podManagementPolicy: %s, minReadySeconds: %d", number("replicas", 0, 6),
			rapid.SampledFrom([]string{"OrderedReady", "Parallel"}).Draw(t, "policy"), number("minReadySeconds", 0, 12))
}

// drawVersions draws the first and the last version of an upgrade.
func drawVersions(t *rapid.T) [2]string {
	return rapid.SampledFrom([][2]string{
		{"1.33", "1.37"}, {"1.33", "1.34.0"}, {"1.34", "1.35.1"}, {"1.35.0", "1.35.1"}, {"1.35.0", "1.37"}, {"1.36", "1.37"},
		{"1.22", "1.34"}, {"1.27", "1.37"}, {"1.16", "1.37"}, {"1.36", "1.38"}, {"1.37.0", "1.37"},
	}).Draw(t, "versions")
}

// TestMattersToRandomSets is TestMatters for random sets and versions. MATTERS=all takes all that are drawn, and not
// one in eight.
func TestMattersToRandomSets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		if rapid.IntRange(0, 7).Draw(rt, "taken") > 0 && os.Getenv("MATTERS") != "all" {
			return
		}
		pair := drawVersions(rt)
		spec := drawSpec(rt)
		in := &Input{}
		require.NoError(rt, in.Read("sets.yaml", []byte(manifestOf(0, spec)), strict.Limits{}))
		shared, err := json.Marshal(in.Compare(path(t, pair, false)))
		require.NoError(rt, err)
		each, err := json.Marshal(in.Compare(path(t, pair, true)))
		require.NoError(rt, err)
		require.Equal(rt, string(each), string(shared), "%v %s", pair, spec)
	})
}

// manifestOf is a set with a number and a spec.
func manifestOf(n int, spec string) string {
	return fmt.Sprintf("---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s%d}\nspec: {%s, selector: "+
		"{matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: "+
		"[{name: app, image: \"a:1\"}]}}}\n", n, spec)
}

// path are the options of an upgrade from one version to another.
func path(t *testing.T, pair [2]string, everything bool) Options {
	o := Options{Names: pair, MaxEvents: 100_000, everything: everything}
	var err error
	o.From, err = statefulset.Lookup(pair[0])
	require.NoError(t, err)
	o.To, err = statefulset.Lookup(pair[1])
	require.NoError(t, err)
	o.Path = Path(Stop{Name: pair[0], Profile: o.From}, Stop{Name: pair[1], Profile: o.To}, nil)
	return o
}

// TestMattersNames: each rule is about a difference that there is.
func TestMattersNames(t *testing.T) {
	for name := range matters {
		require.True(t, slices.ContainsFunc(statefulset.Differences, func(d statefulset.Difference) bool {
			return d.Name == name
		}), name)
	}
}

// TestRecentDifferencesHaveRules: a difference between supported versions without a rule has all cases of all sets
// played, for nothing where it matters to few.
func TestRecentDifferencesHaveRules(t *testing.T) {
	versions := statefulset.Versions()
	newest, err := statefulset.Lookup(versions[len(versions)-1])
	require.NoError(t, err)
	oldest, err := statefulset.Lookup("1.33")
	require.NoError(t, err)
	for _, d := range statefulset.Differences {
		if d.On(oldest) != d.On(newest) {
			require.Contains(t, matters, d.Name)
		}
	}
}

// TestAlike: what decides whether two versions play a case alike, for sets that differ in one field each.
func TestAlike(t *testing.T) {
	for _, test := range []struct {
		spec, version, of string
		alike             bool
	}{
		{"replicas: 3", "1.37", "image", true},
		{"replicas: 3, podManagementPolicy: Parallel", "1.37", "image", true},
		{"replicas: 3, podManagementPolicy: Parallel", "1.37", "restart", false},
		{"replicas: 3, updateStrategy: {rollingUpdate: {maxUnavailable: 1}}", "1.37", "image", true},
		{"replicas: 3, updateStrategy: {rollingUpdate: {maxUnavailable: 40%}}", "1.37", "image", true},
		{"replicas: 5, updateStrategy: {rollingUpdate: {maxUnavailable: 40%}}", "1.37", "image", false},
		{"replicas: 2, updateStrategy: {rollingUpdate: {maxUnavailable: 40%}}", "1.37", "image", true},
		{"replicas: 2, updateStrategy: {rollingUpdate: {maxUnavailable: 40%}}", "1.24", "image", false},
		{"replicas: 1, updateStrategy: {rollingUpdate: {maxUnavailable: 2}}", "1.37", "image", true},
		{"replicas: 3, podManagementPolicy: Parallel", "1.37", "broken", true},
		{"replicas: 3, podManagementPolicy: Parallel", "1.35.0", "broken", false},
		{"replicas: 3", "1.37", "ordinals", true},
		{"replicas: 3", "1.24", "ordinals", false},
		{"replicas: 3", "1.37", "together", true},
	} {
		in := &Input{}
		require.NoError(t, in.Read("sets.yaml", []byte(manifestOf(0, test.spec)), strict.Limits{}))
		o := path(t, [2]string{"1.36", test.version}, false)
		p, h := newPlayer(in.Sets[0].object, &o), o.hops()[0]
		for _, c := range p.cases() {
			if c.Name == test.of {
				require.Equal(t, test.alike, p.alike(c, h, p.bothOf(c, h)), "%s %s %s", test.spec, test.version, test.of)
			}
		}
	}
}

// TestBegun: a case that goes on from where the set is at rest has the timeline that it has from its beginning.
func TestBegun(t *testing.T) {
	o := path(t, [2]string{"1.26", "1.37"}, true)
	for n, spec := range spread() {
		if n%11 != 3 {
			continue
		}
		in := &Input{}
		require.NoError(t, in.Read("sets.yaml", []byte(manifestOf(n, spec)), strict.Limits{}))
		p := newPlayer(in.Sets[0].object, &o)
		for _, c := range p.cases() {
			for _, profile := range []statefulset.Profile{o.From, o.To} {
				begun := p.play(c, o.From, profile, 0)
				p.begun = map[behaves]*play.Lab{p.creation(o.From): p.empty(o.From), p.creation(o.To): p.empty(o.To)}
				require.Equal(t, p.play(c, o.From, profile, 0), begun, "%s %s", spec, c.Name)
				p.begun = map[behaves]*play.Lab{}
			}
		}
	}
}
