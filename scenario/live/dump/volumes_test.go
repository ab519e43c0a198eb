package dump_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim"
)

// TestVolumesThatDoNotGrow: what comes of a claim that asks for more than it has is told in the words of the condition,
// of the last event about it or about its pod, or of its status, until an event says that it has grown.
func TestVolumesThatDoNotGrow(t *testing.T) {
	const (
		fails  = "The PVC data asks for 2Gi and has 1Gi, and it does not grow: %s. Whoever resizes volumes tries again by itself. If that cannot succeed, let the PVC ask for less, but for more than 1Gi (possible from Kubernetes 1.32 on)."
		grows  = "The PVC data asks for 2Gi and has 1Gi: it is being enlarged. What is known of it: kubectl -n prod describe pvc data"
		event  = "---\napiVersion: v1\nkind: Event\nmetadata: {name: e%[1]d, namespace: prod}\ntype: Warning\nreason: %[2]s\nmessage: \"%[3]s\"\nlastTimestamp: \"2026-01-01T00:0%[1]d:00Z\"\ninvolvedObject: {kind: %[4]s, namespace: prod, name: %[5]s}\n"
		during = "conditions: [{type: Resizing, status: \"True\"}]"
	)
	of := func(minute int, reason string) string {
		return fmt.Sprintf(event, minute, reason, reason+" has happened.", "PersistentVolumeClaim", "data")
	}
	ofPod := func(reason, pod string) string { return fmt.Sprintf(event, 1, reason, "it fails", "Pod", pod) }
	for name, c := range map[string]struct {
		asks, status, events string
		want                 string
		restart              bool
	}{
		"nothing is asked for":                     {asks: "1Gi", status: during[:0], want: ""},
		"less than it has, after an error":         {asks: "1Gi", events: of(1, "VolumeResizeFailed"), want: ""},
		"more, and nobody has begun":               {asks: "2Gi", want: ""},
		"it grows":                                 {asks: "2Gi", status: during, want: grows},
		"an error that is over":                    {asks: "2Gi", status: during, events: of(1, "VolumeResizeFailed") + of(2, "VolumeResizeSuccessful"), want: grows},
		"an error that is the last":                {asks: "2Gi", status: during, events: of(2, "VolumeResizeFailed") + of(1, "FileSystemResizeRequired"), want: fmt.Sprintf(fails, "VolumeResizeFailed has happened")},
		"a condition with a message":               {asks: "2Gi", status: "conditions: [{type: ControllerResizeError, status: \"True\", message: no room}]", events: of(1, "VolumeResizeFailed"), want: fmt.Sprintf(fails, "no room")},
		"a condition without one":                  {asks: "2Gi", status: "conditions: [{type: NodeResizeError, status: \"True\"}]", want: fmt.Sprintf(fails, "NodeResizeError")},
		"a condition that is over":                 {asks: "2Gi", status: "conditions: [{type: NodeResizeError, status: \"False\"}, {type: Resizing, status: \"True\"}]", want: grows},
		"a status that says it is not possible":    {asks: "2Gi", status: "allocatedResourceStatuses: {storage: ControllerResizeInfeasible}", want: fmt.Sprintf(fails, "ControllerResizeInfeasible")},
		"a status of an older version":             {asks: "2Gi", status: "allocatedResourceStatuses: {storage: NodeResizeFailed}", want: fmt.Sprintf(fails, "NodeResizeFailed")},
		"a status of a resize that goes on":        {asks: "2Gi", status: "allocatedResourceStatuses: {storage: NodeResizeInProgress}", want: ""},
		"a warning about its pod":                  {asks: "2Gi", status: during, events: ofPod("FileSystemResizeFailed", "web-0"), want: fmt.Sprintf(fails, "FileSystemResizeFailed: it fails")},
		"another warning about its pod":            {asks: "2Gi", status: during, events: ofPod("Unhealthy", "web-0"), want: grows},
		"a warning about a pod without the volume": {asks: "2Gi", status: during, events: ofPod("FileSystemResizeFailed", "web-1"), want: grows},
		"a file system that waits for a restart":   {asks: "2Gi", status: "conditions: [{type: FileSystemResizePending, status: \"True\"}]", want: grows, restart: true},
		"a class that is refused":                  {asks: "1Gi", status: "modifyVolumeStatus: {targetVolumeAttributesClassName: gold, status: Infeasible}, conditions: [{type: ModifyVolumeError, status: \"True\", message: no gold}]", want: "The PVC data does not get the VolumeAttributesClass gold: no gold. Its volume works as before."},
		"a class of which nothing is known":        {asks: "1Gi", status: "conditions: [{type: ModifyVolumeError, status: \"True\", message: no gold}]", want: ""},
	} {
		pod := func(name, volumes string) string {
			return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: prod}\nspec: {nodeName: n, containers: [{name: app, image: a}]" + volumes + "}\nstatus: {phase: Running}\n"
		}
		text := "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: prod}\nspec: {volumeName: v, resources: {requests: {storage: " + c.asks + "}}}\n" +
			"status: {" + strings.TrimSuffix("phase: Bound, capacity: {storage: 1Gi}, "+c.status, ", ") + "}\n" +
			pod("web-0", ", volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]") + pod("web-1", "") + c.events
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err, name)
		r := d.ResizeOf(model.Key{Namespace: "prod", Name: "data"})
		if c.want == "" {
			require.Nil(t, r, name)
			continue
		}
		require.NotNil(t, r, name)
		require.Equal(t, c.want, r.String(), name)
		require.Equal(t, c.restart, r.Restart, name)
	}
}

// TestWhatANewPodMakesGrow: a new pod helps a full disk whose file system grows at its start, and no other one. A pod
// that runs does not wait for its file system.
func TestWhatANewPodMakesGrow(t *testing.T) {
	const full = "write: no space left on device"
	key := model.Key{Namespace: "prod", Name: "data"}
	for name, c := range map[string]struct {
		phase            model.Phase
		facts            dump.Facts
		restart          bool
		ungrown, regrows bool
	}{
		"a full disk that grows at the next start":     {model.Running, dump.Facts{ExitMessage: full}, true, false, true},
		"a full disk that does not":                    {model.Running, dump.Facts{ExitMessage: full}, false, false, false},
		"another error":                                {model.Running, dump.Facts{ExitMessage: "panic"}, true, false, false},
		"a pod that waits for its file system":         {model.Pending, dump.Facts{Event: "FileSystemResizeFailed: x"}, false, true, false},
		"a pod that waits for something else":          {model.Pending, dump.Facts{Event: "FailedMount: x"}, false, false, false},
		"a pod that runs while its volume cannot grow": {model.Running, dump.Facts{Event: "VolumeResizeFailed: x"}, false, false, false},
	} {
		p := dump.Pod{Pod: &model.Pod{Meta: model.Meta{Namespace: "prod", Name: "web-0"}, Phase: c.phase, Volumes: []model.Volume{{Claim: "data"}}}}
		d := dump.Dump{State: &sim.State{Pods: []dump.Pod{p}, Claims: []*model.Claim{{Meta: model.Meta{Namespace: "prod", Name: "data"}}}},
			Facts: map[model.Key]*dump.Facts{p.Key(): &c.facts}, Resizes: []*dump.Resize{{Claim: key, Restart: c.restart}}}
		require.Equal(t, []bool{c.ungrown, c.regrows}, []bool{d.Ungrown(&p), d.Regrows(&p)}, name)
	}
}
