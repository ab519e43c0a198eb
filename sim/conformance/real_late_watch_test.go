//go:build real && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34)

package conformance_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// lateWatch is a watch that is late for a while, in a rollout of a Parallel set without the block rollingUpdate: when
// the caches show the pods as they were, web-0 is deleted.
const lateWatch = `steps:
  - create:
      {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - {at: 3s, setImage: {image: "app:v2"}}
  - {at: 6s, watch: {delay: 5s, for: 20s}}
  - {at: 26.005s, delete: pod/web-0}
`

// alwaysLate is a watch that is late all the time.
const alwaysLate = `apiserver: {watch: 2s}
kubelet: {start: 1s, ready: 1s, stop: 1s}
until: 120s
steps:
  - create:
      {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - {at: 10s, setImage: {image: "app:v2"}}
  - {at: 23s, delete: pod/web-0}
`

// TestLateWatch plays loops that explorations have found on 1.36. While the cache shows the pods as they were the
// controller creates and deletes web-0 again and again, also by the real code: for ever where the watch stays late, or
// where calls take no time, so that what is on its way never comes; once where they take 10 ms, and then the rollout
// ends.
func TestLateWatch(t *testing.T) {
	version := tested(t)
	if version.Kubernetes != "1.36" {
		t.Skip("the loops are those of 1.36")
	}
	for name, c := range map[string]struct {
		text string
		ends timeline.Verdict
	}{
		"always late":          {alwaysLate, timeline.Limit},
		"late in no time":      {lateWatch, timeline.Livelock},
		"late, and calls take": {"apiserver: {write: 10ms}\n" + lateWatch, timeline.Settled},
	} {
		if verdict, at := Ends(t, version, c.text); verdict != c.ends {
			t.Errorf("%s: %s at %ss", name, verdict, at.Seconds())
		}
	}
}
