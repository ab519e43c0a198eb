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
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// dumps is where the dumps of live situations lie, and what came of them on a real control plane.
const dumps = "../../../../shared/dumps"

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
func world(t *testing.T, name string, of *truth) *scenario.Scenario {
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
	s, err := scenario.Parse("s.yaml", []byte(text), os.DirFS(dumps), scenario.Options{})
	require.NoError(t, err)
	return s
}

func TestDumps(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(dumps, "*.truth.json"))
	if len(files) == 0 {
		t.Skip("there are no dumps")
	}
	right, all := 0, 0
	check := func(same bool, format string, args ...any) {
		all++
		if same {
			right++
			return
		}
		t.Logf(format, args...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var of truth
		require.NoError(t, json.Unmarshal(data, &of))
		name := strings.TrimSuffix(filepath.Base(file), ".truth.json")
		s := world(t, name+".dump.yaml", &of)
		live := explain.ExplainLive(s.Start, &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{})})
		require.Equal(t, len(of.Sets), len(live.Sets), name)
		for _, set := range live.Sets {
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
