package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

const manifests = "../../testdata/manifests/"

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data)
}

func profiles(t *testing.T, versions ...string) []statefulset.Profile {
	t.Helper()
	var list []statefulset.Profile
	for _, version := range versions {
		profile, err := statefulset.Lookup(version)
		require.NoError(t, err)
		list = append(list, profile)
	}
	return list
}

func plans(t *testing.T, before, after string, o *Options) *Plan {
	t.Helper()
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
	require.NoError(t, err)
	if len(o.Profiles) == 0 {
		o.Profiles = profiles(t, "1.37")
	}
	plan, err := Of(in, o)
	require.NoError(t, err)
	return plan
}

func one(t *testing.T, before, after string, o *Options) *Set {
	t.Helper()
	plan := plans(t, before, after, o)
	require.Len(t, plan.Sets, 1)
	return plan.Sets[0]
}

// TestGolden plans changes of real manifests and compares what is told in every form.
func TestGolden(t *testing.T) {
	constant := func(d time.Duration) behaviour.Delay { return behaviour.Constant(d) }
	cases := []struct {
		name, file string
		edit       []string
		options    Options
	}{
		{"zookeeper-image", manifests + "zookeeper.yaml", []string{"3.4.10", "3.4.11"}, Options{Quorum: 2}},
		{"zookeeper-refused", manifests + "zookeeper.yaml", []string{"serviceName: zk-peers", "serviceName: zk-other"},
			Options{Profiles: profiles(t, "1.36", "1.37")}},
		{"cockroachdb-image", "../../../scenarios/manifests/cockroachdb/cockroachdb.yaml", []string{"v24.1", "v24.2"},
			Options{Profiles: profiles(t, "1.37", "1.34")}},
		{"chart-checksum", manifests + "chart.yaml", []string{"41d7c0a9e2", "52d7c0a9e2"}, Options{Runs: 50, Seed: 1,
			Times: [3]behaviour.Delay{constant(10 * time.Second), constant(5 * time.Second),
				behaviour.Uniform(10*time.Second, 50*time.Second)}, Require: []string{"p95 < 1m", "minReady >= 1"}}},
		{"dump-image", manifests + "dump.yaml", []string{"server:0.21\n", "server:0.22\n"}, Options{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := read(t, c.file)
			after := strings.NewReplacer(c.edit...).Replace(before)
			require.NotEqual(t, before, after)
			plan := plans(t, before, after, &c.options)
			var text, markdown, document bytes.Buffer
			require.NoError(t, plan.Document().Text(&text, render.Style{Width: 100}))
			require.NoError(t, plan.Document().Markdown(&markdown))
			require.NoError(t, render.JSON(&document, plan))
			golden(t, c.name+".txt", text.String())
			golden(t, c.name+".md", markdown.String())
			golden(t, c.name+".json", document.String())
			require.True(t, json.Valid(document.Bytes()))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	goldenfile.Equal(t, filepath.Join("testdata", name), got)
}

// web writes a set; each field is what stands in its place, "" leaves it out.
func web(replicas, image string, fields ...string) string {
	text := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec:\n" +
		"  selector: {matchLabels: {app: web}}\n" +
		"  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"" + image + "\"}]}}\n"
	if replicas != "" {
		text += "  replicas: " + replicas + "\n"
	}
	for _, field := range fields {
		text += "  " + field + "\n"
	}
	return text
}

// probed gives the pods of a set a readiness probe.
func probed(set string) string {
	return strings.Replace(set, "{name: app, ", "{name: app, readinessProbe: {tcpSocket: {port: 80}}, ", 1)
}

const (
	parallel  = "podManagementPolicy: Parallel"
	typeAlone = "updateStrategy: {type: RollingUpdate}"
)

func TestWhatItDoes(t *testing.T) {
	partition := "updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}"
	cases := []struct {
		name, before, after     string
		does, headline, formula string
		fewest                  int
	}{
		{"image", web("5", "a:1"), web("5", "a:2"),
			Rolls, "replaces all 5 pods, one at a time", "5 × (stop + start + ready)", 4},
		{"scale up", web("2", "a:1"), web("4", "a:1"), Scales, "only scales from 2 to 4", "2 × (start + ready)", 2},
		{"scale down", web("4", "a:1"), web("1", "a:1"), Scales, "only scales from 4 to 1", "3 × stop", 1},
		{"policy", web("3", "a:1"), web("3", "a:1", partition), Policy, "changes only policy: no pod is touched", "0s", 3},
		{"other ordinals", web("3", "a:1"), web("3", "a:1", "ordinals: {start: 5}"), Renumbers,
			"moves to other ordinals: 3 pods are created, 3 are deleted", "3 × (stop + start + ready)", 3},
		{"other ordinals and another image", web("3", "a:1"), web("3", "a:2", "ordinals: {start: 2}"), Rolls,
			"replaces 1 of 3 pods, and moves to other ordinals: 2 pods are created, 2 are deleted",
			"3 × (stop + start + ready)", 2},
		{"partition", web("5", "a:1", partition), web("5", "a:2", partition), Rolls,
			"replaces 3 of 5 pods, one at a time (partition 2)", "3 × (stop + start + ready)", 4},
		{"onDelete", web("3", "a:1", "updateStrategy: {type: OnDelete}"), web("3", "a:2", "updateStrategy: {type: OnDelete}"),
			Rolls, "changes the template and replaces no pod: with OnDelete a pod gets the new template when somebody deletes it",
			"0s", 3},
		{"maxUnavailable", web("4", "a:1", parallel, "updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"),
			web("4", "a:2", parallel, "updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"),
			Rolls, "replaces all 4 pods, up to 2 at a time", "2 × (stop + start + ready)", 2},
		{"minReadySeconds", web("3", "a:1", "minReadySeconds: 10"), web("3", "a:2", "minReadySeconds: 10"),
			Rolls, "replaces all 3 pods, one at a time", "3 × (stop + start + ready + minReadySeconds 10s)", 2},
		{"minReadySeconds from now on", web("3", "a:1"), web("3", "a:2", "minReadySeconds: 4"),
			Rolls, "replaces all 3 pods, one at a time", "3 × (stop + start + ready + minReadySeconds 4s)", 2},
		{"minReadySeconds from now on, Parallel", web("5", "a:1", parallel), web("5", "a:2", parallel, "minReadySeconds: 600"),
			Rolls, "replaces all 5 pods, one at a time", "5 × (stop + start + ready + minReadySeconds 10m00s)", 4},
		{"nothing to lose", web("0", "a:1"), web("0", "a:2"), Rolls, "changes the template and replaces no pod", "0s", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, c.before, c.after, &Options{})
			require.Equal(t, c.does, s.Does)
			require.Equal(t, c.headline, s.Headline)
			require.Equal(t, c.formula, s.Duration.Formula)
			require.Equal(t, c.fewest, s.Serving.Fewest)
			require.True(t, s.Completes)
		})
	}
}

// TestHeadOfThePlan: the first line says that a set rolls only where a pod is replaced.
func TestHeadOfThePlan(t *testing.T) {
	onDelete := "updateStrategy: {type: OnDelete}"
	other := func(set string) string { return "\n---\n" + strings.Replace(set, "{name: web}", "{name: other}", 1) }
	const broken = `rules: [{match: {image: "a:bad"}, ready: never}]`
	young := cluster(t, broken, applies(probed(web("3", "a:1")))+"- setImage: {statefulset: web, image: \"a:bad\"}\n")
	halted := later(young)
	for _, c := range []struct{ before, after, head string }{
		{web("3", "a:1"), web("3", "a:2"), "1 set rolls"},
		{web("3", "a:1", onDelete), web("3", "a:2", onDelete), "1 set changes its template without replacing a pod"},
		{web("0", "a:1"), web("0", "a:2"), "1 set changes its template without replacing a pod"},
		{web("3", "a:1", onDelete) + other(web("2", "a:1")), web("3", "a:2", onDelete) + other(web("2", "a:2")),
			"2 sets change: 1 rolls, 1 changes its template without replacing a pod (default/web)"},
		{halted, probed(web("3", "a:3")), "1 set is stuck before its rollout starts"},
		{young, probed(web("3", "a:3")), "1 set rolls when a young pod is Ready"},
		{web("3", "a:1", claimTemplates, deleteScaled), web("2", "a:2", claimTemplates, deleteScaled),
			"1 set rolls, scales down and deletes volumes"},
		{web("3", "a:1", claimTemplates, deleteScaled) + other(web("2", "a:1")),
			web("2", "a:1", claimTemplates, deleteScaled) + other(web("3", "a:1")), "2 sets change: 1 scales up (default/other from 2 to 3), 1 scales down (default/web from 3 to 2), 1 deletes volumes"},
	} {
		plan := plans(t, c.before, c.after, &Options{})
		require.Equal(t, c.head, plan.Summary.String())
		text := textOf(t, plan)
		if c.head == "1 set rolls" {
			require.Contains(t, text, "\n1 set rolls: default/web replaces all 3 pods, one at a time; at least 2 of 3 serve.\n")
			continue
		}
		// Long headlines are wrapped.
		require.Contains(t, strings.ReplaceAll(text, "\n", " "), " "+c.head)
	}
}

func TestNothingChanges(t *testing.T) {
	plan := plans(t, read(t, manifests+"dump.yaml"), read(t, manifests+"web.yaml"), &Options{})
	require.Empty(t, plan.Sets)
	require.Equal(t, []string{"default/web"}, plan.Unchanged)
}

func TestApplyNotes(t *testing.T) {
	s := one(t, web("3", "a:1"), web("", "a:1"), &Options{})
	require.Equal(t, "only scales from 3 to 1", s.Headline)
	require.Contains(t, strings.Join(s.Notes, "\n"), "spec.replicas is no longer in the file: apply removes it, and the default 1")

	s = one(t, web("3", "a:1"), web("3", "a:2", typeAlone), &Options{})
	require.Contains(t, strings.Join(s.Notes, "\n"), `spec.updateStrategy.rollingUpdate stays {`)
}

// TestCases holds the answers to what may go wrong against what is known of each version.
func TestCases(t *testing.T) {
	const undo, remove = "kubectl -n default rollout undo statefulset/web", "kubectl -n default delete pod web-4"
	cases := []struct {
		name, version, set string
		fields             []string
		trap               bool
		contains           string
		commands           []string
	}{
		{"ordered stops at the top", "1.37", "broken", nil, true, "Undoing the rollout alone does not fix it", []string{undo, remove}},
		{"and in 1.34", "1.34", "broken", nil, true, "Undoing the rollout alone does not fix it", []string{undo, remove}},
		{"parallel heals by reverting", "1.36", "broken", []string{parallel}, true, "Undoing the rollout fixes it", []string{undo}},
		{"a slow pod holds up all", "1.37", "slow", nil, false, "no other pod is touched until then", nil},
		{"an unready pod stops ordered", "1.37", "unready", nil, true, "No pod is touched",
			[]string{"kubectl -n default delete pod web-0"}},
		{"and not parallel", "1.36", "unready", []string{parallel}, false, "the change completes", nil},
		{"the hot loop", "1.37", "unready", []string{parallel, typeAlone}, true, "never converges",
			[]string{`kubectl -n default patch statefulset web --type merge ` +
				`-p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'`}},
		{"no hot loop in 1.36", "1.36", "unready", []string{parallel, typeAlone}, false, "the change completes", nil},
		{"below the partition", "1.37", "restart",
			[]string{"updateStrategy: {rollingUpdate: {partition: 2}}"}, false, "it comes back at the old revision", nil},
		{"with a block", "1.37", "restart", nil, false, "it comes back, and is at the new revision in the end", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, probed(web("5", "a:1", c.fields...)), probed(web("5", "a:2", c.fields...)), &Options{Profiles: profiles(t, c.version)})
			got := caseOf(t, s, c.set)
			require.Equal(t, c.trap, got.Trap, got.Answer)
			require.Contains(t, got.Answer, c.contains)
			require.Equal(t, c.commands, got.Commands)
		})
	}
}

func caseOf(t *testing.T, s *Set, name string) *run.Case {
	t.Helper()
	for _, c := range s.Cases {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no case %s", name)
	return nil
}

// TestSameAsScenario plays the stuck rollout and its healing commands as a scenario of their own.
func TestSameAsScenario(t *testing.T) {
	const text = `
kubernetes: "%s"
kubelet: {rules: [{match: {image: "*3.4.11"}, ready: never}]}
steps:
- apply: old.yaml
- apply: new.yaml
%s
`
	before := read(t, manifests+"zookeeper.yaml")
	for _, policy := range []string{"OrderedReady", "Parallel"} {
		for _, version := range []string{"1.34", "1.36", "1.37"} {
			t.Run(policy+" "+version, func(t *testing.T) {
				before := strings.ReplaceAll(before, "OrderedReady", policy)
				after := strings.ReplaceAll(before, "3.4.10", "3.4.11")
				s := one(t, before, after, &Options{Profiles: profiles(t, version)})
				c := caseOf(t, s, "broken")
				require.True(t, c.Trap)
				require.NotEmpty(t, c.Commands)
				dir := t.TempDir()
				require.NoError(t, os.WriteFile(dir+"/old.yaml", []byte(before), 0o644))
				require.NoError(t, os.WriteFile(dir+"/new.yaml", []byte(after), 0o644))
				play := func(steps string) timeline.Verdict {
					loaded, err := scenario.Parse("s.yaml", fmt.Appendf(nil, text, version, steps), os.DirFS(dir),
						scenario.Options{})
					require.NoError(t, err)
					return loaded.Run(scenario.RunOptions{}).Result.Verdict
				}
				require.Equal(t, timeline.IsStuck, play(""))
				require.Equal(t, timeline.Settled, play(asSteps(t, c.Commands)))
			})
		}
	}
}

// asSteps translates kubectl commands into steps of a scenario.
func asSteps(t *testing.T, commands []string) string {
	t.Helper()
	var steps, when string
	for _, command := range commands {
		words := strings.Fields(command)
		switch _, pods, deletes := strings.Cut(command, " delete pod "); {
		case strings.Contains(command, "rollout undo"):
			steps += "- undo: {statefulset: " + strings.TrimPrefix(words[len(words)-1], "statefulset/") + "}\n  namespace: " +
				words[2] + "\n" + when
		case strings.HasPrefix(command, "kubectl taint nodes "):
			steps += "- outOfService: " + words[3] + "\n" + when
		case strings.HasPrefix(command, "kubectl delete node "):
			steps += "- delete: node/" + words[3] + "\n" + when
		case deletes:
			pods, force := strings.CutSuffix(pods, " --force --grace-period=0")
			for pod := range strings.FieldsSeq(pods) {
				steps += fmt.Sprintf("- delete: {pod: %s, force: %t}\n  namespace: %s\n", pod, force, words[2]) + when
				when = "  after: 0s\n"
			}
		default:
			t.Fatalf("unknown command %s", command)
		}
		when = "  after: 0s\n"
	}
	return steps
}

func TestRequirements(t *testing.T) {
	constant := behaviour.Constant(10 * time.Second)
	known := [3]behaviour.Delay{constant, constant, constant}
	annotated := strings.Replace(web("3", "a:2"), "{name: web}",
		`{name: web, annotations: {statefulsim.dev/require: "minReady >= 3; down <= 1", statefulsim.dev/start: 1m}}`, 1)
	cases := []struct {
		name, text string
		after      string
		times      [3]behaviour.Delay
		held       []bool
	}{
		{"held", "minReady >= 2", probed(web("3", "a:2")), known, []bool{true}},
		{"failed", "minReady >= 3", probed(web("3", "a:2")), known, []bool{false}},
		{"a duration", "duration <= 90s", probed(web("3", "a:2")), known, []bool{true}},
		{"too long", "duration < 1m", probed(web("3", "a:2")), known, []bool{false}},
		{"assumed", "duration < 1000h", probed(web("3", "a:2")), [3]behaviour.Delay{}, []bool{false}},
		{"annotations", "replaced == 3", annotated, [3]behaviour.Delay{}, []bool{true, false, true}},
		{"where it goes wrong", "broken.minReady >= 2", probed(web("3", "a:2")), known, []bool{true}},
		{"where it goes wrong, too few", "restart.minReady >= 2", probed(web("3", "a:2")), known, []bool{false}},
		{"what cannot go wrong", "broken.minReady >= 5", probed(web("4", "a:1")), known, []bool{true}},
		{"traps", "traps == 0", probed(web("3", "a:2")), known, []bool{false}},
		{"alarms", "alarms == 0", web("3", "a:2"), known, []bool{false}},
		{"no alarms", "alarms == 0", probed(web("3", "a:2")), known, []bool{true}},
		{"alarms of a refusal", "alarms == 0", probed(web("3", "a:2", "serviceName: other")), known, []bool{false}},
		{"removed for good", "removed == 0", probed(web("2", "a:2")), known, []bool{false}},
		{"none removed", "removed == 0", probed(web("3", "a:2")), known, []bool{true}},
		{"a bound from above", "duration <= 4m30s", annotated, [3]behaviour.Delay{}, []bool{true, false, true}},
		{"a bound from above is no value", "duration == 4m30s", annotated, [3]behaviour.Delay{}, []bool{false, false, true}},
		{"a bound from above is none from below", "duration > 4m", annotated, [3]behaviour.Delay{}, []bool{false, false, true}},
		{"what is known is enough without the bound", "duration > 1s", annotated, [3]behaviour.Delay{}, []bool{true, false, true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, probed(web("3", "a:1")), c.after, &Options{Times: c.times, Require: []string{c.text}})
			var held []bool
			for _, r := range s.Requirements {
				held = append(held, r.Held)
			}
			require.Equal(t, c.held, held)
		})
	}
	for _, bad := range []string{"", "minReady", "minReady >= x", "duration < 3", "pods > 1", "minReady => 1",
		"broken.duration < 1m", "never.minReady > 1"} {
		require.Error(t, CheckRequirement(bad), bad)
	}
}

// TestSharedBudget: a budget over two sets counts the pods of both, also where only one changes.
func TestSharedBudget(t *testing.T) {
	both := web("2", "a:1") + "---\n" + strings.Replace(web("2", "a:1"), "{name: web}", "{name: other}", 1) +
		"---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all}\n" +
		"spec: {minAvailable: 75%, selector: {matchLabels: {app: web}}}\n"
	s := one(t, both, strings.Replace(both, "a:1", "a:2", 1), &Options{})
	require.Equal(t, &run.Budget{Name: "all", Needs: 3, Pods: 4, Fewest: 3, Before: 4, After: 4}, s.Budgets[0])

	plan := plans(t, both, strings.ReplaceAll(both, "a:1", "a:2"), &Options{})
	require.Equal(t, &run.Budget{Name: "all", Needs: 3, Pods: 4, Fewest: 2, Before: 4, After: 4}, plan.Sets[0].Budgets[0])
	require.False(t, plan.Sets[0].Budgets[0].Kept())
}

// TestMarkdownFits: what is too long for a comment loses its details first, and then the sets that matter least.
func TestMarkdownFits(t *testing.T) {
	var before, after strings.Builder
	for i := range 24 {
		name := fmt.Sprintf("{name: web%d}", i)
		before.WriteString(strings.Replace(web("3", "a:1"), "{name: web}", name, 1) + "---\n")
		service := ""
		if i == 19 {
			service = "serviceName: other"
		}
		after.WriteString(strings.Replace(web("3", "a:2", service, fmt.Sprintf("minReadySeconds: %d", i+1)), "{name: web}", name, 1) + "---\n")
	}
	plan := plans(t, before.String(), after.String(), &Options{})
	var out bytes.Buffer
	require.NoError(t, plan.Document().Markdown(&out))
	require.LessOrEqual(t, out.Len(), mostMarkdown)
	const room = 6_000
	d := plan.Document()
	d.Room = room
	out.Reset()
	require.NoError(t, d.Markdown(&out))
	text := out.String()
	require.LessOrEqual(t, len(text), room)
	require.True(t, strings.HasPrefix(text, Marker))
	require.Contains(t, text, "more: too long to be shown here")
	require.Less(t, strings.Index(text, "default/web19:"), strings.Index(text, "default/web0:"),
		"what is refused comes first where there is no room for all")
}

// TestInterrupted: whenever the user ends it, what is known so far can be printed.
func TestInterrupted(t *testing.T) {
	for asked := range 60 {
		left := asked
		plan := plans(t, web("3", "a:1"), web("3", "a:2"), &Options{Interrupted: func() bool { left--; return left < 0 }})
		var out bytes.Buffer
		require.NoError(t, plan.Document().Text(&out, render.Style{Width: 80}))
		require.NoError(t, plan.Document().Markdown(&out))
		require.NoError(t, render.JSON(&out, plan))
		require.Equal(t, left < 0, plan.Interrupted)
	}
}

func TestWrongInput(t *testing.T) {
	cases := []struct{ name, before, after, want string }{
		{"twice", web("1", "a:1"), web("1", "a:1") + "---\n" + web("1", "a:2"), "occurs twice"},
		{"no set", "", "apiVersion: v1\nkind: Service\nmetadata: {name: x}\n", "there is no StatefulSet in it"},
		{"invalid", web("1", "a:1"), web("-1", "a:1"), "must be greater than or equal to 0"},
		{"unknown field", web("1", "a:1"), web("1", "a:1", "replica: 2"), "did you mean replicas?"},
	}
	for _, c := range cases {
		_, err := Read(Stream{Name: "old.yaml", Data: []byte(c.before)}, Stream{Name: "new.yaml", Data: []byte(c.after)}, strict.Limits{})
		require.ErrorContains(t, err, c.want, c.name)
	}
}

// TestOrder: eight pods are listed, of nine those in the middle are left out; pods that come back in another order than
// they go are listed twice.
func TestOrder(t *testing.T) {
	budget := "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}"
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"eight", web("8", "app:v1"), web("8", "app:v2"),
			[]string{"replaced: web-7, web-6, web-5, web-4, web-3, web-2, web-1, web-0"}},
		{"nine", web("9", "app:v1"), web("9", "app:v2"),
			[]string{"replaced: web-8, web-7, web-6, web-5, web-4, web-3, …, web-0"}},
		{"one", web("1", "app:v1"), web("1", "app:v2"), []string{"replaced: web-0"}},
		{"two at a time", web("4", "app:v1", budget), web("4", "app:v2", budget),
			[]string{"replaced: web-3, web-2, web-1, web-0", "come back in this order: web-2, web-3, web-0, web-1"}},
		{"scaled up", web("1", "app:v1"), web("3", "app:v1"), []string{"created: web-1, web-2"}},
		{"scaled down in Parallel", web("3", "app:v1", parallel), web("1", "app:v1", parallel),
			[]string{"removed: web-2, web-1: up to 2 at a time"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, one(t, c.before, c.after, &Options{}).Order)
		})
	}
}
