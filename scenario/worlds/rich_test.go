package worlds_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// rich are worlds in which much goes on at the same time: nodes that fall silent and are drained, volumes that are held,
// budgets, probes and hooks, calls that take time, watches that break and a controller that begins in the past.
var rich = map[string]string{
	"nodes and volumes": `
nodes: {count: 4, zones: [a, b], taints: []}
volumes: {bind: 3s, release: 2s}
apiserver: {write: 200ms, watch: 300ms}
kubelet: {start: 2s, ready: 3s, stop: 4s}
until: 40m
steps:
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}}
- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 4, serviceName: web, podManagementPolicy: Parallel,
    persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Delete}, selector: {matchLabels: {app: web}},
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}},
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}
- at: 20s
  drain: {node: node-1}
- at: 22s
  nodeDown: {node: node-2}
- at: 25s
  scale: {replicas: 2}
- at: 7m
  nodeUp: node-2
- at: 8m
  nodeDown: {node: node-3, off: true}
- at: 16m
  outOfService: node-3
- at: 17m
  uncordon: node-1
- at: 18m
  scale: {replicas: 5}
- at: 30m
  delete: statefulset/web
`,
	"probes, hooks and containers that end": `
until: 20m
kubelet: {start: 2s, ready: 3s, stop: 4s, rules: [{match: {image: "app:bad"}, crash: 3s}, {match: {image: "app:gone"}, pull: never}]}
steps:
- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web, minReadySeconds: 5,
    selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {terminationGracePeriodSeconds: 7,
    initContainers: [{name: init, image: "init:1"}, {name: proxy, image: "proxy:1", restartPolicy: Always}],
    containers: [{name: app, image: "app:v1", readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 2, periodSeconds: 3},
      livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}, lifecycle: {preStop: {exec: {command: [sleep, "3"]}}}}, {name: side, image: "side:1"}]}}}}
- setImage: {image: "app:bad", container: app}
- at: 6m
  undo: web
- at: 7m
  delete: pod/web-1
- at: 9m
  setImage: {image: "app:gone", container: app}
- at: 11m
  restart: web
- at: 12m
  crash: {pod: web-0}
`,
	"a controller that is cut off": `
until: 10m
apiserver: {write: 1s, watch: 2s}
controller: {resync: 90s, workers: 2, sync: 300ms}
steps:
- create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel}
- create: {name: db, replicas: 2, image: "db:1"}
- setImage: {statefulset: web, image: "app:v2"}
- after: 2s
  delete: pod/web-0
- after: 3s
  restartController: {behind: 10s}
- at: 3m
  scale: {statefulset: db, replicas: 4}
- at: 4m
  evict: web-1
- at: 5m
  fail: {pod: db-0, reason: Evicted}
faults:
- {write: {verb: create, kind: pod, name: db-1}, error: Conflict, times: 3}
- {write: {verb: update, kind: statefulset}, loseAnswer: true, times: 2}
- {pod: web-1 Ready, watch: {break: 20s, kind: pod}}
`,
	"processes and volumes that are left behind": `
kubernetes: "1.36"
nodes: {names: [{name: n1, zone: a, allocatable: {pods: 3}}, {name: n2, zone: a, allocatable: {pods: 3}}, {name: n3, zone: b}]}
kubelet: {start: 1s, stop: 90s, ready: {after: 2s, when: "self.nth < 3 || pods.filter(p, p.up).size() > 1"}}
volumes: {bind: 1s, mode: WaitForFirstConsumer}
until: 40m
steps:
- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web, podManagementPolicy: Parallel,
    selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}},
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}},
      {metadata: {name: logs}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}
- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}}
- at: 20s
  drain: {node: n3, timeout: 30s}
- at: 1m
  delete: pod/web-0
  force: true
- at: 70s
  delete: pvc/data-web-1
- at: 80s
  delete: pod/web-1
  force: true
- at: 2m
  nodeDown: n2
- at: 3m
  scale: {replicas: 5}
- at: 4m
  upgradeControlPlane: "1.37"
- at: 9m
  delete: node/n2
- at: 16m
  nodeDown: "n[13]"
- at: 22m
  nodeUp: n1
- at: 24m
  hang: web-0
- at: 25m
  setImage: {image: "app:v2"}
`,
}

// TestRichWorldsBeginAgain: a world that is stopped in the midst of all that and begun again goes on to the same timeline,
// wherever it is stopped. Of the fixed points some twenty are tried.
func TestRichWorldsBeginAgain(t *testing.T) {
	for name, text := range rich {
		t.Run(name, func(t *testing.T) {
			w := world{text: []byte(text)}
			whole, stops := stopped(t, w, -1)
			require.Greater(t, len(stops), 20)
			require.NotEqual(t, timeline.WasRefused, whole[len(whole)-1].Result.Verdict)
			want := jsonl(t, whole)
			for at := 0; at < len(stops); at += max(1, len(stops)/16) {
				again, stops := stopped(t, w, at)
				require.Equal(t, want, jsonl(t, again), "a world whose state is taken goes on as if it were not")
				require.Equal(t, want, jsonl(t, goOn(t, w, stops[at])), "begun again at fixed point %d", at)
			}
		})
	}
}
