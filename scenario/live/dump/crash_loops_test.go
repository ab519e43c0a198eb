package dump_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// TestReadyInTheLastRun: a pod that lost its readiness after the last run of its container had begun was Ready in it.
// One whose condition has not changed since the kubelet took the pod was not, unless nothing has to answer for it.
func TestReadyInTheLastRun(t *testing.T) {
	const probe = "readinessProbe: {httpGet: {path: /, port: 80}}"
	for name, c := range map[string]struct {
		// taken is when the kubelet took the pod, started when the last run began.
		taken, started, probe string
		comes                 bool
	}{
		"lost in the last run":            {"00:00:01", "00:00:03", probe, true},
		"lost in the run before":          {"00:00:01", "00:00:07", probe, false},
		"in the second of the start":      {"00:00:05", "00:00:05", probe, false},
		"the same without readinessProbe": {"00:00:05", "00:00:05", "", true},
	} {
		status := fmt.Sprintf(wakes, "running: {}", fmt.Sprintf("terminated: {exitCode: 1, reason: Error, "+
			"startedAt: \"2026-01-01T%s\", finishedAt: \"2026-01-01T00:00:08Z\"}", c.started+"Z"))
		status = strings.Replace(status, `startTime: "2026-01-01T00:00:01Z"`, `startTime: "2026-01-01T`+c.taken+`Z"`, 1)
		pod := strings.Replace(podOf("web-0", "", "nodeName: node-1, ", status), `image: "app:v1"}]}`+"\nstatus",
			`image: "app:v1", `+c.probe+"}]}\nstatus", 1)
		require.Contains(t, pod, c.probe)
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(setOf("", 1, 0) + pod)}}, dump.Options{})
		require.NoError(t, err)
		require.Equal(t, c.comes, d.Facts[model.Key{Namespace: "default", Name: "web-0"}].Comes(), name)
	}
}
