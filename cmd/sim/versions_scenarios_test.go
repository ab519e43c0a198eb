package main

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// versionOf finds the version in a scenario's name.
var versionOf = regexp.MustCompile(`^(.*)-(1\.\d+(?:\.\d+)?)\.yaml$`)

// alikeHere are the scenarios whose versions differ in reasons and events only.
var alikeHere = []string{"versions/failed-pod"}

// TestScenariosOfVersions: the files of the library that tell the same story on several versions have the same steps,
// and really part: played on the version of one, the other's steps go as in the other's file.
func TestScenariosOfVersions(t *testing.T) {
	families := families(t, "versions/*.yaml")
	require.GreaterOrEqual(t, len(families), 8)
	for stem, files := range families {
		t.Run(stem, func(t *testing.T) {
			require.Greater(t, len(files), 1, "a version in the name needs another version to compare with")
			first := parseScenario(t, files[0], "")
			for _, file := range files[1:] {
				require.Equal(t, world(t, files[0]), world(t, file), "the steps differ")
				own := parseScenario(t, file, "")
				moved := parseScenario(t, files[0], own.Kubernetes)
				require.Nil(t, versus.Find(own.Run(scenario.RunOptions{}).Timeline, moved.Run(scenario.RunOptions{}).Timeline))
			}
			var runs [][]timeline.Event
			for _, file := range files {
				runs = append(runs, parseScenario(t, file, "").Run(scenario.RunOptions{}).Timeline)
			}
			groups := versus.Groups(runs)
			require.Equal(t, slices.Contains(alikeHere, stem), len(groups) == 1, "%s: %v", first.Name, groups)
		})
	}
}

// families are the files with a version in their names, by what their names have in common.
func families(t *testing.T, pattern string) map[string][]string {
	t.Helper()
	files, err := fs.Glob(scenarios.FS, pattern)
	require.NoError(t, err)
	families := map[string][]string{}
	for _, file := range files {
		if parts := versionOf.FindStringSubmatch(file); parts != nil && !strings.Contains(parts[1], "not-in") {
			families[parts[1]] = append(families[parts[1]], file)
		}
	}
	return families
}

func parseScenario(t *testing.T, file, kubernetes string) *scenario.Scenario {
	t.Helper()
	data, err := fs.ReadFile(scenarios.FS, file)
	require.NoError(t, err)
	theme, err := fs.Sub(scenarios.FS, file[:strings.IndexByte(file, '/')])
	require.NoError(t, err)
	s, err := scenario.Parse(file, data, theme, scenario.Options{Kubernetes: kubernetes})
	require.NoError(t, err)
	return s
}

// world is what stands in a scenario between its version and its expectations.
func world(t *testing.T, file string) string {
	t.Helper()
	data, err := fs.ReadFile(scenarios.FS, file)
	require.NoError(t, err)
	_, text, found := strings.Cut(string(data), "\nkubernetes:")
	require.True(t, found)
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "\nexpect:")
	return text
}

// unseen are the differences that no scenario can make visible yet, and why.
var unseen = map[string]string{
	"truncate-on-error":        "no write of a scenario fails",
	"restore-spec":             "no step edits a revision",
	"exact-names":              "no step makes a pod with a name such as web-01",
	"recheck-revisions":        "no revision is left behind while its set is still there",
	"orphan-revisions":         "no step takes the owner from one of several revisions",
	"controller-refs":          "the owners of claims are not in the timeline",
	"terminating-claims":       "no step deletes a claim",
	"hash-label":               "revisions' names are made of letters but for one in millions",
	"count-failed-delete":      "no write of a scenario fails",
	"retention":                "claims are not followed to their end",
	"pending-claims":           "no step deletes a claim",
	"update-ignores-not-found": "no pod is gone from the API server before the caches know",
	"pod-index":                "labels of pods are not in the timeline",
	"semantic-revisions":       "it matters where a control plane is upgraded in the middle of a run",
	"capital-events":           "the words of events are no difference in behaviour",
	"exact-requeue":            "it matters where a sync fails just when a pod becomes Ready",
	"delete-ignores-not-found": "no pod is gone from the API server before the caches know",
	"stale-guard":              "no cache lags behind",
	"keep-conditions":          "nobody else writes conditions",
	"retention-field":          "no scenario of an old version changes the policy",
	"min-ready-seconds-field":  "no scenario of an old version changes minReadySeconds",
	"max-unavailable-field":    "the words of refusals are no difference in behaviour",
	"mutable-in-order":         "the words of refusals are no difference in behaviour",
	"ordinals-field":           "no scenario of an old version changes the start",
	"declarative-validation":   "the words of refusals are no difference in behaviour",
	"own-places":               "the words of refusals are no difference in behaviour",
	"name-conflicts":           "a warning and the words of an error are no difference in behaviour",
}

// TestEveryDifferenceIsShown: reverting any named difference changes what happens in some scenario of the library, or
// there is a reason why it cannot.
func TestEveryDifferenceIsShown(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	files, err := fs.Glob(scenarios.FS, "*/*.yaml")
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, file := range files {
		s := parseScenario(t, file, "")
		as := playUnder(s, s.Profile)
		for _, d := range statefulset.Differences {
			// Those that cannot be seen are looked for where one would put them.
			_, listed := unseen[d.Name]
			if listed && !strings.HasPrefix(file, "versions/") {
				continue
			}
			if !shown[d.Name] && versus.Find(as, playUnder(s, d.With(s.Profile, !d.On(s.Profile)))) != nil {
				shown[d.Name] = true
			}
		}
	}
	for _, d := range statefulset.Differences {
		why, listed := unseen[d.Name]
		assert.False(t, listed && shown[d.Name], "%s is shown: take it off the list (%s)", d.Name, why)
		assert.True(t, listed || shown[d.Name], "no scenario shows %s", d.Name)
	}
}

func playUnder(s *scenario.Scenario, profile statefulset.Profile) []timeline.Event {
	under := *s
	under.Profile = profile
	return sim.New(under.Config(scenario.RunOptions{})).Run(under.Steps)
}
