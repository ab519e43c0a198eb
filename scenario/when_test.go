package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// pipeline begins with a set whose image app:broken is never Ready, and whose claims are bound after 5s.
const pipeline = `
kubelet: {rules: [{match: {image: "app:broken"}, ready: never}]}
volumes: {bind: 5s}
steps:
  - create:
      name: web
      replicas: 2
      image: "app:v1"
      volumeClaimTemplates:
        - metadata: {name: data}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`

// TestStepsThatWaitForACommand plays scripts in which a command that waits stands between two others. A step acts when the
// command before it returns; after one that fails, or never returns, no step is played.
func TestStepsThatWaitForACommand(t *testing.T) {
	for name, c := range map[string]struct {
		steps string
		// acts are the steps after the first, left a reason why the others are not played.
		acts []string
		left string
	}{
		"a rollout": {
			"  - {when: {rolloutStatus: web}, setImage: {image: \"app:v2\"}}\n" +
				"  - {when: {rolloutStatus: web, timeout: 1m}, scale: {replicas: 1}}\n",
			[]string{"16s kubectl rollout status statefulset/web", "26s kubectl rollout status statefulset/web --timeout=1m0s"}, "",
		},
		"one that hangs": {
			"  - {after: 20s, setImage: {image: \"app:broken\"}}\n  - {when: {rolloutStatus: web}, scale: {replicas: 1}}\n" +
				"  - {after: 1h, scale: {replicas: 3}}\n",
			[]string{"20s after"},
			"steps 3 to 4 were not played: kubectl rollout status statefulset/web: it would never return",
		},
		"one that times out": {
			"  - {when: {rolloutStatus: web, timeout: 15s}, scale: {replicas: 3}}\n", nil,
			"step 2 was not played: kubectl rollout status statefulset/web --timeout=15s: error: timed out waiting for the condition",
		},
		"OnDelete": {
			"  - {patch: {spec: {updateStrategy: {type: OnDelete, rollingUpdate: null}}}}\n" +
				"  - {when: {rolloutStatus: web}, scale: {replicas: 3}}\n",
			[]string{"16s settled"}, "error: rollout status is only available for RollingUpdate strategy type",
		},
		"a set that goes": {
			"  - {after: 1s, delete: statefulset/web}\n  - {when: {rolloutStatus: web}, createPod: {name: web-0, image: a}}\n",
			[]string{"1s after"}, `statefulsets.apps "web" not found`,
		},
		"a pod that is Ready": {
			"  - {when: {wait: pod/web-0, for: condition=Ready}, delete: pod/web-0}\n" +
				"  - {when: {wait: pod/web-0, for: delete}, scale: {replicas: 1}}\n",
			[]string{"8s kubectl wait pod/web-0 --for=condition=Ready", "10s kubectl wait pod/web-0 --for=delete"}, "",
		},
		"a pod that is not there yet": {
			"  - {when: {wait: pod/web-1, for: condition=Ready}, scale: {replicas: 1}}\n", nil,
			`step 2 was not played: kubectl wait pod/web-1 --for=condition=Ready: Error from server (NotFound): pods "web-1" not found`,
		},
		"a pod that is to come": {
			"  - {when: {wait: pod/web-1, for: create}, scale: {replicas: 1}}\n",
			[]string{"8s kubectl wait pod/web-1 --for=create"}, "",
		},
		"a field of the status": {
			"  - {when: {wait: statefulset/web, for: \"jsonpath={.status.readyReplicas}=1\"}, scale: {replicas: 1}}\n",
			[]string{"8s kubectl wait statefulset/web --for=jsonpath={.status.readyReplicas}=1"}, "",
		},
		"a claim that is Bound": {
			"  - {when: {wait: pvc/data-web-0, for: \"jsonpath={.status.phase}=Bound\"}, scale: {replicas: 1}}\n",
			[]string{"5s kubectl wait pvc/data-web-0 --for=jsonpath={.status.phase}=Bound"}, "",
		},
		"a deploy tool": {
			"  - {when: {gate: helm-4}, setImage: {image: \"app:v2\"}}\n  - {when: {gate: pulumi, timeout: 1m}, scale: {replicas: 1}}\n",
			[]string{"16s gate helm-4", "26s gate pulumi --timeout=1m0s"}, "",
		},
		"a deploy tool that waits for no restart": {
			"  - {patch: {spec: {updateStrategy: {type: OnDelete, rollingUpdate: null}}}}\n  - {setImage: {image: \"app:v2\"}}\n" +
				"  - {when: {gate: argo-cd}, scale: {replicas: 1}}\n  - {when: {gate: kubectl-rollout-status}, scale: {replicas: 2}}\n",
			[]string{"16s settled", "16s settled", "16s gate argo-cd"},
			"step 5 was not played: gate kubectl-rollout-status: error: rollout status is only available for RollingUpdate strategy type",
		},
		"a deploy tool that gives up": {
			"  - {after: 20s, setImage: {image: \"app:broken\"}}\n  - {when: {gate: helm-3, timeout: 1m}, scale: {replicas: 1}}\n",
			[]string{"20s after"}, "step 3 was not played: gate helm-3 --timeout=1m0s: context deadline exceeded",
		},
		"a deploy tool that fails on a crash loop": {
			"  - {after: 20s, crash: {pod: web-0, again: 3s, times: 3}}\n  - {after: 5s, setImage: {image: \"app:v2\"}}\n" +
				"  - {when: {gate: helm-4}, scale: {replicas: 1}}\n",
			[]string{"20s after", "25s after"}, "resource StatefulSet/default/web not ready. status: Failed, message: 1 pods have failed",
		},
		"the default of kubectl wait": {
			"  - {after: 20s, setImage: {image: \"app:broken\"}}\n" +
				"  - {when: {wait: statefulset/web, for: \"jsonpath={.status.updatedReplicas}=2\"}, scale: {replicas: 1}}\n",
			[]string{"20s after"}, "error: timed out waiting for the condition on statefulsets.apps/web",
		},
	} {
		t.Run(name, func(t *testing.T) {
			outcome := load(t, pipeline+c.steps).Run(scenario.RunOptions{})
			var acts []string
			for i := range outcome.Timeline {
				if e := &outcome.Timeline[i]; e.Kind == timeline.KindStep && e.Step.Number > 1 {
					acts = append(acts, e.T.Seconds()+"s "+e.Step.Trigger)
				}
			}
			require.Equal(t, c.acts, acts)
			if warnings := strings.Join(outcome.Result.Warnings, "\n"); c.left == "" {
				require.NotContains(t, warnings, "was not played")
			} else {
				require.Contains(t, warnings, c.left)
			}
		})
	}
}

// TestWhatAStepCanWaitFor shows what is said of a command that cannot be waited for.
func TestWhatAStepCanWaitFor(t *testing.T) {
	for when, want := range map[string]string{
		"{}":                          "a step waits for one command",
		"{rolloutStatus: wob}":        "wob",
		"{wait: web-0, for: delete}":  `a step cannot wait for "web-0": write pod/web-0, pvc/data-web-0 or statefulset/web`,
		"{wait: pod/web-0}":           "a step waits for one command",
		"{wait: pod/web-0, for: Red}": `a step cannot wait for "Red" of pod/web-0: write delete, create, condition=Ready`,
		"{wait: statefulset/web, for: condition=Ready}":                    "of statefulset/web",
		"{wait: statefulset/web, for: \"jsonpath={.status.phase}=Bound\"}": "of statefulset/web",
		"kubectl rollout status returns":                                   `what a step waits for is "kubectl rollout status returns": write {rolloutStatus: web}, {gate: helm-4}, or {wait:`,
		"{gate: helm}":                                                     `there is no gate "helm": write one of kubectl-rollout-status, `,
		"{gate: helm-4@3.2}":                                               `the rule of helm-4 is not known for version "3.2": write helm-4, or a version from 4.3 to 4.3.2`,
		"{gate: helm-4, rolloutStatus: web}":                               "a step waits for one command",
		"{gate: helm-4, for: delete}":                                      "a step waits for one command",
		"{rolloutStatus: web}, after: 1s":                                  "the step has both a time and when",
	} {
		_, err := scenario.Parse("s.yaml", []byte(pipeline+"  - {when: "+when+", scale: {replicas: 1}}\n"), nil, scenario.Options{})
		require.ErrorContains(t, err, want, when)
	}
}

// TestGatesOfTheSchema: the schema knows all gates, and no other.
func TestGatesOfTheSchema(t *testing.T) {
	require.Contains(t, string(scenario.Schema()), "^("+strings.Join(gate.Names(), "|")+")(@.+)?$")
}
