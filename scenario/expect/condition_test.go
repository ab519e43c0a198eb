package expect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var web = model.Key{Namespace: "default", Name: "web"}

// compiled compiles one condition about the set web.
func compiled(t require.TestingT, text string) *condition.Condition {
	reader := &strict.Reader{File: "f.yaml"}
	c := condition.Conditions{Reader: reader, AnySet: true, Scopes: map[bool]*condition.Scope{}}
	condition := c.Compile(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: 1, Column: 1}, true)
	require.NoError(t, reader.Err(), text)
	return condition
}

func evaluatorOf(c *condition.Condition) *condition.Evaluator {
	return &condition.Evaluator{Condition: c, Subject: web, Needed: append([]model.Key{web}, c.Uses.Sets...)}
}

func setOf(replicas int32) *model.StatefulSet {
	return &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web"}, Spec: model.Spec{
		Replicas: replicas, MinReadySeconds: 2, ServiceName: "web",
		Selector: model.Selector{Data: `{"matchLabels":{"app":"web"}}`},
		Template: &model.Template{ID: 1, Data: `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[` +
			`{"image":"app:v1","name":"app","resources":{"limits":{"cpu":"2","memory":1}}}],"terminationGracePeriodSeconds":30}}`},
		Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{Partition: 1,
			MaxUnavailable: &model.IntOrPercent{Value: 25, Percent: true}}},
	}}
}

func podEvent(at model.Time, name string, state timeline.State) timeline.Event {
	return timeline.Entry{T: at, Kind: timeline.KindPod, Set: web, Pod: name, UID: 1, State: state, Template: 1, Revision: 3,
		Image: "app:v1", Node: "node-1", Nth: 2}.Event()
}

func stepEvent(at model.Time, set *model.StatefulSet) timeline.Event {
	return timeline.Entry{T: at, Kind: timeline.KindStep, Step: &timeline.Step{Sets: []*model.StatefulSet{set}}}.Event()
}

func folded(events ...timeline.Event) *timeline.Fold {
	f := &timeline.Fold{}
	for i := range events {
		f.Apply(&events[i])
	}
	return f
}

// TestConditions: what conditions see of a small world.
func TestConditions(t *testing.T) {
	f := folded(
		stepEvent(0, setOf(3)), podEvent(1e9, "web-0", timeline.Pending), podEvent(2e9, "web-0", timeline.Ready),
		podEvent(2e9, "web-1", timeline.Pending),
		timeline.Entry{T: 4e9, Kind: timeline.KindStatus, Set: web, Status: &model.Status{Replicas: 2, Updated: 1, UpdateRevision: "web-a",
			Conditions: []model.Condition{{Type: "Progressing", True: true, Since: 15e8}}}}.Event(),
	)
	for text, want := range map[string]bool{
		"true": true,
		"serving == 1 && ready == 1 && available == 1 && outdated == 0":                               true,
		"pods.size() == 2 && size(pods) == spec.replicas - 1":                                         true,
		"pods.filter(p, p.ready).size() == 1":                                                         true,
		"pods[0].name == 'web-0' && pods[0].ordinal == 0":                                             true,
		"pods[0].phase == 'Running' && pods[0].state == 'Ready'":                                      true,
		"pods[0].ready && pods[0].available && pods[0].serving && !pods[0].terminating":               true,
		"pods[0].template == 1 && pods[0].revision == 3 && pods[0].nth == 2":                          true,
		"pods[0].image == 'app:v1' && pods[0].node == 'node-1'":                                       true,
		"pods[0].age == 3.0 && pods[1].age == duration('2s') && pods[1].age < 3":                      true,
		"pods.exists(p, p.state == 'Pending' && !p.ready)":                                            true,
		"pods.map(p, p.name) == ['web-0', 'web-1']":                                                   true,
		"pods[0] == pods[0] && pods[0] != pods[1] && pods[0] in pods":                                 true,
		"now == 4.0 && now < 5 && now >= duration('3s500ms')":                                         true,
		"spec.podManagementPolicy == 'OrderedReady' && spec.serviceName == 'web'":                     true,
		"spec.updateStrategy.rollingUpdate.partition == 1":                                            true,
		"spec.updateStrategy.rollingUpdate.maxUnavailable == '25%'":                                   true,
		"spec.template.spec.containers[0].image == 'app:v1'":                                          true,
		"spec.template.spec.containers.exists(c, c.name == 'app')":                                    true,
		"spec.template.spec.containers[0].resources.limits['cpu'] == '2'":                             true,
		"spec.template.spec.containers[0].resources.limits['memory'] == 1":                            true,
		"spec.template.spec.containers[0].resources.limits['memory'] % 2 == 1":                        true,
		"spec.template.metadata.labels['app'] == 'web' && 'app' in spec.template.metadata.labels":     true,
		"spec.selector.matchLabels.app == 'web'":                                                      true,
		"spec.template.spec.terminationGracePeriodSeconds == 30":                                      true,
		"spec.minReadySeconds == 2 && spec.ordinals.start == 0 && !has(spec.ordinals)":                true,
		"has(spec.updateStrategy.rollingUpdate) && !has(spec.persistentVolumeClaimRetentionPolicy)":   true,
		"spec.persistentVolumeClaimRetentionPolicy.whenDeleted == ''":                                 true,
		"!has(spec.template.spec.containers[0].readinessProbe.httpGet)":                               true,
		"spec.volumeClaimTemplates.size() == 0":                                                       true,
		"status.replicas == 2 && status.updatedReplicas == 1 && status.readyReplicas == 0":            true,
		"status.updateRevision.startsWith('web-') && status.collisionCount == 0":                      true,
		"status.conditions.exists(c, c.type == 'Progressing' && c.status == 'True')":                  true,
		"status.conditions[0].lastTransitionTime == 1.5":                                              true,
		"sets['default/web'].serving == serving && sets['default/web'].spec.replicas == 3":            true,
		"sets.size() == 1 && sets.all(key, key == 'default/web') && !('default/db' in sets)":          true,
		"serving == spec.replicas":                                                                    false,
		"pods.all(p, p.available)":                                                                    false,
		"double(serving) >= double(spec.replicas) * 0.5":                                              false,
		"pods.filter(p, p.template == 1 && p.image.matches('^app:v[0-9]$')).map(p, p.ordinal) == [1]": false,
	} {
		got, err := evaluatorOf(compiled(t, text)).At(f)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestConditionWithoutValue(t *testing.T) {
	f := folded(stepEvent(0, setOf(3)))
	for text, want := range map[string]string{
		"pods[7].ready": "it has no value: index out of bounds: 7",
		"spec.template.metadata.labels['x'] == ''": "it has no value: no such key: x",
		"serving / 0 == 1":                         "it has no value: division by zero",
		"sets['default/db'].serving == 1":          "default/db: the set does not exist",
	} {
		truth, err := evaluatorOf(compiled(t, text)).At(f)
		assert.EqualError(t, err, want, text)
		assert.False(t, truth)
	}
}

// TestConditionCost: no condition hangs a run.
func TestConditionCost(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	events := []timeline.Event{stepEvent(0, setOf(300))}
	for i := range 300 {
		events = append(events, podEvent(0, fmt.Sprintf("web-%d", i), timeline.Pending))
	}
	for _, text := range []string{
		"pods.all(a, pods.all(b, pods.all(c, a.name != '' && b.name != '' && c.name != '')))",
		"pods.all(p, pods.all(q, pods.filter(r, r.name == q.name).size() == 1 && p in pods))",
	} {
		_, err := evaluatorOf(compiled(t, text)).At(folded(events...))
		assert.EqualError(t, err, "one evaluation of the condition costs more than 10000000", text)
	}

	e := evaluatorOf(compiled(t, "now >= 0"))
	e.Meter = &condition.Meter{Limit: 1000, Spent: 1000}
	_, err := e.At(folded(events...))
	assert.EqualError(t, err, "the conditions of the run cost more than 1000 together: --max-cost raises the limit")
}

// TestDegree: a condition is only evaluated without a limit if it walks over the pods once.
func TestDegree(t *testing.T) {
	for text, want := range map[string]int{
		"serving > 1": 0, "pods.size() > 1": 1, "pods.all(p, p.ready)": 1, "pods.filter(p, p.ready).map(p, p.name).size() > 1": 1,
		"pods.all(p, p in pods)": 2, "pods.all(p, pods == pods)": 2, "pods.all(p, pods.exists(q, q.ready))": 2,
		"pods.all(p, p.image == spec.template.spec.containers[0].image)":       1,
		"pods.all(p, spec.template.spec.containers.exists(c, c.image == ''))":  2,
		"sets.all(k, sets[k].ready > 1)":                                       2,
		"[1, 2].all(x, [1, 2].all(y, [1, 2].all(z, x + y + z > 0)))":           3,
		"pods.all(p, {'a': 1}['a'] == 1) && [pods, pods].all(x, size(x) == 0)": 3,
	} {
		c := compiled(t, text)
		checked, _ := c.Env.Compile(text)
		assert.Equal(t, want, condition.Degree(checked.NativeRep().Expr()), text)
	}
}

// conditions of all sorts of dependence, for the tests of the evaluator's memory.
var various = []string{
	"serving > 1", "ready == available", "spec.replicas == 3", "status.updatedReplicas == spec.replicas", "outdated > 0",
	"pods.exists(p, p.available)", "pods.exists(p, p.age > 3)", "now > 4", "pods.all(p, p.template == 1)", "available > 0",
	"sets['default/web'].available > 1", "sets.exists(k, sets[k].available > 1)", "sets['default/web'].spec.replicas > 2 && now < 9",
	"pods.filter(serving, serving.ready).size() > ready", "has(spec.ordinals) || has(status.conditions)",
}

// TestEvaluatorRemembers: an evaluator that remembers always says what one says that does not.
func TestEvaluatorRemembers(t *testing.T) {
	var list []*condition.Condition
	for _, text := range various {
		list = append(list, compiled(t, text))
	}
	rapid.Check(t, func(t *rapid.T) {
		events := []timeline.Event{stepEvent(0, setOf(3))}
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			events = append(events, drawEvent(t, events[len(events)-1].T))
		}
		var evaluators []*condition.Evaluator
		for _, c := range list {
			evaluators = append(evaluators, evaluatorOf(c))
		}
		for f := range timeline.Ticks(events) {
			for i, e := range evaluators {
				got, gotErr := e.At(f)
				want, wantErr := evaluatorOf(list[i]).At(f)
				require.Equal(t, want, got, "%s at %s", various[i], clock(f.T))
				require.Equal(t, wantErr == nil, gotErr == nil)
			}
		}
	})
}

func drawEvent(t *rapid.T, now model.Time) timeline.Event {
	at := now + model.Time(rapid.Int64Range(0, 3).Draw(t, "seconds")*1e9)
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0:
		set := setOf(rapid.Int32Range(2, 4).Draw(t, "replicas"))
		set.Spec.MinReadySeconds = rapid.Int32Range(0, 3).Draw(t, "minReadySeconds")
		return stepEvent(at, set)
	case 1:
		return timeline.Entry{T: at, Kind: timeline.KindStatus, Set: web, Status: &model.Status{Updated: rapid.Int32Range(0, 3).Draw(t, "updated")}}.Event()
	case 2:
		return timeline.Entry{T: at, Kind: timeline.KindStep, Step: &timeline.Step{Removed: []model.Key{web}}}.Event()
	}
	e := podEvent(at, fmt.Sprintf("web-%d", rapid.IntRange(0, 3).Draw(t, "ordinal")),
		timeline.State(rapid.IntRange(int(timeline.Pending), int(timeline.Gone)).Draw(t, "state")))
	e.Template = rapid.IntRange(1, 2).Draw(t, "template")
	return e
}

// counted compiles a condition whose cost is counted, whatever it is.
func counted(t *testing.T, text string) *condition.Condition {
	c := compiled(t, text)
	checked, issues := c.Env.Compile(text)
	require.NoError(t, issues.Err())
	var err error
	c.Program, err = c.Env.Program(checked, cel.CostLimit(condition.MaxCost))
	require.NoError(t, err)
	return c
}

// TestEvaluatorRests: a condition costs nothing while nothing changes that it reads.
func TestEvaluatorRests(t *testing.T) {
	for text, wakes := range map[string][]string{
		"spec.replicas == 3":                {"step"},
		"status.updatedReplicas == 1":       {"status"},
		"serving > 2":                       {"ready"},
		"pods.exists(p, p.ready)":           {"ready", "step", "pending"},
		"sets['default/web'].serving > 1":   {"ready", "step", "status", "pending"},
		"now > 1":                           {"ready", "step", "status"},
		"outdated == 0 && available == 0":   {},
		"spec.replicas == 3 && serving > 1": {"step", "ready"},
	} {
		t.Run(text, func(t *testing.T) {
			f := folded(stepEvent(0, setOf(3)), podEvent(0, "web-0", timeline.Pending))
			e := evaluatorOf(counted(t, text))
			e.Meter = &condition.Meter{}
			_, err := e.At(f)
			require.NoError(t, err)
			for _, change := range []struct {
				name  string
				event timeline.Event
			}{
				{"step", stepEvent(1e9, setOf(4))},
				{"pending", podEvent(1e9, "web-1", timeline.Pending)},
				{"ready", podEvent(2e9, "web-0", timeline.Ready)},
				{"status", timeline.Entry{T: 3e9, Kind: timeline.KindStatus, Set: web, Status: &model.Status{}}.Event()},
			} {
				before := e.Meter.Spent
				f.Apply(&change.event)
				_, err := e.At(f)
				require.NoError(t, err)
				assert.Equal(t, slices.Contains(wakes, change.name), e.Meter.Spent > before, change.name)
			}
		})
	}
}

// TestCompileAnything: whatever stands in an expectation, compiling it does not panic, and judging it does not either.
func TestCompileAnything(t *testing.T) {
	word := rapid.SampledFrom([]string{"pods", "spec", "sets", "[0]", "['default/web']", ".", "ready", "serving", "(", ")", " == ", "1",
		"'x'", ".all(p, p", ".exists(serving, serving", "has(", "duration(", "now", " - ", " && ", "!", "é", "\n", "[", "@", "{}", "Pod{", "}"})
	key := rapid.SampledFrom(append(Kinds(), "for", "name", "kubernetes", "since", "within", "during", "x"))
	events := []timeline.Event{timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Kubernetes: "1.36.3"}}.Event(), stepEvent(0, setOf(1)),
		podEvent(1e9, "web-0", timeline.Ready)}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.Map(rapid.SliceOfN(word, 0, 8), func(words []string) string { return strings.Join(words, "") }),
			rapid.Custom(func(t *rapid.T) string { return key.Draw(t, "inner") }), rapid.String())
		text, err := yaml.Marshal([]map[string]any{{key.Draw(t, "key"): value.Draw(t, "value")},
			{key.Draw(t, "key"): []string{value.Draw(t, "value")}}, {key.Draw(t, "key"): map[string]string{"of": value.Draw(t, "value"),
				"at": value.Draw(t, "value"), "that": value.Draw(t, "value"), "is": "1"}}})
		require.NoError(t, err)
		list, _ := Load("f.yaml", text, strict.Limits{}, events)
		for _, v := range Judge(list, events) {
			require.NotEmpty(t, v.Text)
		}
	})
}
