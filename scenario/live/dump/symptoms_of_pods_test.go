package dump_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// TestWhoseFailure: a message says whether a failure lies with the pod, with the kernel of its node or with the disk.
func TestWhoseFailure(t *testing.T) {
	for message, setting := range map[string]string{
		"max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]": "vm.max_map_count",
		"fs.inotify.max_user_instances is too low":                                                    "fs.inotify.max_user_instances",
		"the limit is too low: raise fs.file-max or fs.aio_max":                                       "fs.file-max",
		"replica.fetch.bytes is too low":                                                              "",
		"vm.max_map_count is 262144":                                                                  "",
	} {
		found := ""
		if row := (&dump.Facts{Waiting: "CrashLoopBackOff", ExitReason: "Error", ExitMessage: message}).NotRun(); !row.None() {
			found = row.Found(message)
		}
		require.Equal(t, setting, found, message)
	}
	for message, of := range map[string]bool{
		`failed to reserve container name "app_0": name "app_0" is reserved for "d6fc"`:      true,
		`error mounting "/pods/u/volume-subpaths/conf/app/0": no such file or directory`:     true,
		`error mounting "/pods/u/volumes/conf": no such file or directory`:                   false,
		`exec: "/bin/start": stat /bin/start: no such file or directory`:                     false,
		`mounting "/pods/u/volume-subpaths/conf/app/0": not a directory: a file on a folder`: false,
	} {
		require.Equal(t, of, (&dump.Facts{Waiting: "CreateContainerError", Message: message}).NotRun().OfPod, message)
	}
	for event, gone := range map[string]bool{
		"FailedAttachVolume: AttachVolume.Attach failed for volume \"pv\" : InvalidVolume.NotFound: no": true,
		"FailedAttachVolume: rpc error: code = NotFound desc = disk d-1 not found":                      true,
		"FailedAttachVolume: rpc error: code = Internal desc = node node-1 not found":                   false,
		"FailedMount: rpc error: code = NotFound desc = mount":                                          false,
		"FailedAttachVolume: Multi-Attach error for volume \"pv\"":                                      true,
	} {
		require.Equal(t, gone, !(&dump.Facts{Event: event}).NotStarted().None(), event)
	}
}
