package upgrade

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// setText is a StatefulSet with a spec in flow style.
func setText(name, spec string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: %s}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: db, image: "db:1"}, {name: side, image: "side:1"}]}
%s
---
`, name, spec)
}

func read(t *testing.T, manifests ...string) *Input {
	t.Helper()
	in := &Input{}
	require.NoError(t, in.Read("sets.yaml", []byte(strings.Join(manifests, "")), strict.Limits{}))
	return in
}

func between(t testing.TB, from, to string) Options {
	t.Helper()
	o := Options{Names: [2]string{from, to}}
	for i, profile := range []*statefulset.Profile{&o.From, &o.To} {
		found, err := statefulset.Lookup(o.Names[i])
		require.NoError(t, err)
		*profile = found
	}
	return o
}

// TestCompare: which cases of a set differ between two versions, and by which differences.
func TestCompare(t *testing.T) {
	tests := []struct {
		name, spec, from, to string
		// rows are CASE: CAUSES, those that are worse with a ! before them, in the order of the report.
		rows []string
		api  []string
	}{
		{
			name: "ordered", spec: "  replicas: 3", from: "1.36", to: "1.37",
		},
		{
			name: "ordered, of the type alone", spec: "  replicas: 3\n  updateStrategy: {type: RollingUpdate}", from: "1.36", to: "1.37",
		},
		{
			name: "ordered with much", from: "1.36", to: "1.37",
			spec: "  replicas: 4\n  minReadySeconds: 10\n  ordinals: {start: 3}\n" +
				"  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}",
		},
		{
			name: "none", spec: "  replicas: 0\n  podManagementPolicy: Parallel", from: "1.36", to: "1.37",
		},
		{
			name: "one", spec: "  podManagementPolicy: Parallel", from: "1.36", to: "1.37",
		},
		{
			name: "the hot loop", from: "1.36", to: "1.37",
			spec: "  replicas: 4\n  podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate}",
			rows: []string{
				"!unready: max-unavailable, broken-first", "!restart: max-unavailable, broken-first",
				"!together: max-unavailable, broken-first", "fixed: max-unavailable, broken-first",
			},
		},
		{
			name: "parallel with its block", spec: "  replicas: 4\n  podManagementPolicy: Parallel", from: "1.36", to: "1.37",
			rows: []string{"!together: max-unavailable, broken-first", "fixed: max-unavailable, broken-first",
				"unready: max-unavailable, broken-first", "restart: max-unavailable"},
		},
		{
			name: "the deadlock of 1.35.0", spec: "  replicas: 2\n  podManagementPolicy: Parallel", from: "1.34", to: "1.35.2",
			rows: []string{"!never-starts: max-unavailable", "!broken: max-unavailable", "!fixed: max-unavailable",
				"!unready: max-unavailable", "together: max-unavailable"},
		},
		{
			name: "parallel with minReadySeconds", from: "1.33", to: "1.34",
			spec: "  replicas: 2\n  podManagementPolicy: Parallel\n  minReadySeconds: 30",
			rows: []string{"image: availability", "fixed: availability", "unready: availability", "young: availability",
				"again: availability", "together: availability"},
		},
		{
			name: "ordered with minReadySeconds", spec: "  replicas: 1\n  minReadySeconds: 30", from: "1.33", to: "1.34",
			rows: []string{"scale-back: availability"},
		},
		{
			name: "a percentage of pods that may be unavailable", from: "1.36", to: "1.37",
			spec: "  replicas: 4\n  podManagementPolicy: Parallel\n  updateStrategy: {rollingUpdate: {maxUnavailable: 50%}}",
			rows: []string{"!together: max-unavailable, broken-first", "image: max-unavailable", "never-starts: max-unavailable",
				"broken: max-unavailable", "fixed: max-unavailable, broken-first", "unready: max-unavailable, broken-first",
				"restart: max-unavailable"},
			api: []string{"spec.updateStrategy.rollingUpdate.maxUnavailable: 50% is dropped by 1.36 and kept by 1.37"},
		},
		{
			name: "by hand", spec: "  replicas: 2\n  updateStrategy: {type: OnDelete}", from: "1.36", to: "1.37",
			rows: []string{"by-hand: complete-any-strategy"},
		},
		{
			name: "below the partition", from: "1.27.3", to: "1.27.4",
			spec: "  replicas: 3\n  updateStrategy: {rollingUpdate: {partition: 1}}",
			rows: []string{"partition: slow-start"},
		},
		{
			name: "maxUnavailable", from: "1.36", to: "1.37",
			spec: "  replicas: 2\n  updateStrategy: {rollingUpdate: {maxUnavailable: 2}}",
			rows: []string{"image: max-unavailable", "never-starts: max-unavailable", "broken: max-unavailable",
				"restart: max-unavailable", "together: max-unavailable"},
			api: []string{"spec.updateStrategy.rollingUpdate.maxUnavailable: 2 is dropped by 1.36 and kept by 1.37"},
		},
		{
			name: "a field that is dropped", spec: "  replicas: 1\n  ordinals: {start: 1}", from: "1.27", to: "1.26",
			rows: nil,
			api:  []string{"spec.ordinals.start: 1 is dropped by 1.26 and kept by 1.27"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			report := read(t, setText("web", tt.spec)).Compare(between(t, tt.from, tt.to))
			var rows, api []string
			for _, g := range report.Groups {
				api = append(api, g.API...)
				for _, row := range g.Rows {
					rows = append(rows, described(row))
				}
			}
			if tt.name == "a field that is dropped" {
				rows = nil // Every case differs, since the pods have other names.
			}
			require.Equal(t, tt.rows, rows)
			require.Equal(t, tt.api, api)
			if len(tt.rows)+len(tt.api) > 0 {
				require.Equal(t, [2]int{1, 0}, [2]int{report.Differing, report.Alike})
			} else {
				require.Equal(t, [2]int{0, 1}, [2]int{report.Differing, report.Alike})
			}
		})
	}
}

func described(row *Row) string {
	var causes []string
	for _, d := range row.Parting.Causes {
		causes = append(causes, d.Name)
	}
	mark := ""
	if row.IsWorse {
		mark = "!"
	}
	return mark + row.Case + ": " + strings.Join(causes, ", ")
}

// TestUnmodelledIsNamed: a quota has an effect in a cluster, and is not called ignored.
func TestUnmodelledIsNamed(t *testing.T) {
	in := read(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: few}\n")
	require.Empty(t, in.Ignored)
	require.Contains(t, in.Compare(between(t, "1.36", "1.37")).notes(&View{}),
		"The ResourceQuota few is not modelled. Assumed: it refuses nothing.")
}

// TestIgnoredInAnyOrder: which kinds are ignored does not depend on the order of the files. Where pods are live, nodes
// and budgets are part of the state.
func TestIgnoredInAnyOrder(t *testing.T) {
	const live = "apiVersion: v1\nkind: Pod\nmetadata: {name: lonely}\nspec: {containers: [{name: a, image: b}]}\n" +
		"status: {phase: Running}\n"
	const others = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	for _, files := range [][]string{{live, others}, {others, live}} {
		in := &Input{}
		for i, file := range files {
			require.NoError(t, in.Read(fmt.Sprintf("%d.yaml", i), []byte(file), strict.Limits{}))
		}
		require.NoError(t, in.ReadState(strict.Limits{}))
		require.Equal(t, []string{"ConfigMap"}, in.Ignored)
	}
	in := read(t, others)
	require.NoError(t, in.ReadState(strict.Limits{}))
	require.Equal(t, []string{"Node", "ConfigMap"}, in.Ignored)
}

// TestCockroachDB: a manifest with the settings that CockroachDB documents falls into the hot loop of 1.37, and is told
// what helps.
func TestCockroachDB(t *testing.T) {
	data, err := os.ReadFile("../../../scenarios/manifests/cockroachdb/cockroachdb.yaml")
	require.NoError(t, err)
	in := read(t, string(data))
	require.Equal(t, []string{"Service", "PodDisruptionBudget"}, in.Ignored)
	report := in.Compare(between(t, "1.36", "1.37"))
	require.Len(t, report.Groups, 1)
	row := report.Groups[0].Rows[0]
	require.Equal(t, "!unready: max-unavailable, broken-first", described(row))
	require.Contains(t, row.Endings[0], "settles after 25s")
	require.Equal(t, "keeps writing and never converges (again and again: create cockroachdb-0@1 (cockroach:v24.1), delete cockroachdb-0), "+
		"at least 2 of 3 serve", row.Endings[1])
	require.Contains(t, row.Advice, "rollingUpdate: {partition: 0}")
}

// TestShapes: sets that differ in what does not matter are played once and told together, in the order of the input;
// those that come off worse come first.
func TestShapes(t *testing.T) {
	byHand, loop := "  replicas: 2\n  updateStrategy: {type: OnDelete}",
		"  replicas: 4\n  podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate}"
	atOnce := strings.Replace(setText("at-once", "  replicas: 2"), "{containers", "{terminationGracePeriodSeconds: 0, containers", 1)
	in := read(t, setText("hand-1", byHand), setText("quiet", "  replicas: 2"), setText("loop-1", loop), atOnce,
		setText("hand-2", byHand+"\n  serviceName: other"), setText("loop-2", loop), setText("quiet-2", "  replicas: 2"))
	shapes := 0
	o := between(t, "1.36", "1.37")
	o.Each = func(n int, work func(int)) {
		shapes = n
		for i := range n {
			work(n - 1 - i)
		}
	}
	report := in.Compare(o)
	require.Equal(t, 4, shapes, "OnDelete, two pods, four pods, and pods that are gone at once")
	var groups []string
	for _, g := range report.Groups {
		var names []string
		for _, set := range g.Sets {
			names = append(names, strings.TrimPrefix(set, "default/"))
		}
		groups = append(groups, strings.Join(names, " "))
	}
	require.Equal(t, []string{"loop-1 loop-2", "hand-1 hand-2"}, groups)
	require.Equal(t, [2]int{4, 3}, [2]int{report.Differing, report.Alike})
	require.Equal(t, "Parallel, 4 replicas, updateStrategy {type: RollingUpdate} without rollingUpdate", in.Set(model.Key{Namespace: "default", Name: "loop-2"}).Describe())
}

// TestNoListIsNull: the JSON of a report has an empty list where there is nothing to list.
func TestNoListIsNull(t *testing.T) {
	data, err := json.Marshal(read(t, setText("web", "  replicas: 2\n  podManagementPolicy: Parallel")).Compare(between(t, "1.36", "1.37")))
	require.NoError(t, err)
	require.Contains(t, string(data), `"api":[],`)
	require.NotContains(t, string(data), "null")
}

// TestRefused: what only one version refuses is told, and its runs differ.
func TestRefused(t *testing.T) {
	o := between(t, "1.37", "1.36")
	o.From, _ = o.From.WithGates(map[string]bool{"StatefulSetRecreateStrategy": true})
	report := read(t, setText("web", "  replicas: 2\n  updateStrategy: {type: Recreate}")).Compare(o)
	require.Len(t, report.Groups, 1)
	require.Contains(t, report.Groups[0].API[0], "1.36 refuses it, and 1.37 does not: StatefulSet.apps \"web\" is invalid")
	back := Options{From: o.To, To: o.From, Names: [2]string{"1.36", "1.37"}}
	there := read(t, setText("web", "  replicas: 2\n  updateStrategy: {type: Recreate}")).Compare(back)
	require.Equal(t, report.Groups[0].API, there.Groups[0].API, "the same on the way there as on the way back")
	back.Path = []Stop{
		{Name: "1.35", Profile: between(t, "1.35", "1.35").From}, {Name: "1.36", Profile: back.From},
		{Name: "1.37", Profile: back.To},
	}
	require.Equal(t, report.Groups[0].API, read(t, setText("web", "  replicas: 2\n  updateStrategy: {type: Recreate}")).Sets[0].APIBetween(back),
		"of the first version and the last, whatever lies between them")
}

// TestInterrupted: what is not played is not counted.
func TestInterrupted(t *testing.T) {
	o := between(t, "1.36", "1.37")
	o.Interrupted = func() bool { return true }
	report := read(t, setText("web", "  replicas: 2")).Compare(o)
	require.True(t, report.Interrupted)
	require.Zero(t, report.Alike)
}

// TestProblems: all that is wrong in a file is told, with its place.
func TestProblems(t *testing.T) {
	in := &Input{}
	wrong := setText("web", "  replicas: -1") + setText("db", "  replicas: two") + setText("fine", "  replicas: 2")
	require.NoError(t, in.Read("sets.yaml", []byte(wrong), strict.Limits{}))
	require.Len(t, in.Sets, 1, "one set that is wrong does not keep the others from being looked at")
	require.Len(t, in.Invalid, 2)
	require.Contains(t, in.Invalid[0], "sets.yaml:19:13: spec.replicas")
	require.Contains(t, in.Invalid[1], "sets.yaml:9:13: spec.replicas: Invalid value: -1")
	require.Equal(t, in.Invalid, in.Compare(between(t, "1.36", "1.37")).Invalid)
	in = &Input{}
	require.NoError(t, in.Read("a.yaml", []byte(setText("web", "")), strict.Limits{}))
	require.ErrorContains(t, in.Read("b.yaml", []byte(setText("web", "")), strict.Limits{}),
		"b.yaml:1:1: the StatefulSet default/web occurs twice: the first is at a.yaml:1")
	require.ErrorContains(t, (&Input{}).Read("c.yaml", []byte("\x00"), strict.Limits{}), "c.yaml")
}

// TestCases: every case has a name of its own, and what every set is put through settles on the newest version for a
// plain set.
func TestCases(t *testing.T) {
	in := read(t, setText("web", "  replicas: 3\n  podManagementPolicy: Parallel"))
	player := newPlayer(in.Sets[0].object, &Options{})
	newest, err := statefulset.Lookup("")
	require.NoError(t, err)
	var names []string
	for _, c := range player.cases() {
		require.NotContains(t, names, c.Name)
		names = append(names, c.Name)
		events := player.play(c, newest, newest, 0)
		require.Equal(t, events, player.play(c, newest, newest, 0), "%s is not the same twice", c.Name)
		if c.Name != "unready" {
			require.Equal(t, timeline.Settled, events[len(events)-1].Result.Verdict, c.Name)
		}
		for i := range events {
			if step := events[i].Step; step != nil {
				require.NotContains(t, []timeline.Effect{timeline.None, timeline.Refused}, step.Effect, "%s: %s", c.Name, step.Does)
			}
		}
	}
	require.True(t, slices.Contains(names, "restart") && !slices.Contains(names, "partition"))
	require.Equal(t, names, in.Sets[0].CaseNames())
	require.Len(t, in.Sets[0].Show("", between(t, "1.36", "1.37")), len(names))
	require.Empty(t, in.Sets[0].Show("nothing", between(t, "1.36", "1.37")))
}

// TestCauses: of runs that differ in how they end alone the causes are those without which they end alike; if there are
// several, of which each is enough, these. What ends a run shows only where it is played in full.
func TestCauses(t *testing.T) {
	o := between(t, "1.36", "1.37")
	difference := func(name string) statefulset.Difference {
		at := slices.IndexFunc(statefulset.Differences, func(d statefulset.Difference) bool { return d.Name == name })
		require.True(t, statefulset.Differences[at].On(o.To) && !statefulset.Differences[at].On(o.From))
		return statefulset.Differences[at]
	}
	a, b := difference("max-unavailable"), difference("complete-any-strategy")
	for want, endless := range map[string]func(statefulset.Profile) bool{
		"[max-unavailable]":                       func(p statefulset.Profile) bool { return a.On(p) },
		"[max-unavailable complete-any-strategy]": func(p statefulset.Profile) bool { return a.On(p) || b.On(p) },
		"[complete-any-strategy max-unavailable]": func(p statefulset.Profile) bool { return a.On(p) && b.On(p) },
		"[]": func(statefulset.Profile) bool { return false },
	} {
		pair := NewPair(o.From, o.To, func(profile statefulset.Profile, until time.Duration) []timeline.Event {
			verdict := timeline.Settled
			if until > 0 || endless(profile) {
				verdict = timeline.Limit
			}
			return []timeline.Event{timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{}}.Event(),
				timeline.Entry{T: 5e9, Kind: timeline.KindResult, Result: &timeline.Result{Verdict: verdict}}.Event()}
		})
		var names []string
		for _, d := range pair.Causes() {
			names = append(names, d.Name)
		}
		require.ElementsMatch(t, strings.Fields(strings.Trim(want, "[]")), names, want)
	}
}

// TestEndlessWrites: of the writes that repeat for ever six are named, without the reasons and those of the status.
func TestEndlessWrites(t *testing.T) {
	writes := []string{"status of web"}
	for i := range 8 {
		writes = append(writes, fmt.Sprintf("delete web-%d: it is broken", i))
	}
	for n, want := range map[int]string{
		7: "delete web-0, delete web-1, delete web-2, delete web-3, delete web-4, delete web-5",
		9: "delete web-0, delete web-1, delete web-2, delete web-3, delete web-4, delete web-5 and 2 more",
	} {
		end := timeline.Entry{Kind: timeline.KindResult, Result: &timeline.Result{Verdict: timeline.Livelock, Repeats: writes[:n]}}.Event()
		require.Equal(t, "keeps writing and never converges (again and again: "+want+")", Ending([]timeline.Event{end}))
	}
}

// TestShowAlike: the runs of a case are shown, each under its own version, also where the versions do not differ.
func TestShowAlike(t *testing.T) {
	rows := read(t, setText("web", "  replicas: 2")).Sets[0].Show("image", between(t, "1.36", "1.36"))
	require.Len(t, rows, 1)
	require.Nil(t, rows[0].Parting.Parting)
	for _, events := range rows[0].Runs {
		require.Equal(t, timeline.Settled, events[len(events)-1].Result.Verdict)
	}
}

// TestLive: what the upgrade does to sets that a dump shows in the midst of something is told, where it shows the pods.
func TestLive(t *testing.T) {
	for _, c := range []struct{ dump, now, says string }{
		{"broken-in-update", "2 of 3 serve; web-2 is Running but not Ready; 2 pods have an older template",
			"The upgrade to 1.37 changes nothing about it"},
		{"parallel-low-unready-then-update", "1 of 3 serve; web-0 is Running but not Ready, web-2 is Terminating",
			"On 1.36 it settles after 18s, 2 pods deleted; upgraded to 1.37 it settles after 12s, 3 pods deleted"},
	} {
		data, err := os.ReadFile("../../../../shared/dumps/" + c.dump + ".dump.yaml")
		if err != nil {
			t.Skip("there are no dumps")
		}
		in := read(t, string(data))
		require.NoError(t, in.ReadState(strict.Limits{}))
		report := in.Compare(between(t, "1.36", "1.37"))
		require.Len(t, report.Moving, 1)
		require.Contains(t, report.Moving[0].Shows, c.now)
		require.Contains(t, report.Moving[0].says(), c.says)
	}
	status := "status: {replicas: 2, readyReplicas: 1, updatedReplicas: 2, currentRevision: a, updateRevision: a}"
	held := "status: {replicas: 2, readyReplicas: 2, updatedReplicas: 1, currentRevision: a, updateRevision: b}"
	partition := "  replicas: 2\n  updateStrategy: {rollingUpdate: {partition: 1}}\n"
	in := read(t, setText("blind", "  replicas: 2\n"+status), setText("held", partition+held), setText("rest", "  replicas: 2"))
	report := in.Compare(between(t, "1.36", "1.37"))
	require.Equal(t, []string{"default/blind"}, report.NotAtRest)
	require.Contains(t, movingLines(report.Moving)[0], "the dump does not show the pods of "+
		"default/blind (1 of 2 pods are Ready)")
}
