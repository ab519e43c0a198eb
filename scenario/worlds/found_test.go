package worlds_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// found are worlds that were drawn and broke a promise, cut down to what it was about. Their expectations say what is
// right.
var found = map[string]string{
	"a pod that fails before it is bound is never bound": `
volumes: {bind: 10s}
steps:
- create:
    name: web
    replicas: 1
    image: "app:v1"
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
- {at: 1s, watch: {delay: 20s, for: 20s}}
- {at: 2s, fail: {pod: web-0}}
expect:
- order: ["web-0 Failed", "web-0 Gone", "web-0 Pending", "web-0 Running"]
- count: {of: "web-0 Running", is: 1}
- completes: {}
`,
	"the pods of a set that is gone are none of its successor's": `
collector: {delay: 10s}
steps:
- create: {name: web, replicas: 1, image: "app:v1"}
- delete: statefulset/web
- {name: again, after: 0s, create: {name: web, replicas: 1, image: "app:v1"}}
expect:
- check: {at: 5s, that: "pods.size() == 0 && serving == 0 && status.replicas == 0"}
- check: {at: 14s, that: "pods.size() == 0"}
- check: {at: settled, that: "serving == 1"}
`,
	"the history of a set that adopts the revisions of another is that of the cluster": `
steps:
- create: {name: web, replicas: 1, image: "app:v2"}
- apply:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: api}
    spec:
      serviceName: api
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}}
- delete: statefulset/api
  cascade: orphan
expect:
- check: {at: settled, that: "pods.all(p, p.revision == 1)"}
  for: default/web
`,
}

// TestFound plays the worlds that were found once.
func TestFound(t *testing.T) {
	for name, text := range found {
		t.Run(name, func(t *testing.T) {
			s := parse(t, []byte(text))
			o := s.Run(scenario.RunOptions{})
			for _, v := range o.Failed() {
				t.Errorf("%s: %s", v.Text, v.Detail)
			}
			require.True(t, o.Held())
			hold(t, world{text: []byte(text), question: question{pod: "web-0"}})
		})
	}
}
