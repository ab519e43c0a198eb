package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cells are the texts of a row, and its tone.
func cells(row html.Row) (list []string, tone report.Tone) {
	for _, cell := range row.Cells {
		list = append(list, cell.Text)
	}
	return list, row.Tone
}

// TestRowsOfADump: for each way in which a set can stand, what its row on the page says, its colour, and what its section says behind the reasons.
func TestRowsOfADump(t *testing.T) {
	at := func(d time.Duration) explain.Instant { return explain.Instant(d) }
	wait := func(since time.Duration) []*explain.Wait {
		return []*explain.Wait{{Code: "WaitingForReady", Object: "web-0", Since: at(since)}}
	}
	heals, useless := explain.WayOut{What: "delete web-0", Heals: true}, explain.WayOut{What: "undo"}
	danger := explain.WayOut{What: "force it", Danger: "its machine is off"}
	forced := explain.WayOut{What: "force it", Heals: true, Danger: "its machine is off"}
	state := func(s judge.State) judge.Judgement { return judge.Judgement{State: s} }
	const none = "None of the tried fixes works: the cause itself has to be fixed."
	const fixes = "Fixes, the safest first (each simulated from this state, as printed):"
	for _, c := range []struct {
		name              string
		set               explain.LiveSet
		word, waits, when string
		ends              string
		tone              report.Tone
		last              string // of the lines of its section
		after             string
	}{
		{"at rest", explain.LiveSet{Judgement: state(judge.AtRest), AtRest: true}, "AT REST", "", "", "", report.Plain, "", ""},
		{"it goes on", explain.LiveSet{Judgement: state(judge.Continues), GoesOn: true, Waits: wait(-time.Minute)}, "CONTINUES", "WaitingForReady web-0", "60s ago",
			"it completes by itself", report.Plain, "", ""},
		{"it waits from the dump on", explain.LiveSet{Judgement: state(judge.Continues), GoesOn: true, Waits: wait(0)}, "CONTINUES", "WaitingForReady web-0", "",
			"it completes by itself", report.Plain, "", ""},
		{"nobody knows", explain.LiveSet{Judgement: state(judge.Unknown), Unknown: "1 of 2 is Ready"}, "UNKNOWN", "", "", "1 of 2 is Ready", report.Waiting, "", ""},
		{"stuck", explain.LiveSet{Judgement: state(judge.Stuck), WaysOut: []explain.WayOut{useless, danger}}, "STUCK", "", "", "it probably does not continue by itself", report.Wrong,
			none, "Not enough (simulated): undo."},
		{"stuck, and there is a fix", explain.LiveSet{Judgement: state(judge.Stuck), WaysOut: []explain.WayOut{useless, heals, danger}}, "STUCK", "", "",
			"Delete web-0", report.Wrong, fixes, "Not enough (simulated): undo."},
		{"stuck, and the fix is dangerous", explain.LiveSet{Judgement: state(judge.Stuck), WaysOut: []explain.WayOut{useless, forced}}, "STUCK", "", "",
			"Force it", report.Wrong, "Fixes, each with a DANGER (each simulated from this state, as printed):", "Not enough (simulated): undo."},
		{"data is at risk", explain.LiveSet{Judgement: state(judge.AtRest), AtRest: true, AtRisk: []*explain.Risk{{Claim: "data-web-0", Pod: "web-0"}}}, "AT REST", "", "",
			"data is at risk", report.Wrong, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.set.Serving, c.set.Replicas = 1, 2
			list, tone := cells(liveRow(&c.set))
			require.Equal(t, []string{c.word, "1 of 2", c.waits, c.when}, []string{list[0], list[2], list[3], list[4]})
			require.Contains(t, list[5], c.ends)
			require.Equal(t, c.ends == "", list[5] == "")
			require.Equal(t, c.tone, tone)
			section := liveSection(&c.set, 1)
			require.Equal(t, c.tone, section.Tone)
			if c.last != "" {
				require.Equal(t, c.last, section.Lines[len(section.Lines)-1])
			} else {
				require.NotContains(t, section.Lines, none)
				require.NotContains(t, section.Lines, fixes)
			}
			require.Equal(t, c.after, strings.Join(section.After, " "))
			require.Len(t, section.Ways, len(healing(&c.set)))
			for i, way := range healing(&c.set) {
				require.Equal(t, way.Danger != "", section.Ways[i].Dangerous)
			}
		})
	}
}

// TestRunsOnAPage: a run is on the page if there is one and it is not too long, under the name of its set if there are
// several.
func TestRunsOnAPage(t *testing.T) {
	one, two := &explain.Live{Sets: make([]*explain.LiveSet, 1)}, &explain.Live{Sets: make([]*explain.LiveSet, 2)}
	way := func(events int) *explain.WayOut {
		return &explain.WayOut{What: "undo", Events: make([]timeline.Event, events)}
	}
	require.Nil(t, wayRun(one, &explain.LiveSet{}, way(0)))
	require.Nil(t, wayRun(one, &explain.LiveSet{}, way(mostEvents+1)))
	require.Len(t, wayRun(one, &explain.LiveSet{}, way(mostEvents)).Events, mostEvents)
	require.Equal(t, "undo", wayRun(one, &explain.LiveSet{}, way(1)).Name)
	require.Regexp(t, ".+: undo", wayRun(two, &explain.LiveSet{}, way(1)).Name)
	o := &explainOptions{files: []string{"a/b.yaml", "-"}}
	require.Equal(t, []string{"b.yaml", "standard input"}, o.dumped())
}

// TestIgnoredObjects: a few are named, and more are counted by their kinds, the most first.
func TestIgnoredObjects(t *testing.T) {
	names := []string{"Secret a", "ConfigMap a", "Ingress a", "ConfigMap b", "Ingress b", "ConfigMap c"}
	told := func(n int) string {
		var out bytes.Buffer
		tellInput(&out, "f.yaml", &played{ignored: names[:n], warnings: []string{"odd"}})
		return out.String()
	}
	require.Equal(t, "warning: odd\nf.yaml: Secret a has no effect and is ignored\nf.yaml: ConfigMap a has no effect and is ignored\n", told(2))
	require.Contains(t, told(5), "f.yaml: Ingress b has no effect and is ignored\n")
	require.Equal(t, "warning: odd\nf.yaml: 6 objects have no effect and are ignored: 3 ConfigMap, 2 Ingress, 1 Secret\n", told(6))
}

// TestSearchIsRepeated: the shards of a search get every flag that says what is searched.
func TestSearchIsRepeated(t *testing.T) {
	inputs(t)
	code, out, errors := call(t, simulator, "", strings.Fields("explore --job 2 --no-promise ordered-start --deviations 2 --random "+
		"--seed 4 --kubernetes 1.36 --promise ordered-stop --runs 7 fine.yaml")...)
	require.Zero(t, code, errors)
	require.Contains(t, out, `"--seed", "4", "--kubernetes", "1.36", "--promise", "ordered-stop", "--runs", "7", `+
		`"--no-promise", "ordered-start", "--deviations", "2", "--random"`)
	code, out, _ = call(t, simulator, "", "explore", "--job", "2", "fine.yaml")
	require.Zero(t, code)
	require.NotContains(t, out, "--deviations")
	require.NotContains(t, out, "--random")
}

// TestShardsOfASweep: each plays its part of the seeds, from the one that is asked for, and together they are the whole.
func TestShardsOfASweep(t *testing.T) {
	inputs(t)
	sweep := func(words string) string {
		code, out, errors := call(t, simulator, "", strings.Fields("sweep -o json --seed 3 --runs 5 "+words+" fine.yaml")...)
		require.Zero(t, code, errors)
		return out
	}
	require.Contains(t, sweep("--shard 0/2"), `"first": 3,
      "runs": 3,`)
	require.Contains(t, sweep("--shard 1/2"), `"first": 3,
      "runs": 2,`)
	require.NotContains(t, sweep(""), "shards")
	require.NotContains(t, sweep("--shard 0/1"), "shards")
}
