package dump_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// epoch is the wall-clock time at which the worlds of these tests begin.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// drawScenario draws a set and what people do to it in the first half minute.
func drawScenario(t *rapid.T) string {
	var b strings.Builder
	seconds := func(name string) int { return rapid.IntRange(1, 5).Draw(t, name) }
	fmt.Fprintf(&b, "kubelet:\n  start: %ds\n  ready: %ds\n  stop: %ds\n",
		seconds("start"), seconds("ready"), seconds("stop"))
	if rapid.Bool().Draw(t, "broken") {
		b.WriteString("  rules: [{match: {image: \"app:v2\"}, ready: never}]\n")
	}
	policy := rapid.SampledFrom([]string{"OrderedReady", "Parallel"}).Draw(t, "policy")
	strategy := rapid.SampledFrom([]string{"{type: RollingUpdate}", "{type: OnDelete}",
		"{type: RollingUpdate, rollingUpdate: {partition: 1}}"}).Draw(t, "strategy")
	claims := rapid.SampledFrom([]string{"", `, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: ` +
		`[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]`}).Draw(t, "claims")
	fmt.Fprintf(&b, "steps:\n- create: {name: web, replicas: %d, image: \"app:v1\", podManagementPolicy: %s, "+
		"minReadySeconds: %d, updateStrategy: %s%s}\n", rapid.IntRange(1, 4).Draw(t, "replicas"), policy,
		rapid.IntRange(0, 2).Draw(t, "minReady"), strategy, claims)
	at := 0
	for range rapid.IntRange(0, 4).Draw(t, "steps") {
		at += rapid.IntRange(1, 9).Draw(t, "at")
		step := rapid.SampledFrom([]string{`setImage: {image: "app:v2"}`, `setImage: {image: "app:v3"}`,
			`setImage: {image: "app:v1"}`, "scale: {replicas: 1}", "scale: {replicas: 3}", "delete: pod/web-0",
			"delete: pod/web-1", "fail: {pod: web-0, reason: Evicted}", "cordon: node-1", "uncordon: node-1"}).Draw(t, "step")
		fmt.Fprintf(&b, "- at: %ds\n  %s\n", at, step)
	}
	fmt.Fprintf(&b, "- at: %ds\n  uncordon: node-3\n", at+rapid.IntRange(0, 20).Draw(t, "stop at"))
	return b.String()
}

// changes are the changes of pods and claims after an instant, with their times from there in whole seconds: kubectl
// prints no more. The order within a second is nobody's promise.
func changes(events []timeline.Event, after time.Duration) []string {
	var list []string
	for i := range events {
		e := &events[i]
		if e.Actor == timeline.Dump || time.Duration(e.T) <= after || e.Actor == timeline.User {
			continue
		}
		at := (time.Duration(e.T) - after).Round(time.Second)
		switch {
		case e.Kind == timeline.KindPod:
			list = append(list, fmt.Sprintf("%03d %s %s %s", at/time.Second, e.Pod, e.State, e.Image))
		case e.Kind == timeline.KindClaim:
			list = append(list, fmt.Sprintf("%03d %s %s", at/time.Second, e.Claim.Name, e.Claim.Phase))
		}
	}
	slices.Sort(list)
	return list
}

// TestADumpGoesOnAsTheWorldDoes stops worlds, prints them as kubectl does, and begins a world with what was printed: it
// goes on as the unbroken one. Left out are what no dump shows: back-offs, a node that has just fallen silent, a
// command that waits, what is waited for at the very instant of a step.
func TestADumpGoesOnAsTheWorldDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goesOn(t, drawScenario(t)) })
}

// TestARicherDumpGoesOnAsTheWorldDoes is the same for worlds with more in them.
func TestARicherDumpGoesOnAsTheWorldDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { goesOn(t, drawRicher(t)) })
}

// TestADumpOf goes on from dumps that once were not gone on from.
func TestADumpOf(t *testing.T) {
	claims := `volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], ` +
		`resources: {requests: {storage: 1Gi}}}}]`
	for name, text := range map[string]string{
		"a claim that waits for its volume": "volumes: {bind: 3s}\nsteps:\n- create: {name: web, image: \"app:v1\", " + claims +
			"}\n- {at: 1s, uncordon: node-3}\n",
		"a pod that somebody has created": "steps:\n- create: {name: web, replicas: 0, image: \"app:v1\"}\n- at: 2s\n" +
			"  createPod: {name: web-1, image: \"app:v1\", labels: {app: web}}\n- {at: 2s, uncordon: node-3}\n",
	} {
		t.Run(name, func(t *testing.T) { goesOn(t, text) })
	}
}

// started is a world at the fixed point of its first instant.
func started(w *sim.World) *sim.World {
	w.Begin()
	return w
}

// failing says whether the last sync of a set has ended with an error, so that it is tried again after a while.
func failing(w *sim.World) bool {
	return slices.ContainsFunc(w.Sets(), func(set *model.StatefulSet) bool {
		return slices.ContainsFunc(w.Waits(set.Key()), func(why model.Why) bool {
			return why.Code == model.SyncError || why.Code == model.ClaimTerminating
		})
	})
}

// tester is a test, or one check of a property.
type tester interface {
	require.TestingT
	Skip(args ...any)
}

// goesOn plays a scenario, and again from a dump that is taken a quarter of a second after its last step.
func goesOn(t tester, text string) {
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err, text)
	config := s.Config(scenario.RunOptions{})
	stopped := config
	stopped.Until = s.Steps[len(s.Steps)-1].When.D + 250*time.Millisecond
	world := sim.New(stopped)
	events := world.Run(s.Steps)
	switch {
	case events[len(events)-1].Result.Verdict == timeline.WasRefused:
		t.Skip("a step was refused")
	case len(world.State().Sets) == 0:
		t.Skip("the set is gone, and pods without their set are left out")
	}
	now := max(world.Now(), 0)
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, world.State(), epoch.Add(time.Duration(now))))
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}},
		dump.Options{At: epoch.Add(time.Duration(now))})
	require.NoError(t, err)
	if _, claim := d.Asleep(d.State.Sets[0]); claim != "" {
		t.Skip("no dump shows whether anything would wake the controller; that of a world that begins has just started")
	}
	begun := config
	begun.Start = d.State
	if failing(world) || failing(started(sim.New(begun))) {
		t.Skip("a sync has failed before, or fails at once: no dump shows the back-off, which the one that begins lacks")
	}
	unbroken := sim.New(config).Run(s.Steps)
	if unbroken[len(unbroken)-1].Result.Verdict == timeline.Livelock {
		t.Skip("a loop that takes no time is stopped after so many rounds, which a dump does not count")
	}
	want := changes(unbroken, time.Duration(now))
	got := changes(sim.New(begun).Run(nil), -1)
	require.Equal(t, want, got, "%s\nstopped at %s\n%s", text, now.Clock(), printed.String())
}
