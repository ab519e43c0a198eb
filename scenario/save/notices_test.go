package save_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// spec is a manifest's fields by their paths; a field that is "" is not written.
type spec map[string]string

// with returns the spec with one field changed.
func (s spec) with(path, value string) spec {
	changed := spec{path: value}
	for p, v := range s {
		if p != path {
			changed[p] = v
		}
	}
	return changed
}

// probe writes a probe with the fields that are given.
func (s spec) probe(kind string) string {
	text := ""
	for _, field := range []string{"initialDelaySeconds", "periodSeconds", "successThreshold", "failureThreshold", "timeoutSeconds"} {
		if value := s[kind+"."+field]; value != "" {
			text += field + ": " + value + ", "
		}
	}
	if text == "" {
		return ""
	}
	return kind + ": {" + text + "tcpSocket: {port: 80}}, "
}

// manifest writes a StatefulSet.
func (s spec) manifest() string {
	field := func(format, path, otherwise string) string {
		value := s[path]
		if value == "" {
			value = otherwise
		}
		if value == "" {
			return ""
		}
		return fmt.Sprintf(format, value) + ", "
	}
	block := field("partition: %s", "updateStrategy.rollingUpdate.partition", "") +
		field("maxUnavailable: %s", "updateStrategy.rollingUpdate.maxUnavailable", "")
	if s["updateStrategy.type"] == "" || s["updateStrategy.type"] == "RollingUpdate" {
		block = "rollingUpdate: {" + strings.TrimSuffix(block, ", ") + "}"
	} else {
		block = ""
	}
	return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, labels: {team: " + s["label"] + "x}}\nspec: {" +
		"serviceName: web, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:" + s["image"] + "1\"" +
		field(", resources: {requests: {cpu: %s}}", "cpu", "1") + s.probe("readinessProbe") + s.probe("startupProbe") +
		field("lifecycle: {preStop: {sleep: {seconds: %s}}}", "preStop", "") + "}], " +
		field("terminationGracePeriodSeconds: %s", "terminationGracePeriodSeconds", "") +
		field("initContainers: [{name: first, image: \"%s\"}]", "initContainers", "") + "}}, " +
		field("persistentVolumeClaimRetentionPolicy: {whenScaled: %s}", "retention", "") +
		field("replicas: %s", "replicas", "3") + field("podManagementPolicy: %s", "podManagementPolicy", "") +
		field("minReadySeconds: %s", "minReadySeconds", "") + field("ordinals: {start: %s}", "ordinals.start", "") +
		"updateStrategy: {" + field("type: %s", "updateStrategy.type", "RollingUpdate") + block + "}}\n"
}

// play plays a scenario that applies a manifest.
func play(t *testing.T, text []byte, s spec) (*scenario.Scenario, *scenario.Outcome) {
	t.Helper()
	files := fstest.MapFS{"web.yaml": {Data: []byte(s.manifest())}}
	parsed, err := scenario.Parse("rollout.yaml", text, files, scenario.Options{})
	require.NoError(t, err, "%s\n%s", text, s.manifest())
	outcome := parsed.Run(scenario.RunOptions{})
	return parsed, outcome
}

// courseOf is what happens to the pods in a run: which changes of which states are at one instant, in which order.
func courseOf(events []timeline.Event) string {
	var b strings.Builder
	for i := range events {
		e := &events[i]
		if e.Step != nil {
			fmt.Fprintf(&b, "\nstep %d", e.Step.Number)
		}
		if e.Kind != timeline.KindPod || e.State == timeline.Running || e.State == timeline.Gone {
			continue
		}
		if i == 0 || before(events, i) != e.T {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, " %s@%d %s", e.Pod, e.Template, e.State)
	}
	return b.String()
}

// before returns the instant of the last change of a pod's state that counts before an event, -1 if there is none since
// the last step.
func before(events []timeline.Event, i int) model.Time {
	for i--; i >= 0 && events[i].Step == nil; i-- {
		if e := &events[i]; e.Kind == timeline.KindPod && e.State != timeline.Running && e.State != timeline.Gone {
			return e.T
		}
	}
	return -1
}

// TestNotices: the test that is written for a manifest fails after each change of a field that changes what happens to
// the pods, and names the field; it passes after any other, unless the rollout takes longer than it says. All pairs are
// played.
func TestNotices(t *testing.T) {
	const maxUnavailable, partition = "updateStrategy.rollingUpdate.maxUnavailable", "updateStrategy.rollingUpdate.partition"
	manifests := map[string]spec{
		"plain":                  {},
		"one pod":                {"replicas": "1"},
		"parallel":               {"podManagementPolicy": "Parallel"},
		"on delete":              {"updateStrategy.type": "OnDelete"},
		"on delete, parallel":    {"updateStrategy.type": "OnDelete", "podManagementPolicy": "Parallel"},
		"partition":              {partition: "2"},
		"partition, parallel":    {partition: "1", "podManagementPolicy": "Parallel"},
		"two at a time":          {"replicas": "5", maxUnavailable: "2"},
		"two at a time, at once": {"replicas": "5", maxUnavailable: "2", "podManagementPolicy": "Parallel"},
		"half at a time":         {"replicas": "6", maxUnavailable: "50%", "podManagementPolicy": "Parallel"},
		"available":              {"minReadySeconds": "5"},
		"available, parallel":    {"minReadySeconds": "5", "podManagementPolicy": "Parallel"},
		"from five":              {"ordinals.start": "5"},
		"all of it": {"replicas": "7", "ordinals.start": "2", "minReadySeconds": "3", partition: "2", maxUnavailable: "2",
			"podManagementPolicy": "Parallel"},
		"forty":           {"replicas": "40"},
		"forty, parallel": {"replicas": "40", "podManagementPolicy": "Parallel", maxUnavailable: "10%"},
		"ninety":          {"replicas": "90"},
	}
	changes := map[string][]string{
		"podManagementPolicy": {"OrderedReady", "Parallel"}, "updateStrategy.type": {"RollingUpdate", "OnDelete"},
		partition: {"0", "1", "2"}, maxUnavailable: {"1", "2", "3"}, "minReadySeconds": {"0", "1", "10"},
		"ordinals.start": {"0", "1"}, "replicas": {"1", "2", "4"}, "terminationGracePeriodSeconds": {"0", "5", "60"},
		"preStop": {"1", "20"}, "initContainers": {"a"}, "retention": {"Delete"}, "label": {"y"}, "cpu": {"2"}, "image": {"y"},
	}
	ordered := 0
	for name, manifest := range manifests {
		first := (&save.First{Kubernetes: "1.37", Apply: []save.Manifest{{Path: "web.yaml"}}, Restart: []model.Key{{Name: "web"}}}).Scenario()
		s, outcome := play(t, first, manifest)
		var steps []expect.Step
		for _, step := range s.Steps {
			steps = append(steps, expect.Step{Number: step.Number, Name: step.Name, Verb: step.Verb})
		}
		test, _, err := save.Test(first, save.Expectations(outcome.Timeline, steps))
		require.NoError(t, err)
		course := courseOf(outcome.Timeline)
		for path, values := range changes {
			for _, value := range values {
				_, after := play(t, test, manifest.with(path, value))
				same := courseOf(after.Timeline) == course
				// Of more than 200 changes the direction and the number are recorded, and no instants.
				same = same || name == "ninety" && path == "terminationGracePeriodSeconds"
				fails := slices.ContainsFunc(after.Failed(), func(v expect.Verdict) bool { return v.Kind != "completes" })
				require.Equal(t, same, !fails, "%s, %s: %s\n%s\n%s\n%s", name, path, value, test, course,
					courseOf(after.Timeline))
				if failed := after.Failed(); len(failed) > 0 {
					require.Contains(t, failed[0].Detail, path+" was ", "%s, %s: %s", name, path, value)
				}
				if !same {
					ordered++
				}
			}
		}
	}
	require.Greater(t, ordered, 150)
}

// TestNoticesProbes: where a manifest says when its pods are Ready, the test that is written for it fails after each change
// of the probes that changes what happens to the pods, makes a rollout complete later, or pods Ready sooner, and names the
// probe. It passes after any other.
func TestNoticesProbes(t *testing.T) {
	const delay, period, successes = "readinessProbe.initialDelaySeconds", "readinessProbe.periodSeconds", "readinessProbe.successThreshold"
	const startup, failures = "startupProbe.periodSeconds", "startupProbe.failureThreshold"
	manifests := map[string]spec{
		"plain":     {delay: "5", period: "5"},
		"delayed":   {delay: "5"},
		"parallel":  {delay: "5", period: "5", "podManagementPolicy": "Parallel"},
		"partition": {delay: "5", period: "5", "updateStrategy.rollingUpdate.partition": "1"},
		"on delete": {delay: "5", period: "5", "updateStrategy.type": "OnDelete"},
		"startup":   {delay: "5", period: "5", startup: "2", failures: "30"},
	}
	changes := map[string][]string{
		delay: {"", "6", "20"}, period: {"4", "30"}, successes: {"3"}, startup: {"1", "7"}, failures: {"1", "40"},
		"preStop": {"1", "20"}, "initContainers": {"a"}, "terminationGracePeriodSeconds": {"0"},
		"readinessProbe.failureThreshold": {"9"}, "readinessProbe.timeoutSeconds": {"4"}, "label": {"y"}, "cpu": {"2"},
	}
	noticed := 0
	for name, manifest := range manifests {
		first := (&save.First{Kubernetes: "1.37", Probed: true, Apply: []save.Manifest{{Path: "web.yaml"}},
			Restart: []model.Key{{Name: "web"}}}).Scenario()
		s, outcome := play(t, first, manifest)
		var steps []expect.Step
		for _, step := range s.Steps {
			steps = append(steps, expect.Step{Number: step.Number, Name: step.Name, Verb: step.Verb})
		}
		test, _, err := save.Test(first, save.Expectations(outcome.Timeline, steps))
		require.NoError(t, err)
		course, took := courseOf(outcome.Timeline), lasts(outcome.Timeline)
		sooner := quickest(outcome.Timeline)
		for path, values := range changes {
			for _, value := range values {
				_, after := play(t, test, manifest.with(path, value))
				// A set that rests half way has no end that could come too late.
				late := lasts(after.Timeline) > took && strings.Contains(string(test), "completes: ")
				early := quickest(after.Timeline) < sooner
				worse := courseOf(after.Timeline) != course || late || early
				failed := after.Failed()
				require.Equal(t, worse, len(failed) > 0, "%s, %s: %s\n%s", name, path, value, test)
				if worse {
					noticed++
					field, _, _ := strings.Cut(path, ".")
					require.Contains(t, failed[0].Detail, field+" was ", "%s, %s: %s", name, path, value)
				}
			}
		}
	}
	require.Greater(t, noticed, 20)
}

// TestNoticesClaims: where several sets have claims, a test notices that the claims of one go with its pods. The other
// set may have the same name in another namespace.
func TestNoticesClaims(t *testing.T) {
	for _, other := range []string{"create: {name: db,", "namespace: shop\n  create: {name: web,"} {
		noticesClaims(t, other)
	}
}

func noticesClaims(t *testing.T, other string) {
	const data = "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], " +
		"resources: {requests: {storage: 1Gi}}}}]"
	text := "steps:\n- create: {name: web, replicas: 2, image: \"a:1\", " + data +
		", persistentVolumeClaimRetentionPolicy: {whenScaled: Retain}}\n" +
		"- " + other + " replicas: 1, image: \"a:1\", " + data + "}\n- scale: {statefulset: web, replicas: 1}\n"
	run := func(text string) (*scenario.Scenario, *scenario.Outcome) {
		s, err := scenario.Parse("s.yaml", []byte(text), fstest.MapFS{}, scenario.Options{})
		require.NoError(t, err)
		return s, s.Run(scenario.RunOptions{})
	}
	s, outcome := run(text)
	var steps []expect.Step
	for _, step := range s.Steps {
		steps = append(steps, expect.Step{Number: step.Number, Name: step.Name, Verb: step.Verb})
	}
	test, _, err := save.Test([]byte(text), save.Expectations(outcome.Timeline, steps))
	require.NoError(t, err)
	_, again := run(string(test))
	require.Empty(t, again.Failed(), "%s", test)
	_, after := run(strings.Replace(string(test), "Retain", "Delete", 1))
	require.Len(t, after.Failed(), 1)
	require.Contains(t, after.Failed()[0].Detail, "claims = [")
}

// quickest is in how short a time after its creation a pod was Ready.
func quickest(events []timeline.Event) model.Time {
	least := model.Time(math.MaxInt64)
	for f := range timeline.Ticks(events) {
		for _, set := range f.Sets() {
			for p := range set.Pods.All {
				if p.Ready {
					least = min(least, f.T-p.Created)
				}
			}
		}
	}
	return least
}

// lasts is when the last pod became Ready.
func lasts(events []timeline.Event) model.Time {
	var last model.Time
	for i := range events {
		if events[i].Kind == timeline.KindPod && events[i].State == timeline.Ready {
			last = events[i].T
		}
	}
	return last
}
