package symptom_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// planted is what a cluster says of web-0, the only pod of a set.
type planted struct {
	// by is what has the words: the state of a container ("waiting", "terminated"), of one that has run before ("again"),
	// or of an init container ("init"); the condition PodScheduled ("unscheduled"), or an event about the "pod", the "set"
	// or the "claim".
	by, reason, message string
	// with are changes of the objects by their kinds: fields take the place of those that are there.
	with map[string]map[string]any
	// age is that of the pod, or of its claim or the set where there is no pod. Partial is a dump that has nothing but
	// what the words are about.
	age     time.Duration
	partial bool
}

var created = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// judged is what is said of the set.
func (p planted) judged(t testing.TB) *judge.Set {
	sets, _ := judge.Of(p.read(t))
	require.Len(t, sets, 1)
	return sets[0]
}

// read returns the dump, and the laboratory whose worlds begin with it.
func (p planted) read(t testing.TB) (*dump.Dump, *play.Lab) {
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(p.dump())}}, dump.Options{At: created.Add(p.age)})
	require.NoError(t, err)
	profile, err := statefulset.Lookup("1.36")
	require.NoError(t, err)
	return d, &play.Lab{Profile: profile, World: d.Begin(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(),
	})}
}

// dump is what kubectl prints.
func (p planted) dump() string {
	docs := []string{theSet + "status: {observedGeneration: 1, replicas: 1, currentReplicas: 1, updatedReplicas: 1, " +
		"currentRevision: web-1, updateRevision: web-1}\n"}
	if p.by == "set" {
		docs[0] = theSet + "status: {observedGeneration: 1, replicas: 0, currentRevision: web-1, updateRevision: web-1}\n"
	} else {
		docs = append(docs, p.pod())
	}
	if p.by == "claim" {
		docs = append(docs, fmt.Sprintf(theClaim, "phase: Pending", ""))
	}
	if event := p.event(); event != "" {
		docs = append(docs, event)
	}
	if !p.partial {
		if p.by != "claim" && p.by != "set" {
			docs = append(docs, fmt.Sprintf(theClaim, "phase: Bound", "volumeName: pv-1, "), theVolume)
		}
		docs = append(docs, fmt.Sprintf(theNode, created.Add(p.age-time.Second).Format(time.RFC3339)), theRevision, theService)
	}
	for i := range docs {
		docs[i] = p.changed(docs[i])
	}
	return strings.Join(docs, "---\n")
}

// changed is an object with the changes of its kind.
func (p planted) changed(doc string) string {
	var object map[string]any
	if yaml.Unmarshal([]byte(doc), &object) != nil || p.with[fmt.Sprint(object["kind"])] == nil {
		return doc
	}
	merge(object, p.with[fmt.Sprint(object["kind"])])
	data, err := yaml.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// merge writes the fields of one object into another one.
func merge(into, from map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(from)) {
		inner, is := from[key].(map[string]any)
		if own, has := into[key].(map[string]any); is && has {
			merge(own, inner)
		} else {
			into[key] = from[key]
		}
	}
}

func (p planted) event() string {
	object := map[string]string{"pod": "Pod, name: web-0", "set": "StatefulSet, apiVersion: apps/v1, name: web",
		"claim": "PersistentVolumeClaim, name: data-web-0"}[p.by]
	if object == "" {
		return ""
	}
	last := created.Add(max(p.age-time.Second, 0)).Format(time.RFC3339)
	return fmt.Sprintf(theEvent, object, p.reason, p.message, last)
}

// pod is web-0 as the words have it.
func (p planted) pod() string {
	node, phase, placed, containers := "nodeName: node-1\n  ", "Pending", "status: 'True'", ""
	switch p.by {
	case "waiting", "again", "init":
		containers = fmt.Sprintf(theContainer, fmt.Sprintf("waiting: {reason: %q, message: %q}", p.reason, p.message))
		switch p.by {
		case "again":
			phase = "Running"
			containers = strings.Replace(containers, "restartCount: 0", "restartCount: 1, lastState: {terminated: {exitCode: 0, "+
				"reason: Completed, startedAt: '2026-11-20T11:50:00Z', finishedAt: '2026-11-20T12:00:00Z'}}", 1)
		case "init":
			containers = strings.Replace(containers, "containerStatuses", "initContainerStatuses", 1)
		}
	case "terminated":
		phase, containers = "Running", fmt.Sprintf(theContainer, fmt.Sprintf("terminated: {exitCode: 128, reason: %q, "+
			"message: %q}", p.reason, p.message))
	case "pod":
		containers = fmt.Sprintf(theContainer, "waiting: {reason: ContainerCreating}")
		if p.reason == "Unhealthy" {
			phase, containers = "Running", fmt.Sprintf(theContainer, "running: {startedAt: '2026-11-20T12:00:01Z'}")
		}
	case "unscheduled":
		node, placed = "", fmt.Sprintf("status: 'False', reason: Unschedulable, message: %q", p.message)
	case "claim":
		node, placed = "", "status: 'False', reason: Unschedulable, message: '0/1 nodes are available: pod has unbound "+
			"immediate PersistentVolumeClaims.'"
	}
	pod := fmt.Sprintf(thePod, node, phase, placed, containers)
	if p.by == "init" {
		return strings.Replace(pod, "  containers:", "  initContainers: [{name: app, image: 'registry.example.com/app:v1'}]\n  containers:", 1)
	}
	return pod
}

const (
	theSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: prod, uid: s, generation: 1, creationTimestamp: '2026-11-20T11:59:59Z'}
spec:
  replicas: 1
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: 'registry.example.com/app:v1', volumeMounts: [{name: data, mountPath: /data}]}]}
  volumeClaimTemplates:
  - {metadata: {name: data}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
`
	thePod = `apiVersion: v1
kind: Pod
metadata:
  name: web-0
  namespace: prod
  uid: p
  creationTimestamp: '2026-11-20T12:00:00Z'
  labels: {app: web, controller-revision-hash: web-1, statefulset.kubernetes.io/pod-name: web-0}
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]
spec:
  %svolumes: [{name: data, persistentVolumeClaim: {claimName: data-web-0}}]
  containers: [{name: app, image: 'registry.example.com/app:v1', volumeMounts: [{name: data, mountPath: /data}]}]
status:
  phase: %s
  startTime: '2026-11-20T12:00:01Z'
  conditions:
  - {type: PodScheduled, lastTransitionTime: '2026-11-20T12:00:00Z', %s}
  - {type: Ready, status: 'False', lastTransitionTime: '2026-11-20T12:00:01Z'}
%s`
	theContainer = `  containerStatuses:
  - {name: app, ready: false, restartCount: 0, image: 'registry.example.com/app:v1', state: {%s}}
`
	theClaim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-web-0, namespace: prod, uid: c, creationTimestamp: '2026-11-20T12:00:00Z'}
spec: {%[2]sstorageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
status: {%[1]s}
`
	theVolume = `apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1, uid: v, creationTimestamp: '2026-11-20T12:00:00Z'}
spec: {storageClassName: fast, capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], claimRef: {namespace: prod, name: data-web-0, uid: c}}
status: {phase: Bound}
`
	theNode = `apiVersion: v1
kind: Node
metadata: {name: node-1, uid: n, creationTimestamp: '2026-11-01T12:00:00Z', labels: {kubernetes.io/hostname: node-1, kubernetes.io/os: linux, kubernetes.io/arch: amd64}}
spec: {}
status:
  allocatable: {cpu: '4', memory: 16Gi, pods: '110'}
  capacity: {cpu: '4', memory: 16Gi, pods: '110'}
  conditions: [{type: Ready, status: 'True', lastHeartbeatTime: '%s', lastTransitionTime: '2026-11-01T12:00:00Z'}]
  nodeInfo: {kubeletVersion: v1.36.3}
`
	theRevision = `apiVersion: apps/v1
kind: ControllerRevision
metadata:
  name: web-1
  namespace: prod
  uid: r
  creationTimestamp: '2026-11-20T11:59:59Z'
  labels: {app: web}
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]
revision: 1
data: {spec: {template: {$patch: replace, metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: 'registry.example.com/app:v1', volumeMounts: [{name: data, mountPath: /data}]}]}}}}
`
	theService = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod, uid: sv, creationTimestamp: '2026-11-20T11:59:59Z'}
spec: {clusterIP: None, selector: {app: web}}
`
	theEvent = `apiVersion: v1
kind: Event
metadata: {name: web.1, namespace: prod, creationTimestamp: '2026-11-20T12:00:00Z'}
type: Warning
involvedObject: {kind: %s, namespace: prod}
reason: %s
message: %q
count: 2
firstTimestamp: '2026-11-20T12:00:00Z'
lastTimestamp: '%s'
`
)
