package plan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func textOf(t *testing.T, plan *Plan) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, plan.Document().Text(&b, render.Style{Width: 110}))
	return b.String()
}

func markdownOf(t *testing.T, plan *Plan) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, plan.Document().Markdown(&b))
	return b.String()
}

// TestOnlyOnOneVersion: a field that one version drops is a change on the other alone, whichever the plan is for.
func TestOnlyOnOneVersion(t *testing.T) {
	before, after := web("4", "a:1", parallel, unavailable("1")), web("4", "a:1", parallel, unavailable("2"))
	still := "---\n" + named("still", "1", "a:1")
	plan := plans(t, before+still, after+still, &Options{Profiles: profiles(t, "1.37", "1.34")})
	require.Equal(t, []Difference{{Version: "1.34", What: "the change", Here: "nothing changes"}}, plan.find("web").Differences)
	require.Equal(t, []string{"default/still"}, plan.Unchanged)

	plan = plans(t, before+still, after+still, &Options{Profiles: profiles(t, "1.34", "1.37")})
	require.Len(t, plan.Sets, 1)
	require.Equal(t, []Difference{{Version: "1.37", What: "the change", Here: "changes only policy: no pod is touched"}}, plan.find("web").Differences)
	require.Equal(t, []string{"default/still"}, plan.Unchanged, "web changes on one of them")
	require.Contains(t, textOf(t, plan), "changes only policy: no pod is touched")
}

// TestRefusedWithVolumes: for a set that is recreated with larger claims the plan says that the volumes stay as they
// are; where nothing helps it says so, with what was tried.
func TestRefusedWithVolumes(t *testing.T) {
	claims := func(size string) string {
		return "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: " +
			"{storage: " + size + "}}}}]"
	}
	r := one(t, web("2", "a:1", claims("1Gi")), web("2", "a:1", claims("2Gi")), &Options{}).Refusal
	require.NotNil(t, r)
	require.Equal(t, "delete the set without its pods, and apply: the pods stay, none is touched, and the new set adopts them; "+
		"existing claims stay as they are, and their volumes keep their size: if the storage class allows volume expansion, "+
		"patch each claim: kubectl -n default patch pvc data-web-0 -p "+
		`'{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}'`, r.Way)
	require.True(t, r.Heals)

	s := one(t, web("2", "a:1"), web("2", "a:1", "serviceName: other"), &Options{Require: []string{"minReady >= 1"}})
	require.Contains(t, fmt.Sprint(s.alarms), "web-0.other does not resolve before the pod is created again")
	require.Equal(t, "FAILED: minReady >= 1 (the change is refused; --require)", s.Requirements[0].String())
	s = one(t, web("0", "a:1"), web("0", "a:1", "serviceName: other"), &Options{})
	require.Equal(t, "delete the set without its pods, and apply: the pods stay, none is touched, and the new set adopts them",
		strings.SplitN(s.Refusal.Way, ";", 2)[0])
}

// TestRelease: what is in a cluster and not in the new files is removed where its Helm release is upgraded, and
// otherwise only missing in them.
func TestRelease(t *testing.T) {
	of := func(name, release, namespace string) string {
		annotation := ""
		if release != "" {
			annotation = "annotations: {meta.helm.sh/release-name: " + release + "}, "
		}
		return strings.ReplaceAll(dumped(web("1", "a:1"), "replicas: 1, readyReplicas: 1, updatedReplicas: 1, currentRevision: r, "+
			"updateRevision: r"), "{name: web, ", "{name: "+name+", namespace: "+namespace+", "+annotation)
	}
	kept := strings.ReplaceAll(of("kept", "db", "one"), "a:1", "a:2")
	for name, c := range map[string]struct {
		gone    string
		removes bool
	}{
		"the same release":                      {of("gone", "db", "one"), true},
		"another release":                       {of("gone", "cache", "one"), false},
		"no release":                            {of("gone", "", "one"), false},
		"a release of its name somewhere else":  {of("gone", "db", "two"), false},
		"nothing is known of what it came from": {of("gone", "", "two"), false},
	} {
		t.Run(name, func(t *testing.T) {
			plan := plans(t, of("kept", "db", "one")+"---\n"+c.gone, kept, &Options{})
			require.Equal(t, c.removes, plan.find("gone") != nil)
			require.Len(t, plan.Missing, 1)
		})
	}
}

// TestHelmRemoves: a live object of a Helm release that lacks the note of kubectl apply keeps what NEW drops, and the plan
// says that helm upgrade would not leave it, and how to plan that. Without a dropped field, or a release, it does not.
func TestHelmRemoves(t *testing.T) {
	const helm = "To plan that, OLD is what helm -n db get manifest pg prints"
	live := func(image, more, annotation string) string {
		return strings.ReplaceAll(dumped(web("1", image, more), "replicas: 1, readyReplicas: 1, updatedReplicas: 1, "+
			"currentRevision: r, updateRevision: r"), "{name: web, ", "{name: web, namespace: db, "+annotation)
	}
	released := "annotations: {meta.helm.sh/release-name: pg}, "
	next := strings.ReplaceAll(web("1", "a:2"), "{name: web", "{name: web, namespace: db")
	for name, c := range map[string]struct {
		old  string
		says bool
	}{
		"a field is dropped":                 {live("a:1", "minReadySeconds: 20", released), true},
		"a field is dropped, and all is new": {live("a:2", "minReadySeconds: 20", released), true},
		"none is dropped":                    {live("a:1", "minReadySeconds: 0", released), false},
		"no release":                         {live("a:1", "minReadySeconds: 20", ""), false},
	} {
		text := strings.Join(strings.Fields(textOf(t, plans(t, c.old, next, &Options{}))), " ")
		require.Equal(t, c.says, strings.Contains(strings.ToLower(text), strings.ToLower(helm)), "%s: %s", name, text)
	}
}

// TestDoubtOfWhatStays: a set in which nothing changes, and whose status says that it is not at rest, is not trusted to
// get there where the dump does not show its pods.
func TestDoubtOfWhatStays(t *testing.T) {
	sick := dumped(web("5", "a:2"), stuck)
	plan := plans(t, sick+"---\n"+named("fine", "1", "a:1"), web("5", "a:2")+"---\n"+named("fine", "1", "a:2"), &Options{})
	require.False(t, plan.Settles)
	require.Equal(t, []string{"default/web (in the dump 4 of 5 pods are Ready)"}, plan.Untrusted)
	text := textOf(t, plan)
	require.Contains(t, text, "NOT TO BE TRUSTED: default/web (in the dump 4 of 5 pods are Ready).")
	require.Contains(t, text, "nothing changes in it, but in the dump 4 of 5 pods are Ready")
}

// TestDoubtOfWhatIsNotSeen: a set whose newest spec the controller has not seen is not at rest, even if its status says
// that all its pods are Ready.
func TestDoubtOfWhatIsNotSeen(t *testing.T) {
	set := func(generation string) string {
		text := strings.Replace(web("1", "a:2"), "metadata: {", "metadata: {generation: "+generation+", ", 1)
		require.Contains(t, text, "generation")
		return text + "status: {observedGeneration: 2, replicas: 1, readyReplicas: 1, updatedReplicas: 1, " +
			"currentRevision: web-a, updateRevision: web-a}\n"
	}
	require.Empty(t, plans(t, set("2"), web("1", "a:2"), &Options{}).Untrusted)
	require.Equal(t, []string{"default/web (in the dump the controller has not seen its newest spec yet)"},
		plans(t, set("3"), web("1", "a:2"), &Options{}).Untrusted)
}

// TestNoTime: a plan that is ended early, or whose runs are, says so instead of an answer.
func TestNoTime(t *testing.T) {
	plan := plans(t, web("3", "a:1"), web("3", "a:2"), &Options{Interrupted: func() bool { return true }})
	require.True(t, plan.Interrupted)
	require.Empty(t, plan.Sets, "nothing is told of what was not played")
	require.False(t, plan.Settles)
	require.Contains(t, textOf(t, plan), "No set was played.\n\nInterrupted: this is what was known so far. Not yet played, and "+
		"left out: 1 set.")

	plan = plans(t, web("3", "a:1"), web("3", "a:2"), &Options{Limits: strict.Limits{Events: 10}})
	require.Equal(t, "was not played", plan.Sets[0].Headline)
	require.Equal(t, "the run was ended before the change came: raise --max-events", plan.Sets[0].Ends)
	require.False(t, plan.Settles)

	// Half of the way between the last of the cases and the last of the runs it is interrupted.
	asked := func(runs, most int) (*Plan, int) {
		calls := 0
		o := Options{Runs: runs, Seed: 1, Interrupted: func() bool { calls++; return calls > most }}
		o.Times = [3]behaviour.Delay{behaviour.Constant(time.Second), behaviour.Constant(time.Second),
			behaviour.Uniform(time.Second, 2*time.Second)}
		return plans(t, web("3", "a:1"), web("3", "a:2"), &o), calls
	}
	_, least := asked(0, 1e9)
	plan, most := asked(100, 1e9)
	require.Equal(t, 100, plan.Sets[0].Duration.Runs)
	plan, _ = asked(100, (least+most)/2)
	require.True(t, plan.Interrupted)
	require.Positive(t, plan.Sets[0].Duration.Runs)
	require.Less(t, plan.Sets[0].Duration.Runs, 100)
}

// TestTwice: a set that a stream has twice is named with its place.
func TestTwice(t *testing.T) {
	both := web("1", "a:1") + "---\n" + web("1", "a:1")
	_, err := Read(Stream{Name: "old.yaml", Data: []byte(both)}, Stream{Name: "new.yaml", Data: []byte(both)}, strict.Limits{})
	require.ErrorContains(t, err, "old.yaml:9:1: the StatefulSet default/web occurs twice")
	require.ErrorContains(t, err, "new.yaml:9:1: the StatefulSet default/web occurs twice")
}

// TestBadRequirements: a requirement that cannot be read ends the plan, wherever it stands.
func TestBadRequirements(t *testing.T) {
	plan := func(after string, o *Options) error {
		in, err := Read(Stream{Name: "old.yaml", Data: []byte(web("3", "a:1"))}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
		require.NoError(t, err)
		o.Profiles = profiles(t, "1.37")
		_, err = Of(in, o)
		return err
	}
	require.ErrorContains(t, plan(web("3", "a:2"), &Options{Require: []string{"minReady"}}), `"minReady" is not a requirement`)
	require.ErrorContains(t, plan(annotated(web("3", "a:2"), `statefulsim.dev/require: "minReady >= 1; pods > 1"`), &Options{}),
		`the annotation statefulsim.dev/require of default/web: "pods > 1": there is no pods: use one of minReady, duration`)
	require.ErrorContains(t, plan(annotated(web("3", "a:2"), `statefulsim.dev/start: soon`), &Options{}), "statefulsim.dev/start of default/web")

	for text, want := range map[string]string{
		"never.minReady > 1": `"never.minReady > 1": there is no never.minReady: for a case write CASE.minReady, where CASE is one of broken, slow`,
		"duration < 3":       `"duration < 3": 3 is not a duration: write one like 90s or 30m`,
		"minReady >= x":      `"minReady >= x": x is not a number`,
	} {
		require.ErrorContains(t, CheckRequirement(text), want)
	}
}

// TestComparisons: what each operator of a requirement takes.
func TestComparisons(t *testing.T) {
	var required []string
	for _, op := range []string{">=", "<=", ">", "<", "==", "!="} {
		for _, n := range []string{"1", "2", "3"} {
			required = append(required, "minReady "+op+" "+n)
		}
	}
	s := one(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{Require: required})
	held := map[string]string{}
	for _, r := range s.Requirements {
		require.Equal(t, "minReady is 2", r.Got)
		word := strings.Fields(r.Text)
		held[word[1]] += map[bool]string{true: word[2], false: "-"}[r.Held]
	}
	require.Equal(t, map[string]string{">=": "12-", "<=": "-23", ">": "1--", "<": "--3", "==": "-2-", "!=": "1-3"}, held)
}

// TestMarkdownOfNothing: a plan without sets says so in a line.
func TestMarkdownOfNothing(t *testing.T) {
	plan := plans(t, web("1", "a:1"), web("1", "a:1"), &Options{})
	require.Contains(t, markdownOf(t, plan), "\n**Nothing changes.**\n\n<sub>")
	require.Contains(t, textOf(t, plan), "\nNothing changes.\n")
	require.Equal(t, "no StatefulSet changes", plan.Summary.String())
	plan = plans(t, web("1", "a:1"), web("1", "a:2"), &Options{})
	require.Equal(t, "1 set rolls", plan.Summary.String())
}

// TestMarkdownOfManySets: a comment that no forge takes loses its details; of sets that change alike their names are
// left.
func TestMarkdownOfManySets(t *testing.T) {
	const n, headline = 600, "changes only labels or annotations of the set itself: no pod is touched"
	plan := &Plan{Versions: []string{"1.37"}, Summary: Summary{Sets: n}}
	for i := range n {
		s := &Set{Namespace: "default", Name: fmt.Sprintf("s%d", i), Does: Labels, Headline: headline, Completes: true,
			Changes: []diff.Change{{Path: "metadata.labels.a", Old: "0", New: strings.Repeat("a long value ", 20) + fmt.Sprint(i)}}}
		s.key = model.Key{Namespace: s.Namespace, Name: s.Name}
		plan.Sets = append(plan.Sets, s)
	}
	text := markdownOf(t, plan)
	require.Less(t, len(text), mostMarkdown)
	require.NotContains(t, text, "a long value")
	require.NotContains(t, text, "<details>")
	require.Contains(t, text, fmt.Sprintf("%d sets, each: %s\n\ndefault/s0, default/s1, ", n, headline))
}

// TestRunsThatDoNotComplete: of the runs with drawn times those that never end are counted beside the percentiles.
func TestRunsThatDoNotComplete(t *testing.T) {
	second, most := behaviour.Constant(time.Second), behaviour.Constant(2*time.Second)
	sometimes := behaviour.Choice([]behaviour.Weighted{{Value: second, Weight: 3}, {Value: behaviour.Never, Weight: 1}})
	s := one(t, probed(web("2", "a:1")), probed(web("2", "a:2")), &Options{
		Runs: 40, Seed: 1, Times: [3]behaviour.Delay{second, most, sometimes}})
	require.Equal(t, 40, s.Duration.Runs+s.Duration.Unfinished)
	require.NotZero(t, s.Duration.Runs)
	require.NotZero(t, s.Duration.Unfinished)
	require.Equal(t, run.Seconds(8*time.Second), s.Duration.P99, "each that completes takes as long")
	require.Regexp(t, ` over \d+ runs, and \d+ more did not complete$`, s.Duration.String())
}

// TestWhatRunsIsWrong: a set that runs and that the version would not have accepted is told with its place in what runs
// now, and the others are planned; so is one whose pods could not be created and that is wrong besides.
func TestWhatRunsIsWrong(t *testing.T) {
	const below = "updateStrategy: {rollingUpdate: {partition: -1}}"
	fine := func(image string) string { return "\n---\n" + named("fine", "1", image) }
	bare := strings.Replace(strings.ReplaceAll(dotted, "IMAGE", "a:1"), "spec:", "spec:\n  "+below, 1)
	for _, before := range []string{web("2", "a:1", below), bare} {
		plan := plans(t, before+fine("a:1"), web("2", "a:2")+fine("a:2"), &Options{})
		require.Regexp(t, `^old.yaml:\d+: Kubernetes 1.37 would not have accepted the set that runs now: .*`+
			`partition: Invalid value: -1`, plan.find("web").Refusal.Message)
		require.Equal(t, Rolls, plan.find("fine").Does)
	}
}

// TestWrongInAnotherNamespace: what runs in one namespace says nothing about a set of that name in another.
func TestWrongInAnotherNamespace(t *testing.T) {
	const below = "updateStrategy: {rollingUpdate: {partition: -1}}"
	in := func(namespace, set string) string {
		return strings.Replace(set, "{name: web}", "{name: web, namespace: "+namespace+"}", 1)
	}
	sets := func(list ...string) string { return strings.Join(list, "\n---\n") }
	plan := plans(t, sets(in("a", web("2", "a:1", below)), in("b", web("2", "a:1"))),
		sets(in("a", web("2", "a:2", below)), in("b", web("2", "a:2"))), &Options{})
	require.Regexp(t, `^old.yaml:\d+: Kubernetes 1.37 would not have accepted the set that runs now`, plan.Sets[0].Refusal.Message)
	require.Equal(t, Rolls, plan.Sets[1].Does)
	plan = plans(t, sets(in("b", web("2", "a:1")), in("a", web("2", "a:1", below))),
		sets(in("b", web("2", "a:2", below)), in("c", web("2", "a:2"))), &Options{})
	require.Regexp(t, `^new.yaml:\d+:\d+: `, plan.Sets[1].Refusal.Message)
}

// TestWhyPodsRestart: what in a template makes the pods be replaced is said where it is not an image alone.
func TestWhyPodsRestart(t *testing.T) {
	labels := func(set, annotations string) string {
		return strings.Replace(set, "labels: {app: web}}, spec", "labels: {app: web}, annotations: {"+annotations+"}}, spec", 1)
	}
	for _, c := range []struct {
		name, before, after string
		says, not           string
	}{
		{"an image", web("2", "a:1"), web("2", "a:2"), "", "annotation"},
		{"an annotation", labels(web("2", "a:1"), "note: a"), labels(web("2", "a:1"), "note: b"),
			"only an annotation of the template changes (note)", "image changes"},
		{"an annotation that is new", web("2", "a:1"), labels(web("2", "a:1"), "note: b"),
			"only an annotation of the template changes (note)", "image changes"},
		{"an image and a checksum", labels(web("2", "a:1"), "checksum/config: a, b: c"), labels(web("2", "a:2"), "checksum/config: b, b: c"),
			"", "annotation"},
		{"an image and another annotation", labels(web("2", "a:1"), "note: a, b: c"), labels(web("2", "a:2"), "note: b, b: c"),
			"", "annotation"},
	} {
		notes := strings.Join(one(t, probed(c.before), probed(c.after), &Options{}).Notes, "\n")
		require.Contains(t, notes, c.says, c.name)
		require.NotContains(t, notes, c.not, c.name)
	}
}

// TestGoneUnderAnotherName: a new set may be one that is gone, where the name is the same, or the selector in the same
// namespace, and only the other one has changed.
func TestGoneUnderAnotherName(t *testing.T) {
	in := func(name, namespace, app string) string {
		return strings.NewReplacer("{name: web}", "{name: "+name+", namespace: "+namespace+"}", "app: web", "app: "+app).
			Replace(web("1", "a:1"))
	}
	for _, c := range []struct{ name, before, after, says string }{
		{"another name", in("web", "one", "a"), in("db", "one", "a"), "under another name"},
		{"another namespace", in("web", "one", "a"), in("web", "two", "a"), "under another namespace"},
		{"another namespace and other labels", in("web", "one", "a"), in("web", "two", "b"), "under another namespace"},
		{"another name and other labels", in("web", "one", "a"), in("db", "one", "b"), ""},
		{"another name in another namespace", in("web", "one", "a"), in("db", "two", "a"), ""},
	} {
		for _, s := range plans(t, c.before, c.after, &Options{}).Sets {
			if s.Does == Creates && c.says != "" {
				require.Contains(t, strings.Join(s.Notes, "\n"), c.says, c.name)
			} else if s.Does == Creates {
				require.NotContains(t, strings.Join(s.Notes, "\n"), "is gone from the files", c.name)
			}
		}
	}
}

// TestUnusualAnswersAreRed: on a terminal an answer that is not as with most sets is red, and no other is.
func TestUnusualAnswersAreRed(t *testing.T) {
	plan := plans(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{})
	var b bytes.Buffer
	require.NoError(t, plan.Document().Text(&b, render.Style{Width: 200, Color: true}))
	usual := map[string]bool{}
	for _, c := range plan.Sets[0].Cases {
		usual[c.Name] = c.Usual
	}
	require.Contains(t, usual, "broken")
	for line := range strings.Lines(b.String()) {
		for name, is := range usual {
			if strings.Contains(line, "    "+name+" ") {
				require.Equal(t, !is, strings.Contains(line, "\x1b[31m"), line)
			}
		}
	}
}

// TestStreamsOfJSON: JSON documents that come one after the other, as jq writes them, are a stream of manifests.
func TestStreamsOfJSON(t *testing.T) {
	set := func(name, image string) string {
		return fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": %q}, "spec": {"replicas": 2, `+
			`"selector": {"matchLabels": {"app": "a"}}, "template": {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [`+
			`{"name": "app", "image": %q}]}}}}`, name, image)
	}
	for _, form := range []string{"%s\n%s\n", "%s%s"} {
		before, after := fmt.Sprintf(form, set("a", "x:1"), set("b", "x:1")), fmt.Sprintf(form, set("a", "x:1"), set("b", "x:2"))
		plan := plans(t, before, after, &Options{})
		require.Equal(t, []string{"default/a"}, plan.Unchanged, form)
		require.Equal(t, Rolls, plan.find("b").Does, form)
	}
}

// TestMissingSeparator: where --- is missing between two objects the first one is lost, and the plan says why before it
// says what follows from that.
func TestMissingSeparator(t *testing.T) {
	both := web("2", "a:1") + strings.ReplaceAll(web("2", "a:1"), "{name: web}", "{name: other}")
	plan := plans(t, web("2", "a:1")+"---\n"+strings.ReplaceAll(web("2", "a:1"), "{name: web}", "{name: other}"), both, &Options{})
	require.Len(t, plan.Warnings, 1)
	require.Contains(t, plan.Warnings[0], "`---` is missing before line ")
	for _, note := range plan.Notes {
		require.NotContains(t, note, "duplicate")
	}
	var b bytes.Buffer
	require.NoError(t, plan.Document().Text(&b, render.Style{Width: 200}))
	lines := strings.Split(b.String(), "\n")
	require.Contains(t, lines[0], "`---` is missing before line ")
	require.Equal(t, 1, strings.Count(b.String(), "is missing before line"))
}
