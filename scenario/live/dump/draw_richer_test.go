package dump_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// drawRicher draws a set with what drawScenario leaves out: ordinals, retention, maxUnavailable, budgets, other
// versions; and what else people do: patch, undo, evict, orphan, pods of their own.
func drawRicher(t *rapid.T) string {
	var b strings.Builder
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	fmt.Fprintf(&b, "kubernetes: %q\nuntil: 2h\n", pick("version", "1.27", "1.31", "1.33", "1.34", "1.36", "1.37"))
	fmt.Fprintf(&b, "kubelet:\n  start: %ds\n  ready: %ds\n  stop: %ds\n", rapid.IntRange(1, 3).Draw(t, "start"),
		rapid.IntRange(1, 4).Draw(t, "ready"), rapid.IntRange(1, 8).Draw(t, "stop"))
	if rapid.Bool().Draw(t, "broken") {
		b.WriteString("  rules: [{match: {image: \"app:v2\"}, ready: never}]\n")
	}
	if rapid.Bool().Draw(t, "bind") {
		b.WriteString("volumes: {bind: 3s}\n")
	}
	b.WriteString("steps:\n")
	if rapid.Bool().Draw(t, "budget") {
		fmt.Fprintf(&b, "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {%s, "+
			"selector: {matchLabels: {app: web}}}}\n", pick("spec", "maxUnavailable: 1", "minAvailable: 2", "minAvailable: 50%"))
	}
	fmt.Fprintf(&b, "- create: {name: web, replicas: %d, image: \"app:v1\", podManagementPolicy: %s, minReadySeconds: %d, "+
		"updateStrategy: %s%s%s, revisionHistoryLimit: %d}\n", rapid.IntRange(0, 5).Draw(t, "replicas"),
		pick("policy", "OrderedReady", "Parallel"), rapid.IntRange(0, 3).Draw(t, "minReady"),
		pick("strategy", "{type: RollingUpdate}", "{type: OnDelete}", "{rollingUpdate: {partition: 2}}",
			"{rollingUpdate: {maxUnavailable: 2}}", "{rollingUpdate: {maxUnavailable: 50%}}"),
		pick("claims", "", `, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], `+
			`resources: {requests: {storage: 1Gi}}}}]`),
		pick("more", "", ", ordinals: {start: 2}", ", persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}",
			", persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Delete}"),
		rapid.IntRange(0, 2).Draw(t, "limit"))
	at := 0
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		at += rapid.IntRange(1, 9).Draw(t, "at")
		fmt.Fprintf(&b, "- at: %ds\n  %s\n", at, pick("step", `setImage: {image: "app:v2"}`, `setImage: {image: "app:v3"}`,
			`setImage: {image: "app:v1"}`, "scale: {replicas: 0}", "scale: {replicas: 2}", "scale: {replicas: 4}",
			"delete: pod/web-0", "delete: pod/web-2", "delete: pod/web-3", "delete: pvc/data-web-0", "delete: pvc/data-web-2",
			"fail: {pod: web-0, reason: Evicted}", "fail: {pod: web-2, reason: Evicted}",
			"cordon: node-1", "uncordon: node-1", "cordon: node-2", "evict: web-0", "evict: web-2",
			`createPod: {name: web-1, image: "app:v1", labels: {app: web}}`,
			`createPod: {name: web-7, image: "app:v1", labels: {app: web}}`,
			"restartController: {}", "undo: {}", "restart: web", "patch: {spec: {minReadySeconds: 4}}",
			"patch: {spec: {updateStrategy: {rollingUpdate: {partition: 1}}}}",
			"patch: {spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}",
			"delete: statefulset/web", "delete: statefulset/web\n  cascade: orphan",
			"delete: statefulset/web\n  cascade: foreground"))
	}
	fmt.Fprintf(&b, "- at: %ds\n  uncordon: node-3\n", at+rapid.IntRange(0, 20).Draw(t, "stop at"))
	return b.String()
}
