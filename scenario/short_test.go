package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShortSteps plays steps that name their object alone, as with kubectl, and the same steps written out.
func TestShortSteps(t *testing.T) {
	const create = "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n- setImage: {image: \"app:v2\"}\n- "
	for short, long := range map[string]string{
		"crash: web-1":                          "crash: {pod: web-1}",
		"crash: pod/web-1":                      "crash: {pod: web-1}",
		"fail: po/web-1":                        "fail: {pod: web-1}",
		"unready: web-1":                        "unready: {pod: web-1}",
		"unready: {pod: pod/web-1}":             "unready: {pod: web-1}",
		"evict: pods/web-1":                     "evict: {pod: web-1}",
		"hang: web-1":                           "hang: {pod: web-1}",
		"undo: statefulset/web":                 "undo: {statefulset: web}",
		"restart: sts/web":                      "restart: {statefulset: web}",
		"restart: web":                          "restart:",
		"delete: sts/web":                       "delete: statefulset/web",
		"delete: statefulset.apps/web":          "delete: {statefulset: web}",
		"delete: po/web-0":                      "delete: pod/web-0",
		"delete: persistentvolumeclaim/d-web-0": "delete: pvc/d-web-0",
		"delete: no/node-1":                     "delete: node/node-1",
		"delete: pdb/x":                         "delete: poddisruptionbudget/x",
		"delete: svc/x":                         "delete: service/x",
		"delete: pods/web-0\n  force: true":     "delete: {pod: web-0, force: true}",
	} {
		got, _ := story(t, create+short)
		want, _ := story(t, create+long)
		require.Equal(t, want, got, short)
		require.NotEmpty(t, got)
	}
}
