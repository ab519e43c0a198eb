package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestObjectsByHand: what kubectl and other controllers do to pods, claims, the status of a set and its revisions.
func TestObjectsByHand(t *testing.T) {
	const begin = "kubelet: {start: 1s, ready: 1s, stop: 10s}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\", volumeClaimTemplates: [{metadata: {name: data}}]}\n"
	for _, c := range []struct{ name, steps, expect string }{
		{"a pod that is given a grace period stops within it",
			"- delete: pod/web-0\n  gracePeriodSeconds: 3\n- {after: 2s, label: {pod: web-1, labels: {x: \"1\"}}}\n- {after: 2s, label: {pod: web-1, labels: {x: \"2\"}}}\n",
			"- check: {at: 3, that: \"pods.exists(p, p.name == 'web-0' && p.terminating)\"}\n- check: {at: 4, that: \"!pods.exists(p, p.name == 'web-0' && p.terminating)\"}\n"},
		{"a finalizer of a pod holds it, and the set waits",
			"- patch: {pod: web-1, metadata: {finalizers: [x.io/hold]}}\n- {delete: pod/web-1, gracePeriodSeconds: 1}\n- {after: 1m, patch: {pod: web-1, metadata: {finalizers: null}}}\n",
			"- check: {at: 3, that: \"pods.exists(p, p.name == 'web-1' && p.terminating)\"}\n- check: {at: settled, that: \"serving == 2\"}\n"},
		{"a pod without its owner is adopted again", "- patch: {pod: web-1, metadata: {ownerReferences: null, annotations: {a: b}}}\n",
			"- check: {at: settled, that: \"serving == 2 && bare.size() == 0\"}\n"},
		{"a pod of a manifest is bound to the node that it names, and a claim grows",
			"- createPod: {apiVersion: v1, kind: Pod, metadata: {name: tool, labels: {app: tool}}, spec: {nodeName: node-1, containers: [{name: a, image: \"tool:1\"}]}}\n" +
				"- patch: {pvc: data-web-1, metadata: {labels: {kept: \"yes\"}}, spec: {resources: {requests: {storage: 2Gi}}}}\n",
			"- check: {at: settled, that: \"bare.map(p, p.name) == ['tool'] && bare[0].node == 'node-1' && claims.size() == 2\"}\n"},
		{"a controller writes its status over that of others", "- patch: {statefulset: web, subresource: status, status: {replicas: 7}}\n",
			"- check: {at: settled, that: \"status.replicas == 2\"}\n"},
		{"a revision that is in use is written again", "- delete: controllerrevision/web-6986cb69d8\n- delete: controllerrevision/none\n  refused: not found\n",
			"- check: {at: settled, that: \"status.currentRevision == 'web-6986cb69d8' && serving == 2\"}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "nodes: 2\n" + begin + c.steps + "expect:\n" + c.expect
			s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
			require.NoError(t, err)
			require.Empty(t, s.Run(scenario.RunOptions{}).Failed())
		})
	}
}

// TestObjectsByHandRefused: what such a step cannot be.
func TestObjectsByHandRefused(t *testing.T) {
	for step, want := range map[string]string{
		"{delete: pvc/data-web-0, gracePeriodSeconds: 3}":                                                    "gracePeriodSeconds does not go with a pvc: it belongs to a pod",
		"{delete: pod/web-0, force: true, gracePeriodSeconds: 3}":                                            "the step has both force and gracePeriodSeconds: keep one of them",
		"{patch: {pod: web-0, metadata: {name: x}}}":                                                         "metadata.name cannot be patched here",
		"{patch: {pod: web-0, metadata: {labels: {\"a b\": x}}}}":                                            "metadata.labels: Invalid value: \"a b\"",
		"{patch: {pvc: data-web-0}}":                                                                         "the patch changes nothing: give it spec or metadata",
		"{patch: {pod: web-0, metadata: {ownerReferences: [{apiVersion: v1, kind: Pod, name: a, uid: b}]}}}": "the patch gives the object an owner",
		"{createPod: {apiVersion: v1, kind: Pod, metadata: {name: tool}, spec: {}}}":                         "the Pod tool is invalid: spec.containers: Required value",
		"{createPod: {apiVersion: v1, kind: Secret, metadata: {name: tool}}}":                                "the object is no Pod",
	} {
		t.Run(want, func(t *testing.T) {
			text := "steps:\n- create: {name: web, replicas: 2, image: \"app:v1\", volumeClaimTemplates: [{metadata: {name: data}}]}\n- " + step + "\n"
			_, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
			require.ErrorContains(t, err, want)
		})
	}
}
