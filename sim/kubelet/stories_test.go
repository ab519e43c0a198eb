package kubelet_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const (
	plain = "- create: {name: web, replicas: 2, image: \"app:v1\"}\n"
	// whole is a set of one pod with an init container, a sidecar, two containers, probes and a hook; spec is what else its
	// pods have.
	whole = `- apply:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: web}
    spec:
      replicas: 1
      serviceName: web
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          terminationGracePeriodSeconds: 9
          initContainers: [{name: init, image: "init:1"}, {name: proxy, image: "proxy:1", restartPolicy: Always}]
          containers:
          - name: app
            image: "app:v1"
            startupProbe: {tcpSocket: {port: 80}, periodSeconds: 3, failureThreshold: 2, terminationGracePeriodSeconds: 1}
            readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 2, successThreshold: 2, failureThreshold: 3}
            livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 5, terminationGracePeriodSeconds: 3}
            lifecycle: {preStop: {exec: {command: ["true"]}}}
          - {name: side, image: "side:1"}
`
	// named is a set of one pod whose container is not named app.
	named = "- create: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1, serviceName: web, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: db, image: \"app:v1\"}]}}}}\n"
	quorum = "ready: {after: 2s, when: \"self.ordinal == 0 || pods.exists(p, p.ordinal == 0 && p.up)\"}"
	// ruled is a set of one pod whose containers say what becomes of them when they end.
	ruled = `- apply:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: web}
    spec:
      replicas: 1
      serviceName: web
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec:
          initContainers:
          - name: init
            image: "init:1"
            restartPolicy: Never
            restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42]}}]
          - {name: proxy, image: "proxy:1", restartPolicy: Always}
          containers:
          - name: app
            image: "app:v1"
            restartPolicy: Never
            livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}
            restartPolicyRules:
            - {action: Restart, exitCodes: {operator: In, values: [42]}}
            - {action: RestartAllContainers, exitCodes: {operator: In, values: [88, 137]}}
          - {name: side, image: "side:1", restartPolicy: OnFailure}
`
)

// stories are what a kubelet does with pods in every state in which something can happen to them.
var stories = []struct{ name, before, steps string }{
	{"a container that is not named app, crashes, and is killed", "kubelet: {sigkill: true, rules: [{match: {nth: 1}, stop: 1m}]}\n",
		named + "- {after: 1s, crash: web-0}\n- {after: 1s, crash: web-0}\n- {after: 1m, delete: pod/web-0}\n"},
	{"a crash loop in which the pod is Ready at times, and changes", "kubelet: {rules: [{match: {image: \"app:v2\"}, crash: 5s}]}\n",
		plain + "- setImage: {image: \"app:v2\"}\n- scale: {replicas: 3}\n- {after: 20m, delete: pod/web-1}\n"},
	{"a crash loop on a node that is off for a time", "kubelet: {crash: 10s, crashes: 3}\nnodes: {count: 1}\n",
		named + "- {at: 15s, nodeDown: {node: node-1, off: true}}\n- {after: 9s, nodeUp: node-1}\n"},
	{"pods that are deleted while their node is down", "kubelet: {start: 30s, stop: 3s}\nnodes: {count: 1}\n",
		named + "- {at: 5s, nodeDown: node-1}\n- {after: 5s, delete: pod/web-0}\n- {after: 5s, nodeUp: node-1}\n"},
	{"a pod whose node is down again and again", "kubelet: {start: 30s, ready: 20s}\nnodes: {count: 1}\n",
		named + "- {at: 5s, nodeDown: node-1}\n- {after: 5s, nodeUp: node-1}\n- {after: 5s, nodeDown: node-1}\n- {after: 5s, nodeUp: node-1}\n" +
			"- {after: 25s, nodeDown: node-1}\n- {after: 5s, nodeUp: node-1}\n"},
	{"pods whose node does not exist any more", "kubelet: {stop: 10m}\nnodes: {count: 3}\nuntil: 20m\n",
		plain + "- {after: 1s, nodeDown: node-1}\n- {after: 1s, delete: node/node-1}\n"},
	{"a process without its pod, on a node that registers again and is then switched off", "kubelet: {stop: 30s}\nnodes: {count: 1}\n",
		"- create: {name: web, replicas: 1, image: \"app:v1\"}\n- delete: node/node-1\n- nodeUp: node-1\n- {after: 1s, nodeDown: {node: node-1, off: true}}\n"},
	{"pods that are deleted before they run, and before they are Ready", "kubelet: {start: 3s, ready: 5s, stop: 30s}\n",
		"- create: {name: web, replicas: 1, image: \"app:v1\"}\n- {at: 1s, delete: pod/web-0}\n- {at: 37s, delete: pod/web-0}\n"},
	{"a crash loop that was cut off, and a change", "kubelet: {rules: [{match: {image: \"app:v2\"}, crash: 2s}]}\n",
		plain + "- setImage: {image: \"app:v2\"}\n- setImage: {image: \"app:v3\"}\n"},
	{"pods to which nothing can happen", "kubelet: {start: 3s, stop: 20s}\n", plain + "- crash: web-9\n- hang: web-9\n- unready: web-9\n- fail: web-9\n" +
		"- delete: pod/web-0\n- {after: 1s, crash: web-0}\n- unready: web-0\n- fail: web-0\n- hang: web-0\n- hang: web-0\n- {after: 1m, delete: pod/web-0, force: true}\n"},
	{"a container that crashes, and is hit again", "", plain + "- crash: {pod: web-0, again: 3s, times: 2}\n- crash: web-1\n" +
		"- {after: 1s, crash: web-1}\n- {after: 1s, unready: {pod: web-1, for: 1m}}\n"},
	{"a short form whose container is named", "kubelet: {probes: true}\n", plain + "- crash: {pod: web-0, container: app, again: 3s, times: 2}\n- crash: {pod: web-1, container: none}\n"},
	{"a short form, probed", "kubelet: {probes: true, healthy: 4s}\n", plain + "- crash: web-0\n- unready: {pod: web-1, for: 7s}\n- delete: pod/web-1\n"},
	{"containers of a manifest that crash", "kubelet: {probes: true, healthy: 4s, init: 2s, preStop: 3s, stop: 4s, rules: [{match: {container: side}, crash: 30s, crashes: 1}]}\n", whole +
		"- {after: 1s, crash: {pod: web-0, container: init}}\n- {after: 20s, crash: {pod: web-0, container: proxy}}\n- {after: 30s, crash: {pod: web-0, container: side, again: 5s, times: 2}}\n" +
		"- {after: 2m, crash: {pod: web-0, container: app}}\n- {after: 1m, delete: pod/web-0}\n- {after: 2s, crash: {pod: web-0, container: side}}\n"},
	{"an application that never answers", "kubelet: {probes: true, healthy: never, preStop: 1s, stop: 2s}\nuntil: 3m\n", whole},
	{"an application that stops to answer", "kubelet: {probes: true, stop: 40s}\n", whole + "- unready: {pod: web-0, for: 20s}\n- {after: 5m, unready: {pod: web-0, for: 4s}}\n- delete: pod/web-0\n"},
	{"an image that cannot be pulled", "kubelet: {probes: true, rules: [{match: {image: \"app:gone\"}, pull: never}, {match: {container: side}, pull: {fails: 2, takes: 3s}}]}\n" +
		"until: 10m\n", whole + "- setImage: {image: \"app:gone\", container: app}\n"},
	{"hooks without probes, and a grace period that is over", "kubelet: {preStop: 8s, stop: 30s, sigkill: true}\n", whole + "- delete: pod/web-0\n- {after: 1s, delete: pod/web-0}\n- {after: 1m, crash: web-0}\n"},
	{"a hook that never ends, and a process that never does", "kubelet: {preStop: never, stop: 1s}\nuntil: 5m\n", whole + "- delete: pod/web-0\n"},
	{"a process that never ends, and a hook that does", "kubelet: {preStop: 1s, stop: never}\nuntil: 5m\n", whole + "- delete: pod/web-0\n- {after: 1m, delete: pod/web-0, force: true}\n"},
	{"a node that is off, with all containers", "kubelet: {probes: true, healthy: 4s, init: 2s, preStop: 3s}\nnodes: {count: 1}\nuntil: 1h\n", whole +
		"- {at: 1s, nodeDown: {node: node-1, off: true}}\n- {after: 30s, nodeUp: node-1}\n- {at: 5m, nodeDown: {node: node-1, off: true}}\n- {after: 1m, nodeUp: node-1}\n" +
		"- {at: 10m, nodeDown: node-1}\n- {after: 1m, nodeUp: node-1}\n- {at: 20m, nodeDown: node-1}\n- {after: 10s, delete: pod/web-0}\n- {after: 1m, nodeUp: node-1}\n"},
	{"a node that is off while a container waits for its restart", "kubelet: {probes: true, rules: [{match: {container: app}, crash: 5s}]}\nnodes: {count: 1}\nuntil: 20m\n",
		whole + "- {at: 5m, nodeDown: {node: node-1, off: true}}\n- {after: 10s, nodeUp: node-1}\n"},
	{"a node that is off, without a manifest", "kubelet: {rules: [{match: {pod: web-1}, crash: 5m}, {match: {pod: web-2}, fail: 4m}]}\nnodes: {count: 1}\nuntil: 20m\n",
		"- create: {name: web, replicas: 4, image: \"app:v1\", podManagementPolicy: Parallel}\n- crash: web-3\n- {at: 1m, nodeDown: {node: node-1, off: true}}\n- {after: 1m, nodeUp: node-1}\n"},
	{"processes that live on, on nodes that fall silent", "kubelet: {stop: 10m}\nnodes: {count: 2}\nuntil: 2h\n", plain + "- {delete: pod/web-0, force: true}\n- nodeDown: node-1\n- {after: 15m, nodeUp: node-1}\n" +
		"- {delete: pod/web-1, force: true}\n- {after: 1m, nodeDown: {node: node-2, off: true}}\n- {after: 1m, nodeUp: node-2}\n"},
	{"pods that need their peers", "kubelet: {" + quorum + "}\nnodes: {count: 2}\nuntil: 1h\n", plain + "- nodeDown: {node: node-1, off: true}\n- {after: 1m, nodeUp: node-1}\n- delete: pod/web-0\n" +
		"- crash: web-1\n- {after: 1m, unready: {pod: web-0, for: 30s}}\n- {after: 2m, scale: {replicas: 3}}\n"},
	{"probed pods that need their peers", "kubelet: {probes: true, healthy: 4s, init: 1s, ready: {when: \"self.ordinal == 0 || pods.exists(p, p.ordinal == 0 && p.up)\"}}\nnodes: {count: 2}\nuntil: 1h\n",
		strings.Replace(whole, "replicas: 1", "replicas: 2", 1) + "- {after: 1m, crash: {pod: web-0, container: app}}\n- {after: 2m, delete: pod/web-0}\n- {after: 2m, unready: {pod: web-0, for: 30s}}\n" +
			"- {after: 3m, nodeDown: {node: node-1, off: true}}\n- {after: 1m, nodeUp: node-1}\n"},
	{"pods that need each other, and lose each other late", "kubelet: {ready: {after: 2s, when: \"pods.exists(p, p.ordinal != self.ordinal && p.up)\", lose: 7s}}\nuntil: 1h\n",
		"- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n- {at: 1m, crash: {pod: web-0, again: 20s}}\n- {at: 3m, crash: {pod: web-0, again: 1s}}\n- {at: 5m, delete: pod/web-1}\n"},
	{"a hook before the process ends", "kubelet: {preStop: 3s, stop: 2s}\n", plain + "- delete: pod/web-0\n"},
	{"two processes of one identity at the end", "kubelet: {stop: 10m}\nnodes: {count: 2}\nuntil: 3m\n", plain + "- {delete: pod/web-0, force: true}\n"},
	{"a node that is off and back, with a pod that is never Ready", "kubelet: {ready: never}\nnodes: {count: 1}\nuntil: 10m\n",
		plain + "- {at: 1m, nodeDown: {node: node-1, off: true}}\n- {after: 1m, nodeUp: node-1}\n"},
	{"a pod without a set among pods that need their peers", "kubelet: {ready: {after: 2s, when: \"pods.exists(p, p.up)\"}}\nuntil: 10m\n",
		"- createPod: {name: lonely, image: \"tool:1\", labels: {app: tool}}\n- {at: 10s, create: {name: web, replicas: 1, image: \"app:v1\"}}\n"},
	{"pods that are deleted while their node is silent", "kubelet: {start: 2s, ready: 1m, stop: 5s, rules: [{match: {pod: web-1, nth: 1}, fail: 4m}, {match: {pod: web-2, nth: 1}, crash: 3m}]}\nnodes: {count: 1}\nuntil: 10m\n",
		"- create: {name: web, replicas: 4, image: \"app:v1\", podManagementPolicy: Parallel}\n- {at: 30s, nodeDown: node-1}\n- {after: 1s, delete: pod/web-0}\n- {after: 0s, delete: pod/web-1}\n- {after: 0s, delete: pod/web-2}\n- {after: 10s, nodeUp: node-1}\n"},
	{"sets that need each other, and each its own", "kubelet: {ready: {after: 2s, when: \"pods.exists(p, p.ordinal == 2 && p.up)\"}, rules: [{match: {statefulset: db}, ready: {after: 1s, when: \"pods.exists(p, p.ordinal == 1 && p.up)\"}}]}\nuntil: 1h\n",
		"- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n- create: {name: mq, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n- create: {name: db, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n" +
			"- {at: 1m, delete: pod/web-2}\n- {at: 2m, delete: pod/db-1}\n- {at: 3m, scale: {statefulset: mq, replicas: 3}}\n"},
	{"a crash loop that goes on as long as other pods become Ready", "kubelet: {rules: [{match: {statefulset: web}, crash: 5s, ready: {after: never, when: \"true\"}}, {match: {statefulset: db}, ready: 40m}]}\n",
		plain + "- create: {name: db, replicas: 1, image: \"app:v1\"}\n- {at: 3h, create: {name: mq, replicas: 1, image: \"app:v1\"}}\n"},
	{"pods that crash, or are unready for longer, while their node is silent", "kubelet: {ready: 1m}\nnodes: {count: 1}\nuntil: 20m\n",
		plain + "- {at: 5m, unready: {pod: web-0, for: 40s}}\n- {after: 0s, crash: web-1}\n- {after: 10s, nodeDown: node-1}\n- {after: 10s, crash: web-0}\n- {after: 0s, crash: web-1}\n- {after: 10s, nodeUp: node-1}\n"},
	{"peers of one set that need another thing each", "kubelet: {rules: [{match: {pod: web-0}, ready: {after: 2s, when: \"true\"}}, {match: {pod: web-1}, ready: {after: 2s, when: \"pods.exists(p, p.ordinal == 2)\"}}]}\nuntil: 1h\n",
		"- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n- {at: 1m, scale: {replicas: 3}}\n"},
	{"a pod that loses its peer while it is not Ready", "kubelet: {ready: {after: 2s, when: \"pods.exists(p, p.ordinal != self.ordinal && p.up)\", lose: 7s}}\nuntil: 1h\n",
		"- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n- {at: 60s, crash: {pod: web-1, again: 1s, times: 2}}\n- {at: 60.5s, crash: web-0}\n"},
	{"an application that gives up before it is ready", "kubelet: {ready: 10s, giveUp: 4s}\n", plain},
	{"an application that never answers, and is slow to stop", "kubelet: {probes: true, healthy: never, stop: 40s}\nuntil: 1m\n", whole},
	{"a hook that takes no time", "kubelet: {preStop: 0s, stop: 2s}\n", plain + "- delete: pod/web-0\n"},
	{"a process that takes no time", "kubelet: {preStop: 2s, stop: 0s}\n", plain + "- delete: pod/web-0\n"},
	{"a node that loses its power while pods stop or have ended", "kubelet: {stop: 10m, rules: [{match: {pod: web-2, nth: 1}, fail: 30s}]}\nnodes: {count: 1}\nuntil: 1h\n",
		"- create: {name: web, replicas: 4, image: \"app:v1\", podManagementPolicy: Parallel, updateStrategy: {type: OnDelete}}\n- {at: 25s, delete: pod/web-0}\n- {at: 28s, nodeDown: {node: node-1, off: true}}\n- {after: 20s, nodeUp: node-1}\n"},
	{"a pod that is forgotten on a node that comes back", "nodes: {count: 1}\nuntil: 1h\n",
		plain + "- hang: web-0\n- {after: 0s, delete: pod/web-0}\n- {after: 5s, nodeDown: node-1}\n- {after: 10s, nodeUp: node-1}\n- {after: 1m, delete: pod/web-0, force: true}\n"},
	{"a grace period that is over, without a manifest", "kubelet: {stop: 50s, sigkill: true}\n", plain + "- delete: pod/web-0\n"},
	{"pods that never notice that a peer is gone", "kubelet: {ready: {after: 2s, when: \"pods.exists(p, p.ordinal == 1)\", lose: never}}\nuntil: 10m\n",
		"- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n- scale: {replicas: 1}\n"},
	{"a pod that crashes after its peer has gone unnoticed", "kubelet: {ready: {after: 2s, when: \"pods.exists(p, p.ordinal == 1)\", lose: never}}\nuntil: 10m\n",
		"- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n- scale: {replicas: 1}\n- {after: 1m, crash: web-0}\n- {after: 1m, scale: {replicas: 2}}\n"},
	{"processes of lost pods on several nodes", "kubelet: {stop: 10m}\nnodes: {count: 3}\nuntil: 1h\n", "- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n" +
		"- {delete: pod/web-0, force: true}\n- {after: 0s, delete: pod/web-1, force: true}\n- {after: 0s, delete: pod/web-2, force: true}\n- {after: 1m, nodeDown: node-1}\n- {after: 1m, nodeDown: {node: node-2, off: true}}\n- {after: 1m, nodeUp: node-1}\n"},
	{"a node that is silent, with pods that wait for a peer", "kubelet: {ready: {after: 2s, when: \"self.ordinal == 0 || pods.exists(p, p.ordinal == 2)\"}}\nnodes: {count: 1}\nuntil: 1h\n",
		"- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n- {at: 10s, nodeDown: node-1}\n- {at: 5m, scale: {replicas: 2}}\n- {after: 1m, delete: pod/web-2, force: true}\n- {after: 1m, nodeUp: node-1}\n"},
	{"pods that do not get there, and say why", "kubelet: {rules: [{match: {pod: web-0}, start: never, reason: ImagePullBackOff}, " +
		"{match: {pod: web-1}, ready: never, reason: Unhealthy}, {match: {pod: web-2}, reason: None}]}\n",
		"- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n"},
	{"a crash loop that is always the same, a container that ends once, and a change",
		"kubelet: {rules: [{match: {pod: web-0}, crash: 5s}, {match: {pod: web-1}, crash: 20m, crashes: 1}]}\n",
		plain + "- {at: 20m10s, scale: {replicas: 3}}\n"},
	{"a crash loop that is always the same, and a change while its node is silent", "kubelet: {crash: 5s}\nnodes: {count: 1}\n",
		"- create: {name: web, replicas: 1, image: \"app:v1\"}\n- {at: 20m, nodeDown: node-1}\n" +
			"- {after: 10s, patch: {spec: {minReadySeconds: 1}}}\n- {after: 10s, nodeUp: node-1}\n"},
	{"a pod that crashes while its node is silent, and fails later", "kubelet: {ready: 1m, rules: [{match: {pod: web-0}, fail: 10m}]}\nnodes: {count: 1}\nuntil: 15m\n",
		plain + "- {at: 5m, nodeDown: node-1}\n- {after: 10s, crash: web-0}\n- {after: 10s, nodeUp: node-1}\n"},
	{"an init container that takes longer than the patience of the application", "kubelet: {probes: true, init: 10s, giveUp: 8s}\n", strings.Replace(whole, "{name: init,", "{name: slow, image: \"init:1\"}, {name: init,", 1)},
	{"pods that are ready as soon as they run, if a condition holds", "kubelet: {schedule: 1s, start: 2s, ready: {after: 0s, when: \"true\"}}\n", plain},
	{"a pod that is forgotten before it is Ready", "kubelet: {ready: 10s}\nuntil: 1m\n", plain + "- {at: 3s, hang: web-0}\n"},
	{"a pod that is bound to a node without power", "kubelet: {start: 30s}\nnodes: {count: 1}\n",
		named + "- {at: 5s, nodeDown: {node: node-1, off: true}}\n- {after: 5s, nodeUp: node-1}\n"},
	{"a pod that stops when its condition no longer holds", "kubelet: {stop: 20s, ready: {after: 2s, when: \"spec.replicas == 2\", lose: 1s}}\n",
		plain + "- {at: 30s, delete: pod/web-1}\n- {after: 5s, patch: {spec: {replicas: 1}}}\n"},
	{"a crash loop that ends with a peer that is late", "kubelet: {rules: [{match: {pod: web-0}, giveUp: 10s, ready: {after: 1s, when: \"pods.exists(p, p.ordinal == 1 && p.ready)\"}}, " +
		"{match: {pod: web-1}, ready: 40m}]}\n", "- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n"},
	{"a node that loses its power again before all containers run", "kubelet: {probes: true, init: 10s}\nnodes: {count: 1}\nuntil: 10m\n",
		whole + "- {at: 5m, nodeDown: {node: node-1, off: true}}\n- {after: 10s, nodeUp: node-1}\n- {after: 5s, nodeDown: {node: node-1, off: true}}\n- {after: 10s, nodeUp: node-1}\n"},
	{"a set that leaves its pods to another one", "kubelet: {schedule: 1s, ready: {after: 1s, when: \"spec.replicas == 2\"}}\n",
		plain + "- delete: statefulset/web\n  cascade: orphan\n- {after: 1m, create: {name: web, replicas: 2, image: \"app:v1\"}}\n"},
	{"containers that end with a code for which there is a rule", "kubelet: {probes: true, healthy: 4s, init: 2s}\nuntil: 1h\n", ruled +
		"- {at: 1m, crash: {pod: web-0, container: app, exitCode: 42}}\n- {at: 2m, crash: {pod: web-0, container: app, exitCode: 88}}\n" +
		"- {at: 2m1.5s, crash: {pod: web-0, container: init, exitCode: 42}}\n- {at: 3m, crash: {pod: web-0, container: side, exitCode: 0}}\n- {at: 4m, crash: {pod: web-0, container: app, exitCode: 0}}\n"},
	{"an init container that fails for good, and one that ends early", "kubelet: {probes: true, init: 9s, rules: [{match: {container: init, nth: 1}, crash: 2s, exitCode: 3}, {match: {container: init}, crash: 2s, exitCode: 0}]}\n", ruled},
	{"all containers again and again, for a probe", "kubelet: {probes: true, healthy: never, init: 1s, stop: 40s}\nuntil: 100s\n", ruled},
	{"all containers again and again, on a node that is off for a time", "kubelet: {probes: true, rules: [{match: {container: app}, crash: 20s, exitCode: 88}]}\nnodes: {count: 1}\nuntil: 2m\n",
		ruled + "- {at: 22.5s, nodeDown: {node: node-1, off: true}}\n- {after: 10s, nodeUp: node-1}\n- {at: 55s, nodeDown: node-1}\n- {after: 10s, nodeUp: node-1}\n"},
	{"rules for a container alone, which gives up", "kubelet: {ready: 10s, giveUp: 4s, exitCode: 88}\nuntil: 12s\n", ruled},
	{"rules for a container alone, which ends", "", strings.ReplaceAll(ruled, "          - {name: side, image: \"side:1\", restartPolicy: OnFailure}\n", "") +
		"- {at: 1m, crash: {pod: web-0, exitCode: 1}}\n- {at: 2m, crash: {pod: web-0, exitCode: 0}}\n- {at: 3m, crash: {pod: web-0, exitCode: 88}}\n"},
	{"rules of which the other containers know nothing", "", ruled + "- {at: 1m, crash: {pod: web-0, exitCode: 1}}\n"},
}

func load(t *testing.T, name, before, steps string) *scenario.Scenario {
	s, err := scenario.Parse("story.yaml", []byte(before+"steps:\n"+steps), nil, scenario.Options{})
	require.NoError(t, err, name)
	return s
}

// TestStories writes down what becomes of the pods: testdata/stories.jsonl has the lines of pods, containers, processes
// and warnings.
func TestStories(t *testing.T) {
	var text strings.Builder
	for _, story := range stories {
		fmt.Fprintf(&text, "# %s\n", story.name)
		for _, e := range load(t, story.name, story.before, story.steps).Run(scenario.RunOptions{}).Timeline {
			switch e.Kind {
			case timeline.KindPod, timeline.KindContainer, timeline.KindProcess, timeline.KindResult:
				text.Write(append(timeline.AppendJSON(nil, &e), '\n'))
			case timeline.KindStep:
				fmt.Fprintf(&text, "## %s: %s: %s\n", e.T.Clock(), e.Step.Does, e.Step.Effect)
			default:
				if e.Warning {
					text.Write(append(timeline.AppendJSON(nil, &e), '\n'))
				}
			}
		}
	}
	goldenfile.Equal(t, "testdata/stories.jsonl", text.String())
}

// TestStoriesWithoutAHistory hands on what has happened, instant by instant, and keeps nothing of it: it is the same.
func TestStoriesWithoutAHistory(t *testing.T) {
	for _, story := range stories {
		s := load(t, story.name, story.before, story.steps)
		want := s.Run(scenario.RunOptions{}).Timeline
		again, handed := load(t, story.name, story.before, story.steps), []timeline.Event(nil)
		sim.New(again.Config(scenario.RunOptions{NoHistory: true, Written: func(events []timeline.Event) {
			handed = append(handed, events...)
		}})).Run(again.Steps)
		require.Equal(t, timeline.Digest(want), timeline.Digest(handed), story.name)
	}
}

// TestWhenItBeganDoesNotMatter: two worlds at rest are one for a fingerprint although one began later, by a time in which
// all probes end a period.
func TestWhenItBeganDoesNotMatter(t *testing.T) {
	for name, before := range map[string]string{
		"a plain container": "", "containers with probes": "kubelet: {probes: true, healthy: 4s, init: 2s}\n",
		"containers that need a peer": "kubelet: {probes: true, ready: {when: \"pods.exists(p, p.up)\"}}\n",
	} {
		rest := func(at string) (print sim.Fingerprint) {
			s := load(t, name, before, strings.Replace(whole, "- apply:", "- at: "+at+"\n  apply:", 1))
			config := s.Config(scenario.RunOptions{})
			config.Watch = func(w *sim.World) { print = w.Fingerprint() }
			sim.New(config).Run(s.Steps)
			return print
		}
		require.Equal(t, rest("30s"), rest("90s"), name)
	}
}

// TestStoriesGoOn stops them at some of their fixed points: another world that begins with the state goes on as the first.
func TestStoriesGoOn(t *testing.T) {
	type stop struct {
		state *sim.State
		done  int
		print sim.Fingerprint
	}
	for _, story := range stories {
		s, done, at := load(t, story.name, story.before, story.steps), 0, 0
		for i := range s.Steps {
			act := s.Steps[i].Act
			s.Steps[i].Act = func(u *sim.User) sim.Outcome {
				done = i + 1
				return act(u)
			}
		}
		var stops []stop
		config := s.Config(scenario.RunOptions{})
		config.Watch = func(w *sim.World) {
			if at++; at%7 == 0 {
				stops = append(stops, stop{w.State(), done, w.Fingerprint()})
			}
		}
		want := timeline.Digest(sim.New(config).Run(s.Steps))
		for i, from := range stops {
			again := load(t, story.name, story.before, story.steps)
			config := again.Config(scenario.RunOptions{})
			config.Start = from.state
			first := true
			config.Watch = func(w *sim.World) {
				if first {
					require.Equal(t, from.print, w.Fingerprint(), "%s: stop %d", story.name, i)
				}
				first = false
			}
			require.Equal(t, want, timeline.Digest(sim.New(config).Run(again.Steps[from.done:])), "%s: stop %d", story.name, i)
		}
	}
}

// TestBegunWithContainersThatRun stops a world whose pod has been Ready for a while, and begins another one with its
// objects alone, as with a dump: what happens to the pod's containers then is the same, since the init container is
// taken to be done, and the sidecar to run.
func TestBegunWithContainersThatRun(t *testing.T) {
	const before = "kubelet: {probes: true, healthy: 4s, init: 2s, stop: 4s}\n"
	then := func(crash, stop string) string {
		return "- {at: " + crash + ", crash: {pod: web-0, container: proxy}}\n- {at: " + stop + ", delete: pod/web-0}\n"
	}
	var objects sim.State
	first := load(t, "first", before, whole+then("60s", "120s"))
	config := first.Config(scenario.RunOptions{})
	config.Watch = func(w *sim.World) {
		if w.Now() < model.Time(time.Minute) {
			objects = *w.State()
		}
	}
	told := func(events []timeline.Event, since time.Duration) string {
		var text strings.Builder
		for _, e := range events {
			if at := time.Duration(e.T) - since; at > 0 && (e.Kind == timeline.KindPod || e.Kind == timeline.KindContainer) {
				fmt.Fprintf(&text, "%s %s %s %s %s\n", at, e.Actor, e.Pod, e.State, e.Message)
			}
		}
		return text.String()
	}
	began := 50 * time.Second
	want := told(sim.New(config).Run(first.Steps), began)
	require.Contains(t, want, "container proxy is started again")
	again := load(t, "again", before, whole+then("10s", "70s"))
	config = again.Config(scenario.RunOptions{})
	objects.Rest = nil
	config.Start = &objects
	require.Equal(t, want, told(sim.New(config).Run(again.Steps[1:]), 0))
}
