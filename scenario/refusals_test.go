package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRefusalsWordForWord holds refusals to those of a real control plane of 1.36.3: what is wrong comes before what is
// there already, all that is wrong is told at once, and what only kubectl says is kubectl's.
func TestRefusalsWordForWord(t *testing.T) {
	const set = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {serviceName: web, selector: {matchLabels: {app: web}},
  MORE template: {metadata: {labels: {app: web}}, spec: {POD containers: [{name: app, image: "app:v1" CONTAINER}]}}}}`
	with := func(more, pod, container string) string {
		return "create: " + strings.NewReplacer("MORE", more, "POD", pod, "CONTAINER", container).Replace(set)
	}
	claim := func(name, spec string) string {
		return with("volumeClaimTemplates: [{metadata: {name: "+name+"}, spec: {"+spec+"}}],", "", "")
	}
	budget := func(spec string) string {
		return "apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {" + spec + "}}"
	}
	const invalid, label = `StatefulSet.apps "web" is invalid: `, "a lowercase RFC 1123 label must consist of lower case " +
		"alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', " +
		"regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	const subdomain = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
		"and must " +
		"start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
		`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	const good = "accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}"
	twice := with("volumeClaimTemplates: [{metadata: {name: d}, spec: {"+good+"}}, {metadata: {name: d}, spec: {"+good+"}}],",
		"", "")
	const badClaim = "apply: {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: C_, labels: {a b: c}}, spec: {" +
		good + "}}"
	const badBudget = "apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: B, annotations: {-: c}}, " +
		"spec: {minAvailable: 1}}"
	for step, want := range map[string]string{
		with("", "", ""):                                 `statefulsets.apps "web" already exists`,
		with("minReadySeconds: -1,", "", ""):             invalid + "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
		with("ordinals: {start: -1},", "", ""):           invalid + "spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0",
		with("", "", ", ports: [{containerPort: 0}]"):    invalid + "spec.template.spec.containers[0].ports[0].containerPort: Required value",
		with("", "volumes: [{name: v}, {name: v}],", ""): invalid + `spec.template.spec.volumes[1].name: Duplicate value: "v"`,
		with("", "restartPolicy: Foo,", ""): invalid + `[spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: ` +
			`"Always", "OnFailure", "Never", spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "Always"]`,
		claim("Data", good): invalid + `spec.template.spec.volumes[0].name: Invalid value: "Data": ` + label,
		claim("data", "accessModes: [Foo], resources: {requests: {storage: 1Gi}}"): invalid +
			`spec.volumeClaimTemplates[0].spec.accessModes: Unsupported value: "Foo": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"`,
		claim("data", "accessModes: [ReadWriteOnce], resources: {requests: {storage: -1Gi}}"): invalid +
			`spec.volumeClaimTemplates[0].spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero`,
		"patch: {statefulset: web, spec: {podManagementPolicy: Foo}}": invalid + "[spec.podManagementPolicy: Invalid value: " +
			`"Foo": must be 'OrderedReady' or 'Parallel', spec: Forbidden: updates to statefulset spec for fields other than ` +
			"'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and " +
			"'minReadySeconds' are forbidden]",
		budget("minAvailable: -1"): `PodDisruptionBudget.policy "web" is invalid: spec.minAvailable: Invalid value: -1: must be greater than or equal to 0`,
		budget("maxUnavailable: abc"): `PodDisruptionBudget.policy "web" is invalid: spec.maxUnavailable: Invalid value: "abc": a valid percent ` +
			"string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
		budget("maxUnavailable: 101%"): `PodDisruptionBudget.policy "web" is invalid: spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
		claim("data", good+", storageClassName: A b, volumeMode: Foo"): invalid +
			`[spec.volumeClaimTemplates[0].spec.storageClassName: Invalid value: "A b": ` + subdomain +
			`, spec.volumeClaimTemplates[0].spec.volumeMode: Unsupported value: "Foo": supported values: "Block", "Filesystem"]`,
		claim("data", good+", dataSource: {kind: X, name: ''}, volumeAttributesClassName: B_"): invalid +
			"[spec.volumeClaimTemplates[0].spec.dataSource.name: Required value, spec.volumeClaimTemplates[0].spec.dataSource: " +
			`Invalid value: "X": must be 'PersistentVolumeClaim' when referencing the default apiGroup, ` +
			`spec.volumeClaimTemplates[0].spec.volumeAttributesClassName: Invalid value: "B_": ` + subdomain + "]",
		claim("data", "resources: {requests: {storage: 1Gi}}, selector: {matchExpressions: [{key: a, operator: In}]}"): invalid +
			"[spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required, " +
			"spec.volumeClaimTemplates[0].spec.selector.matchExpressions[0].values: Required value: must be specified when " +
			"`operator` is 'In' or 'NotIn']",
		twice: `statefulsets.apps "web" already exists`,
		badClaim: `PersistentVolumeClaim "C_" is invalid: [metadata.name: Invalid value: "C_": ` + subdomain +
			`, metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must ` +
			"start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation " +
			"is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
		badBudget: `PodDisruptionBudget.policy "B" is invalid: metadata.annotations: Invalid value: "-": name part must consist of ` +
			"alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or " +
			"'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
		"patch: {metadata: {resourceVersion: \"999\"}}": "Operation cannot be fulfilled on statefulsets.apps \"web\": the object has " +
			"been modified; please apply your changes to the latest version and try again",
		"patch: {metadata: {uid: other}}": invalid + `metadata.uid: Invalid value: "other": field is immutable`,
		"patch: {metadata: {finalizers: [orphan, foregroundDeletion]}}": invalid + "metadata.finalizers: Invalid value: " +
			`["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set`,
		"patch: {metadata: {name: other}}": "the name of the object (other) does not match the name on the URL (web)",
		"patch: {metadata: {namespace: other}}": "the namespace of the provided object does not match the namespace sent on " +
			"the request",
		"patch: {type: strategic, spec: {template: {spec: {containers: [{image: x}]}}}}": "map: map[image:x] does not contain " +
			"declared merge key: name",
		"delete: {pod: web-7}":                        `pods "web-7" not found`,
		"delete: {pvc: data-web-7}":                   `persistentvolumeclaims "data-web-7" not found`,
		"evict: web-7":                                `pods "web-7" not found`,
		"label: {pod: web-7, labels: {a: b}}":         `Error from server (NotFound): pods "web-7" not found`,
		"scale: {statefulset: web, replicas: -1}":     "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
		"scale: {statefulset: nope, replicas: 1}":     `Error from server (NotFound): statefulsets.apps "nope" not found`,
		"delete: {statefulset: nope}":                 `statefulsets.apps "nope" not found`,
		"setImage: {container: nope, image: \"a:1\"}": `error: unable to find container named "nope"`,
	} {
		text := "kubernetes: \"1.36\"\nsteps:\n- " + with("", "", "") + "\n- " + step + "\n  refused: ' '\n"
		s, err := scenario.Parse("a.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err, step)
		refusal := ""
		for _, e := range s.Run(scenario.RunOptions{}).Timeline {
			if e.Kind == timeline.KindStep && e.Step.Number == 2 {
				refusal = e.Step.Refusal
			}
		}
		require.Equal(t, want, refusal, step)
	}
}

// TestDroppedMaxUnavailable shows that what a version does not serve is not looked at: the field is dropped before.
func TestDroppedMaxUnavailable(t *testing.T) {
	for _, value := range []string{"abc", "0", "101%", "-1"} {
		lines, _ := story(t, "kubernetes: \"1.33\"\nsteps:\n- create: {name: web, image: \"app:v1\"}\n- patch: {spec: {updateStrategy: "+
			"{rollingUpdate: {maxUnavailable: "+value+"}}}}\n  refused: ' '\n")
		require.Contains(t, strings.Join(lines, "\n"), "unchanged", value)
	}
}
