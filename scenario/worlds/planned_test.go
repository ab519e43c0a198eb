package worlds_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestPlannedNumbers draws changes of a set, plays each in a world of its own, and holds the numbers that a plan of the
// change prints to what was seen there.
func TestPlannedNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &draw{t: t}
		before := d.plannedSet("before", nil)
		after := d.plannedSet("after", before)
		version := d.pick("version", "1.37", "1.34", "1.27", "1.22")
		printed := planned(t, before.manifest(), after.manifest(), version)
		if printed == "" || strings.Contains(printed, "run an older template, which the files") ||
			strings.Contains(printed, "the API server refuses the change") {
			// The files do not show what the plan begins with there.
			return
		}
		seen := playedChange(t, before.manifest(), after.manifest(), version)
		about := fmt.Sprintf("on %s:\n%s\n%s\n%s", version, before.manifest(), after.manifest(), printed)
		serving := regexp.MustCompile(`(?m)^  serving +(?:at (?:least|times) (\d+|none) of (\d+)(?: on the way)?; (\d+) before, (\d+) after|` +
			`(\d+) of (\d+) all the time)`).FindStringSubmatch(printed)
		require.NotNil(t, serving, "no serving in what is printed %s", about)
		numbers := []int{seen.fewest, after.replicas, seen.before, seen.after}
		if serving[1] == "" {
			numbers = []int{seen.fewest, after.replicas}
			serving = serving[4:]
		}
		for i, n := range numbers {
			require.Equal(t, strconv.Itoa(n), strings.Replace(serving[i+1], "none", "0", 1), "number %d of %q %s", i+1, serving[0], about)
		}
		requireOrder(t, seen, printed, about)
	})
}

// plannedSet is a set whose change is planned.
type plannedSet struct {
	image, policy, kind           string
	replicas, partition, minReady int
}

// plannedSet draws a set, or what becomes of one: not all fields of it may change.
func (d *draw) plannedSet(what string, from *plannedSet) *plannedSet {
	s := &plannedSet{
		image: d.pick(what+" image", "app:v1", "app:v2"), policy: d.pick(what+" policy", "OrderedReady", "Parallel"),
		kind:     d.pick(what+" strategy", "RollingUpdate", "RollingUpdate", "RollingUpdate", "OnDelete"),
		replicas: d.number(what+" replicas", 1, 5), partition: d.number(what+" partition", 0, 1) * d.number(what+" from", 0, 5),
		minReady: d.number(what+" minReadySeconds", 0, 1) * 7,
	}
	if from != nil {
		s.policy = from.policy
	}
	return s
}

func (s *plannedSet) manifest() string {
	strategy := "{type: OnDelete}"
	if s.kind == "RollingUpdate" {
		strategy = fmt.Sprintf("{type: RollingUpdate, rollingUpdate: {partition: %d}}", s.partition)
	}
	return fmt.Sprintf(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default}
spec:
  serviceName: web
  replicas: %d
  podManagementPolicy: %s
  minReadySeconds: %d
  updateStrategy: %s
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "%s", readinessProbe: {exec: {command: [ok]}}}]
`, s.replicas, s.policy, s.minReady, strategy, s.image)
}

// planned prints the plan of a change, "" where no set changes.
func planned(t require.TestingT, before, after, version string) string {
	in, err := plan.Read(plan.Stream{Name: "old.yaml", Data: []byte(before)},
		plan.Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
	require.NoError(t, err)
	profile, err := statefulset.Lookup(version)
	require.NoError(t, err)
	p, err := plan.Of(in, &plan.Options{Profiles: []statefulset.Profile{profile}})
	require.NoError(t, err)
	if len(p.Sets) == 0 {
		return ""
	}
	var b strings.Builder
	require.NoError(t, p.Document().Text(&b, render.Style{Width: 1000}))
	return b.String()
}

// change is what was seen of a change.
type change struct {
	// before, fewest and after are how many pods served when the change came, at least from then on, and at the end.
	before, fewest, after int
	// created and deleted count the pods that were made and that were seen to terminate, by their names.
	created, deleted map[string]int
}

// playedChange plays a change and asks the world. The change comes when the pods are old, as a plan takes them to be.
func playedChange(t require.TestingT, before, after, version string) *change {
	indented := func(manifest string) string {
		return "\n    " + strings.ReplaceAll(strings.TrimSpace(manifest), "\n", "\n    ")
	}
	s := parse(t, []byte(fmt.Sprintf("kubernetes: %q\nsteps:\n- apply:%s\n- after: 10m\n  apply:%s\n", version, indented(before), indented(after))))
	seen, c := map[model.UID]bool{}, &change{created: map[string]int{}, deleted: map[string]int{}}
	terminating, changed := map[model.UID]bool{}, false
	config := s.Config(world{}.options())
	config.Watch = func(w *sim.World) {
		serving := 0
		for _, p := range w.Pods() {
			if p.Ready && !p.Terminating() {
				serving++
			}
			if changed && !seen[p.UID] {
				c.created[p.Name]++
			}
			if changed && p.Terminating() && !terminating[p.UID] {
				c.deleted[p.Name]++
			}
			seen[p.UID], terminating[p.UID] = true, p.Terminating()
		}
		if c.after = serving; changed {
			c.fewest = min(c.fewest, serving)
		}
	}
	act := s.Steps[1].Act
	s.Steps[1].Act = func(u *sim.User) sim.Outcome {
		c.before, c.fewest, changed = c.after, c.after, true
		return act(u)
	}
	sim.New(config).Run(s.Steps)
	return c
}

// requireOrder holds the pods that a plan says are created, replaced and deleted to those that were.
func requireOrder(t require.TestingT, c *change, printed, about string) {
	listed := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?:created|replaced|removed): ((?:web-\d+(?:, )?)+)`).FindAllStringSubmatch(printed, -1) {
		for _, pod := range strings.Split(strings.TrimSuffix(line[1], ", "), ", ") {
			listed[pod] = true
		}
	}
	touched := map[string]bool{}
	for pod := range c.created {
		touched[pod] = true
	}
	for pod := range c.deleted {
		touched[pod] = true
	}
	require.Equal(t, touched, listed, "the pods that are touched %s", about)
}
