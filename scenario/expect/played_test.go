package expect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

const threePods = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"

// played are small scenarios with what is expected of them: some of it holds, and most fails in a way of its own.
var played = []struct{ name, text, expect string }{
	{"exactly, with one event too many, and with too few", threePods,
		"- exactly: {states: [Ready], is: [\"web-? Ready\", \"web-? Ready\"]}\n" +
			"- exactly: {states: [Ready], is: [\"web-? Ready\", \"web-1 Ready\", \"web-? Ready\", \"web-3 Ready\"]}\n" +
			"- exactly: {states: [Ready], is: [\"web-0 Ready\", \"web-2 Ready\", \"web-1 Ready\"]}\n" +
			"- exactly: {states: [Ready], is: [[\"web-2 Ready\", \"web-? Ready\", \"web-1 Ready\"]]}\n" +
			"- exactly: {states: [Ready], is: [[\"web-2 Ready\", \"web-1 Ready\"], \"web-0 Ready\"]}\n" +
			"- exactly: {states: [Ready], is: []}\n- exactly: {states: [Ready, Gone], during: 1, is: [\"web-9 Ready\"]}\n"},
	{"what Helm waits for, without a block rollingUpdate", "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, " +
		"spec: {replicas: 2, serviceName: web, updateStrategy: {type: RollingUpdate}, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}}\n" +
		"- setImage: {image: \"app:v2\"}\n  name: update\n",
		"- helmWait: {since: update, within: 3s}\n- helmWait: {since: update, within: 3s, helm: 3}\n- helmWait: {since: update}\n" +
			"- helmWait: {since: 1, within: 1s}\n- completes: {within: 1s}\n- completes: {since: 1, within: 6s}\n"},
	{"what Helm waits for, under a partition", "- create: {name: web, replicas: 3, image: \"app:v1\", " +
		"updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}\n- setImage: {image: \"app:v2\"}\n- scale: {replicas: 1}\n",
		"- helmWait: {since: 2, within: 1s}\n- helmWait: {since: 2, within: 4s}\n- helmWait: {since: 3, within: 1s}\n" +
			"- helmWait: {since: 3, within: 1s, helm: 3}\n- completes: {since: 2}\n- helmWait: {within: 0s}\n"},
	{"a drain that ends, and one of a node that nobody drains", "- create: {name: web, replicas: 2, image: \"app:v1\"}\n" +
		"- drain: node-1\n  name: first\n- drain: node-2\n  name: second\n",
		"- drained: {node: node-1}\n- drained: {node: node-9}\n- drained: {node: node-1, since: second}\n- drained: {node: node-2, since: second}\n" +
			"- drained: {node: \"node-?\", since: first}\n- drained: {within: 1s}\n- drained: {since: 9}\n"},
	{"a drain that a budget stops", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n" + threePods + "- drain: node-2\n- uncordon: node-2\n",
		"- drained: {}\n- drained: {node: node-2, since: 3, within: 10s}\n- budget: web\n- ends: settled\n" +
			"- budget: {name: web, since: 3}\n- budget: db\n"},
	{"a budget that a rollout does not ask", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {minAvailable: 3, selector: {matchLabels: {app: web}}}}\n" + threePods + "- setImage: {image: \"app:v2\"}\n",
		"- budget: web\n- budget: {name: web, since: 3}\n- budget: {name: web, since: 2}\n"},
	{"two sets", threePods + "- create: {name: db, replicas: 1, image: \"db:1\"}\n- delete: statefulset/web\n",
		"- always: \"sets['default/web'].serving + sets['default/db'].serving < 4\"\n- always: \"sets.all(k, sets[k].serving > 0)\"\n" +
			"- eventually: \"sets['default/db'].serving > 1\"\n- check: {at: 4s, that: \"sets['default/web'].pods.size() == 9\"}\n" +
			"- check: {at: settled, that: \"size(sets) == 2\"}\n- count: {of: \"* Pending\", is: 3}\n- completes: {}\n  for: web\n- always: \"serving > 0\"\n- completes: {}\n- completes: {within: 2s}\n"},
	{"loops of conditions", threePods,
		"- always: \"pods.filter(p, p.ready).size() <= 2\"\n- always: \"pods.map(p, p.name).size() < 3\"\n" +
			"- always: \"pods.exists_one(p, p.name == 'web-1')\"\n- eventually: \"pods.map(p, [p.name, p.image]).size() == 4\"\n" +
			"- eventually: \"pods.all(p, p.ready && p.restarts == 1)\"\n- check: {at: 1s, that: \"pods.map(p, p.ordinal + 1) == [2]\"}\n"},
	{"a run that is cut off by its limit", "- create: {name: web, replicas: 3, image: \"app:v1\"}\n- after: 5s\n  scale: {replicas: 9}\n",
		"- completes: {}\n- ends: settled\n- eventually: \"serving == 9\"\n- order: [\"web-2 Ready\", \"web-1 Ready\"]\n" +
			"- stuck: {pod: web-3}\n- never: \"web-[3-9] Ready\"\n- descending: \"web-* Pending\"\n- check: {at: 2, that: \"serving == 3\"}\n"},
	{"names", "- apply: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: None, selector: {app: web}, " +
		"ports: [{name: http, port: 80}]}}\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: pod/web-1\n",
		"- resolves: {name: web-1.web, at: 1s, to: [web-1]}\n- resolves: {name: web, to: [web-0]}\n- resolves: {name: web, to: [web-0, web-1]}\n" +
			"- resolves: {name: web-1.web, at: 3, to: []}\n- resolves: {name: nobody.web, to: []}\n- resolves: {name: elsewhere, to: [web-0]}\n"},
	{"what no run of these sets can have", "- create: {name: web, replicas: 3, image: \"app:v1\"}\n- setImage: {image: \"app:v2\"}\n" +
		"- create: {name: one, replicas: 1, image: \"one:1\"}\n- create: {name: none, replicas: 0, image: \"none:1\"}\n",
		"- never: \"web-3 Ready\"\n- never: \"web-2 Failed\"\n- never: \"web-0@3 Ready\"\n- never: \"web-0@2 Failed\"\n- never: \"web-0=app:v3 Ready\"\n" +
			"- never: \"web-0=app:v2 Failed\"\n- never: \"other/web-0 Ready\"\n- never: \"default/web-0 Failed\"\n- never: \"one-1 Ready\"\n" +
			"- count: {of: \"none-0 Ready\", is: 0}\n- count: {of: \"web-2 Ready\", is: 1}\n- count: {of: \"web-2 Ready\", atMost: 2}\n" +
			"- count: {of: \"web-2 Ready\", atLeast: 3}\n- count: {of: \"web-9 Ready\", is: 0}\n" +
			"- count: {of: \"web-0 Ready\", atLeast: 3}\n"},
	{"steps that never act", threePods + "- after: 5s\n  scale: {replicas: 4}\n- after: 1h\n  drain: node-1\nuntil: 10s\n",
		"- budget: {name: web, since: 3}\n- drained: {since: 3}\n- completes: {since: 3}\n- helmWait: {since: 3}\n- check: {at: 3, that: serving == 3}\n" +
			"- never: \"web-0 Gone\"\n  during: 3\n- always: serving == 3\n  since: 3\n- completes: {since: 2, within: 1m}\n- completes: {within: 2s}\n" +
			"- order: [\"web-0 Ready\"]\n  during: 3\n- eventually: serving == 9\n- eventually: serving == 9\n  within: 6s\n- eventually: serving == 3\n  within: 2s\n"},
	{"what a step expects of itself", threePods + "- at: 2s\n  scale: {replicas: 4}\n- patch: {spec: {serviceName: other}}\n  refused: forbidden\n" +
		"- patch: {spec: {serviceName: other}}\n  refused: replicas are few\n- scale: {replicas: 3}\n  refused: forbidden\n- after: 1h\n  scale: {replicas: 1}\n  refused: too late\n" +
		"until: 10m\n", "- ends: limit\n"},
	{"Helm, without a step that is named", threePods + "- setImage: {image: \"app:v2\"}\n- delete: pod/web-0\n- create: {name: db, replicas: 9, image: \"db:1\"}\n" +
		"- delete: statefulset/web\n", "- helmWait: {}\n- helmWait: {within: 5s}\n- helmWait: {within: 5s, helm: 3}\n- helmWait: {helm: 5}\n" +
		"- helmWait: {}\n  for: web\n- helmWait: {within: 3s}\n  for: db\n- completes: {}\n  for: web\n- completes: {within: 3s}\n  for: db\n- completes: {}\n"},
	{"budgets in conditions", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}}\n" + threePods + "- delete: pod/web-1\n",
		"- always: \"budgets['web'].currentHealthy == 3\"\n  since: 3\n- always: \"spec.replicas == 3 && budgets['web'].currentHealthy == 3\"\n  since: 3\n- always: \"budgets['default/web'].disruptionsAllowed == 1\"\n  since: 3\n" +
			"- eventually: \"budgets['web'].desiredHealthy == 9\"\n- eventually: \"budgets['db'].currentHealthy == 2\"\n" +
			"- eventually: \"budgets['web'].desiredHealthy == 2\"\n- eventually: \"budgets['web'].healthy == 2\"\n" +
			"- check: {at: settled, that: \"budgets.all(k, budgets[k].currentHealthy == 2)\"}\n"},
	{"a budget that selects no pod", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {minAvailable: 2, selector: {matchLabels: {app: other}}}}\n" + threePods, "- budget: web\n- budget: {name: web, since: 2}\n- budget: {}\n"},
	{"a budget that promises more than the only pod", "- create: {name: web, replicas: 1, image: \"app:v1\"}\n- apply: {apiVersion: policy/v1, " +
		"kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 9, selector: {matchLabels: {app: web}}}}\n", "- budget: web\n"},
	{"a budget that promises more than there ever are", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {minAvailable: 9, selector: {matchLabels: {app: web}}}}\n" + threePods + "- delete: pod/web-1\n", "- budget: web\n- budget: {name: web, since: 3}\n- budget: other\n"},
	{"many pods that are not complete", "- create: {name: web, replicas: 12, image: \"app:v1\", podManagementPolicy: Parallel}\n", "- completes: {within: 500ms}\n- completes: {within: 1500ms}\n- completes: {}\n"},
	{"conditions that mean nothing", threePods, "- always: \"serving + 'a' == 3\"\n- always: \"!serving\"\n- always: \"pods == 3 && serving\"\n- always: \"serving\"\n- always: \"spec\"\n" +
		"- always: \"pods.map(p, p.name)\"\n- always: \"serving * 1.5 > 2.0\"\n- always: \"pods[0].nmae == 'web-0'\"\n- always: \"-pods\"\n- always: \"size(serving) == 1\"\n- always: \"serving ? true : false\"\n"},
	{"entries with a namespace, and with an image", threePods, "- order: [\"default/web-1 Ready\", \"web-0=app:v1 Ready\"]\n" +
		"- exactly: {states: [Ready], is: [\"default/web-1 Ready\", \"web-0=app:v1 Ready\"]}\n"},
	{"one of two sets that are stuck", "- create: {name: web, replicas: 1, image: \"app:v1\"}\n- create: {name: db, replicas: 1, image: \"db:1\"}\n" +
		"- create: {name: mq, replicas: 1, image: \"mq:1\"}\n- setImage: {statefulset: web, image: \"gone\"}\n- setImage: {statefulset: db, image: \"gone\"}\n" +
		"kubelet: {rules: [{match: {image: gone}, start: never}]}\n",
		"- stuck: {}\n  for: web\n- stuck: {}\n  for: mq\n- stuck: {statefulset: \"d*\"}\n- stuck: {statefulset: \"m*\"}\n- stuck: {statefulset: default/web, pod: \"web-*\"}\n"},
	{"a pod that belongs to no set", threePods + "- createPod: {name: lonely, image: \"tool:1\"}\n",
		"- never: \"lonely Failed\"\n- never: \"lonley Failed\"\n- never: \"lonely=tool:2 Failed\"\n- never: \"lonely Running\"\n"},
	{"things that are compared", threePods + "- create: {name: db, replicas: 1, image: \"db:1\"}\n",
		"- check: {at: settled, that: \"sets['default/web'].pods[0] == sets['default/web'].pods[0]\"}\n" +
			"- check: {at: settled, that: \"sets['default/web'].pods[0] == sets['default/web'].pods[1]\"}\n" +
			"- check: {at: settled, that: \"sets['default/web'] == sets['default/web']\"}\n- check: {at: settled, that: \"sets['default/web'] == sets['default/db']\"}\n" +
			"- check: {at: settled, that: \"sets['default/web'].spec == sets['default/web'].spec\"}\n" +
			"- check: {at: settled, that: \"sets['default/web'].spec == sets['default/db'].spec\"}\n" +
			"- check: {at: settled, that: \"sets['default/web'].status == sets['default/web'].status\"}\n" +
			"- check: {at: settled, that: \"sets['default/web'].status == sets['default/db'].status\"}\n"},
	{"what comes to be true, pod by pod", threePods + "- after: 1m\n  delete: pod/web-1\n", "- eventually: \"pods.filter(p, p.ready).size() == 3\"\n  within: 9s\n" +
		"- eventually: \"pods.filter(p, p.ready).size() == 3\"\n  within: 8s\n- eventually: \"pods.filter(p, p.ready).size() == 2\"\n  since: 2\n"},
	{"claims that are bound, and removed, when nothing else happens", "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1, serviceName: web, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}, " +
		"volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}\n" +
		"- delete: statefulset/web\n- delete: pvc/data-web-0\nvolumes: {bind: 5s}\n",
		"- always: \"claims.all(c, c.phase == 'Pending')\"\n  since: 1\n- always: \"claims.size() == 1\"\n  since: 1\n"},
	{"processes that outlive their pods", threePods + "- {delete: pod/web-0, force: true}\nkubelet: {stop: 10m}\n",
		"- always: twins == 0 && spec.replicas > 0\n- always: strays == 0 && spec.replicas > 0\n"},
	{"pods without any set", "- createPod: {name: lonely, image: \"tool:1\"}\n", "- completes: {}\n- helmWait: {}\n- eventually: serving == 1\n" +
		"- always: serving == 1\n- check: {at: settled, that: serving == 1}\n- stuck: {}\n"},
	{"a container that crashes twice", threePods + "- crash: {pod: web-0, again: 3s, times: 2}\n", "- ascending: \"web-0 Ready\"\n- descending: \"* Ready\"\n" +
		"- ascending: \"web-0 Pending\"\n- always: \"pods.all(p, p.restarts < 2)\"\n  since: 1\n"},
	{"a condition of which one half has no value", threePods, "- always: \"pods.exists(p, p.ready) && pods[7].ready\"\n- always: \"pods.exists(p, p.ready) || pods[7].ready\"\n"},
	{"a set that a fault creates, and one that is not there", threePods + "faults: [{at: 5s, create: {name: db, replicas: 1, image: \"db:1\"}}]\n",
		"- never: \"db-0 Failed\"\n- never: \"mq-0 Failed\"\n"},
	{"Helm, while the controller has not seen the change", threePods + "- setImage: {image: \"app:v2\"}\napiserver: {watch: 2s}\n",
		"- helmWait: {since: 2, within: 1s}\n- helmWait: {since: 2, within: 1s, helm: 3}\n"},
	{"a loop whose variable is called pods", threePods + "- create: {name: db, replicas: 1, image: \"db:1\"}\n",
		"- check: {at: settled, that: \"[sets['default/db'].pods].all(pods, pods.all(p, p.ordinal < 1))\"}\n  for: default/web\n"},
	{"labels of a pod that a fault creates", threePods + "faults: [{at: 5s, createPod: {name: lonely, image: \"tool:1\", labels: {app: tool}}}]\n",
		"- eventually: \"bare.exists(p, p.labels['app'] == 'tool')\"\n- eventually: \"bare.exists(p, p.labels['app'] == 'web')\"\n"},
	{"from a step that changes nothing", threePods + "- at: 5s\n  scale: {replicas: 3}\n", "- always: serving == 3\n  since: 2\n- eventually: serving == 1\n  since: 2\n"},
	{"steps of conditions that never act", threePods + "- after: 1h\n  scale: {replicas: 4}\nuntil: 1m\n", "- eventually: serving == 4\n  since: 2\n- always: serving == 4\n  since: 2\n"},
	{"all changes of a pod", "- create: {name: web, replicas: 1, image: \"app:v1\"}\n", "- exactly: {is: [web-0 Pending, web-0 Running, web-0 Ready]}\n" +
		"- exactly: {is: [web-0 Pending, web-0 Ready]}\n- exactly: {states: [Ready], is: [\"web-0=app:v2 Ready\"]}\n"},
	{"as many pods as a message names", "- create: {name: web, replicas: 10, image: \"app:v1\", podManagementPolicy: Parallel}\nkubelet: {ready: never}\n",
		"- completes: {}\n"},
	{"more pods than a message names", "- create: {name: web, replicas: 20, image: \"app:v1\", podManagementPolicy: Parallel}\n",
		"- check: {at: settled, that: \"pods.exists(p, p.ordinal == 99)\"}\n"},
	{"a drain that kubectl refuses", "- createPod: {name: tool, image: \"tool:1\"}\n" + threePods + "- drain: node-1\n  refused: declare no controller\n",
		"- drained: node-1\n- ends: settled\n"},
	{"a drain that a budget stops, in a run that goes on", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n" + threePods + "- drain: node-2\n- after: 1m\n  setImage: {image: \"app:v2\"}\n", "- drained: {within: 10s}\n- drained: {within: 1h}\n- drained: {}\n"},
	{"what stands around a failure", "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web, " +
		"persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: " +
		"{containers: [{name: app, image: \"app:v1\"}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], " +
		"resources: {requests: {storage: 1Gi}}}}]}}\n- scale: {replicas: 1}\n- scale: {replicas: 2}\nfaults: [{pod: web-1 Gone, drain: node-1, name: cut}]\n",
		"- always: \"claims.all(c, !c.terminating)\"\n- always: \"claims.size() < 3\"\n- eventually: \"claims.exists(c, c.name == 'data-web-9')\"\n" +
			"- always: serving < 2\n- never: \"web-0 Terminating\"\n- never: \"web-1 Gone\"\n- always: \"claims.size() > 1\"\n  since: 2\n"},
	{"names out of a cache", "- apply: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: None, selector: {app: web}, " +
		"ports: [{name: http, port: 80}]}}\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n- at: 20s\n  delete: pod/web-1\ndns: {ttl: 5s}\n",
		"- resolves: {name: web-1.web, at: 20.5s, asked: 19s, to: [web-1]}\n- resolves: {name: web-1.web, at: 24s, asked: 19s, to: []}\n" +
			"- resolves: {name: web-1.web, at: 23.9s, asked: 19s, to: [web-0]}\n- resolves: {name: web-1.web, at: 30s, asked: 19s, to: [web-1@2]}\n" +
			"- resolves: {name: web-1.web, namespace: other, at: 10s, to: [web-1@1]}\n- resolves: {name: web-1.web, at: 10s, to: [web-1@1]}\n" +
			"- resolves: {name: web-1.web, asked: 19s, at: 19s, to: [web-1]}\n- resolves: {name: web-1.web, asked: 19s, at: 18s, to: [web-1]}\n" +
			"- resolves: {name: \"a b\", at: 18s, to: [web-1]}\n- resolves: {name: web-1.web, at: 18s, to: [web-1@x]}\n- resolves: {name: web-1.web, at: 18s, to: [\"\"]}\n"},
	{"what conditions may ask of pods", "- apply: {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {clusterIP: None, selector: {app: web}}}\n" +
		"- create: {name: web, replicas: 2, image: \"app:v1\"}\n- createPod: {name: lonely, image: \"tool:1\", labels: {app: tool}}\n- crash: web-1\n" +
		"- after: 0s\n  delete: pod/web-0\n",
		"- check: {at: 4, that: \"pods[1].shown == 'Error' && pods[1].up && pods[1].restarts == 0\"}\n- check: {at: 4, that: \"pods.filter(p, p.up) == [pods[0]]\"}\n" +
			"- check: {at: 4, that: \"pods[0] != pods[1] && pods[0] == pods[0] && sets['default/web'].pods == pods\"}\n" +
			"- check: {at: 4, that: \"pods.map(p, p.hostname + '.' + p.subdomain + '.' + p.namespace) == ['x']\"}\n" +
			"- check: {at: 4, that: \"pods[0].labels['app'] == 'web' && pods[0].ip == '' || pods[0].uid == ''\"}\n" +
			"- check: {at: 4, that: \"bare.size() == 1 && bare[0].name + bare[0].subdomain == 'lonely'\"}\n- always: \"bare.all(p, p.ready)\"\n" +
			"- check: {at: 4, that: \"bare == pods\"}\n- always: \"sets['default/web'].twins + sets['default/web'].strays == 1\"\n" +
			"- check: {at: 4, that: \"type(pods[0]) == type(pods[1]) && has(pods[0].labels.app) && !has(pods[0].labels.none)\"}\n" +
			"- check: {at: 4, that: \"[1, 2.5, 'a', null, true] == [spec.replicas, status]\"}\n"},
	{"Helm, and sets that are about to go, or wait for their pods to be deleted", "- create: {name: web, replicas: 2, image: \"app:v1\", updateStrategy: {type: OnDelete}}\n" +
		"- setImage: {image: \"app:v2\"}\n- scale: {replicas: 1}\n- delete: statefulset/web\n  cascade: foreground\n",
		"- helmWait: {since: 1, within: 2s}\n- helmWait: {since: 1, within: 2s, helm: 3}\n- helmWait: {since: 2, within: 1s}\n- helmWait: {since: 3, within: 1s, helm: 3}\n" +
			"- helmWait: {since: 3, within: 1s}\n- helmWait: {since: 4, within: 1s}\n- helmWait: {since: 4, within: 9s}\n"},
	{"Helm, and pods that go", threePods + "- scale: {replicas: 1}\n", "- helmWait: {since: 2, within: 1s}\n- helmWait: {since: 2, within: 1s, helm: 3}\n- helmWait: {since: 2}\n"},
	{"deploy tools, and a canary", "- create: {name: web, replicas: 3, image: \"app:v1\", updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}\n" +
		"- setImage: {image: \"app:v2\"}\n", "- gate: helm-4\n- gate: {tool: pulumi, says: never}\n- gate: {tool: pulumi, says: failed, within: 1m}\n- gate: {tool: pulumi, trueThen: true}\n" +
		"- gate: {tool: argo-cd, trueThen: false}\n- gate: {tool: argo-cd, trueThen: true, since: 2}\n- gate: {tool: helm-4, says: never}\n- gate: {tool: argo}\n" +
		"- gate: {tool: helm-4@5}\n- gate: {}\n- gate: {tool: helm-4, says: yes}\n- gate: {tool: helm-4, since: 3}\n- gate: helm-4\n  for: web\n"},
	{"deploy tools, and pods that must prove themselves", "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web, minReadySeconds: 20, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}}\n",
		"- gate: {tool: kubectl-rollout-status, trueThen: true}\n- gate: {tool: helm-3, trueThen: false}\n- gate: {tool: flux, within: 10s}\n"},
	{"deploy tools, and an OnDelete set", "- create: {name: web, replicas: 2, image: \"app:v1\", updateStrategy: {type: OnDelete}}\n- setImage: {image: \"app:v2\"}\n",
		"- gate: {tool: kubectl-rollout-status}\n- gate: {tool: kubectl-rollout-status, says: failed}\n- gate: {tool: terraform, says: failed}\n- gate: {tool: kubedog, says: never}\n" +
			"- gate: {tool: kubedog}\n- gate: {tool: argo-cd, trueThen: true}\n- gate: {tool: spinnaker, trueThen: false}\n- gate: {tool: kapp, says: failed}\n"},
	{"deploy tools, and a crash loop that heals", "- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n" +
		"kubelet: {rules: [{match: {pod: web-0}, ready: 20s}, {match: {pod: web-1}, crash: 3s, crashes: 3, ready: 5s}]}\n",
		"- gate: helm-4\n- gate: {tool: helm-4, says: failed, trueThen: false}\n- gate: {tool: helm-4-legacy, trueThen: true}\n- gate: flux\n- gate: kstatus\n"},
	{"pods whose set is deleted without them", threePods + "- delete: statefulset/web\n  cascade: orphan\n",
		"- check: {at: settled, that: pods.size() == 3}\n- check: {at: settled, that: serving == 3}\n- check: {at: settled, that: bare.size() == 3}\n"},
	{"names without a cache", threePods, "- resolves: {name: web-1.web, at: 3s, asked: 1s, to: []}\n"},
}

// TestPlayed: what users are told of expectations, in testdata/played.golden.
func TestPlayed(t *testing.T) {
	var b strings.Builder
	for _, p := range played {
		fmt.Fprintf(&b, "# %s\n\n", p.name)
		until := ""
		if strings.Contains(p.name, "cut off") {
			until = "until: 8s\n"
		}
		for _, one := range strings.Split(strings.TrimPrefix(p.expect, "- "), "\n- ") {
			text := "kubernetes: \"1.37\"\n" + until + "steps:\n" + p.text + "expect:\n- " + strings.TrimSuffix(one, "\n") + "\n"
			fmt.Fprintf(&b, "- %s\n", strings.TrimSuffix(one, "\n"))
			s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
			if err != nil {
				fmt.Fprintf(&b, "  refused: %v\n\n", err)
				continue
			}
			o := s.Run(scenario.RunOptions{})
			for _, v := range o.Verdicts {
				fmt.Fprintf(&b, "  %s", v.Outcome)
				for _, lines := range [][]string{{v.Detail}, prefixed("- ", v.Expected), prefixed("+ ", v.Got), prefixed("| ", v.Around)} {
					for _, line := range lines {
						if line != "" {
							fmt.Fprintf(&b, "\n    %s", line)
						}
					}
				}
				b.WriteString("\n")
			}
			b.WriteString("\n")
		}
	}
	goldenfile.Equal(t, "testdata/played.golden", b.String())
}

func prefixed(mark string, lines []string) []string {
	var list []string
	for _, line := range lines {
		list = append(list, mark+line)
	}
	return list
}
