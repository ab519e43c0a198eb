package upgrade

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// lodgers are sets that share most of their runs, under names and images of their own: they differ in what some
// versions drop, in what nobody deletes, and in what their pods run.
func lodgers(policy string, replicas int) string {
	const claim = "{metadata: {name: %s}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"
	text := ""
	for i, of := range []struct{ strategy, claims, pod string }{
		{"{type: RollingUpdate}", "", ""},
		{"{rollingUpdate: {partition: 0}}", "", ""},
		{"{rollingUpdate: {maxUnavailable: 2}}", "", "terminationGracePeriodSeconds: 0, "},
		{"{rollingUpdate: {maxUnavailable: 50%}}", fmt.Sprintf(claim, "a") + ", " + fmt.Sprintf(claim, "b"), ""},
		{"{rollingUpdate: {maxUnavailable: 1%}}", fmt.Sprintf(claim, "a"), "nodeSelector: {disk: fast}, "},
		{"{type: RollingUpdate}", fmt.Sprintf(claim, "a"), "initContainers: [{name: first, image: \"busybox:1\"}], "},
		{"{type: RollingUpdate}", fmt.Sprintf(claim, "a"), ""},
		{"{rollingUpdate: {maxUnavailable: 3}}", fmt.Sprintf(claim, "a"),
			"volumes: [{name: a, persistentVolumeClaim: {claimName: a}}], "},
	} {
		text += fmt.Sprintf(`---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web-%[1]d, namespace: space-%[1]d, labels: {tier: "%[1]d"}}
spec:
  replicas: %[2]d
  podManagementPolicy: %[3]s
  updateStrategy: %[4]s
  minReadySeconds: 5
  serviceName: service-%[1]d
  selector: {matchLabels: {app: app-%[1]d}}
  volumeClaimTemplates: [%[5]s]
  template: {metadata: {labels: {app: app-%[1]d}}, spec: {%[6]scontainers: [{name: c-%[1]d, image: "image-%[1]d:v1"}]}}
`, i, replicas, policy, of.strategy, of.claims, of.pod)
	}
	return text
}

// TestStandIns: sets whose runs are those of a stand-in have the reports of their own runs, with their own names, and
// share stages.
func TestStandIns(t *testing.T) {
	for _, policy := range []string{"OrderedReady", "Parallel"} {
		in := &Input{}
		require.NoError(t, in.Read("sets.yaml", []byte(lodgers(policy, 4)), strict.Limits{}))
		require.Len(t, in.Sets, 8)
		var reports [2]string
		for side, everything := range []bool{false, true} {
			o := path(t, [2]string{"1.33", "1.37"}, everything)
			stages := 0
			o.Each = func(n int, work func(int)) {
				stages = n
				whatif.Each(nil).Do(n, work)
			}
			text, err := json.MarshalIndent(in.Compare(o), "", " ")
			require.NoError(t, err)
			require.Equal(t, 5, stages, "one, and four whose pods are of another kind")
			reports[side] = string(text)
		}
		require.Equal(t, reports[1], reports[0])
		require.NotContains(t, reports[0], "stand-in")
		require.NotContains(t, reports[0], "sim.invalid")
	}
}

// TestStandInsOfRandomSets is TestStandIns for random sets that differ in their strategies and claims alone, so that
// they share runs, and for random versions. MATTERS=all takes all that are drawn.
func TestStandInsOfRandomSets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		if rapid.IntRange(0, 9).Draw(rt, "taken") > 0 && os.Getenv("MATTERS") != "all" {
			return
		}
		pair := drawVersions(rt)
		common := drawCommon(rt)
		text := ""
		for i := range rapid.IntRange(2, 4).Draw(rt, "sets") {
			text += manifestOf(i, drawStrategy(rt)+drawClaims(rt)+common)
		}
		in := &Input{}
		require.NoError(rt, in.Read("sets.yaml", []byte(text), strict.Limits{}))
		shared, err := json.Marshal(in.Compare(path(t, pair, false)))
		require.NoError(rt, err)
		each, err := json.Marshal(in.Compare(path(t, pair, true)))
		require.NoError(rt, err)
		require.Equal(rt, string(each), string(shared), "%v %s", pair, text)
	})
}

// TestPlaying: a set is played itself where something may come up that a stand-in has not: the text of a refusal, a
// long name, a mistake, or a percentage that a version rounds down to nothing.
func TestPlaying(t *testing.T) {
	const long = "a-name-so-long-that-a-version-may-cut-it-in-its-labels"
	for _, tc := range []struct {
		from, to, name, kind, spec string
		shared                     bool
	}{
		{"1.33", "1.37", "web", "image", "replicas: 3", true},
		{"1.33", "1.37", long, "image", "replicas: 3", false},
		{"1.25", "1.37", "web", "ordinals", "replicas: 3", false},
		{"1.26", "1.37", "web", "ordinals", "replicas: 3", true},
		{"1.24", "1.37", "web", "image", "replicas: 3, updateStrategy: {rollingUpdate: {maxUnavailable: 1%}}", false},
		{"1.24", "1.37", "web", "image", "replicas: 3, updateStrategy: {rollingUpdate: {maxUnavailable: 1}}", true},
		{"1.25", "1.37", "web", "image", "replicas: 3, updateStrategy: {rollingUpdate: {maxUnavailable: 1%}}", true},
		{"1.33", "1.37", "web", "image", "replicas: 3, updateStrategy: {rollingUpdate: {maxUnavailable: 0}}", false},
	} {
		in := &Input{}
		require.NoError(t, in.Read("sets.yaml", []byte(manifestOf(0, tc.spec)), strict.Limits{}))
		require.Len(t, in.Sets, 1, in.Invalid)
		set := *in.Sets[0].object
		set.Name = tc.name
		o := path(t, [2]string{tc.from, tc.to}, false)
		p, h := newPlayer(&set, &o), o.hops()[0]
		for _, c := range p.cases() {
			if c.Name == tc.kind {
				require.Equal(t, tc.shared, p.playing(c, h, h.to) != p, "%+v", tc)
				require.Equal(t, tc.shared, p.playing(c, h, h.from) != p, "%+v", tc)
			}
		}
	}
}

// TestNamesOfAStandIn: the commands that are played with a stand-in are told as those of the set, in its namespace.
func TestNamesOfAStandIn(t *testing.T) {
	in := &Input{}
	require.NoError(t, in.Read("sets.yaml", []byte(lodgers("Parallel", 4)), strict.Limits{}))
	o := path(t, [2]string{"1.33", "1.37"}, false)
	p, h := newPlayer(in.Sets[2].object, &o), o.hops()[0]
	told := 0
	for _, c := range p.cases() {
		by := p.playing(c, h, h.to)
		for i, of := range c.Script(by.subject) {
			own := c.Script(p.subject)[i]
			require.Equal(t, own.Kubectl, p.named(of.Kubectl), c.Name)
			require.Equal(t, own.Does, p.named(of.Does), c.Name)
			if by != p && of.Kubectl != own.Kubectl {
				told++
			}
		}
	}
	require.Positive(t, told)
}
