package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
)

// TestDataOfPods: there is an alarm if pods go with data that only they have, and none about volumes with content that
// nobody misses.
func TestDataOfPods(t *testing.T) {
	volume := func(name, path, source string, more ...string) func(image string) string {
		return func(image string) string {
			set := strings.Replace(web("3", image, more...), "{name: app, ",
				"{name: app, volumeMounts: [{name: "+name+", mountPath: "+path+"}], ", 1)
			return strings.Replace(set, "containers:", "volumes: [{name: "+name+", "+source+"}], containers:", 1)
		}
	}
	const emptyDir = "emptyDir: {}"
	ephemeral := "ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}"
	lost := "is lost with each pod that goes (web-2, web-1, web-0): only a claim of the set keeps it"
	for _, c := range []struct {
		name string
		set  func(image string) string
		want string
	}{
		{"a database", volume("data", "/var/lib/postgresql/data", emptyDir), "what is in the volume data (emptyDir at /var/lib/postgresql/data in app) " + lost},
		{"a store", volume("etcd", "/var/lib/etcd", emptyDir), lost},
		{"a numbered folder", volume("v", "/data1", emptyDir), lost},
		{"an ephemeral claim", volume("data", "/data", ephemeral), "(ephemeral at /data in app) " + lost},
		{"a folder of the node", volume("data", "/data", "hostPath: {path: /mnt/data}"), "a new pod on another node does not find it"},
		{"a partition leaves pods", volume("data", "/data", emptyDir, "updateStrategy: {rollingUpdate: {partition: 2}}"), "(web-2)"},
		{"memory", volume("data", "/data", "emptyDir: {medium: Memory}"), ""},
		{"a temporary folder", volume("tmp-data", "/data", emptyDir), ""},
		{"a cache", volume("v", "/var/lib/app/cache", emptyDir), ""},
		{"a socket", volume("run", "/var/run/app", emptyDir), ""},
		{"any folder", volume("html", "/usr/share/html", emptyDir), ""},
		{"a socket of the node", volume("data", "/data", "hostPath: {path: /run/x.sock, type: Socket}"), ""},
		{"pods that stay", volume("data", "/data", emptyDir, "updateStrategy: {type: OnDelete}"), ""},
		{"read only", func(image string) string {
			return strings.Replace(volume("data", "/data", emptyDir)(image), "/data}", "/data, readOnly: true}", 1)
		}, ""},
		{"pods of one node", func(image string) string {
			return strings.Replace(volume("data", "/data", "hostPath: {path: /mnt}")(image), "volumes:", "nodeSelector: {kubernetes.io/hostname: a}, volumes:", 1)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			alarms := plans(t, c.set("a:1"), c.set("a:2"), &Options{}).Alarms
			i := slices.IndexFunc(alarms, func(a alarm.Alarm) bool { return a.Trap == alarm.TrapScratch })
			if c.want == "" {
				require.Equal(t, -1, i, alarms)
				return
			}
			require.GreaterOrEqual(t, i, 0, alarms)
			require.Contains(t, alarms[i].Sentence, c.want)
		})
	}
	same := volume("data", "/data", emptyDir)("a:1")
	require.Empty(t, plans(t, same, strings.Replace(same, "replicas: 3", "replicas: 4", 1), &Options{}).Alarms)
	fewer := plans(t, same, strings.Replace(same, "replicas: 3", "replicas: 2", 1), &Options{}).Alarms
	require.Contains(t, fewer[0].Sentence, "(web-2)")
}
