package manifest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// read reads manifests and checks them as a scenario does.
func read(text string) (*manifest.File, error) {
	stream := strict.ParseStream("f", []byte(text), strict.Limits{})
	r := stream.Reader("f", strict.Limits{})
	file := manifest.Read(r, stream.Docs)
	for _, set := range file.Sets {
		set.Check(r)
		set.CheckPods(r)
		set.CheckLimits(r)
	}
	return file, r.Err()
}

func readOne(t *testing.T, text string) *manifest.Set {
	file, err := read(text)
	require.NoError(t, err)
	require.Len(t, file.Sets, 1)
	return file.Sets[0]
}

func readFile(t *testing.T, name string) (*manifest.File, string) {
	data, err := os.ReadFile(filepath.Join("..", "testdata", "manifests", name))
	require.NoError(t, err)
	file, err := read(string(data))
	require.NoError(t, err)
	return file, string(data)
}

func live(t *testing.T, set *manifest.Set) *model.StatefulSet {
	created, err := set.NewApplied("default")
	if err != nil {
		t.Fatal(err)
	}
	return created
}

// web is the manifest that the tests vary: %s stands for more fields of the spec.
const web = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: app
        image: app:v1
`

// TestRealManifests shows that manifests with much in them are accepted, and what is ignored in them.
func TestRealManifests(t *testing.T) {
	for name, want := range map[string][]string{
		"web.yaml":         {"Service pages"},
		"cassandra.yaml":   {"StorageClass fast"},
		"zookeeper.yaml":   {"Service zk-peers", "Service zk-clients", "PodDisruptionBudget zk"},
		"mysql.yaml":       {"ConfigMap mysql", "Service mysql", "Service mysql-read"},
		"cockroachdb.yaml": {"ServiceAccount cockroachdb", "Role cockroachdb", "PodDisruptionBudget one-at-a-time"},
		"chart.yaml": {"ServiceAccount data/basket", "ConfigMap data/basket-settings", "Service data/basket-peers",
			"PodDisruptionBudget data/basket"},
		"dump.yaml": nil,
	} {
		t.Run(name, func(t *testing.T) {
			file, text := readFile(t, name)
			require.Len(t, file.Sets, 1)
			var others []string
			for _, other := range file.Others {
				others = append(others, other.String())
			}
			require.Equal(t, want, others)
			set := live(t, file.Sets[0])
			again := manifest.Object(set)
			manifest.Default(again)
			require.Equal(t, set, manifest.Model(again), "a set survives the way to the API's types and back")
			crlf, err2 := read("\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"))
			require.NoError(t, err2)
			require.Equal(t, set.Spec, live(t, crlf.Sets[0]).Spec, "line ends do not matter")
		})
	}
}

// TestDump shows that a live dump and the manifest that it came from are the same set.
func TestDump(t *testing.T) {
	given, _ := readFile(t, "web.yaml")
	dumped, _ := readFile(t, "dump.yaml")
	want, got := live(t, given.Sets[0]), live(t, dumped.Sets[0])
	got.Spec.Retention = nil
	require.Equal(t, want.Spec, got.Spec)
	set, changed, err := dumped.Sets[0].Apply(want)
	require.Nil(t, err)
	require.True(t, changed, "the dump names the policy of the claims")
	require.Equal(t, want.Spec.Template, set.Spec.Template)
}

// TestFacts shows what the model keeps beside the text of the template.
func TestFacts(t *testing.T) {
	file, _ := readFile(t, "cockroachdb.yaml")
	set := live(t, file.Sets[0])
	template := set.Spec.Template
	require.Equal(t, []model.Container{{Name: "cockroachdb", Image: "registry.example/cockroach:v24.1.0"}}, template.Containers)
	require.Equal(t, []model.Volume{{Name: "datadir", Claim: "datadir"}, {Name: "certs"}}, template.Volumes)
	require.Equal(t, time.Minute, template.Grace)
	require.Equal(t, map[string]string{"app": "cockroachdb"}, template.Labels)
	require.Equal(t, "datadir", set.Spec.ClaimTemplates[0].Name)
	require.Contains(t, set.Spec.ClaimTemplates[0].Data, `"volumeMode":"Filesystem"`)
	require.Equal(t, model.Parallel, set.Spec.PodManagement)
	require.Equal(t, []model.Requirement{{Label: "app", Op: model.OpEquals, Values: []string{"cockroachdb"}}}, set.Spec.Selector.Needs)
	require.Nil(t, set.Spec.Strategy.RollingUpdate, "type: RollingUpdate without its block stays without it")
}

// TestSelector shows that requirements stand in the order of their labels.
func TestSelector(t *testing.T) {
	set := readOne(t, strings.NewReplacer("matchLabels: {app: web}",
		"matchLabels: {b: x, app: web}\n    matchExpressions: [{key: aa, operator: DoesNotExist}, {key: app, operator: In, values: [web, x]}, {key: z, operator: NotIn, values: [w]}, {key: b, operator: Exists}]",
		"labels: {app: web}", "labels: {app: web, b: x}").Replace(web))
	require.Equal(t, []model.Requirement{
		{Label: "aa", Op: model.OpDoesNotExist},
		{Label: "app", Op: model.OpEquals, Values: []string{"web"}},
		{Label: "app", Op: model.OpIn, Values: []string{"web", "x"}},
		{Label: "b", Op: model.OpEquals, Values: []string{"x"}},
		{Label: "b", Op: model.OpExists},
		{Label: "z", Op: model.OpNotIn, Values: []string{"w"}},
	}, live(t, set).Spec.Selector.Needs)
}

// TestDefaults shows what is filled in where the manifest gives nothing, and that nothing is where it does.
func TestDefaults(t *testing.T) {
	bare := live(t, readOne(t, strings.Replace(web, "  replicas: 3\n", "", 1))).Spec
	require.Equal(t, int32(1), bare.Replicas)
	require.Equal(t, int32(10), bare.RevisionHistoryLimit)
	require.Equal(t, model.OrderedReady, bare.PodManagement)
	require.Equal(t, model.Strategy{RollingUpdate: &model.RollingUpdate{}}, bare.Strategy, "without a type the block appears")

	with := func(fields string) model.Spec { return live(t, readOne(t, web+fields)).Spec }
	require.Nil(t, with("  updateStrategy: {type: RollingUpdate}\n").Strategy.RollingUpdate)
	require.Equal(t, model.OnDeleteStrategy, with("  updateStrategy: {type: OnDelete}\n").Strategy.Type)
	require.Equal(t, &model.RollingUpdate{MaxUnavailable: &model.IntOrPercent{Value: 30, Percent: true}},
		with("  updateStrategy: {rollingUpdate: {maxUnavailable: 30%}}\n").Strategy.RollingUpdate)
	require.Equal(t, int32(0), with("  revisionHistoryLimit: 0\n").RevisionHistoryLimit)
	require.Equal(t, &model.Ordinals{Start: 5}, with("  ordinals: {start: 5}\n").Ordinals)
	require.Equal(t, &model.Retention{DeleteWhenScaled: true},
		with("  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}\n").Retention)
}

// TestPullPolicy shows which images are pulled always: those of the tag latest, and those without a tag or a digest.
func TestPullPolicy(t *testing.T) {
	digest := "@sha256:" + strings.Repeat("0123", 16)
	for image, want := range map[string]corev1.PullPolicy{
		"app": corev1.PullAlways, "app:latest": corev1.PullAlways, "reg.io:5000/a/b": corev1.PullAlways, "a:latest" + digest: corev1.PullAlways,
		"app:v1": corev1.PullIfNotPresent, "a" + digest: corev1.PullIfNotPresent, "App": corev1.PullIfNotPresent, "reg.io:5000/a:1": corev1.PullIfNotPresent,
	} {
		template := live(t, readOne(t, strings.Replace(web, "app:v1", image, 1))).Spec.Template
		require.Contains(t, template.Data, `"imagePullPolicy":"`+string(want)+`"`, image)
	}
}

// TestTemplateDefaults shows that a template and the same with its defaults written out are one.
func TestTemplateDefaults(t *testing.T) {
	bare := web + `        ports: [{containerPort: 80}]
        env: [{name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]
        resources: {limits: {cpu: 1000m}, requests: {memory: 1024Mi}}
        readinessProbe: {httpGet: {port: 80}}
        livenessProbe: {grpc: {port: 80}}
        lifecycle: {preStop: {httpGet: {port: 80}}}
      serviceAccount: me
      volumes:
      - name: a
      - name: b
        configMap: {name: b}
      - name: c
        secret: {secretName: c}
      - name: d
        hostPath: {path: /d}
      - name: e
        downwardAPI: {items: [{path: x, fieldRef: {fieldPath: metadata.name}}]}
      - name: f
        projected: {sources: [{serviceAccountToken: {path: t}}]}
`
	full := web + `        imagePullPolicy: IfNotPresent
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
        ports: [{containerPort: 80, protocol: TCP}]
        env: [{name: IP, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: status.podIP}}}]
        resources: {limits: {cpu: 1}, requests: {memory: "1Gi"}}
        readinessProbe:
          httpGet: {port: 80, path: /, scheme: HTTP}
          timeoutSeconds: 1
          periodSeconds: 10
          successThreshold: 1
          failureThreshold: 3
        livenessProbe: {grpc: {port: 80, service: ""}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}
        lifecycle: {preStop: {httpGet: {port: 80, path: /, scheme: HTTP}}}
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
      serviceAccountName: me
      volumes:
      - name: a
        emptyDir: {}
      - name: b
        configMap: {name: b, defaultMode: 420}
      - name: c
        secret: {secretName: c, defaultMode: 0644}
      - name: d
        hostPath: {path: /d, type: ""}
      - name: e
        downwardAPI: {items: [{path: x, fieldRef: {fieldPath: metadata.name, apiVersion: v1}}], defaultMode: 420}
      - name: f
        projected: {sources: [{serviceAccountToken: {path: t, expirationSeconds: 3600}}], defaultMode: 420}
`
	require.Equal(t, live(t, readOne(t, full)).Spec.Template, live(t, readOne(t, bare)).Spec.Template)
}

// wrongPod is what is said of the pods of a manifest that every version refuses, the set not.
const wrongPod = "Kubernetes refuses such a set from 1.34 on; before, it refuses each of its pods"

// TestBadManifests shows what is said of manifests that cannot be used: where, what, and what would be right.
func TestBadManifests(t *testing.T) {
	replaced := func(old, new string) string { return strings.Replace(web, old, new, 1) }
	for _, c := range []struct{ name, file, want string }{
		{"unknown field", replaced("  replicas", "  replica"), `f:6:3: unknown field "spec.replica": did you mean replicas?`},
		{"unknown field far below", replaced("image: app", "imagee: app"),
			`f:15:9: unknown field "spec.template.spec.containers[0].imagee": did you mean image?`},
		{"text for a number", replaced("replicas: 3", `replicas: "3"`), `f:6:13: spec.replicas is "3", which is text: write a whole number`},
		{"number for text", web + "        env: [{name: A, value: 5}]\n",
			`f:16:32: spec.template.spec.containers[0].env[0].value must be text, but YAML reads 5 as a number: quote this: "5"`},
		{"yes for text", web + "        env: [{name: A, value: yes}]\n",
			`f:16:32: spec.template.spec.containers[0].env[0].value must be text, but kubectl reads yes as a boolean: quote this: "yes"`},
		{"text for a list", replaced("containers:\n      - name: app\n        image: app:v1", "containers: app"),
			`f:13:19: spec.template.spec.containers is "app": write a list, one item after each dash`},
		{"a bad quantity", web + "        resources: {limits: {cpu: lots}}\n",
			`f:16:35: spec.template.spec.containers[0].resources.limits[cpu] is "lots": write a quantity like 500m, 2 or 1Gi`},
		{"a slow quantity", web + "        resources: {limits: {cpu: '1e-20000000'}}\n",
			`f:16:35: spec.template.spec.containers[0].resources.limits[cpu] is "1e-20000000": write a quantity like 500m, 2 or 1Gi`},
		{"a large number with an exponent", replaced("replicas: 3", "replicas: 3e10"),
			"f:6:13: spec.replicas is 3e10: write at most 2147483647"},
		{"too large for an int32", replaced("replicas: 3", "replicas: 3000000000"), `f:6:13: spec.replicas is 3000000000: write at most 2147483647`},
		{"two billion replicas", replaced("replicas: 3", "replicas: 2000000000"),
			`f:6:13: spec.replicas is 2000000000: write at most 100000, or raise the limit with --max-replicas`},
		{"negative replicas", replaced("replicas: 3", "replicas: -3"),
			`f:6:13: spec.replicas: Invalid value: -3: must be greater than or equal to 0: no version of Kubernetes accepts this`},
		{"a bad policy", web + "  podManagementPolicy: Paralel\n",
			`f:16:24: spec.podManagementPolicy: Invalid value: "Paralel": must be 'OrderedReady' or 'Parallel': no version of Kubernetes accepts this`},
		{"a bad strategy", web + "  updateStrategy: {type: Rolling}\n",
			`f:16:19: spec.updateStrategy: Invalid value: {"Type":"Rolling","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete': no version of Kubernetes accepts this`},
		{"OnDelete with a block", web + "  updateStrategy: {type: OnDelete, rollingUpdate: {partition: 1}}\n",
			`f:16:51: spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate': no version of Kubernetes accepts this`},
		{"a negative partition", web + "  updateStrategy: {rollingUpdate: {partition: -1}}\n",
			`f:16:47: spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0: no version of Kubernetes accepts this`},
		{"a bad retention", web + "  persistentVolumeClaimRetentionPolicy: {whenScaled: Keep}\n",
			`f:16:54: spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete": no version of Kubernetes accepts this`},
		{"labels that do not match", replaced("labels: {app: web}\n    spec", "labels: {app: wbe}\n    spec"),
			"f:11:15: spec.template.metadata.labels: Invalid value: {\"app\":\"wbe\"}: `selector` does not match template `labels`: no version of Kubernetes accepts this"},
		{"no selector", replaced("  selector:\n    matchLabels: {app: web}\n", ""),
			"f:6:3: spec.selector: Required value: no version of Kubernetes accepts this\n" +
				"f:9:15: spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`: no version of Kubernetes accepts this"},
		{"a bad annotation", replaced("      labels: {app: web}", "      labels: {app: web}\n      annotations: {'a b': c}"),
			`f:12:20: spec.template.annotations: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'): no version of Kubernetes accepts this`},
		{"no name", replaced("  name: web\n", "  labels: {a: b}\n"),
			`f:4:3: metadata.name: Required value: name or generateName is required: no version of Kubernetes accepts this`},
		{"a generated name", replaced("name: web", "generateName: web-"), `f:4:17: metadata.generateName is given: give the StatefulSet a name: metadata.name`},
		{"a bad restart policy", web + "      restartPolicy: Never\n",
			`f:16:22: spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always": no version of Kubernetes accepts this`},
		{"a container twice", web + "      - name: app\n        image: x\n",
			`f:16:15: spec.template.spec.containers[1].name: Duplicate value: "app": ` + wrongPod},
		{"no image", replaced("        image: app:v1\n", ""), `f:14:9: spec.template.spec.containers[0].image: Required value: ` + wrongPod},
		{"a volume that is not there", web + "        volumeMounts: [{name: data, mountPath: /data}]\n",
			`f:16:31: spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data": ` + wrongPod},
		{"a kind in lower case", replaced("StatefulSet", "statefulset"), "f:2:7: kind is statefulset: did you mean StatefulSet? " +
			"It must be one of StatefulSet, StatefulSetList, Deployment, DeploymentList, DaemonSet, DaemonSetList, ReplicaSet, " +
			"ReplicaSetList, ControllerRevision, ControllerRevisionList"},
		{"an old version", replaced("apps/v1", "apps/v1beta1"), "f:1:13: apiVersion is apps/v1beta1, which Kubernetes does not " +
			"serve from 1.16 on: write apps/v1, and updateStrategy: {type: OnDelete} to keep what apps/v1beta1 has as its default"},
		{"another old version", replaced("apps/v1", "apps/v1beta2"), "f:1:13: apiVersion is apps/v1beta2, which Kubernetes does not " +
			"serve from 1.16 on: write apps/v1"},
		{"no manifest", "kind: StatefulSet\n", "f:1:1: this is not a manifest: an object needs apiVersion and kind, both text"},
		{"a scenario", "steps: []\n", "f:1:1: this is not a manifest: it is a scenario, which sim run plays"},
		{"text", "hello\n", "f:1:1: a manifest is not an object: write an object with apiVersion, kind and metadata"},
		{"a version that never was", replaced("apps/v1", "extensions/v1beta1"),
			`f:1:13: apiVersion is extensions/v1beta1: the StatefulSet's version is apps/v1`},
		{"a template of Helm", replaced("replicas: 3", "replicas: {{ .Values.replicas }}"),
			"f:6:13: this is a Helm template: render it with helm template"},
		{"a template of Helm in quotes", replaced("name: web", `name: "{{ .Release.Name }}-web"`),
			"f:4:9: this is a Helm template: render it with helm template"},
		{"messages of Helm below a manifest", web + "---\nNOTES: get the URL\n", "f:17:1: this is a message of Helm: NOTES: get the URL: " +
			"pass only the manifests: helm template prints them on standard output, and 2> /dev/null leaves the messages out"},
		{"a message of Helm at the end of a manifest", web + "WARNING: group-readable\n", "f:16:1: this is a message of Helm: WARNING: " +
			"pass only the manifests: helm template prints them on standard output, and 2> /dev/null leaves the messages out"},
		{"a template of Helm that is no YAML", replaced("  replicas: 3", "  {{- if .Values.replicas }}\n  replicas: 3\n  {{- end }}"),
			"f:6:3: this is a Helm template: render it with helm template"},
		{"kubectl get", "NAME   READY   AGE\nweb    3/3     5d\n", "f:1:1: this is the table that kubectl get prints: use kubectl get -o yaml"},
		{"kubectl get -A", "NAMESPACE   NAME   READY   AGE\nprod        web    3/3     5d\n",
			"f:1:1: this is the table that kubectl get prints: use kubectl get -o yaml"},
		{"kubectl describe", "Name:               web\nNamespace:          default\n",
			"f:1:1: this is what kubectl describe prints: use kubectl get -o yaml"},
		{"an empty item", "kind: List\napiVersion: v1\nitems: [null]\n", "f:3:9: a manifest is empty: write an object with apiVersion, kind and metadata"},
		{"several", replaced("replicas: 3", "replicas: x") + "  servicename: x\n  minReadySeconds: 1.5\n",
			"f:6:13: spec.replicas is \"x\": write a whole number\nf:16:3: unknown field \"spec.servicename\": did you mean serviceName?\n" +
				"f:17:20: spec.minReadySeconds is 1.5: write a whole number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(c.file)
			require.Error(t, err)
			require.Equal(t, c.want, err.Error())
		})
	}
}

// TestStreams shows what of a stream is taken as kubectl, jq and the API server give it.
func TestStreams(t *testing.T) {
	bare := `{"metadata": {"name": "%s"}, "spec": {"serviceName": "web", "selector": {"matchLabels": {"app": "web"}},
		"template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "app", "image": "app:v1"}]}}}}`
	item := func(name string) string { return fmt.Sprintf(bare, name) }
	whole := func(name string) string {
		return strings.Replace(item(name), "{", `{"apiVersion": "apps/v1", "kind": "StatefulSet", `, 1)
	}
	for _, c := range []struct{ name, file, sets, warnings string }{
		{"a list whose items do not say what they are",
			`{"apiVersion": "apps/v1", "kind": "StatefulSetList", "items": [` + item("a") + "," + item("b") + "]}", "a b", ""},
		{"one after the other", whole("a") + "\n" + whole("b") + whole("c"), "a b c", ""},
		{"a doubled key", strings.Replace(web, "  replicas: 3", "  replicas: 3\n  replicas: 4", 1), "web",
			`f:7:3: duplicate key "replicas": this one is used, and not that of line 6`},
		{"a doubled key of the object itself", web + "spec:\n" + strings.SplitN(web, "spec:\n", 2)[1], "web",
			`f:16:1: duplicate key "spec": this one is used, and not that of line 5`},
		{"a doubled key of what plays no part", "apiVersion: v1\nkind: ConfigMap\ndata: {a: b, a: c}\ndata: {}\n---\n" + web, "web", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			stream := strict.ParseStream("f", []byte(c.file), strict.Limits{})
			r := stream.Reader("f", strict.Limits{})
			file := manifest.Read(r, stream.Docs)
			require.NoError(t, r.Err())
			var names []string
			for _, set := range file.Sets {
				names = append(names, set.Object.Name)
			}
			require.Equal(t, c.sets, strings.Join(names, " "))
			require.Equal(t, c.warnings, r.Warnings.Error())
			if c.name == "a doubled key" {
				require.Equal(t, int32(4), *file.Sets[0].Object.Spec.Replicas, "the last one counts")
			}
		})
	}
}

// TestWhatRuns shows that no field is unknown in what runs already.
func TestWhatRuns(t *testing.T) {
	stream := strict.ParseStream("f", []byte(web+"  tomorrow: {a: b}\n"), strict.Limits{})
	r := stream.Reader("f", strict.Limits{})
	r.Lenient = true
	file := manifest.Read(r, stream.Docs)
	require.NoError(t, r.Err())
	require.Len(t, file.Sets, 1)
}

// TestClaimLabels shows that labels of a claim template that are empty are none.
func TestClaimLabels(t *testing.T) {
	with := func(meta string) string {
		return web + "  volumeClaimTemplates: [{metadata: {name: data" + meta + "}, spec: {accessModes: [ReadWriteOnce], " +
			"resources: {requests: {storage: 1Gi}}}}]\n"
	}
	require.Equal(t, live(t, readOne(t, with(""))).Spec, live(t, readOne(t, with(", labels: {}, annotations: {}"))).Spec)
}

// TestOthers shows that a StatefulSet of another group is another kind, and that those which people take for one of
// apps/v1 are told by name.
func TestOthers(t *testing.T) {
	file, err := read(strings.Replace(web, "apps/v1", "example.com/v1", 1))
	require.NoError(t, err)
	require.Empty(t, file.Sets)
	require.Equal(t, "StatefulSet web", file.Others[0].String())
	_, err = read(strings.Replace(web, "apps/v1", "apps.kruise.io/v1beta1", 1))
	require.EqualError(t, err, "f:1:13: a StatefulSet of OpenKruise (apps.kruise.io): sim plays those of apps/v1 only")
	_, err = read(strings.Replace(web, "apps/v1", "v1", 1))
	require.EqualError(t, err, "f:1:13: a StatefulSet of v1: write apiVersion: apps/v1")
}
