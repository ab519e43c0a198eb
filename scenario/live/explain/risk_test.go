package explain_test

import (
	"bytes"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// TestDataAtRisk: a PVC that is being deleted while its pod uses it is said first, and its set is not among those that
// are well. The command that stops the rollout is printed only where it keeps the PVC.
func TestDataAtRisk(t *testing.T) {
	const deleted = "- at: 20s\n  delete: pvc/data-web-1\n"
	const keep = "kubectl patch pv "
	for _, c := range []struct {
		name, text, standing string
		stop, none           bool
	}{
		{name: "at rest", text: claimed + deleted, standing: "AT REST default/web: 3 of 3 serve, and data is at risk"},
		{name: "a rollout above it", text: claimed + deleted + "- at: 20s\n  setImage: {image: \"app:v2\"}\n", stop: true,
			standing: "but data is at risk"},
		{name: "its pod is going already", text: claimed + deleted + "- at: 20s\n  delete: pod/web-1\n",
			standing: "but data is at risk"},
		{name: "its pod is to go, and its policy deletes the PVC", none: true, standing: "it completes by itself",
			text: claimed + deleted + "- at: 20s\n  scale: {replicas: 1}\n"},
		{name: "no PVC is being deleted", text: claimed, none: true, standing: "AT REST default/web (3 of 3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte("kubelet: {stop: 10s}\nuntil: 21s\nsteps:\n"+c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			state := real.State(nil)
			for i, claim := range state.Claims {
				bound := *claim
				bound.Data = strings.Replace(bound.Data, "{", `{"volumeName":"pv-`+bound.Name+`",`, 1)
				state.Claims[i] = &bound
			}
			d := dumpedAfter(t, state, 0)
			dumped := explain.Begin(d, labOf(s, d), "").All(nil)
			var text strings.Builder
			require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
			require.Contains(t, text.String(), c.standing)
			require.Equal(t, c.none, dumped.Sets[0].AtRisk == nil, text.String())
			var printed bytes.Buffer
			require.NoError(t, render.JSON(&printed, dumped))
			require.Equal(t, !c.none, strings.Contains(printed.String(), `"atRisk": [`))
			if c.none {
				return
			}
			require.Contains(t, text.String(), "data at risk in 1.")
			require.Contains(t, text.String(), "DATA AT RISK: PVC data-web-1 is being deleted. It exists only as long as web-1 does.")
			require.Contains(t, text.String(), keep+"pv-data-web-1 ")
			risk := dumped.Sets[0].AtRisk[0]
			require.Equal(t, c.stop, risk.Stop != "", text.String())
			require.Equal(t, risk.Lost && !c.stop, strings.Contains(text.String(), "No command that was simulated keeps the PVC"))
			require.NotContains(t, text.String(), "nothing to do")
		})
	}
}

// TestDataAtRiskOfAnExistingClaim: a PVC that the pod template names is at risk like one that a claim template makes,
// as long as one pod alone keeps it.
func TestDataAtRiskOfAnExistingClaim(t *testing.T) {
	for replicas, want := range map[string][]string{"1": {"It exists only as long as web-0 does"}, "2": nil} {
		text := "until: 21s\nsteps:\n" + strings.Replace(mounting, "replicas: 1", "replicas: "+replicas, 1) +
			"- at: 20s\n  delete: pvc/shared\n"
		s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err)
		real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
		d := dumpedAfter(t, real.State(nil), 0)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil)
		require.Len(t, dumped.Sets[0].AtRisk, len(want))
		for i, words := range want {
			require.Contains(t, dumped.Sets[0].AtRisk[i].String(), words)
		}
	}
}

// mounting creates a set whose pod template names a claim.
const mounting = `- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1, serviceName: web,
    selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {
    containers: [{name: app, image: "app:v1"}], volumes: [{name: data, persistentVolumeClaim: {claimName: shared}}]}}}}
`

// TestDataAtRiskInADump: what a real cluster did to the PVCs of these dumps is what is said to be at risk.
func TestDataAtRiskInADump(t *testing.T) {
	for name, lost := range map[string]bool{"claim-deleted-held": false, "claim-deleted-held-rollout": true} {
		data, err := os.ReadFile(filepath.Join(dumps, name+".dump.yaml"))
		if err != nil {
			t.Skip("there are no dumps")
		}
		d, err := dump.Read([]dump.Source{{Name: name, Data: data}}, dump.Options{})
		require.NoError(t, err)
		s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
		require.NoError(t, err)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil)
		require.Len(t, dumped.Sets[0].AtRisk, 1)
		risk := dumped.Sets[0].AtRisk[0]
		require.Equal(t, "data-web-1", risk.Claim)
		require.Equal(t, lost, risk.Lost)
		require.Equal(t, lost, risk.Stop != "")
		require.Contains(t, risk.Keep, "kubectl patch pv pvc-")
		steps := []string{"1. At once, make the volume outlive the PVC", risk.Keep, "2. The PVC stays Terminating: delete web-1 once",
			risk.Again[0], "delete statefulset web --cascade=orphan", "delete pod web-1", "wait pvc/data-web-1 --for=delete", "kubectl patch pv " + risk.Volume +
				` --type merge -p '{"spec":{"claimRef":{"uid":null,"resourceVersion":null}}}'`, "create -f web.yaml"}
		if lost {
			stop := []string{"2. Stop the rollout before it deletes web-1, about 8s after the dump", risk.Stop, "3. The PVC stays Terminating"}
			steps = slices.Concat(steps[:2], stop, steps[3:])
			steps = append(steps, "4. Let the rollout continue: set the partition to what it was.")
		}
		var text strings.Builder
		require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
		for rest := text.String(); len(steps) > 0; steps = steps[1:] {
			require.Contains(t, rest, steps[0], "in this order")
			_, rest, _ = strings.Cut(rest, steps[0])
		}
		if _, sentence := dumped.Sets[0].Standing(); lost {
			require.Equal(t, "it completes by itself in about 18s if pods stop in 2s, but data is at risk", sentence)
		}
	}
}

// TestTwoPVCsOfAPodAtRisk: both go with the pod, so the commands that bind the volumes again stand once, behind what
// keeps each volume, and free both before the StatefulSet is back.
func TestTwoPVCsOfAPodAtRisk(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("until: 21s\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\", "+
		"volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}, "+
		"{metadata: {name: wal}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}\n"+
		"- at: 20s\n  delete: pvc/data-web-1\n- at: 20s\n  delete: pvc/wal-web-1\n"), nil, scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	for i, claim := range state.Claims {
		bound := *claim
		bound.Data = strings.Replace(bound.Data, "{", `{"volumeName":"pv-`+bound.Name+`",`, 1)
		state.Claims[i] = &bound
	}
	d := dumpedAfter(t, state, 0)
	risks := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0].AtRisk
	require.Len(t, risks, 2)
	require.Empty(t, risks[0].Again)
	again := strings.Join(risks[1].Again, "\n")
	for _, command := range []string{"delete pod web-1", "wait pvc/data-web-1", "wait pvc/wal-web-1", "patch pv pv-data-web-1",
		"patch pv pv-wal-web-1", "create -f web.yaml"} {
		require.Equal(t, 1, strings.Count(again, command), command)
		_, again, _ = strings.Cut(again, command)
	}
}
