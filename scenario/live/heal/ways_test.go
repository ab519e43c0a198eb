package heal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestWays: all that is tried for a stuck set, in its order, with its commands, what it costs and what must be true
// first: testdata/ways.txt.
func TestWays(t *testing.T) {
	const create = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	const broken = "rules: [{match: {image: \"app:bad\"}, start: never}]"
	cases := []struct{ name, kubelet, steps string }{
		{"a broken image", broken, create + "- setImage: {image: \"app:bad\"}\n"},
		{"a broken image from the start", broken, "- create: {name: web, replicas: 3, image: \"app:bad\"}\n"},
		{"a broken image under OnDelete", broken, "- create: {name: web, replicas: 3, image: \"app:v1\", " +
			"updateStrategy: {type: OnDelete}}\n- setImage: {image: \"app:bad\"}\n- delete: pod/web-1\n"},
		{"an unready pod in the middle", "start: 1s", create + "- unready: {pod: web-1}\n- setImage: {image: \"app:v2\"}\n"},
		{"an unready lowest pod", "start: 1s", create + "- unready: {pod: web-0}\n- scale: {replicas: 5}\n"},
		{"an unready pod, with volumes that go with a scale-down", "start: 1s",
			"- apply: " + withClaim(3) + "- unready: {pod: web-1}\n- scale: {replicas: 4}\n"},
		{"a pod that does not stop", "rules: [{match: {pod: web-2, nth: 1}, stop: never}]", create + "- delete: pod/web-2\n"},
		{"a pod that does not stop in a broken rollout", "rules: [{match: {image: \"app:bad\"}, start: never}, " +
			"{match: {pod: web-1, nth: 1}, stop: never}]", create + "- setImage: {image: \"app:bad\"}\n- delete: pod/web-1\n"},
		{"a node that is off", "", create + "- nodeDown: {node: node-2, off: true}\n"},
		{"a node that is off, and is given up", "", create + "- nodeDown: {node: node-2, off: true}\n" +
			"- after: 10m\n  outOfService: node-2\n"},
		{"cordoned nodes", "", create + "- cordon: \"node-*\"\n- delete: pod/web-1\n"},
		{"a claim that gets no storage", "",
			"- apply: " + withClaim(3) + "volumes: {rules: [{match: {claim: data-web-2, nth: 1}, bind: never}]}\n"},
		{"a claim that does not go", "",
			"- apply: " + withClaim(3) + "- delete: pvc/data-web-2\n- delete: pod/web-2\nvolumes: {release: never}\n"},
		{"a claim that never gets storage", "",
			"- apply: " + withClaim(3) + "volumes: {rules: [{match: {claim: data-web-2}, bind: never}]}\n"},
		{"a broken pod whose PVC is being deleted", broken, "- apply: " + withClaim(3) +
			"- setImage: {image: \"app:bad\"}\n- delete: pvc/data-web-2\n"},
		{"a pod that does not stop and whose PVC is being deleted", "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
			"- apply: " + withClaim(3) + "- delete: pvc/data-web-2\n- delete: pod/web-2\n"},
		{"a pod that does not stop beside a broken one", broken[:len(broken)-1] + ", {match: {pod: web-2, nth: 1}, stop: never}]",
			"- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n" +
				"- unready: {pod: web-0}\n- delete: pod/web-2\n"},
		{"adopted pods without the claim of the set", "", "- create: {name: web, replicas: 2, image: \"app:v1\"}\n" +
			"- delete: statefulset/web\n  cascade: orphan\n- apply: " + withClaim(2)},
		{"a stranger of its name", "", "- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" + create},
		{"two strangers of its names", "", "- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" +
			"- createPod: {name: web-2, image: \"tool:1\", labels: {app: tool}}\n" + create},
		{"a budget that stops a drain", "", "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
			"spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n" + create + "- drain: node-2\n"},
		{"a deletion that waits for a pod that does not stop", "rules: [{match: {pod: web-2}, stop: never}]",
			create + "- delete: statefulset/web\n  cascade: foreground\n"},
		{"a set that is gone", "", create + "- delete: statefulset/web\n"},
		{"a pod that does not stop in a rollout", "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
			create + "- setImage: {image: \"app:v2\"}\n"},
		{"two pods that need each other", `ready: {after: 1s, when: "self.nth == 1 || pods.filter(p, p.up).size() > 1"}`,
			"- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: pod/web-0\n- after: 0s\n  delete: pod/web-1\n"},
		{"a pod that is taken for gone, beside one of another set", "", create +
			"- create: {name: db, replicas: 3, image: \"db:1\"}\n- scale: {statefulset: db, replicas: 2}\n" +
			"- scale: {statefulset: web, replicas: 2}\n" +
			"faults: [{write: {verb: delete, kind: pod}, error: NotFound, times: always}]\n"},
		{"a claim without a class beside one with a class", "", "- apply: " + withTwoClaims +
			"volumes: {rules: [{match: {claim: logs-web-1}, bind: never}]}\n"},
		{"an unready pod below a broken rollout", broken, "- create: {name: web, replicas: 4, image: \"app:v1\", " +
			"updateStrategy: {type: OnDelete}}\n- unready: web-1\n- setImage: {image: \"app:bad\"}\n- delete: pod/web-3\n"},
		{"pods that keep each other off their nodes, of which there are too few", "", "- apply: " + alone("app:v1") + "nodes: 2\n"},
		{"a broken pod that keeps others off its node", broken,
			"- apply: " + alone("app:v1") + "- setImage: {image: \"app:bad\"}\nnodes: 3\n"},
	}
	var text strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		s := stuck(t, c.kubelet, c.steps)
		all := s.All()
		for _, way := range all {
			write(&text, way)
		}
		// Who only wants the best one gets the first of all, although not all are played for that.
		if best, _ := s.Best(); len(all) > 0 && all[0].Heals {
			require.Equal(t, all[0].Way, best.Way, c.name)
		} else {
			require.Nil(t, best, c.name)
		}
	}
	goldenfile.Equal(t, "testdata/ways.txt", text.String())
}

// alone is a manifest of a set of which each node has one pod.
func alone(image string) string {
	return `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web,
    selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [
    {name: app, image: "` + image + `", ports: [{containerPort: 80, hostPort: 80}]}]}}}}
`
}

// withTwoClaims is a manifest of a set with a claim of a storage class and one of none.
const withTwoClaims = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web,
    selector: {matchLabels: {app: web}},
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}},
    volumeClaimTemplates: [
    {metadata: {name: data}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}},
    {metadata: {name: logs}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}
`

// TestQuorumNeeds: a pod that runs and is not Ready may wait for its peers; where most pods serve, or where it does not
// run, that is no reason to start all at once.
func TestQuorumNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		kubelet, steps string
		want           bool
	}{
		"half of the pods serve": {"rules: [{match: {pod: web-2}, ready: never}]",
			"- create: {name: web, replicas: 4, image: \"app:v1\"}\n", true},
		"most pods serve": {"rules: [{match: {pod: web-2}, ready: never}]",
			"- create: {name: web, replicas: 3, image: \"app:v1\"}\n", false},
		"most pods serve, and others do not exist yet": {"rules: [{match: {pod: web-3}, ready: never}]",
			"- create: {name: web, replicas: 5, image: \"app:v1\"}\n", false},
		"it crashes": {"rules: [{match: {pod: web-2}, crash: 5s}]",
			"- create: {name: web, replicas: 4, image: \"app:v1\"}\n", false},
		"it does not run": {"rules: [{match: {pod: web-1}, start: never}]",
			"- create: {name: web, replicas: 4, image: \"app:v1\"}\n", false},
		"its peers run already": {"start: 1s",
			"- create: {name: web, replicas: 4, image: \"app:v1\"}\n- unready: web-2\n- unready: web-3\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := stuck(t, c.kubelet, c.steps)
			s.Quorum = stuck(t, "ready: 1s", c.steps).Lab
			needs := ""
			for _, way := range s.All() {
				if strings.HasPrefix(way.What, "recreating the StatefulSet with Parallel") && way.Heals {
					needs = way.Needs
				}
			}
			require.Equal(t, c.want, needs == "web-2 is not Ready because it waits for its peers, as the members of a quorum do", needs)
			require.Equal(t, c.want, needs != "")
		})
	}
}

// TestInQuorum: where a pod is Ready as soon as another one of its set runs, pods that start one after the other never
// are, and pods that start together are. One that terminates is no peer.
func TestInQuorum(t *testing.T) {
	for _, c := range []struct {
		name, steps string
		serving     int
	}{
		{"one after the other", "- create: {name: web, replicas: 3, image: \"app:v1\"}\n", 0},
		{"together", "- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n", 3},
		{"alone", "- create: {name: web, replicas: 1, image: \"app:v1\"}\n", 0},
		{"two, of which one terminates", "- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n" +
			"- hang: web-1\n- delete: pod/web-1\n", 0},
	} {
		lab := stuck(t, "", c.steps).Lab.InQuorum()
		require.Equal(t, c.serving, timeline.EndOf(lab.Run(nil)).Set(key).Serving(), c.name)
	}
}

// TestHeld: of a pod that terminates and has finalizers these are removed, and not the pod; of one that has none, or
// only that of the garbage collector, the pod is deleted by force.
func TestHeld(t *testing.T) {
	const free, force = "removing the finalizers of web-2", "deleting web-2 by force"
	for _, end := range []string{"- delete: pod/web-2\n", "- delete: statefulset/web\n  cascade: foreground\n"} {
		for finalizer, want := range map[string]string{"": force, "foregroundDeletion": force, "example.com/backup": free} {
			s := stuck(t, "rules: [{match: {pod: web-2, nth: 1}, stop: never}]",
				"- create: {name: web, replicas: 3, image: \"app:v1\"}\n"+end)
			s.State = s.Lab.State(nil)
			for i := range s.State.Pods {
				if p := s.State.Pods[i].Pod; finalizer != "" && p.Name == "web-2" {
					p.Finalizers = []string{finalizer}
				}
			}
			found := map[string]heal.Way{}
			for _, way := range s.All() {
				found[way.What] = way
			}
			require.Contains(t, found, want, "%s %q", end, finalizer)
			require.NotEmpty(t, found[want].Danger)
			if want == free {
				require.Contains(t, found[free].Danger, "example.com/backup")
				require.Contains(t, found[free].Commands[0], `"finalizers":null`)
			} else {
				require.NotContains(t, found, free)
			}
		}
	}
}

// write renders a way out: whether it heals, what it costs, and the commands.
func write(text *strings.Builder, way heal.Way) {
	verdict := "does not help"
	if way.Heals {
		verdict = "heals"
	}
	if way.Relieves {
		verdict = fmt.Sprintf("relieves (%d serve)", way.ServesAfter)
	}
	fmt.Fprintf(text, "%s: %s; %s; %s\n", verdict, way.What, way.Cost(), steps(way.Events))
	for _, line := range []string{"danger: " + way.Danger, "needs: " + way.Needs, "later: " + way.Later} {
		if !strings.HasSuffix(line, ": ") {
			fmt.Fprintf(text, "  %s\n", line)
		}
	}
	if way.Reverts {
		text.WriteString("  reverts\n")
	}
	for _, command := range way.Commands {
		fmt.Fprintf(text, "  $ %s\n", command)
	}
	text.WriteString("\n")
}

// steps says when the last step of a run acted, and what it is called.
func steps(events []timeline.Event) string {
	last := "no step"
	for i := range events {
		if s := events[i].Step; s != nil {
			last = fmt.Sprintf("step %d at %s: %s", s.Number, events[i].T.Clock(), s.Does)
		}
	}
	return last
}
