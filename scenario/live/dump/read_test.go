package dump_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const three = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"

// claimed is a set whose pods have two claims each, one of a storage class, and a priority.
const claimed = `- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web,
    persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}, selector: {matchLabels: {app: web}},
    template: {metadata: {labels: {app: web}}, spec: {terminationGracePeriodSeconds: 5, containers: [{name: app, image: "app:v1"}, {name: side, image: "side:1"}]}},
    volumeClaimTemplates: [
    {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}},
    {metadata: {name: logs}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}}
`

// scenes are clusters in the midst of something.
var scenes = []struct{ name, text string }{
	{"at rest", "steps:\n" + three},
	{"at rest, with claims", "steps:\n" + claimed},
	{"on its way up", "until: 4s\nsteps:\n" + three},
	{"a rollout", "until: 12s\nkubelet: {start: 2s, ready: 3s}\nsteps:\n" + three + "- at: 11s\n  setImage: {image: \"app:v2\"}\n"},
	{"an image that cannot be pulled", "until: 10m\nkubelet: {rules: [{match: {image: \"app:bad\"}, pull: never}]}\nsteps:\n" + three + "- setImage: {image: \"app:bad\"}\n"},
	{"an image that crashes", "until: 10m\nkubelet: {rules: [{match: {image: \"app:bad\"}, crash: 1s}]}\nsteps:\n" + three + "- setImage: {image: \"app:bad\"}\n"},
	{"an image that is never Ready, and is taken back", "kubelet: {rules: [{match: {image: \"app:bad\"}, ready: never}]}\nsteps:\n" + three +
		"- setImage: {image: \"app:bad\"}\n- undo: web\n"},
	{"an unready pod", "steps:\n" + three + "- unready: web-1\n- setImage: {image: \"app:v2\"}\n"},
	{"a pod that failed", "until: 10s\nkubelet: {stop: 1h}\nsteps:\n" + three + "- at: 9500ms\n  fail: {pod: web-2, reason: Evicted}\n"},
	{"a pod that does not stop", "kubelet: {rules: [{match: {pod: web-1, nth: 1}, stop: never}]}\nsteps:\n" + three + "- delete: pod/web-1\n"},
	{"a node that is off", "nodes: {count: 3, zones: [a, b]}\nsteps:\n" + three + "- nodeDown: {node: node-2, off: true}\n"},
	{"a node that is off, and given up", "until: 20m\nnodes: {count: 3}\nsteps:\n" + claimed + "- nodeDown: {node: node-2, off: true}\n- after: 10m\n  outOfService: node-2\n"},
	{"cordoned nodes", "nodes: {count: 2}\nsteps:\n" + three + "- cordon: \"node-*\"\n- delete: pod/web-1\n"},
	{"a claim that gets no volume", "volumes: {rules: [{match: {claim: data-web-2}, bind: never}]}\nsteps:\n" + claimed},
	{"a claim without a class that gets no volume", "volumes: {rules: [{match: {claim: logs-web-1}, bind: never}]}\nsteps:\n" + claimed},
	{"a claim that does not go", "volumes: {release: never}\nsteps:\n" + claimed + "- delete: pvc/data-web-2\n- delete: pod/web-2\n"},
	{"a budget", "steps:\n- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: 34%, selector: {matchLabels: {app: web}}}}\n" +
		"- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: most}, spec: {minAvailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, selector: {matchLabels: {app: web}}}}\n" +
		three + "- drain: node-2\n"},
	{"two sets", "steps:\n" + three + "- create: {name: db, replicas: 1, image: \"db:1\", podManagementPolicy: Parallel, updateStrategy: {type: OnDelete}, minReadySeconds: 7}\n" +
		"- setImage: {statefulset: db, image: \"db:2\"}\n"},
	{"a stranger of its name", "steps:\n- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" + three},
	{"a set that is being deleted", "kubelet: {rules: [{match: {pod: web-2}, stop: never}]}\nsteps:\n" + three + "- delete: statefulset/web\n  cascade: foreground\n"},
	{"orphans", "steps:\n" + three + "- delete: statefulset/web\n  cascade: orphan\n"},
	{"a set of none", "steps:\n- create: {name: web, replicas: 0, image: \"app:v1\"}\n"},
}

// TestRead compares what is known of printed clusters, with all kinds of objects and without some, with
// testdata/read.txt: what has to be assumed, in what state each set is, and what happens in a world that begins with
// it.
func TestRead(t *testing.T) {
	var text strings.Builder
	for _, c := range scenes {
		s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
		require.NoError(t, err, c.name)
		world := sim.New(s.Config(scenario.RunOptions{}))
		world.Run(s.Steps)
		at := epoch.Add(time.Duration(world.Now()))
		var printed bytes.Buffer
		require.NoError(t, printing.Print(&printed, world.State(), at))
		for _, without := range [][]string{nil, {"Node"}, {"ControllerRevision"}, {"PersistentVolumeClaim", "PersistentVolume"}, {"Pod"},
			{"Pod", "Node", "ControllerRevision", "PersistentVolumeClaim", "PodDisruptionBudget"}} {
			data, left := lacking(t, printed.Bytes(), without)
			if len(without) > 0 && !left {
				continue
			}
			fmt.Fprintf(&text, "# %s", c.name)
			if len(without) > 0 {
				fmt.Fprintf(&text, ", without %s", strings.Join(without, ", "))
			}
			text.WriteString("\n\n")
			later := at.Add(time.Hour)
			if strings.Contains(c.text, "until:") {
				later = at // Something still happens in it.
			}
			known(t, &text, data, later)
		}
	}
	goldenfile.Equal(t, "testdata/read.txt", text.String())
}

// TestManifestsAreNoDumps: a StatefulSet as it is rendered is refused, with the zeros that renderers write; one printed
// by a server is read, also if somebody has removed most of what the server has added.
func TestManifestsAreNoDumps(t *testing.T) {
	const set = "# web\nkind: StatefulSet\napiVersion: apps/v1\nmetadata: {name: web, namespace: default%s}\n" +
		"spec: {replicas: 3, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {creationTimestamp: null, " +
		"labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\"}]}}}\n%s"
	for _, c := range []struct {
		name, metadata, rest string
		read                 bool
	}{
		{"helm template", "", "", false},
		{"kubectl create --dry-run=client", ", creationTimestamp: null", "status: {}\n", false},
		{"a renderer that knows the types", ", creationTimestamp: null", "status: {replicas: 0, availableReplicas: 0}\n", false},
		{"empty words", ", uid: \"\", resourceVersion: \"\", generation: 0", "status: {currentRevision: \"\", conditions: []}\n", false},
		{"a pod of a manifest beside it", "", "---\nkind: Pod\napiVersion: v1\nmetadata: {name: tool, creationTimestamp: null}\n" +
			"spec: {containers: [{name: tool, image: \"tool:1\"}]}\nstatus: {}\n", false},
		{"a uid", ", uid: 6d1f", "", true},
		{"a resourceVersion", ", resourceVersion: \"17\"", "", true},
		{"a generation", ", generation: 1", "", true},
		{"a creationTimestamp", ", creationTimestamp: \"2026-01-01T00:00:00Z\"", "status: {replicas: 0}\n", true},
		{"a status of a set without pods", "", "status: {replicas: 0, observedGeneration: 1}\n", true},
		{"a live pod beside it", "", "---\nkind: Pod\napiVersion: v1\nmetadata: {name: web-0, namespace: default}\n" +
			"spec: {containers: [{name: app, image: \"app:v1\"}]}\nstatus: {phase: Running}\n", false},
	} {
		text := fmt.Sprintf(set, c.metadata, c.rest)
		d, err := dump.Read([]dump.Source{{Name: "web.yaml", Data: []byte(text)}}, dump.Options{})
		if c.read {
			require.NoError(t, err, c.name)
			require.Len(t, d.State.Sets, 1, c.name)
			continue
		}
		require.ErrorContains(t, err, "web.yaml:2:1: this is a manifest, not what kubectl get -o yaml prints: ", c.name)
		require.ErrorContains(t, err, "use sim plan, or the step apply", c.name)
	}
}

// lacking is a printed list without some kinds, and whether it has any of them.
func lacking(t *testing.T, data []byte, kinds []string) (text []byte, left bool) {
	t.Helper()
	var list map[string]any
	require.NoError(t, yaml.Unmarshal(data, &list))
	items := list["items"].([]any)
	rest := slices.DeleteFunc(slices.Clone(items), func(item any) bool {
		return slices.Contains(kinds, item.(map[string]any)["kind"].(string))
	})
	list["items"] = rest
	text, err := yaml.Marshal(list)
	require.NoError(t, err)
	return text, len(rest) < len(items)
}

// known writes what is known of a dump at some time, and what happens then.
func known(t *testing.T, text *strings.Builder, data []byte, at time.Time) {
	t.Helper()
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: data}}, dump.Options{At: at})
	if err != nil {
		fmt.Fprintf(text, "refused: %v\n\n", err)
		return
	}
	for _, assumed := range d.Assumed {
		fmt.Fprintf(text, "assumed: %s\n", assumed)
	}
	index := d.Index()
	for _, set := range d.State.Sets {
		key := set.Key()
		part := index.Part(key)
		fmt.Fprintf(text, "%s: at rest %v; now: %s; hidden %v; unfinished: %s; %d pods, %d revisions, %d claims, %d budgets, %d nodes\n",
			key, index.AtRest(key), index.Now(key), d.Hidden(set), dump.Unfinished(set), len(part.State.Pods), len(part.State.Revisions),
			len(part.State.Claims), len(part.State.Budgets), len(part.State.Nodes))
		if pod, claim := d.Asleep(set); pod != "" {
			fmt.Fprintf(text, "%s is asleep: %s, %s\n", key, pod, claim)
		}
	}
	for i := range d.State.Pods {
		for _, taken := range d.Taken(d.State.Pods[i].Key()) {
			fmt.Fprintf(text, "%s: %s\n", d.State.Pods[i].Name, taken)
		}
	}
	profile, err := statefulset.Lookup(cmp.Or(d.Version(), "1.37"))
	require.NoError(t, err)
	config := d.Begin(sim.Config{Controller: statefulset.New(profile), API: profile.API(), Until: 2 * time.Hour})
	events := sim.New(config).Run(nil)
	for i := range events {
		e := &events[i]
		switch {
		case e.Actor == timeline.Dump:
		case e.Kind == timeline.KindPod:
			fmt.Fprintf(text, "%s %s %s\n", e.T.Clock(), e.Pod, e.State)
		case e.Kind == timeline.KindClaim:
			fmt.Fprintf(text, "%s %s %s\n", e.T.Clock(), e.Claim.Name, e.Claim.Phase)
		}
	}
	result := events[len(events)-1].Result
	fmt.Fprintf(text, "%s", result.Verdict)
	for _, stuck := range result.Stuck {
		fmt.Fprintf(text, "; %s: %s %s %s", stuck.Set, stuck.Why.Code, stuck.Why.Object, stuck.Error)
	}
	text.WriteString("\n\n")
}

// TestReplicas: a dump has no more replicas than are simulated, in one set or in all together; a set that is there twice
// counts once, as it is there last.
func TestReplicas(t *testing.T) {
	set := func(name string, replicas int) string {
		return fmt.Sprintf("---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: %s, uid: u}\n"+
			"spec: {replicas: %d, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}}\n", name, replicas)
	}
	for text, want := range map[string]string{
		set("a", 2147483647):                    "d.yaml:5:18: spec.replicas is 2147483647: at most 7 are simulated: raise the limit with --max-replicas",
		set("a", 4) + set("b", 4):               "d.yaml:10:18: spec.replicas is 4, with which all sets up to here have 8 replicas: at most 7",
		set("a", 1) + set("a", 8):               "d.yaml:10:18: spec.replicas is 8: at most 7",
		set("a", 7):                             "",
		set("a", 6) + set("a", 4) + set("b", 3): "",
		set("a", 0) + set("a", 4) + set("b", 4): "d.yaml:15:18: spec.replicas is 4, with which all sets up to here have 8 replicas: at most 7",
		set("a", 4) + set("b", 0) + set("b", 4): "d.yaml:15:18: spec.replicas is 4, with which all sets up to here have 8 replicas: at most 7",
		set("a", 7) + strings.Replace(set("b", 9), "replicas: 9, ", "", 1): "spec.replicas is 1, with which all sets up to here have 8 replicas: at most 7",
	} {
		_, err := dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(text)}}, dump.Options{Limits: strict.Limits{Replicas: 7}})
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}
