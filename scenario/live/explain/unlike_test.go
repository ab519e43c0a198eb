package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestUnlike: of a set at rest it is said which pods have another image, or other resources, than their template, and
// what becomes of that. What admission adds to every pod is not said.
func TestUnlike(t *testing.T) {
	const cpu = `resources: {requests: {cpu: 100m}}, `
	for name, c := range map[string]struct{ template, pod, more, says string }{
		"as the template": {`image: "app:v2", ` + cpu, `image: "app:v2", ` + cpu, "", ""},
		"the same amount in other words": {`image: "app:v2", resources: {requests: {cpu: "1"}}, `,
			`image: "app:v2", resources: {requests: {cpu: 1000m}}, `, "", ""},
		"limits that admission adds": {`image: "app:v2", `,
			`image: "app:v2", resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1}}, `, "", ""},
		"a resize in place": {`image: "app:v2", ` + cpu, `image: "app:v2", resources: {requests: {cpu: 200m}}, `, "",
			"default/web: web-0 has other requests or limits than the template: a resize in place, or admission"},
		"the vertical autoscaler": {`image: "app:v2", ` + cpu, `image: "app:v2", resources: {requests: {cpu: 200m}}, `,
			`annotations: {vpaUpdates: "Pod resources updated by web"}, `, ""},
		"a pending resize": {`image: "app:v2", `, `image: "app:v2", `, "resize",
			"web-0 has a pending resize in place (Deferred: Node didn't have enough resource: cpu)."},
		"a restart of all containers": {`image: "app:v2", `, `image: "app:v2", `, "restart",
			"web-0 has the condition AllContainersRestarting: the kubelet removes all its containers and starts them again"},
		"a label that was changed": {`image: "app:v2", `, `image: "app:v1", `, "",
			"web-0 has another image than the revision of the label controller-revision-hash names (app:v1, not app:v2)"},
		"an init container": {`image: "app:v2", name: app}], initContainers: [{image: "i:1", `, `image: "app:v2", name: app}], initContainers: [{image: "i:2", `, "",
			"web-0 has another image than the revision of the label controller-revision-hash names (i:2, not i:1)"},
		"a mirror": {`image: "app:v2", `, `image: "mirror.example/hub/app:v2@sha256:abc", `, "",
			"web-0 has an image from another registry than the template names (mirror.example/hub/app:v2@sha256:abc, not app:v2)"},
	} {
		t.Run(name, func(t *testing.T) {
			condition := ""
			switch c.more {
			case "resize":
				c.more, condition = "", `, {type: PodResizePending, status: "True", reason: Deferred, `+
					`message: "Node didn't have enough resource: cpu"}`
			case "restart":
				c.more, condition = "", `, {type: AllContainersRestarting, status: "True"}`
			}
			template := "{metadata: {labels: {app: web}}, spec: {containers: [{" + c.template + "name: app}]}}"
			const owner = "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: u, controller: true}]"
			data := fmt.Sprintf(`apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: web, namespace: default, creationTimestamp: "2026-01-01T00:00:00Z", uid: u, generation: 1}
  spec: {replicas: 1, serviceName: web, selector: {matchLabels: {app: web}}, template: %[1]s}
  status: {observedGeneration: 1, replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1,
    currentRevision: web-1, updateRevision: web-1}
- apiVersion: v1
  kind: Pod
  metadata: {name: web-0, namespace: default, %[3]screationTimestamp: "2026-01-01T00:00:00Z", uid: p,
    labels: {app: web, controller-revision-hash: web-1}, %[2]s}
  spec: {nodeName: n, containers: [{%[4]sname: app}]}
  status: {phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:05Z"}%[5]s],
    containerStatuses: [{name: app, ready: true, state: {running: {startedAt: "2026-01-01T00:00:02Z"}}}]}
`, template, owner, c.more, c.pod, condition)
			d, err := dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(data)}}, dump.Options{})
			require.NoError(t, err)
			s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
			require.NoError(t, err)
			var b strings.Builder
			require.NoError(t, explain.Begin(d, labOf(s, d), "").All(nil).Document().Text(&b, render.Style{Width: 1 << 20}))
			require.Contains(t, b.String(), "AT REST default/web (1 of 1)")
			if require.Contains(t, b.String(), c.says); c.says == "" {
				require.NotContains(t, b.String(), "web-0 has")
			}
			require.Less(t, strings.Index(b.String(), "AT REST"), strings.Index(b.String(), "Note: "), "notes come last")
		})
	}
}
