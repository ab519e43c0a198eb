package explain_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
)

// waitsFor is a set of one pod, created at 12:00:00, whose container waits for a reason, with a message.
const waitsFor = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: prod, uid: s, generation: 1, creationTimestamp: '2026-11-20T12:00:00Z'}
spec:
  replicas: 1
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: 'registry.example.com/app:v1'}]}
status:
  {observedGeneration: 1, replicas: 1, currentReplicas: 1, updatedReplicas: 1, currentRevision: web-1, updateRevision: web-1}
---
apiVersion: v1
kind: Pod
metadata:
  name: web-0
  namespace: prod
  uid: p
  creationTimestamp: '2026-11-20T12:00:00Z'
  labels: {app: web, controller-revision-hash: web-1, statefulset.kubernetes.io/pod-name: web-0}
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]
spec: {nodeName: node-1, containers: [{name: app, image: 'registry.example.com/app:v1'}]}
status:
  phase: Pending
  startTime: '2026-11-20T12:00:01Z'
  conditions:
  - {type: PodScheduled, status: 'True', lastTransitionTime: '2026-11-20T12:00:00Z'}
  - {type: Ready, status: 'False', lastTransitionTime: '2026-11-20T12:00:01Z'}
  containerStatuses:
  - name: app
    ready: false
    restartCount: 0
    image: 'registry.example.com/app:v1'
    state: {waiting: {reason: %s, message: '%s'}}
`

// TestCertainWords: that a container never gets its image, or is never made, is certain only where the kubelet's words
// show it. Whatever else it says may pass, and in the first seconds it is too early to say more.
func TestCertainWords(t *testing.T) {
	for _, c := range []struct {
		reason, message string
		// at5s is the state 5 s after the pod was created. certain says whether it is certain after 5 minutes.
		at5s    judge.State
		certain bool
	}{
		{"InvalidImageName", `couldn''t parse image name "App:v1": invalid reference format`, judge.Stuck, true},
		{"ErrImageNeverPull", "Container image is not present with pull policy of Never", judge.Stuck, true},
		{"ImagePullBackOff", "Back-off pulling image: ErrImagePull: app:v1: not found", judge.TooEarly, true},
		{"ErrImagePull", "manifest for app:v1 not found: manifest unknown", judge.TooEarly, true},
		{"ErrImagePull", "no match for platform in manifest: not found", judge.TooEarly, true},
		{"ErrImagePull", "failed to authorize: 401 Unauthorized", judge.TooEarly, true},
		{"ErrImagePull", "dial tcp 10.0.0.9:443: i/o timeout", judge.TooEarly, false},
		{"ErrImagePull", "the registry has said something that is new", judge.TooEarly, false},
		{"ErrImagePull", "image pull failed because the registry is unavailable", judge.TooEarly, false},
		{"RegistryUnavailable", "image pull failed because the registry is unavailable", judge.TooEarly, false},
		{"ErrImagePull", "pull QPS exceeded", judge.TooEarly, false},
		{"ImagePullBackOff", `Back-off pulling image "app:v1"`, judge.TooEarly, false},
		{"ImageInspectError", "failed to inspect image: context deadline exceeded", judge.TooEarly, false},
		{"SignatureValidationFailed", "the policy does not let it", judge.TooEarly, false},
		{"CreateContainerConfigError", `secret "s" not found`, judge.Stuck, true},
		{"CreateContainerConfigError", "container has runAsNonRoot and image will run as root", judge.Stuck, true},
		{"CreateContainerConfigError", "failed to sync secret cache: timed out waiting", judge.TooEarly, false},
		{"CreateContainerError", `name "app_web-0_prod_0" is reserved for "0123"`, judge.TooEarly, false},
		{"CreateContainerError", "the runtime has said something that is new", judge.Stuck, false},
		{"RunContainerError", `exec: "serve": executable file not found in $PATH`, judge.Stuck, true},
	} {
		t.Run(c.reason+" "+c.message, func(t *testing.T) {
			judged := func(after time.Duration) judge.Judgement {
				at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).Add(after)
				d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: fmt.Appendf(nil, waitsFor, c.reason, c.message)}},
					dump.Options{At: at})
				require.NoError(t, err)
				s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
				require.NoError(t, err)
				return explain.Begin(d, labOf(s, d), "").All(nil).Sets[0].Judgement
			}
			early, later := judged(5*time.Second), judged(5*time.Minute)
			require.Equal(t, c.at5s, early.State)
			require.Equal(t, judge.Stuck, later.State)
			require.Equal(t, c.certain, later.Certain)
			require.Equal(t, c.certain, later.Causes[0].Certain, "the cause is as certain as the state")
			require.Equal(t, early.Certain, early.Causes[0].Certain, "the cause is as certain as the state")
		})
	}
}
