package worlds_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// upgradeCases are the cases of an upgrade that a scenario can play as well, by what is printed of them, each with its
// steps: pods start in 1s, are Ready 2s later, and stop in 2s.
var upgradeCases = map[string]string{
	`a new image that never starts, and is reverted (never-starts)`: "- setImage: {image: \"app:never\"}\n" +
		"- setImage: {image: \"app:v1\"}\n",
	`a new image (image)`: "- setImage: {image: \"app:v2\"}\n",
	`a change of the image that also raises minReadySeconds to 600, while the pods have been Ready for less than that (together)`: "- patch: {spec: {minReadySeconds: 600, " +
		"template: {spec: {containers: [{name: app, image: \"app:v2\"}]}}}}\n",
}

// TestUpgradedNumbers draws sets, compares two versions as sim upgrade does, and holds the numbers that it prints of a
// case to what was seen in a world of each version; where the worlds differ in them the case must be printed.
func TestUpgradedNumbers(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		d := &draw{t: t}
		manifest := d.upgradedSet()
		versions := rapid.SampledFrom([][2]string{{"1.34", "1.37"}, {"1.36", "1.37"}, {"1.35.0", "1.35"}}).Draw(t, "versions")
		// None of the pods is a number too.
		printed := regexp.MustCompile(`at times none of (\d+) serves`).ReplaceAllString(upgraded(t, manifest, versions),
			"at least 0 of $1 serve")
		name := d.pick("case", slices.Sorted(maps.Keys(upgradeCases))...)
		if strings.Contains(name, "(together)") && strings.Contains(manifest, "replicas: 1\n") {
			// Nobody asks what a raised minReadySeconds does to a single pod.
			return
		}
		var seen [2]upgradedWorld
		for i, version := range versions {
			seen[i] = playedUpgrade(t, manifest, upgradeCases[name], version)
		}
		about := fmt.Sprintf("%s\n%s\n%s\n%+v", name, manifest, printed, seen)
		const number = ` settles after (\S+?)(?:, at least (\d+) of \d+ serve)?(?:, (\d+) pods? deleted)?(?:, \d+ (?:revisions?|claims?) left)*`
		line := regexp.MustCompile(regexp.QuoteMeta(name+": "+versions[0]) + number + "; " +
			regexp.QuoteMeta(versions[1]) + number + "\n").FindStringSubmatch(printed)
		if line == nil {
			require.True(t, seen[0] == seen[1] || !seen[0].settled || !seen[1].settled, "nothing is printed of %s", about)
			return
		}
		compared++
		for i := range seen {
			require.True(t, seen[i].settled, about)
			require.Equal(t, render.Clock(seen[i].took), line[1+3*i], about)
			requirePrintedWhere(t, line[2+3*i], seen[i].fewest, seen[0].fewest != seen[1].fewest, about)
			requirePrintedWhere(t, line[3+3*i], seen[i].deleted, seen[0].deleted != seen[1].deleted, about)
		}
	})
	require.Positive(t, compared, "no numbers were compared")
}

// requirePrintedWhere holds a number to what is printed of it, which is nothing where both versions have the same.
func requirePrintedWhere(t require.TestingT, printed string, want int, differs bool, about string) {
	if !differs {
		require.Empty(t, printed, about)
		return
	}
	require.Equal(t, fmt.Sprint(want), printed, about)
}

// upgradedSet draws a set in which versions may differ.
func (d *draw) upgradedSet() string {
	most := d.pick("maxUnavailable", "", ", maxUnavailable: 1", ", maxUnavailable: 2", ", maxUnavailable: 3", ", maxUnavailable: 50%")
	s := plannedSet{
		image: "app:v1", policy: d.pick("policy", "OrderedReady", "Parallel"), kind: "RollingUpdate",
		replicas: d.number("replicas", 1, 6), partition: d.number("partition", 0, 1) * d.number("from", 0, 4),
	}
	return strings.Replace(s.manifest(), fmt.Sprintf("{partition: %d}", s.partition), fmt.Sprintf("{partition: %d%s}", s.partition, most), 1)
}

// upgraded prints what two versions do differently.
func upgraded(t require.TestingT, manifest string, versions [2]string) string {
	in, o := &upgrade.Input{}, upgrade.Options{Names: versions}
	require.NoError(t, in.Read("sets.yaml", []byte(manifest), strict.Limits{}))
	for i, profile := range []*statefulset.Profile{&o.From, &o.To} {
		found, err := statefulset.Lookup(versions[i])
		require.NoError(t, err)
		*profile = found
	}
	var b strings.Builder
	require.NoError(t, in.Compare(o).Document(upgrade.View{}).Text(&b, render.Style{Width: 4000}))
	return b.String()
}

// upgradedWorld is what was seen of a change under a version, from the change on.
type upgradedWorld struct {
	settled         bool
	took            time.Duration
	fewest, deleted int
}

// playedUpgrade plays a change and asks the world.
func playedUpgrade(t require.TestingT, manifest, steps, version string) (seen upgradedWorld) {
	indented := "\n    " + strings.ReplaceAll(strings.TrimSpace(manifest), "\n", "\n    ")
	s := parse(t, []byte(fmt.Sprintf("kubernetes: %q\nkubelet: {start: 1s, ready: 2s, stop: 2s, rules: [{match: {image: \"app:never\"}, start: never}]}\nsteps:\n- apply:%s\n%s", version,
		indented, steps)))
	serving, begun, changed := 0, model.Time(0), false
	terminating := map[model.UID]bool{}
	config := s.Config(world{}.options())
	config.Watch = func(w *sim.World) {
		serving = 0
		for _, p := range w.Pods() {
			if p.Ready && !p.Terminating() {
				serving++
			}
			if changed && p.Terminating() && !terminating[p.UID] {
				seen.deleted++
			}
			terminating[p.UID] = p.Terminating()
		}
		if changed {
			seen.fewest, seen.took = min(seen.fewest, serving), w.Now().Sub(begun)
		}
	}
	act := s.Steps[1].Act
	s.Steps[1].Act = func(u *sim.User) sim.Outcome {
		seen.fewest, begun, changed = serving, u.Now(), true
		return act(u)
	}
	events := sim.New(config).Run(s.Steps)
	seen.settled = events[len(events)-1].Result.Verdict == timeline.Settled
	return seen
}
