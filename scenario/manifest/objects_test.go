package manifest_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// objects are manifests of objects of other kinds, a name and the fields behind apiVersion and kind.
var objects = []struct{ name, kind, fields string }{
	{"a budget", "policy/v1 PodDisruptionBudget", "metadata: {name: b, namespace: prod}\nspec: {minAvailable: 2, selector: {matchLabels: {app: web}}}"},
	{"a budget of before 1.25", "policy/v1beta1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: 30%, selector: {}}"},
	{"a budget of a version that there never was", "policy/v2 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: 1}"},
	{"a budget that is always allowed", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: 0, unhealthyPodEvictionPolicy: AlwaysAllow}"},
	{"a budget that looks at the healthy ones", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: 100%, unhealthyPodEvictionPolicy: IfHealthyBudget}"},
	{"a budget with an unknown policy", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: 1, unhealthyPodEvictionPolicy: Never}"},
	{"a budget with both bounds", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {minAvailable: 1, maxUnavailable: 1}"},
	{"a budget of too much", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {minAvailable: 101%}"},
	{"a budget of far too much", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {minAvailable: 99999999999%}"},
	{"a budget of less than none", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {minAvailable: -1}"},
	{"a budget of no number", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: half}"},
	{"a budget with a wrong selector", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailable: 1, selector: {matchExpressions: [{key: a, operator: In}]}}"},
	{"a budget without a name", "policy/v1 PodDisruptionBudget", "metadata: {labels: {a: b}}\nspec: {maxUnavailable: 1}"},
	{"a budget with a field that there is not", "policy/v1 PodDisruptionBudget", "metadata: {name: b}\nspec: {maxUnavailible: 1}"},
	{"a budget of a cluster", "policy/v1 PodDisruptionBudget", "metadata: {name: b, uid: x, generation: 3}\nspec: {maxUnavailable: 1}\nstatus: {anything: 1}"},

	{"a claim", "v1 PersistentVolumeClaim", "metadata: {name: c, namespace: prod, labels: {a: b}}\nspec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}"},
	{"a claim of several modes", "v1 PersistentVolumeClaim", "metadata: {name: c}\nspec: {accessModes: [ReadWriteOnce, ReadOnlyMany], volumeMode: Block}"},
	{"a claim from a snapshot", "v1 PersistentVolumeClaim", "metadata: {name: c}\nspec: {dataSource: {apiGroup: g, kind: VolumeSnapshot, name: s}, dataSourceRef: {kind: VolumeSnapshot, name: s, namespace: other}}"},
	{"a claim of thousandths of a byte", "v1 PersistentVolumeClaim", "metadata: {name: c}\nspec: {resources: {requests: {storage: 100u}, limits: {storage: 1500u}}}"},
	{"a claim without a name", "v1 PersistentVolumeClaim", "metadata: {}\nspec: {}"},
	{"a claim with a wrong size", "v1 PersistentVolumeClaim", "metadata: {name: c}\nspec: {resources: {requests: {storage: big}}}"},

	{"a headless Service", "v1 Service", "metadata: {name: s, namespace: prod}\nspec: {clusterIP: None, selector: {app: web}}"},
	{"a Service with ports", "v1 Service", "metadata: {name: s}\nspec: {publishNotReadyAddresses: true, selector: {app: web, a: b}, ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]}"},
	{"a Service with one port", "v1 Service", "metadata: {name: s}\nspec: {selector: {app: web}, ports: [{port: 80}]}"},
	{"a Service without ports", "v1 Service", "metadata: {name: s}\nspec: {selector: {app: web}}"},
	{"a Service with ports of one name", "v1 Service", "metadata: {name: s}\nspec: {selector: {app: web}, ports: [{name: a, port: 80}, {port: 81}, {name: a, port: 82}]}"},
	{"a Service without a name", "v1 Service", "spec: {clusterIP: None, selector: {app: web}}"},
	{"a Service with a port that is no number", "v1 Service", "metadata: {name: s}\nspec: {selector: {app: web}, ports: [{port: http}]}"},
	{"a Service of nobody", "v1 Service", "metadata: {name: s}\nspec: {clusterIP: None}"},
	{"a Service with an empty selector", "v1 Service", "metadata: {name: s}\nspec: {clusterIP: None, selector: {}}"},
	{"a Service without a spec", "v1 Service", "metadata: {name: s}"},
	{"a Service whose spec is text", "v1 Service", "metadata: {name: s}\nspec: x"},
	{"a name for something outside", "v1 Service", "metadata: {name: s}\nspec: {type: ExternalName, externalName: a.b, selector: {app: web}}"},

	{"a Deployment", "apps/v1 Deployment", "metadata: {name: d}"},
	{"a kind of apps that there is not", "apps/v1 StatefulSets", "metadata: {name: d}"},
	{"a StatefulSet of long ago", "apps/v1beta2 StatefulSet", "metadata: {name: d}"},
	{"a StatefulSet of longer ago", "extensions/v1beta1 StatefulSet", "metadata: {name: d}"},
	{"a list", "v1 List", "items: [{apiVersion: v1, kind: Secret, metadata: {name: s}}, {kind: Secret}]"},
	{"a list of one kind", "v1 PersistentVolumeClaimList", "items: [{metadata: {name: c}, spec: {}}]"},
	{"a list of another kind", "v1 ServiceList", "items: [{metadata: {name: c}, spec: {selector: {a: b}, clusterIP: None}}, 3]"},
	{"a kind that ends like a list", "example.com/v1 AllowList", "metadata: {name: l}"},
}

// TestObjects shows what is read of objects of other kinds, and what is wrong with them: testdata/objects.txt.
func TestObjects(t *testing.T) {
	var text strings.Builder
	for _, c := range objects {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		version, kind, _ := strings.Cut(c.kind, " ")
		docs, problems := strict.Parse("f", []byte("apiVersion: "+version+"\nkind: "+kind+"\n"+c.fields+"\n"), strict.Limits{})
		require.NoError(t, problems.Err())
		r := &strict.Reader{File: "f"}
		file := manifest.Read(r, docs)
		for _, other := range file.Others {
			fmt.Fprintf(&text, "%s, plays a part: %v\n", other, other.Simulated)
			if other.IsBudget() {
				other.CheckBudget(r)
				show(t, &text, other.Budget(r))
			}
			if other.IsClaim() {
				show(t, &text, other.Claim(r))
			}
		}
		for _, service := range file.Services {
			fmt.Fprintf(&text, "%s/%s\n", service.Namespace("default"), service.Name())
			show(t, &text, service.Model("default"))
		}
		for _, wrong := range file.Wrong {
			fmt.Fprintf(&text, "wrong: %s: %v\n", wrong.Other, wrong.Problems.Err())
		}
		if err := r.Err(); err != nil {
			fmt.Fprintln(&text, err)
		}
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/objects.txt", text.String())
}

var nanoseconds = regexp.MustCompile(`:[0-9]{8,}\b`)

// show writes a value as JSON, with durations that can be read.
func show(t *testing.T, b *strings.Builder, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	b.WriteString(nanoseconds.ReplaceAllStringFunc(string(data), func(number string) string {
		n, err := strconv.ParseInt(number[1:], 10, 64)
		require.NoError(t, err)
		return ":" + time.Duration(n).String()
	}) + "\n")
}

// templates are pod templates, as fields of the spec behind its one container.
var templates = []struct{ name, container, spec string }{
	{"nothing", "", ""},
	{"a longer and a negative grace", "", "terminationGracePeriodSeconds: -5"},
	{"no grace", "", "terminationGracePeriodSeconds: 0"},
	{"an endless grace", "", "terminationGracePeriodSeconds: 9223372036854775807"},
	{"tolerations of unreachable nodes", "", "tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 60}, " +
		"{operator: Exists, tolerationSeconds: 30}]"},
	{"a toleration for ever", "", "tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists}]"},
	{"a toleration for ever, and one for some time", "", "tolerations: [{operator: Exists}, {key: node.kubernetes.io/unreachable, tolerationSeconds: 5}]"},
	{"a toleration for no time", "", "tolerations: [{key: node.kubernetes.io/unreachable, tolerationSeconds: -5, effect: NoExecute}]"},
	{"tolerations of other taints", "", "tolerations: [{key: node.kubernetes.io/unreachable, value: x}, {key: other, operator: Exists}, {effect: NoExecute}, " +
		"{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoSchedule}]"},
	{"probes", "startupProbe: {tcpSocket: {port: 1}, failureThreshold: 30, terminationGracePeriodSeconds: 9}, readinessProbe: {exec: {command: [a]}, " +
		"initialDelaySeconds: 5, periodSeconds: 2, successThreshold: 3}, livenessProbe: {httpGet: {port: 80}}", ""},
	{"a hook that sleeps", "lifecycle: {preStop: {sleep: {seconds: 5}}}", ""},
	{"a hook that sleeps in a shell", "lifecycle: {preStop: {exec: {command: [/bin/bash, -ec, sleep 15;]}}}", ""},
	{"a hook that sleeps by itself", "lifecycle: {preStop: {exec: {command: [sleep, 20s]}}}", ""},
	{"a hook that also sleeps", "lifecycle: {preStop: {exec: {command: [sh, -c, sleep 5 && stop]}}}", ""},
	{"a hook of another kind", "lifecycle: {preStop: {httpGet: {port: 80}}, postStart: {httpGet: {port: 80, scheme: HTTPS, path: /x}}}", ""},
	{"init containers and a sidecar", "", "initContainers: [{name: i, image: i}, {name: s, image: s, restartPolicy: Always, readinessProbe: {grpc: {port: 1}}}]"},
	{"fields of the environment", "env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: B, valueFrom: {fileKeyRef: {volumeName: v, path: p, key: k}}}]", ""},
	{"amounts", "resources: {limits: {cpu: 100u, memory: 1500m}, requests: {cpu: 1e-7}}", ""},
	{"a limit that is the request, in the network of the host", "ports: [{containerPort: 80}], resources: {limits: {cpu: 1}}", "hostNetwork: true"},
	{"volumes of the cluster", "", "volumes: [{name: a}, {name: b, secret: {secretName: s}}, {name: c, configMap: {name: c, defaultMode: 256}}, {name: d, persistentVolumeClaim: {claimName: mine}}, " +
		"{name: e, downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.name}}]}}, {name: f, projected: {sources: [{serviceAccountToken: {path: t}}, {serviceAccountToken: {path: t, " +
		"expirationSeconds: 900}}, {downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.uid}}]}}]}}, {name: g, hostPath: {path: /}}, {name: h, image: {reference: a}}, " +
		"{name: i, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}}]"},
	{"volumes of the network", "", "volumes: [{name: a, iscsi: {targetPortal: p, iqn: q, lun: 0}}, {name: b, rbd: {monitors: [m], image: i}}, {name: c, azureDisk: {diskName: d, diskURI: u}}, " +
		"{name: d, scaleIO: {gateway: g, system: s, secretRef: {name: r}}}, {name: e, rbd: {monitors: [m], image: i, pool: p, user: u, keyring: k}}, " +
		"{name: f, scaleIO: {gateway: g, system: s, secretRef: {name: r}, storageMode: ThickProvisioned, fsType: ext4}}]"},
}

// TestTemplates shows what the API server makes of a pod template, and what the model keeps of it beside its text:
// testdata/templates.txt.
func TestTemplates(t *testing.T) {
	var text strings.Builder
	for _, c := range templates {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		manifested := strings.Replace(web, "      - name: app\n        image: app:v1\n", "      - {name: app, image: \"app:v1\", "+c.container+"}\n", 1)
		if c.spec != "" {
			manifested += "      " + c.spec + "\n"
		}
		docs, problems := strict.Parse("f", []byte(manifested), strict.Limits{})
		require.NoError(t, problems.Err())
		r := &strict.Reader{File: "f"}
		file := manifest.Read(r, docs)
		require.NoError(t, r.Err(), c.name)
		template := live(t, file.Sets[0]).Spec.Template
		fmt.Fprintln(&text, template.Data)
		fmt.Fprintf(&text, "grace %v\n", template.Grace)
		show(t, &text, struct{ Unreachable, Lifecycle, Volumes, ClaimsNamed any }{
			template.Unreachable, template.Lifecycle, template.Volumes, file.Sets[0].ClaimsNamed(),
		})
		text.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/templates.txt", text.String())
}

// TestThereAndBack: what the model keeps of a set makes the same set of the API's types again.
func TestThereAndBack(t *testing.T) {
	for _, fields := range []string{
		"", "  updateStrategy: {rollingUpdate: {partition: 2, maxUnavailable: 2}}\n", "  updateStrategy: {rollingUpdate: {maxUnavailable: 30%}}\n",
		"  updateStrategy: {type: OnDelete}\n", "  updateStrategy: {type: RollingUpdate}\n", "  ordinals: {start: 5}\n  minReadySeconds: 7\n",
		"  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}\n  podManagementPolicy: Parallel\n",
		"  revisionHistoryLimit: 3\n  serviceName: web\n  volumeClaimTemplates: [{metadata: {name: data, labels: {a: b}}, spec: {storageClassName: fast}}]\n",
	} {
		set := live(t, readOne(t, web+fields))
		object := manifest.Object(set)
		require.Equal(t, set.Spec, manifest.Model(object).Spec, fields)
		if strings.Contains(fields, "maxUnavailable: 2") {
			require.Equal(t, "2", object.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable.String())
		}
		if strings.Contains(fields, "30%") {
			require.Equal(t, "30%", object.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable.String())
		}
	}
}

// TestLastApplied: kubectl apply keeps the manifest as it was given, with its namespace and without this annotation.
func TestLastApplied(t *testing.T) {
	kept := func(text string) string {
		set, err := readOne(t, text).NewApplied("prod")
		require.Nil(t, err)
		return set.Annotations[manifest.LastApplied]
	}
	bare := kept(web)
	require.Equal(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"annotations":{},"name":"web","namespace":"prod"},"spec":{"replicas":3,`+
		`"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"app:v1","name":"app"}]}}}}`+
		"\n", bare)
	require.Contains(t, kept(strings.Replace(web, "  name: web\n", "  name: web\n  namespace: own\n  annotations: {a: b, "+manifest.LastApplied+": x}\n", 1)),
		`"metadata":{"annotations":{"a":"b"},"name":"web","namespace":"own"}`)

	set := live(t, readOne(t, web))
	_, changed, err := readOne(t, web).Apply(set)
	require.Nil(t, err)
	require.False(t, changed)
}

// TestSummary says in a few words what a patch changes.
func TestSummary(t *testing.T) {
	for text, want := range map[string]string{
		"spec: {replicas: 5}": ": replicas to 5", "spec: {replicas: 5, minReadySeconds: null}": ": minReadySeconds removed, replicas to 5",
		"metadata: {labels: {a: b}}": ": metadata", "spec: {paused: x}": "", "other: 1": "", "spec: {}": "",
		"spec: {updateStrategy: {type: OnDelete}}\nmetadata: {labels: {a: b}}": ": updateStrategy to {type:OnDelete}, metadata",
		"spec: {serviceName: " + strings.Repeat("a", 68) + "}":                 ": serviceName to " + strings.Repeat("a", 68),
		"spec: {serviceName: " + strings.Repeat("a", 69) + "}":                 ": serviceName",
	} {
		root, _ := strict.ParseOne("f", []byte(text), strict.Limits{})
		p := manifest.ReadPatch(&strict.Reader{File: "f"}, root, false)
		if text == "spec: {paused: x}" {
			require.Nil(t, p, "an unknown field")
			continue
		}
		require.Equal(t, want, p.Summary(), text)
		require.False(t, p.ChangesTemplate())
	}
	root, _ := strict.ParseOne("f", []byte("spec: {template: {metadata: {labels: {a: b}}}}"), strict.Limits{})
	require.True(t, manifest.ReadPatch(&strict.Reader{File: "f"}, root, false).ChangesTemplate())
}

// TestOldBooleans: where the API wants a boolean the words of YAML 1.1 are one, unless they are quoted.
func TestOldBooleans(t *testing.T) {
	for word, want := range map[string]string{
		"yes": "true", "Y": "true", "on": "true", "ON": "true", "no": "false", "n": "false", "Off": "false", "true": "true", "false": "false",
		"'yes'": `f:16:20: spec.template.spec.hostNetwork is "yes": write true or false`, "1": "f:16:20: spec.template.spec.hostNetwork is 1: write true or false",
	} {
		file, err := read(web + "      hostNetwork: " + word + "\n")
		if err != nil {
			require.EqualError(t, err, want)
			continue
		}
		require.Equal(t, want, strconv.FormatBool(file.Sets[0].Object.Spec.Template.Spec.HostNetwork), word)
	}
}

// TestLongQuantity: a quantity has a hundred characters at most.
func TestLongQuantity(t *testing.T) {
	of := func(quantity string) string { return web + "        resources: {limits: {memory: " + quantity + "}}\n" }
	_, err := read(of(strings.Repeat("0", 97) + "1Gi"))
	require.NoError(t, err)
	_, err = read(of(strings.Repeat("0", 98) + "1Gi"))
	require.ErrorContains(t, err, "write a quantity like 500m, 2 or 1Gi")
}

// TestWrong says what is wrong with labels, quantities and taints of nodes.
func TestWrong(t *testing.T) {
	require.Empty(t, manifest.WrongLabel("example.com/a", "b"))
	require.NotEmpty(t, manifest.WrongLabel("a b", "b"))
	require.NotEmpty(t, manifest.WrongLabel("a", "b c"))
	for text, right := range map[string]bool{"4": true, "500m": true, "0": true, "16Gi": true, "-1": false, "much": false, "": false} {
		require.Equal(t, right, manifest.WrongQuantity(text) == "", text)
	}
	for _, effect := range []string{"NoSchedule", "PreferNoSchedule", "NoExecute"} {
		require.Empty(t, manifest.WrongTaint("a", "b", effect))
		require.NotEmpty(t, manifest.WrongTaint("a b", "b", effect))
	}
	require.Contains(t, manifest.WrongTaint("a", "b", "Never"), "the effects are")
}

// TestVersionsOfPods: before 1.37 the refusal of what shares processes names another place; before 1.34 the set is
// accepted, and its pods are refused, in their own words. The topologyKey of a spread constraint may be any text.
func TestVersionsOfPods(t *testing.T) {
	spread := "topologySpreadConstraints: [{maxSkew: 1, topologyKey: a b, whenUnsatisfiable: ScheduleAnyway}]"
	for _, c := range []struct{ version, spec, refused string }{
		{"1.37", spread, ""},
		{"1.33", spread, ""},
		{"1.37", "hostPID: true, shareProcessNamespace: true", `StatefulSet.apps "web" is invalid: spec.template.spec.shareProcessNamespace: Invalid value: true: `},
		{"1.36", "hostPID: true, shareProcessNamespace: true",
			`StatefulSet.apps "web" is invalid: spec.template.spec.securityContext.shareProcessNamespace: Invalid value: true: `},
		{"1.33", "hostPID: true, shareProcessNamespace: true", `Pod "web-0" is invalid: spec.securityContext.shareProcessNamespace: Invalid value: true: `},
		{"1.34", "ephemeralContainers: [{name: e, image: e}]",
			`StatefulSet.apps "web" is invalid: spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template`},
		{"1.33", "ephemeralContainers: [{name: e, image: e}]", `Pod "web-0" is invalid: spec.ephemeralContainers: Forbidden: cannot be set on create`},
	} {
		s := server(t, c.version)
		file, _ := read(web + "      " + strings.ReplaceAll(c.spec, "true, ", "true\n      ") + "\n")
		sent, err := file.Sets[0].New("default")
		require.Nil(t, err)
		set, err := s.CreateSet(sent)
		if err == nil {
			_, err = s.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: set.Spec.Template})
		}
		if c.refused == "" {
			require.Nil(t, err, "%s %s", c.version, c.spec)
			continue
		}
		require.NotNil(t, err, "%s %s", c.version, c.spec)
		require.Contains(t, err.Message, c.refused)
	}
	readOne(t, web+"      "+spread+"\n")
}

// TestMaxUnavailableOfNoNumber: an API server whose feature gate is off drops it before it looks at it.
func TestMaxUnavailableOfNoNumber(t *testing.T) {
	sent, err := readOne(t, web+"  updateStrategy: {rollingUpdate: {maxUnavailable: abc}}\n").New("default")
	require.Nil(t, err)
	set, err := server(t, "1.36").CreateSet(sent)
	require.Nil(t, err)
	require.Nil(t, set.Spec.Strategy.RollingUpdate.MaxUnavailable)
	_, err = server(t, "1.37").CreateSet(sent)
	require.ErrorContains(t, err, `spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "abc": a valid percent string`)
}

// TestOwnership: owners and finalizers are checked, in the words of the version, and also where kubectl apply changes a set
// that is there; what runs is left alone.
func TestOwnership(t *testing.T) {
	const mine = "  name: web\n  finalizers: [a b]\n  ownerReferences: [{apiVersion: v1, kind: A, name: '', uid: u}]\n"
	const finalizer = `metadata.finalizers: Invalid value: "a b": name part must consist of`
	file, _ := read(strings.Replace(web, "  name: web\n", mine, 1))
	sent, err := file.Sets[0].New("default")
	require.Nil(t, err)
	for version, owner := range map[string]string{
		"1.36": `metadata.ownerReferences.name: Invalid value: "": must not be empty`,
		"1.37": `metadata.ownerReferences[0].name: Required value: must not be empty`,
		"1.38": "metadata.ownerReferences[0].name: Required value",
	} {
		s, before, after := server(t, version), owner+", "+finalizer, ""
		if version == "1.38" {
			// The rule is declared, so its mistakes come last.
			before, after = "["+finalizer, ", "+owner+"]"
		}
		_, err := s.CreateSet(sent)
		require.ErrorContains(t, err, before)
		require.ErrorContains(t, err, after)
		right, err := readOne(t, web).NewApplied("default")
		require.Nil(t, err)
		set, err := s.CreateSet(right)
		require.Nil(t, err)
		applied, changed, err := file.Sets[0].Apply(set)
		require.Nil(t, err)
		require.True(t, changed)
		_, err = s.UpdateSet(applied)
		require.ErrorContains(t, err, before)
		require.ErrorContains(t, err, after)
	}
	_, all := read(strings.Replace(web, "  name: web\n", mine, 1))
	require.ErrorContains(t, all, "f:5:15: "+finalizer)

	stream := strict.ParseStream("f", []byte(strings.Replace(web, "  name: web\n", mine, 1)), strict.Limits{})
	r := stream.Reader("f", strict.Limits{})
	r.Lenient = true
	manifest.Read(r, stream.Docs).Sets[0].Check(r)
	require.NoError(t, r.Err())
}
