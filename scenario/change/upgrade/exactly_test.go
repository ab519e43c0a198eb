package upgrade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade/upgradetest"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestNamesExactly: an upgrade from 1.37 to 1.38 names exactly the sets whose runs differ between the versions: those of
// the manifests of others, of the library, and random ones. A run is a case of the catalogue, played in full on both;
// for a hazard it is the run in which the set would meet it. The quick tier takes one set in ten, and the two profiles
// stand for the real code. .ci/tasks/differences gives two programs that play the runs with that code itself.
func TestNamesExactly(t *testing.T) {
	o, all := path(t, [2]string{"1.37", "1.38"}, false), gathered(t)
	var sets []*Set
	shapes := map[string]bool{}
	for i, set := range all {
		report := (&Input{Sets: []*Set{set}}).Compare(o)
		if len(report.Invalid) > 0 || shapes[set.shape] || testing.Short() && i%10 != 0 {
			continue // both versions refuse it, or one like it is there
		}
		shapes[set.shape], sets = true, append(sets, set)
	}
	runs := [2]map[*Set]upgradetest.Played{playedBy(t, "UPGRADE_FROM", &o, o.From, sets), playedBy(t, "UPGRADE_TO", &o, o.To, sets)}
	named, differ, played := 0, 0, 0
	for _, set := range sets {
		report := (&Input{Sets: []*Set{set}}).Compare(o)
		from, to := runs[0][set], runs[1][set]
		require.NotEmpty(t, from.Cases, set.Position)
		answers := len(newPlayer(set.object, &o).api(o.hops()[0])) > 0
		require.Equal(t, report.Differing == 1, answers || !maps.Equal(from.Cases, to.Cases), "%s %s", set.Position, set.Describe())
		for j := range hazards {
			is := slices.ContainsFunc(report.Hazards, func(h *Hazard) bool { return h.Trap == hazards[j].trap })
			require.Equal(t, is, meets(&o, hazards[j].trap, set, from, to), "%s: %s %s", hazards[j].trap, set.Position, set.Describe())
			if is {
				named++
			}
		}
		played += len(from.Cases) + len(from.Hazards)
		differ += report.Differing
	}
	t.Logf("%d sets of %d shapes, %d runs on each version, %d differ, %d times a hazard", len(all), len(sets), played, differ, named)
	require.NotZero(t, differ)
	require.NotZero(t, named)
}

// gathered returns 300 random sets, those of the manifests of others, and those of the library.
func gathered(t *testing.T) []*Set {
	var sets []*Set
	random := rand.New(rand.NewPCG(1, 38))
	for n := range 300 {
		one := setsIn(fmt.Sprintf("%d.yaml", n), manifestOf(n, randomSpec(random)))
		require.Len(t, one, 1)
		sets = append(sets, one...)
	}
	_ = filepath.WalkDir("../../../../shared/manifests", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".yaml" {
			return nil
		}
		if data, err := os.ReadFile(file); err == nil {
			sets = append(sets, setsIn(file, string(data))...)
		}
		return nil
	})
	return append(sets, library(t)...)
}

// texts are the files of the sets.
var texts = map[string]string{}

// setsIn reads the sets of a file; none if it is not understood.
func setsIn(file, text string) []*Set {
	one := &Input{}
	if one.Read(file, []byte(text), strict.Limits{}) != nil {
		return nil
	}
	texts[file] = text
	for _, set := range one.Sets {
		set.Position = file
	}
	return one.Sets
}

// library returns the sets of the scenarios of the library, as they are at the end of each.
func library(t *testing.T) []*Set {
	files, err := filepath.Glob("../../../scenarios/*/*.yaml")
	require.NoError(t, err)
	var sets []*Set
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		s, err := scenario.Parse(file, data, os.DirFS(filepath.Dir(file)), scenario.Options{})
		if err != nil {
			continue // a manifest, or a part of a scenario
		}
		var last *timeline.Fold
		for world := range timeline.Ticks(s.Run(scenario.RunOptions{}).Timeline) {
			last = world
		}
		state := &sim.State{}
		for _, set := range last.Sets() {
			state.Sets = append(state.Sets, set.Spec)
		}
		var printed bytes.Buffer
		require.NoError(t, printing.Print(&printed, state, time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)))
		sets = append(sets, setsIn(file, printed.String())...)
	}
	require.Greater(t, len(sets), 30)
	return sets
}

// playedBy plays the sets on a version: with the program that an environment variable names, or with the profile.
func playedBy(t *testing.T, player string, o *Options, profile statefulset.Profile, sets []*Set) map[*Set]upgradetest.Played {
	all := map[*Set]upgradetest.Played{}
	if os.Getenv(player) != "" {
		return playedByProgram(t, os.Getenv(player), o, sets)
	}
	every := *o
	every.everything = true
	for _, set := range sets {
		p := newPlayer(set.object, &every)
		of := upgradetest.Played{Cases: map[string]string{}, Hazards: map[string]string{}}
		for _, c := range p.cases() {
			of.Cases[c.Name] = upgradetest.Digest(upgradetest.Seen(p.play(c, o.From, profile, 0)))
		}
		for _, trap := range upgradetest.Hazards {
			of.Hazards[trap] = upgradetest.Digest(upgradetest.Seen(upgradetest.Meet(trap, set.object, play.Lab{Profile: profile})))
		}
		all[set] = of
	}
	return all
}

// playedByProgram asks a program what a version does with the sets, each in its file.
func playedByProgram(t *testing.T, program string, o *Options, sets []*Set) map[*Set]upgradetest.Played {
	folder := t.TempDir()
	in, out := filepath.Join(folder, "sets"), filepath.Join(folder, "played")
	var lines bytes.Buffer
	for _, set := range sets {
		require.NoError(t, json.NewEncoder(&lines).Encode(upgradetest.Source{
			File: set.Position, Text: texts[set.Position], Key: set.Key.String(), From: o.Names[0], To: o.Names[1],
		}))
	}
	require.NoError(t, os.WriteFile(in, lines.Bytes(), 0o644))
	command := exec.Command(program)
	command.Env = append(os.Environ(), "UPGRADE_SETS="+in, "UPGRADE_PLAYED="+out)
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	var unlike []string
	all, decoder := map[*Set]upgradetest.Played{}, json.NewDecoder(bytes.NewReader(data))
	for _, set := range sets {
		var one upgradetest.Played
		require.NoError(t, decoder.Decode(&one))
		require.Equal(t, set.Key.String(), one.Key, set.Position)
		if all[set] = one; one.Unlike != "" {
			unlike = append(unlike, fmt.Sprintf("%s %s: %s", set.Position, one.Key, one.Unlike))
		}
	}
	require.Empty(t, unlike, "%s does something else than the simulator", program)
	return all
}

// randomSpec draws a spec with what 1.38 treats differently more often than people write it.
func randomSpec(r *rand.Rand) string {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	strategy := pick("type: RollingUpdate", "type: OnDelete", "type: Recreate", "rollingUpdate: {}",
		fmt.Sprintf("rollingUpdate: {partition: %d}", r.IntN(6)),
		fmt.Sprintf("rollingUpdate: {partition: %d, maxUnavailable: %d}", r.IntN(5), 1+r.IntN(4)),
		fmt.Sprintf("rollingUpdate: {partition: %d, maxUnavailable: %d%%}", r.IntN(5), 1+r.IntN(100)))
	return fmt.Sprintf("replicas: %d, podManagementPolicy: %s, updateStrategy: {%s}, %s%sminReadySeconds: %d", r.IntN(7),
		pick("OrderedReady", "Parallel"), strategy, pick("", "", "ordinals: {start: 2}, "),
		pick("", "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: "+
			"{requests: {storage: 1Gi}}}}], persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, "), r.IntN(2)*5)
}

// meets reports whether the runs differ in which a set would meet a hazard.
func meets(o *Options, trap string, set *Set, on, then upgradetest.Played) bool {
	switch from, to := newPlayer(set.object, o).stored(o.From), newPlayer(set.object, o).stored(o.To); {
	case trap == "recreate-by-apply":
		return from.refusal != "" && strings.Contains(from.refusal, "Recreate") && to.refusal == ""
	case from.refusal != "" || to.refusal != "":
		// Nothing of it is at rest under the old version. Parallel may meet the first hazard under the new one.
		return trap == "surplus-holds-up" && set.object.Spec.PodManagement == model.Parallel && set.object.Spec.Replicas > 0
	}
	return on.Hazards[trap] != then.Hazards[trap]
}
