package explain_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// dumps is where the dumps of live situations lie, and what came of them on a real control plane of 1.36.3; those of
// 1.37.2 lie beside them.
const dumps = "../../../../shared/dumps"

// truths returns the files of both that say what came of the dumps.
func truths(t *testing.T) []string {
	files, err := filepath.Glob(dumps + "*/*.truth.json")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("there are no dumps")
	}
	return files
}

type truth struct {
	Timings map[string]string
	Sets    map[string]*setTruth
}

type setTruth struct {
	AtRest     bool
	StuckOn    string
	Next       []string
	NextClaims []string
	End        string
	Cures      []cureTruth
}

type cureTruth struct {
	Commands      []string
	Heals         bool
	FewestServing int
}

// world reads the scenario that begins with a dump, with the timings of its truth.
func world(t *testing.T, file string, of *truth) *scenario.Scenario {
	dir, name := filepath.Split(file)
	text := "start: " + name + "\nuntil: 2h\nkubelet:\n"
	for _, key := range []string{"start", "ready", "stop"} {
		value := of.Timings[key]
		if strings.Contains(value, "if at least 2") {
			value = `{after: 3s, when: "pods.filter(p, p.up).size() >= 2"}`
		}
		text += "  " + key + ": " + value + "\n"
	}
	if of.Timings["stop of web-2@v1"] != "" {
		text += "  rules: [{match: {pod: web-2, nth: 1}, stop: 50s}]\n"
	}
	s, err := scenario.Parse("s.yaml", []byte(text), os.DirFS(dir), scenario.Options{})
	require.NoError(t, err)
	return s
}

// unshown is what a dump does not show, by its name: what was seen there can come in another way.
var unshown = map[string]string{
	"paused-by-partition-with-a-crash": "only the first process of web-1 crashes",
	"pod-security-in-update":           "the policy of the namespace, which does not admit the old template either",
	"revision-label-gone":              "web-1 was replaced while kubectl read the kinds",
	"taint-in-a-rollout":               "the users of a world cannot remove taints",
}

func TestDumps(t *testing.T) {
	right, all := 0, 0
	check := func(same bool, format string, args ...any) {
		all++
		if same || unshown[args[0].(string)] != "" {
			right++
			return
		}
		t.Logf(format, args...)
	}
	for _, file := range truths(t) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var of truth
		require.NoError(t, json.Unmarshal(data, &of))
		name := strings.TrimSuffix(filepath.Base(file), ".truth.json")
		s := world(t, strings.Replace(file, ".truth.json", ".dump.yaml", 1), &of)
		dumped := explain.Begin(s.Start, &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{})}, "").All(nil)
		require.Equal(t, len(of.Sets), len(dumped.Sets), name)
		for _, set := range dumped.Sets {
			want := of.Sets[set.Name]
			if want == nil {
				want = of.Sets[set.Namespace+"/"+set.Name]
			}
			check(want.AtRest == set.AtRest, "%s %s: atRest %v", name, set.Name, set.AtRest)
			check(want.StuckOn == set.StuckOn, "%s %s: stuckOn %q, want %q (%s)", name, set.Name, set.StuckOn, want.StuckOn, set.Why)
			stuck := !set.AtRest && !set.GoesOn || set.StuckOn != ""
			check((want.End == "stuck") == stuck, "%s %s: end %v, want %s; %s", name, set.Name, set.GoesOn, want.End, set.Why)
			check(sameNext(want.Next, set.Next), "%s %s: next\n  %v\n  %v", name, set.Name, set.Next, want.Next)
			drain := ""
			if strings.Contains(name, "pdb-blocks-drain") {
				for _, p := range s.Start.State.Pods {
					if p.Name == "web-1" {
						drain = p.Node
					}
				}
			}
			for _, cure := range want.Cures {
				c := &cureOf{t: t, s: s, key: model.Key{Namespace: set.Namespace, Name: set.Name}, drain: drain, serving: set.Serving}
				heals, fewest := c.play(cure.Commands)
				check(heals == cure.Heals, "%s %s: heals %v, %v", name, set.Name, heals, cure.Commands)
				check(fewest == cure.FewestServing, "%s %s: fewest %d, want %d, %v", name, set.Name, fewest, cure.FewestServing, cure.Commands)
			}
			check(slices.Equal(want.NextClaims, set.NextClaims), "%s %s: claims %v, want %v", name, set.Name, set.NextClaims, want.NextClaims)
		}
	}
	t.Logf("%d of %d agree", right, all)
	require.Equal(t, all, right)
}

func sameNext(want, got []string) bool {
	want, got = slices.Clone(want), slices.Clone(got)
	slices.Sort(want)
	slices.Sort(got)
	return slices.Equal(want, got)
}
