package dump

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
)

// newer notes a time of an object.
func (r *raw) newer(t time.Time) {
	if t.Compare(r.newest) > 0 {
		r.newest = t
	}
}

// timeKeys are the fields of objects whose times are in the past when the object is printed.
var timeKeys = []string{"creationTimestamp", "lastTransitionTime", "startedAt", "finishedAt", "startTime",
	"lastHeartbeatTime", "lastProbeTime", "time", "timeAdded", "firstTimestamp", "lastTimestamp", "eventTime"}

// newestIn returns the newest time in an object. It skips deletionTimestamp, which is in the future: the end of the
// grace period.
func newestIn(fields map[string]any) time.Time {
	newest := time.Time{}
	metadata, _ := fields["metadata"].(map[string]any)
	if deletion := timeOf(metadata["deletionTimestamp"]); !deletion.IsZero() {
		grace, _ := number(metadata["deletionGracePeriodSeconds"])
		newest = deletion.Add(-model.Seconds(grace))
	}
	for _, part := range []any{metadata, fields["status"], fields["lastTimestamp"]} {
		if t := newestOf(part); t.Compare(newest) > 0 {
			newest = t
		}
	}
	return newest
}

// newestOf returns the newest time in a part of an object.
func newestOf(v any) time.Time {
	newest := time.Time{}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range timeKeys {
			if t := timeOf(v[key]); t.Compare(newest) > 0 {
				newest = t
			}
		}
		for _, key := range nested {
			if t := newestOf(v[key]); t.Compare(newest) > 0 {
				newest = t
			}
		}
	case []any:
		for _, item := range v {
			if t := newestOf(item); t.Compare(newest) > 0 {
				newest = t
			}
		}
	case string:
		newest = timeOf(v)
	}
	return newest
}

// timeOf returns a time of an object, the zero time for anything else. Most of the fields that may hold one are absent,
// and an error of time.Parse costs more than a time.
func timeOf(v any) (t time.Time) {
	if text := text(v); text != "" {
		t, _ = time.Parse(time.RFC3339, text)
	}
	return t
}

// nested are the fields that contain objects with times.
var nested = []string{"managedFields", "conditions", "containerStatuses", "initContainerStatuses", "state", "lastState",
	"running", "terminated"}

// beats reports whether a kubelet has written when it last saw its node. A node without such a time is no clock.
func beats(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool { return !c.LastHeartbeatTime.IsZero() })
}
