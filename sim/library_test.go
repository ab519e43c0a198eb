package sim_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
)

// TestLibrary plays every scenario of the library, with a history and without. What each prints is beside its file.
func TestLibrary(t *testing.T) { beside(t, "*/*") }

// TestGoesOn stops the worlds of the library and begins them again.
func TestGoesOn(t *testing.T) {
	for room, globs := range map[string][]string{
		"audit: owners and lives":                   {"owners/*", "identity/*", "deletion/*", "containers/*", "failed-pods/*"},
		"behaviour: how pods behave":                {"probes/*", "timings/*", "quorum/*", "stuck/*"},
		"cache, manager: late, slow and faulty":     {"machinery/*", "faults/*", "min-ready/*", "max-unavailable/*"},
		"disruption: budgets and drains":            {"drain/*"},
		"dns: Services":                             {"dns/*"},
		"kernel, manager: instants that do not end": {"versions/hot-loop*", "versions/recreate*"},
		"nodes: silent, off, and back":              {"nodes/*"},
		"scheduler, storage: claims and nodes":      {"claims/*"},
		"store: writes, refusals and histories":     {"refusals/*", "rollback/*", "history/*", "ordinals/*"},
		"workqueue, the world: several sets":        {"several-sets/*"},
	} {
		t.Run(room, func(t *testing.T) { goesOn(t, false, globs) })
	}
}

// TestSuspendedSyncsGoOn does so in the middle of syncs that read and write all that a controller does, and look at
// caches that have gone on since.
func TestSuspendedSyncsGoOn(t *testing.T) {
	goesOn(t, true, []string{"owners/*", "claims/w*", "min-ready/*", "rollback/*", "history/*", "statefulset-life/d*"})
}

// TestGoesOnFromObjects begins with objects of each kind, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	for room, globs := range map[string][]string{
		"audit: owners":       {"owners/[hmno]*", "identity/*"},
		"disruption: budgets": {"drain/[abegmo]*"},
		"dns: Services":       {"dns/*"},
		"gc: deletions":       {"deletion/[fios]*", "deletion/claims*"},
		"scheduler, storage":  {"claims/[bdfimnopw]*", "nodes/n*", "nodes/volume-of-a-node*"},
		"nodes: in trouble":   {"nodes/back-before*", "nodes/f*", "nodes/out-of-service", "nodes/out-of-service-1*"},
		"kubelet: lives of pods": {
			"quorum/c*", "containers/image-pull-back*", "containers/image-pull-takes*", "containers/l*",
			"containers/sidecars-are*", "containers/slow*", "probes/a*", "probes/i*", "probes/t*32", "probes/times*", "stuck/*",
		},
	} {
		t.Run(room, func(t *testing.T) { goesOnFromObjects(t, globs...) })
	}
}

// TestTellsApart changes one field at a time of what each room remembers: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	terminating := follows{"storage.terminating": "counts claims of the store"}
	for _, c := range []struct {
		name, room string
		follows    follows
		globs      []string
	}{
		{"lives of claims", "storage", terminating, []string{"claims/[bdt]*", "owners/o*"}},
		{"volumes", "storage", terminating, []string{"claims/*", "nodes/volume*"}},
		{"budgets", "disruption", follows{
			"budgets[].healthy":        "counts pods of the store",
			"budgets[].pods":           "counts pods of the store",
			"budgets[].told.Namespace": "is the budget's",
			"budgets[].told.Name":      "is the budget's",
		}, []string{"drain/*"}},
		{"Services", "dns", nil, []string{"dns/*"}},
		{"deletions", "gc", nil, []string{"deletion/*"}},
		{"containers and probes", "kubelet", follows{
			".main.n":                 "is the place among the containers",
			".main[].n":               "is the place among the containers",
			".init[].n":               "is the place among the containers",
			"].probed.spec.":          "the template has it",
			"lives[].main.probed.":    "nobody probes a container without a manifest",
			".node is nil":            "the pod has it",
			"lives[].node is another": "the pod has it",
			"When.Shared":             "the text has it",
		}, []string{"containers/*", "probes/*", "quorum/*", "nodes/f*", "nodes/o*", "nodes/down*"}},
		// The cache is a part of the controller manager.
		{"the manager and its cache", "manager", follows{
			"change.Kind":    "the change has an object of the kind",
			"pending[].Kind": "the change has an object of the kind",
			"running[].dead": "no sync of a controller that has died is left at a fixed point",
			"running[].next": "all inputs have been used",
			"watches[0].":    "no object is of the first of the kinds",
		}, []string{"machinery/*", "faults/*", "min-ready/*", "versions/hot-loop-a*"}},
		{"nodes", "nodes", follows{"zones[].name": "the key has it"}, []string{"nodes/*"}},
		{"pods that wait", "scheduler", nil, []string{"claims/*", "nodes/*"}},
	} {
		t.Run(c.name, func(t *testing.T) { tellsApart(t, c.room, c.follows, c.globs...) })
	}
}

// library calls play for each scenario of the library whose name matches one of the globs, as drain/*. load parses it:
// a scenario can be played once.
func library(t *testing.T, globs []string, play func(name string, load func() *scenario.Scenario)) {
	files, err := fs.Glob(scenarios.FS, "*/*.yaml")
	require.NoError(t, err)
	played := 0
	for _, file := range files {
		name := strings.TrimSuffix(file, ".yaml")
		if !slices.ContainsFunc(globs, func(glob string) bool { return matches(glob, name) }) {
			continue
		}
		if played++; testing.Short() && played%3 != 1 {
			continue
		}
		play(name, func() *scenario.Scenario {
			data, err := fs.ReadFile(scenarios.FS, file)
			require.NoError(t, err)
			theme, err := fs.Sub(scenarios.FS, path.Dir(file))
			require.NoError(t, err)
			s, err := scenario.Parse(path.Base(file), data, theme, scenario.Options{})
			require.NoError(t, err)
			return s
		})
	}
	require.NotZero(t, played, "no scenario matches %v", globs)
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return err == nil && ok
}
