package scenario_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// files are the manifests beside the scenarios of these tests.
var files = fstest.MapFS{
	"web.yaml": {Data: []byte(manifestOf("web", "app:v1", "  replicas: 2\n"))},
	"deploy/v2.yaml": {Data: []byte("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\n" +
		manifestOf("web", "app:v2", ""))},
	"more.yaml": {Data: []byte("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\n" + manifestOf("db", "db:v1", "") +
		"      - name: side\n        image: side:v1\n")},
	"commented.yaml": {Data: []byte("# The set.\n" + manifestOf("web", "app:v1 # The image.", ""))},
}

func manifestOf(name, image, fields string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: %[1]s
spec:
%[3]s  selector:
    matchLabels: {app: %[1]s}
  template:
    metadata:
      labels: {app: %[1]s}
    spec:
      containers:
      - name: app
        image: %[2]s
`, name, image, fields)
}

func load(t *testing.T, text string) *scenario.Scenario {
	s, err := scenario.Parse("test.yaml", []byte(text), files, scenario.Options{})
	require.NoError(t, err)
	return s
}

// story plays a scenario and renders what came of its steps, a line each, and the result.
func story(t *testing.T, text string) (lines []string, outcome *scenario.Outcome) {
	outcome = load(t, text).Run(scenario.RunOptions{})
	for i := range outcome.Timeline {
		e := &outcome.Timeline[i]
		if e.Kind != timeline.KindStep {
			continue
		}
		line := fmt.Sprintf("%ss %s: %s", e.T.Seconds(), e.Step.Does, e.Step.Effect)
		if e.Step.Refusal != "" {
			line += ": " + e.Step.Refusal
		}
		lines = append(lines, line)
	}
	lines = append(lines, outcome.Result.Warnings...)
	return append(lines, string(outcome.Result.Verdict)), outcome
}

// lastSet returns a set as the last step that touched it left it.
func lastSet(o *scenario.Outcome, name string) *model.StatefulSet {
	var last *model.StatefulSet
	for i := range o.Timeline {
		if step := o.Timeline[i].Step; step != nil {
			for _, set := range step.Sets {
				if set.Name == name {
					last = set
				}
			}
		}
	}
	return last
}

// TestSteps plays each verb, and shows how each is said and what came of it.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		name, steps string
		want        []string
	}{
		{"scale and patch", `
- create: {name: web, replicas: 1, image: "app:v1"}
- scale: {statefulset: web, replicas: 2}
- scale: {replicas: 2}
- patch: {spec: {updateStrategy: {rollingUpdate: {partition: 1}}}}
- after: 5s
  patch: {type: strategic, spec: {template: {spec: {containers: [{name: app, image: "app:v2"}]}}}}
- patch: {metadata: {labels: {a: b}}}`, []string{
			"0s create web: created",
			"3s scale web to 2: configured",
			"6s scale web to 2: unchanged",
			"6s patch web: updateStrategy to {rollingUpdate:{partition:1}}: configured",
			"11s patch web: template to {spec:{containers:[{image:app:v2,name:app}]}}: configured",
			"16s patch web: metadata: configured",
			"settled",
		}},
		{"image, undo, restart", `
- create: {name: web, image: "app:v1"}
- setImage: {image: "app:v2"}
- setImage: {image: "app:v2", container: app}
- undo: {statefulset: web}
- undo: {toRevision: 2}
- restart: {}
- after: 0s
  restart:
  refused: already been triggered
- undo: {toRevision: 99}
  refused: unable to find specified revision 99`, []string{
			"0s create web: created",
			"3s set the image of web to app:v2: configured",
			"8s set the image of app of web to app:v2: unchanged",
			"8s undo the rollout of web: configured",
			"13s undo the rollout of web to revision 2: configured",
			"18s restart web: configured",
			"18s restart web: refused: error: failed to create patch for web: if restart has already been triggered within the past second, please wait before attempting to trigger another",
			"23s undo the rollout of web to revision 99: refused: error: unable to find specified revision 99 in history",
			"settled",
		}},
		{"nothing to undo", `
- create: {name: web, image: "app:v1"}
- undo: {}
  refused: no last revision`, []string{
			"0s create web: created",
			"3s undo the rollout of web: refused: error: no last revision to roll back to",
			"settled",
		}},
		{"pods", `
- create: {name: web, replicas: 2, image: "app:v1"}
- fail: {pod: web-0, reason: Evicted}
- unready: {pod: web-1, for: 10s}
- after: 1s
  unready: {pod: web-1}
- delete: pod/web-1
- after: 1s
  delete: {pod: web-1, force: true}
- fail: {pod: web-7}
- delete: pod/web-7`, []string{
			"0s create web: created",
			"6s fail web-0, Evicted: done",
			"9s make web-1 unready for 10s: done",
			"10s make web-1 unready: none",
			"19s delete web-1: deleted",
			"20s force the deletion of web-1: deleted",
			"23s fail web-7: none",
			"23s delete web-7: none",
			"step 4: it did nothing: web-1 is not in a state for it at 10s",
			"step 7: it did nothing: there is no pod web-7 at 23s",
			"step 8: it did nothing: there is no pod web-7 at 23s",
			"settled",
		}},
		{"pods by hand", `
- createPod: {name: web-1, image: "tool:1", labels: {app: web}}
- createPod: {name: web-1, image: "tool:1"}
  refused: already exists
- create: {name: web, replicas: 2, image: "app:v1"}
- label: {pod: web-0, labels: {app: other, tier: db}}
- after: 1s
  label: {pod: web-0, labels: {app: web, tier: null}}
- after: 1s
  label: {pod: web-0, labels: {app: web}}
- label: {pod: web-7, labels: {app: web}}`, []string{
			"0s create the pod web-1: created",
			"3s create the pod web-1: refused: pods \"web-1\" already exists",
			"3s create web: created",
			"11s label web-0 app=other, tier=db: done",
			"12s label web-0 app=web, tier-: done",
			"13s label web-0 app=web: unchanged",
			"13s label web-7 app=web: none",
			"step 7: it did nothing: there is no pod web-7 at 13s",
			"settled",
		}},
		{"an untimed step waits for the healing", `
- create: {name: web, image: "app:v1"}
- unready: {pod: web-0, for: 10s}
- setImage: {image: "app:v2"}`, []string{
			"0s create web: created",
			"3s make web-0 unready for 10s: done",
			"13s set the image of web to app:v2: configured",
			"step 3: this step has no time, so it waits until the pod recovers; add after: 0s to act before",
			"settled",
		}},
		{"apply", `
- apply: web.yaml
- apply: web.yaml
- scale: {replicas: 3}
- apply: deploy/v2.yaml
- apply: [web.yaml, more.yaml]
- setImage: {statefulset: db, container: side, image: "side:v2"}
- replace: deploy/v2.yaml`, []string{
			"0s apply web: created",
			"6s apply web: unchanged",
			"6s scale web to 3: configured",
			"9s apply web: configured",
			"18s apply web, db: created",
			"26s set the image of side of db to side:v2: configured",
			"31s replace web: configured",
			"settled",
		}},
		{"apply over create", `
- create: {name: web, replicas: 2, image: "app:v1"}
- apply: web.yaml`, []string{
			"0s create web: created",
			"6s apply web: configured",
			"step 2: default/web was not made by apply: this first apply removes nothing from it",
			"settled",
		}},
		{"refusals", `
- create: {name: web, image: "app:v1"}
- create: {name: web, image: "app:v1"}
  refused: already exists
- patch: {statefulset: web, spec: {serviceName: other}}
  refused: SPEC.SERVICENAME
- scale: {statefulset: web, replicas: -1}
  refused: must be greater than or equal to 0
- patch: {statefulset: web, spec: {podManagementPolicy: Sideways}}
  refused: must be 'OrderedReady' or 'Parallel'
- scale: {statefulset: wbe, replicas: 1}
  refused: not found
`, []string{
			"0s create web: created",
			`3s create web: refused: statefulsets.apps "web" already exists`,
			`3s patch web: serviceName to other: refused: StatefulSet.apps "web" is invalid: spec.serviceName: Invalid value: "other": field is immutable`,
			`3s scale web to -1: refused: error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0`,
			`3s patch web: podManagementPolicy to Sideways: refused: StatefulSet.apps "web" is invalid: [spec.podManagementPolicy: Invalid value: "Sideways": must be 'OrderedReady' or 'Parallel', spec.podManagementPolicy: Invalid value: "Sideways": field is immutable]`,
			`3s scale wbe to 1: refused: Error from server (NotFound): statefulsets.apps "wbe" not found`,
			"settled",
		}},
		{"the deletion of a set", `
- create: {name: web, replicas: 2, image: "app:v1"}
- delete: {statefulset: web, cascade: foreground}
- create: {name: web, replicas: 1, image: "app:v1"}
- delete: statefulset/web
- create: {name: web, replicas: 1, image: "app:v1"}
- delete: statefulset/web
  cascade: orphan
- scale: {replicas: 3}
  refused: not found`, []string{
			"0s create web: created",
			"6s delete the StatefulSet web after its pods: deleted",
			"8s create web: created",
			"11s delete the StatefulSet web: deleted",
			"13s create web: created",
			"16s delete the StatefulSet web and leave its pods: deleted",
			`16s scale web to 3: refused: Error from server (NotFound): statefulsets.apps "web" not found`,
			"settled",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, _ := story(t, "kubernetes: \"1.37\"\nsteps:"+c.steps+"\n")
			require.Equal(t, strings.Join(c.want, "\n"), strings.Join(lines, "\n"))
		})
	}
}

// TestApplyInAScenario shows that apply keeps what others have set, and removes what left the manifest.
func TestApplyInAScenario(t *testing.T) {
	_, o := story(t, "steps:\n- apply: web.yaml\n- patch: {metadata: {labels: {a: b}}, spec: {minReadySeconds: 1}}\n- apply: deploy/v2.yaml\n")
	set := lastSet(o, "web")
	require.Equal(t, int32(1), set.Spec.Replicas, "replicas left the manifest")
	require.Equal(t, int32(1), set.Spec.MinReadySeconds)
	require.Equal(t, "b", set.Labels["a"])
	require.Equal(t, "app:v2", set.Spec.Template.Image())
}

// TestNamespaces shows that a step acts in its namespace, and that a set may be left out where its namespace has one.
func TestNamespaces(t *testing.T) {
	lines, o := story(t, `
steps:
- create: {name: web, image: "app:v1"}
- namespace: prod
  create: {name: web, image: "app:v1"}
- namespace: prod
  setImage: {image: "app:v2"}
- namespace: prod
  delete: pod/web-0
`)
	require.Equal(t, "6s set the image of web to app:v2: configured", lines[2])
	require.Equal(t, "11s delete web-0: deleted", lines[3])
	require.Equal(t, model.Key{Namespace: "prod", Name: "web"}, lastSet(o, "web").Key())
}

// TestNamesOfOtherNamespaces shows that a name that only one set of the run has needs no namespace, in whatever part of
// a scenario it stands.
func TestNamesOfOtherNamespaces(t *testing.T) {
	lines, o := story(t, `
steps:
- namespace: prod
  create: {name: db-main, image: "app:v1", volumeClaimTemplates: [{metadata: {name: data}}]}
- create: {name: web, image: "app:v1"}
- setImage: {statefulset: db-main, image: "app:v2"}
- delete: pod/db-main-0
- delete: pvc/data-db-main-0
- when: {rolloutStatus: db-main}
  setImage: {statefulset: web, image: "app:v2"}
- when: {wait: pvc/data-db-main-0, for: "jsonpath={.status.phase}=Bound"}
  restart: db-main
- delete: statefulset/db-main
  refused: not found
faults:
- at: 20s
  unready: {pod: db-main-0, for: 1s}
expect:
- completes: {}
  for: web
- completes: {}
  for: db-main
`)
	require.Equal(t, []string{
		"0s create db-main: created",
		"21s create web: created",
		"24s set the image of db-main to app:v2: configured",
		"29s delete db-main-0: deleted",
		"34s delete the claim data-db-main-0: deleted",
		"34s set the image of web to app:v2: configured",
		"34s restart db-main: configured",
		"39.005s delete the StatefulSet db-main: refused: statefulsets.apps \"db-main\" not found",
		"settled",
	}, lines, "what is to be refused as missing is looked for in the step's own namespace")
	require.Equal(t, model.Key{Namespace: "prod", Name: "db-main"}, lastSet(o, "db-main").Key())
	require.Empty(t, o.Failed())
}

// TestIgnored shows that what is not simulated is named once.
func TestIgnored(t *testing.T) {
	s := load(t, "steps:\n- apply: deploy/v2.yaml\n- apply: [deploy/v2.yaml, more.yaml]\n")
	require.Equal(t, []string{"Service web"}, s.Ignored)
	require.Len(t, s.Others, 3)
}

// TestProcessOfADeletedNode: the kubelet of a node whose object is gone stops the process of a pod that was deleted with
// it, also where the pod garbage collector has set the pod to Failed first (from 1.26).
func TestProcessOfADeletedNode(t *testing.T) {
	for _, version := range []string{"1.25", "1.36"} {
		o := load(t, "kubernetes: \""+version+"\"\nkubelet: {start: 1s, ready: 1s, stop: 10s}\nsteps:\n"+
			"- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: node/node-2\n").Run(scenario.RunOptions{})
		require.Equal(t, []string{"two processes were default/web-1, from 1m01s to 1m10s"}, o.Result.Warnings, version)
	}
}

// TestUnmodelled shows that what has an effect in a cluster and none here is not called ignored: a quota that is used up
// refuses pods.
func TestUnmodelled(t *testing.T) {
	s := load(t, "steps:\n- apply: |\n    apiVersion: v1\n    kind: ResourceQuota\n    metadata: {name: few}\n"+
		"- create: {name: web, image: \"app:v1\"}\n")
	require.Empty(t, s.Ignored)
	require.Equal(t, []string{"test.yaml:3:1: The ResourceQuota few is not modelled. Assumed: it refuses nothing."}, s.Warnings)
}

// TestKubelet shows that timings, rules and distributions reach the pods.
func TestKubelet(t *testing.T) {
	text := `
seed: 7
kubelet:
  schedule: 1s
  start: {uniform: [1s, 3s]}
  ready: {choice: [{value: 1s, weight: 9}, {value: {exponential: {mean: 4s}}, weight: 1}]}
  stop: {lognormal: {p50: 5s, p99: 30s}}
  rules:
  - match: {pod: "*-1", nth: 1, image: "app:*", ordinal: 1, statefulset: web, namespace: default}
    start: never
    reason: ImagePullBackOff
steps:
- create: {name: web, replicas: 2, image: "app:v1"}
- delete: pod/web-1
- delete: pod/web-0
`
	s := load(t, text)
	require.Equal(t, uint64(7), s.Seed)
	require.Equal(t, "{uniform: [1s, 3s]}", s.Kubelet.Default.Start.String())
	require.Equal(t, "ImagePullBackOff", s.Kubelet.Rules[0].Times.Reason)
	digest := func(s *scenario.Scenario) string { return timeline.Digest(s.Run(scenario.RunOptions{}).Timeline) }
	require.Equal(t, digest(s), digest(load(t, text)))
	seed := uint64(8)
	other, err := scenario.Parse("test.yaml", []byte(text), nil, scenario.Options{Seed: &seed})
	require.NoError(t, err)
	require.NotEqual(t, digest(s), digest(other))
	require.Equal(t, timeline.Settled, s.Run(scenario.RunOptions{}).Result.Verdict)
}

// TestOptions shows that options win over the file.
func TestOptions(t *testing.T) {
	text := []byte("kubernetes: \"1.36\"\nfeatureGates: {MaxUnavailableStatefulSet: true}\nsteps:\n- create: {name: web, image: a}\n")
	s, err := scenario.Parse("x/test.yaml", text, nil, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, "test", s.Name)
	require.True(t, s.Profile.MaxUnavailable)
	require.Equal(t, []timeline.Gate{{Name: "MaxUnavailableStatefulSet", On: true}}, s.Gates)
	s, err = scenario.Parse("test.yaml", text, nil, scenario.Options{
		Kubernetes: "1.37", Gates: map[string]bool{"MaxUnavailableStatefulSet": false},
	})
	require.NoError(t, err)
	require.Equal(t, "1.37", s.Kubernetes)
	require.False(t, s.Profile.MaxUnavailable)
	_, err = scenario.Parse("test.yaml", text, nil, scenario.Options{Kubernetes: "2.0"})
	require.ErrorContains(t, err, `test.yaml: no Kubernetes version "2.0"`)
	_, err = scenario.Parse("test.yaml", []byte("steps:\n- apply: web.yaml\n"), nil, scenario.Options{})
	require.EqualError(t, err, "test.yaml:2:10: the manifest web.yaml cannot be read: "+
		"a scenario that is not a file has no folder to look in: write the manifest inline")
}

// TestJudged shows that a run is judged by the scenario's expectations.
func TestJudged(t *testing.T) {
	text := `
steps:
- create: {name: web, replicas: 2, image: "app:v1"}
- name: roll out
  setImage: {image: "app:v2"}
expect:
- descending: "@1 Terminating"
- completes: {since: roll out}
- never: "web-0@2 Ready"
`
	o := load(t, text).Run(scenario.RunOptions{})
	require.Len(t, o.Verdicts, 3)
	require.Len(t, o.Failed(), 1)
	require.Equal(t, "never", o.Failed()[0].Kind)
	require.False(t, o.Held())
	require.True(t, load(t, strings.Replace(text, "- never", "- eventually: \"ready == 2\"\n- order: [\"web-0@2 Ready\"]\n#", 1)).
		Run(scenario.RunOptions{}).Held())
}

// TestRefused shows that a step that expects to be refused fails the run where it is not, or not like that.
func TestRefused(t *testing.T) {
	text := "steps:\n- create: {name: web, image: a}\n- scale: {replicas: 2}\n  refused: %s\n- scale: {replicas: 3}\n"
	_, o := story(t, fmt.Sprintf(text, "nothing"))
	require.Len(t, o.Failed(), 1)
	require.Equal(t, "test.yaml:4:12", o.Failed()[0].Position())
	require.Equal(t, "the step was not refused: configured", o.Failed()[0].Detail)

	text = "steps:\n- create: {name: web, image: a}\n- create: {name: web, image: a}\n  refused: %s\n- scale: {replicas: 3}\n"
	_, o = story(t, fmt.Sprintf(text, "nothing"))
	require.Equal(t, timeline.WasRefused, o.Result.Verdict)
	require.Equal(t, `the refusal is statefulsets.apps "web" already exists`, o.Failed()[0].Detail)
	require.False(t, o.Held())

	_, o = story(t, fmt.Sprintf(text, "ALREADY EXISTS"))
	require.Empty(t, o.Failed())
	require.True(t, o.Held())
}

// TestStepLines holds that a scenario knows at which lines of its file its steps and its faults stand.
func TestStepLines(t *testing.T) {
	s, err := scenario.Parse("x.yaml", []byte(`name: lines
steps:
  # A comment is no step.
  - create: {name: web, replicas: 1, image: "app:v1"}

  - name: new
    setImage: {statefulset: web, image: "app:v2"}
faults:
  - at: 3s
    crash: {pod: web-0}
`), nil, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, []int{4, 6}, s.StepLines)
	require.Equal(t, []int{9}, s.FaultLines)
}
